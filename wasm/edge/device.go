package edge

import (
	"encoding/base64"
	"time"

	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// deviceRow is what every request of a device asks of it.
type deviceRow struct {
	id, unit  string // the unit that it has, "" for none
	seen      int64
	out       int
	given     int // results
	loose     int // bytes of a result that is not whole yet
	known     bool
	onMachine int // devices of its machine
	done      int // of the unit, as in its row
	by        string
}

// joined lets devices in while the room is open. Their ids are random; nothing else is known of them.
func (s *Server) joined(f handler) handler {
	return func(c *call) error {
		d, known := &c.device, 0
		if d.id = c.Header.Get(room.HeaderDevice); !room.IsID(d.id) {
			return refused(400, problem.New("%s must be 32 hexadecimal digits", room.HeaderDevice))
		}
		to := append(c.room.columns(), &known, &d.unit, &d.seen, &d.given, &d.loose, &d.out, &d.onMachine,
			&d.done, &d.by)
		if err := c.find(to, "SELECT "+roomColumns+`, d.id IS NOT NULL, coalesce(d.unit, ''), coalesce(d.seen, 0),
			coalesce(d.given, 0), coalesce(d.loose, 0), max(coalesce(d.out, 0), coalesce(m.out, 0)), coalesce(m.devices, 0),
			coalesce(u.done, 0), coalesce(u.by, '') FROM room r LEFT JOIN device d ON d.room = r.code AND d.id = ? LEFT JOIN
			machine m ON m.room = r.code AND m.id = ? LEFT JOIN unit u ON u.room = d.room AND u.id = d.unit WHERE r.code = ?`,
			d.id, room.Machine(d.id)); err != nil {
			return err
		}
		switch d.known = known != 0; {
		case c.room.closed != 0:
			return refused(410, problem.New("the room is closed"))
		case d.out != 0:
			return leftOut()
		}
		return f(c)
	}
}

func leftOut() error {
	return refused(403, problem.New("this device was left out of the room: a result of it was not that of the others"))
}

// in is the condition that a device takes part, with its arguments: it may be left out while it asks.
const in = " AND EXISTS(SELECT 1 FROM device WHERE room = ? AND id = ? AND out = 0)"

// present is how many devices count: all that gave a result, and up to a hundred strangers.
func (r *roomRow) present() int { return r.givers + min(r.strangers, 100) }

// wait is how long who waits should wait before asking again: the more devices, the longer.
func (c *call) wait() time.Duration {
	return max(c.pace, min(time.Duration(c.room.present())*max(10*time.Millisecond, c.pace/5), room.LongestWait))
}

// long is how long a unit is held before another device gets it as well: three times what a unit takes, and at least
// as long as a lease.
func (r *roomRow) long() time.Duration {
	if r.done == 0 {
		return 5 * lease
	}
	return max(lease, 3*time.Duration(r.took/int64(r.done))*time.Millisecond)
}

// longest is how long a unit may be renewed.
func (r *roomRow) longest() time.Duration { return max(10*time.Minute, 3*r.long()) }

// take gives a device a unit: its own, if the answer was lost; a unit of another machine whose check is wanted; a free
// unit, or a unit whose lease has run out; a unit that another device has held for long. Nothing tells a device why it
// got a unit, and units are given in the order of their ids, which are hashes.
func take(c *call) error {
	build := c.Header.Get(room.HeaderBuild)
	if build != c.room.build {
		err := room.OtherBuild(c.room.build, shortened(build))
		return refused(409, err)
	}
	if err := c.join(); err != nil {
		return err
	}

	// The device's own unit, if the answer was lost.
	if c.device.unit != "" {
		if done, err := c.offer("SELECT"+offered+" FROM unit WHERE room = ? AND id = ? AND (done = 0 OR look = 1)",
			c.room.code, c.device.unit); done || err != nil {
			return err
		}
	}
	code, me, until := c.room.code, c.device.id, c.now+lease.Milliseconds()
	if c.device.loose > 0 {
		if err := c.forgetLoose(me, c.device.unit); err != nil {
			return err
		}
	}
	machine, after := machineRange(me)

	// A device that failed with a unit does not get it again.
	const mine = " AND NOT EXISTS(SELECT 1 FROM result WHERE room = u.room AND unit = u.id AND device = ? AND parts < 0)"

	// What somebody let go is for devices that gave results, and for others if none of these took it: who takes units
	// under ever new names, and gives nothing, cannot have all of them.
	ran := c.now
	if c.device.given == 0 && c.room.givers > 0 {
		ran -= lease.Milliseconds()
	}
	const free = " UNION ALL SELECT * FROM (SELECT seq FROM unit u WHERE room = ? AND done = 0 AND "

	// A check to be made (those of the own machine may fill the front: others take them soon); free; leased before the
	// clock went back; held for long.
	if done, err := c.offer(`UPDATE unit SET look_until = iif(done = 1, ?, look_until), until = iif(done = 1, until, ?),
		before = holder, holder = ?, since = iif(done = 1, since, ?) WHERE seq = (SELECT * FROM (SELECT seq FROM (SELECT seq,
		by FROM unit WHERE room = ? AND look = 1 AND look_until <= ? ORDER BY look_until LIMIT 20) WHERE by < ? OR by > ?
		LIMIT 1)`+
		free+"until <= ?"+mine+" ORDER BY until, id LIMIT 1)"+
		free+"until > ?"+mine+" ORDER BY until, id LIMIT 1)"+
		free+"since > 0 AND since <= ? AND holder <> ?"+mine+" ORDER BY since LIMIT 1) LIMIT 1)"+in+" RETURNING"+offered,
		c.now+c.room.long().Milliseconds(), until, me, c.now, code, c.now, machine, after, code, ran, me, code, until, me,
		code, ran-c.room.long().Milliseconds(), me, me, code, me); done || err != nil {
		return err
	}

	// Nothing to do at present.
	wait := room.Offer{Wait: c.wait()}
	return c.bytes(wait.Append(nil))
}

// offered is what an offer needs of a unit.
const offered = " id, round, round_parts, own_parts, own, before, done"

// offer answers with the unit that a query finds or changes; false if there is none.
func (c *call) offer(query string, args ...any) (bool, error) {
	o := room.Offer{Lease: lease}
	var own, before string
	done := 0
	ok, err := c.one([]any{&o.Unit, &o.Round, &o.RoundParts, &o.OwnParts, &own, &before, &done}, query, args...)
	if !ok || err != nil {
		return false, err
	}
	if o.Own, err = base64.StdEncoding.DecodeString(own); err != nil {
		return false, err
	}
	if done == 0 && before != "" && before != c.device.id { // what it sent of its result is in the way of others
		if err := c.forgetLoose(before, o.Unit); err != nil {
			return false, err
		}
	}
	return true, c.bytes(o.Append(nil))
}

// forgetLoose deletes what came of a device's result of a unit that it has and did not give whole. The result may come
// to be whole meanwhile.
func (c *call) forgetLoose(device, unit string) error {
	n, err := c.exec("UPDATE device SET loose = 0 WHERE room = ? AND id = ? AND unit = ? AND loose > 0", c.room.code,
		device, unit)
	if err != nil || n == 0 {
		return err
	}
	return c.deleteAll("room = ? AND name = ? AND NOT EXISTS(SELECT 1 FROM unit WHERE room = ? AND id = ? AND done = 1 "+
		"AND by = ?)", c.room.code, resultName(unit, device), c.room.code, unit, device)
}

// machineRange is where the ids of a device's machine begin, and a text after all of them.
func machineRange(device string) (first, after string) {
	m := room.Machine(device)
	return m, m + "g"
}

// A room takes so many devices of one machine; a stranger is gone when it was not seen for so long.
const (
	mostOfMachine = 1000
	strangerGone  = time.Minute
)

// join notes that a device is there. A room that is full forgets the stranger who was away for longest.
func (c *call) join() error {
	d, r := &c.device, &c.room
	if d.known {
		if c.now-d.seen < seenStep.Milliseconds() && c.now >= d.seen {
			return nil
		}
		_, err := c.exec("UPDATE device SET seen = ? WHERE room = ? AND id = ?", c.now, r.code, d.id)
		return err
	}
	if d.onMachine >= mostOfMachine {
		return refused(429, problem.New("a room takes %d devices of one machine, and this machine has as many there",
			mostOfMachine))
	}
	if r.givers+r.strangers >= room.MaxDevice {
		n, err := c.exec(`DELETE FROM device WHERE room = ? AND id = (SELECT id FROM device WHERE room = ? AND given = 0 AND
			seen < ? ORDER BY seen LIMIT 1)`, r.code, r.code, c.now-strangerGone.Milliseconds())
		if err != nil {
			return err
		}
		if n == 0 {
			return later(time.Minute, problem.New("the room is full: it takes %d devices", room.MaxDevice))
		}
	}
	_, err := c.exec("INSERT INTO device(room, id, joined, seen) VALUES(?, ?, ?, ?) ON CONFLICT DO NOTHING", r.code, d.id,
		c.now, c.now)
	return err
}

// renew prolongs the lease of a device that still computes, for as long as a unit may take. Leases of checks are not
// prolonged: another device gets the unit as well.
func renew(c *call) error {
	unit, err := c.id("unit")
	if err != nil {
		return err
	}
	if c.device.unit != unit {
		return refused(409, problem.New("the unit was not given to this device"))
	}
	if _, err := c.exec("UPDATE unit SET until = ? WHERE room = ? AND id = ? AND done = 0 AND holder = ? AND since > ?"+
		in, c.now+lease.Milliseconds(), c.room.code, unit, c.device.id, c.now-c.room.longest().Milliseconds(), c.room.code,
		c.device.id); err != nil {
		return err
	}
	if err := c.join(); err != nil {
		return err
	}
	return c.done()
}
