package edge

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// Limits and times of rooms.
const (
	mostRooms = 2000
	lifetime  = 24 * time.Hour
	silence   = time.Hour        // a room ends when its host was silent for so long
	closedFor = time.Hour        // a closed room can still be looked at
	abandoned = 10 * time.Minute // without its host, a room with a run may make place for another
	present   = time.Minute      // a device is there if it was seen within this time
	heardStep = time.Minute      // calls of the host are noted at most so often
	seenStep  = 10 * time.Second // and signs of life of a device
)

// roomRow is what requests need of their room.
type roomRow struct {
	code, token     string
	opened, ends    int64
	heard           int64
	closed, over    bool
	run, replicates int
	build           string
	done            int
	took            int64
	step, answers   int
	devices, givers int
	bytes           int
}

// deviceRow is what requests need of the device that sends them.
type deviceRow struct {
	id     string // "" if the request has none
	known  bool   // it is in the room
	joined int64
	seen   int64
	given  int
	out    bool
	has    int // the replicate of the run that was handed out to it, and that it gave no result of; 0 for none
	wanted int // the same, or 0 if the replicate has two results by now
}

// inRoom finds the room of a request, and the device if the request has the id of one.
func inRoom(f handler) handler {
	return func(c *call) error {
		if err := c.find(); err != nil {
			return err
		}
		return f(c)
	}
}

// find reads the room and the device of a request. An address that tried too many wrong codes is refused for a right one
// as well, unless the request has a token of the room, or comes from a device of it: else one could go on guessing.
func (c *call) find() error {
	code := c.PathValue("code")
	r, d := &c.room, &c.device
	if d.id = c.Header.Get(room.HeaderDevice); d.id != "" && !room.IsID(d.id) {
		return refused(400, problem.New("%s must be 32 hexadecimal digits", room.HeaderDevice))
	}
	found, guesses, guessesEnd := false, 0, int64(0)
	if room.IsCode(code) {
		var err error
		if found, err = c.one([]any{&r.code, &r.token, &r.opened, &r.heard, &r.ends, &r.closed, &r.over, &r.run, &r.build,
			&r.replicates, &r.done, &r.took, &r.step, &r.answers, &r.devices, &r.givers, &r.bytes, &d.known, &d.joined,
			&d.seen, &d.given, &d.out, &d.has, &d.wanted, &guesses, &guessesEnd},
			`SELECT r.code, r.token, r.opened, r.heard, r.ends, r.closed, r.over, r.run, r.build, r.replicates, r.done, r.took,
			r.step, r.answers, r.devices, r.givers, r.bytes, d.id IS NOT NULL, coalesce(d.joined, 0), coalesce(d.seen, 0),
			coalesce(d.given, 0), coalesce(d.out, 0), iif(d.run = r.run, d.idx, 0), coalesce(t.idx, 0), coalesce(u.n, 0),
			coalesce(u.ends, 0)
			FROM room r LEFT JOIN device d ON d.room = r.code AND d.id = ?
			LEFT JOIN task t ON t.room = r.code AND t.run = r.run AND t.idx = d.idx AND d.run = r.run AND t.results < 2
			LEFT JOIN usage u ON u.address = ? AND u.what = ? WHERE r.code = ? AND r.ends > ?`,
			d.id, c.address, wrongCodes.what, code, c.now); err != nil {
			return err
		}
	}
	if !found {
		if err := c.count(&wrongCodes); err != nil {
			return err
		}
		return refused(404, problem.New("there is no room %s: look at the code again", shortened(code)))
	}
	if guesses >= wrongCodes.most && guessesEnd > c.now && !d.known && !c.isHost() && !c.isRemote() {
		return wrongCodes.exceeded(guessesEnd - c.now)
	}
	return nil
}

// isHost reports whether a request has the token of the room's host.
func (c *call) isHost() bool { return equal(room.Sum([]byte(c.bearer())), c.room.token) }

// isRemote reports whether a request has the token of the host's remote control.
func (c *call) isRemote() bool { return equal(c.bearer(), room.Remote(c.room.token)) }

// bearer is the token of a request, "" for none.
func (c *call) bearer() string {
	token, ok := strings.CutPrefix(c.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return ""
	}
	return token
}

// equal compares secrets in a time that tells nothing of them.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// notHost refuses who has not the token that a call needs.
func notHost() error { return refused(403, problem.New("only who opened the room may do this")) }

// isClosed refuses what a closed room does not take.
func isClosed() error { return refused(410, problem.New("the room is closed")) }

// isOver refuses what is about a run that is over.
func isOver() error { return refused(410, problem.New("this run is over")) }

// headerHost says in an answer that the token of the request is that of a host: worker/shim.mjs has a place for these.
const headerHost = "Logz-Host"

