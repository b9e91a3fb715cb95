package page

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/words"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// Settings of a run are set for all methods that read it, from the first of them; set at another one, they give that
// method a run of its own. A method that is added takes the settings of the run that is there.
func TestSettingsOfARun(t *testing.T) {
	var x state.Experiment
	x.Spec, _ = spec.ParseLink("v=1&model=mixture2&method=rts,ts&rts.chains=12&ts.chains=12", catalog.Names{})
	edit := func(name, key, value string) {
		t.Helper()
		s, err := x.Edited(state.Event{Name: name, Key: key, Value: value, On: true}, words.New("en"))
		if err != nil {
			t.Fatal(err)
		}
		x.Spec = s
	}
	link := func(want string) {
		t.Helper()
		if got := x.Spec.Link(); got != want {
			t.Errorf("link %s\nwant %s", got, want)
		}
	}
	edit("param", "rts.sweeps", "300")
	link("v=1&model=mixture2&method=rts,ts&rts.chains=12&rts.sweeps=300&ts.chains=12&ts.sweeps=300")
	edit("param", "rts.merge", "yes") // of rts alone
	edit("method", "", "ti")
	if got := engine.SameRun(x.Spec, catalog.Names{}, "ti"); !slices.Equal(got, []string{"rts", "ts", "ti"}) {
		t.Errorf("ti reads the run of %v: %s", got, x.Spec.Link())
	}
	edit("param", "ti.samples", "fixed")
	edit("param", "ts.chains", "20")
	for _, m := range x.Spec.Methods {
		if got := engine.SameRun(x.Spec, catalog.Names{}, m); !slices.Equal(got, []string{m}) {
			t.Errorf("%s reads the run of %v", m, got)
		}
	}
	if strings.Contains(x.Spec.Link(), "rts.chains=20") || strings.Contains(x.Spec.Link(), "ti.merge") {
		t.Error(x.Spec.Link())
	}
	// A parameter without effect is dropped with the parameter it needs, and is offered only where the parameter acts.
	controls := func() string {
		return string(view.Parts(&state.Snapshot{Experiment: x, Run: state.Run{State: runstate.Idle},
			Appearance: state.Appearance{Words: words.New("en")}})["setup"])
	}
	edit("param", "rts.init", "wl")
	edit("param", "rts.adapt_sweeps", "300")
	if !strings.Contains(x.Spec.Link(), "rts.adapt_sweeps=300") ||
		!strings.Contains(controls(), `data-param="rts.adapt_sweeps"`) {
		t.Error(x.Spec.Link())
	}
	edit("param", "rts.init", "ais")
	if strings.Contains(x.Spec.Link(), "adapt_sweeps") || strings.Contains(controls(), "adapt_sweeps") {
		t.Error(x.Spec.Link())
	}
	edit("model", "", "rbm-pcd-20")
	edit("method", "", "rm")
	edit("param", "rm.absent", "rates")
	edit("param", "order", "random")
	for _, model := range []string{"gpc-1d", "rbm-pcd-20"} {
		edit("model", "", model)
		if s := x.Spec.Link(); strings.Contains(s, "absent") || strings.Contains(s, "order") {
			t.Error(s)
		}
	}
}
