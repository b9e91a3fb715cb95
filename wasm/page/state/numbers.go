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

// Num writes the numbers that package format made the way the page's language does.
func (a *Appearance) Num(s string) string { return a.Words.Number(s) }

// Count is a whole number with its thousands set apart.
func (a *Appearance) Count(x float64) string { return a.Num(format.Thousands(x)) }

// Known is a number, or a dash for one that is not known.
func (a *Appearance) Known(x float64, decimals int) string {
	if !num.Finite(x) {
		return "–"
	}
	return a.Num(format.Fixed(x, decimals))
}

// Barred is a number with its error bar; NaN: without.
func (a *Appearance) Barred(x, se float64) string {
	d := format.Decimals(se)
	s := format.Fixed(x, d)
	if num.Known(se) {
		s += " ± " + format.Fixed(se, d)
	}
	return a.Num(s)
}

// WithBar is log Z with its error bar, if it has one.
func (a *Appearance) WithBar(r *report.Report) string {
	return a.Barred(float64(r.LogZ), float64(r.SE))
}

// Level is that of a report's verdict, "none" while that is too early.
func Level(r *report.Report) string {
	if r.Early {
		return "none"
	}
	return r.Verdict.Level
}

// Verdict is that of a report in words.
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

// Spoken is a result in a sentence.
func (a *Appearance) Spoken(r *report.Report) string {
	value, bar, _ := strings.Cut(a.WithBar(r), " ± ")
	if report.IsNumber(r.SE) {
		return a.Words.T("say.bar", Label(r.Method), value, bar)
	}
	return a.Words.T("say.logz", Label(r.Method), value)
}

// PercentOf writes a share from 0 to 1.
func PercentOf(share float64) string { return fmt.Sprintf("%.0f\u00a0%%", 100*share) }

// Label is the short name of a method.
func Label(method string) string {
	if info, ok := catalog.Method(method); ok {
		return info.Label
	}
	return method
}

// Draws is how many independent draws from the base a method that moves nothing has taken. Each is evaluated under the
// base and the target, but once where it is its likelihood that is estimated.
func Draws(r *report.Report) float64 {
	all, err := strconv.ParseFloat(r.Spec.Params["particles"], 64)
	if err != nil {
		return 0
	}
	if m, _ := catalog.Method(r.Method); m.Refines {
		return float64(r.Cost.Evaluations)
	}
	return min(float64(r.Cost.Evaluations)/2, all*float64(r.Spec.Replicates)) // those of the way back come on top
}

// WorkOf is what a report has cost so far: sweeps of all chains, or the number of plain draws, which move nothing.
func WorkOf(r *report.Report) float64 {
	if sweeps := float64(r.Cost.Sweeps); sweeps > 0 {
		return sweeps
	}
	return Draws(r)
}

// Cost is what a method will have cost, as planned until it is done: sweeps, or plain draws.
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

// Headline is the number of a report and its error bar: log p of a drawing, else log Z.
func Headline(r *report.Report) (x, se float64) {
	if r.LogP != nil && report.IsNumber(r.LogP.LogP) {
		return float64(r.LogP.LogP), float64(r.LogP.SE)
	}
	return float64(r.LogZ), float64(r.SE)
}
