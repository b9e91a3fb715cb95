package page

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/internal/tier"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// smallLink is quick and has every kind of round: forward, reverse, annealing
// pass, initial, a final run in two stretches.
const smallLink = "v=1&model=mixture2&method=ais,rts&ais.chains=40&ais.temperatures=60&" +
	"rts.chains=30&rts.init_rounds=2&rts.init_sweeps=20&rts.sweeps=280&rts.temperatures=12"

// The page's first run, as the terminal runs it.
func TestControllerDefaultLink(t *testing.T) {
	tier.Release(t) // before it, the browser runs the default experiment
	p := newPage(t, 2)
	p.controller.Open("")
	got := p.finish()
	if want := native(t, state.DefaultLink); got != want {
		t.Errorf("the page's hashes are %s, the terminal's %s", got, want)
	}
	if p.view.Link != "#"+state.DefaultLink {
		t.Errorf("the address bar shows %s", p.view.Link)
	}
	for _, r := range p.view.Rows {
		for _, f := range []string{"logz", "se", "truth", "error", "sweeps", "seconds", "hash"} {
			if r.Cells[f].Value == "" || r.Cells[f].Text == "" {
				t.Errorf("%s: cell %s is empty", r.Method, f)
			}
		}
	}
	if p.curves == 0 || p.view.Summary == "" || p.view.Progress != 1 {
		t.Errorf("%d curves, summary %q, progress %v", p.curves, p.view.Summary, p.view.Progress)
	}
}

func TestControllerWorkerCounts(t *testing.T) {
	want := native(t, smallLink)
	for _, workers := range []int{1, 7, 2, 3}[:tier.Size(2, 2, 4)] {
		p := newPage(t, workers)
		for i, id := range p.Spawned {
			if len(p.Spawned) != workers || id != i+1 {
				t.Fatalf("%d workers: started %v; main.js starts 1 to %[1]d", workers, p.Spawned)
			}
		}
		p.controller.Open("#" + smallLink)
		if got := p.finish(); got != want {
			t.Errorf("%d workers: %s, want %s", workers, got, want)
		}
		if len(p.Killed) != 0 || p.view.Message != nil {
			t.Errorf("%d workers: killed %v, message %v", workers, p.Killed, p.view.Message)
		}
	}
}

// A worker that hangs is replaced after five seconds, not before, its unit is run
// again, the page says so, and the result is the same.
func TestControllerSilentWorker(t *testing.T) {
	want := native(t, smallLink)
	for _, after := range []int{1, 7, 30} {
		p := newPage(t, 2)
		p.controller.Open(smallLink)
		for range after {
			p.turn(20)
		}
		// The lane that works now, by the controller's book, hangs.
		busy := -1
		for id, l := range p.controller.Workers.Lanes {
			if l.Task != nil {
				busy = id
			}
		}
		if busy < 0 {
			t.Fatal("no lane is busy")
		}
		p.lanes[busy].silent = true
		heard := p.Clock - p.controller.Workers.Lanes[busy].Silence
		for p.Clock < heard+workerpool.Silence-.01 {
			p.turn(1)
			if len(p.Killed) > 0 {
				t.Fatalf("worker %d was given up after %.2f s", busy, p.Clock-heard)
			}
		}
		p.until("a replacement", func() bool { return len(p.Killed) == 1 })
		if p.Killed[0] != busy || p.Clock > heard+workerpool.Silence+1 {
			t.Errorf("killed %v after %.1f s of silence, want %d", p.Killed, p.Clock-heard, busy)
		}
		if got := p.finish(); got != want {
			t.Errorf("hashes %s, want %s", got, want)
		}
		if m := p.view.Message; m == nil || !strings.Contains(m.Text, "worker stopped") ||
			!strings.Contains(m.Text, "the result is not affected") {
			t.Errorf("the page says %+v", m)
		}
	}
}

// A worker that never starts is given thirty seconds; one that closes itself is
// replaced at once; what a dead worker sent too late is ignored.
func TestControllerLostWorkers(t *testing.T) {
	want := native(t, smallLink)
	p := newPage(t, 3)
	p.lanes[1].silent, p.lanes[1].ready = true, true // its Ready never comes
	p.controller.Open(smallLink)
	for range 5 {
		p.turn(20)
	}
	late := slices.Concat(p.lanes[2].r.DoneMessage()...)
	p.controller.Gone(2, "closed")
	p.controller.ReceiveMessage(2, late)
	p.controller.Gone(2, "closed twice")
	p.controller.Gone(99, "never was")
	if !slices.Equal(p.Killed, []int{2}) || len(p.lanes) != 3 {
		t.Errorf("killed %v, %d lanes", p.Killed, len(p.lanes))
	}
	if got := p.finish(); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
	for p.Clock < 100+30-.2 {
		p.turn(0)
	}
	if len(p.Killed) != 1 {
		t.Errorf("killed %v before 30 s", p.Killed)
	}
	for p.Clock < 100+30+1 {
		p.turn(0)
	}
	if !slices.Equal(p.Killed, []int{2, 1}) {
		t.Errorf("killed %v after 30 s", p.Killed)
	}
}

