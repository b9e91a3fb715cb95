package page

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// longRun takes some thousand turns of the fake page.
const longRun = "v=1&model=rbm-pcd-20&method=ais&ais.temperatures=20000&ais.chains=10"

// Numbers are painted twice a second, however often they come: every view
// costs a lane's time. What the user does is answered at once.
func TestControllerRepaintRate(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(longRun)
	p.until("running", func() bool { return p.view.State == runstate.Running })
	before := p.views
	for range 80 { // 4 seconds, in which every lane tells its progress 80 times
		p.turn(50)
	}
	if n := p.views - before; n < 7 || n > 8 {
		t.Errorf("%d views in 4 seconds", n)
	}
	before = p.views
	p.controller.Event(state.Event{Name: "sheet", Value: "help", N: 1})
	p.turn(0)
	if p.views != before+1 || p.view.Sheet != "help" {
		t.Errorf("%d views after an event, sheet %q", p.views-before, p.view.Sheet)
	}
	before = p.views
	for i := range 40 { // 2 seconds of a picture that tells how far it is
		p.controller.Event(state.Event{Name: "picture", Value: "loading", Key: "1.2 MB", N: 2 + i})
		p.turn(0)
	}
	if n := p.views - before; n < 3 || n > 4 || p.view.Seen < 31 {
		t.Errorf("%d views in 2 seconds of loading, %d events seen", n, p.view.Seen)
	}
}

// The first number does not wait for the rhythm.
func TestControllerFirstNumberIsImmediate(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("v=1&model=rbm-pcd-20&method=ais&ais.temperatures=300")
	known, shown := -1, -1
	for i := 0; shown < 0 && i < 20000; i++ {
		p.turn(20)
		if known < 0 && p.controller.Job != nil && slices.ContainsFunc(p.controller.Reports.All(0),
			func(r *report.Report) bool { return report.IsNumber(r.LogZ) }) {
			known = i
		}
		if p.view.Numbers {
			shown = i
		}
	}
	if known < 0 || shown < 0 || shown-known > 2 {
		t.Errorf("a number is known after %d turns and painted after %d", known, shown)
	}
}

// Where the picture failed its frames are made for the table behind it only, once a
// second, and no curves are sent; one that is tried again gets all of them.
func TestControllerFailedPictureGetsNoFrames(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(longRun)
	p.until("running", func() bool { return p.view.State == runstate.Running })
	rests := func(want int) (filmed int) {
		t.Helper()
		p.turn(1)
		for id, l := range p.lanes {
			if l.w.PictureInterval() != want {
				t.Errorf("lane %d rests %d ms between pictures, not %d", id, l.w.PictureInterval(), want)
			}
			if l.r != nil && l.r.NeedsSnapshots() {
				filmed++
			}
		}
		return
	}
	if rests(engine.PictureTime) == 0 {
		t.Error("no lane keeps a film")
	}
	p.controller.Event(state.Event{Name: "picture", Value: "failed", Key: "no WebGL", N: 1})
	if rests(engine.UnseenTime) > 0 {
		t.Error("a lane keeps a film that nobody sees")
	}
	p.controller.Open(smallLink)
	p.turn(0)
	before := p.curves
	p.finish()
	if p.curves != before {
		t.Errorf("%d curves for a picture that failed", p.curves-before)
	}
	p.controller.Event(state.Event{Name: "picture", Value: "loading", N: 2})
	rests(engine.PictureTime)
	for range 10 { // half a second
		p.turn(0)
	}
	if p.curves == before {
		t.Error("a picture tried again gets no curves")
	}
}

// Lane workers open a bundled model at the same time as the controller, before they get a unit.
func TestControllerOpensModelInParallel(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(longRun)
	p.until("work", func() bool { return p.units > 0 })
	for id, l := range p.lanes {
		at := func(kind byte) int { return strings.IndexByte(string(l.kinds), kind) }
		file, open, unit := at(engine.MsgFile), at(engine.MsgOpen), at(engine.MsgUnit)
		if file < 0 || open < file || unit >= 0 && unit < open {
			t.Errorf("lane %d was told %s", id, l.kinds)
		}
	}
}

// The speed of an invalid link is kept when the valid part of the link is run.
func TestControllerSpeedOfMendedLink(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(longRun)
	p.until("work", func() bool { return p.units > 0 })
	p.controller.Open(longRun + "&view.slow=3&bogus=1")
	p.controller.Event(state.Event{Name: "run"})
	for range 5 {
		p.turn(1)
	}
	if slow := p.lanes[1].r.MinDescentTime(); slow != state.DescentTime[3] {
		t.Errorf("a descent takes %d ms at least, not %d", slow, state.DescentTime[3])
	}
	for range 20 {
		p.turn(1)
	}
	// Lanes in sight are slow and others are not, so nobody knows what is left.
	if eta := p.part("transport"); strings.Contains(eta, " left</span>") || !strings.Contains(eta,
		"<span>slow motion, base to target in 60 s</span>") {
		t.Error(eta)
	}
}
