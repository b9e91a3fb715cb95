package show

import (
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/words"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
	"logzlab/render/html"
	"logzlab/render/paint"
)

// reportPage renders a report.
type reportPage struct {
	w     *words.Language
	all   []*external.Report
	r     *external.Report // the report shown
	plots *external.PlotData
	units string
	fonts *paint.Fonts // of the charts, created with the first one

	name        string // of the files, if compared
	other       *fileSet
	otherReport *external.Report // of the other files, by the same method
}

// Units of free energy differences.
const (
	unitKT   = "kT"
	unitKJ   = "kJ/mol"
	unitKCal = "kcal/mol"
)

// unitsOf returns the requested unit if the files allow it, or else the unit of the files.
func unitsOf(wanted string, r *external.Report) string {
	switch {
	case r.FreeEnergy == nil:
		return "nats"
	case !verdict.IsNumber(r.FreeEnergy.KJ):
		return unitKT
	case wanted != "":
		return wanted
	case r.Units == unitKJ:
		return unitKJ
	}
	return unitKT
}

// factor returns the factor that converts log Z to the units shown.
func (p *reportPage) factor() float64 {
	kJ := samples.GasConstant * float64(p.r.Temperature)
	switch {
	case p.units == unitKJ:
		return -kJ
	case p.units == unitKCal:
		return -kJ / 4.184
	case p.units == unitKT:
		return -1
	}
	return 1
}

// withError formats a number with its error bar.
func (p *reportPage) withError(x, se verdict.Number) string {
	if !verdict.IsNumber(x) {
		return p.w.Phrase("none")
	}
	d := format.Decimals(float64(se))
	s := format.Fixed(float64(x), d)
	if verdict.IsNumber(se) {
		s += " ± " + format.Fixed(float64(se), d)
	}
	return p.w.Number(s)
}

// value formats log Z with its error bar, or the free energy difference in the units chosen.
func (p *reportPage) value(x, se verdict.Number) string {
	f := p.factor()
	return p.withError(x*verdict.Number(f), verdict.Number(math.Abs(f))*se)
}

// symbolHTML returns the symbol of the estimated quantity.
func (p *reportPage) symbolHTML() html.HTML {
	if p.r.FreeEnergy != nil {
		return `<span class="math">Δ<i>F</i></span>`
	}
	return html.LogZ
}

// headline returns the result as text.
func (p *reportPage) headline() string {
	name := "log Z"
	if p.r.FreeEnergy != nil {
		name = "ΔF"
	}
	return name + " = " + p.value(p.r.LogZ, p.r.SE) + " " + p.w.Phrase(p.units)
}

// body returns the whole report.
func (p *reportPage) body() html.HTML {
	kids := append([]html.HTML{p.head(), p.next()}, p.comparison())
	kids = append(kids, p.notes(), p.estimates(), p.checks())
	kids = append(kids, p.figures()...)
	kids = append(kids, p.rungs(), p.options(), p.receipt())
	return html.Tag(`article class="reading"`, kids...)
}

// section returns a section with a title.
func section(title string, kids ...html.HTML) html.HTML {
	return html.Tag("section", append([]html.HTML{html.TagText("h3", title)}, kids...)...)
}

// head returns the result, its verdict and the reason.
func (p *reportPage) head() html.HTML {
	r, w := p.r, p.w
	level := r.Verdict.Level
	of := []html.HTML{html.TagText(`span`, w.Phrase(r.Source)+", "+r.Method)}
	reason := []html.HTML{html.Text(w.Phrase("All checks pass."))}
	if c := r.Verdict.Failing(); c != nil {
		at := ""
		if c.At != "" {
			at = w.Sentence(problem.New("at %s", p.at(c.At))) + " "
		}
		reason = []html.HTML{html.TagText("b", w.Phrase(c.Name)+": "+p.measure(c.Text)+". "),
			html.Text(at + w.Phrase(c.Means) + " " + w.Phrase(c.Do))}
	}
	return html.Tag("header", html.Tag(`p class="of"`, of...),
		html.Tag(`p class="big"`, p.symbolHTML(), html.TagText("span", " = "),
			html.TagText("b", p.value(r.LogZ, r.SE)), html.TagText("span", " "+w.Phrase(p.units))),
		html.TagText(`p class="why"`, w.Phrase(seMeanings[r.SEMethod])+" "+w.Phrase(biasMeanings[r.Bias])),
		html.El(`div class="verdict"`, html.At("data-v", level), html.Icon("v-"+level, "i"),
			html.TagText("span", w.T("verdict."+level))),
		html.Tag(`p class="reason"`, reason...))
}

