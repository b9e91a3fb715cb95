package edge

import (
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// wait is how long who waits should wait before asking again: the more devices, the longer.
func (c *call) wait() time.Duration {
	return max(c.pace, min(time.Duration(c.room.devices)*10*time.Millisecond, room.LongestWait))
}

// A device that waits takes a second look at a unit that needs none, but not at once: it would be busy when the next
// round comes.
const (
	idleLooks = 10              // questions in vain
	idleFor   = 2 * time.Second // and so long, about
)

// take gives a device a unit: the one that it has, if it lost the answer; a second look that is wanted; one that is
// free, or whose lease has run out; or else, after a while, a second look at any. A machine does not look at its own.
func take(c *call) error {
	build := c.Header.Get(room.HeaderBuild)
	if build != c.room.build {
		err := room.OtherBuild(c.room.build, shortened(build))
		return refused(409, err)
	}
	idle, err := c.query("idle", 1<<30)
	if err != nil {
		return err
	}
	if err := c.join(); err != nil {
		return err
	}
	until := c.now + lease.Milliseconds()
	const found = " RETURNING id, round, round_parts, own_parts, own"
	code, me := c.room.code, c.device
	// A device may be left out while it asks.
	const in = " AND EXISTS(SELECT 1 FROM device WHERE room = ? AND id = ? AND out = 0)"
	for i, q := range []struct {
		look  bool
		query string
		args  []any
	}{
		{false, `UPDATE unit SET until = ?, holder = ? WHERE seq = (SELECT u.seq FROM lease l JOIN unit u ON
			u.room = l.room AND u.id = l.unit WHERE l.room = ? AND l.device = ? AND l.hash = '' AND l.look = 0 AND
			u.done = 0 LIMIT 1)`, []any{until, me, code, me}},
		{true, `UPDATE unit SET look_until = ? WHERE seq = (SELECT seq FROM unit WHERE room = ? AND look = 1 AND
			look_until <= ? AND substr(by, 1, 16) <> ? ORDER BY look_until LIMIT 1)`, []any{until, code, c.now,
			room.Machine(me)}},
		{false, `UPDATE unit SET until = ?, holder = ? WHERE seq = (SELECT seq FROM unit WHERE room = ? AND done = 0 AND
			until <= ? ORDER BY until, seq LIMIT 1)`, []any{until, me, code, c.now}},
		{true, `UPDATE unit SET look = 1, look_until = ? WHERE seq = (SELECT seq FROM unit WHERE room = ? AND done = 1 AND
			look = 0 AND substr(by, 1, 16) <> ? ORDER BY seq DESC LIMIT 1)`, []any{until, code, room.Machine(me)}},
	} {
		if i == 3 && (idle < idleLooks || time.Duration(idle)*c.wait() < idleFor) {
			break
		}
		o := room.Offer{Lease: lease, Look: q.look}
		var own string
		ok, err := c.one([]any{&o.Unit, &o.Round, &o.RoundParts, &o.OwnParts, &own}, q.query+in+found,
			append(q.args, code, me)...)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if o.Own, err = base64.StdEncoding.DecodeString(own); err != nil {
			return err
		}
		if _, err := c.exec(`INSERT INTO lease(room, unit, device, look) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			code, o.Unit, me, q.look); err != nil {
			return err
		}
		return c.bytes(o.Append(nil))
	}
	wait := room.Offer{Wait: c.wait()}
	return c.bytes(wait.Append(nil))
}

// join notes that a device is there.
func (c *call) join() error {
	var seen int64
	var out int
	ok, err := c.one([]any{&seen, &out}, "SELECT seen, out FROM device WHERE room = ? AND id = ?", c.room.code, c.device)
	switch {
	case err != nil:
		return err
	case ok && out != 0:
		return leftOut()
	case ok && c.now-seen < seenStep.Milliseconds():
		return nil
	case ok:
		_, err = c.exec("UPDATE device SET seen = ? WHERE room = ? AND id = ?", c.now, c.room.code, c.device)
		return err
	}
	if c.room.devices >= room.MaxDevice {
		return refused(429, problem.New("the room is full: it takes %d devices", room.MaxDevice))
	}
	n, err := c.exec("INSERT INTO device(room, id, joined, seen) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING", c.room.code,
		c.device, c.now, c.now)
	if err == nil && n > 0 {
		_, err = c.exec("UPDATE room SET devices = devices + 1 WHERE code = ?", c.room.code)
	}
	return err
}

func leftOut() error {
	return refused(403, problem.New("this device was left out of the room: a result of it was not that of the others"))
}

// renew prolongs the lease of a device that still computes.
func renew(c *call) error {
	unit, err := c.id("unit")
	if err != nil {
		return err
	}
	look := 0
	ok, err := c.one([]any{&look}, "SELECT look FROM lease WHERE room = ? AND unit = ? AND device = ? AND hash = ''",
		c.room.code, unit, c.device)
	if err != nil {
		return err
	}
	if !ok {
		return refused(409, problem.New("the unit was not given to this device"))
	}
	column := "until"
	if look != 0 {
		column = "look_until"
	}
	if _, err := c.exec(fmt.Sprintf("UPDATE unit SET %s = ? WHERE room = ? AND id = ?", column),
		c.now+lease.Milliseconds(), c.room.code, unit); err != nil {
		return err
	}
	if _, err := c.exec("UPDATE device SET seen = ? WHERE room = ? AND id = ?", c.now, c.room.code,
		c.device); err != nil {
		return err
	}
	return c.done()
}

// give takes a result, in parts if it is large; the last part makes it count. The first result of a unit is the one;
// those of other devices are second looks, which the host compares. Late ones are second looks, too.
func give(c *call) error {
	unit, err := c.id("unit")
	if err != nil {
		return err
	}
	part, of, err := c.which()
	if err != nil {
		return err
	}
	var before string
	var out int
	ok, err := c.one([]any{&before, &out}, `SELECT l.hash, d.out FROM lease l JOIN device d ON d.room = l.room AND
		d.id = l.device WHERE l.room = ? AND l.unit = ? AND l.device = ?`, c.room.code, unit, c.device)
	switch {
	case err != nil:
		return err
	case !ok:
		return refused(409, problem.New("the unit was not given to this device"))
	case out != 0:
		return leftOut()
	}
	name := "result/" + unit + "/" + c.device
	if of == 1 {
		if err := room.CheckResult(c.body); err != nil {
			return refused(400, err)
		}
		if before != "" {
			return c.again(before, room.Sum(c.body))
		}
	}
	fresh := false
	if before == "" {
		if fresh, err = c.store(name, part, c.body); err != nil {
			return err
		}
	}
	if part < of-1 {
		return c.done()
	}
	hash := room.Sum(c.body)
	if of > 1 || !fresh { // what is kept counts
		if hash, err = c.digest(name, of); err != nil {
			return err
		}
	}
	if before != "" {
		return c.again(before, hash)
	}
	return c.count(unit, hash, of)
}

// again answers a device that gives a result a second time.
func (c *call) again(before, hash string) error {
	if before != hash {
		return refused(409, problem.New("this device has given another result of the unit before"))
	}
	return c.done()
}

// digest is the hash of what came in parts.
func (c *call) digest(name string, of int) (string, error) {
	rows, err := c.db.QueryContext(c.ctx(), "SELECT hash FROM part WHERE room = ? AND name = ? ORDER BY part", c.room.code,
		name)
	if err != nil {
		return "", err
	}
	defer rows.Close()
	var sums []string
	for rows.Next() {
		var sum string
		if err := rows.Scan(&sum); err != nil {
			return "", err
		}
		sums = append(sums, sum)
	}
	if err := rows.Err(); err != nil {
		return "", err
	}
	if len(sums) != of {
		return "", refused(409, problem.New("parts of the result are missing: give it again from the first part"))
	}
	return room.Digest(sums), nil
}

// count makes a result count. A second one, after an answer that was lost, is the same device's and changes nothing.
func (c *call) count(unit, hash string, parts int) error {
	if _, err := c.exec("INSERT INTO result(room, unit, device, hash, parts) VALUES(?, ?, ?, ?, ?)", c.room.code, unit,
		c.device, hash, parts); err != nil {
		return err
	}
	given := 0
	if _, err := c.one([]any{&given}, `UPDATE device SET given = given + 1, seen = ? WHERE room = ? AND id = ?
		RETURNING given`, c.now, c.room.code, c.device); err != nil {
		return err
	}
	look := 0
	if given == 1 || chosen() {
		look = 1
	}
	n, err := c.exec(`UPDATE unit SET done = 1, by = ?, hash = ?, look = ? WHERE room = ? AND id = ? AND done = 0`,
		c.device, hash, look, c.room.code, unit)
	if err != nil {
		return err
	}
	if n == 0 {
		_, err = c.exec("UPDATE unit SET look = 2 WHERE room = ? AND id = ? AND substr(by, 1, 16) <> ?", c.room.code, unit,
			room.Machine(c.device))
	} else {
		_, err = c.exec("UPDATE room SET done = done + 1 WHERE code = ?", c.room.code)
	}
	if err != nil {
		return err
	}
	if _, err := c.exec("UPDATE lease SET hash = ? WHERE room = ? AND unit = ? AND device = ?", hash, c.room.code, unit,
		c.device); err != nil {
		return err
	}
	return c.done()
}

// oneIn is how many units there are for each one that a second device looks at. The first of each device is another.
const oneIn = 20

// chosen draws whether a unit gets a second look.
func chosen() bool {
	var b [1]byte
	for {
		rand.Read(b[:])
		if b[0] < 256/oneIn*oneIn {
			return b[0]%oneIn == 0
		}
	}
}
