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
	expected    []report.GoldenResult // expected results, nil before the first check
	current     int                   // index of the current link; len(expected) at the end
	differences []string              // descriptions of the results that differ
	startTime   float64               // seconds of Host.Now at the start of the check
	seconds     float64               // duration so far
	returnLink  string                // link of the experiment before the check
	viewSuffix  string                // view settings before the check
}

// facts returns the state of the check.
func (c *browserCheck) facts() state.Check {
	return state.Check{Total: len(c.expected), Done: c.current, Differences: c.differences, Seconds: c.seconds}
}

func (c *browserCheck) inProgress() bool { return c.facts().InProgress() }

// startCheck begins a check and shows its sheet. view has the current view settings, in the form of the end of a link.
func (c *Controller) startCheck(view string) {
	returnLink := state.DefaultLink + view
	if c.Spec != nil && !c.Address.Rejected {
		returnLink = c.Spec.Link() + view
	}
	c.check = browserCheck{expected: append(report.Promises(), report.PromisesOf(workerapi.Golden)...),
		startTime: c.Host.Now(), returnLink: returnLink, viewSuffix: view}
	c.openSheet("check")
	c.Open(c.check.expected[0].Link + view)
}

// continueCheck compares the finished result of a golden link with the expected one, and opens the next link.
func (c *Controller) continueCheck() {
	check := &c.check
	// A program whose tape differs from the expected one leaves the run idle, with a message.
	failed := c.State() == runstate.Failed || c.State() == runstate.Idle && c.Problem != nil
	if !check.inProgress() || c.State() != runstate.Done && !failed {
		return
	}
	want := check.expected[check.current]
	link, _, _ := strings.Cut(want.Link, "&view.")
	if c.Panels.Sheet != "check" || c.Spec == nil || c.Spec.Link() != link { // the user has left the check
		check.expected = nil
		return
	}
	got := report.GoldenResult{Link: want.Link}
	if r := c.Results(); c.State() == runstate.Done && len(r) == 1 {
		got = r[0].Golden()
		got.Link = want.Link
	}
	if got != want {
		check.differences = append(check.differences, fmt.Sprintf("%s: %s %s, %s %s", want.Link, got.LogZ, got.Hash, want.LogZ, want.Hash))
	}
	check.current++
	check.seconds = c.Host.Now() - check.startTime
	if check.inProgress() {
		c.Open(check.expected[check.current].Link + check.viewSuffix)
		return
	}
	c.Open(check.returnLink)
}
