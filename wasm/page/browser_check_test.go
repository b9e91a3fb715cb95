package page

import (
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/report"
)

// The check runs every golden link and finds the digits right; wrong ones it names; what was on show comes back.
func TestBrowserCheck(t *testing.T) {
	promises := report.Promises()[:3]
	p := newPage(t, 2)
	p.brain.Open(smallLink)
	p.finish()
	run := func(change func(*browserCheck)) string {
		p.brain.Event(Event{Name: "link", Value: "#check"})
		change(&p.brain.digits)
		for range 20_000 {
			if p.turn(20); !p.brain.digits.going() {
				break
			}
		}
		p.show()
		return string(p.brain.pane().sheetPart())
	}
	s := run(func(c *browserCheck) { c.promises = promises })
	if !strings.Contains(s, "All 3 links give the promised digits") || p.brain.spec.Link() != smallLink {
		t.Errorf("after the check of %s: %s", p.brain.spec.Link(), s)
	}
	wrong := slices.Clone(promises)
	wrong[1].Hash = "0"
	if s = run(func(c *browserCheck) { c.promises = wrong }); !strings.Contains(s, "1 of 3 links give other digits") {
		t.Errorf("a wrong digit is told as %s", s)
	}
	p.brain.Event(Event{Name: "check"})
	p.turn(20)
	p.brain.Event(Event{Name: "sheet"})
	for range 2000 {
		p.turn(20)
	}
	if p.brain.digits.going() {
		t.Error("a check that was closed goes on")
	}
}
