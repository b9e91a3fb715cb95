package graph

import (
	"math"
	"slices"

	"logzlab/core/factor"
	"logzlab/core/lazy"
	"logzlab/models"
)

// Particles with lookahead ([Lindsten2018]): f_n is not the product of the tables that are complete among the first n
// variables, but an approximation by mini-buckets of the sum of f over all other variables (factor.Ahead). With T the
// product of the tables that enter with variable n+1, and S that of the messages that leave,
//
//	log W = log sum over x_{n+1} of T(x) - log S(x_1..x_n).
//
// W is 1 if the message is the exact sum: weights vary only at partitioned buckets. f_N is f.

// lookahead is the name of that order.
const lookahead = "ahead"

// Limits of the tables: entries of each, and bytes of all together.
const (
	aheadWidth   = 16
	aheadEntries = 1 << aheadWidth
	aheadBytes   = 32 << 20
	aheadTime    = 200 // nanoseconds of a variable, about
)

// Particles are moved at every aheadRest-th stage only, as few stages contribute most of the variance of weights.
const aheadRest = 16

// ahead is the part of a layout for lookahead densities.
type ahead struct {
	*factor.Lookahead
	sent [][]*table // of each place, the tables that leave
}

// file notes at which place table t, number i of the lookahead, leaves.
func (a *ahead) file(i int, t *table) {
	if t.goes = a.LeavesAt[i]; t.goes < len(a.sent) {
		a.sent[t.goes] = append(a.sent[t.goes], t)
	}
}

// sequence is the layout in which particles are formed.
func (m *Graph) sequence() *layout {
	if m.order != lookahead {
		return layoutOf(m.g, orderOf(m.g, m.order))
	}
	p := m.plan()
	b := factor.Buckets{Order: slices.Concat(p.Order, p.Cutset)}
	if p.Width > aheadWidth {
		b = m.g.BestBuckets(p, going)
	}
	a, _ := m.g.Lookahead(b, m.g.LookaheadEntries(b.Order, m.view, aheadBytes), going)
	l := layoutWith(a.Graph, a.Order, &ahead{a, make([][]*table, len(a.Order))})
	l.constant = a.LogZ
	return l
}

// still lists the parts whose tables have not left at stage n.
func (c *cells) still(parts []part, n int) []part {
	c.there = c.there[:0]
	for _, p := range parts {
		if p.goes >= n {
			c.there = append(c.there, p)
		}
	}
	return c.there
}

// takeBack subtracts log S, the messages that leave, from log W.
func (p *particles) takeBack(lo, hi int, out []float64) {
	a := p.l.ahead
	for r := range out[:hi-lo] {
		out[r] -= a.LogConst[p.n]
	}
	for _, t := range a.sent[p.n] {
		for r, at := range p.indices(t.places, t.strides, lo, hi) {
			if t.broken != nil && t.broken[at] {
				out[r] = math.Inf(-1)
			} else {
				out[r] -= t.x[at]
			}
		}
	}
}

// SkipsMoves reports whether particles are not moved at a stage.
func (m *Graph) SkipsMoves(stage int) bool { return m.order == lookahead && stage%aheadRest != 0 }

// Ahead is the model formed with lookahead.
func (m *Graph) Ahead() models.Model {
	out := *m
	out.order = lookahead
	out.formed = lazily(&out)
	out.stages = lazy.Of(out.sumStages)
	return &out
}

// lazily computes the sequence of a model on first use.
func lazily(m *Graph) func() *layout { return lazy.Of(m.sequence) }
