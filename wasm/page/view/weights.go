package view

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num/stats"
	"logzlab/render/html"
)

// minWeights is the smallest number of log weights for which the histogram is drawn.
const minWeights = 20

// weights draws the log weights as a histogram with two marks: the log of the mean weight, which is the estimate, and
// the mean of the log weights, which is too low by about half their variance. It is "" if the method has no such
// weights.
func (p *page) weights() html.HTML {
	w := p.w
	r := p.Shown()
	if r == nil || len(r.LogWeights) < minWeights || r.Spec.Replicates > 1 {
		return ""
	}
	summary := stats.LogWeights(r.LogWeights)
	mean, _ := stats.MeanVar(r.LogWeights)
	lo, hi := slices.Min(r.LogWeights), slices.Max(r.LogWeights)
	if !(hi-lo > 1e-9) || math.IsInf(lo, 0) {
		return ""
	}

	// The axis of log weights.
	pad := .06 * (hi - lo)
	a := html.Axis{Lo: lo - pad, Hi: hi + pad}
	var step float64
	a.Ticks, step = format.Ticks(a.Lo, a.Hi, 4)
	a.Digits = format.StepDecimals(step)

	// The bars of the histogram, with room for numbers above.
	const bins, height, top = 24, 4.5, 1.25 // em
	var count [bins]int
	for _, x := range r.LogWeights {
		count[min(int(float64(bins*(x-a.Lo)/(a.Hi-a.Lo))), bins-1)]++
	}
	plot := a.Draw(height, p.Num)
	maxCount := float64(slices.Max(count[:]))
	for k, n := range count {
		if n > 0 {
			barHeight := float64((height - top) * float64(n) / maxCount)
			plot = append(plot, html.El(`rect class="bin"`, html.At("x", html.Percent(float64(100*k)/bins), "width",
				html.Percent(95./bins),
				"y", html.Em(height-barHeight), "height", html.Em(barHeight))))
		}
	}

	// The two marks, and the gap between them.
	showsMeanOfLogs := p.Panels.MeanOfLogs
	addMark := func(x float64, isSelected bool, label string) {
		class := "needle"
		if isSelected {
			class += " on"
		}
		plot = append(plot, html.Line(class, html.Percent(a.Place(x)), html.Em(top-.2), html.Percent(a.Place(x)),
			html.Em(height)))
		if isSelected {
			half := 1.2 * html.Letters(label) / 2
			plot = append(plot, html.El(`text class="mid"`, html.At("x", html.Inside(a.Place(x), half), "y", html.Em(.85)),
				html.TagText(`tspan class="exact-label"`, label)))
		}
	}
	plot = append(plot, html.El(`rect class="gap"`, html.At("x", html.Percent(a.Place(mean)), "width",
		html.Percent(max(a.Place(summary.LogMean)-a.Place(mean), 0)), "y", html.Em(top-.2), "height", ".4em")))
	addMark(mean, showsMeanOfLogs, p.Num(format.Fixed(mean, 2)))
	addMark(summary.LogMean, !showsMeanOfLogs, p.Num(format.Fixed(summary.LogMean, 2)))

	// The description, and the choice of the mark.
	description := w.T("weights.mean", p.Num(format.Fixed(summary.LogMean, 2)))
	if showsMeanOfLogs {
		description = w.T("weights.logs", p.Num(format.Fixed(mean, 2)))
	}
	description += " " + w.T("weights.gap", p.Num(format.Fixed(summary.LogMean-mean, 2)), p.Num(format.Fixed(summary.VarLog/2, 2)))
	choice := func(value, word string, isSelected bool) html.HTML {
		return html.El(`button type="button" data-event="weights"`, html.At("data-value", value, "aria-pressed",
			html.Yes(isSelected)),
			html.Text(w.T(word)))
	}
	return html.Tag(`div class="weights" id="weights"`, html.TagText("h3", w.T("weights", len(r.LogWeights))),
		html.El(`div class="seg" role="group"`, html.At("aria-label", w.T("weights.choose")),
			choice("mean", "weights.by.mean", !showsMeanOfLogs),
			choice("logs", "weights.by.logs", showsMeanOfLogs)),
		html.El(`svg class="plot" role="img"`, html.At("height", html.Em(height+1.25), "aria-label", description), plot...),
		html.TagText(`p class="why"`, description))
}
