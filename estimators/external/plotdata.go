package external

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators/external/samples"
)

// Series is the trace of a chain, in the order of its samples, with its burn-in. The values are the log likelihood, or
// log f at the rung above minus log f at the rung below, or the slope (see ladder.series).
type Series struct {
	Rung        string
	Run, BurnIn int
	Values      []float64
}

// Slope is the mean of d log f/d beta over the samples at the rung of power At.
type Slope struct {
	At, Mean float64
}

// Convergence has two estimates of log Z, with their standard errors: First from the first samples of each chain, Last
// from the last samples. Share is the share of the samples that each of them uses.
type Convergence struct {
	Share           float64
	First, Last     float64
	FirstSE, LastSE float64
}

// PlotData is the data of the plots that accompany a report.
type PlotData struct {
	Nested []NestedPlot    // runs of nested sampling
	Stones []samples.Stone // step sums

	// Of samples on a ladder:
	Series      []Series
	Slopes      []Slope // nil if not known, or if the path has several components
	Method      string  // method of Convergence
	Thin        int     // Convergence used every Thin-th sample
	Convergence []Convergence
}

// convergenceSteps is the number of shares that AddConvergence uses: 1/10, 2/10, ..., 1.
const convergenceSteps = 10

// PlotData computes the data of the plots, except for Convergence.
func (c *Case) PlotData(o Options) *PlotData {
	p := &PlotData{Stones: c.Set.Stones}
	for _, run := range c.Set.Points {
		p.Nested = append(p.Nested, newNestedPlot(run))
	}
	if c.Set.Kind != samples.Powers && c.Set.Kind != samples.States {
		return p
	}
	l := c.ladder(o)
	slopes := l.hasSlopes() && l.components() == 1
	means := make([]stats.Welford, len(l.rungs))
	for _, c := range l.chains {
		whole := c
		whole.n, whole.burn = c.n+c.burn, 0
		p.Series = append(p.Series, Series{l.rungs[c.rung].Label, c.run, c.burn, l.series(whole)})
		for i := 0; slopes && i < c.n; i++ {
			means[c.rung].Add(l.slope(c, i, 0))
		}
	}
	for k, w := range means {
		if slopes && w.N > 0 {
			p.Slopes = append(p.Slopes, Slope{l.rungs[k].At[0], w.Mean})
		}
	}
	return p
}

// maxConvergenceNumbers is the number of log densities that AddConvergence uses; if there are more, it thins the
// samples.
const maxConvergenceNumbers = 4e5

// AddConvergence sets p.Convergence: estimates from growing shares of the samples, taken from the beginning of each
// chain and from its end. It does nothing for step sums, nested sampling and posterior draws.
func (c *Case) AddConvergence(p *PlotData, method string, o Options, m *meter.Meter) error {
	if c.Set.Kind != samples.Powers && c.Set.Kind != samples.States {
		return nil
	}
	l := c.ladder(o)
	p.Thin = 1 + l.total()*len(l.rungs)/maxConvergenceNumbers
	l = newLadder(l.thinned(p.Thin), o.Independent, func([]float64) int { return 0 })
	p.Method = method
	for i := 1; i <= convergenceSteps; i++ {
		point := Convergence{Share: float64(i) / convergenceSteps}
		for _, fromEnd := range []bool{false, true} {
			z, se, err := l.subset(i, fromEnd).estimate(method, o, m)
			if err != nil {
				return err
			}
			if fromEnd {
				point.Last, point.LastSE = z, se
			} else {
				point.First, point.FirstSE = z, se
			}
		}
		p.Convergence = append(p.Convergence, point)
	}
	return nil
}

// thinned returns a set without the burn-in that has every n-th sample of each chain, with n = every.
func (l *ladder) thinned(every int) *samples.Set {
	s := *l.set
	s.Chains = nil
	for _, c := range l.chains {
		rows := func(x []float64) (out []float64) {
			width := len(x) / (c.burn + c.n)
			for i := c.burn; width > 0 && i < c.burn+c.n; i += every {
				out = append(out, x[i*width:(i+1)*width]...)
			}
			return out
		}
		s.Chains = append(s.Chains, samples.Chain{Rung: c.data.Rung, Run: c.run, LogL: rows(c.data.LogL),
			LogF: rows(c.data.LogF), Slopes: rows(c.data.Slopes)})
	}
	return &s
}

// subset returns a copy of the ladder with a number of tenths of each chain, from the end of the chain if fromEnd is
// set and else from its beginning.
func (l *ladder) subset(tenths int, fromEnd bool) *ladder {
	out := *l
	out.chains = nil
	for _, c := range l.chains {
		n := (c.n*tenths + convergenceSteps - 1) / convergenceSteps
		if fromEnd {
			c.burn += c.n - n
		}
		c.n = n
		out.chains = append(out.chains, c)
	}
	return &out
}

// estimate returns log Z and its standard error by one method; both are NaN if the method does not apply or fails.
func (l *ladder) estimate(method string, o Options, m *meter.Meter) (z, se float64, err error) {
	solvers, _ := l.solvers(o, m)
	if solvers[method] == nil {
		return math.NaN(), math.NaN(), nil
	}
	e, err := solvers[method](l, nil)
	if err != nil {
		return 0, 0, err
	}
	if !num.Finite(e.logZ()) {
		return math.NaN(), math.NaN(), nil
	}
	return e.logZ(), l.errorBar(e).se, nil
}
