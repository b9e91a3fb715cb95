package page

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"logzlab/core/format"
	"logzlab/core/num"
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
	v, chip, why, help := "none", w.T("verdict.none"), w.T("why."+p.state), absent
	number := []HTML{tagText(`span class="n soft"`, "–")}
	var reason []HTML
	if r != nil && (p.state == "running" || p.state == "paused") {
		why = w.T("why.first")
		if m, ok := p.job.Model.(models.Sequential); ok && r.Provisional &&
			catalog.Path(r.Method) == estimators.Sequential && len(r.Stages) > 0 {
			last := r.Stages[len(r.Stages)-1]
			of[0], number, why = logZOf(last.N), p.large(last.LogZ, last.SE), w.T("why.noislands")
			if num.Known(last.SE) {
				why = w.T("why.faint", p.source(r))
			}
			unit := "data"
			if catalog.Kinds.Of(p.job.Model.Info().Kind).Look == models.Pictures {
				unit = "pixels"
			}
			reason = []HTML{text(w.T("formed", last.N, m.Stages(), w.Phrase(unit)))}
		}
	}
	class := "r-num"
	if old := p.before(); old != nil && len(reason) == 0 && (r == nil || !report.IsNumber(r.LogZ)) {
		class = "r-num was"
		number, why = p.faded(old)
	}
	if r != nil && report.IsNumber(r.LogZ) {
		number = p.large(float64(r.LogZ), float64(r.SE))
		why = w.T("why.nobar")
		if r.SEMethod == estimators.SEIslands {
			why = w.T("why.noislands")
		}
		if report.IsNumber(r.SE) {
			why = w.T("why.faint", p.source(r))
			if n := float64(r.Diagnostics[estimators.DiagIslands]); r.SEMethod == estimators.SEIslands && n >= 2 && n < 20 {
				why += " " + w.T("why.rough", math.Round(100/math.Sqrt(2*(n-1)))) // sd of the log of an sd of n
			}
			if mean, ok := r.Diagnostics[estimators.DiagMeanLogLikelihood]; ok {
				se := float64(r.Diagnostics[estimators.DiagMeanLogLikelihoodSE])
				d := format.Decimals(se)
				why += " " + w.T("why.data", int(r.Diagnostics[estimators.DiagData]), p.num(format.Fixed(float64(mean), d)),
					p.num(format.Fixed(se, d)))
			}
		}
		help = w.Phrase(estimators.SEMeans[r.SEMethod])
		if like := r.Calibration; like != nil {
			why += " " + w.T("held", 100*like.Within2, p.count(float64(like.Runs)))
			help += " " + w.T("held.means")
		}
		v, chip = r.Verdict.Level, p.verdict(r)
		reason = p.reason(r)
		if d := r.LogP; d != nil && report.IsNumber(d.LogP) {
			of[0], number = logP, p.large(float64(d.LogP), float64(d.SE))
			why = w.T("drawing.parts", p.num(format.Value(float64(r.LogZ), float64(r.SE))), p.num(format.Value(float64(d.Free),
				float64(d.SE)))) + " " + why
			reason = append([]HTML{tagText("b", w.T("drawing.odds", format.Raised(d.OneIn()))), text(" ")}, reason...)
		} else if d != nil {
			why = p.undrawn() + " " + why
		}
	}
	var glyph, compared HTML
	if r != nil && report.IsNumber(r.LogZ) {
		compared = p.compared(r) + p.bayes(r)
	}
	if v != "none" {
		glyph = icon("v-"+v, "i")
	}
	return el(`section id="r-head" class="r-head"`, at("aria-label", w.T("result"), "tabindex", "0"),
		tag(`h1 class="r-of"`, of...), el("p", at("class", class), number...),
		el(`p class="why lead"`, at("title", help), text(why)), compared,
		el(`div class="verdict"`, at("data-v", v), glyph, tagText("span", chip)), tag(`p class="reason"`, reason...),
		p.told(r))
}

// undrawn says of a drawing why it has no log p.
func (p *pane) undrawn() string {
	if p.free.awaited() && p.active() {
		return p.w.T("drawing.next")
	}
	return p.w.T("drawing.free")
}

// large is log Z in large type with its error bar, which makes its last digit faint; se NaN: without.
func (p *pane) large(logZ, se float64) []HTML {
	d := format.Decimals(se)
	s := p.num(format.Fixed(logZ, d))
	if !num.Known(se) {
		return []HTML{el(`span class="n"`, at("data-size", numberSize(utf8.RuneCountInString(s), 0)), text(s))}
	}
	bar := "± " + p.num(format.Fixed(se, d))
	return []HTML{el(`span class="n"`, at("data-size", numberSize(utf8.RuneCountInString(s), utf8.RuneCountInString(bar))),
		text(s[:len(s)-1]), tagText(`span class="soft"`, s[len(s)-1:])), tagText(`span class="pm"`, bar)}
}

// verdict is that of a report in words.
func (b *Brain) verdict(r *report.Report) string {
	s := b.words.T("verdict." + r.Verdict.Level)
	if r.Provisional {
		return b.words.T("sofar", s)
	}
	return s
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

// source describes how an error bar was computed.
func (p *pane) source(r *report.Report) string {
	if n := r.Spec.Replicates; n > 1 {
		return p.w.T("from.replicates", len(r.Replicates))
	}
	for _, name := range []string{"islands", "chains", "particles"} {
		if s, ok := r.Spec.Params[name]; ok {
			x, _ := strconv.ParseFloat(s, 64)
			return p.w.T("from."+name, p.count(x))
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
	return []HTML{el("b", at("title", w.Phrase(c.Name)), text(w.T("check.is", p.checkName(c), w.Measure(c.Text)))),
		text(" " + w.Phrase(c.Means) + " " + w.Phrase(c.Do)), p.mendButton(r, c)}
}
