package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators/external/samples"
)

// ladder is samples without their burn-in, on a ladder from the base to the target. Where nobody sampled an end, as the
// prior, a rung without samples stands there.
type ladder struct {
	set         *samples.Set
	rungs       []samples.Rung
	chains      []chain // by rungs, then runs
	first       int     // rungs before the first one of the set: 1 if the base was added
	runs        int
	independent bool // samples are taken for independent
}

// chain is what is kept of the samples of one rung and run.
type chain struct {
	rung, run, n int
	burn         int // samples left out before
	from         *samples.Chain
}

// asPrior is the spread of log weights, in nats, below which a rung is taken for the prior itself.
const asPrior = 1e-9

// newLadder takes all samples; burn says how many of a chain are left out.
func newLadder(s *samples.Set, independent bool, burn func(series []float64) int) *ladder {
	l := &ladder{set: s, rungs: s.Rungs, runs: s.Runs, independent: independent}
	if s.Kind == samples.Powers {
		if at := s.Rungs[0].At[0]; at > 0 && !(float64(at*spreadAt(s, 0)) < asPrior) {
			l.rungs, l.first = append([]samples.Rung{{Label: "0", At: []float64{0}}}, l.rungs...), 1
		}
		if last := l.rungs[len(l.rungs)-1]; last.At[0] < 1 {
			l.rungs = append(l.rungs[:len(l.rungs):len(l.rungs)], samples.Rung{Label: "1", At: []float64{1}})
		}
	}
	for i := range s.Chains {
		from := &s.Chains[i]
		n := from.Len(s)
		if n == 0 {
			continue
		}
		c := chain{rung: from.Rung + l.first, run: from.Run, n: n, from: from}
		c.burn = burn(l.series(c))
		c.n -= c.burn
		l.chains = append(l.chains, c)
	}
	return l
}

// spreadAt is the largest distance of log likelihoods of a rung from their mean.
func spreadAt(s *samples.Set, rung int) (most float64) {
	for i := range s.Chains {
		if c := &s.Chains[i]; c.Rung == rung {
			for _, x := range c.LogL {
				most = max(most, math.Abs(x-c.LogL[0]))
			}
		}
	}
	return most
}

// ofRun is the ladder of one run.
func (l *ladder) ofRun(run int) *ladder {
	out := *l
	out.chains, out.runs = nil, 1
	for _, c := range l.chains {
		if c.run == run {
			out.chains = append(out.chains, c)
		}
	}
	return &out
}

// top is the last rung.
func (l *ladder) top() int { return len(l.rungs) - 1 }

// counts are the numbers of samples at each rung.
func (l *ladder) counts() []float64 {
	n := make([]float64, len(l.rungs))
	for _, c := range l.chains {
		n[c.rung] += float64(c.n)
	}
	return n
}

// total is the number of samples.
func (l *ladder) total() (n int) {
	for _, c := range l.chains {
		n += c.n
	}
	return n
}

// sampled lists the rungs that have samples.
func (l *ladder) sampled() (rungs []int) {
	for k, n := range l.counts() {
		if n > 0 {
			rungs = append(rungs, k)
		}
	}
	return rungs
}

// hasSlopes and hasEnergies tell what is known of the samples.
func (l *ladder) hasSlopes() bool {
	return all(l.chains, func(c chain) bool { return c.from.LogL != nil || c.from.Slopes != nil })
}

func (l *ladder) hasEnergies() bool {
	return all(l.chains, func(c chain) bool { return c.from.LogL != nil || c.from.LogF != nil })
}

func all(chains []chain, is func(chain) bool) bool {
	for _, c := range chains {
		if !is(c) {
			return false
		}
	}
	return true
}

// logF fills in log f of the i-th kept sample of a chain at some rungs, up to a constant of the sample.
func (l *ladder) logF(c *chain, i int, rungs []int, out []float64) {
	if i += c.burn; c.from.LogL != nil {
		for k, rung := range rungs {
			out[k] = num.Mul(l.rungs[rung].At[0], c.from.LogL[i])
		}
		return
	}
	row := c.from.LogF[i*len(l.rungs):]
	for k, rung := range rungs {
		out[k] = row[rung]
	}
}

// change is log f at a rung minus that at another, of the i-th kept sample of a chain.
func (l *ladder) change(c chain, i, to, from int) float64 {
	if c.from.LogL != nil {
		return num.Mul(l.rungs[to].At[0]-l.rungs[from].At[0], c.from.LogL[c.burn+i])
	}
	row := c.from.LogF[(c.burn+i)*len(l.rungs):]
	return row[to] - row[from]
}

// components is the number of those of the path.
func (l *ladder) components() int { return len(l.rungs[0].At) }

// slope is d log f/d lambda of the i-th kept sample of a chain along a component.
func (l *ladder) slope(c chain, i, component int) float64 {
	return l.set.Slope(c.from, c.burn+i, component)
}

// series is what tells whether a chain has settled: its log likelihood, or how log f changes to the next rung, or its
// slope.
func (l *ladder) series(c chain) []float64 {
	if c.from.LogL != nil {
		return c.from.LogL[c.burn : c.burn+c.n]
	}
	x := make([]float64, c.n)
	to, from := min(c.rung+1, l.top()), max(c.rung-1, 0)
	defer bounded(x)
	for i := range x {
		if c.from.LogF != nil {
			x[i] = l.change(c, i, to, from)
		}
		if c.from.LogF == nil || !num.Known(x[i]) {
			for j := range l.components() {
				if c.from.Slopes == nil {
					x[i] = 0
				} else {
					x[i] += l.slope(c, i, j)
				}
			}
		}
	}
	return x
}

// bounded puts what is infinite, where a sample is impossible at a neighbour, beside the farthest of the others.
func bounded(x []float64) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range x {
		if num.Finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		lo, hi = 0, 0
	}
	for i, v := range x {
		x[i] = min(max(v, lo), hi)
	}
}

// burned is a phrase about what was left out as burn-in, nil: nothing.
func (l *ladder) burned() error {
	n, chains, most := 0, 0, chain{}
	for _, c := range l.chains {
		if c.burn > 0 {
			n, chains = n+c.burn, chains+1
		}
		if c.burn > most.burn {
			most = c
		}
	}
	if n == 0 {
		return nil
	}
	at := l.rungs[most.rung].Label
	if chains == 1 {
		return problem.New("%w of 1 chain left out as burn-in, at rung %s", samples.Counted(n), at)
	}
	return problem.New("%w of %d chains left out as burn-in, %d of them at rung %s", samples.Counted(n), chains,
		most.burn, at)
}
