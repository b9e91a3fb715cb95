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

// reportSums sets log Z of a report on step sums without samples: the mean over the runs of the sum of their steps. Its
// standard error is sqrt(V/runs), where V is the larger of the sum over the steps of the variance between runs and the
// variance between runs of the sums. With a single run there is no error bar.
func reportSums(s *samples.Set, r *Report) {
	runs := float64(s.Runs)
	z := make([]float64, s.Runs)
	total, squares, worstStone, largestVar := 0.0, 0.0, 0, 0.0
	for i, stone := range s.Stones {
		mean, v := stats.MeanVar(stone.LogZ)
		for j, x := range stone.LogZ {
			z[j] += x
		}
		if s.Runs < 2 {
			continue
		}
		total += v
		squares += num.Mul(v, v)
		if v > largestVar {
			worstStone, largestVar = i, v
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
			Meaning: "A single sum gives no error bar.", Advice: "Add runs, or keep the samples of each stone."})
		return
	}

	// The error bar, the stone with the largest share, and the degrees of freedom.
	r.SE, r.SEMethod = verdict.Number(math.Sqrt(max(total, between)/runs)), SERuns
	r.checkSums(z)
	r.Verdict.Add(verdict.Check{Name: "No stone dominates the error", Value: verdict.Number(largestVar / total),
		OK: !(largestVar > total/2) || largestVar < .01, At: fmt.Sprintf("stone %d, power %s", worstStone+1, shortNumber(s.Stones[worstStone].Power)),
		Text: percent(largestVar / total), Needs: "≤ 50 %",
		Meaning: "Runs differ most at one stone, and only its sums in each run show by how much.",
		Advice:  "Run that stone and its neighbours again, longer, or put more stones there."})
	df := num.Mul(total, total) / squares * (runs - 1)
	r.Verdict.Add(verdict.Check{Name: "An error bar", Value: verdict.Number(df), OK: df >= minDF,
		Text: format.Fixed(df, 1), Needs: fmt.Sprintf("≥ %d", minDF),
		Meaning: "The error bar comes from so few runs that it may be too small by chance.",
		Advice:  "Add runs, or keep the samples of each stone."})
}

// Limits of the checks of step sums.
const (
	minDF       = 4 // degrees of freedom of the error bar
	okGapNats   = 1 // largest difference between two runs for trust, in nats
	stopGapNats = 5 // difference beyond which the verdict is stop, in nats
)

// labelDigits is the number of significant digits of a number in a label.
const labelDigits = 4

// checkSums checks the difference between the largest and the smallest of the runs' log Z.
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
	gap := z[hi] - z[lo]
	r.Verdict.Add(verdict.Check{Name: checkRuns, Value: verdict.Number(gap), OK: gap <= okGapNats, Bad: gap > stopGapNats,
		At: runSums(z), Text: estimators.FormatAgainst(gap, okGapNats, 1) + " nats", Needs: fmt.Sprintf("≤ %d", okGapNats),
		Meaning: runsMeaning, Advice: runsAdvice})
}

// runSums returns a list of log Z by run, "run 1: -10.123, run 2: ...", of at most eight runs.
func runSums(z []float64) string {
	const maxListed = 8
	text := ""
	for i, x := range z[:min(len(z), maxListed)] {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("run %d: %s", i+1, format.ASCII(format.Fixed(x, 3)))
	}
	return text
}
