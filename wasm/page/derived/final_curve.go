package derived

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/report"
)

// fixedCurve returns the curve of a finished method, with points at fixed shares of its work, which are the same on
// every computer; nil if there is only a final result.
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

// medianCurve returns, for equal amounts of work, the median of a method's replicates and their range without the outer
// tenths. A single run has its estimate and error bar.
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
		if c := summarise(estimates, truth); num.Finite(c.Lower+c.Upper+c.Off) && c.Sweeps > 0 {
			out = append(out, c)
		}
	}
	return out
}

// summarise summarises the estimates of several runs.
func summarise(estimates []estimators.Point, truth float64) frame.Course {
	if len(estimates) == 1 {
		p := estimates[0]
		c := frame.Course{Sweeps: p.Sweeps, LogZ: p.LogZ, Lower: p.LogZ - p.SE, Upper: p.LogZ + p.SE, Off: p.SE}
		if num.NotNaN(truth) {
			c.Off = max(p.SE, math.Abs(p.LogZ-truth))
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
	c.Off = math.Sqrt(squares / float64(len(z)))
	return c
}
