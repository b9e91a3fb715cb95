package report

import (
	"fmt"
	"math"
	"slices"

	"logzlab/estimators"
	"logzlab/models"
)

// Two methods disagree if they are more than opinionBars joint error bars apart and more than
// opinionFloor nats, a distance that misleads nobody.
const (
	opinionBars  = 4
	opinionFloor = .1
)

// Opinions adds a check to the verdicts when every method is done: whether anything could have
// revealed a part of the target that a method never finds. Its chains or islands start alike,
// so they may agree and be wrong together. With an exact value, or where the
// kind of model says that its target has one mode, there is nothing to add.
func (j *Reports) Opinions(reports []*Report) {
	if models.KindOf(j.job.Model.Info().Kind).OneMode || j.truth() != nil ||
		slices.ContainsFunc(reports, func(r *Report) bool { return r.Provisional && r.State != "failed" }) {
		return
	}
	levels := make([]string, len(reports)) // by the checks of each alone
	for i, r := range reports {
		levels[i] = r.Verdict.Level
	}
	for _, r := range reports {
		if r.State != "done" || !IsNumber(r.LogZ) {
			continue
		}
		c := VerdictCheck{Name: "A second opinion", Value: Number(math.NaN()), Text: "none", Needs: "≥ 1",
			Means: "Chains or particles that all start alike may agree and miss part of the target; nothing here would notice.",
			Do:    "Run another method beside it. AIS brings bounds where there are any."}
		if _, drawn := r.Diagnostics[estimators.DiagTargetGap]; drawn || IsNumber(r.Upper) {
			c.Text, c.OK = "bounds", true
		}
		for i, o := range reports {
			if o == r || j.job.SameRun(o.Method, r.Method) || o.State != "done" || !IsNumber(o.LogZ) || !IsNumber(r.SE) ||
				!IsNumber(o.SE) || levels[i] == Stop {
				continue // its estimate cannot confirm another
			}
			off, bar := math.Abs(float64(r.LogZ-o.LogZ)), math.Hypot(float64(r.SE), float64(o.SE))
			bars := off / bar
			c.Value, c.Text, c.Needs, c.OK = Number(bars), estimators.Beside(bars, opinionBars, 1)+" bars off",
				fmt.Sprintf("≤ %d", opinionBars), bars <= opinionBars
			if !c.OK && (off <= opinionFloor || bar == 0) {
				c.Value, c.Text, c.Needs, c.OK = Number(off), estimators.Beside(off, opinionFloor, 2)+" nats off",
					fmt.Sprintf("≤ %.1f", opinionFloor), off <= opinionFloor
			}
			if !c.OK {
				c.Means = "Another method of this run finds another log Z, by more than four error bars: one of them is " +
					"wrong, perhaps for missing part of the target."
				c.Do = "Trust neither before both agree: use more temperatures, sweeps or particles."
				break
			}
		}
		v := &Verdict{Level: r.Verdict.Level, Checks: slices.Clone(r.Verdict.Checks)} // a report is made once
		v.add(c)
		r.Verdict = v
	}
}
