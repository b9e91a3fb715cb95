package state

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
)

// Num converts numbers formatted by package format to the notation of the page's language.
func (a *Appearance) Num(s string) string { return a.Words.Number(s) }

// Count formats a whole number with thousands separators.
func (a *Appearance) Count(x float64) string { return a.Num(format.Thousands(x)) }

// NumberOrDash formats a number, or returns a dash if it is not finite.
func (a *Appearance) NumberOrDash(x float64, decimals int) string {
	if !num.Finite(x) {
		return "–"
	}
	return a.Num(format.Fixed(x, decimals))
}

// FormatEstimate formats a number with its error bar; without one if se is NaN.
func (a *Appearance) FormatEstimate(x, se float64) string {
	d := format.Decimals(se)
	s := format.Fixed(x, d)
	if num.NotNaN(se) {
		s += " ± " + format.Fixed(se, d)
	}
	return a.Num(s)
}

// FormatLogZ formats log Z of a report with its error bar, if there is one.
func (a *Appearance) FormatLogZ(r *report.Report) string {
	return a.FormatEstimate(float64(r.LogZ), float64(r.SE))
}

// Level returns the level of a report's verdict, or "none" while it is too early for one.
func Level(r *report.Report) string {
	if r.Early {
		return "none"
	}
	return r.Verdict.Level
}

// Verdict returns the verdict of a report in words.
func (a *Appearance) Verdict(r *report.Report) string {
	if r.Early {
		return a.Words.T("verdict.early")
	}
	s := a.Words.T("verdict." + r.Verdict.Level)
	if r.Provisional {
		return a.Words.T("sofar", s)
	}
	return s
}

// ResultSentence returns the result of a report as a sentence.
func (a *Appearance) ResultSentence(r *report.Report) string {
	value, bar, _ := strings.Cut(a.FormatLogZ(r), " ± ")
	if report.IsNumber(r.SE) {
		return a.Words.T("say.bar", Label(r.Method), value, bar)
	}
	return a.Words.T("say.logz", Label(r.Method), value)
}

// PercentOf formats a share from 0 to 1 as a percentage.
func PercentOf(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", 100*share) }

// Label returns the short name of a method.
func Label(method string) string {
	if info, ok := catalog.Method(method); ok {
		return info.Label
	}
	return method
}

// Draws returns the number of independent draws from the base that a method without moves has made. Each is evaluated
// under base and target, but only once if its likelihood is estimated.
func Draws(r *report.Report) float64 {
	particles, err := strconv.ParseFloat(r.Spec.Params["particles"], 64)
	if err != nil {
		return 0
	}
	if m, _ := catalog.Method(r.Method); m.Refines {
		return float64(r.Cost.Evaluations)
	}
	return min(float64(r.Cost.Evaluations)/2, particles*float64(r.Spec.Replicates)) // reverse draws are not counted
}

// WorkOf returns the cost of a report so far: sweeps of all chains, or the number of independent draws.
func WorkOf(r *report.Report) float64 {
	if sweeps := float64(r.Cost.Sweeps); sweeps > 0 {
		return sweeps
	}
	return Draws(r)
}

// Cost returns the final cost of a method, as planned until it is done: sweeps, or independent draws.
func Cost(r *report.Report, planned float64) float64 {
	if r.State == runstate.MethodDone {
		return WorkOf(r)
	}
	c := planned
	if draws, err := strconv.ParseFloat(r.Spec.Params["particles"], 64); err == nil && c == 0 {
		c = draws
	}
	return math.Round(c) * float64(r.Spec.Replicates)
}

// Headline returns the main result of a report with its error bar: log p of a drawing, else log Z.
func Headline(r *report.Report) (x, se float64) {
	if r.LogP != nil && report.IsNumber(r.LogP.LogP) {
		return float64(r.LogP.LogP), float64(r.LogP.SE)
	}
	return float64(r.LogZ), float64(r.SE)
}
