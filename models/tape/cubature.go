package tape

import (
	"logzlab/core/cubature"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models"
)

// mostCubature is how many nanoseconds an integral may be planned to take; a coordinate map and the rule take about
// nodeTime for each evaluation.
const (
	mostCubature = 15e9
	nodeTime     = 300
)

// usualEvals is about how many evaluations an ordinary density takes in 1, 2 and 3 dimensions.
var usualEvals = [cubature.MaxDim + 1]float64{0, 25e3, 170e3, 1.1e6}

// Integrates is true for up to three coordinates.
func (m *onTape) Integrates() bool { return m.info.Dim >= 1 && m.info.Dim <= cubature.MaxDim }

// IntegralTime is that of the evaluations of an ordinary density.
func (m *onTape) IntegralTime() float64 {
	if !m.Integrates() {
		return 0
	}
	return num.Mul(usualEvals[m.info.Dim], m.t.Work()+nodeTime)
}

// Cubature is the integral of the density over all coordinates, two ways (core/cubature), for a model that Integrates.
// The centers and the scales of the pilot are a start; what the grids of cubature find counts as much. going, which may
// be nil, is called every few hundred evaluations with their share of those that may be made; false ends the work, and
// nothing is kept.
func (m *onTape) Cubature(going func(share float64) bool) (out cubature.Result) {
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
		p, work := m.found(), m.t.Work()
		points := p.t.Points()
		o := cubature.Options{MaxEvals: cubature.MaxEvals(m.info.Dim)}
		if most := mostCubature / (work + nodeTime); most < float64(o.MaxEvals) {
			o.MaxEvals = max(int(most), 1000)
		}
		o.Going = func(evals int) bool { return going == nil || going(min(1, float64(evals)/float64(o.MaxEvals))) }
		for k := range p.base.parts {
			if mean := p.base.parts[k].core.Mean; len(mean) == m.info.Dim && num.AllFinite(mean) { // a heavy part has none
				o.Places = append(o.Places, mean)
			}
		}
		if mean, root := p.space.Mean, p.space.Root; fit(mean, root) {
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

// fit reports whether a mean and a root may be those of a chart.
func fit(mean, root []float64) bool {
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

// Integrate is the integral as an exact value. The tails that the pilot looked at must have an end, too.
func (m *onTape) Integrate(going func(share float64) bool) (*models.Truth, error) {
	if !m.Integrates() {
		return nil, problem.New("the program has %d coordinates, and an exact value by cubature is for up to %d; run two "+
			"methods that go different ways, as ais and rts, and compare them", m.info.Dim, cubature.MaxDim)
	}
	r := m.Cubature(going)
	if r.Stopped {
		return nil, nil
	}
	if slope, name := m.Endless(); r.Diverges || slope > models.EndlessTail {
		if name == "" {
			return nil, problem.New("the integral of the density is infinite: its mass does not fall far out")
		}
		return nil, problem.New("the integral of the density is infinite: its mass does not fall where %s is far out", name)
	}
	if !r.Converged {
		return nil, problem.New("cubature did not converge: after %d evaluations log Z is %.6g with an error of %.2g nats, "+
			"more than %g; the density is too rough or too narrow for it, and methods with chains may do better", r.Evals,
			r.LogZ, r.Err, cubature.Tol(m.info.Dim))
	}
	return &models.Truth{LogZ: r.LogZ, Source: CubatureSource, Error: r.Err}, nil
}

// CubatureSource is the source of an exact value by Integrate.
const CubatureSource = "adaptive cubature, computed twice"
