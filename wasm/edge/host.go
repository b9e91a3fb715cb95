package edge

import (
	"encoding/base64"
	"strings"

	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// perStatement is how many units are put at once: D1 takes 100 parameters.
const perStatement = 15

// putUnits takes a batch of units of one round. Known units stay unchanged, but the units of an excluded device are
// free again, because the host asks for them.
func putUnits(c *call) error {
	b, err := room.ReadBatch(c.body)
	if err != nil {
		return refused(400, problem.New("the units are damaged"))
	}
	if c.room.units+len(b.Units) > room.MaxUnits {
		return refused(413, problem.New("a room may have at most %d units", room.MaxUnits))
	}
	if err := c.sweep(); err != nil { // rooms of other hosts
		return err
	}

	// The parts of the round and of its units must be complete.
	if err := c.whole("round/"+b.Round, b.RoundParts); err != nil {
		return err
	}
	for _, u := range b.Units {
		if u.OwnParts > 0 {
			if err := c.whole("unit/"+u.ID, u.OwnParts); err != nil {
				return err
			}
		}
	}

	// With its first units a room gets its full lifetime, if there is space for them.
	size := 0
	for _, u := range b.Units {
		size += base64.StdEncoding.EncodedLen(len(u.Own))
	}
	if n, err := c.exec("UPDATE room SET ends = opened + ? WHERE code = ? AND bytes <= ?", lifetime.Milliseconds(),
		c.room.code, c.limits.Room-size); err != nil {
		return err
	} else if n == 0 {
		return c.full()
	}

	// Some units in a statement.
	for units := b.Units; len(units) > 0; units = units[min(perStatement, len(units)):] {
		some := units[:min(perStatement, len(units))]
		var args []any
		for _, u := range some {
			args = append(args, c.room.code, u.ID, b.Round, b.RoundParts, u.OwnParts,
				base64.StdEncoding.EncodeToString(u.Own))
		}
		if _, err := c.exec("INSERT INTO unit(room, id, round, round_parts, own_parts, own) VALUES"+
			strings.Repeat(", (?, ?, ?, ?, ?, ?)", len(some))[1:]+` ON CONFLICT(room, id) DO UPDATE SET done = 0, until = 0,
			since = 0, holder = '', before = '', look_until = 0 WHERE done = 2`, args...); err != nil {
			return err
		}
	}
	return c.done()
}

// whole refuses what lacks some of its parts.
func (c *call) whole(name string, parts int) error {
	n := 0
	_, err := c.one([]any{&n}, "SELECT count(*) FROM part WHERE room = ? AND name = ?", c.room.code, name)
	if err == nil && n != parts {
		err = refused(409, problem.New("the room has no part %s", name))
	}
	return err
}

// results lists what came in after a number, as much as an answer holds.
func results(c *call) error {
	after, err := c.query("after", 1<<53)
	if err != nil {
		return err
	}
	rows, err := c.db.QueryContext(c.ctx(), `SELECT r.seq, r.unit, r.device, r.hash, r.parts, coalesce(p.data, '')
		FROM result r LEFT JOIN part p ON r.parts = 1 AND p.room = r.room AND p.name = 'result/' || r.unit || '/' || r.device
		AND p.part = 0 WHERE r.room = ? AND r.seq > ? ORDER BY r.seq LIMIT 60`, c.room.code, after)
	if err != nil {
		return err
	}
	defer rows.Close()
	x := room.Results{Wait: c.wait(), Devices: c.room.present(), Full: c.room.bytes > c.limits.Room/8*7-room.MaxBody}

	// Short results come along. Long results are fetched in parts.
	size := 0
	for rows.Next() {
		var r room.Result
		var data string
		if err := rows.Scan(&r.Seq, &r.Unit, &r.Device, &r.Hash, &r.Parts, &data); err != nil {
			return err
		}
		if size += len(data); size > room.MaxBody && len(x.All) > 0 {
			break
		}
		if r.Parts = max(r.Parts, 0); r.Parts == 1 {
			r.Parts = 0
			if r.Body, err = base64.StdEncoding.DecodeString(data); err != nil {
				return err
			}
		}
		x.All = append(x.All, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if len(x.All) > 0 {
		x.Wait = 0
	}
	return c.bytes(x.Append(nil))
}

func devices(c *call) error {
	rows, err := c.db.QueryContext(c.ctx(), `SELECT id, joined/1000, seen/1000, given, out FROM device WHERE room = ?
		ORDER BY joined, id`, c.room.code)
	if err != nil {
		return err
	}
	defer rows.Close()
	all := []room.Device{}
	for rows.Next() {
		var d room.Device
		var out int
		if err := rows.Scan(&d.ID, &d.Joined, &d.Seen, &d.Given, &out); err != nil {
			return err
		}
		d.Out = out != 0
		all = append(all, d)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.json(all)
}

// again frees a unit for another device, because the result that it has is an error; that device does not get it again.
func again(c *call) error {
	unit, err := c.id("unit")
	if err != nil {
		return err
	}
	if _, err := c.exec(`UPDATE result SET parts = -1 WHERE room = ? AND unit = ? AND device = (SELECT by FROM unit WHERE
		room = ? AND id = ? AND done = 1)`, c.room.code, unit, c.room.code, unit); err != nil {
		return err
	}
	if _, err := c.exec(`UPDATE unit SET done = 0, by = '', until = 0, since = 0, holder = '', before = '', look = 0 WHERE
		room = ? AND id = ? AND done = 1`, c.room.code, unit); err != nil {
		return err
	}
	return c.done()
}

// drop leaves a machine out, by one of its devices. What it computed counts no more: units that the host puts again are
// free.
func drop(c *call) error {
	device, err := c.id("device")
	if err != nil {
		return err
	}
	code := c.room.code
	machine, after := machineRange(device)

	held := []any{code, machine, after}
	const parts = `room = ? AND name IN (SELECT 'result/' || id || '/' || by FROM unit WHERE room = ? AND done = 1 AND by >
		? AND by < ? UNION SELECT 'result/' || unit || '/' || id FROM device WHERE room = ? AND id > ? AND id < ? AND loose >
		0)`
	for _, q := range []struct {
		query string
		args  []any
	}{
		// Nothing is taken from it any more, and what it has is free.
		{"INSERT INTO machine(room, id, out) VALUES(?, ?, 1) ON CONFLICT DO UPDATE SET out = 1", []any{code, machine}},
		{"UPDATE device SET out = 1 WHERE room = ? AND id > ? AND id < ?", held},
		{`UPDATE unit SET until = 0, since = 0 WHERE room = ? AND done = 0 AND holder > ? AND holder < ? AND id IN (SELECT
			unit FROM device WHERE room = ? AND id > ? AND id < ?)`, append(held, held...)},
		{`UPDATE unit SET look_until = 0 WHERE room = ? AND look = 1 AND id IN (SELECT unit FROM device WHERE room = ? AND
			id > ? AND id < ?)`, append([]any{code}, held...)},

		// What it sent is deleted.
		{parts, append(append([]any{code}, held...), held...)},
		{"UPDATE device SET unit = '', loose = 0 WHERE room = ? AND id > ? AND id < ?", held},

		// The columns are set at once, so a repetition finds nothing.
		{`UPDATE result SET parts = 0 WHERE room = ? AND device > ? AND device < ? AND unit IN (SELECT id FROM unit WHERE
			room = ? AND done = 1 AND by > ? AND by < ?)`, append(held, held...)},
		{"UPDATE unit SET done = 2, by = '', look = 0 WHERE room = ? AND by > ? AND by < ? AND done = 1", held},
	} {
		var err error
		if q.query == parts {
			err = c.deleteAll(q.query, q.args...)
		} else {
			_, err = c.exec(q.query, q.args...)
		}
		if err != nil {
			return err
		}
	}
	return c.done()
}
