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

// reportPage renders the report of one method on a set of files.
type reportPage struct {
	w       *words.Language
	reports []*external.Report
	r       *external.Report // the report that is rendered
	plots   *external.PlotData
	units   string
	fonts   *paint.Fonts // of the charts, created with the first one

	firstName    string // name of the files, if they are compared with a second set of files
	second       *fileSet
	secondReport *external.Report // report on the second set of files, by the same method if there is one
}

// Units of free energy differences.
const (
	unitKT   = "kT"
	unitKJ   = "kJ/mol"
	unitKCal = "kcal/mol"
)

// unitsOf returns the unit of the results: nats for log Z. For a free energy it is kT if the temperature is not known,
// else the requested unit, or by default the unit of the files.
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

// factor returns the factor that converts log Z to a result in p.units; it is negative for free energies.
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

// withError formats a number with its error bar, "x ± se", or as "none" if x is not a number.
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

// headline returns the result as text, such as "log Z = -5.2 ± 0.1 nats".
func (p *reportPage) headline() string {
	name := "log Z"
	if p.r.FreeEnergy != nil {
		name = "ΔF"
	}
	return name + " = " + p.value(p.r.LogZ, p.r.SE) + " " + p.w.Phrase(p.units)
}

// article returns the whole report.
func (p *reportPage) article() html.HTML {
	children := append([]html.HTML{p.resultHeader(), p.advice()}, p.comparison())
	children = append(children, p.notes(), p.estimates(), p.checks())
	children = append(children, p.figures()...)
	children = append(children, p.rungs(), p.options(), p.receipt())
	return html.Tag(`article class="reading"`, children...)
}

// section returns a section of the report with a title.
func section(title string, children ...html.HTML) html.HTML {
	return html.Tag("section", append([]html.HTML{html.TagText("h3", title)}, children...)...)
}

// resultHeader returns the result, its verdict and the failing check that is the reason for the verdict.
func (p *reportPage) resultHeader() html.HTML {
	r, w := p.r, p.w
	level := r.Verdict.Level
	source := []html.HTML{html.TagText(`span`, w.Phrase(r.Source)+", "+r.Method)}
	reason := []html.HTML{html.Text(w.Phrase("All checks pass."))}
	if c := r.Verdict.Failing(); c != nil {
		at := ""
		if c.At != "" {
			at = w.Sentence(problem.New("at %s", p.translatePosition(c.At))) + " "
		}
		reason = []html.HTML{html.TagText("b", w.Phrase(c.Name)+": "+p.translateMeasure(c.Text)+". "),
			html.Text(at + w.Phrase(c.Meaning) + " " + w.Phrase(c.Advice))}
	}
	return html.Tag("header", html.Tag(`p class="of"`, source...),
		html.Tag(`p class="big"`, p.symbolHTML(), html.TagText("span", " = "),
			html.TagText("b", p.value(r.LogZ, r.SE)), html.TagText("span", " "+w.Phrase(p.units))),
		html.TagText(`p class="why"`, w.Phrase(seMeanings[r.SEMethod])+" "+w.Phrase(biasMeanings[r.Bias])),
		html.El(`div class="verdict"`, html.At("data-v", level), html.Icon("v-"+level, "i"),
			html.TagText("span", w.T("verdict."+level))),
		html.Tag(`p class="reason"`, reason...))
}

// seMeanings has an explanation of the error bar for each value of Report.SEMethod.
var seMeanings = map[string]string{
	external.SECorrelated:  "The error bar accounts for autocorrelation.",
	external.SEIndependent: "The error bar treats samples as independent, as requested.",
	external.SERuns:        "The error bar comes from the differences between runs.",
	external.SEVolumes:     "The error bar comes from the random shrinkage of volumes in nested sampling.",
	"none":                 "There is no error bar.",
}

// biasMeanings has an explanation for each value of Report.Bias.
var biasMeanings = map[string]string{
	"up":     "The estimate of log Z is biased upwards, if at all.",
	"down":   "The estimate of log Z is biased downwards, if at all.",
	"either": "The estimate of log Z may be biased in either direction.",
}

