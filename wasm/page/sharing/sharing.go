package sharing

import (
	"math"
	"slices"

	"logzlab/core/runstate"
	"logzlab/estimators/report"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// Sharing is what the user takes away, and what an embedding page was told.
type Sharing struct {
	*shared.Context
	state.Sharing
	facts run.Facts
	Codes codes

	copiedAt float64
	told     string      // last state sent to the embedding page: "", ready or result
	card     chan []byte // takes the picture of the run for a short link, nil: none is awaited
}

// New has shared nothing yet.
func New(d *shared.Context, f run.Facts) Sharing { return Sharing{Context: d, facts: f} }

// Anew has the embedding page hear of another run.
func (x *Sharing) Anew() { x.told = "" }

// Begin opens the share sheet.
func (x *Sharing) Begin() { x.Hides = slices.Clone(x.Settings.Hide) }

// says is news for some seconds: that something was copied.
func (x *Sharing) says(text string) { x.Copied, x.copiedAt = text, x.Host.Now() }

// tick follows a box of the share sheet.
func (x *Sharing) tick(name string, on bool) {
	x.Hides = slices.DeleteFunc(x.Hides, func(h string) bool { return h == name })
	switch {
	case name == "receipt":
		x.Receipted = on
	case name == "fresh":
		x.Fresh = on
	case !on && slices.Contains(state.Hideable, name):
		x.Hides = append(x.Hides, name)
		state.SortBy(x.Hides, state.AllHideable)
	}
}

// copiedTime is how long it is news that something was copied, in seconds.
const copiedTime = 3

// Forget ends the news that something was copied, and reports whether there was any.
func (x *Sharing) Forget(now float64) bool {
	old := x.Copied != "" && now-x.copiedAt > copiedTime
	if old {
		x.Copied = ""
	}
	return old
}

// notCopied gives the user a text to copy by hand, in the open sheet until that is closed.
func (x *Sharing) notCopied(text string) {
	if x.Panels.Sheet != "" {
		x.Copied, x.copiedAt = text, math.Inf(1)
		return
	}
	x.Problem = &state.Message{Level: "info", Text: text}
}

// TellParent sends the state and the result to the page that embeds this one.
func (x *Sharing) TellParent(reports []*report.Report) {
	if !x.Settings.Embed {
		return
	}
	switch {
	case x.told == "" && x.facts.Job() != nil:
		x.told = "ready"
		x.Host.Parent("ready", "")
	case x.told == "ready" && x.facts.State() == runstate.Done:
		x.told = "result"
		x.Host.Parent("result", string(report.JSON(reports)))
	}
}
