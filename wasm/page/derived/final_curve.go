package derived

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/report"
)

// fixedCurve returns the curve of a finished method: log Z and its error bar at fixed shares of the work, and the point
// final. Unlike the points collected during a run, these are the same on every computer. It returns nil if the method
// has no estimates before the final one.
func fixedCurve(r *report.Report, final frame.Point) (out []frame.Point) {
	if r.Provisional || len(r.History) < 2 || final.Sweeps != r.History[len(r.History)-1].Sweeps {
		return nil
	}
	nan := math.NaN()
	for _, h := range r.History[:len(r.History)-1] {
		if num.NotNaN(h.LogZ) {
			out = append(out, frame.Point{Sweeps: h.Sweeps, LogZ: h.LogZ, SE: h.SE, Lower: nan, Upper: nan})
		}
	}
	return append(out, final)
}

// medianCurve returns, for equal amounts of work, the median of log Z over a method's replicates, with the quantiles 0.1
// and 0.9. For a single run it returns the estimates with their error bars.
func medianCurve(r *report.Report) (out []frame.Course) {
	histories := r.Histories
	if len(histories) == 0 {
		return nil
	}
	n := len(histories[0])
	for _, h := range histories {
		n = min(n, len(h))
	}
	truth := math.NaN()
	if r.Truth != nil {
		truth = float64(r.Truth.LogZ)
	}
	for i := range n {
		estimates := make([]estimators.Point, len(histories)) // the last point of each is its result
		for k, h := range histories {
			if estimates[k] = h[i]; i == n-1 {
				estimates[k] = h[len(h)-1]
			}
		}
		if c := summarise(estimates, truth); num.Finite(c.Lower+c.Upper+c.Error) && c.Sweeps > 0 {
			out = append(out, c)
		}
	}
	return out
}

// summarise returns a point of the curve from the estimates of the replicates at equal work: median, quantiles 0.1 and
// 0.9, and, in Error, the root mean squared distance from truth, or from the median if truth is NaN. For one estimate,
// Lower and Upper are one standard error away, and Error is the larger of the standard error and the distance from
// truth.
func summarise(estimates []estimators.Point, truth float64) frame.Course {
	if len(estimates) == 1 {
		p := estimates[0]
		c := frame.Course{Sweeps: p.Sweeps, LogZ: p.LogZ, Lower: p.LogZ - p.SE, Upper: p.LogZ + p.SE, Error: p.SE}
		if num.NotNaN(truth) {
			c.Error = max(p.SE, math.Abs(p.LogZ-truth))
		}
		return c
	}
	z, sweeps, squares := make([]float64, len(estimates)), 0.0, 0.0
	for k, p := range estimates {
		z[k] = p.LogZ
		sweeps += p.Sweeps / float64(len(estimates))
	}
	slices.Sort(z)
	quantile := func(q float64) float64 {
		x := q * float64(len(z)-1)
		i := min(int(x), len(z)-2)
		return z[i] + (x-float64(i))*(z[i+1]-z[i])
	}
	c := frame.Course{Sweeps: sweeps, LogZ: quantile(0.5), Lower: quantile(0.1), Upper: quantile(0.9)}
	if !num.NotNaN(truth) {
		truth = c.LogZ
	}
	for _, x := range z {
		squares += (x - truth) * (x - truth)
	}
	c.Error = math.Sqrt(squares / float64(len(z)))
	return c
}
