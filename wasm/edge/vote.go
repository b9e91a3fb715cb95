package edge

import (
	"logzlab/core/problem"
	"logzlab/wasm/room"
)

// mostChanges is how often a machine may change its vote on a question.
const mostChanges = 20

// ask opens a question to the votes of the room, in place of the one before; with no answers there is none any more.
// A question that is open already stays as it is; one that was open before begins anew. Votes are taken only while
// their question is open (vote), so these statements need not be one.
func ask(c *call) error {
	step, err := c.query("step", room.MaxSteps)
	if err == nil && step == room.RemoteStep { // no phone of the class may count there
		err = refused(400, problem.New("%s must be a number from 1 to %d", "step", room.MaxSteps))
	}
	if err != nil {
		return err
	}
	answers, err := c.query("answers", room.MaxAnswers)
	if err != nil {
		return err
	}

	// An open question stays as it is.
	code := c.room.code
	if open, err := c.one([]any{new(int)}, "SELECT 1 FROM poll WHERE room = ? AND step = ? AND answers = ?", code, step,
		answers); open || err != nil {
		if err != nil {
			return err
		}
		return c.done()
	}

	// A new question has no votes.
	for _, q := range []string{"DELETE FROM poll WHERE room = ?", "DELETE FROM ballot WHERE room = ?"} {
		if _, err := c.exec(q, code); err != nil {
			return err
		}
	}
	if answers > 0 {
		if _, err := c.exec("DELETE FROM vote WHERE room = ? AND step = ?", code, step); err != nil {
			return err
		}
		if _, err := c.exec("INSERT INTO poll VALUES(?, ?, ?) ON CONFLICT DO NOTHING", code, step, answers); err != nil {
			return err
		}
	}
	return c.done()
}

// vote takes the vote of a machine on the question that is open, or changes it.
func vote(c *call) error {
	step, err := c.query("step", room.MaxSteps)
	if err != nil {
		return err
	}
	answer, err := c.query("answer", room.MaxAnswers-1)
	if err != nil {
		return err
	}

	// Which votes the question takes, and what the machine has said.
	code, machine := c.room.code, room.Machine(c.device.id)
	answers, said, changes := 0, -1, 0
	open, err := c.one([]any{&answers, &said, &changes}, `SELECT p.answers, coalesce(b.answer, -1), coalesce(b.changes, 0)
		FROM poll p LEFT JOIN ballot b ON b.room = p.room AND b.machine = ? AND b.step = p.step WHERE p.room = ? AND
		p.step = ?`, machine, code, step)
	switch {
	case err != nil:
		return err
	case !open:
		return refused(409, problem.New("this question takes no votes now"))
	case answer >= answers:
		return refused(400, problem.New("this question has %d answers", answers))
	case said == answer:
		return c.done()
	case changes >= mostChanges:
		return refused(429, problem.New("a vote can be changed %d times", mostChanges))
	}

	// The vote counts only while the question is open.
	if err := c.join(); err != nil {
		return err
	}
	n, err := c.exec(`INSERT INTO ballot(room, machine, step, answer) SELECT room, ?, step, ? FROM poll WHERE room = ? AND
		step = ? AND answers > ?`+in+` ON CONFLICT(room, machine) DO UPDATE SET changes = iif(step = excluded.step,
		changes + 1, 0), step = excluded.step, answer = excluded.answer`, machine, answer, code, step, answer, code,
		c.device.id)
	if err != nil {
		return err
	}
	if n == 0 { // closed meanwhile
		return refused(409, problem.New("this question takes no votes now"))
	}
	return c.done()
}

// votes are the counts of a question.
func votes(c *call) error {
	step, err := c.query("step", room.MaxSteps)
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

// turn counts that the host's remote was pressed, back or on, where votes are counted: the host reads it as those of a
// question, and no phone can vote there.
func turn(c *call) error {
	to, err := c.query("to", 1)
	if err == nil && c.room.closed != 0 {
		err = refused(410, problem.New("the room is closed"))
	}
	if err == nil {
		_, err = c.exec("INSERT INTO vote VALUES(?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1", c.room.code,
			room.RemoteStep, to)
	}
	if err != nil {
		return err
	}
	return c.done()
}
