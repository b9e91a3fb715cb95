package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators/external/samples"
)

// ladder holds the samples without their burn-in on a ladder from the base to the target. An end without samples, such
// as the prior, is added as a rung without samples.
type ladder struct {
	set         *samples.Set
	rungs       []samples.Rung
	chains      []chain // sorted by rung, then run
	offset      int     // number of rungs before the first one of the set: 1 if the base was added
	runs        int
	independent bool // samples are treated as independent
}

// chain is the part of a chain after the burn-in.
type chain struct {
	rung, run, n int
	burn         int // number of samples left out before
	data         *samples.Chain
}

// priorTol is the spread of log weights, in nats, below which a rung counts as the prior.
const priorTol = 1e-9

// newLadder makes a ladder of all samples; burn returns the number of samples to leave out of a chain.
func newLadder(s *samples.Set, independent bool, burn func(series []float64) int) *ladder {
	l := &ladder{set: s, rungs: s.Rungs, runs: s.Runs, independent: independent}
	if s.Kind == samples.Powers {
		if at := s.Rungs[0].At[0]; at > 0 && !(float64(at*spreadAt(s, 0)) < priorTol) {
			l.rungs, l.offset = append([]samples.Rung{{Label: "0", At: []float64{0}}}, l.rungs...), 1
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
		c := chain{rung: from.Rung + l.offset, run: from.Run, n: n, data: from}
		c.burn = burn(l.series(c))
		c.n -= c.burn
		l.chains = append(l.chains, c)
	}
	return l
}

// spreadAt returns the largest distance of the log likelihoods at a rung from the first one of their chain.
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

// ofRun returns the ladder with the samples of one run.
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

// top returns the index of the last rung.
func (l *ladder) top() int { return len(l.rungs) - 1 }

// counts returns the number of samples at each rung.
func (l *ladder) counts() []float64 {
	n := make([]float64, len(l.rungs))
	for _, c := range l.chains {
		n[c.rung] += float64(c.n)
	}
	return n
}

// total returns the number of samples.
func (l *ladder) total() (n int) {
	for _, c := range l.chains {
		n += c.n
	}
	return n
}

// sampled returns the rungs with samples.
func (l *ladder) sampled() (rungs []int) {
	for k, n := range l.counts() {
		if n > 0 {
			rungs = append(rungs, k)
		}
	}
	return rungs
}

// hasSlopes reports whether d log f/d lambda is known for all samples.
func (l *ladder) hasSlopes() bool {
	return all(l.chains, func(c chain) bool { return c.data.LogL != nil || c.data.Slopes != nil })
}

// hasEnergies reports whether log f at other rungs is known for all samples.
func (l *ladder) hasEnergies() bool {
	return all(l.chains, func(c chain) bool { return c.data.LogL != nil || c.data.LogF != nil })
}

// all reports whether a condition holds for all chains.
func all(chains []chain, is func(chain) bool) bool {
	for _, c := range chains {
		if !is(c) {
			return false
		}
	}
	return true
}

// logF stores log f of the i-th sample of a chain at the given rungs, up to a constant that depends on the sample, in
// out.
func (l *ladder) logF(c *chain, i int, rungs []int, out []float64) {
	if i += c.burn; c.data.LogL != nil {
		for k, rung := range rungs {
			out[k] = num.Mul(l.rungs[rung].At[0], c.data.LogL[i])
		}
		return
	}
	row := c.data.LogF[i*len(l.rungs):]
	for k, rung := range rungs {
		out[k] = row[rung]
	}
}

// logRatio returns log f_to - log f_from for the i-th sample of a chain.
func (l *ladder) logRatio(c chain, i, to, from int) float64 {
	if c.data.LogL != nil {
		return num.Mul(l.rungs[to].At[0]-l.rungs[from].At[0], c.data.LogL[c.burn+i])
	}
	row := c.data.LogF[(c.burn+i)*len(l.rungs):]
	return row[to] - row[from]
}

// components returns the number of components of the path.
func (l *ladder) components() int { return len(l.rungs[0].At) }

// slope returns d log f/d lambda of the i-th sample of a chain along a component.
func (l *ladder) slope(c chain, i, component int) float64 {
	return l.set.Slope(c.data, c.burn+i, component)
}

// series returns the quantity whose convergence is examined: the log likelihood, or log f at the next rung minus log f
// at the one before, or the slope.
func (l *ladder) series(c chain) []float64 {
	if c.data.LogL != nil {
		return c.data.LogL[c.burn : c.burn+c.n]
	}
	x := make([]float64, c.n)
	to, from := min(c.rung+1, l.top()), max(c.rung-1, 0)
	defer clampInfinite(x)
	for i := range x {
		if c.data.LogF != nil {
			x[i] = l.logRatio(c, i, to, from)
		}
		if c.data.LogF == nil || !num.NotNaN(x[i]) {
			for j := range l.components() {
				if c.data.Slopes == nil {
					x[i] = 0
				} else {
					x[i] += l.slope(c, i, j)
				}
			}
		}
	}
	return x
}

// clampInfinite replaces infinite values, which belong to samples that are impossible at a neighbouring rung, by the
// nearest finite value of the series.
func clampInfinite(x []float64) {
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

// burnInNote returns a phrase about the burn-in left out, nil if there is none.
func (l *ladder) burnInNote() error {
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
		return problem.New("%w of 1 chain left out as burn-in, at rung %s", samples.CountSamples(n), at)
	}
	return problem.New("%w of %d chains left out as burn-in, %d of them at rung %s", samples.CountSamples(n), chains,
		most.burn, at)
}
