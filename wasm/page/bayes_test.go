package page

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

const fewPoints = "v=1&model=linreg-line&method=aisel&aisel.particles=50&aisel.temperatures=15"

// A link names another model of the same data to compare the model with. The other model is run afterwards, by the same
// method; no digit changes.
func TestBayesFactorFromLink(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(fewPoints + "&view.against=linreg-bend")
	if got, want := p.finish(), native(t, fewPoints); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
	head := string(p.parts["r-head"])
	for _, part := range []string{"Log Bayes factor against linreg-bend: ", "exactly 2.78", "as likely under linreg-line as",
		"positive evidence", "odds before the data"} {
		if !strings.Contains(head, part) {
			t.Errorf("the head lacks %q: %s", part, head)
		}
	}
	if !strings.Contains(string(p.parts["setup"]), `<select id="against"`) ||
		!strings.HasSuffix(p.controller.Outline().URL(p.controller.Settings), "&view.against=linreg-bend") {
		t.Errorf("the link is %s", p.controller.Outline().URL(p.controller.Settings))
	}
	p.controller.Event(state.Event{Name: "against", Value: "linreg-level"})
	p.until("the other model", func() bool { return p.controller.State() == runstate.Done })
	p.show()
	if head := string(p.parts["r-head"]); !strings.Contains(head, "against linreg-level") ||
		!strings.Contains(head, "very strong evidence") {
		t.Errorf("against another model: %s", head)
	}
	p.controller.Event(state.Event{Name: "against"})
	p.show()
	if head := string(p.parts["r-head"]); strings.Contains(head, "Bayes") {
		t.Errorf("against none: %s", head)
	}
	p.controller.Event(state.Event{Name: "against", Value: "linreg-bend"}) // what is known is not run again
	p.show()
	if p.controller.State() != runstate.Done || !strings.Contains(string(p.parts["r-head"]), "against linreg-bend") {
		t.Errorf("%s: %s", p.controller.State(), p.parts["r-head"])
	}
}

// The page refuses to compare models of different data, with a message, and the run continues.
func TestBayesFactorRefusesOtherData(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(fewPoints + "&view.against=nig-12")
	p.finish()
	if m := p.view.Message; m == nil || !strings.Contains(m.Text, "not models of the same data") {
		t.Errorf("the message is %+v", m)
	}
	if head := string(p.parts["r-head"]); strings.Contains(head, "Bayes") || !strings.Contains(head, "r-num") {
		t.Errorf("the head is %s", head)
	}
}

// After a change of the model the new result is compared with the last one, if both models have the same data.
func TestBayesFactorAfterModelChange(t *testing.T) {
	p := newPage(t, 2)
	p.controller.Open(fewPoints)
	p.finish()
	for _, c := range []struct {
		model string
		want  bool
	}{{"linreg-bend", true}, {"nig-12", false}, {"mixture2", false}} {
		p.controller.Event(state.Event{Name: "model", Value: c.model})
		p.controller.Event(state.Event{Name: "run"})
		p.finish()
		if got := strings.Contains(string(p.parts["r-head"]), "Log Bayes factor against "); got != c.want {
			t.Errorf("%s: compared %v, want %v: %s", c.model, got, c.want, p.parts["r-head"])
		}
	}
	for i, name := range []string{"wide.json", "narrow.json"} {
		p.controller.File(name, []byte(`{"kind": "nig", "y": [1, 2, 1.5], "m0": 0, "k0": `+[]string{"0.01", "1"}[i]+
			`, "a0": 1, "b0": 1}`), i+1)
		p.until(name, func() bool { return p.controller.Own.Name == name && p.controller.State() == runstate.Done })
	}
	p.show()
	if head := string(p.parts["r-head"]); !strings.Contains(head, "Log Bayes factor against wide.json") ||
		!strings.Contains(head, "under narrow.json as under wide.json") {
		t.Errorf("two files: %s", head)
	}
}
