package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/models"
)

// head is the number: large, with its error bar, one sentence, and the verdict.
func (p *pane) head() HTML {
	w := p.w
	r := p.shown()
	of := []HTML{logZ}
	if p.spec != nil {
		of = append(of, tagText("span", w.T("by", label(p.spec.Methods[p.focus]))),
			tagText(`span class="model"`, w.T("model.seed", p.modelName(), p.spec.Seed)))
	}
	v, chip, why := "none", w.T("verdict.none"), w.T("why."+p.state)
	if r != nil {
		why = w.T("why.first")
		if m, ok := p.job.Model.(models.Sequential); ok && r.Provisional && catalog.Path(r.Method) == estimators.Sequential && len(r.Stages) > 0 {
			why = w.T("why.formed", len(r.Stages), m.Stages())
		}
	}
	num := []HTML{tagText(`span class="n soft"`, "–")}
	var reason []HTML
	if r != nil && report.IsNumber(r.LogZ) {
		d := format.Decimals(float64(r.SE))
		s := format.Fixed(float64(r.LogZ), d)
		bar := ""
		if report.IsNumber(r.SE) {
			bar = "± " + format.Fixed(float64(r.SE), d)
		}
		size := numberSize(utf8.RuneCountInString(s), utf8.RuneCountInString(bar))
		why = w.T("why.nobar")
		if r.SEMethod == estimators.SEIslands {
			why = w.T("why.noislands")
		}
		n := []HTML{text(s)}
		if report.IsNumber(r.SE) {
			n = []HTML{text(s[:len(s)-1]), tagText(`span class="soft"`, s[len(s)-1:])}
			num = []HTML{el(`span class="n"`, at("data-size", size), n...), tagText(`span class="pm"`, bar)}
			why = w.T("why.faint", p.source(r))
			if n := float64(r.Diagnostics[estimators.DiagIslands]); r.SEMethod == estimators.SEIslands && n >= 2 && n < 20 {
				why += " " + w.T("why.rough", math.Round(100/math.Sqrt(2*(n-1)))) // sd of the log of an sd of n
			}
		} else {
			num = []HTML{el(`span class="n"`, at("data-size", size), n...)}
		}
		v, chip = r.Verdict.Level, w.T("verdict."+r.Verdict.Level)
		if r.Provisional {
			chip = w.T("sofar", chip)
		}
		reason = p.reason(r)
	}
	var glyph HTML
	if v != "none" {
		glyph = icon("v-"+v, "i")
	}
	return el(`section id="r-head" class="r-head"`, at("aria-label", w.T("result")),
		tag(`p class="r-of"`, of...), tag(`p class="r-num"`, num...), tagText(`p class="why lead"`, why),
		el(`div class="verdict"`, at("data-v", v), glyph, tagText("span", chip)), tag(`p class="reason"`, reason...))
}

// numberSize is the largest type in which a number of n letters and its bar of m stand in
// one line of the narrowest pane, 288 pixels.
func numberSize(n, m int) string {
	switch room := float64(288 - 8 - 13*m); {
	case 31*float64(n) <= room:
		return "l"
	case 27.3*float64(n) <= room:
		return "m"
	}
	return "s"
}

func (p *pane) modelName() string {
	if p.ownChosen() {
		return p.own.name
	}
	return p.spec.Model
}

// source describes how an error bar was computed.
func (p *pane) source(r *report.Report) string {
	if n := r.Spec.Replicates; n > 1 {
		return p.w.T("from.replicates", len(r.Replicates))
	}
	for _, name := range []string{"islands", "chains", "particles"} {
		if s, ok := r.Spec.Params[name]; ok {
			x, _ := strconv.ParseFloat(s, 64)
			return p.w.T("from."+name, format.Thousands(x))
		}
	}
	return p.w.T("from.run")
}

