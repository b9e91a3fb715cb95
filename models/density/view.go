package density

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// quantiles of the coordinates of base and target, as frame.Parameters has them.
type quantiles struct{ base, target []float32 }

// Indexed are names with numbers from first on.
func Indexed(name string, first, n int) (names []string) {
	for i := range n {
		names = append(names, name+strconv.Itoa(first+i))
	}
	return names
}

// Quantiles of a coordinate, and draws behind them: so many numbers in all, but never too few. They have keys of their
// own.
const quantileCount, quantileNumbers, quantileDraws = 80, 24000, 2000

func (m *Space) quantiles() quantiles {
	return quantiles{m.spread("base", m.d.DrawBase), m.spread("target", m.d.DrawTarget)}
}

func (m *Space) spread(of string, draw func(s *rng.Stream, x []float64)) (out []float32) {
	if draw == nil {
		return nil
	}
	d, key := m.d.Dim, rng.NewKey(0, of, 0)
	x := make([]float64, d)
	columns := make([][]float64, len(m.d.Names))
	n := max(quantileNumbers/d, quantileDraws)
	for i := range n {
		s := key.Stream(0, uint32(i), 0)
		draw(&s, x)
		shown := x
		if m.d.Show != nil {
			shown = make([]float64, len(columns))
			m.d.Show(x, shown)
		}
		for k, v := range shown {
			columns[k] = append(columns[k], v)
		}
	}
	for _, c := range columns {
		slices.Sort(c)
		for i := range quantileCount {
			out = append(out, float32(c[(2*i+1)*n/(2*quantileCount)]))
		}
	}
	return out
}

// readParameters shows rows [0, n) by their coordinates, and now and then a filter's way.
func (p *spaceRows) readParameters(n int, f *frame.Frame) {
	f.Flow = nil
	if p.m.d.Names == nil {
		return
	}
	if f.Parameters == nil {
		q := p.m.ends.Get(p.m.quantiles)
		f.Parameters = &frame.Parameters{Names: p.m.d.Names, Base: q.base, Target: q.target}
	}
	x := f.Parameters.X[:0]
	for r := range n {
		for _, v := range p.shown(r) {
			x = append(x, float32(v))
		}
	}
	f.Parameters.X = x
	p.follow(n, f)
}

// pace is the least number of evaluations of the density for the time of one by pictures, half as many at the target.
const pace = 120

// follow shows a filter's way at the mean of weighted rows, of others at the coldest one, unless ways have taken more
// than their share of the time.
func (p *spaceRows) follow(n int, f *frame.Frame) {
	if p.m.d.Follow == nil || n == 0 {
		return
	}
	limit := p.spent
	if len(f.Beta) > 0 && f.Beta[0] == 1 {
		limit *= 2
	}
	if p.flows > 0 && p.flows*pace > limit {
		return
	}

	// The mean of weighted rows, or the coldest row.
	d := p.m.d.Dim
	at, sum, top := make([]float64, d), 0., math.Inf(-1)
	for _, w := range f.LogW[:min(n, len(f.LogW))] {
		top = max(top, float64(w))
	}
	if num.Finite(top) {
		for r, w := range f.LogW[:n] {
			share := num.Exp(float64(w) - top)
			sum += share
			num.Axpy(share, p.row(r), at)
		}
		for i := range at {
			at[i] /= sum
		}
	} else {
		best := 0
		for r := range f.Beta[:min(n, len(f.Beta))] {
			if f.Beta[r] > f.Beta[best] {
				best = r
			}
		}
		copy(at, p.row(best))
	}

	flow, worth := p.m.d.Follow(uint32(p.spent), at)
	p.flows += worth
	f.Flow = flow
}
