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

// Sharing handles links, exported files and result codes, and sends messages to an embedding page.
type Sharing struct {
	*shared.Context
	state.Sharing
	facts run.Facts
	Codes codes

	copiedAt    float64
	lastMessage string      // last message to the embedding page: "", ready or result
	card        chan []byte // receives the preview picture of a short link, nil if none is expected
}

// New returns a Sharing.
func New(d *shared.Context, f run.Facts) Sharing { return Sharing{Context: d, facts: f} }

// NewRun is called at the start of a run, whose messages are then sent to the embedding page.
func (x *Sharing) NewRun() { x.lastMessage = "" }

// Begin sets the check boxes of the share sheet when it opens.
func (x *Sharing) Begin() { x.Hides = slices.Clone(x.Settings.Hide) }

// showCopied shows for some seconds that something was copied.
func (x *Sharing) showCopied(text string) { x.Copied, x.copiedAt = text, x.Host.Now() }

// setOption handles the check box name of the share sheet.
func (x *Sharing) setOption(name string, isChecked bool) {
	x.Hides = slices.DeleteFunc(x.Hides, func(h string) bool { return h == name })
	switch {
	case name == "receipt":
		x.ExpectsHashes = isChecked
	case name == "fresh":
		x.Fresh = isChecked
	case !isChecked && slices.Contains(state.Hideable, name):
		x.Hides = append(x.Hides, name)
		state.SortBy(x.Hides, state.AllHideable)
	}
}

// copiedTime is how many seconds a message that something was copied is shown.
const copiedTime = 3

// Expire removes an old message that something was copied, and reports whether there was one.
func (x *Sharing) Expire(now float64) bool {
	expired := x.Copied != "" && now-x.copiedAt > copiedTime
	if expired {
		x.Copied = ""
	}
	return expired
}

// notCopied shows a text that could not be copied, so that the user can copy it by hand.
func (x *Sharing) notCopied(text string) {
	if x.Panels.Sheet != "" {
		x.Copied, x.copiedAt = text, math.Inf(1)
		return
	}
	x.Problem = &state.Message{Level: "info", Text: text}
}

// TellParent tells the embedding page that a run is ready, and sends it the reports when the run is done.
func (x *Sharing) TellParent(reports []*report.Report) {
	if !x.Settings.Embed {
		return
	}
	switch {
	case x.lastMessage == "" && x.facts.Job() != nil:
		x.lastMessage = "ready"
		x.Host.PostParent("ready", "")
	case x.lastMessage == "ready" && x.facts.State() == runstate.Done:
		x.lastMessage = "result"
		x.Host.PostParent("result", string(report.JSON(reports)))
	}
}
