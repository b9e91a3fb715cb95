package view

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators/report"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// Heights of the forest plot in em.
const (
	forestRow = 2.5
	forestRun = 1.625 // height of a heading over methods that use the same run
	forestTop = 1.375
)

// forestAxis returns an axis that covers the exact value and the results that are not rejected. Rejected results
// (verdict "stop") are covered as well, unless they would enlarge the axis more than eightfold. It returns false if
// there is no value.
func forestAxis(reports []*report.Report) (html.Axis, bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}

	// A result with its error bar, and with its sandwich if that is not too wide.
	coverResult := func(r *report.Report) {
		z, se := float64(r.LogZ), float64(r.SE)
		cover(z)
		cover(z - se)
		cover(z + se)
		if float64(r.Upper)-float64(r.Lower) < 30*max(se, .05) {
			cover(float64(r.Lower))
			cover(float64(r.Upper))
		}
	}

	// Results that are not rejected first; then others that do not enlarge the axis too much.
	for _, r := range reports {
		if r.Truth != nil {
			cover(float64(r.Truth.LogZ))
		}
		if r.Verdict.Level != report.Stop {
			coverResult(r)
		}
	}
	acceptedRange := hi - lo
	for _, r := range reports {
		z := float64(r.LogZ)
		if r.Verdict.Level == report.Stop && (!(acceptedRange > 0) || max(hi, z)-min(lo, z) < 8*acceptedRange) {
			coverResult(r)
		}
	}

	// Margins.
	if lo > hi {
		return html.Axis{}, false
	}
	pad := max(.1*(hi-lo), 1e-6*math.Abs(hi), 1e-9)
	if hi == lo { // a single value without an error bar defines no scale
		pad = max(pad, .5)
	}
	a := html.Axis{Lo: lo - pad, Hi: hi + pad}

	// Ticks: as many as their labels allow. Labels at the ends are moved inside, towards their neighbours.
	for n := 4; ; n-- {
		var step float64
		a.Ticks, step = format.Ticks(a.Lo, a.Hi, n)
		a.Digits = format.StepDecimals(step)
		if len(a.Ticks) < 2 {
			return a, true
		}
		labelWidth := html.Letters(format.Fixed(a.Ticks[0], a.Digits))
		last := len(a.Ticks) - 1
		if min(a.Place(a.Ticks[1])-max(a.Place(a.Ticks[0]), labelWidth/2), min(a.Place(a.Ticks[last]), 100-labelWidth/2)-
			a.Place(a.Ticks[last-1])) > labelWidth+html.Letters(" ") {
			return a, true
		}
	}
}

// forest compares the methods on one axis with the exact value and the sandwich. It is HTML, not a chart of
// render/chart, because each line has a button and text that must scale with the page.
func (p *page) forest() html.HTML {
	w := p.w
	if p.Pool.Course != nil {
		return p.poolForest()
	}
	section := func(class, title string, children ...html.HTML) html.HTML {
		return html.El(`section id="r-forest"`, html.At("class", "r-forest"+class, "aria-label", title),
			append([]html.HTML{html.TagText("h2", title)}, children...)...)
	}

	// The axis and the exact value.
	previous := p.PreviousResults()
	a, ok := forestAxis(slices.Concat(p.Reports, previous))
	if !ok {
		return section(" blank", w.T("forest.one"))
	}
	altText := w.T("forest.alt")
	rows, height := p.forestRows()
	first := height + forestRow/2
	height += forestRow * float64(len(previous))
	plot := a.Draw(height, p.Num)
	if t := slices.Concat(p.Reports, previous)[0].Truth; t != nil {
		altText += " " + w.T("exact.is", p.Num(format.Fixed(float64(t.LogZ), 2)))
		plot = append(plot, p.exactLine(a, float64(t.LogZ), height)...)
	}

	// One line for each method.
	var names []html.HTML
	for _, row := range rows {
		if row.heading != "" {
			names = append(names, html.El(`li class="run"`, html.At("data-key", "run "+row.heading), html.Text(row.heading)))
			continue
		}
		r := p.Reports[row.report]
		if report.IsNumber(r.LogZ) {
			plot = append(plot, p.estimate(a, r, row.report, row.y)...)
		}
		names = append(names, p.forestName(r, row.isShared))
	}

	// The results before the last edit.
	for i, r := range previous {
		mark := slices.Index(p.Spec.Methods, r.Method)
		plot = append(plot, html.Tag(`g class="was"`, p.estimate(a, r, max(mark, 0), first+forestRow*float64(i))...))
		names = append(names, html.El(`li class="was"`, html.At("data-key", "before "+r.Method),
			html.TagText("b", w.T("ghost.of", state.Label(r.Method))), html.TagText("span", p.FormatLogZ(r))))
	}

	title, note := p.forestTitle()
	return section("", title,
		html.Tag(`div class="forest"`, html.Tag("ul", names...),
			html.El(`svg class="plot" role="img"`, html.At("height", html.Em(height+1.25), "aria-label", altText), plot...)),
		html.TagText(`p class="why"`, note), p.poolButton())
}

// forestLine is a line of the forest plot: a method, or a heading over methods that use the same run.
type forestLine struct {
	heading  string // cost of the shared run; "" for a method
	report   int
	y        float64 // em
	isShared bool    // another method uses the same run
}

