package external

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/external/samples"
	"logzlab/estimators/verdict"
)

// nestedRun is the log Z of a nested sampling run ([Skilling2006]). With X_i the prior volume that remains when point i
// dies,
//
//	Z = sum_i L_i (X_{i-1} - X_{i+1})/2.
//
// If n points are alive, log X falls by log((n+1)/n) on average, with standard error 1/n. The derivative of log Z with
// respect to the i-th of these steps is the share of Z in point i and all later points; se^2 is the sum of the squares
// of share times 1/n.
type nestedRun struct {
	z, se        float64 // log Z and its standard error, in nats
	remaining    float64 // share of Z that may lie beyond the last point: L X of that point, divided by Z
	effective    float64 // effective number of points
	live         float64 // mean number of live points, weighted by the contributions to Z
	rankDistance float64 // result of rankTest; NaN if births are not known
}

// newNestedRun computes log Z of a run.
func newNestedRun(r *samples.Run) nestedRun {
	n := len(r.LogL)
	logX, logW := nestedWeights(r)
	v := nestedRun{z: num.LogSumExp(logW), rankDistance: rankTest(r)}
	beyond, squares, variance := 0.0, 0.0, 0.0
	for i := n - 1; i >= 0; i-- {
		p := num.Exp(logW[i] - v.z)
		beyond += p
		squares += num.Mul(p, p)
		variance += num.Mul(beyond/r.Live[i], beyond/r.Live[i])
		v.live += num.Mul(p, r.Live[i])
	}
	v.se, v.effective = math.Sqrt(variance), stats.KishESS(1, squares)
	if !r.Ended {
		v.remaining = num.Exp(r.LogL[n-1] + logX[n-1] - v.z)
	}
	return v
}

// nestedWeights returns the log of the prior volume left when each point died, and the log of each point's contribution
// to Z.
func nestedWeights(r *samples.Run) (logX, logW []float64) {
	n := len(r.LogL)
	logX, logW = make([]float64, n), make([]float64, n)
	x := 0.0
	for i, live := range r.Live {
		x += num.Log(live / (live + 1))
		logX[i] = x
	}
	for i, l := range r.LogL {
		before, after := 1.0, 0.0
		if i > 0 {
			before = num.Exp(logX[i-1] - logX[i])
		}
		if i == 0 {
			before = num.Exp(-logX[0])
		}
		if i+1 < n {
			after = num.Exp(logX[i+1] - logX[i])
		}
		logW[i] = l + logX[i] + num.Log((before-after)/2)
	}
	return logX, logW
}

// NestedPlot has the curves of a nested sampling run. If there are more than maxPlotPoints points, the curves have
// every k-th of them.
type NestedPlot struct {
	LogX, LogL []float64 // log of the prior volume, and log likelihood
	Mass       []float64 // L X/Z: the density of Z over log X
	From, To   float64   // 90 % of Z lies between these values of log X
	Inside     int       // number of points between them
	Points     int       // number of all points
}

// maxPlotPoints is approximately the largest number of points in a plot.
const maxPlotPoints = 400

// newNestedPlot computes the curves of a run. From and To are the values of log X at which 5 % and 95 % of Z are
// accumulated.
func newNestedPlot(r *samples.Run) NestedPlot {
	logX, logW := nestedWeights(r)
	z, sum := num.LogSumExp(logW), 0.0
	c := NestedPlot{Points: len(logX)}
	for i, w := range logW {
		before := sum
		sum += num.Exp(w - z)
		if before < .05 && sum >= .05 {
			c.From = logX[i]
		}
		if sum >= .05 && before < .95 {
			c.To = logX[i]
			c.Inside++
		}
		if every := 1 + len(logX)/maxPlotPoints; i%every == 0 || i == len(logX)-1 {
			c.LogX, c.LogL = append(c.LogX, logX[i]), append(c.LogL, r.LogL[i])
			c.Mass = append(c.Mass, num.Exp(r.LogL[i]+logX[i]-z))
		}
	}
	return c
}

