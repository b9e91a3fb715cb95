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

// poll is a question of a lecture in a room.
type poll struct {
	state.Question
	asked bool // the question was opened on the server
	final bool // its counts are final
}

// AskStep opens the question of a step to votes, or shows its counts. A closed question is not opened again.
func (r *Rooms) AskStep(k int, step deck.Step, revealed bool) {
	r.shownPoll = nil
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
	r.shownPoll = q
	r.LookAtOnce()
}

// OnShow returns the question of a lecture that is shown, or nil.
func (r *Rooms) OnShow() *state.Question {
	if r.shownPoll == nil || r.Settings.Deck == "" {
		return nil
	}
	return &r.shownPoll.Question
}

// question returns the question that is shown, for the devices: with counts only when it is closed. It is nil if there
// is none.
func (r *Rooms) question() *state.Question {
	if r.shownPoll == nil || !r.shownPoll.asked || !r.isLecturing() {
		return nil
	}
	q := r.shownPoll.Question
	if q.Open {
		q.Counts, q.Right = nil, -1
	}
	return &q
}

// takeVotes opens the question that is shown on the server, closes the previous one, and requests the counts.
func (r *Rooms) takeVotes(ctx context.Context, o *room.Owner, open int) (now int, err error) {
	var q *poll
	var x poll
	r.runAndWait(func() {
		if q = r.shownPoll; q != nil {
			x = *q
		}
	})

	// Close the previous question.
	if open != 0 && (q == nil || !x.Open || x.Step != open) {
		if err = o.OpenQuestion(ctx, open, 0); err != nil {
			return open, err
		}
		open = 0
	}

	// Open the question that is shown.
	if q == nil || x.final {
		return open, nil
	}
	if x.Open && open == 0 {
		if err = o.OpenQuestion(ctx, x.Step, len(x.Answers)); err != nil {
			return open, err
		}
		open = x.Step
	}

	// Request the counts, which are final after the question is closed.
	v, err := o.Votes(ctx, x.Step)
	if err != nil || len(v.Counts) < len(x.Answers) {
		return open, err
	}
	r.runAndWait(func() {
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

// vote sends or changes the answer of this device to the question that is shown.
func (r *Rooms) vote(answer int) {
	q := r.Board.Ask
	if !r.IsDevice() || q == nil || !q.Open || answer < 0 || answer >= len(q.Answers) {
		return
	}

	// Only one goroutine sends.
	r.Vote, r.VoteOn = answer, q.Text
	if r.isSendingVote {
		return // it also sends the newest answer
	}
	r.isSendingVote = true

	// Send answers until there is no newer one.
	ctx, step, text := r.stayCtx, q.Step, q.Text
	c := r.client(ctx)
	go func() {
		for last := -1; ; {
			more := false
			r.runAndWait(func() {
				more = ctx.Err() == nil && r.VoteOn == text && r.Vote != last
				answer, r.isSendingVote = r.Vote, more
			})
			if !more {
				return
			}
			if err := c.Vote(ctx, step, answer); err != nil {
				r.schedule(ctx, func() {
					r.isSendingVote, r.VoteOn = false, ""
					r.showWarning(err)
				})
				return
			}
			last = answer
		}
	}()
}

// isLecturing reports whether the host is in a lecture.
func (r *Rooms) isLecturing() bool { return r.Hosting && strings.HasPrefix(r.place(), "view.deck=") }

// remoteEvery is the interval at which a host in a lecture requests the presses of its remote control.
const remoteEvery = 400 * time.Millisecond

// listenToRemote waits until it is woken or wait has elapsed. In a lecture it also turns steps by the presses of the
// remote control.
func (r *Rooms) listenToRemote(ctx context.Context, o *room.Owner, wake chan struct{}, wait time.Duration) {
	for until := time.Now().Add(wait); ctx.Err() == nil; {
		left, isLecturing := time.Until(until), false
		if r.runAndWait(func() { isLecturing = r.isLecturing() }); !isLecturing || left <= 0 {
			pause(ctx, wake, max(left, 0))
			return
		}
		if pause(ctx, wake, min(left, remoteEvery)) {
			return
		}
		if v, err := o.Votes(ctx, room.RemoteStep); err == nil && len(v.Counts) > 1 {
			r.runAndWait(func() { r.turnSteps(v.Counts) })
		}
	}
}

// turnSteps turns as many steps as the remote control was pressed since the last counts.
func (r *Rooms) turnSteps(counts []float64) {
	before := r.remotePresses
	if r.remotePresses = counts; before == nil { // the presses are from before a reload of the page
		return
	}
	for range int(counts[1] - before[1]) {
		r.Queue(effect.TurnStep{Target: "next"})
	}
	for range int(counts[0] - before[0]) {
		r.Queue(effect.TurnStep{Target: "back"})
	}
}

// pressRemote sends a press of the remote control, which this device is.
func (r *Rooms) pressRemote(to string) {
	if !r.IsDevice() || r.Remote == "" {
		return
	}
	ctx, remote := r.stayCtx, r.Remote
	c := r.client(ctx)
	go func() {
		if err := c.PressRemote(ctx, remote, to == "next"); err != nil {
			r.schedule(ctx, func() { r.showWarning(err) })
		}
	}()
}
