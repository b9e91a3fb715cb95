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
	maxRooms       = 2000
	lifetime       = 24 * time.Hour
	hostTimeout    = time.Hour        // a room ends when its host has been silent for this time
	closedLifetime = time.Hour        // a closed room can be read for this time
	abandonedAfter = 10 * time.Minute // a room with a run may be replaced if its host is silent
	presentTime    = time.Minute      // a device is present if it was seen within this time
	hostSeenStep   = time.Minute      // shortest time between updates of the last request of the host
	seenStep       = 10 * time.Second // shortest time between updates of the last request of a device
)

// roomRow has the columns of a room that requests need. Times are Unix milliseconds.
type roomRow struct {
	code, token            string
	opened, ends           int64
	hostSeenAt             int64
	closed, over           bool
	run, replicates        int
	build                  string
	doneCount              int
	replicateTime          int64
	step, answers          int
	devices, resultDevices int
	bytes                  int
}

// deviceRow has the columns of the device that sends a request. Times are Unix milliseconds.
type deviceRow struct {
	id          string // "" if the request has none
	isMember    bool   // the device is in the room
	joinedAt    int64
	seenAt      int64
	resultCount int
	isExcluded  bool
	outstanding int // replicate that is assigned to the device and has no result of it yet, or 0
	stillNeeded int // outstanding, or 0 if that replicate already has two results
}

// inRoom returns a handler that reads the room of the request, and its device if the request has an id, and calls f.
func inRoom(f handler) handler {
	return func(c *call) error {
		if err := c.load(); err != nil {
			return err
		}
		return f(c)
	}
}

// load reads the room and the device of a request. An address that has tried too many wrong codes is refused even if
// the code is right, since otherwise it could go on guessing. Requests with a token of the room, and of devices of the
// room, are not refused.
func (c *call) load() error {
	code := c.PathValue("code")
	r, d := &c.room, &c.device
	if d.id = c.Header.Get(room.HeaderDevice); d.id != "" && !room.IsID(d.id) {
		return refusalOf(400, problem.New("%s must be 32 hexadecimal digits", room.HeaderDevice))
	}
	exists, wrongGuesses, guessesEnd := false, 0, int64(0)
	if room.IsCode(code) {
		var err error
		if exists, err = c.queryRow([]any{&r.code, &r.token, &r.opened, &r.hostSeenAt, &r.ends, &r.closed, &r.over, &r.run, &r.build,
			&r.replicates, &r.doneCount, &r.replicateTime, &r.step, &r.answers, &r.devices, &r.resultDevices, &r.bytes, &d.isMember, &d.joinedAt,
			&d.seenAt, &d.resultCount, &d.isExcluded, &d.outstanding, &d.stillNeeded, &wrongGuesses, &guessesEnd},
			`SELECT r.code, r.token, r.opened, r.heard, r.ends, r.closed, r.over, r.run, r.build, r.replicates, r.done, r.took,
			r.step, r.answers, r.devices, r.givers, r.bytes, d.id IS NOT NULL, coalesce(d.joined, 0), coalesce(d.seen, 0),
			coalesce(d.given, 0), coalesce(d.out, 0), iif(d.run = r.run, d.idx, 0), coalesce(t.idx, 0), coalesce(u.n, 0),
			coalesce(u.ends, 0)
			FROM room r LEFT JOIN device d ON d.room = r.code AND d.id = ?
			LEFT JOIN task t ON t.room = r.code AND t.run = r.run AND t.idx = d.idx AND d.run = r.run AND t.results < 2
			LEFT JOIN usage u ON u.address = ? AND u.what = ? WHERE r.code = ? AND r.ends > ?`,
			d.id, c.address, wrongCodes.action, code, c.now); err != nil {
			return err
		}
	}
	if !exists {
		if err := c.countAction(&wrongCodes); err != nil {
			return err
		}
		return refusalOf(404, problem.New("there is no room %s: look at the code again", shortened(code)))
	}
	if wrongGuesses >= wrongCodes.maxCount && guessesEnd > c.now && !d.isMember && !c.isHost() && !c.isRemote() {
		return wrongCodes.exceeded(guessesEnd - c.now)
	}
	return nil
}

// isHost reports whether a request has the token of the room's host.
func (c *call) isHost() bool { return equal(room.Sum([]byte(c.bearer())), c.room.token) }

// isRemote reports whether a request has the token of the host's remote control.
func (c *call) isRemote() bool { return equal(c.bearer(), room.Remote(c.room.token)) }

// bearer returns the token of a request, or "".
func (c *call) bearer() string {
	token, ok := strings.CutPrefix(c.Header.Get("Authorization"), "Bearer ")
	if !ok {
		return ""
	}
	return token
}

