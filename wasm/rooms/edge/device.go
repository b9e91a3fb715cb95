package edge

import (
	"encoding/base64"
	"net/http"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// asDevice returns a handler that adds the device of the request to its room if it is new, and calls f. A request
// without a device id, of an excluded device or to a closed room is refused. A device is identified only by the random
// id that it has chosen.
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

// deviceExcluded returns the error for a request of an excluded device.
func deviceExcluded() error {
	return refusalOf(403, problem.New("this device was left out of the room: a result of it was not that of the others"))
}

// join updates the time at which the device was last seen, and adds the device to the room if it is new. In a full room
// a new device replaces another one: of the devices without a result and the excluded ones, the one that was not seen
// for the longest time.
func (c *call) join() error {
	d, code := &c.device, c.room.code
	if d.isMember {
		if c.now-d.seenAt < seenStep.Milliseconds() && c.now >= d.seenAt {
			return nil
		}
		_, err := c.exec("UPDATE device SET seen = ? WHERE room = ? AND id = ?", c.now, code, d.id)
		return err
	}
	if err := c.countAction(&newDevices); err != nil {
		return err
	}
	for range 2 {
		n, err := c.exec(`INSERT INTO device(room, id, joined, seen) SELECT code, ?, ?, ? FROM room WHERE code = ? AND devices
			< ? ON CONFLICT DO UPDATE SET seen = excluded.seen`, d.id, c.now, c.now, code, room.MaxDevices)
		if err != nil {
			return err
		}
		if n > 0 {
			d.isMember, d.joinedAt, d.seenAt = true, c.now, c.now
			return nil
		}
		if _, err := c.exec(`DELETE FROM device WHERE room = ? AND id = (SELECT id FROM device WHERE room = ? AND (given = 0
			OR out = 1) ORDER BY seen LIMIT 1)`, code, code); err != nil {
			return err
		}
	}
	return retryLater(time.Minute, problem.New("the room is full: it takes %d devices", room.MaxDevices))
}

// maxWait is the longest time that a client is told to wait before its next request.
const maxWait = 4 * time.Second

// wait returns how long a client should wait before its next request, when so many others wait as well. The time grows
// with others, so that the rate of requests is limited.
func (c *call) wait(others int) time.Duration {
	pace := c.server.Pace
	return max(pace, min(time.Duration(others)*max(10*time.Millisecond, pace/5), maxWait))
}

// currentRun returns the run number of the query. It is an error if this run is not the current one, or is over.
func (c *call) currentRun() (int, error) {
	run, err := c.number("run", 1<<31)
	if err == nil && (run != c.room.run || run == 0 || c.room.over) {
		err = runOver()
	}
	return run, err
}

// maxCandidates is the largest number of unconfirmed replicates among which takeReplicate looks for one that the device
// may compute.
const maxCandidates = 200

// takeReplicate assigns a replicate to a device. In this order: the replicate that the device already has, since its
// response was lost; a new replicate; one whose result is overdue; one whose result a second device should confirm. If
// there is none, the response tells the device how long to wait.
func takeReplicate(c *call) error {
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

	// A replicate without a result that was assigned long ago, or one whose result needs confirmation. The time of the
	// first assignment counts: otherwise a client that takes replicates with ever new ids, and computes none, could
	// delay the run. A time in the future comes from a clock that was set back.
	if !ok {
		overdue := int64(0) // 1.5 times the mean time of a replicate, in milliseconds
		if r.doneCount > 0 {
			overdue = 3 * r.replicateTime / int64(2*r.doneCount)
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

	// Assign the replicate, unless the device was excluded meanwhile.
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

	// The wait grows with the number of devices. A device with results waits only for other devices with results, so
	// that invented devices slow down only devices without a result.
	others := r.resultDevices
	if c.device.resultCount == 0 {
		others = r.devices
	}
	return c.json(room.Task{Wait: int(c.wait(others).Milliseconds())})
}

// putResult stores the outcome of the replicate that is assigned to the device. For the first result of a replicate the
// hash and the body are stored, for later ones only the hash.
func putResult(c *call) error {
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

	// The trigger result_came updates the other tables. An eighth of the room's space is reserved for files of the
	// host, so that the host can start another run.
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

	// The result was not stored. Find the reason: the room or the device has changed meanwhile, or there is no space.
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

// answerUnassigned handles the result of a replicate that is not assigned to the device. If the device has sent the
// same result before, the response is success, otherwise an error.
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
