package graph

import (
	"math"
	"slices"

	"logzlab/core/factor"
	"logzlab/core/lazy"
	"logzlab/models"
)

// Particles with lookahead ([Lindsten2018]): f_n is an approximation by mini-buckets of the sum of f over all variables
// after the first n (factor.Lookahead), and f_N is f. Without lookahead, f_n is the product of the tables that are
// complete among the first n variables. Let T be the product of the tables that enter with variable n+1, and S the
// product of the messages of f_n that f_{n+1} lacks because T replaces them. Then
//	 log W = log sum over x_{n+1} of T(x) - log S(x_1..x_n).
// W is 1 if S is the exact sum, so weights vary only where a bucket was split into mini-buckets.

// lookahead is the value of the parameter order for formation with lookahead densities.
const lookahead = "ahead"

// Limits of the tables of lookahead densities: the induced width up to which elimination orders are used as they are,
// the entries of each table, and the bytes of all tables.
const (
	lookaheadWidth      = 16
	maxLookaheadEntries = 1 << lookaheadWidth
	lookaheadBytes      = 32 << 20
	lookaheadTime       = 200 // approximate time for each variable, in ns
)

// lookaheadMoveEvery is the number of stages between moves of particles: few stages contribute most of the variance of
// weights.
const lookaheadMoveEvery = 16

// lookaheadTables are the tables of lookahead densities in a layout. A table leaves at stage n if it is a factor of f_n
// but not of f_{n+1}.
type lookaheadTables struct {
	*factor.Lookahead
	leaving [][]*table // leaving[n]: tables that leave at stage n
}

// register records the stage at which t, table i of the lookahead, leaves.
func (a *lookaheadTables) register(i int, t *table) {
	if t.leavesAt = a.LeavesAt[i]; t.leavesAt < len(a.leaving) {
		a.leaving[t.leavesAt] = append(a.leaving[t.leavesAt], t)
	}
}

// makeFormation returns the layout in the order in which particles are formed.
func (m *Graph) makeFormation() *layout {
	if m.order != lookahead {
		return layoutOf(m.g, orderOf(m.g, m.order))
	}
	p := m.plan()
	b := factor.Buckets{Order: slices.Concat(p.Order, p.Cutset)}
	if p.Width > lookaheadWidth {
		b = m.g.BestBuckets(p, alwaysProceed)
	}
	a, _ := m.g.Lookahead(b, m.g.LookaheadEntries(b.Order, m.maxEntries, lookaheadBytes), alwaysProceed)
	l := layoutWith(a.Graph, a.Order, &lookaheadTables{a, make([][]*table, len(a.Order))})
	l.constant = a.LogZ
	return l
}

// present returns those of the parts whose tables have not left before stage n.
func (c *cells) present(parts []part, n int) []part {
	c.presentParts = c.presentParts[:0]
	for _, p := range parts {
		if p.leavesAt >= n {
			c.presentParts = append(c.presentParts, p)
		}
	}
	return c.presentParts
}

// subtractLeaving subtracts log S, the logs of the messages that leave at the current stage, from log W in out.
func (p *particles) subtractLeaving(lo, hi int, out []float64) {
	a := p.l.lookahead
	for r := range out[:hi-lo] {
		out[r] -= a.LogConst[p.n]
	}
	for _, t := range a.leaving[p.n] {
		for r, at := range p.tableIndex(t.places, t.strides, lo, hi) {
			if t.isZero != nil && t.isZero[at] {
				out[r] = math.Inf(-1)
			} else {
				out[r] -= t.x[at]
			}
		}
	}
}

// SkipsMoves reports whether particles need no moves at a stage: with lookahead they move at every sixteenth stage
// only.
func (m *Graph) SkipsMoves(stage int) bool {
	return m.order == lookahead && stage%lookaheadMoveEvery != 0
}

// WithLookahead returns the same model, whose sequence uses lookahead densities.
func (m *Graph) WithLookahead() models.Model {
	out := *m
	out.order = lookahead
	out.formationLayout = lazyFormation(&out)
	out.stageLogZ = lazy.Of(out.computeStageLogZ)
	return &out
}

// lazyFormation returns a function that computes makeFormation of m on first use.
func lazyFormation(m *Graph) func() *layout { return lazy.Of(m.makeFormation) }
