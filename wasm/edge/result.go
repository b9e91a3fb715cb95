package edge

import (
	"crypto/rand"

	"logzlab/core/problem"
	"logzlab/wasm/room"
)

func resultName(unit, device string) string { return "result/" + unit + "/" + device }

// give takes a result, in parts if it is large; the last part makes it count. The first result of a unit is the one;
// those of other devices are checks, which the host compares by their hash. Late ones are checks, too.
func give(c *call) error {
	unit, err := c.id("unit")
	if err != nil {
		return err
	}
	part, of, err := c.which()
	if err != nil {
		return err
	}
	d := &c.device
	if d.unit != unit {
		return c.again(unit, of)
	}
	if of == 1 {
		if err := room.CheckResult(c.body); err != nil {
			return refused(400, err)
		}
	}

	// What only confirms need not be kept.
	name := resultName(unit, d.id)
	fresh := false
	if of > 1 || d.done != 1 || d.by == d.id {
		if fresh, err = c.store(name, part, c.body, of > 1); err != nil {
			return err
		}
	}
	if part < of-1 {
		return c.done()
	}
	hash := room.Sum(c.body)
	if of > 1 || !fresh && d.done != 1 { // what is kept counts
		if hash, err = c.digest(name, of); err != nil {
			return err
		}
	}
	return c.count(unit, hash, of)
}

// again answers a device that gives a result a second time, or one that it was not asked for.
func (c *call) again(unit string, of int) error {
	var before string
	ok, err := c.one([]any{&before}, "SELECT hash FROM result WHERE room = ? AND unit = ? AND device = ?", c.room.code,
		unit, c.device.id)
	switch {
	case err != nil:
		return err
	case !ok:
		return refused(409, problem.New("the unit was not given to this device"))
	case of == 1 && before != room.Sum(c.body):
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

// count makes a result count. What is repeated after an answer that was lost changes nothing.
func (c *call) count(unit, hash string, parts int) error {
	code, me := c.room.code, c.device.id

	// The first result is the unit's, unless its device was left out meanwhile, or parts of it made way for another
	// device.
	look := 0
	if chosen() {
		look = 1
	}
	first, err := c.exec("UPDATE unit SET done = 1, by = ?, look = ?, look_until = 0, until = ? WHERE room = ? AND "+
		"id = ? AND done = 0 AND (SELECT count(*) FROM part WHERE room = ? AND name = ?) = ?"+in, me, look, c.now, code,
		unit, code, resultName(unit, me), parts, code, me)
	if err != nil {
		return err
	}
	mine := first > 0
	if !mine {
		if mine, err = c.one([]any{new(int)}, "SELECT 1 FROM unit WHERE room = ? AND id = ? AND done = 1 AND by = ?", code,
			unit, me); err != nil {
			return err
		}
		machine, after := machineRange(me)
		if _, err = c.exec("UPDATE unit SET look = 2 WHERE room = ? AND id = ? AND look = 1 AND (by < ? OR by > ?)"+in,
			code, unit, machine, after, code, me); err != nil {
			return err
		}
	}

	// The host hears of it, and the device is free.
	kept := parts
	if !mine {
		kept = 0
		if parts > 1 {
			if err := c.forgetLoose(me, unit); err != nil {
				return err
			}
		}
	}
	n, err := c.exec("INSERT OR REPLACE INTO result(room, unit, device, hash, parts) SELECT ?, ?, ?, ?, ? WHERE true"+in,
		code, unit, me, hash, kept, code, me)
	if err != nil {
		return err
	}
	if n == 0 {
		return leftOut()
	}

	return c.done()
}

// chosen draws whether a unit is checked by another machine.
func chosen() bool {
	var b [1]byte
	for {
		rand.Read(b[:])
		if b[0] < 256/room.OneIn*room.OneIn {
			return b[0]%room.OneIn == 0
		}
	}
}
