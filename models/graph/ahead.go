package graph

import (
	"math"
	"slices"

	"logzlab/core/factor"
	"logzlab/core/lazy"
	"logzlab/models"
)

// Particles that look ahead ([Lindsten2018]): f_n is not the product of the tables that are complete among the first n
// variables, but, roughly, the sum of f over all others, by mini-buckets (factor.Ahead). With log T the tables that
// come with variable n+1, and log S the messages that go,
//
//	log W = log sum over x_{n+1} of T(x) - log S(x_1..x_n),
//
// which is 0 wherever the sum is exact: only where buckets are cut do particles get uneven weights, and f_N is f.

// lookahead is the name of that order.
const lookahead = "ahead"

// Sizes of the tables: of each at most, in entries, and of all together, about, in bytes.
const (
	aheadWidth   = 16
	aheadEntries = 1 << aheadWidth
	aheadBytes   = 32 << 20
	aheadTime    = 200 // nanoseconds in which a variable looks into them, about
)

// Particles are moved at every aheadRest-th stage only: most weights there come from few stages.
const aheadRest = 16

// ahead is what is beside the tables of a layout.
type ahead struct {
	*factor.Ahead
	sent [][]*table // of each place, the tables that go
}

// file notes that table i of the layout goes.
func (a *ahead) file(i int, t *table) {
	if t.goes = a.Goes[i]; t.goes < len(a.sent) {
		a.sent[t.goes] = append(a.sent[t.goes], t)
	}
}

// sequence is the layout of particles.
func (m *Graph) sequence() *layout {
	if m.order != lookahead {
		return layoutOf(m.g, orderOf(m.g, m.order))
	}
	p := m.plan()
	b := factor.Buckets{Order: slices.Concat(p.Order, p.Fixed)}
	if p.Width > aheadWidth {
		b = m.g.Tightest(p, going)
	}
	a, _ := m.g.Ahead(b, m.g.AheadEntries(b.Order, m.view, aheadBytes), going)
	l := layoutWith(a.Graph, a.Order, &ahead{a, make([][]*table, len(a.Order))})
	l.constant = a.LogZ
	return l
}

// still lists the tables of a variable that are there at stage n.
func (c *cells) still(parts []part, n int) []part {
	c.there = c.there[:0]
	for _, p := range parts {
		if p.goes >= n {
			c.there = append(c.there, p)
		}
	}
	return c.there
}

// takeBack takes out of log W what stood for the next variable.
func (p *particles) takeBack(lo, hi int, out []float64) {
	a := p.l.ahead
	for r := range out[:hi-lo] {
		out[r] -= a.Fixed[p.n]
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

// Ahead is the model formed with a view of what is to come.
func (m *Graph) Ahead() models.Model {
	out := *m
	out.order = lookahead
	out.formed = lazily(&out)
	out.stages = lazy.Of(out.sumStages)
	return &out
}

// lazily makes the sequence of a model once.
func lazily(m *Graph) func() *layout { return lazy.Of(m.sequence) }
