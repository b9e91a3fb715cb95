package render

import "strings"

// Words are all words of the canvas, in English; a page in another language sends
// translations by these. Formulas, method names and numbers stay as they are.
var Words = []string{
	"No particles yet", "No plane for this model", "No ladder yet", "No estimate yet",
	"forward", "reverse", "initial", "final", "exact", "base", "sweep", "sweeps",
	"Particle", "particle", "particles", "of", "of the mass", "of the mean", "weight", "log weight", "units on",
	"Show all", "By temperature", "now", "so far",
	"Chains", "chain", "chains", "last", "chains here now", "sweeps before now", "Occupancy", "occupancy",
	"log Z by rung", "Its error", "Its error bar", "error", "nats", "Rung", "rungs", "rows",
	"log Z, nats", "Error bar, nats", "chain-sweeps", "upper", "lower",
	"slope \u2212\u00bd: four times the work, half the bar",
	"No functions yet", "init", "move", "smooth", "generate", "resample", "augment", "live", "paused", "done", "stopped", "Back to live", "Back to the newest", "Back to the end",
	"More pictures", "Larger pictures", "All particles", "and its ancestors", "tap: its ancestors", "died out at", "begins at", "no picture at", "empty: not among the first", "no picture: not among the first", "island", "Pixel", "on in",
	"pixels", "data", "stages", "Lineage", "who begot whom", "Evidence", "log Z so far", "Error", "nats, with band",
	"Spread", "islands, from their mean", "ESS ratio", "ESS ratio \u03b3", "low: generate", "low: resample", "Particles",
	"batches stacked", "generated", "resampled", "Function", "probability of 1", "label", "its probability", "Datum", "misfits",
}

// say is an English word of the canvas in the language of the page. A number at
// the end, as in "initial 3", is kept.
func (a *area) say(english string) string {
	if s, ok := a.words[english]; ok {
		return s
	}
	if i := strings.LastIndexByte(english, ' '); i > 0 && strings.Trim(english[i+1:], "0123456789") == "" {
		if s, ok := a.words[english[:i]]; ok {
			return s + english[i:]
		}
	}
	return english
}
