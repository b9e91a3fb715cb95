package program

import (
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/cubature"
	"logzlab/core/problem"
	"logzlab/models"
)

// Times of cubature in nanoseconds.
const (
	maxCubatureTime = 15e9 // planned, of one integral
	nodeTime        = 300  // of the change of coordinates and the rule, for each evaluation
)

// typicalEvals are the numbers of evaluations for a density of ordinary shape in 1, 2 and 3 dimensions.
var typicalEvals = [cubature.MaxDim + 1]float64{0, 25e3, 170e3, 1.1e6}

// tooManyForCubature returns an error unless the program has one to three coordinates.
func (m *programModel) tooManyForCubature() error {
	if m.info.Dim >= 1 && m.info.Dim <= cubature.MaxDim {
		return nil
	}
	return problem.New("the program has %d coordinates, and an exact value by cubature is for up to %d; run two "+
		"different methods, for example ais and rts, and compare them", m.info.Dim, cubature.MaxDim)
}

// IntegralTime returns the planned nanoseconds of the integral, by typicalEvals.
func (m *programModel) IntegralTime() float64 {
	return num.Mul(typicalEvals[m.info.Dim], m.t.EvalTime()+nodeTime)
}

// Cubature returns the integral of the density over all coordinates, computed twice (core/num/cubature), for a model
// with few coordinates (tooManyForCubature). The cubature rule is given the modes and the metric of the pilot. Cubature
// calls keepGoing, unless nil, every few hundred evaluations with the fraction of the maximal number of evaluations. If
// keepGoing returns false, out.Stopped is true, and the next call starts again. A complete result is cached.
func (m *programModel) Cubature(keepGoing func(share float64) bool) (out cubature.Result) {
	type stopped struct{}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(stopped); !ok {
				panic(r)
			}
			out.Stopped = true
		}
	}()
	return m.integral.Get(func() cubature.Result {
		p, work := m.fittedPilot(), m.t.EvalTime()
		points := p.t.EvaluatorPool()
		o := cubature.Options{MaxEvals: cubature.MaxEvals(m.info.Dim)}
		if maxEvals := maxCubatureTime / (work + nodeTime); maxEvals < float64(o.MaxEvals) {
			o.MaxEvals = max(int(maxEvals), 1000)
		}
		o.Going = func(evals int) bool { return keepGoing == nil || keepGoing(min(1, float64(evals)/float64(o.MaxEvals))) }
		for k := range p.base.components {
			// A component with heavy tails has no core.
			if mean := p.base.components[k].core.Mean; len(mean) == m.info.Dim && num.AllFinite(mean) {
				o.Places = append(o.Places, mean)
			}
		}
		if mean, root := p.metric.Mean, p.metric.Root; usableChart(mean, root) {
			o.Mean, o.Root = mean, root
		}
		r := cubature.Integrate(m.info.Dim, func(x []float64) float64 {
			meter.Pulse(work)
			return points.LogF(x)
		}, o)
		if r.Stopped {
			panic(stopped{})
		}
		return r
	})
}

// usableChart reports whether a mean and a root can define coordinates for cubature: they are finite, with scales
// within 1e+-100.
func usableChart(mean, root []float64) bool {
	if !num.AllFinite(mean) || !num.AllFinite(root) {
		return false
	}
	for i := range mean {
		if s := root[i*len(mean)+i]; !(s > 1e-100 && s < 1e100) {
			return false
		}
	}
	return true
}

// Integrate returns the integral as an exact value, or an error with the reason why there is none, for example because
// the tails measured by the pilot make it infinite. Both are nil if keepGoing stopped the work.
func (m *programModel) Integrate(keepGoing func(share float64) bool) (*models.Truth, error) {
	r := m.Cubature(keepGoing)
	if r.Stopped {
		return nil, nil
	}
	if slope, name := m.TailSlope(); r.Diverges || slope > models.InfiniteTail {
		if name == "" {
			return nil, problem.New("the integral of the density is infinite: its mass does not decrease far out")
		}
		return nil, problem.New("the integral of the density is infinite: its mass does not decrease as %s goes far out", name)
	}
	if !r.Converged {
		return nil, problem.New("cubature did not converge: after %d evaluations log Z is %.6g with an error of %.2g nats, "+
			"more than %g; the density is too rough or too narrow for it, and methods with chains may do better", r.Evals,
			r.LogZ, r.Err, cubature.Tol(m.info.Dim))
	}
	return &models.Truth{LogZ: r.LogZ, Source: cubatureSource, Error: r.Err}, nil
}

// cubatureSource is the Source of exact values by Integrate.
const cubatureSource = "adaptive cubature, computed twice"