func TestControllerWorkerError(t *testing.T) {
	p := newPage(t, 2)
	p.lanes[1].broken = errors.New("no memory left")
	p.lanes[2].broken = p.lanes[1].broken
	p.controller.Open(smallLink)
	p.until("failure", func() bool { return p.view.State == runstate.Failed })
	for _, m := range []string{"ais", "rts"} {
		r := p.row(m)
		if r.State != runstate.MethodFailed || !strings.Contains(strings.Join(r.Notes, " "), "no memory left") ||
			r.Cells["hash"].Value != "" {
			t.Errorf("%s: %+v", m, r)
		}
	}
	p.lanes[1].broken, p.lanes[2].broken = nil, nil
	p.controller.Event(state.Event{Name: "restart"})
	if got, want := p.finish(), native(t, smallLink); got != want {
		t.Errorf("after the failure: %s, want %s", got, want)
	}
}

// The error of a worker keeps its code on the way, so the page shows it in its language; one
// that comes damaged costs the worker, not the method.
func TestControllerWorkerErrorTranslated(t *testing.T) {
	p := newPage(t, 1)
	p.lanes[1].broken = problem.New("internal error in %s: %v", "final",
		problem.New("entry %d: %w", 3, errors.New("no memory left")))
	p.controller.Open(smallLink + "&view.lang=de")
	p.until("failure", func() bool { return p.view.State == runstate.Failed })
	const want = "interner Fehler in final: Eintrag 3: no memory left"
	if s := strings.Join(p.row("ais").Notes, " "); !strings.Contains(s, want) {
		t.Errorf("the page says %q", s)
	}
	p.lanes[1].broken = nil
	p.controller.Event(state.Event{Name: "restart"})
	p.until("unit", func() bool { return p.lanes[1].r != nil })
	p.controller.ReceiveMessage(1, p.lanes[1].r.ErrorMessage(errors.New("cut"))[:3])
	if len(p.Killed) != 1 {
		t.Errorf("killed %v after a damaged error", p.Killed)
	}
	if got, want := p.finish(), native(t, smallLink); got != want {
		t.Errorf("after the failure: %s, want %s", got, want)
	}
}

// A run whose model file cannot be fetched fails with a message, and Run tries again. A file that arrives after the run
// was replaced has no effect on the new run.
func TestControllerFetch(t *testing.T) {
	p := newPage(t, 1)
	p.lost["rbm-pcd-20.npz"] = true
	p.controller.Open("v=1&model=rbm-pcd-20&method=is&is.particles=100&view.lang=de")
	p.turn(10) // it is asked for twice
	p.show()
	if m := p.view.Message; p.view.State != runstate.Failed || m == nil || !strings.Contains(m.Text, "rbm-pcd-20.npz") ||
		!strings.Contains(m.Text, "der Server antwortete 404") {
		t.Errorf("state %s, message %+v", p.view.State, m)
	}
	delete(p.lost, "rbm-pcd-20.npz")
	p.controller.Event(state.Event{Name: "run"})
	if got, want := p.finish(), native(t, "v=1&model=rbm-pcd-20&method=is&is.particles=100"); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	p = newPage(t, 1)
	p.controller.Open("v=1&model=rbm-pcd-20&method=is&is.particles=100")
	p.controller.Open(smallLink) // before the files are here
	if got, want := p.finish(), native(t, smallLink); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
}

// Provisional numbers come while methods run, are marked, and carry no hash; a verdict is spoken from a tenth of the
// run on, in all places.
func TestControllerProvisional(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("v=1&model=mixture2&method=rts&rts.chains=10&rts.init_rounds=1&rts.sweeps=2000&rts.temperatures=10")
	seen := 0
	last := 0.0
	spoken := regexp.MustCompile(`#v-(trust|caution|stop)|so far|Trust|Caution|Do not trust`)
	early, late := 0, 0
	for p.controller.State() != runstate.Done {
		p.turn(25)
		if p.view.Progress < last {
			t.Errorf("progress falls from %v to %v", last, p.view.Progress)
		}
		last = p.view.Progress
		if len(p.view.Rows) == 0 || p.view.State != runstate.Running {
			continue
		}
		if r := p.row("rts"); r.Cells["logz"].Value != "" {
			seen++
			if !r.Provisional || r.Cells["hash"].Value != "" {
				t.Fatalf("a number under way is shown as final: %+v", r)
			}
			verdict := p.part("r-head") + p.part("r-forest") + p.part("r-checks") + r.Cells["verdict"].Text + p.view.Summary
			switch share := p.controller.Share(); {
			case share < .1:
				early++
				if found := spoken.FindString(verdict); found != "" {
					t.Errorf("%s at %.0f %%", found, 100*share)
				}
			case !strings.Contains(verdict, "so far"):
				t.Errorf("no verdict at %.0f %%", 100*share)
			default:
				late++
			}
		}
	}
	if seen < 5 || early == 0 || late == 0 {
		t.Errorf("%d provisional views, %d before a tenth, %d after", seen, early, late)
	}
	p.show()
	if r := p.row("rts"); r.Provisional || r.Cells["hash"].Value == "" {
		t.Errorf("the final row is %+v", r)
	}
}

