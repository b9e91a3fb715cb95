package page

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/state"
)

// Only an experiment that was run leaves an entry of the history behind, and what
// follows it makes one new entry, however often it is edited.
func TestControllerEntries(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	for _, step := range []struct {
		e    state.Event
		want int
	}{
		{state.Event{Name: "scene", Value: "trace"}, 0},
		{state.Event{Name: "restart"}, 0},
		{state.Event{Name: "seed", Value: "7"}, 1},
		{state.Event{Name: "seed", Value: "8"}, 1},
		{state.Event{Name: "seed", Value: "x"}, 1},
		{state.Event{Name: "run"}, 1},
		{state.Event{Name: "new-seed"}, 2},
		{state.Event{Name: "new-seed"}, 3},
		{state.Event{Name: "link", Value: "#" + smallLink}, 3}, // the browser has made one
		{state.Event{Name: "seed", Value: "9"}, 4},
	} {
		p.controller.Event(step.e)
		p.show()
		if p.view.Entry != step.want {
			t.Errorf("after %+v entry %d, want %d", step.e, p.view.Entry, step.want)
		}
	}
}

// Workers that cannot start are left out while others work; without any the page
// says why nothing runs, and Run tries again.
func TestControllerUnstarted(t *testing.T) {
	want := native(t, smallLink)
	p := newPage(t, 3)
	p.controller.Open(smallLink)
	p.controller.Gone(2, "RangeError: no memory")
	p.controller.Gone(3, "RangeError: no memory")
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "no memory") ||
		!strings.Contains(m.Text, "continues with 1") {
		t.Errorf("the page says %+v", m)
	}
	if got := p.finish(); got != want || len(p.Spawned) != 3 {
		t.Errorf("hashes %s with %d workers started, want %s with 3", got, len(p.Spawned), want)
	}

	p = newPage(t, 2)
	p.controller.Open("v=1&model=rbm-pcd-20&method=is&is.particles=100") // waits for its files
	p.controller.Gone(1, "RangeError: no memory")
	p.controller.Gone(2, "RangeError: no memory")
	p.show()
	if m := p.view.Message; p.view.State != runstate.Failed || m == nil || m.Level != "error" ||
		!strings.Contains(m.Text, "no memory") || !strings.Contains(m.Text, "press Run") {
		t.Errorf("state %s, the page says %+v", p.view.State, m)
	}
	if len(p.Spawned) != 2 || p.view.RunOff {
		t.Errorf("%d workers started, Run off %v", len(p.Spawned), p.view.RunOff)
	}
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, "v=1&model=rbm-pcd-20&method=is&is.particles=100"); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// A model file with one wrong bit is asked for once more, past the caches. If that one is wrong, too, the page
// names it and makes no number; the next Run asks again.
func TestControllerDamagedFile(t *testing.T) {
	const link = "v=1&model=gpc-mnist35&method=is&is.particles=100"
	const file = "gpc-mnist35.bin"
	p := newPage(t, 1)
	p.damaged[file] = 1
	p.controller.Open(link)
	if got, want := p.finish(), native(t, link); got != want {
		t.Errorf("damaged once: hash %s, want %s", got, want)
	}
	if !slices.Equal(p.fresh, []bool{false, true}) {
		t.Errorf("fetched past the caches: %v, want false, then true", p.fresh)
	}

	p = newPage(t, 1)
	p.damaged[file] = 2
	p.controller.Open(link)
	for range 5 {
		p.turn(10)
	}
	if m := p.view.Message; p.view.State != runstate.Failed || m == nil || !strings.Contains(m.Text, file+" arrived damaged") ||
		strings.Count(m.Text, "damaged") != 1 || !strings.Contains(m.Text, "press Run") {
		t.Fatalf("state %s, the page says %+v", p.view.State, m)
	}
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, link); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// Settings that do not suit a model are not reported as a fault of its file: expectation propagation needs probit
// labels.
func TestControllerRefusedSettings(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("v=1&model=gpc-mnist35&method=ais&base=ep&likelihood=logistic")
	for range 5 {
		p.turn(10)
	}
	m := p.view.Message
	if m == nil || strings.Contains(m.Text, "damaged") || !strings.Contains(m.Text, "for the probit likelihood") {
		t.Errorf("state %s, message %+v", p.view.State, m)
	}
}

// Step starts a run that pauses after its first frames. The final result is that of an uninterrupted run.
func TestControllerStepStartsRun(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(smallLink)
	p.finish()
	p.controller.Event(state.Event{Name: "seed", Value: "2"})
	p.show()
	if p.view.State != runstate.Idle {
		t.Fatalf("an edited experiment is %s", p.view.State)
	}
	before := p.frames
	p.controller.Event(state.Event{Name: "step"})
	for range 40 {
		p.turn(10)
	}
	p.show()
	if d := p.frames - before; p.view.State != runstate.Paused || d < 1 || d > 2 {
		t.Errorf("after a step it is %s, with %d frames on two lanes", p.view.State, d)
	}
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, p.controller.Spec.Link()); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
}

// A heartbeat that a worker sent before it received a step does not confirm the step.
func TestControllerIgnoresLateHeartbeat(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(longRun)
	p.until("work", func() bool { return p.units > 1 })
	p.controller.Event(state.Event{Name: "pause"})
	p.until("rest", func() bool { p.show(); return p.view.Rest })
	p.controller.Event(state.Event{Name: "step"})
	for id, l := range p.lanes {
		p.controller.ReceiveMessage(id, engine.Alive(0, 0, l.w.Received()))
	}
	if p.show(); p.view.Rest {
		t.Error("the page is said to be at rest before the step")
	}
	p.until("rest", func() bool { p.show(); return p.view.Rest })
}
