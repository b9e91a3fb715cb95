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

// volumes is nested sampling's own log Z of one run ([Skilling2006]): with X_i the volume left when point i died, which
// shrinks by n/(n+1) on average where n points are alive,
//
//	Z = sum_i L_i (X_{i-1} - X_{i+1})/2.
//
// The log of each shrinkage has the standard error 1/n, and log Z changes with it by the share of Z that lies beyond;
// the squares of both add up to the error.
type volumes struct {
	z, se     float64
	rest      float64 // the share of Z that may be left beyond the last point
	effective float64 // number of points that carry Z
	live      float64 // alive where Z is
	spread    float64 // of insertion ranks: see ranks; NaN where births are not known
}

func newVolumes(r *samples.Run) volumes {
	n := len(r.LogL)
	logX, logW := weights(r)
	v := volumes{z: num.LogSumExp(logW), spread: ranks(r)}
	beyond, squares, variance := 0.0, 0.0, 0.0
	for i := n - 1; i >= 0; i-- {
		p := num.Exp(logW[i] - v.z)
		beyond += p
		squares += num.Mul(p, p)
		variance += num.Mul(beyond/r.Live[i], beyond/r.Live[i])
		v.live += num.Mul(p, r.Live[i])
	}
	v.se, v.effective = math.Sqrt(variance), stats.ESS(1, squares)
	if !r.Ended {
		v.rest = num.Exp(r.LogL[n-1] + logX[n-1] - v.z)
	}
	return v
}

// weights are the log of the volume left when each point died, and of the part of each point in Z.
func weights(r *samples.Run) (logX, logW []float64) {
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

// Climb is what a run of nested sampling looks like: its points in turn, or some of them evenly where there are many.
type Climb struct {
	LogX, LogL []float64
	Mass       []float64 // L X/Z: the share of Z by the log of the volume
	From, To   float64   // between these logs of the volume lie 90 % of Z
	Inside     int       // points there
	Points     int       // in all
}

// mostShown is how many points of a run are shown, about.
const mostShown = 400

func climb(r *samples.Run) Climb {
	logX, logW := weights(r)
	z, sum := num.LogSumExp(logW), 0.0
	c := Climb{Points: len(logX)}
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
		if every := 1 + len(logX)/mostShown; i%every == 0 || i == len(logX)-1 {
			c.LogX, c.LogL = append(c.LogX, logX[i]), append(c.LogL, r.LogL[i])
			c.Mass = append(c.Mass, num.Exp(r.LogL[i]+logX[i]-z))
		}
	}
	return c
}

// ranks tests whether new points lie evenly among those alive, as they do if each is drawn from the prior above the
// contour ([Fowlie2020]): the largest distance between the share of ranks below a value and that value, in the
// distances that 1 % of runs exceed. A walk that is too short, or a mode that is lost, moves ranks together.
func ranks(r *samples.Run) float64 {
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
	tree := make([]int, n+1) // how many were born among the first points: a Fenwick tree
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
			dead := below(firstAbove(r.LogL, b))
			among := float64(born - dead)
			u = append(u, (float64(below(i)-dead)+.5)/(among+1))
			alive += among
		}
		for j := i + 1; j <= n; j += j & -j {
			tree[j]++
		}
		born++
	}

	// The largest distance between the ranks found and even ones.
	const least = 100
	if len(u) < least {
		return math.NaN()
	}
	slices.Sort(u)
	far, m := 0.0, float64(len(u))
	for i, x := range u {
		far = max(far, math.Abs(x-float64((float64(i)+.5)/m)))
	}
	return far / (float64(1.63/math.Sqrt(m)) + float64(m/alive/2)) // ranks are whole numbers
}

// firstAbove is how many values of a sorted list are not above x.
func firstAbove(sorted []float64, x float64) int {
	i, found := slices.BinarySearch(sorted, x)
	for found && i < len(sorted) && sorted[i] == x {
		i++
	}
	return i
}

// nested is log Z of runs of nested sampling: their mean, weighed by their error bars.
func nested(s *samples.Set, r *Report) {
	var z, se []float64
	worst := volumes{effective: math.Inf(1), spread: math.NaN(), live: math.Inf(1)}
	for _, run := range s.Points {
		v := newVolumes(run)
		z, se = append(z, v.z), append(se, v.se)
		worst.rest, worst.live = max(worst.rest, v.rest), min(worst.live, v.live)
		worst.effective = min(worst.effective, v.effective)
		if !(v.spread <= worst.spread) && num.Known(v.spread) {
			worst.spread = v.spread
		}
	}

	// The estimate, with the numbers of the worst run.
	r.combine(z, se)
	r.Bias, r.SEMethod = "either", SEVolumes
	r.Diagnostics[DiagLive] = verdict.Number(worst.live)
	r.Diagnostics[DiagEffective] = verdict.Number(worst.effective)
	if num.Known(worst.spread) {
		r.Diagnostics[DiagRanks] = verdict.Number(worst.spread)
		r.Verdict.Add(verdict.Check{Name: "New points spread evenly", Value: verdict.Number(worst.spread),
			OK: worst.spread <= 1.2, Bad: worst.spread > 4, Text: estimators.FormatAgainst(worst.spread, 1.2, 2), Needs: "≤ 1.2",
			Means: "New points do not lie evenly among those alive, so they were not drawn from all of the prior above the " +
				"contour: volumes, and log Z with them, are wrong, and no error bar says so.",
			Do: "Use more steps for each point (slower, but right), or another sampler of nested sampling."})
	}

	// Needs of every run: little left, and enough points.
	r.Verdict.Add(verdict.Check{Name: "Nothing left", Value: verdict.Number(worst.rest), OK: worst.rest <= .01,
		Bad: worst.rest > .5, Text: percent(worst.rest), Needs: "≤ 1 %",
		Means: "Beyond the last point there may be more of Z.", Do: "Give the points that were alive at the end too, or " +
			"go on until less is left."})
	r.Verdict.Add(verdict.Check{Name: "Live points", Value: verdict.Number(worst.live), OK: worst.live >= 25,
		Bad: worst.live < 3, Text: format.Fixed(worst.live, 0), Needs: "≥ 25",
		Means: "So few points find the volume only roughly, and miss modes.", Do: "Use more live points."})
	r.Next = []Advice{{What: "live", Factor: 4, SE: r.SE / 2}}
	r.Verdict.Add(verdict.Check{Name: "Effective samples", Value: verdict.Number(worst.effective),
		OK: worst.effective >= leastEffective, Text: format.Fixed(worst.effective, 0),
		Needs: fmt.Sprintf("≥ %d", leastEffective), Means: effectiveMeans, Do: "Use more live points."})
}