// Files exported during a run are marked as partial and have no hash.
func TestControllerExportsPart(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("v=1&model=mixture2&method=rts&rts.chains=10&rts.init_rounds=1&rts.sweeps=2000&rts.temperatures=10")
	kept := func(kind string) string {
		p.controller.Event(state.Event{Name: "export", Value: kind})
		return p.Downloads[len(p.Downloads)-1]
	}
	p.turn(25)
	if text := kept("json"); !strings.Contains(text, `"hash":null`) || !strings.Contains(text, `"interrupted"`) {
		t.Errorf("a part is kept as %s", text)
	}
	if text := kept("csv"); !strings.Contains(text, `interrupted,,"v=1&`) {
		t.Errorf("a part is kept as %s", text)
	}
	p.finish()
	if text := kept("json"); strings.Contains(text, `"hash":null`) || strings.Contains(text, `"interrupted"`) {
		t.Errorf("the result is kept as %s", text)
	}
}

// Particles that are cooled: until all are at the target the headline has log Z at the temperature that all have
// reached, with its error bar, and no cell claims to be log Z.
func TestControllerCooling(t *testing.T) {
	const link = "v=1&model=rbm-pcd-20&method=smc&smc.islands=3&smc.particles=20&smc.temperatures=300"
	want := native(t, link)
	for workers, least := range map[int]int{2: 2, 1: 6} { // one worker cools one island after the other
		p := newPage(t, workers)
		p.controller.Open("#" + link)
		seen := map[string]bool{}
		for range 400 {
			p.turn(5)
			r := p.view.Rows
			if len(r) == 0 || r[0].State != runstate.MethodRunning || r[0].Cells["logz"].Value != "" {
				continue
			}
			if head := p.part("r-head"); strings.Contains(head, "on the way to β = 1") {
				seen[head] = true
			}
		}
		if got := p.finish(); got != want || len(seen) < least {
			t.Errorf("%d workers: %s, want %s; %d numbers on the way", workers, got, want, len(seen))
		}
	}
}

// Methods that form a model: the page's hashes are the terminal's, also when a
// worker hangs; while particles form there is the log Z of the first pixels with its error bar and
// no number that claims to be log Z. A model that cannot be formed is refused in words.
func TestControllerForming(t *testing.T) {
	link := "v=1&model=rbm-pcd-20&method=arm,rm&arm.gamma=0.9&arm.islands=2&arm.moves=1&" +
		"arm.particles=5&rm.islands=2&rm.moves=1&rm.particles=5"
	want := native(t, link)
	for _, workers := range []int{3, 1}[:tier.Size(1, 1, 2)] {
		p := newPage(t, workers)
		p.controller.Open("#" + link)
		running, formed := false, false
		for i := range 400 {
			p.turn(20)
			if i == 40 {
				for _, l := range p.lanes {
					l.silent = true
				}
			}
			if r := p.view.Rows; len(r) > 0 && r[0].State == runstate.MethodRunning {
				running = true
				head := p.part("r-head")
				formed = formed || strings.Contains(head, "of 784 pixels") &&
					strings.Contains(head, `class="pm"`) && strings.Contains(head, "<sub>")
				doing := p.controller.Results()[0].Doing
				if c := r[0].Cells["logz"]; c.Value != "" && doing != "stage 784 of 784" && doing != "second opinion" {
					t.Fatalf("%d workers: log Z %s while particles form, in %q", workers, c.Value, doing)
				}
			}
		}
		if got := p.finish(); got != want || !running || !formed {
			t.Errorf("%d workers: %s, want %s; running %v, log Z of the first pixels %v", workers, got, want, running, formed)
		}
		if c := p.row("arm").Cells; c["logz"].Value == "" || c["se"].Value == "" || c["error"].Value == "" {
			t.Errorf("cells %v", c)
		}
	}
	for _, c := range [][3]string{
		{"v=1&model=mixture2&method=arm&arm.islands=2&seed=3", "choose a method that goes through temperatures",
			"#v=1&model=mixture2&method=ais&seed=3"},
		{"v=1&model=ising16&method=rts,rm&rts.chains=20&view.lang=de", "das durch Temperaturen geht",
			"#v=1&model=ising16&method=rts&rts.chains=20&view.lang=de"},
	} {
		p := newPage(t, 1)
		p.controller.Open("#" + c[0])
		p.show()
		m := p.view.Message
		if m == nil || !strings.Contains(m.Text, c[1]) || m.Action == nil || m.Action.Value != c[2] {
			t.Fatalf("%s: message %+v", c[0], m)
		}
		if scene.Named("formation").Shows(p.controller.Outline()) {
			t.Errorf("%s: nothing is formed, yet there is a scene for it", c[0])
		}
		p.controller.Event(state.Event{Name: m.Action.Event, Value: m.Action.Value})
		p.turn(5)
		if p.show(); p.controller.State() != runstate.Running || p.view.Message != nil {
			t.Errorf("%s: %s, message %v", c[0], p.controller.State(), p.view.Message)
		}
	}
}
