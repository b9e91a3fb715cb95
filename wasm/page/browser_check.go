package page

import (
	"fmt"
	"strings"

	"logzlab/core/runstate"
	"logzlab/core/workerapi"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// browserCheck runs the reference links one after another in this browser and compares their results with the expected
// ones.
type browserCheck struct {
	promises []report.GoldenResult // expected results, nil before the first check
	at       int                   // index of the current link; len(promises) at the end
	bad      []string              // differences
	began    float64
	seconds  float64
	back     string // link of the experiment before the check
	view     string // view settings before the check
}

// facts returns the state of the check.
func (c *browserCheck) facts() state.Check {
	return state.Check{Total: len(c.promises), Done: c.at, Differences: c.bad, Seconds: c.seconds}
}

func (c *browserCheck) inProgress() bool { return c.facts().InProgress() }

// startCheck begins a check and shows it; view are the view settings as the end of a link.
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
	// A program whose tape differs from the expected one leaves the run idle, with a message.
	stuck := c.State() == runstate.Failed || c.State() == runstate.Idle && c.Problem != nil
	if !check.inProgress() || c.State() != runstate.Done && !stuck {
		return
	}
	want := check.promises[check.at]
	link, _, _ := strings.Cut(want.Link, "&view.")
	if c.Panels.Sheet != "check" || c.Spec == nil || c.Spec.Link() != link { // the user has left the check
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
	if check.inProgress() {
		c.Open(check.promises[check.at].Link + check.view)
		return
	}
	c.Open(check.back)
}
