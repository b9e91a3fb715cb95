package edge

import (
	"logzlab/core/problem"
	"logzlab/wasm/rooms/room"
)

// maxVoteChanges is the number of times that a device may change its vote on a question.
const maxVoteChanges = 20

// ask closes the open question and, unless the parameter answers is 0, opens the question of a lecture step to votes.
// If this question is already open, nothing changes; if it was open earlier, its votes are deleted. The statements need
// no transaction, since vote accepts votes only while their question is open.
func ask(c *call) error {
	step, err := c.number("step", room.MaxSteps)
	if err == nil && step == room.RemoteStep { // the host reads the remote control there; devices cannot vote on it
		err = refusalOf(400, problem.New("%s must be a number from 1 to %d", "step", room.MaxSteps))
	}
	if err != nil {
		return err
	}
	answers, err := c.number("answers", room.MaxAnswers)
	if err != nil {
		return err
	}
	code := c.room.code
	if c.room.step == step && c.room.answers == answers && answers > 0 {
		return c.done()
	}

	// Close the previous question and delete old votes.
	if _, err := c.exec("UPDATE room SET answers = 0 WHERE code = ?", code); err != nil {
		return err
	}
	if _, err := c.exec("DELETE FROM ballot WHERE room = ?", code); err != nil {
		return err
	}
	if answers > 0 {
		if _, err := c.exec("DELETE FROM vote WHERE room = ? AND step = ?", code, step); err != nil {
			return err
		}
		if _, err := c.exec("UPDATE room SET step = ?, answers = ?, asked = ? WHERE code = ?", step, answers, c.now,
			code); err != nil {
			return err
		}
	}
	return c.done()
}

// vote stores or changes the vote of a device on the open question. Only devices that were in the room when the
// question was opened may vote: otherwise one device could join with many ids and vote with each.
func vote(c *call) error {
	step, err := c.number("step", room.MaxSteps)
	if err != nil {
		return err
	}
	answer, err := c.number("answer", room.MaxAnswers-1)
	if err != nil {
		return err
	}

	// The previous vote of the device, and whether it joined too late.
	code, deviceID := c.room.code, c.device.id
	previousAnswer, changes, joinedLate := -1, 0, false
	if _, err := c.queryRow([]any{&previousAnswer, &changes, &joinedLate}, `SELECT coalesce(b.answer, -1), coalesce(b.changes, 0), d.joined >
		r.asked FROM room r JOIN device d ON d.room = r.code AND d.id = ? LEFT JOIN ballot b ON b.room = r.code AND b.device
		= d.id AND b.step = r.step WHERE r.code = ?`, deviceID, code); err != nil {
		return err
	}
	switch {
	case c.room.step != step || c.room.answers == 0:
		return notOpen()
	case answer >= c.room.answers:
		return refusalOf(400, problem.New("this question has %d answers", c.room.answers))
	case joinedLate:
		return refusalOf(409, problem.New("votes are for devices that were here when the question was opened"))
	case previousAnswer == answer:
		return c.done()
	case changes >= maxVoteChanges:
		return refusalOf(409, problem.New("a vote can be changed %d times", maxVoteChanges))
	}

	// The vote counts only while the question is open.
	n, err := c.exec(`INSERT INTO ballot(room, device, step, answer) SELECT r.code, d.id, r.step, ? FROM room r JOIN device d
		ON d.room = r.code WHERE r.code = ? AND r.step = ? AND r.answers > ? AND d.id = ? AND d.out = 0 AND d.joined <=
		r.asked ON CONFLICT(room, device) DO UPDATE SET changes = iif(step = excluded.step, changes + 1, 0), step =
		excluded.step, answer = excluded.answer`, answer, code, step, answer, deviceID)
	if err != nil {
		return err
	}
	if n == 0 { // the question was closed meanwhile
		return notOpen()
	}
	return c.done()
}

// notOpen returns the error for a vote on a question that is not open.
func notOpen() error { return refusalOf(409, problem.New("this question takes no votes now")) }

// votes sends the number of votes for each answer of a question.
func votes(c *call) error {
	step, err := c.number("step", room.MaxSteps)
	if err != nil {
		return err
	}
	rows, err := c.db.QueryContext(c.ctx(), "SELECT answer, n FROM vote WHERE room = ? AND step = ?", c.room.code, step)
	if err != nil {
		return err
	}
	defer rows.Close()
	v := room.Votes{Counts: make([]float64, room.MaxAnswers)}
	for rows.Next() {
		var answer int
		var n float64
		if err := rows.Scan(&answer, &n); err != nil {
			return err
		}
		v.Counts[answer] = n
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return c.json(v)
}

// turn counts a press of the remote control of a lecture: direction 0 is back, 1 is forward. The counts are stored as
// votes on the question room.RemoteStep, where the host reads them.
func turn(c *call) error {
	direction, err := c.number("to", 1)
	switch {
	case err != nil:
		return err
	case !c.isRemote():
		return notHost()
	case c.room.closed:
		return roomClosed()
	}
	if _, err = c.exec("INSERT INTO vote VALUES(?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1", c.room.code,
		room.RemoteStep, direction); err != nil {
		return err
	}
	return c.done()
}
