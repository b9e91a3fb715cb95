package page

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// eventHandlers is a legal classifier whose covariance takes some pieces of work.
func table(rows int) []byte {
	var b bytes.Buffer
	for i := range rows {
		for j := range 40 {
			fmt.Fprintf(&b, "%d,", (i*7+j*13)%29)
		}
		fmt.Fprintln(&b, i%2)
	}
	return b.Bytes()
}

// A file is opened in pieces: the page answers, shows how far it is, stands still while paused, and the workers hear of
// the file only when the controller has accepted it. The result is that of the command.
func TestOpeningInSteps(t *testing.T) {
	data := table(1200)
	link, want := ownRun(t, data, "is&is.particles=50")
	p := newPage(t, 2)
	p.controller.Open("v=1&model=mixture2&method=is&is.particles=50")
	p.finish()
	for range 12 { // the last sketch of that run comes
		p.turn(50)
	}
	p.controller.File("mine.csv", data, 1)
	stages, pieces := map[string]bool{}, 0
	for ; p.controller.Reading != nil; pieces++ {
		if pieces > 1000 {
			t.Fatal("it never ends")
		}
		p.controller.Repaint.AtOnce()
		p.turn(10)
		at := string(p.parts["transport"])
		if strings.Contains(at, "reading the file") || strings.Contains(at, "loading the model") {
			stages[at] = true
		}
		if pieces == 1 {
			p.controller.Event(state.Event{Name: "pause", N: 2})
			before := p.controller.Reading.Meter.Share()
			for range 10 {
				p.turn(10)
			}
			if p.controller.Reading.Meter.Share() != before || !strings.Contains(string(p.parts["transport"]), "paused") {
				t.Errorf("paused, it went from %v to %v", before, p.controller.Reading.Meter.Share())
			}
			if !p.view.Rest {
				t.Error("paused, the page does not say that it is at rest")
			}
			p.controller.Event(state.Event{Name: "sheet", Value: "help", N: 3})
			p.turn(0)
			if p.view.Sheet != "help" || p.view.Seen != 3 {
				t.Error("the page does not answer meanwhile")
			}
			p.controller.Event(state.Event{Name: "run", N: 4})
		}
		for id, l := range p.lanes {
			if p.controller.Reading != nil && bytes.ContainsAny(l.kinds, string(rune(engine.MsgFile))) {
				t.Fatalf("lane %d has the file before the controller has accepted it", id)
			}
		}
	}
	if pieces < 3 || len(stages) < 3 {
		t.Errorf("opened in %d pieces, of which %d were shown", pieces, len(stages))
	}
	if got := p.finish(); got != want || p.view.Link != "#"+link || p.view.Filed != 1 {
		t.Errorf("hash %s of %s, want %s of %s; filed %d", got, p.view.Link, want, link, p.view.Filed)
	}
}

// Opening a large file can be cancelled; the previous model stays in use.
func TestOpeningCanBeCancelled(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	want := p.finish()
	p.controller.File("mine.csv", table(2000), 1)
	p.until("an offer", func() bool { return p.view.Message != nil })
	if a := p.view.Message.Action; a == nil || a.Event != "give-up" {
		t.Fatalf("the page offers %+v", a)
	}
	p.controller.Event(state.Event{Name: "give-up", N: 2})
	p.show()
	if p.controller.Working() || p.view.Message != nil || p.view.Filed != 1 || p.view.Model != "mixture2" {
		t.Errorf("working %v, message %+v, filed %d, model %s", p.controller.Working(), p.view.Message, p.view.Filed, p.view.Model)
	}
	p.controller.Event(state.Event{Name: "restart", N: 3})
	if got := p.finish(); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// hang makes every worker hang, now and later, and counts the seconds until the next one is replaced.
func (p *fakePage) hang(most float64) float64 {
	killed, since := len(p.Killed), p.Clock
	for len(p.Killed) == killed && p.Clock < since+most {
		for _, l := range p.lanes {
			l.silent = l.ready // those that start do so
		}
		p.turn(1)
	}
	return p.Clock - since
}

// A unit that no worker survives is tried three times, each with twice the patience, and then the run stops: a method
// that is done stays, the other keeps its numbers as stopped, and the page names the model and the command.
func TestControllerStopsRunAfterRepeatedLosses(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.until("a number of RTS", func() bool {
		return p.controller.Job != nil && len(p.view.Rows) == 2 && p.view.Rows[0].State == runstate.MethodDone &&
			p.view.Rows[1].Cells["logz"].Value != ""
	})
	for i, want := range []float64{workerpool.Silence, 2 * workerpool.Silence, 4 * workerpool.Silence} {
		if got := p.hang(60); got < want-1 || got > want+1 {
			t.Errorf("worker %d was replaced after %.1f s, not %v", i, got, want)
		}
	}
	p.show()
	if p.view.State != runstate.Failed || p.view.Rows[0].State != runstate.MethodDone || p.view.Rows[1].State != runstate.MethodStopped ||
		p.view.Rows[1].Cells["logz"].Value == "" {
		t.Errorf("state %s, rows %+v", p.view.State, p.view.Rows)
	}
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "mixture2") || !strings.Contains(m.Text, "3 times") ||
		!strings.Contains(m.Text, "logz run -model mixture2") {
		t.Errorf("the page says %+v", m)
	}
	if again := p.hang(60); again < 60 {
		t.Errorf("a worker was replaced %.0f s after the run stopped", again)
	}
	for _, l := range p.lanes {
		l.silent = false
	}
	p.controller.Event(state.Event{Name: "run", N: 1})
	if got, want := p.finish(), native(t, smallLink); got != want {
		t.Errorf("run again: %s, want %s", got, want)
	}
}

// A run also stops when many workers are lost on different units.
func TestControllerStopsRunAfterManyLosses(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("v=1&model=mixture2&method=ais&ais.chains=800&ais.temperatures=60")
	for n := 1; p.controller.State() != runstate.Failed && n < 1000; n++ {
		p.turn(20)
		for id, l := range p.controller.Workers.Lanes {
			if l.Task != nil && n%10 == 0 /* some units later */ {
				p.controller.Gone(id, "closed")
			}
		}
	}
	if n := len(p.Killed); n != workerpool.MaxLossesPerPeriod {
		t.Errorf("the run stopped after %d losses, not %d", n, workerpool.MaxLossesPerPeriod)
	}
}

// A slow device has more time: where workers take ten times as long to start, one that works is replaced after ten
// times as long; time that the controller slept does not count; and one that was silent for a second may be so for
// twenty.
func TestControllerSlowDevice(t *testing.T) {
	start := func(took float64) *fakePage {
		p := newPage(t, 1)
		p.started = took
		p.controller.Open(longRun)
		p.until("work", func() bool { return p.units > 0 })
		return p
	}
	p := start(10 * workerpool.UsualStart)
	p.controller.ReceiveMessage(1, engine.Alive(.1, 0, 0))
	if got := p.hang(100); got < 48 || got > 52 {
		t.Errorf("on a device ten times as slow a worker was replaced after %.1f s, not 50", got)
	}
	p = start(0)
	p.lanes[1].silent = true
	for range 5 {
		p.Clock += 3600
		p.turn(1)
	}
	if len(p.Killed) > 0 {
		t.Error("the time that the page slept counts as silence")
	}
	p = start(0)
	p.controller.ReceiveMessage(1, engine.Alive(1, 0, 0))
	if got := p.hang(100); got < 18 || got > 22 {
		t.Errorf("a worker that was silent for 1 s before was replaced after %.1f s, not 20", got)
	}
}
