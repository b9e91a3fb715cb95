package page

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/stats"
)

// leastWeights is the number of log weights from which on they make a picture.
const leastWeights = 20

// weights shows the log weights behind the number as a histogram with two needles, the log of the mean weight, which is
// the estimate, and the mean of the log weights, which is too low by about half their variance. Empty where the method
// has no such weights.
func (p *pane) weights() HTML {
	w := p.w
	r := p.shown()
	if r == nil || len(r.LogWeights) < leastWeights || r.Spec.Replicates > 1 {
		return ""
	}
	all := stats.LogWeights(r.LogWeights)
	mean, _ := stats.MeanVar(r.LogWeights)
	lo, hi := slices.Min(r.LogWeights), slices.Max(r.LogWeights)
	if !(hi-lo > 1e-9) || math.IsInf(lo, 0) {
		return ""
	}
	pad := .06 * (hi - lo)
	a := axis{lo: lo - pad, hi: hi + pad}
	var step float64
	a.ticks, step = format.Ticks(a.lo, a.hi, 4)
	a.digits = format.StepDecimals(step)

	const bins, height, top = 24, 4.5, 1.25 // em
	var count [bins]int
	for _, x := range r.LogWeights {
		count[min(int(float64(bins*(x-a.lo)/(a.hi-a.lo))), bins-1)]++
	}
	plot := p.drawAxis(a, height)
	tall := float64(slices.Max(count[:]))
	for k, n := range count {
		if n > 0 {
			high := float64((height - top) * float64(n) / tall)
			plot = append(plot, el(`rect class="bin"`, at("x", percent(float64(100*k)/bins), "width", percent(95./bins),
				"y", em(height-high), "height", em(high))))
		}
	}
	logs := p.panels.logs
	needle := func(x float64, on bool, says string) {
		class := "needle"
		if on {
			class += " on"
		}
		plot = append(plot, svgLine(class, percent(a.place(x)), em(top-.2), percent(a.place(x)), em(height)))
		if on {
			half := 1.2 * letters(says) / 2
			plot = append(plot, el(`text class="mid"`, at("x", inside(a.place(x), half), "y", em(.85)),
				tagText(`tspan class="exact-label"`, says)))
		}
	}
	plot = append(plot, el(`rect class="gap"`, at("x", percent(a.place(mean)), "width",
		percent(max(a.place(all.LogMean)-a.place(mean), 0)), "y", em(top-.2), "height", ".4em")))
	needle(mean, logs, p.num(format.Fixed(mean, 2)))
	needle(all.LogMean, !logs, p.num(format.Fixed(all.LogMean, 2)))
	says := w.T("weights.mean", p.num(format.Fixed(all.LogMean, 2)))
	if logs {
		says = w.T("weights.logs", p.num(format.Fixed(mean, 2)))
	}
	says += " " + w.T("weights.gap", p.num(format.Fixed(all.LogMean-mean, 2)), p.num(format.Fixed(all.VarLog/2, 2)))
	choice := func(value, word string, on bool) HTML {
		return el(`button type="button" data-event="weights"`, at("data-value", value, "aria-pressed", yes(on)),
			text(w.T(word)))
	}
	return tag(`div class="weights" id="weights"`, tagText("h3", w.T("weights", len(r.LogWeights))),
		el(`div class="seg" role="group"`, at("aria-label", w.T("weights.choose")), choice("mean", "weights.by.mean", !logs),
			choice("logs", "weights.by.logs", logs)),
		el(`svg class="plot" role="img"`, at("height", em(height+1.25), "aria-label", says), plot...),
		tagText(`p class="why"`, says))
}
