package page

import (
	"fmt"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/workerapi"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// browserCheck runs the golden links one after another in this browser and compares the digits with the promised ones.
type browserCheck struct {
	promises []report.GoldenResult // nil: there has been no check
	at       int                   // the one under way; len(promises): it is over
	bad      []string              // what differs
	began    float64
	seconds  float64
	back     string // the experiment that was on show before
	view     string // how the page looked
}

// facts are how the check stands.
func (c *browserCheck) facts() state.Check {
	return state.Check{Of: len(c.promises), At: c.at, Bad: c.bad, Seconds: c.seconds}
}

func (c *browserCheck) going() bool { return c.facts().Going() }

// startCheck begins a check and shows it; view are settings of the view as links end with them.
func (c *Controller) startCheck(view string) {
	back := state.DefaultLink + view
	if c.Spec != nil && !c.Address.Bad {
		back = c.Spec.Link() + view
	}
	c.check = browserCheck{promises: append(report.Promises(), report.PromisesOf(workerapi.Golden)...),
		began: c.Host.Now(), back: back, view: view}
	c.openSheet("check")
	c.Open(c.check.promises[0].Link + view)
}

// continueCheck compares the finished result of a golden link with the expected one, and opens the next link.
func (c *Controller) continueCheck() {
	check := &c.check
	// a program that makes another tape than promised leaves the run idle, with a message
	stuck := c.State() == runstate.Failed || c.State() == runstate.Idle && c.Problem != nil
	if !check.going() || c.State() != runstate.Done && !stuck {
		return
	}
	want := check.promises[check.at]
	link, _, _ := strings.Cut(want.Link, "&view.")
	if c.Panels.Sheet != "check" || c.Spec == nil || c.Spec.Link() != link { // the user does something else
		check.promises = nil
		return
	}
	got := report.GoldenResult{Link: want.Link}
	if r := c.Results(); c.State() == runstate.Done && len(r) == 1 {
		got = r[0].Golden()
		got.Link = want.Link
	}
	if got != want {
		check.bad = append(check.bad, fmt.Sprintf("%s: %s %s, %s %s", want.Link, got.LogZ, got.Hash, want.LogZ, want.Hash))
	}
	check.at++
	check.seconds = c.Host.Now() - check.began
	if check.going() {
		c.Open(check.promises[check.at].Link + check.view)
		return
	}
	c.Open(check.back)
}
