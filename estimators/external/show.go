package external

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/estimators/external/samples"
)

// Series is what tells whether a chain has settled, in the order of its samples: its log likelihood, or how log f
// changes to the next rung, or its slope.
type Series struct {
	Rung        string
	Run, BurnIn int
	Values      []float64
}

// Slope is the mean slope of log f at a rung: d log Z/d beta.
type Slope struct {
	At, Mean, SD float64
}

// Grown is an estimate from a share of the samples of each chain: the first ones, or the last ones.
type Grown struct {
	Share           float64
	First, Last     float64
	FirstSE, LastSE float64
}

// Pictures is what pictures of samples show beside a report.
type Pictures struct {
	Climbs []Climb         // runs of nested sampling
	Stones []samples.Stone // known by their sums

	// Of samples on a ladder.

	Series []Series
	Slopes []Slope // nil: none are known, or the path has several components
	Method string  // of Grown
	Every  int     // sample of which one was taken there
	Grown  []Grown
}

// parts is how many shares of the samples Grow tries.
const parts = 10

// Pictures finds what chains and slopes look like.
func (c *Case) Pictures(o Options) *Pictures {
	p := &Pictures{Stones: c.Set.Stones}
	for _, run := range c.Set.Points {
		p.Climbs = append(p.Climbs, climb(run))
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
			p.Slopes = append(p.Slopes, Slope{l.rungs[k].At[0], w.Mean, math.Sqrt(max(w.Var(), 0))})
		}
	}
	return p
}

// quick is the number of numbers that Grow looks at; of more it takes every second, third ... sample.
const quick = 4e5

// Grow adds estimates from more and more of the samples that are kept, from the beginning of each chain and from its
// end. A method without samples has none.
func (c *Case) Grow(p *Pictures, method string, o Options, m *meter.Meter) error {
	if c.Set.Kind != samples.Powers && c.Set.Kind != samples.States {
		return nil
	}
	l := c.ladder(o)
	p.Every = 1 + l.total()*len(l.rungs)/quick
	l = newLadder(l.kept(p.Every), o.Independent, func([]float64) int { return 0 })
	p.Method = method
	for i := 1; i <= parts; i++ {
		g := Grown{Share: float64(i) / parts}
		for _, last := range []bool{false, true} {
			z, se, err := l.share(i, last).estimate(method, o, m)
			if err != nil {
				return err
			}
			if last {
				g.Last, g.LastSE = z, se
			} else {
				g.First, g.FirstSE = z, se
			}
		}
		p.Grown = append(p.Grown, g)
	}
	return nil
}

// kept is the set without what was left out, and with one of so many samples.
func (l *ladder) kept(every int) *samples.Set {
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
		s.Chains = append(s.Chains, samples.Chain{Rung: c.from.Rung, Run: c.run, LogL: rows(c.from.LogL),
			LogF: rows(c.from.LogF), Slopes: rows(c.from.Slopes)})
	}
	return &s
}

// share is the ladder with so many tenths of the samples of each chain.
func (l *ladder) share(tenths int, last bool) *ladder {
	out := *l
	out.chains = nil
	for _, c := range l.chains {
		n := (c.n*tenths + parts - 1) / parts
		if last {
			c.burn += c.n - n
		}
		c.n = n
		out.chains = append(out.chains, c)
	}
	return &out
}

// estimate is log Z with its error bar by one method, NaN where it finds none.
func (l *ladder) estimate(method string, o Options, m *meter.Meter) (z, se float64, err error) {
	by, _ := l.solvers(o, m)
	if by[method] == nil {
		return math.NaN(), math.NaN(), nil
	}
	e, err := by[method](l, nil)
	if err != nil {
		return 0, 0, err
	}
	if !num.Finite(e.logZ()) {
		return math.NaN(), math.NaN(), nil
	}
	return e.logZ(), l.bar(e).se, nil
}
