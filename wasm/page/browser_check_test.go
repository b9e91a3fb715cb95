package page

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/workerapi"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// The check runs every reference link, accepts correct results and names wrong ones; then the previous experiment
// returns.
func TestBrowserCheck(t *testing.T) {
	promises := report.Promises()[:3]
	p := newPage(t, 2)
	p.controller.Open(smallLink)
	p.finish()
	compiled := 0
	run := func(change func(*browserCheck)) string {
		p.controller.Event(state.Event{Name: "link", Value: "#check"})
		change(&p.controller.check)
		for range 20_000 {
			if p.turn(20); !p.controller.check.inProgress() {
				break
			}
			if len(p.Orders[workerapi.Compiler]) > compiled {
				compiled = len(p.Orders[workerapi.Compiler])
				p.compiles(compiled, "")
			}
		}
		p.show()
		return p.part("sheet")
	}
	s := run(func(c *browserCheck) { c.expected = promises })
	if !strings.Contains(s, "All 3 links give the expected results") || p.controller.Spec.Link() != smallLink {
		t.Errorf("after the check of %s: %s", p.controller.Spec.Link(), s)
	}
	programs := report.PromisesOf(workerapi.Golden)[:1]
	if s = run(func(c *browserCheck) { c.expected = programs; p.controller.Open(programs[0].Link) }); !strings.Contains(s,
		"All 1 links give the expected results") {
		t.Errorf("after the check of a program: %s", s)
	}
	wrong := slices.Clone(promises)
	wrong[1].Hash = "0"
	if s = run(func(c *browserCheck) { c.expected = wrong }); !strings.Contains(s, "1 of 3 links give different results") {
		t.Errorf("a wrong result is reported as %s", s)
	}
	p.controller.Event(state.Event{Name: "check"})
	p.turn(20)
	p.controller.Event(state.Event{Name: "sheet"})
	for range 2000 {
		p.turn(20)
	}
	if p.controller.check.inProgress() {
		t.Error("a check that was closed goes on")
	}
}
