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
	isOpened bool // the server has accepted the question
	isFinal  bool // its counts do not change any more
}

// AskStep shows the question of step k of a lecture and opens it to votes, unless revealed (the answer is shown). A
// question that was closed is not opened again.
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

// question returns the question that the devices show, or nil. While the question is open, its counts and its right
// answer are left out.
func (r *Rooms) question() *state.Question {
	if r.shownPoll == nil || !r.shownPoll.isOpened || !r.isLecturing() {
		return nil
	}
	q := r.shownPoll.Question
	if q.Open {
		q.Counts, q.Right = nil, -1
	}
	return &q
}

// takeVotes opens the question that is shown on the server, closes the previous one, and requests the counts. openStep
// is the step of the question that is open on the server, 0 for none; the new one is returned.
func (r *Rooms) takeVotes(ctx context.Context, o *room.Owner, openStep int) (newOpenStep int, err error) {
	var q *poll
	var current poll
	r.runAndWait(func() {
		if q = r.shownPoll; q != nil {
			current = *q
		}
	})

	// Close the previous question.
	if openStep != 0 && (q == nil || !current.Open || current.Step != openStep) {
		if err = o.OpenQuestion(ctx, openStep, 0); err != nil {
			return openStep, err
		}
		openStep = 0
	}

	// Open the question that is shown.
	if q == nil || current.isFinal {
		return openStep, nil
	}
	if current.Open && openStep == 0 {
		if err = o.OpenQuestion(ctx, current.Step, len(current.Answers)); err != nil {
			return openStep, err
		}
		openStep = current.Step
	}

	// Request the counts, which are final after the question is closed.
	v, err := o.Votes(ctx, current.Step)
	if err != nil || len(v.Counts) < len(current.Answers) {
		return openStep, err
	}
	r.runAndWait(func() {
		if q.isFinal {
			return
		}
		q.Counts, q.Voted, q.isOpened, q.isFinal = v.Counts[:len(current.Answers)], 0, true, !current.Open
		for _, n := range q.Counts {
			q.Voted += int(n)
		}
		r.Repaint.NewNumbers = true
	})
	return openStep, nil
}

// vote sends or changes the answer of this device to the question that is shown.
func (r *Rooms) vote(answer int) {
	q := r.Board.Ask
	if !r.IsDevice() || q == nil || !q.Open || answer < 0 || answer >= len(q.Answers) {
		return
	}

	// Only one goroutine sends answers.
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
			isPending := false
			r.runAndWait(func() {
				isPending = ctx.Err() == nil && r.VoteOn == text && r.Vote != last
				answer, r.isSendingVote = r.Vote, isPending
			})
			if !isPending {
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

// remoteInterval is the interval at which a host in a lecture requests the presses of its remote control.
const remoteInterval = 400 * time.Millisecond

// listenToRemote waits until a value is received from wake or the time wait has elapsed. In a lecture it meanwhile
// requests the presses of the remote control and turns the steps.
func (r *Rooms) listenToRemote(ctx context.Context, o *room.Owner, wake chan struct{}, wait time.Duration) {
	for until := time.Now().Add(wait); ctx.Err() == nil; {
		remaining, isLecturing := time.Until(until), false
		if r.runAndWait(func() { isLecturing = r.isLecturing() }); !isLecturing || remaining <= 0 {
			pause(ctx, wake, max(remaining, 0))
			return
		}
		if pause(ctx, wake, min(remaining, remoteInterval)) {
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
	if r.remotePresses = counts; before == nil { // the page was reloaded, and these presses came before
		return
	}
	for range int(counts[1] - before[1]) {
		r.Queue(effect.TurnStep{Target: "next"})
	}
	for range int(counts[0] - before[0]) {
		r.Queue(effect.TurnStep{Target: "back"})
	}
}

// pressRemote sends a press of the remote control, if this device is one. direction is "next" or "back".
func (r *Rooms) pressRemote(direction string) {
	if !r.IsDevice() || r.Remote == "" {
		return
	}
	ctx, remote := r.stayCtx, r.Remote
	c := r.client(ctx)
	go func() {
		if err := c.PressRemote(ctx, remote, direction == "next"); err != nil {
			r.schedule(ctx, func() { r.showWarning(err) })
		}
	}()
}
