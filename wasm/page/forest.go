package page

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators/report"
)

// axis is the range and the ticks of the forest plot, in nats.
type axis struct {
	lo, hi float64
	ticks  []float64
	digits int
}

// place is where x lies, in percent of the plot's width, within margins for marks.
func (a axis) place(x float64) float64 { return 4 + 92*(x-a.lo)/(a.hi-a.lo) }

func percent(x float64) string { return fmt.Sprintf("%.2f%%", min(max(x, 0), 100)) }

// newAxis covers the exact value and the trusted results; results that are not trusted are
// covered too unless they would squeeze the others.
func newAxis(reports []*report.Report) (axis, bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	whole := func(r *report.Report) {
		z, se := float64(r.LogZ), float64(r.SE)
		cover(z)
		cover(z - se)
		cover(z + se)
		if float64(r.Upper)-float64(r.Lower) < 30*max(se, .05) {
			cover(float64(r.Lower))
			cover(float64(r.Upper))
		}
	}
	for _, r := range reports {
		if r.Truth != nil {
			cover(float64(r.Truth.LogZ))
		}
		if r.Verdict.Level != report.Stop {
			whole(r)
		}
	}
	good := hi - lo
	for _, r := range reports {
		z := float64(r.LogZ)
		if r.Verdict.Level == report.Stop && (!(good > 0) || max(hi, z)-min(lo, z) < 8*good) {
			whole(r)
		}
	}
	if lo > hi {
		return axis{}, false
	}
	pad := max(.1*(hi-lo), 1e-6*math.Abs(hi), 1e-9)
	if hi == lo { // a single number without an error bar gives no scale
		pad = max(pad, .5)
	}
	a := axis{lo: lo - pad, hi: hi + pad}
	for n := 4; ; n-- { // as many as have room for their labels
		var step float64
		a.ticks, step = format.Ticks(a.lo, a.hi, n)
		a.digits = format.StepDecimals(step)
		if len(a.ticks) < 2 {
			return a, true
		}
		room := float64((a.place(a.ticks[1]) - a.place(a.ticks[0])) * axisLetters / 100)
		if room > float64(len(format.Fixed(a.ticks[0], a.digits))+1) {
			return a, true
		}
	}
}

// axisLetters is how many letters of a label fit along the narrowest axis.
const axisLetters = 27

// Heights of the forest plot in em.
const (
	forestRow = 2.5
	forestRun = 1.625 // of a line over the readers of a run
	forestTop = 1.375
)

func em(x float64) string { return fmt.Sprintf("%.3fem", x) }

// forest compares the methods on one axis with the exact value and the sandwich.
func (p *pane) forest() HTML {
	w := p.w
	if runs := p.poolable(); p.set.Pool && runs != nil {
		return p.poolForest(runs)
	}
	out := func(class, title string, kids ...HTML) HTML {
		return el(`section id="r-forest"`, at("class", "r-forest"+class, "aria-label", title),
			append([]HTML{tagText("h2", title)}, kids...)...)
	}
	ghosts := p.ghosts()
	a, ok := newAxis(slices.Concat(p.reports, ghosts))
	if !ok {
		return out(" blank", w.T("forest.one"))
	}
	says := w.T("forest.alt")
	rows, height := p.forestRows()
	first := height + forestRow/2
	height += forestRow * float64(len(ghosts))
	plot := p.drawAxis(a, height)
	if t := slices.Concat(p.reports, ghosts)[0].Truth; t != nil {
		says += " " + w.T("exact.is", p.num(format.Fixed(float64(t.LogZ), 2)))
		plot = append(plot, p.exactLine(a, float64(t.LogZ), height)...)
	}
	var names []HTML
	for _, row := range rows {
		if row.run != "" {
			names = append(names, el(`li class="run"`, at("data-key", "run "+row.run), text(row.run)))
			continue
		}
		r := p.reports[row.report]
		if report.IsNumber(r.LogZ) {
			plot = append(plot, p.estimate(a, r, row.report, row.y)...)
		}
		names = append(names, p.forestName(r, row.shared))
	}
	for i, r := range ghosts {
		mark := slices.Index(p.spec.Methods, r.Method)
		plot = append(plot, tag(`g class="was"`, p.estimate(a, r, max(mark, 0), first+forestRow*float64(i))...))
		names = append(names, el(`li class="was"`, at("data-key", "before "+r.Method),
			tagText("b", w.T("ghost.of", label(r.Method))), tagText("span", p.withBar(r))))
	}
	title, note := p.forestTitle()
	return out("", title,
		tag(`div class="forest"`, tag("ul", names...),
			el(`svg class="plot" role="img"`, at("height", em(height+1.25), "aria-label", says), plot...)),
		tagText(`p class="why"`, note), p.poolButton())
}

// forestLine is a line of the forest plot: a method, or what the readers of one run have in common.
type forestLine struct {
	run    string // "": a method
	report int
	y      float64 // em
	shared bool    // another method reads the same run
}

// forestRows lists the methods; those that read one run stand together, under the cost that they share. It also
// returns the height of all.
func (p *pane) forestRows() (rows []forestLine, height float64) {
	height = forestTop
	runs := p.runsOf(p.reports)
	for i := range p.reports {
		if runs[i] != i {
			continue // it stands with the first reader
		}
		var readers []int
		for j := range p.reports {
			if runs[j] == i {
				readers = append(readers, j)
			}
		}
		if len(readers) > 1 {
			rows = append(rows, forestLine{run: p.w.T("forest.run", p.count(p.cost(p.reports[i])))})
			height += forestRun
		}
		for _, j := range readers {
			rows = append(rows, forestLine{report: j, y: height + forestRow/2, shared: len(readers) > 1})
			height += forestRow
		}
	}
	return rows, height
}

