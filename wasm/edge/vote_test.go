package edge_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"logzlab/wasm/room"
)

// counted checks the votes on a question.
func (l *lab) counted(o *room.Owner, step int, want ...float64) {
	l.t.Helper()
	v, err := o.Votes(context.Background(), step)
	if want = append(want, make([]float64, room.MaxAnswers-len(want))...); err != nil || !slices.Equal(v.Counts, want) {
		l.t.Errorf("step %d has the votes %v, %v; want %v", step, v.Counts, err, want)
	}
}

// asks opens a question or closes it.
func (l *lab) asks(o *room.Owner, step, answers int) {
	l.t.Helper()
	if err := o.Ask(context.Background(), step, answers); err != nil {
		l.t.Fatal(err)
	}
}

// A machine has one vote, which it may change until the question is closed; then only counts are left.
func TestVotes(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	one, two := l.join(o), l.join(o)
	sibling := &room.Member{Client: o.Client, Device: room.NewDevice(one.Device)}
	vote := func(m *room.Member, step, answer int) error { return m.Vote(t.Context(), step, answer) }
	refusedAs(t, vote(one, 3, 0), 409, "takes no votes now")
	l.asks(o, 3, 3)
	for _, v := range []struct {
		m      *room.Member
		answer int
	}{{one, 0}, {one, 0}, {two, 2}, {sibling, 1}, {one, 2}, {one, 1}} {
		if err := vote(v.m, 3, v.answer); err != nil {
			t.Error(err)
		}
	}
	l.counted(o, 3, 0, 1, 1)
	refusedAs(t, vote(one, 3, 3), 400, "has 3 answers")
	refusedAs(t, vote(one, 4, 0), 409, "takes no votes now")
	l.asks(o, 3, 3) // a host that was loaded again asks again
	l.counted(o, 3, 0, 1, 1)
	l.asks(o, 3, 0)
	refusedAs(t, vote(two, 3, 0), 409, "takes no votes now")
	l.counted(o, 3, 0, 1, 1)
	if n := l.count("SELECT count(*) FROM ballot") + l.count("SELECT count(*) FROM poll"); n != 0 {
		t.Errorf("after a question %d rows tell who said what", n)
	}

	// Another question, on which the ballots of the one before do not count; and the first one, anew.
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

	// A machine that was left out, and a room that is over.
	if err := o.Drop(t.Context(), two.Device); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, vote(two, 3, 0), 403, "was left out")
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, vote(one, 3, 0), 410, "closed")
}

// Whoever votes without end, or as many, changes little: a vote changes some times, and who votes is a device.
func TestVoteFlood(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	m := l.join(o)
	l.asks(o, 1, 2)
	var err error
	for k := range 100 {
		if err = m.Vote(t.Context(), 1, k%2); err != nil {
			break
		}
	}
	refusedAs(t, err, 429, "can be changed 20 times")
	l.counted(o, 1, 1)
	var wg sync.WaitGroup
	for range 50 { // many at once, some of one machine
		machine := room.NewSecret()
		for k := range 3 {
			wg.Go(func() {
				m := &room.Member{Client: o.Client, Device: room.NewDevice(machine)}
				if err := m.Vote(context.Background(), 1, k%2); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	v, err := o.Votes(t.Context(), 1)
	if err != nil || v.Counts[0]+v.Counts[1] != 51 {
		t.Errorf("51 machines have the votes %v, %v", v.Counts, err)
	}
	if n := l.count("SELECT count(*) FROM vote"); n > 2 {
		t.Errorf("%d rows of counts", n)
	}
	l.exec("UPDATE room SET strangers = ?", room.MaxDevice)
	// A device asks again until there is room, so this is one request of it.
	a, err := o.Transport.Send(t.Context(), room.Request{Method: "POST",
		Path: "rooms/" + o.Code + "/vote?step=1&answer=0", Device: room.NewSecret()})
	if err != nil || a.Status != 429 || a.Retry == 0 || !strings.Contains(string(a.Body), "the room is full") {
		t.Errorf("a full room answers a stranger's vote by %v, %d, %s", err, a.Status, a.Body)
	}
	l.now = l.now.Add(25 * time.Hour)
	l.open(0)
	if n := l.count("SELECT count(*) FROM vote") + l.count("SELECT count(*) FROM ballot"); n != 0 {
		t.Errorf("%d rows are left of a room that ended", n)
	}
}

// A room in which nothing is computed lasts as long as its host speaks, but no longer than a day.
func TestSpeaks(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	for range 23 * 2 {
		l.now = l.now.Add(30 * time.Minute)
		if err := o.Say(t.Context(), "{}"); err != nil {
			t.Fatalf("%v: %v", l.now, err)
		}
	}
	l.now = l.now.Add(90 * time.Minute)
	if err := o.Say(t.Context(), "{}"); err == nil {
		t.Error("a room lasts for more than a day")
	}
	silent, _ := l.open(0)
	l.now = l.now.Add(61 * time.Minute)
	if _, err := silent.Info(t.Context()); err == nil {
		t.Error("a room whose host is silent lasts for more than an hour")
	}
}

// The host's remote turns steps and does nothing else. Who has the class's link, or votes, cannot turn any.
func TestRemote(t *testing.T) {
	l := newLab(t)
	o, _ := l.open(0)
	phone := l.join(o)
	remote := room.Remote(room.Sum([]byte(o.Token)))
	for _, on := range []bool{true, true, false, true} {
		if err := phone.Turn(t.Context(), remote, on); err != nil {
			t.Fatal(err)
		}
	}
	l.counted(o, room.RemoteStep, 1, 3)

	// A phone of the class: without a token, with one made up, of another room, or by votes on the remote's step.
	other, _ := l.open(0)
	for _, token := range []string{"", "x", room.NewSecret(), room.Remote(o.Code), room.Remote(o.Token),
		room.Remote(room.Sum([]byte(other.Token)))} {
		refusedAs(t, phone.Turn(t.Context(), token, true), 403, "only who opened the room")
	}
	refusedAs(t, phone.Vote(t.Context(), room.RemoteStep, 1), 409, "takes no votes now")
	refusedAs(t, o.Ask(t.Context(), room.RemoteStep, 2), 400, "from 1 to 60")
	l.counted(o, room.RemoteStep, 1, 3)

	// The remote is no host.
	thief := room.NewOwner(o.Transport, o.Code, remote)
	refusedAs(t, thief.Say(t.Context(), "mine"), 403, "only who opened the room")
	refusedAs(t, thief.Ask(t.Context(), 1, 2), 403, "only who opened the room")
	refusedAs(t, thief.Close(t.Context()), 403, "only who opened the room")
	if _, err := thief.Devices(t.Context()); err == nil {
		t.Error("the remote sees the devices")
	}
	if err := o.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	refusedAs(t, phone.Turn(t.Context(), remote, true), 410, "closed")
}
