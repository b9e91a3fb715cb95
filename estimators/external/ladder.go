package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators/external/samples"
)

// ladder holds the samples without their burn-in, on a ladder of rungs from the base (such as the prior) to the target
// (such as the posterior). If the files have no samples of the base or the target, it is added as a rung without
// samples.
type ladder struct {
	set         *samples.Set
	rungs       []samples.Rung
	chains      []chain // sorted by rung, then run
	offset      int     // 1 if the base was added as a rung before those of set, else 0
	runs        int
	independent bool // samples are treated as independent, as the user asked
}

// chain is a chain of data without its burn-in: n samples, after burn samples that are left out. Index i of its samples
// is index burn+i in data.
type chain struct {
	rung, run, n int
	burn         int // length of the burn-in
	data         *samples.Chain
}

// priorTol is the spread of beta log L, in nats, below which the lowest rung, of power beta, counts as the prior.
const priorTol = 1e-9

// newLadder makes a ladder of all samples. burn returns the number of samples to leave out at the start of a chain,
// from the series of the chain (see ladder.series).
func newLadder(s *samples.Set, independent bool, burn func(series []float64) int) *ladder {
	l := &ladder{set: s, rungs: s.Rungs, runs: s.Runs, independent: independent}
	if s.Kind == samples.Powers {
		if firstPower := s.Rungs[0].At[0]; firstPower > 0 && !(float64(firstPower*spreadAt(s, 0)) < priorTol) {
			l.rungs, l.offset = append([]samples.Rung{{Label: "0", At: []float64{0}}}, l.rungs...), 1
		}
		if last := l.rungs[len(l.rungs)-1]; last.At[0] < 1 {
			l.rungs = append(l.rungs[:len(l.rungs):len(l.rungs)], samples.Rung{Label: "1", At: []float64{1}})
		}
	}
	for i := range s.Chains {
		source := &s.Chains[i]
		n := source.Len(s)
		if n == 0 {
			continue
		}
		c := chain{rung: source.Rung + l.offset, run: source.Run, n: n, data: source}
		c.burn = burn(l.series(c))
		c.n -= c.burn
		l.chains = append(l.chains, c)
	}
	return l
}

// spreadAt returns the largest distance between a log likelihood at a rung and the first one of its chain.
func spreadAt(s *samples.Set, rung int) (spread float64) {
	for i := range s.Chains {
		if c := &s.Chains[i]; c.Rung == rung {
			for _, x := range c.LogL {
				spread = max(spread, math.Abs(x-c.LogL[0]))
			}
		}
	}
	return spread
}

// ofRun returns a copy of the ladder that has only the samples of one run.
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

// counts returns the number of samples at each rung, as float64 for use in formulas.
func (l *ladder) counts() []float64 {
	n := make([]float64, len(l.rungs))
	for _, c := range l.chains {
		n[c.rung] += float64(c.n)
	}
	return n
}

// total returns the number of samples at all rungs.
func (l *ladder) total() (n int) {
	for _, c := range l.chains {
		n += c.n
	}
	return n
}

// sampled returns the indices of the rungs with samples.
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
	return allChains(l.chains, func(c chain) bool { return c.data.LogL != nil || c.data.Slopes != nil })
}

// hasEnergies reports whether log f at other rungs is known for all samples.
func (l *ladder) hasEnergies() bool {
	return allChains(l.chains, func(c chain) bool { return c.data.LogL != nil || c.data.LogF != nil })
}

// allChains reports whether a condition holds for all chains.
func allChains(chains []chain, condition func(chain) bool) bool {
	for _, c := range chains {
		if !condition(c) {
			return false
		}
	}
	return true
}

// logF sets out[k] to log f_rungs[k] of the i-th sample of a chain, up to a constant that depends on the sample only.
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

// slope returns d log f/d lambda of the i-th sample of a chain along a component of the path.
func (l *ladder) slope(c chain, i, component int) float64 {
	return l.set.Slope(c.data, c.burn+i, component)
}

// series returns the quantity, for each sample of a chain, whose convergence is examined. It is the first of these that
// the samples have: the log likelihood; log f at the rung above minus log f at the rung below; the sum of the slopes.
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

// clampInfinite replaces an infinite value, of a sample that is impossible at a neighbouring rung, by the smallest or
// the largest finite value of the series.
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

// burnInNote returns a phrase that says how many samples were left out as burn-in, nil if none were.
func (l *ladder) burnInNote() error {
	n, burnedChains, longest := 0, 0, chain{}
	for _, c := range l.chains {
		if c.burn > 0 {
			n, burnedChains = n+c.burn, burnedChains+1
		}
		if c.burn > longest.burn {
			longest = c
		}
	}
	if n == 0 {
		return nil
	}
	label := l.rungs[longest.rung].Label
	if burnedChains == 1 {
		return problem.New("%w of 1 chain left out as burn-in, at rung %s", samples.CountSamples(n), label)
	}
	return problem.New("%w of %d chains left out as burn-in, %d of them at rung %s", samples.CountSamples(n), burnedChains,
		longest.burn, label)
}