// rankTest tests whether the ranks of new points among the live points are uniform, as they are if each new point is
// drawn from the prior restricted to likelihoods above that of the point it replaces ([Fowlie2020]). It returns the
// Kolmogorov-Smirnov distance divided by the value that 1 % of correct runs exceed, or NaN if births are not known or
// there are fewer than 100 new points. Random walks that are too short, and lost modes, make the ranks non-uniform.
func rankTest(r *samples.Run) float64 {
	if r.Birth == nil {
		return math.NaN()
	}
	n := len(r.LogL)
	order := make([]int, n) // by birth
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case r.Birth[a] < r.Birth[b]:
			return -1
		case r.Birth[a] > r.Birth[b]:
			return 1
		}
		return 0
	})

	// The rank of each new point among those alive at its birth.
	tree := make([]int, n+1) // Fenwick tree: counts of the points born so far, by index in the order of log L
	below := func(i int) (sum int) {
		for ; i > 0; i -= i & -i {
			sum += tree[i]
		}
		return sum
	}
	var u []float64
	born, alive := 0, 0.0
	for _, i := range order {
		if b := r.Birth[i]; !math.IsInf(b, -1) {
			dead := below(countUpTo(r.LogL, b))
			rivals := float64(born - dead)
			u = append(u, (float64(below(i)-dead)+.5)/(rivals+1))
			alive += rivals
		}
		for j := i + 1; j <= n; j += j & -j {
			tree[j]++
		}
		born++
	}

	// The largest distance between the observed and the uniform distribution.
	const minRanks = 100
	if len(u) < minRanks {
		return math.NaN()
	}
	slices.Sort(u)
	distance, m := 0.0, float64(len(u))
	for i, x := range u {
		distance = max(distance, math.Abs(x-float64((float64(i)+.5)/m)))
	}
	return distance / (float64(1.63/math.Sqrt(m)) + float64(m/alive/2)) // ranks are integers
}

// countUpTo returns the number of values of a sorted list that are at most x.
func countUpTo(sorted []float64, x float64) int {
	i, found := slices.BinarySearch(sorted, x)
	for found && i < len(sorted) && sorted[i] == x {
		i++
	}
	return i
}

// reportNested sets log Z to the mean of the runs, weighted by their error bars, and adds the checks.
func reportNested(s *samples.Set, r *Report) {
	var z, se []float64
	worst := nestedRun{effective: math.Inf(1), rankDistance: math.NaN(), live: math.Inf(1)}
	for _, run := range s.Points {
		v := newNestedRun(run)
		z, se = append(z, v.z), append(se, v.se)
		worst.remaining, worst.live = max(worst.remaining, v.remaining), min(worst.live, v.live)
		worst.effective = min(worst.effective, v.effective)
		if !(v.rankDistance <= worst.rankDistance) && num.NotNaN(v.rankDistance) {
			worst.rankDistance = v.rankDistance
		}
	}

	// The estimate, with the diagnostics of the worst run.
	r.combine(z, se)
	r.Bias, r.SEMethod = "either", SEVolumes
	r.Diagnostics[DiagLive] = verdict.Number(worst.live)
	r.Diagnostics[DiagEffective] = verdict.Number(worst.effective)
	if num.NotNaN(worst.rankDistance) {
		r.Diagnostics[DiagRanks] = verdict.Number(worst.rankDistance)
		r.Verdict.Add(verdict.Check{Name: "New points are uniform", Value: verdict.Number(worst.rankDistance),
			OK: worst.rankDistance <= 1.2, Bad: worst.rankDistance > 4, Text: estimators.FormatAgainst(worst.rankDistance, 1.2, 2), Needs: "≤ 1.2",
			Meaning: "New points are not distributed uniformly among the live points, so they were not drawn from the " +
				"whole prior above the contour. Volumes and log Z are wrong, and no error bar shows it.",
			Advice: "Use more steps for each point (slower, but right), or another sampler of nested sampling."})
	}

	// Every run must end with little of Z remaining, and have enough points.
	r.Verdict.Add(verdict.Check{Name: "Little mass left", Value: verdict.Number(worst.remaining), OK: worst.remaining <= .01,
		Bad: worst.remaining > .5, Text: percent(worst.remaining), Needs: "≤ 1 %",
		Meaning: "Part of Z may lie beyond the last point.", Advice: "Also give the points that were alive at the " +
			"end, or run until less mass is left."})
	r.Verdict.Add(verdict.Check{Name: "Live points", Value: verdict.Number(worst.live), OK: worst.live >= 25,
		Bad: worst.live < 3, Text: format.Fixed(worst.live, 0), Needs: "≥ 25",
		Meaning: "With so few points the volume is imprecise, and modes can be missed.", Advice: "Use more live points."})
	r.Next = []NextStep{{What: "live", Factor: 4, SE: r.SE / 2}}
	r.Verdict.Add(verdict.Check{Name: "Effective samples", Value: verdict.Number(worst.effective),
		OK: worst.effective >= minEffective, Text: format.Fixed(worst.effective, 0),
		Needs: fmt.Sprintf("≥ %d", minEffective), Meaning: effectiveMeaning, Advice: "Use more live points."})
}