// forestTitle says what the methods have in common, and what to make of their numbers.
func (p *pane) forestTitle() (title, note string) {
	w := p.w
	if len(p.reports) == 0 {
		return w.T("forest.one"), ""
	}
	if len(p.reports) == 1 {
		if report.IsNumber(p.reports[0].Upper) {
			note = w.T("forest.sandwich")
		}
		return w.T("forest.one"), note
	}
	lo, hi := p.costs()
	title, note = w.T("forest.equal"), w.T("forest.note")
	if p.oneRun() {
		title = w.T("forest.shared")
	} else if hi > 1.5*lo {
		title, note = w.T("forest.own"), w.T("forest.differ", p.count(math.Round(hi/max(lo, 1))))
	}
	for _, r := range p.reports {
		if c := r.Verdict.Failing(); c != nil && report.IsNumber(r.LogZ) && r != p.shown() {
			note = w.T("forest.fails", label(r.Method), p.checkName(c), w.Measure(c.Text), w.Phrase(c.Means))
		}
	}
	return title, note
}

// svgLine is a line of a plot.
func svgLine(class, x1, y1, x2, y2 string) HTML {
	return el("line", at("class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2))
}

// drawAxis is the axis below a plot of a height in em.
func (p *pane) drawAxis(a axis, height float64) []HTML {
	plot := []HTML{svgLine("base", "0", em(height), "100%", em(height))}
	for _, t := range a.ticks {
		x, label := percent(a.place(t)), p.num(format.Fixed(t, a.digits))
		half := letters(label) / 2 // no label is cut at the ends
		plot = append(plot, svgLine("base", x, em(height), x, em(height+.25)),
			el(`text class="mid"`, at("x", inside(a.place(t), half), "y", em(height+1.05)),
				tagText(`tspan class="t"`, label)))
	}
	return plot
}

// exactLine marks the exact value.
func (p *pane) exactLine(a axis, exact, height float64) []HTML {
	x, label := a.place(exact), p.w.T("exact.is", p.num(format.Fixed(exact, max(a.digits, 2))))
	half := 1.2 * letters(label) / 2 // bold
	return []HTML{svgLine("exact", percent(x), em(forestTop-.2), percent(x), em(height)),
		el(`text class="mid"`, at("x", inside(x, half), "y", em(.85)),
			tagText(`tspan class="exact-label"`, label))}
}

// inside is the middle of a label at x, as near as the label is not cut at the ends of the axis.
func inside(x, half float64) string { return percent(min(max(x, half), 100-half)) }

// letters is how wide a label is at most, in percent of the axis.
func letters(s string) float64 { return 100 * float64(utf8.RuneCountInString(s)) / axisLetters }

// forestName is a method with its verdict and its number; a press on it makes the number large.
func (p *pane) forestName(r *report.Report, shared bool) HTML {
	says, glyph := p.w.T("none.yet"), HTML("")
	if report.IsNumber(r.LogZ) {
		says = p.withBar(r)
		level := r.Verdict.Level
		glyph = tag(`span class="glyph"`, icon("v-"+level, "i "+level), tagText(`span class="vh"`, p.w.T("verdict."+level)))
	}
	in := absent
	if shared {
		in = "in"
	}
	return el("li", at("data-key", r.Method, "class", in), el(`button type="button" class="name" data-event="focus"`,
		at("data-value", r.Method, "aria-pressed", yes(r == p.shown()), "title", p.w.T("focus.title", label(r.Method))),
		text(label(r.Method))), glyph, tagText("span", says))
}

// withBar is log Z with its error bar, if it has one.
func (b *Brain) withBar(r *report.Report) string { return b.barred(float64(r.LogZ), float64(r.SE)) }

// barred is a number with its error bar; NaN: without.
func (b *Brain) barred(x, se float64) string {
	d := format.Decimals(se)
	s := format.Fixed(x, d)
	if num.Known(se) {
		s += " ± " + format.Fixed(se, d)
	}
	return b.num(s)
}

// estimate draws one method: bar, mark and the brackets of its sandwich. What lies
// beyond the axis is an arrow at its end.
func (p *pane) estimate(a axis, r *report.Report, i int, y float64) []HTML {
	z, se := float64(r.LogZ), float64(r.SE)
	if x := a.place(z); x < 0 || x > 100 {
		id, place := "a-left", "1%"
		if x > 100 {
			id, place = "a-right", "99%"
		}
		return []HTML{el("svg", at("x", place, "y", em(y), "class", "over m-"+fmt.Sprint(i%marks)),
			el("use", at("href", "#"+id)))}
	}
	var out []HTML
	line := func(class string, lo, hi float64) {
		out = append(out, svgLine(class, percent(a.place(lo)), em(y), percent(a.place(hi)), em(y)))
	}
	bracket := func(id string, x float64) {
		if at01 := a.place(x); at01 >= 0 && at01 <= 100 {
			out = append(out, el(`svg class="over"`, at("x", percent(at01), "y", em(y)), el("use", at("href", "#"+id))))
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
		line("bar m-"+fmt.Sprint(i%marks), z-se, z+se)
	}
	return append(out, el("svg", at("x", percent(a.place(z)), "y", em(y), "class", "over m-"+fmt.Sprint(i%marks)),
		el("use", at("href", fmt.Sprintf("#f-%d", i%marks)))))
}