// forestRows returns the lines and the height of the plot. Methods that use the same run are grouped under its cost.
func (p *page) forestRows() (rows []forestLine, height float64) {
	height = forestTop
	runs := p.RunOwners()
	for i := range p.Reports {
		if runs[i] != i {
			continue // it is grouped with the first method of its run
		}
		var sharing []int
		for j := range p.Reports {
			if runs[j] == i {
				sharing = append(sharing, j)
			}
		}
		if len(sharing) > 1 {
			rows = append(rows, forestLine{heading: p.w.T("forest.run", p.Count(state.Cost(p.Reports[i],
				p.Planned[p.Reports[i].Method])))})
			height += forestRun
		}
		for _, j := range sharing {
			rows = append(rows, forestLine{report: j, y: height + forestRow/2, isShared: len(sharing) > 1})
			height += forestRow
		}
	}
	return rows, height
}

// forestTitle returns a title that says how costs compare, and a note on how to read the plot.
func (p *page) forestTitle() (title, note string) {
	w := p.w
	if len(p.Reports) == 0 {
		return w.T("forest.one"), ""
	}
	if len(p.Reports) == 1 {
		if report.IsNumber(p.Reports[0].Upper) {
			note = w.T("forest.sandwich")
		}
		return w.T("forest.one"), note
	}
	lo, hi := p.costRange()
	title, note = w.T("forest.equal"), w.T("forest.note")
	if p.oneRun() {
		title = w.T("forest.shared")
	} else if hi > 1.5*lo {
		title, note = w.T("forest.own"), w.T("forest.differ", p.Count(math.Round(hi/max(lo, 1))))
	}
	for _, r := range p.Reports {
		if c := r.Verdict.Failing(); c != nil && report.IsNumber(r.LogZ) && r != p.Shown() && !r.Early {
			note = w.T("forest.fails", state.Label(r.Method), CheckName(p.w, c), w.Measure(c.Text), w.Phrase(c.Meaning))
		}
	}
	return title, note
}

// exactLine draws the exact value.
func (p *page) exactLine(a html.Axis, exact, height float64) []html.HTML {
	x, label := a.Place(exact), p.w.T("exact.is", p.Num(format.Fixed(exact, max(a.Digits, 2))))
	half := 1.2 * html.Letters(label) / 2 // bold
	return []html.HTML{html.Line("exact", html.Percent(x), html.Em(forestTop-.2), html.Percent(x), html.Em(height)),
		html.El(`text class="mid"`, html.At("x", html.Inside(x, half), "y", html.Em(.85)),
			html.TagText(`tspan class="exact-label"`, label))}
}

// forestName returns a method with verdict and result; pressing it selects the method.
func (p *page) forestName(r *report.Report, shared bool) html.HTML {
	text, glyph := p.w.T("none.yet"), html.HTML("")
	if report.IsNumber(r.LogZ) {
		text = p.FormatLogZ(r)
		if level := state.Level(r); level != "none" {
			glyph = html.Tag(`span class="glyph"`, html.Icon("v-"+level, "i "+level),
				html.TagText(`span class="vh"`, p.w.T("verdict."+level)))
		}
	}
	class := html.Absent
	if shared {
		class = "in"
	}
	return html.El("li", html.At("data-key", r.Method, "class", class),
		html.El(`button type="button" class="name" data-event="focus"`,
			html.At("data-value", r.Method, "aria-pressed", html.Yes(r == p.Shown()), "title",
				p.w.T("focus.title", state.Label(r.Method))),
			html.Text(state.Label(r.Method))), glyph, html.TagText("span", text))
}

// estimate draws error bar, mark and sandwich of method i at the height y in em. A value beyond the axis becomes an
// arrow at the end of the axis.
func (p *page) estimate(a html.Axis, r *report.Report, i int, y float64) []html.HTML {
	z, se := float64(r.LogZ), float64(r.SE)
	if x := a.Place(z); x < 0 || x > 100 {
		id, place := "a-left", "1%"
		if x > 100 {
			id, place = "a-right", "99%"
		}
		return []html.HTML{html.El("svg", html.At("x", place, "y", html.Em(y), "class", "over m-"+fmt.Sprint(i%html.Marks)),
			html.El("use", html.At("href", "#"+id)))}
	}

	// The sandwich, the error bar, and the mark on top.
	var out []html.HTML
	line := func(class string, lo, hi float64) {
		out = append(out, html.Line(class, html.Percent(a.Place(lo)), html.Em(y), html.Percent(a.Place(hi)), html.Em(y)))
	}
	bracket := func(id string, x float64) {
		if position := a.Place(x); position >= 0 && position <= 100 {
			out = append(out, html.El(`svg class="over"`, html.At("x", html.Percent(position), "y", html.Em(y)),
				html.El("use", html.At("href", "#"+id))))
		}
	}
	if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 {
		line("sandwich", lo, hi)
		bracket("b-left", lo)
		bracket("b-right", hi)
	} else if num.Finite(lo) {
		bracket("b-left", lo)
	}
	if se >= 0 {
		line("bar m-"+fmt.Sprint(i%html.Marks), z-se, z+se)
	}
	return append(out, html.El("svg", html.At("x", html.Percent(a.Place(z)), "y", html.Em(y), "class",
		"over m-"+fmt.Sprint(i%html.Marks)),
		html.El("use", html.At("href", fmt.Sprintf("#f-%d", i%html.Marks)))))
}
