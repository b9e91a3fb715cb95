package edge_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"logzlab/wasm/rooms/room"
)

// counted checks the votes on a question.
func (l *lab) counted(o *room.Owner, step int, want ...float64) {
	l.t.Helper()
	v, err := o.Votes(context.Background(), step)
	if want = append(want, make([]float64, room.MaxAnswers-len(want))...); err != nil || !slices.Equal(v.Counts, want) {
		l.t.Errorf("step %d has the votes %v, %v; want %v", step, v.Counts, err, want)
	}
}

// asks opens or closes a question.
func (l *lab) asks(o *room.Owner, step, answers int) {
	l.t.Helper()
	if err := o.OpenQuestion(context.Background(), step, answers); err != nil {
		l.t.Fatal(err)
	}
}

// A device has one vote, which it may change until the question is closed; then only counts are stored.
func TestVotes(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	one, two, three := l.join(o), l.join(o), l.join(o)
	vote := func(c *room.Client, step, answer int) error { return c.Vote(t.Context(), step, answer) }
	refusedAs(t, vote(one, 3, 0), 409, "takes no votes now")
	l.asks(o, 3, 3)
	for _, v := range []struct {
		c      *room.Client
		answer int
	}{{one, 0}, {one, 0}, {two, 2}, {three, 1}, {one, 2}, {one, 1}} {
		if err := vote(v.c, 3, v.answer); err != nil {
			t.Error(err)
		}
	}
	l.counted(o, 3, 0, 2, 1)
	refusedAs(t, vote(one, 3, 3), 400, "has 3 answers")
	refusedAs(t, vote(one, 4, 0), 409, "takes no votes now")
	l.asks(o, 3, 3) // a host that was loaded again asks again
	l.counted(o, 3, 0, 2, 1)
	l.asks(o, 3, 0)
	refusedAs(t, vote(two, 3, 0), 409, "takes no votes now")
	l.counted(o, 3, 0, 2, 1)
	if n := l.count("SELECT count(*) FROM ballot"); n != 0 {
		t.Errorf("after a question %d rows tell who said what", n)
	}

	// Another question, for which the previous ballots do not count; and the first one again.
	l.asks(o, 4, 2)
	if err := vote(two, 4, 1); err != nil {
		t.Error(err)
	}
	l.asks(o, 5, 2)
	if err := vote(two, 5, 0); err != nil {
		t.Error(err)
	}
	l.counted(o, 4, 0, 1)
	l.counted(o, 5, 1)
	l.asks(o, 3, 2)
	l.counted(o, 3)

	// An excluded device, and a closed room.
	if err := o.Exclude(t.Context(), two.Device); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, vote(two, 3, 0), 403, "was left out")
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, vote(one, 3, 0), 410, "closed")
}

// Break review F10: ids that join after the question was opened have no vote. Ids that one person has joined before do
// count: they cannot be distinguished from a class, and only the number of devices shows them. A vote can be changed a
// limited number of times.
func TestStuffedVotes(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	class := make([]*room.Client, 30)
	for i := range class {
		class[i] = l.join(o)
	}
	l.asks(o, 1, 2)
	l.pass(time.Millisecond)
	var all sync.WaitGroup
	for _, c := range class {
		all.Go(func() {
			if err := c.Vote(context.Background(), 1, 0); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			late := &room.Client{Transport: c.Transport, Code: c.Code, Device: room.NewSecret()}
			refusedAs(t, late.Vote(context.Background(), 1, 1), 409, "were here when the question was opened")
		})
	}
	all.Wait()
	l.counted(o, 1, 30)
	var err error
	for k := range 100 {
		if err = class[0].Vote(t.Context(), 1, 1-k%2); err != nil {
			break
		}
	}
	refusedAs(t, err, 409, "can be changed 20 times")
	l.counted(o, 1, 30)
	if n := l.count("SELECT count(*) FROM vote"); n > 2 {
		t.Errorf("%d rows of counts", n)
	}
}

// The remote control turns steps and can do nothing else. The link of the class, or votes, cannot turn steps.
func TestRemote(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	phone := l.join(o)
	remote := room.Remote(room.Sum([]byte(o.Token)))
	for _, on := range []bool{true, true, false, true} {
		if err := phone.PressRemote(t.Context(), remote, on); err != nil {
			t.Fatal(err)
		}
	}
	l.counted(o, room.RemoteStep, 1, 3)

	// A device: without a token, with an invented one, with one of another room, or by votes on the remote's step.
	other, _ := l.open(0)
	for _, token := range []string{"", "x", room.NewSecret(), room.Remote(o.Code), room.Remote(o.Token),
		room.Remote(room.Sum([]byte(other.Token)))} {
		refusedAs(t, phone.PressRemote(t.Context(), token, true), 403, "only who opened the room")
	}
	refusedAs(t, phone.Vote(t.Context(), room.RemoteStep, 1), 409, "takes no votes now")
	refusedAs(t, o.OpenQuestion(t.Context(), room.RemoteStep, 2), 400, "from 1 to 60")
	l.counted(o, room.RemoteStep, 1, 3)

	// The remote control is not a host.
	thief := room.NewOwner(o.Transport, o.Code, remote)
	refusedAs(t, thief.SetBoard(t.Context(), "mine"), 403, "only who opened the room")
	refusedAs(t, thief.OpenQuestion(t.Context(), 1, 2), 403, "only who opened the room")
	refusedAs(t, thief.Close(t.Context()), 403, "only who opened the room")
	if _, err := thief.Devices(t.Context()); err == nil {
		t.Error("the remote sees the devices")
	}
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, phone.PressRemote(t.Context(), remote, true), 410, "closed")
}
