package external

import (
	"fmt"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// reportSums sets log Z of step sums without samples: the mean of the runs. Its error is estimated from the differences
// between runs at each step, or in total if that is larger.
func reportSums(s *samples.Set, r *Report) {
	runs := float64(s.Runs)
	z := make([]float64, s.Runs)
	total, squares, worst, most := 0.0, 0.0, 0, 0.0
	at := 0.0
	for i, stone := range s.Stones {
		mean, v := stats.MeanVar(stone.LogZ)
		at += mean
		for j, x := range stone.LogZ {
			z[j] += x
		}
		if s.Runs < 2 {
			continue
		}
		total += v
		squares += num.Mul(v, v)
		if v > most {
			worst, most = i, v
		}
		r.Ladder = append(r.Ladder, Rung{Label: shortNumber(stone.Power), LogZ: verdict.Number(mean),
			SE: verdict.Number(math.Sqrt(v / runs)), Power: verdict.Number(stone.Power), Inefficiency: verdict.NaN,
			Effective: verdict.NaN, Overlap: verdict.NaN})
	}

	// Shares of the error, and the mean of the runs.
	for i := range r.Ladder {
		r.Ladder[i].Share = verdict.Number(float64(r.Ladder[i].SE*r.Ladder[i].SE) / (total / runs))
	}
	mean, between := stats.MeanVar(z)
	r.LogZ, r.Bias = verdict.Number(mean), "down"
	for _, x := range z {
		r.Replicates = append(r.Replicates, verdict.Number(x))
	}
	r.SEMethod = estimators.SENone
	if s.Runs < 2 {
		r.Verdict.Add(verdict.Check{Name: "An error bar", Value: verdict.NaN, Text: "1 run", Needs: "≥ 2 runs",
			Means: "A single sum gives no error bar.", Do: "Add runs, or keep the samples of each stone."})
		return
	}

	// The error bar, the stone with the largest share, and the degrees of freedom.
	r.SE, r.SEMethod = verdict.Number(math.Sqrt(max(total, between)/runs)), SERuns
	r.checkSums(z)
	r.Verdict.Add(verdict.Check{Name: "No stone dominates the error", Value: verdict.Number(most / total),
		OK: !(most > total/2) || most < .01, At: fmt.Sprintf("stone %d, power %s", worst+1, shortNumber(s.Stones[worst].Power)),
		Text: percent(most / total), Needs: "≤ 50 %",
		Means: "Runs differ most at one stone, and only its sums in each run show by how much.",
		Do:    "Run that stone and its neighbours again, longer, or put more stones there."})
	df := num.Mul(total, total) / squares * (runs - 1)
	r.Verdict.Add(verdict.Check{Name: "An error bar", Value: verdict.Number(df), OK: df >= minDF,
		Text: format.Fixed(df, 1), Needs: fmt.Sprintf("≥ %d", minDF),
		Means: "The error bar comes from so few runs that it may be too small by chance.",
		Do:    "Add runs, or keep the samples of each stone."})
}

// Limits of step sums: degrees of freedom of the error bar, and the difference between runs in nats.
const (
	minDF       = 4
	okGapNats   = 1
	stopGapNats = 5
	labelDigits = 4
)

// checkSums compares the sums of the runs.
func (r *Report) checkSums(z []float64) {
	lo, hi := 0, 0
	for i, x := range z {
		if x < z[lo] {
			lo = i
		}
		if x > z[hi] {
			hi = i
		}
	}
	off := z[hi] - z[lo]
	r.Verdict.Add(verdict.Check{Name: checkRuns, Value: verdict.Number(off), OK: off <= okGapNats, Bad: off > stopGapNats,
		At: runSums(z), Text: estimators.FormatAgainst(off, okGapNats, 1) + " nats", Needs: fmt.Sprintf("≤ %d", okGapNats),
		Means: runsMeaning, Do: runsAdvice})
}

// runSums lists log Z of each run.
func runSums(z []float64) string {
	const most = 8
	text := ""
	for i, x := range z[:min(len(z), most)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("run %d: %s", i+1, format.ASCII(format.Fixed(x, 3)))
	}
	return text
}