// seMeanings explain the error bars.
var seMeanings = map[string]string{
	external.SECorrelated:  "The error bar accounts for autocorrelation.",
	external.SEIndependent: "The error bar treats samples as independent, as requested.",
	external.SERuns:        "The error bar comes from the differences between runs.",
	external.SEVolumes:     "The error bar comes from the random shrinkage of volumes in nested sampling.",
	"none":                 "There is no error bar.",
}

// biasMeanings explain the directions of bias.
var biasMeanings = map[string]string{
	"up":     "The estimate of log Z is biased upwards, if at all.",
	"down":   "The estimate of log Z is biased downwards, if at all.",
	"either": "The estimate of log Z may be biased in either direction.",
}

// next returns the advice.
func (p *reportPage) next() html.HTML {
	var items []html.HTML
	for _, a := range p.r.Next {
		items = append(items, html.TagText("li", p.w.Number(p.w.Sentence(a.Phrase()))))
	}
	if items == nil {
		return ""
	}
	return section(p.w.Phrase("What to run next, with the predicted error bar"), html.Tag("ul", items...),
		html.TagText(`p class="why"`, p.w.Phrase("Predicted from the variances measured here, in nats.")))
}

// notes returns how the files were interpreted.
func (p *reportPage) notes() html.HTML {
	var items []html.HTML
	for _, said := range p.r.Notes {
		items = append(items, html.TagText("li", p.w.Number(p.w.Sentence(said))))
	}
	if t := p.r.Temperature; verdict.IsNumber(t) {
		items = append(items, html.TagText("li", p.w.Number(p.w.Sentence(problem.New("%v K, energies in %s", float64(t),
			p.r.Units)))))
	}
	return section(p.w.Phrase("How the files were read"), html.Tag("ul", items...))
}

// setOther adds files to compare with.
func (p *reportPage) setOther(name string, other *fileSet) {
	p.name, p.other, p.otherReport = name, other, external.Best(other.reports)
	if i := slices.IndexFunc(other.reports, func(r *external.Report) bool { return r.Method == p.r.Method }); i >= 0 {
		p.otherReport = other.reports[i]
	}
}

// comparison returns the difference between the two sets of files.
func (p *reportPage) comparison() html.HTML {
	if p.other == nil {
		return ""
	}
	w, a, b := p.w, p.r, p.otherReport
	if (a.FreeEnergy == nil) != (b.FreeEnergy == nil) {
		return section(w.Phrase("Compared"), html.TagText("p", w.Sentence(problem.New(
			"%s and %s cannot be compared: one has a log evidence, the other a free energy", p.name, p.other.name))))
	}

	// The difference is a log Bayes factor or a free energy difference.
	odds := verdict.Odds{LogBF: a.LogZ - b.LogZ, SE: jointSE(a.SE, b.SE),
		Level: verdict.Worse(a.Verdict.Level, b.Verdict.Level)}
	lines := []html.HTML{p.line(p.name, a), p.line(p.other.name, b)}
	title, symbol := w.Phrase("Log Bayes factor"), html.HTML(`<span class="math">log <i>B</i></span>`)
	if a.FreeEnergy != nil {
		title, symbol = w.Phrase("Difference of free energies"), `<span class="math">ΔΔ<i>F</i></span>`
	}
	kids := []html.HTML{html.Tag(`p class="big"`, symbol, html.TagText("span", " = "),
		html.TagText("b", p.value(odds.LogBF, odds.SE)), html.TagText("span", " "+w.Phrase(p.units))),
		html.Tag("ul", lines...)}

	// Interpret the difference, and state the condition.
	if a.FreeEnergy == nil {
		for _, s := range odds.Says(p.name, p.other.name) {
			kids = append(kids, html.TagText("p", format.Superscript(w.Number(w.Sentence(s)))))
		}
		kids = append(kids, html.TagText(`p class="why"`, w.Phrase("This requires that both are evidences of the "+
			"same data and that no likelihood omits constants, which the files do not show.")))
	} else if odds.Level != verdict.Trust {
		kids = append(kids, html.TagText("p", w.Sentence(problem.New(
			"one of the two estimates needs caution, and so does their comparison"))))
	}
	return section(title, kids...)
}

// jointSE returns the root of the sum of the squared standard errors.
func jointSE(x, y verdict.Number) verdict.Number {
	a, b := float64(x), float64(y)
	return verdict.Number(math.Sqrt(num.Mul(a, a) + num.Mul(b, b)))
}

// line returns the result of one set of files in a comparison.
func (p *reportPage) line(name string, r *external.Report) html.HTML {
	return html.Tag("li", html.Icon("v-"+r.Verdict.Level, "i "+r.Verdict.Level),
		html.TagText("span", name+", "+r.Method+": "+p.value(r.LogZ, r.SE)+" – "+p.w.T("verdict."+r.Verdict.Level)))
}
