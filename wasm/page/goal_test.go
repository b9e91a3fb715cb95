package page

import (
	"strings"
	"testing"

	"logzlab/wasm/page/state"
)

// A link with a goal shows the assignment, keeps it when settings change, and offers the code only if the goal is
// reached.
func TestGoal(t *testing.T) {
	const link = "#v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=30&view.goal=verdict:caution,se:0.001"
	p := newPage(t, 2)
	p.controller.Open(link)
	head := func() string { p.show(); return string(p.parts["r-head"]) }
	if s := head(); !strings.Contains(s, "standard error of at most 0.001 nats, verdict Caution or better") {
		t.Errorf("the assignment is not shown: %s", s)
	}
	p.finish()
	if s := head(); !strings.Contains(s, "Not reached: the standard error of ais is ") || strings.Contains(s, `data-value="result"`) {
		t.Errorf("a goal that is not reached: %s", s)
	}
	if !strings.HasSuffix(p.view.Link, "&view.goal=se:0.001,verdict:caution") {
		t.Errorf("the link is %s", p.view.Link)
	}

	p = newPage(t, 2)
	p.controller.Open("#v=1&model=mixture2&method=ais&ais.chains=100&view.goal=se:0.2")
	p.finish()
	if s := head(); !strings.Contains(s, `data-value="result"`) || !strings.Contains(s, "Reached.") {
		t.Errorf("a goal that is reached: %s", s)
	}
	for _, bad := range []string{"se:0", "se:-1", "se:nan", "se:inf", "verdict:stop", "se:1,se:2", "x", "se:1,"} {
		if _, err := state.ParseGoal(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}