// reason is the failing check, what it means and what to do; or that all pass.
func (p *pane) reason(r *report.Report) []HTML {
	w := p.w
	c := r.Verdict.Failing()
	if c == nil {
		n := len(r.Verdict.Checks)
		counts := strings.Fields(w.T("counts"))
		count := fmt.Sprint(n)
		if n < len(counts) {
			count = counts[n]
		}
		s := w.T("pass.n", count)
		switch n {
		case 1:
			s = w.T("pass.1")
		case 2:
			s = w.T("pass.2")
		}
		if r.Provisional {
			return []HTML{text(w.T("pass.sofar", s, percentOf(p.share())))}
		}
		return []HTML{text(s + ".")}
	}
	return []HTML{tagText("b", w.T("check.is", w.Phrase(c.Name), w.Measure(c.Text))), text(" " + w.Phrase(c.Means) + " " + w.Phrase(c.Do))}
}

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
		if x-x == 0 {
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
		if len(a.ticks) < 2 || float64((a.place(a.ticks[1])-a.place(a.ticks[0]))*axisLetters/100) > float64(len(format.Fixed(a.ticks[0], a.digits))+1) {
			return a, true
		}
	}
}

// axisLetters is how many letters of a label fit along the narrowest axis.
const axisLetters = 27

// Heights of the forest plot in em.
const (
	forestRow = 2.5
	forestTop = 1.375
)

func em(x float64) string { return fmt.Sprintf("%.3fem", x) }

