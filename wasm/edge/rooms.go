package edge

import (
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"strings"

	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// roomRow is what every request asks of its room.
type roomRow struct {
	code, token, build, link string
	ends                     int64
	closed                   int
	units, devices           int
}

// mostOpen is how many rooms may be open at a server at once.
const mostOpen = 500

// known finds the room of a request.
func (s *Server) known(f handler) handler {
	return func(c *call) error {
		code := c.PathValue("code")
		if !room.IsCode(code) {
			return refused(404, problem.New("there is no room %s: look at the code again", shortened(code)))
		}
		r := &c.room
		ok, err := c.one([]any{&r.code, &r.token, &r.build, &r.link, &r.ends, &r.closed, &r.units, &r.devices},
			"SELECT code, token, build, link, ends, closed, units, devices FROM room WHERE code = ?", code)
		if err != nil {
			return err
		}
		if !ok || r.ends <= c.now {
			return refused(404, problem.New("there is no room %s: look at the code again", code))
		}
		return f(c)
	}
}

// owned lets only the room's host in.
func (s *Server) owned(f handler) handler {
	return s.known(func(c *call) error {
		token, ok := strings.CutPrefix(c.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(room.Sum([]byte(token))), []byte(c.room.token)) != 1 {
			return refused(403, problem.New("only who opened the room may do this"))
		}
		return f(c)
	})
}

// joined lets devices in while the room is open. Their ids are random; nothing else is known of them.
func (s *Server) joined(f handler) handler {
	return s.known(func(c *call) error {
		c.device = c.Header.Get(room.HeaderDevice)
		if !room.IsID(c.device) {
			return refused(400, problem.New("%s must be 32 hexadecimal digits", room.HeaderDevice))
		}
		if c.room.closed != 0 {
			return refused(410, problem.New("the room is closed"))
		}
		return f(c)
	})
}

func openRoom(c *call) error {
	var o room.Opening
	if json.Unmarshal(c.body, &o) != nil || len(o.Link) > room.MaxLink || len(o.Build) > 64 ||
		!strings.HasPrefix(o.Link, "v=1&") || o.Build == "" {
		return refused(400, problem.New("a room is opened with the link of an experiment and the build of the program"))
	}
	if err := c.sweep(); err != nil {
		return err
	}
	token := room.NewSecret()
	for range 4 { // codes are random: one that is taken is rare
		code := room.NewCode()
		n, err := c.exec(`INSERT INTO room(code, token, build, link, opened, ends) SELECT ?, ?, ?, ?, ?, ?
			WHERE (SELECT count(*) FROM room WHERE closed = 0 AND ends > ?) < ? ON CONFLICT(code) DO NOTHING`,
			code, room.Sum([]byte(token)), o.Build, o.Link, c.now, c.now+unused.Milliseconds(), c.now, mostOpen)
		if err != nil {
			return err
		}
		if n == 1 {
			return c.json(room.Opened{Code: code, Token: token})
		}
	}
	return refused(429, problem.New("there are too many rooms open here: close one, or try again later"))
}

// sweep deletes some rooms that have ended.
func (c *call) sweep() error {
	for range 3 {
		var code string
		ok, err := c.one([]any{&code}, "SELECT code FROM room WHERE ends <= ? LIMIT 1", c.now)
		if err != nil || !ok {
			return err
		}
		for _, table := range []string{"part", "device", "unit", "lease", "result"} {
			if _, err := c.exec("DELETE FROM "+table+" WHERE room = ?", code); err != nil {
				return err
			}
		}
		if _, err := c.exec("DELETE FROM room WHERE code = ?", code); err != nil {
			return err
		}
	}
	return nil
}

func info(c *call) error {
	i := room.Info{Code: c.room.code, Build: c.room.build, Link: c.room.link, Closed: c.room.closed != 0,
		Ends: c.room.ends / 1000, Files: []room.File{}, Devices: c.room.devices, Units: c.room.units}
	// Nobody waits for second looks of devices that are gone.
	if _, err := c.one([]any{&i.Opened, &i.Done, &i.Board, &i.Looks}, `SELECT opened/1000, done, board,
		(SELECT count(*) FROM unit WHERE room = code AND look = 1 AND EXISTS(SELECT 1 FROM device d WHERE d.room = code AND
		d.out = 0 AND d.seen > ? AND substr(d.id, 1, 16) <> substr(by, 1, 16))) FROM room WHERE code = ?`,
		c.now-lease.Milliseconds(), c.room.code); err != nil {
		return err
	}
	rows, err := c.db.QueryContext(c.ctx(), `SELECT name, count(*) FROM part WHERE room = ? AND name >= 'file/' AND
		name < 'file0' GROUP BY name`, c.room.code)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var f room.File
		if err := rows.Scan(&f.Name, &f.Parts); err != nil {
			return err
		}
		f.Name = strings.TrimPrefix(f.Name, "file/")
		i.Files = append(i.Files, f)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.json(i)
}

// partName checks the name of what is sent in parts.
func partName(name string) bool {
	kind, id, _ := strings.Cut(name, "/")
	switch kind {
	case "round", "unit":
		return room.IsID(id)
	case "file":
		return id == "own" || id == "rows"
	case "result":
		unit, device, _ := strings.Cut(id, "/")
		return room.IsID(unit) && room.IsID(device)
	}
	return false
}

func getPart(c *call) error {
	name := c.URL.Query().Get("name")
	part, err := c.query("part", room.MaxParts-1)
	if err != nil {
		return err
	}
	if !partName(name) {
		return refused(400, problem.New("the room has no part %s", shortened(name)))
	}
	get := func(c *call) error {
		var data string
		ok, err := c.one([]any{&data}, "SELECT data FROM part WHERE room = ? AND name = ? AND part = ?", c.room.code, name,
			part)
		if err != nil {
			return err
		}
		if !ok {
			return refused(404, problem.New("the room has no part %s", name))
		}
		b, err := base64.StdEncoding.DecodeString(data)
		if err != nil {
			return err
		}
		return c.bytes(b)
	}
	if strings.HasPrefix(name, "result/") { // of others
		return (&Server{}).owned(get)(c)
	}
	return get(c)
}

// store keeps a part of something, within what a room may have. Parts that are there stay: then it is not fresh.
func (c *call) store(name string, part int, data []byte) (fresh bool, err error) {
	code := c.room.code
	n, err := c.exec("INSERT INTO part VALUES(?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", code, name, part, room.Sum(data),
		base64.StdEncoding.EncodeToString(data))
	if err != nil || n == 0 {
		return false, err
	}
	n, err = c.exec("UPDATE room SET bytes = bytes + ? WHERE code = ? AND bytes <= ?", len(data), code,
		room.MaxBytes-len(data))
	if err != nil || n > 0 {
		return true, err
	}
	if _, err := c.exec("DELETE FROM part WHERE room = ? AND name = ? AND part = ?", code, name, part); err != nil {
		return false, err
	}
	return false, full()
}

func full() error {
	return refused(413, problem.New("the room is full: it may hold %d MB", room.MaxBytes>>20))
}

// which reads part and of of the query; a part but the last must be whole.
func (c *call) which() (part, of int, err error) {
	if part, err = c.query("part", room.MaxParts-1); err != nil {
		return
	}
	if of, err = c.query("of", room.MaxParts); err != nil {
		return
	}
	if part >= of || part < of-1 && len(c.body) != room.PartSize || len(c.body) == 0 || len(c.body) > room.PartSize {
		err = refused(400, problem.New("part %d of %d has a wrong length", part, of))
	}
	return
}

func putPart(c *call) error {
	name := c.URL.Query().Get("name")
	if !partName(name) || strings.HasPrefix(name, "result/") {
		return refused(400, problem.New("the room has no part %s", shortened(name)))
	}
	part, _, err := c.which()
	if err == nil {
		_, err = c.store(name, part, c.body)
	}
	if err != nil {
		return err
	}
	return c.done()
}

func board(c *call) error {
	if len(c.body) > room.MaxBoard {
		return refused(413, problem.New("a board may have at most 64 kB"))
	}
	text := strings.ToValidUTF8(string(c.body), "?")
	if _, err := c.exec("UPDATE room SET board = ? WHERE code = ?", text, c.room.code); err != nil {
		return err
	}
	return c.done()
}

func closeRoom(c *call) error {
	if _, err := c.exec("UPDATE room SET closed = 1 WHERE code = ?", c.room.code); err != nil {
		return err
	}
	return c.done()
}