// advice returns the section with the advice on what to run next, "" if there is none.
func (p *reportPage) advice() html.HTML {
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

// notes returns the section that says how the files were interpreted.
func (p *reportPage) notes() html.HTML {
	var items []html.HTML
	for _, note := range p.r.Notes {
		items = append(items, html.TagText("li", p.w.Number(p.w.Sentence(note))))
	}
	if t := p.r.Temperature; verdict.IsNumber(t) {
		items = append(items, html.TagText("li", p.w.Number(p.w.Sentence(problem.New("%v K, energies in %s", float64(t),
			p.r.Units)))))
	}
	return section(p.w.Phrase("How the files were read"), html.Tag("ul", items...))
}

// setSecond sets a second set of files to compare with; name is the name of the first set.
func (p *reportPage) setSecond(name string, second *fileSet) {
	p.firstName, p.second, p.secondReport = name, second, external.Best(second.reports)
	if i := slices.IndexFunc(second.reports, func(r *external.Report) bool { return r.Method == p.r.Method }); i >= 0 {
		p.secondReport = second.reports[i]
	}
}

// comparison returns the section with the difference between the two sets of files, "" if there is only one set.
func (p *reportPage) comparison() html.HTML {
	if p.second == nil {
		return ""
	}
	w, a, b := p.w, p.r, p.secondReport
	if (a.FreeEnergy == nil) != (b.FreeEnergy == nil) {
		return section(w.Phrase("Compared"), html.TagText("p", w.Sentence(problem.New(
			"%s and %s cannot be compared: one has a log evidence, the other a free energy", p.firstName, p.second.name))))
	}

	// The difference is a log Bayes factor or a free energy difference.
	odds := verdict.Odds{LogBF: a.LogZ - b.LogZ, SE: jointSE(a.SE, b.SE),
		Level: verdict.Worse(a.Verdict.Level, b.Verdict.Level)}
	lines := []html.HTML{p.comparisonLine(p.firstName, a), p.comparisonLine(p.second.name, b)}
	title, symbol := w.Phrase("Log Bayes factor"), html.HTML(`<span class="math">log <i>B</i></span>`)
	if a.FreeEnergy != nil {
		title, symbol = w.Phrase("Difference of free energies"), `<span class="math">ΔΔ<i>F</i></span>`
	}
	children := []html.HTML{html.Tag(`p class="big"`, symbol, html.TagText("span", " = "),
		html.TagText("b", p.value(odds.LogBF, odds.SE)), html.TagText("span", " "+w.Phrase(p.units))),
		html.Tag("ul", lines...)}

	// Interpret the difference, and state the condition.
	if a.FreeEnergy == nil {
		for _, s := range odds.Sentences(p.firstName, p.second.name) {
			children = append(children, html.TagText("p", format.Superscript(w.Number(w.Sentence(s)))))
		}
		children = append(children, html.TagText(`p class="why"`, w.Phrase("This requires that both are evidences of the "+
			"same data and that no likelihood omits constants, which the files do not show.")))
	} else if odds.Level != verdict.Trust {
		children = append(children, html.TagText("p", w.Sentence(problem.New(
			"one of the two estimates needs caution, and so does their comparison"))))
	}
	return section(title, children...)
}

// jointSE returns the root of the sum of the squared standard errors.
func jointSE(x, y verdict.Number) verdict.Number {
	a, b := float64(x), float64(y)
	return verdict.Number(math.Sqrt(num.Mul(a, a) + num.Mul(b, b)))
}

// comparisonLine returns the result of one set of files in a comparison, as a list item.
func (p *reportPage) comparisonLine(name string, r *external.Report) html.HTML {
	return html.Tag("li", html.Icon("v-"+r.Verdict.Level, "i "+r.Verdict.Level),
		html.TagText("span", name+", "+r.Method+": "+p.value(r.LogZ, r.SE)+" – "+p.w.T("verdict."+r.Verdict.Level)))
}