// forest compares the methods on one axis with the exact value and the sandwich.
func (p *pane) forest() HTML {
	w := p.w
	out := func(class, title string, kids ...HTML) HTML {
		return el(`section id="r-forest"`, at("class", "r-forest"+class, "aria-label", title), append([]HTML{tagText("h3", title)}, kids...)...)
	}
	a, ok := newAxis(p.reports)
	if !ok {
		return out(" blank", w.T("forest.one"))
	}
	title, note := w.T("forest.one"), ""
	if len(p.reports) > 1 {
		lo, hi := p.costs()
		title, note = w.T("forest.equal"), w.T("forest.note")
		if p.oneRun() {
			title = w.T("forest.shared")
		} else if hi > 1.5*lo {
			title, note = w.T("forest.own"), w.T("forest.differ", format.Thousands(math.Round(hi/max(lo, 1))))
		}
	} else if report.IsNumber(p.reports[0].Upper) {
		note = w.T("forest.sandwich")
	}
	for _, r := range p.reports {
		if c := r.Verdict.Failing(); c != nil && report.IsNumber(r.LogZ) && len(p.reports) > 1 && r != p.shown() {
			note = w.T("forest.fails", label(r.Method), w.Phrase(c.Name), w.Measure(c.Text), w.Phrase(c.Means))
		}
	}
	height := forestTop + float64(forestRow*float64(len(p.reports)))
	line := func(class, x1, y1, x2, y2 string) HTML {
		return el("line", at("class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2))
	}
	plot := []HTML{line("base", "0", em(height), "100%", em(height))}
	for _, t := range a.ticks {
		x := percent(a.place(t))
		plot = append(plot, line("base", x, em(height), x, em(height+.25)),
			el(`text class="mid"`, at("x", x, "y", em(height+1.05)), tagText(`tspan class="t"`, format.Fixed(t, a.digits))))
	}
	var truth *float64
	if t := p.reports[0].Truth; t != nil {
		exact := float64(t.LogZ)
		truth = &exact
		x := a.place(exact)
		anchor := "mid"
		if x > 80 {
			anchor = "end"
		} else if x < 20 {
			anchor = "start"
		}
		plot = append(plot, line("exact", percent(x), em(forestTop-.2), percent(x), em(height)),
			el("text", at("x", percent(x), "y", em(.85), "class", anchor), tagText(`tspan class="exact-label"`, w.T("exact.is", format.Fixed(exact, max(a.digits, 2))))))
	}
	var names []HTML
	for i, r := range p.reports {
		y := forestTop + float64(forestRow*(float64(i)+.5))
		says := w.T("none.yet")
		if report.IsNumber(r.LogZ) {
			d := format.Decimals(float64(r.SE))
			says = format.Fixed(float64(r.LogZ), d)
			if report.IsNumber(r.SE) {
				says += " ± " + format.Fixed(float64(r.SE), d)
			}
			plot = append(plot, p.estimate(a, r, i, y)...)
		}
		level := r.Verdict.Level
		glyph := tag(`span class="glyph"`, icon("v-"+level, "i "+level), tagText(`span class="vh"`, w.T("verdict."+level)))
		if !report.IsNumber(r.LogZ) {
			glyph = ""
		}
		names = append(names, el("li", at("data-key", r.Method), tagText("b", label(r.Method)), glyph, tagText("span", says)))
	}
	says := w.T("forest.alt")
	if truth != nil {
		says += " " + w.T("exact.is", format.Fixed(*truth, 2))
	}
	return out("", title,
		tag(`div class="forest"`, tag("ul", names...),
			el(`svg class="plot" role="img"`, at("height", em(height+1.25), "aria-label", says), plot...)),
		tagText(`p class="why"`, note))
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
		return []HTML{el("svg", at("x", place, "y", em(y), "class", "over m-"+fmt.Sprint(i%3)), el("use", at("href", "#"+id)))}
	}
	var out []HTML
	line := func(class string, lo, hi float64) {
		out = append(out, el("line", at("class", class, "x1", percent(a.place(lo)), "y1", em(y), "x2", percent(a.place(hi)), "y2", em(y))))
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
	} else if lo-lo == 0 {
		bracket("b-left", lo)
	}
	if se >= 0 {
		line("bar m-"+fmt.Sprint(i%3), z-se, z+se)
	}
	return append(out, el("svg", at("x", percent(a.place(z)), "y", em(y), "class", "over m-"+fmt.Sprint(i%3)), el("use", at("href", fmt.Sprintf("#f-%d", i%3)))))
}

// checks lists the conditions of trust of the shown method, failing ones first.
func (p *pane) checks() HTML {
	w := p.w
	r := p.shown()
	if r == nil || r.Provisional && r.State != "failed" && !report.IsNumber(r.LogZ) { // nothing to check yet
		return el(`section id="r-checks" class="r-checks blank"`, at("aria-label", w.T("checks")), p.invite())
	}
	var items []HTML
	for _, level := range []string{report.Stop, report.Caution, report.Trust} {
		for _, c := range r.Verdict.Checks {
			if c.Level() == level {
				items = append(items, p.check(c))
			}
		}
	}
	title := w.T("checks.of", label(r.Method))
	hash := tagText("span", w.T("hash.later"))
	if r.State == "done" {
		hash = tagText("code", format.Spaced(r.Hash))
	}
	kids := []HTML{tag("h3", text(title), tagText("span", w.T("needs"))), tag(`ul class="checks"`, items...),
		tag(`p class="receipt"`, tagText("span", w.T("hash")), hash)}
	if says, level := p.receipt(); says != "" {
		kids = append(kids, el(`p class="receipt agree" id="receipt"`, at("data-level", level), icon("v-"+level, "i "+level), tagText("b", says)))
	}
	return el(`section id="r-checks" class="r-checks" tabindex="0"`, at("aria-label", title), append(kids, p.invite())...)
}

// check is one condition of trust.
func (p *pane) check(c report.VerdictCheck) HTML {
	w := p.w
	level, class := c.Level(), "fail"
	if c.OK {
		class = "passed"
	}
	return el("li", at("class", class, "data-key", c.Name, "title", w.Phrase(c.Means)),
		el("span", at("class", level), icon("v-"+level, "i"), tagText(`span class="vh"`, w.T("check."+class))),
		tagText("b", w.Phrase(c.Name)), tagText("em", w.Measure(c.Text)), tagText(`span class="needs"`, w.Phrase(c.Needs)))
}

// receipt compares the hashes with those that the link expects.
func (p *pane) receipt() (says, level string) {
	w := p.w
	if len(p.set.Expect) == 0 || len(p.reports) == 0 {
		return "", ""
	}
	for _, r := range p.reports {
		if r.State != "done" {
			return w.T("receipt.wait"), "info"
		}
	}
	if p.set.Agrees(p.reports) {
		return w.T("receipt.agree"), report.Trust
	}
	return w.T("receipt.differ"), report.Stop
}

// invite is the code that thirty phones can read from a projector.
func (p *pane) invite() HTML {
	if !p.set.Projector || p.spec == nil {
		return ""
	}
	return tag(`div class="invite"`, p.qr(p.url(Settings{Scene: p.set.Scene, Focus: p.set.Focus, Lesson: p.set.Lesson})),
		tag("p", tagText("b", p.w.T("invite")), text(p.w.T("invite.why"))))
}
