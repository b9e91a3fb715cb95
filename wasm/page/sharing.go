package page

import (
	"math"
	"slices"

	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// sharing is what the user takes away, and what an embedding page was told.
type sharing struct {
	state.Sharing
	copiedAt float64
	told     string      // last state sent to the embedding page: "", ready or result
	card     chan []byte // takes the picture of the run for a short link, nil: none is awaited
}

// tick follows a box of the share sheet.
func (s *sharing) tick(name string, on bool) {
	s.Hides = slices.DeleteFunc(s.Hides, func(h string) bool { return h == name })
	switch {
	case name == "receipt":
		s.Receipted = on
	case name == "fresh":
		s.Fresh = on
	case !on && slices.Contains(state.Hideable, name):
		s.Hides = append(s.Hides, name)
		state.SortBy(s.Hides, state.Hideable)
	}
}

// copiedTime is how long it is news that something was copied, in seconds.
const copiedTime = 3

// forget ends the news that something was copied, and reports whether there was any.
func (s *sharing) forget(now float64) bool {
	old := s.Copied != "" && now-s.copiedAt > copiedTime
	if old {
		s.Copied = ""
	}
	return old
}

// notCopied gives the user a text to copy by hand, in the open sheet until that is closed.
func (b *Brain) notCopied(text string) {
	if b.Panels.Sheet != "" {
		b.sharing.Copied, b.sharing.copiedAt = text, math.Inf(1)
		return
	}
	b.Problem = &state.Message{Level: "info", Text: text}
}

// tellParent sends the state and the result to the page that embeds this one.
func (b *Brain) tellParent(reports []*report.Report) {
	if !b.Settings.Embed {
		return
	}
	switch {
	case b.sharing.told == "" && b.Job != nil:
		b.sharing.told = "ready"
		b.Host.Parent("ready", "")
	case b.sharing.told == "ready" && b.State == "done":
		b.sharing.told = "result"
		b.Host.Parent("result", string(report.JSON(reports)))
	}
}
