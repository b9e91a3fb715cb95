package edge

import (
	"encoding/base64"
	"net/http"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// asDevice calls f for devices of an open room. Devices are identified by random ids only.
func asDevice(f handler) handler {
	return func(c *call) error {
		switch {
		case c.device.id == "":
			return refusalOf(400, problem.New("%s must be 32 hexadecimal digits", room.HeaderDevice))
		case c.room.closed:
			return roomClosed()
		case c.device.isExcluded:
			return deviceExcluded()
		}
		if err := c.join(); err != nil {
			return err
		}
		return f(c)
	}
}

func deviceExcluded() error {
	return refusalOf(403, problem.New("this device was left out of the room: a result of it was not that of the others"))
}

// join updates the time at which the device was seen, and adds the device to the room if it is new. In a full room it
// replaces the device that has sent no result, or is excluded, and was seen the longest time ago.
func (c *call) join() error {
	d, code := &c.device, c.room.code
	if d.isMember {
		if c.now-d.seen < seenStep.Milliseconds() && c.now >= d.seen {
			return nil
		}
		_, err := c.exec("UPDATE device SET seen = ? WHERE room = ? AND id = ?", c.now, code, d.id)
		return err
	}
	if err := c.count(&newDevices); err != nil {
		return err
	}
	for range 2 {
		n, err := c.exec(`INSERT INTO device(room, id, joined, seen) SELECT code, ?, ?, ? FROM room WHERE code = ? AND devices
			< ? ON CONFLICT DO UPDATE SET seen = excluded.seen`, d.id, c.now, c.now, code, room.MaxDevices)
		if err != nil {
			return err
		}
		if n > 0 {
			d.isMember, d.joined, d.seen = true, c.now, c.now
			return nil
		}
		if _, err := c.exec(`DELETE FROM device WHERE room = ? AND id = (SELECT id FROM device WHERE room = ? AND (given = 0
			OR out = 1) ORDER BY seen LIMIT 1)`, code, code); err != nil {
			return err
		}
	}
	return later(time.Minute, problem.New("the room is full: it takes %d devices", room.MaxDevices))
}

// maxWait is the longest wait that a client is told.
const maxWait = 4 * time.Second

// wait returns how long a client that waits with some others should wait before its next request.
func (c *call) wait(others int) time.Duration {
	pace := c.server.Pace
	return max(pace, min(time.Duration(others)*max(10*time.Millisecond, pace/5), maxWait))
}

// currentRun returns the number of the run in the query, which must be the current run.
func (c *call) currentRun() (int, error) {
	run, err := c.number("run", 1<<31)
	if err == nil && (run != c.room.run || run == 0 || c.room.over) {
		err = runOver()
	}
	return run, err
}

// maxCandidates limits the number of replicates at which a statement looks for one that a device may confirm.
const maxCandidates = 200

// take hands out a replicate to a device: the one that it already has, if the response was lost; a new one; or one
// whose result is overdue or needs confirmation.
func take(c *call) error {
	run, err := c.currentRun()
	if err != nil {
		return err
	}
	r, deviceID := &c.room, c.device.id
	if build := c.Header.Get(room.HeaderBuild); build != r.build {
		return refusalOf(409, room.BuildMismatch(r.build, shortened(build)))
	}
	if c.device.stillNeeded > 0 {
		return c.json(room.Task{Index: c.device.stillNeeded})
	}

	// A new replicate.
	index := 0
	ok, err := c.queryRow([]any{&index}, `INSERT INTO task(room, run, idx, since, hands) SELECT code, run, next, ?, 1 FROM (SELECT
		*, 1 + coalesce((SELECT max(idx) FROM task WHERE room = r.code AND run = r.run), 0) AS next FROM room r WHERE code =
		?) WHERE run = ? AND over = 0 AND closed = 0 AND next <= replicates RETURNING idx`, c.now, r.code, run)
	if err != nil {
		return err
	}

	// A replicate without a result that was handed out long ago, or one whose result needs confirmation. The time of the
	// first hand-out counts, so that somebody who takes replicates with ever new ids and computes none delays nobody. A
	// time in the future is from before the clock was set back.
	if !ok {
		overdue := int64(0) // 1.5 times the mean time of a replicate, in milliseconds
		if r.done > 0 {
			overdue = 3 * r.took / int64(2*r.done)
		}
		const free = `(since <= ? OR since > ?) AND by <> ? AND NOT EXISTS(SELECT 1 FROM result WHERE room = t.room AND
			run = t.run AND idx = t.idx AND device = ?) ORDER BY hands, since, idx LIMIT 1`
		const unfinished = `SELECT idx FROM task t WHERE room = ? AND run = ? AND results = 0 AND ` + free
		const unconfirmed = `SELECT idx FROM (SELECT * FROM task WHERE room = ? AND run = ? AND results = 1 ORDER BY hands,
			since, idx LIMIT ?) t WHERE ` + free
		ok, err = c.queryRow([]any{&index}, `UPDATE task SET hands = hands + 1, since = iif(since = 0, ?, since) WHERE room = ? AND
			run = ? AND idx = (SELECT idx FROM (SELECT 1 AS place, * FROM (`+unfinished+`) UNION ALL SELECT 2 AS place, * FROM
			(`+unconfirmed+`) ORDER BY place LIMIT 1)) AND EXISTS(SELECT 1 FROM room WHERE code = ? AND run = ? AND over = 0)
			RETURNING idx`,
			c.now, r.code, run, r.code, run, c.now-overdue, c.now, deviceID, deviceID,
			r.code, run, maxCandidates, c.now-overdue, c.now, deviceID, deviceID, r.code, run)
		if err != nil {
			return err
		}
	}

	// The device gets it, unless the device was excluded meanwhile.
	if ok {
		n, err := c.exec("UPDATE device SET run = ?, idx = ?, taken = ? WHERE room = ? AND id = ? AND out = 0", run, index,
			c.now, r.code, deviceID)
		if err != nil {
			return err
		}
		if n > 0 {
			return c.json(room.Task{Index: index})
		}
	}

	// Invented devices slow down only devices without a result.
	others := r.givers
	if c.device.given == 0 {
		others = r.devices
	}
	return c.json(room.Task{Wait: int(c.wait(others).Milliseconds())})
}

// give stores the outcome of a replicate from the device that has it. The body is stored only for the first result of a
// replicate, the hash for all.
func give(c *call) error {
	run, err := c.currentRun()
	if err != nil {
		return err
	}
	index, err := c.number("index", room.MaxReplicates)
	if err != nil {
		return err
	}
	if len(c.body) == 0 {
		return refusalOf(http.StatusBadRequest, problem.New("a result may not be empty"))
	}
	hash, code, deviceID := room.Sum(c.body), c.room.code, c.device.id
	if c.device.outstanding != index || index == 0 {
		return c.answerUnassigned(run, index, hash)
	}

	// The trigger result_came updates the other tables. An eighth of the room is reserved for files of the host, so that
	// it can start another run.
	text, limits := base64.StdEncoding.EncodeToString(c.body), c.server.Most
	maxBytes := limits.Room/8*7 - len(text)
	n, err := c.exec(`INSERT INTO result(room, run, idx, device, came, hash, size, body) SELECT r.code, r.run, d.idx, d.id,
		?, ?, iif(t.results = 0, ?, 0), iif(t.results = 0, ?, '') FROM room r JOIN device d ON d.room = r.code AND d.run =
		r.run JOIN task t ON t.room = r.code AND t.run = r.run AND t.idx = d.idx WHERE r.code = ? AND r.run = ? AND r.over =
		0 AND r.closed = 0 AND d.id = ? AND d.idx = ? AND d.out = 0 AND (t.results > 0 OR r.bytes <= ? AND (SELECT n FROM
		total WHERE name = 'rooms') <= ?) ON CONFLICT DO NOTHING`, c.now, hash, len(text), text, code, run, deviceID, index, maxBytes,
		limits.All-len(text))
	if err != nil {
		return err
	}
	if n > 0 {
		return c.done()
	}

	// Find the reason why it was not stored: something has changed since the device was read, or there is no space.
	previous := c.room
	if err := c.load(); err != nil {
		return err
	}
	switch {
	case c.room.closed:
		return roomClosed()
	case c.room.run != previous.run || c.room.over:
		return runOver()
	case c.device.isExcluded:
		return deviceExcluded()
	case c.device.outstanding != index:
		return c.answerUnassigned(run, index, hash)
	}
	return c.spaceError(maxBytes)
}

// answerUnassigned handles a result that a device sends a second time, or that belongs to a replicate that it does not have.
func (c *call) answerUnassigned(run, index int, hash string) error {
	var previous string
	ok, err := c.queryRow([]any{&previous}, "SELECT hash FROM result WHERE room = ? AND run = ? AND idx = ? AND device = ?",
		c.room.code, run, index, c.device.id)
	switch {
	case err != nil:
		return err
	case !ok:
		return refusalOf(409, problem.New("the replicate %d was not given to this device", index))
	case previous != hash:
		return refusalOf(409, problem.New("this device has given another result of the replicate before"))
	}
	return c.done()
}