// equal compares secrets in constant time.
func equal(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// notHost returns the error for a request without the necessary token.
func notHost() error { return refusalOf(403, problem.New("only who opened the room may do this")) }

// roomClosed returns the error for a request to a closed room.
func roomClosed() error { return refusalOf(410, problem.New("the room is closed")) }

// runOver returns the error for a request about a run that is over.
func runOver() error { return refusalOf(410, problem.New("this run is over")) }

// headerHost marks responses to requests with the token of a host. worker/shim.mjs reserves capacity for the clients
// that receive it.
const headerHost = "Logz-Host"

// asHost returns a handler that calls f for requests of the host and refuses others. Each request of the host extends
// the time at which the room ends by hostTimeout, up to lifetime after its opening.
func asHost(f handler) handler {
	return func(c *call) error {
		if !c.isHost() {
			return notHost()
		}
		c.w.Header().Set(headerHost, "1")
		if c.now-c.room.hostSeenAt >= hostSeenStep.Milliseconds() && !c.room.closed {
			if _, err := c.exec("UPDATE room SET heard = ?, ends = min(opened + ?, ?) WHERE code = ? AND closed = 0", c.now,
				lifetime.Milliseconds(), c.now+hostTimeout.Milliseconds(), c.room.code); err != nil {
				return err
			}
		}
		return f(c)
	}
}

// openRoom creates a room, and sends its code and the token of its host. If the server is full, it ends a room that is
// not in use.
func openRoom(c *call) error {
	if err := c.countAction(&openings); err != nil {
		return err
	}
	if err := c.deleteEnded(); err != nil {
		return err
	}
	token := room.NewSecret()
	for range 4 { // random codes are rarely in use
		code := room.NewCode()
		n, err := c.exec(`INSERT INTO room(code, token, opened, heard, ends) SELECT ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM
			room WHERE ends > ?) < ? ON CONFLICT DO NOTHING`, code, room.Sum([]byte(token)), c.now, c.now,
			c.now+hostTimeout.Milliseconds(), c.now, maxRooms)
		if err != nil {
			return err
		}
		if n > 0 {
			return c.json(room.Opened{Code: code, Token: token})
		}
		if err := c.evictRoom(); err != nil {
			return err
		}
	}
	return retryLater(10*time.Minute, problem.New("there are too many rooms open here: close one, or try again later"))
}

// evictRoom ends a room if the server has maxRooms. The room has no present devices, and no run or a host that was
// silent for abandonedAfter. Rooms without a run come first, then the one whose host was silent for the longest time.
func (c *call) evictRoom() error {
	_, err := c.exec(`UPDATE room SET ends = 0 WHERE code = (SELECT code FROM room r WHERE ends > ? AND (run = 0 OR heard <
		?) AND NOT EXISTS(SELECT 1 FROM device WHERE room = r.code AND seen > ?) ORDER BY run > 0, heard LIMIT 1) AND
		(SELECT count(*) FROM room WHERE ends > ?) >= ?`, c.now, c.now-abandonedAfter.Milliseconds(),
		c.now-presentTime.Milliseconds(), c.now, maxRooms)
	return err
}

// Limits of deletion: the number of ended rooms that a request deletes, and the numbers of rows and of bytes of bodies
// that one statement deletes. During a statement no other request is handled.
const maxEndedRooms, maxDeletedRows, maxDeletedBytes = 3, 2000, 8 << 20

// deleteEnded deletes some of the rooms that have ended, and expired counts of addresses.
func (c *call) deleteEnded() error {
	if _, err := c.exec(`DELETE FROM usage WHERE (address, what) IN (SELECT address, what FROM usage WHERE ends <= ? LIMIT
		?)`, c.now, maxDeletedRows); err != nil {
		return err
	}
	for range maxEndedRooms {
		var code string
		if ok, err := c.queryRow([]any{&code}, "SELECT code FROM room WHERE ends <= ? LIMIT 1", c.now); err != nil || !ok {
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

// deleteBodies deletes the rows of table (result or file) that fulfil the SQL condition which, a limited number in each
// statement. If a request is interrupted, a repeated request continues.
func (c *call) deleteBodies(table, which string, args ...any) error {
	for {
		n, err := c.exec("DELETE FROM "+table+" WHERE rowid IN (SELECT i FROM (SELECT i, sum(size) OVER (ORDER BY i) - size "+
			"AS before FROM (SELECT rowid AS i, size FROM "+table+" WHERE "+which+" ORDER BY rowid LIMIT ?)) WHERE before < ?)",
			append(args, maxDeletedRows, maxDeletedBytes)...)
		if n == 0 || err != nil {
			return err
		}
	}
}

// info sends the state of the room. A device that requests it joins the room, and counts as present.
func info(c *call) error {
	r := &c.room
	if c.device.id != "" && !r.closed && !c.device.isExcluded {
		if err := c.join(); err != nil {
			return err
		}
	}
	i := room.Info{Code: r.code, Closed: r.closed, Ends: r.ends / 1000}
	run, files := room.Run{ID: r.run, Build: r.build, Replicates: r.replicates, Done: r.doneCount, Over: r.over}, ""
	if _, err := c.queryRow([]any{&i.Board, &run.Link, &files}, "SELECT board, link, files FROM room WHERE code = ?",
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

// board stores the text that the host shows to everybody in the room.
func board(c *call) error {
	if len(c.body) > room.MaxBoard {
		return refusalOf(http.StatusRequestEntityTooLarge, problem.New("a board may have at most 64 kB"))
	}
	if _, err := c.exec("UPDATE room SET board = ? WHERE code = ?", strings.ToValidUTF8(string(c.body), "?"),
		c.room.code); err != nil {
		return err
	}
	return c.done()
}

// closeRoom closes the room. It can be read for closedLifetime.
func closeRoom(c *call) error {
	if _, err := c.exec("UPDATE room SET closed = 1, ends = min(ends, ?) WHERE code = ?", c.now+closedLifetime.Milliseconds(),
		c.room.code); err != nil {
		return err
	}
	return c.done()
}
