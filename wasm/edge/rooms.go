package edge

import (
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// roomRow is what every request asks of its room.
type roomRow struct {
	code, token, build, link string
	opened, ends             int64
	closed                   int
	bytes, units, done       int
	looks, givers, strangers int
	took                     int64
}

// mostRooms is how many rooms a server keeps at once, and closedFor how long it keeps one that is closed.
const (
	mostRooms = 2000
	closedFor = time.Hour
)

// roomColumns are those of roomRow.
const roomColumns = `r.code, r.token, r.build, r.link, r.opened, r.ends, r.closed, r.bytes, r.units, r.done, r.looks,
	r.givers, r.strangers, r.took`

func (r *roomRow) columns() []any {
	return []any{&r.code, &r.token, &r.build, &r.link, &r.opened, &r.ends, &r.closed, &r.bytes, &r.units, &r.done,
		&r.looks, &r.givers, &r.strangers, &r.took}
}

// known finds the room of a request.
func (s *Server) known(f handler) handler {
	return func(c *call) error {
		err := c.find(c.room.columns(), "SELECT "+roomColumns+" FROM room r WHERE r.code = ?")
		if err != nil {
			return err
		}
		return f(c)
	}
}

// find reads a room by a query that ends with its code.
func (c *call) find(to []any, query string, args ...any) error {
	code := c.PathValue("code")
	ok := room.IsCode(code)
	if ok {
		var err error
		if ok, err = c.one(to, query, append(args, code)...); err != nil {
			return err
		}
	}
	if !ok || c.room.ends <= c.now {
		if n := c.tooMany(guesses); n > 0 {
			return minutes(n, problem.New("too many wrong codes of rooms came from this address: try again in %d minutes", n))
		}
		return refused(404, problem.New("there is no room %s: look at the code again", shortened(code)))
	}
	return nil
}

// owned lets only the room's host in.
func (s *Server) owned(f handler) handler {
	return s.bears(f, func(token, kept string) (is, must string) { return room.Sum([]byte(token)), kept })
}

// steered lets only the host's remote in.
func (s *Server) steered(f handler) handler {
	return s.bears(f, func(token, kept string) (is, must string) { return token, room.Remote(kept) })
}

// bears lets in who bears a token; same makes what must be equal of it and of the sum that the room keeps.
func (s *Server) bears(f handler, same func(token, kept string) (is, must string)) handler {
	return s.known(func(c *call) error {
		token, ok := strings.CutPrefix(c.Header.Get("Authorization"), "Bearer ")
		if is, must := same(token, c.room.token); !ok || subtle.ConstantTimeCompare([]byte(is), []byte(must)) != 1 {
			return refused(403, problem.New("only who opened the room may do this"))
		}
		return f(c)
	})
}

func openRoom(c *call) error {
	var o room.Setup
	if json.Unmarshal(c.body, &o) != nil || len(o.Link) > room.MaxLink || len(o.Build) > 64 ||
		!strings.HasPrefix(o.Link, "v=1&") || o.Build == "" {
		return refused(400, problem.New("a room is opened with the link of an experiment and the build of the program"))
	}

	// An address may not open too many rooms, and rooms that have ended make place.
	if n := c.tooMany(newRooms); n > 0 {
		return minutes(n, problem.New("too many rooms were opened from this address: try again in %d minutes", n))
	}
	if err := c.sweep(); err != nil {
		return err
	}

	// A free code. Files are behind a longer code.
	letters := room.ShortCode
	if len(o.Files) > 0 {
		letters = room.LongCode
	}
	token := room.NewSecret()
	for range 4 { // codes are random: one that is taken is rare
		code := room.NewCode(letters)
		n, err := c.exec(`INSERT INTO room(code, token, build, link, opened, ends) SELECT ?, ?, ?, ?, ?, ? FROM total WHERE
			name = 'rooms' AND n < ? ON CONFLICT(code) DO NOTHING`, code, room.Sum([]byte(token)), o.Build, o.Link, c.now,
			c.now+unused.Milliseconds(), mostRooms)
		if err != nil {
			return err
		}
		if n > 0 {
			return c.json(room.Opened{Code: code, Token: token})
		}
	}
	return later(10*time.Minute, problem.New("there are too many rooms open here: close one, or try again later"))
}

// files reports whether the room was opened for files of an own model: who guessed its code could read them.
func (r *roomRow) files() bool { return len(r.code) == room.LongCode }

// One request deletes at most so many rows, and so many rooms that have ended. One statement deletes at most so many
// bytes of parts, because no other request is answered meanwhile.
const sweptRows, sweptRooms, sweptBytes = 2000, 3, 8 << 20

// sweep deletes some of the rooms that have ended. A large room goes in several requests.
func (c *call) sweep() error {
	for range sweptRooms {
		var code string
		ok, err := c.one([]any{&code}, "SELECT code FROM room WHERE ends <= ? LIMIT 1", c.now)
		if err != nil || !ok {
			return err
		}
		if _, err := c.deleteParts("room = ?", code); err != nil {
			return err
		}
		if ok, err = c.one([]any{new(int)}, "SELECT 1 FROM part WHERE room = ? LIMIT 1", code); ok || err != nil {
			return err
		}
		for _, table := range []struct{ name, key string }{{"device", "id"}, {"machine", "id"}, {"unit", "seq"},
			{"result", "seq"}, {"poll", "step"}, {"ballot", "machine"}, {"vote", "(step, answer)"}} {
			n, err := c.exec("DELETE FROM "+table.name+" WHERE room = ? AND "+table.key+" IN (SELECT "+
				strings.Trim(table.key, "()")+" FROM "+table.name+" WHERE room = ? LIMIT ?)", code, code, sweptRows)
			if err != nil || n >= sweptRows {
				return err
			}
		}
		if _, err := c.exec("DELETE FROM room WHERE code = ?", code); err != nil {
			return err
		}
	}
	return nil
}

// deleteParts deletes as many of some parts as one statement may, and tells how many.
func (c *call) deleteParts(which string, args ...any) (int64, error) {
	return c.exec(`DELETE FROM part WHERE (room, name, part) IN (SELECT room, name, part FROM (SELECT room, name, part,
		sum(octet_length(data)) OVER (ORDER BY name, part) AS size FROM part WHERE `+which+` ORDER BY name, part LIMIT ?)
		WHERE size <= ?)`, append(args, sweptRows, sweptBytes)...)
}

// deleteAll deletes some parts, in as many statements as it takes. What is repeated goes on.
func (c *call) deleteAll(which string, args ...any) error {
	for {
		if n, err := c.deleteParts(which, args...); n == 0 || err != nil {
			return err
		}
	}
}

func info(c *call) error {
	r, board := &c.room, ""
	if err := c.find(append(r.columns(), &board), "SELECT "+roomColumns+
		", r.board FROM room r WHERE r.code = ?"); err != nil {
		return err
	}
	i := room.Info{Code: r.code, Build: r.build, Link: r.link, Closed: r.closed != 0, Opened: r.opened / 1000,
		Ends: r.ends / 1000, Files: []room.File{}, Devices: r.present(), Units: r.units, Done: r.done, Looks: r.looks,
		Board: board}

	// The files of the experiment.
	if !r.files() {
		return c.json(i)
	}
	rows, err := c.db.QueryContext(c.ctx(), `SELECT name, count(*) FROM part WHERE room = ? AND name >= 'file/' AND
		name < 'file0' GROUP BY name`, r.code)
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

// store keeps a part of something, within what a room and the server may have. Parts that are there stay: then it is
// not fresh. Results leave some room to the host, and those that are not whole have a share of their own.
func (c *call) store(name string, part int, data []byte, loose bool) (fresh bool, err error) {
	code, text := c.room.code, base64.StdEncoding.EncodeToString(data)
	size, most, mostLoose, some := len(text), c.limits.Room, c.limits.Room, 0
	if strings.HasPrefix(name, "result/") {
		most -= most / 8
	}
	if loose {
		some, mostLoose = size, mostLoose/8
	}

	// Space is counted and taken in one statement.
	n, err := c.exec(`INSERT INTO part SELECT ?, ?, ?, ?, ? FROM room r, total t WHERE r.code = ? AND r.bytes <= ? AND
		r.loose <= ? AND t.name = 'bytes' AND t.n < ? ON CONFLICT DO NOTHING`, code, name, part, room.Sum(data), text, code,
		most-size, mostLoose-some, c.limits.All/piece)
	if err != nil {
		return false, err
	}

	// Why nothing was stored.
	if n == 0 {
		var there bool
		var bytes, pieces int
		if _, err := c.one([]any{&there, &bytes, &pieces}, `SELECT EXISTS(SELECT 1 FROM part WHERE room = r.code AND name = ?
			AND part = ?), r.bytes, t.n FROM room r, total t WHERE r.code = ? AND t.name = 'bytes'`, name, part,
			code); err != nil {
			return false, err
		}
		switch {
		case there:
			return false, nil
		case bytes > most-size:
			return false, c.full()
		case pieces >= c.limits.All/piece:
			return false, later(time.Minute, problem.New("all rooms of this server together are full: try again later"))
		}
		return false, later(2*time.Second, problem.New("the room takes no more large results before others are whole"))
	}
	if loose {
		_, err = c.exec("UPDATE device SET loose = loose + ? WHERE room = ? AND id = ?", size, code, c.device.id)
	}
	return true, err
}

// piece is in what the bytes of all rooms are counted (migrations/0004_counters.sql).
const piece = 64 << 10

// full is the error of a room that takes no more. Devices ask again: the host may leave a device out, and its results.
func (c *call) full() error {
	return later(5*time.Second, problem.New("the room is full: it may hold %d MB", c.limits.Room>>20))
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
	if !partName(name) || strings.HasPrefix(name, "result/") || strings.HasPrefix(name, "file/") && !c.room.files() {
		return refused(400, problem.New("the room has no part %s", shortened(name)))
	}
	part, _, err := c.which()
	if err == nil {
		_, err = c.store(name, part, c.body, false)
	}
	if err != nil {
		return err
	}
	return c.done()
}

// board takes what the host says to all. A room whose host speaks goes on.
func board(c *call) error {
	if len(c.body) > room.MaxBoard {
		return refused(413, problem.New("a board may have at most 64 kB"))
	}
	text := strings.ToValidUTF8(string(c.body), "?")
	until := c.now + unused.Milliseconds()
	if _, err := c.exec("UPDATE room SET board = ?, ends = iif(closed = 0 AND ends < ?, min(opened + ?, ?), ends) WHERE "+
		"code = ?", text, until-lifeStep.Milliseconds(), lifetime.Milliseconds(), until, c.room.code); err != nil {
		return err
	}
	return c.done()
}

func closeRoom(c *call) error {
	if _, err := c.exec("UPDATE room SET closed = 1, ends = min(ends, ?) WHERE code = ?", c.now+closedFor.Milliseconds(),
		c.room.code); err != nil {
		return err
	}
	return c.done()
}
