package panel

import (
	"context"
	"strconv"
	"strings"
	"time"

	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/state"
	"logzlab/wasm/rooms/room"
)

// poll is a question that a lecture has asked in a room.
type poll struct {
	state.Question
	asked bool // the server takes votes, or has taken them
	final bool // its counts change no more
}

// AskStep opens the question of a step to the votes of the class, or shows what the class said. A question that was
// closed is not asked again.
func (r *Rooms) AskStep(k int, step deck.Step, revealed bool) {
	r.asked = nil
	if !r.Hosting {
		return
	}
	r.Step = k
	key := r.place() + "&" + strconv.Itoa(k)
	q := r.polls[key]
	if q == nil && step.Ask != "" && !revealed {
		q = &poll{Question: state.Question{Step: k, Text: step.Ask, Open: true, Right: -1}}
		for i, a := range step.Answers {
			if q.Answers = append(q.Answers, a.Text); a.Right {
				q.Right = i
			}
		}
		if r.polls == nil {
			r.polls = map[string]*poll{}
		}
		r.polls[key] = q
	}
	if q != nil {
		q.Open = q.Open && !revealed
	}
	r.asked = q
	r.LookAtOnce()
}

// OnShow is the question of a lecture on show, nil if there is none.
func (r *Rooms) OnShow() *state.Question {
	if r.asked == nil || r.Settings.Deck == "" {
		return nil
	}
	return &r.asked.Question
}

// question is the one on show, nil if there is none, as phones may know it: counts only when it is closed.
func (r *Rooms) question() *state.Question {
	if r.asked == nil || !r.asked.asked || !r.lectures() {
		return nil
	}
	q := r.asked.Question
	if q.Open {
		q.Counts, q.Right = nil, -1
	}
	return &q
}

// takeVotes has the server take votes on the question on show, closes the one before, and brings the counts.
func (r *Rooms) takeVotes(ctx context.Context, o *room.Owner, open int) (now int, err error) {
	var q *poll
	var x poll
	r.with(func() {
		if q = r.asked; q != nil {
			x = *q
		}
	})

	// The former question closes.
	if open != 0 && (q == nil || !x.Open || x.Step != open) {
		if err = o.Ask(ctx, open, 0); err != nil {
			return open, err
		}
		open = 0
	}

	// The question on show opens.
	if q == nil || x.final {
		return open, nil
	}
	if x.Open && open == 0 {
		if err = o.Ask(ctx, x.Step, len(x.Answers)); err != nil {
			return open, err
		}
		open = x.Step
	}

	// The counts so far, final once the question has closed.
	v, err := o.Votes(ctx, x.Step)
	if err != nil || len(v.Counts) < len(x.Answers) {
		return open, err
	}
	r.with(func() {
		if q.final {
			return
		}
		q.Counts, q.Voted, q.asked, q.final = v.Counts[:len(x.Answers)], 0, true, !x.Open
		for _, n := range q.Counts {
			q.Voted += int(n)
		}
		r.Repaint.NewNumbers = true
	})
	return open, nil
}

// vote gives the answer of this device to the question on show, or changes it.
func (r *Rooms) vote(answer int) {
	q := r.Board.Ask
	if !r.IsDevice() || q == nil || !q.Open || answer < 0 || answer >= len(q.Answers) {
		return
	}

	// One sender at a time.
	r.Vote, r.VoteOn = answer, q.Text
	if r.voting {
		return // the newest answer follows
	}
	r.voting = true

	// Answers go out until there is no newer answer.
	ctx, step, text := r.stay, q.Step, q.Text
	c := r.client(ctx)
	go func() {
		for last := -1; ; {
			more := false
			r.with(func() {
				more = ctx.Err() == nil && r.VoteOn == text && r.Vote != last
				answer, r.voting = r.Vote, more
			})
			if !more {
				return
			}
			if err := c.Vote(ctx, step, answer); err != nil {
				r.soon(ctx, func() {
					r.voting, r.VoteOn = false, ""
					r.showWarning(err)
				})
				return
			}
			last = answer
		}
	}()
}

// lectures reports whether the host is in a lecture.
func (r *Rooms) lectures() bool { return r.Hosting && strings.HasPrefix(r.place(), "view.deck=") }

// remoteEvery is how often a host in a lecture asks whether its remote was pressed.
const remoteEvery = 400 * time.Millisecond

// listenToRemote waits until the room is to be looked at, and in a lecture turns steps meanwhile as the remote was pressed.
func (r *Rooms) listenToRemote(ctx context.Context, o *room.Owner, look chan struct{}, wait time.Duration) {
	for until := time.Now().Add(wait); ctx.Err() == nil; {
		left, lectures := time.Until(until), false
		if r.with(func() { lectures = r.lectures() }); !lectures || left <= 0 {
			pause(ctx, look, max(left, 0))
			return
		}
		if pause(ctx, look, min(left, remoteEvery)) {
			return
		}
		if v, err := o.Votes(ctx, room.RemoteStep); err == nil && len(v.Counts) > 1 {
			r.with(func() { r.turnSteps(v.Counts) })
		}
	}
}

// turnSteps turns as many steps as the remote was pressed since the last counts.
func (r *Rooms) turnSteps(counts []float64) {
	before := r.pressed
	if r.pressed = counts; before == nil { // before the page was loaded again
		return
	}
	for range int(counts[1] - before[1]) {
		r.Queue(effect.Turn{To: "next"})
	}
	for range int(counts[0] - before[0]) {
		r.Queue(effect.Turn{To: "back"})
	}
}

// pressRemote sends that the remote, which this device is, was pressed.
func (r *Rooms) pressRemote(to string) {
	if !r.IsDevice() || r.Remote == "" {
		return
	}
	ctx, remote := r.stay, r.Remote
	c := r.client(ctx)
	go func() {
		if err := c.Turn(ctx, remote, to == "next"); err != nil {
			r.soon(ctx, func() { r.showWarning(err) })
		}
	}()
}