// asHost lets only the room's host in. A room lasts as long as its host calls, but no longer than its lifetime.
func asHost(f handler) handler {
	return func(c *call) error {
		if !c.isHost() {
			return notHost()
		}
		c.w.Header().Set(headerHost, "1")
		if c.now-c.room.heard >= heardStep.Milliseconds() && !c.room.closed {
			if _, err := c.exec("UPDATE room SET heard = ?, ends = min(opened + ?, ?) WHERE code = ? AND closed = 0", c.now,
				lifetime.Milliseconds(), c.now+silence.Milliseconds(), c.room.code); err != nil {
				return err
			}
		}
		return f(c)
	}
}

func openRoom(c *call) error {
	if err := c.count(&openings); err != nil {
		return err
	}
	if err := c.sweep(); err != nil {
		return err
	}
	token := room.NewSecret()
	for range 4 { // codes are random, so one that is taken is rare
		code := room.NewCode()
		n, err := c.exec(`INSERT INTO room(code, token, opened, heard, ends) SELECT ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM
			room WHERE ends > ?) < ? ON CONFLICT DO NOTHING`, code, room.Sum([]byte(token)), c.now, c.now,
			c.now+silence.Milliseconds(), c.now, mostRooms)
		if err != nil {
			return err
		}
		if n > 0 {
			return c.json(room.Opened{Code: code, Token: token})
		}
		if err := c.makePlace(); err != nil {
			return err
		}
	}
	return later(10*time.Minute, problem.New("there are too many rooms open here: close one, or try again later"))
}

// makePlace ends a room if the server is full: one in which no device is, and which has no run or whose host is away. The
// one whose host was silent for longest goes, those without a run first.
func (c *call) makePlace() error {
	_, err := c.exec(`UPDATE room SET ends = 0 WHERE code = (SELECT code FROM room r WHERE ends > ? AND (run = 0 OR heard <
		?) AND NOT EXISTS(SELECT 1 FROM device WHERE room = r.code AND seen > ?) ORDER BY run > 0, heard LIMIT 1) AND
		(SELECT count(*) FROM room WHERE ends > ?) >= ?`, c.now, c.now-abandoned.Milliseconds(),
		c.now-present.Milliseconds(), c.now, mostRooms)
	return err
}

// One request deletes at most so many rooms that have ended. One statement deletes at most so many rows and bytes of
// bodies, because no other request is answered meanwhile.
const sweptRooms, sweptRows, sweptBytes = 3, 2000, 8 << 20

// sweep deletes some of the rooms that have ended, and counts by address that are over.
func (c *call) sweep() error {
	if _, err := c.exec(`DELETE FROM usage WHERE (address, what) IN (SELECT address, what FROM usage WHERE ends <= ? LIMIT
		?)`, c.now, sweptRows); err != nil {
		return err
	}
	for range sweptRooms {
		var code string
		if ok, err := c.one([]any{&code}, "SELECT code FROM room WHERE ends <= ? LIMIT 1", c.now); err != nil || !ok {
			return err
		}
		for _, table := range []string{"task", "result", "file", "device", "ballot", "vote"} {
			var err error
			if table == "result" || table == "file" {
				err = c.deleteBodies(table, "room = ?", code)
			} else {
				_, err = c.exec("DELETE FROM "+table+" WHERE room = ?", code)
			}
			if err != nil {
				return err
			}
		}
		if _, err := c.exec("DELETE FROM room WHERE code = ?", code); err != nil {
			return err
		}
	}
	return nil
}

// deleteBodies deletes rows of result or file, some in a statement. A request that is repeated goes on.
func (c *call) deleteBodies(table, which string, args ...any) error {
	for {
		n, err := c.exec("DELETE FROM "+table+" WHERE rowid IN (SELECT i FROM (SELECT i, sum(size) OVER (ORDER BY i) - size "+
			"AS before FROM (SELECT rowid AS i, size FROM "+table+" WHERE "+which+" ORDER BY rowid LIMIT ?)) WHERE before < ?)",
			append(args, sweptRows, sweptBytes)...)
		if n == 0 || err != nil {
			return err
		}
	}
}

// info tells how the room stands. It is a sign of life of the device that asks, and brings it into the room.
func info(c *call) error {
	r := &c.room
	if c.device.id != "" && !r.closed && !c.device.out {
		if err := c.join(); err != nil {
			return err
		}
	}
	i := room.Info{Code: r.code, Closed: r.closed, Ends: r.ends / 1000}
	run, files := room.Run{ID: r.run, Build: r.build, Replicates: r.replicates, Done: r.done, Over: r.over}, ""
	if _, err := c.one([]any{&i.Board, &run.Link, &files}, "SELECT board, link, files FROM room WHERE code = ?",
		r.code); err != nil {
		return err
	}
	if r.run > 0 {
		if err := json.Unmarshal([]byte(files), &run.Files); err != nil {
			return err
		}
		i.Run = &run
	}
	return c.json(i)
}

// board takes what the host says to all.
func board(c *call) error {
	if len(c.body) > room.MaxBoard {
		return refused(http.StatusRequestEntityTooLarge, problem.New("a board may have at most 64 kB"))
	}
	if _, err := c.exec("UPDATE room SET board = ? WHERE code = ?", strings.ToValidUTF8(string(c.body), "?"),
		c.room.code); err != nil {
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
