package page

import (
	"encoding/json"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/targets"
	"logzlab/models/rbm"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

func TestControllerPauseStepResume(t *testing.T) {
	want := native(t, smallLink)
	p := newPage(t, 3)
	p.controller.Open(smallLink)
	for range 4 {
		p.turn(10)
	}
	p.controller.Event(state.Event{Name: "pause"})
	p.show()
	if p.view.State != runstate.Paused || p.row("ais").State != runstate.Method(runstate.Paused) || p.view.RunLabel != "Resume" {
		t.Errorf("state %s, row %s, buttons %v", p.view.State, p.row("ais").State, p.view.RunLabel)
	}
	if p.view.Rest {
		t.Error("the page is said to be at rest before its workers stand still")
	}
	seconds, frames := p.controller.Elapsed(), p.frames
	for range 400 { // 20 s: nobody works, nobody is replaced, no time is counted
		p.turn(10)
	}
	if !p.view.Rest {
		t.Error("the paused page is not at rest")
	}
	if p.frames != frames || len(p.Killed) > 0 || p.controller.Elapsed() != seconds {
		t.Errorf("%d frames while paused, killed %v, %.2f s counted", p.frames-frames, p.Killed, p.controller.Elapsed()-seconds)
	}
	// A step is one frame of each lane; where a unit has none left, it ends.
	ended := 0
	for i := 1; i <= 50; i++ {
		before := p.frames
		p.controller.Event(state.Event{Name: "step"})
		p.turn(10)
		p.turn(10)
		d := p.frames - before
		if d == 0 {
			ended++
		}
		if d > 3 || ended > 10 {
			t.Fatalf("step %d made %d frames on three lanes, %d made none", i, d, ended)
		}
	}
	p.controller.Event(state.Event{Name: "run"})
	if d := p.controller.Elapsed() - seconds; d > .01 {
		t.Errorf("%.2f s of pause were counted as work", d)
	}
	if got := p.finish(); got != want {
		t.Errorf("after pause and steps: %s, want %s", got, want)
	}
	if p.view.Message != nil {
		t.Errorf("message %+v", p.view.Message)
	}
}

// A run that is only stepped reaches its end with the same result.
func TestControllerStepsOnly(t *testing.T) {
	link := "v=1&model=mixture2&method=ais,rts&ais.chains=12&ais.temperatures=5&rts.chains=11&" +
		"rts.init_rounds=1&rts.init_sweeps=4&rts.sweeps=10&rts.temperatures=4"
	p := newPage(t, 2)
	p.controller.Open(link)
	p.turn(0)
	p.controller.Event(state.Event{Name: "pause"})
	for i := 0; p.controller.State() == runstate.Paused; i++ {
		if i > 2000 {
			t.Fatal("steps lead nowhere")
		}
		p.controller.Event(state.Event{Name: "step"})
		p.turn(5)
	}
	if got, want := p.finish(), native(t, link); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
}

// A hidden page pauses the run and resumes it when it is visible again. A run that the user paused stays paused.
func TestControllerVisibility(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(smallLink)
	p.turn(10)
	p.turn(10)
	p.controller.Event(state.Event{Name: "visibility", Hidden: true})
	p.show()
	if p.view.State != runstate.Paused {
		t.Errorf("hidden: state %s", p.view.State)
	}
	p.controller.Event(state.Event{Name: "visibility"})
	if p.controller.State() != runstate.Running {
		t.Errorf("shown again: state %s", p.controller.State())
	}
	p.controller.Event(state.Event{Name: "pause"})
	p.controller.Event(state.Event{Name: "visibility", Hidden: true})
	p.controller.Event(state.Event{Name: "visibility"})
	if p.controller.State() != runstate.Paused {
		t.Errorf("paused by the user, hidden and shown again: state %s", p.controller.State())
	}
}

func TestControllerBadLinks(t *testing.T) {
	for link, says := range map[string]string{
		"v=2&model=mixture2&method=ais":                                      "v=2",
		"model=mixture2&method=ais":                                          "v=1",
		"v=1&model=nosuch&method=ais":                                        "nosuch",
		"v=1&model=mixture2&method=nosuch":                                   "nosuch",
		"v=1&model=mixture2":                                                 "method",
		"v=1&model=mixture2&method=ais&ais.chains=0":                         "ais.chains",
		"v=1&model=mixture2&method=ais&ais.chains=ten":                       "ais.chains",
		"v=1&model=mixture2&method=ais&ais.temperatures=1":                   "ais.temperatures",
		"v=1&model=mixture2&method=ais&rts.chains=10":                        "rts",
		"v=1&model=mixture2&method=ais&bogus=1":                              "bogus",
		"v=1&model=mixture2&method=ais&seed=-1":                              "seed",
		"v=1&model=mixture2&method=ais&seed=1&seed=2":                        "seed",
		"v=1&model=mixture2&method=ais&ais.schedule=cubic":                   "cubic",
		"v=1&model=mixture2&method=ais&ais.schedule=sm08&ais.temperatures=3": "sm08",
		"v=1&model=mixture2&method=ais&replicates=0":                         "replicates",
		"v=1&model=mixture2&method=ais&ais.chains=%zz":                       "percent",
		"v=1&model=file:xyz&method=ais":                                      "file:xyz",
		"nonsense":                                                           "nonsense",
	} {
		p := newPage(t, 2)
		p.controller.Open("#" + link)
		for range 20 {
			p.turn(10)
		}
		m := p.view.Message
		if p.view.State != runstate.Failed || m == nil || m.Level != "error" || !strings.Contains(m.Text, says) {
			t.Errorf("%s: state %s, message %+v, want one about %s", link, p.view.State, m, says)
			continue
		}
		if p.units > 0 || p.controller.Job != nil {
			t.Errorf("%s: %d units were sent", link, p.units)
		}
		for _, r := range p.view.Rows {
			if len(r.Cells) > 0 {
				t.Errorf("%s: row %s has cells", link, r.Method)
			}
		}
		// The way out works.
		if m.Action != nil {
			p.controller.Event(state.Event{Name: m.Action.Event, Value: m.Action.Value})
			if p.controller.State() != runstate.Loading && p.controller.State() != runstate.Running {
				t.Errorf("%s: after the way out the state is %s", link, p.controller.State())
			}
		}
	}
}

// own returns a small model as a JSON file, its link, and the result of the command.
func own(t *testing.T, f rbm.Params, methods string) (data []byte, link, want string) {
	t.Helper()
	w := make([][]float64, f.M)
	for i := range w {
		w[i] = f.W[i*f.J : (i+1)*f.J]
	}
	fields := map[string]any{"kind": "rbm", "W": w, "c_visible": f.C, "b_hidden": f.B, "name": "an unknown field"}
	if f.P1 != nil {
		fields["p1"] = f.P1
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	link, want = ownRun(t, data, methods)
	return data, link, want
}

// ownRun returns the link of an own file, and the result of the command.
func ownRun(t *testing.T, data []byte, methods string) (link, want string) {
	t.Helper()
	link = "v=1&model=" + modelfile.ID(data) + "&method=" + methods
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := catalog.Kinds.ReadFile(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Source{File: file}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := report.RunSpec(t.Context(), s, m, engine.Options{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return link, hashesOf(reports)
}

const ownMethods = "ais,rts&ais.chains=21&ais.temperatures=20&rts.chains=11&rts.init_rounds=1&" +
	"rts.sweeps=40&rts.temperatures=8"

// A link about an own file asks for it, refuses another, and gives the
// result of the command with the right one.
func TestControllerOwnFile(t *testing.T) {
	data, link, want := own(t, targets.RandomRBM(12, 6, .4, 3), ownMethods)
	other, _, _ := own(t, targets.RandomRBM(12, 6, .4, 4), ownMethods)
	p := newPage(t, 3)
	p.controller.Open("#" + link)
	p.show()
	m := p.view.Message
	if p.view.State != runstate.Idle || m == nil || m.Action == nil || m.Action.Event != "file" ||
		!strings.Contains(m.Text, modelfile.ID(data)) {
		t.Errorf("state %s, message %+v", p.view.State, m)
	}
	p.controller.File("other.json", other, 0)
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "refused") || p.units > 0 {
		t.Errorf("the wrong file: message %+v, %d units", m, p.units)
	}
	p.controller.File("broken.json", data[:len(data)/2], 0)
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "broken.json") || p.units > 0 {
		t.Errorf("a damaged file: message %+v, %d units", m, p.units)
	}
	p.controller.File("right.json", data, 0)
	if got := p.finish(); got != want {
		t.Errorf("hashes %s, want %s", got, want)
	}
	if p.view.Link != "#"+link || p.view.Message != nil {
		t.Errorf("link %s, message %+v", p.view.Link, p.view.Message)
	}
	// A file dropped on a finished page becomes its model, with its methods kept.
	p.controller.File("other.json", other, 0)
	p.finish()
	if p.view.Model != modelfile.ID(other) {
		t.Errorf("model %s after another file was dropped", p.view.Model)
	}
	// Back to a built-in one: the form of the own model's parameters is gone.
	p.controller.Event(state.Event{Name: "model", Value: "mixture2"})
	p.controller.Event(state.Event{Name: "run"})
	p.finish()
	if !strings.HasPrefix(p.view.Link, "#v=1&model=mixture2&") {
		t.Errorf("link %s", p.view.Link)
	}
}

// An own RBM of 20 hidden units without base rates: they are enumerated in lanes
// first (1024 blocks for 40 x 20), also when a worker is lost over it.
func TestControllerBaseRates(t *testing.T) {
	f := targets.RandomRBM(40, 20, .3, 6)
	f.P1 = nil
	data, _, want := own(t, f, "ais&ais.chains=20&ais.temperatures=12")
	for _, lose := range []bool{false, true} {
		p := newPage(t, 2)
		p.controller.Open("#v=1&model=" + modelfile.ID(data) + "&method=ais&ais.chains=20&ais.temperatures=12")
		p.controller.File("no-p1.json", data, 0)
		if p.controller.Job == nil || !p.controller.Job.Preparing() {
			t.Fatal("no base round")
		}
		if lose {
			p.turn(0)
			p.turn(1)
			for id, l := range p.controller.Workers.Lanes {
				if l.Task != nil {
					p.controller.Gone(id, "closed")
					break
				}
			}
		}
		if got := p.finish(); got != want {
			t.Errorf("lost worker %v: hash %s, want %s", lose, got, want)
		}
		if n := strings.Join(p.row("ais").Notes, " "); !strings.Contains(n, "the start was made from the model") {
			t.Errorf("notes: %s", n)
		}
	}
}

// After an edit no numbers of the previous experiment are shown.
func TestControllerControls(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(smallLink)
	hash := p.finish()
	link := p.view.Link
	cleared := func(what string) {
		t.Helper()
		p.show()
		for _, r := range p.view.Rows {
			if len(r.Cells) > 0 || r.State != runstate.MethodQueued {
				t.Errorf("%s: row %s is %s with %v", what, r.Method, r.State, r.Cells)
			}
		}
		if p.view.State != runstate.Idle || p.view.Link == link || p.view.RunOff {
			t.Errorf("%s: state %s, link %s", what, p.view.State, p.view.Link)
		}
	}
	// A bad value changes nothing and says why.
	p.controller.Event(state.Event{Name: "param", Key: "ais.chains", Value: "none", N: 7})
	p.show()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "ais.chains") || p.view.Link != link ||
		p.row("ais").Cells["hash"].Value == "" || p.view.Seen != 7 {
		t.Errorf("bad value: message %+v, link %s, seen %d", p.view.Message, p.view.Link, p.view.Seen)
	}
	for _, e := range []state.Event{
		{Name: "param", Key: "ais.chains", Value: "20"}, {Name: "seed", Value: "9"}, {Name: "replicates", Value: "2"},
		{Name: "method", Value: "rts", On: false}, {Name: "method", Value: "is", On: true}, {Name: "model", Value: "ising16"},
	} {
		p.controller.Open(smallLink)
		if got := p.finish(); got != hash {
			t.Errorf("run again: %s, want %s", got, hash)
		}
		p.controller.Event(e)
		cleared(e.Name)
	}
	// The same value again is no change.
	p.controller.Open(smallLink)
	p.finish()
	p.controller.Event(state.Event{Name: "param", Key: "ais.chains", Value: "40"})
	p.show()
	if p.row("ais").Cells["hash"].Value == "" {
		t.Error("an unchanged value cleared the results")
	}
	// The last method stays.
	p.controller.Event(state.Event{Name: "method", Value: "ais"})
	p.controller.Event(state.Event{Name: "method", Value: "rts"})
	p.show()
	if len(p.view.Rows) != 1 || p.view.Message == nil {
		t.Errorf("rows %v, message %+v", p.view.Rows, p.view.Message)
	}
	// New seed runs at once; the share sheet copies the link.
	p.controller.Event(state.Event{Name: "new-seed"})
	p.finish()
	p.controller.Event(state.Event{Name: "scene", Value: "trace"})
	p.controller.Event(state.Event{Name: "share"})
	p.controller.Event(state.Event{Name: "copy", Value: "link"})
	p.show()
	if !strings.Contains(p.view.Link, "&seed=4242&") || p.Copied != p.view.Link ||
		!strings.HasSuffix(p.Copied, "&view.scene=trace") {
		t.Errorf("link %s, copied %s", p.view.Link, p.Copied)
	}
	// What was copied opens as what it was.
	q := newPage(t, 1)
	q.controller.Open(p.Copied)
	if got, want := q.finish(), p.row("rts").Cells["hash"].Value; got != want || q.view.Scene != "trace" {
		t.Errorf("the copied link gives %s, want %s; scene %s", got, want, q.view.Scene)
	}
}

// TestControllerTypedNumbers: whole numbers may have the commas that the page itself writes;
// nothing else that has a comma is taken, and the link knows no commas.
func TestControllerTypedNumbers(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("#v=1&model=mixture2&method=ais,rm-optimal")
	for _, c := range []struct{ key, typed, want string }{
		{"ais.chains", "12,000", "12000"}, {"ais.chains", "12000", "12000"},
		{"ais.chains", "1,234,5", ""}, {"ais.chains", "1,5", ""}, {"ais.chains", "12,00", ""},
		{"ais.schedule", "power:1,000", ""},
	} {
		p.controller.Spec.Set = map[string]string{}
		p.controller.Problem = nil
		p.controller.Event(state.Event{Name: "param", Key: c.key, Value: c.typed})
		if got := p.controller.Spec.Set[c.key]; got != c.want || (p.controller.Problem == nil) != (c.want != "") {
			t.Errorf("%s typed as %s is %q, want %q; message %+v", c.key, c.typed, got, c.want, p.controller.Problem)
		}
	}
	if _, err := spec.ParseLink("v=1&model=mixture2&method=ais&ais.chains=12,000", catalog.Names{}); err == nil {
		t.Error("a link took 12,000")
	}
}

// TestControllerTargetWaits: an edited experiment has its target in the picture, the same
// model's only.
func TestControllerTargetWaits(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open("#v=1&model=mixture2&method=ais&ais.temperatures=20")
	p.finish()
	for _, c := range []struct {
		e     state.Event
		waits bool
	}{
		{state.Event{Name: "seed", Value: "7"}, true}, {state.Event{Name: "param", Key: "ais.chains", Value: "20"}, true},
		{state.Event{Name: "model", Value: "ising16"}, false}, {state.Event{Name: "model", Value: "mixture10"}, false},
		{state.Event{Name: "model", Value: "mixture2"}, true},
	} {
		before := p.fields
		p.controller.Event(c.e)
		if scene.Waits(p.controller.Outline()) != c.waits || p.fields > before != c.waits {
			t.Errorf("after %+v the target waits: %v, %d fields sent", c.e, scene.Waits(p.controller.Outline()), p.fields-before)
		}
	}
}
