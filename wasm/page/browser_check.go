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
func (b *Brain) startCheck(view string) {
	back := state.DefaultLink + view
	if b.Spec != nil && !b.Address.Bad {
		back = b.Spec.Link() + view
	}
	b.check = browserCheck{promises: append(report.Promises(), report.PromisesOf(workerapi.Golden)...),
		began: b.Host.Now(), back: back, view: view}
	b.openSheet("check")
	b.Open(b.check.promises[0].Link + view)
}

// goOnChecking compares the digits of a golden link that is over, and opens the next one.
func (b *Brain) goOnChecking() {
	c := &b.check
	// a program that makes another tape than promised leaves the run idle, with a message
	stuck := b.State() == runstate.Failed || b.State() == runstate.Idle && b.Problem != nil
	if !c.going() || b.State() != runstate.Done && !stuck {
		return
	}
	want := c.promises[c.at]
	link, _, _ := strings.Cut(want.Link, "&view.")
	if b.Panels.Sheet != "check" || b.Spec == nil || b.Spec.Link() != link { // the user does something else
		c.promises = nil
		return
	}
	got := report.GoldenResult{Link: want.Link}
	if r := b.Results(); b.State() == runstate.Done && len(r) == 1 {
		got = r[0].Golden()
		got.Link = want.Link
	}
	if got != want {
		c.bad = append(c.bad, fmt.Sprintf("%s: %s %s, %s %s", want.Link, got.LogZ, got.Hash, want.LogZ, want.Hash))
	}
	c.at++
	c.seconds = b.Host.Now() - c.began
	if c.going() {
		b.Open(c.promises[c.at].Link + c.view)
		return
	}
	b.Open(c.back)
}
