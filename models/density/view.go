package density

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// quantiles are quantiles of the quantities of pointRows under base and target, in the layout of frame.Parameters; nil
// if the distribution cannot be sampled.
type quantiles struct{ base, target []float32 }

// NumberedNames returns the n names name+first, name+(first+1), ..., for example b0, b1.
func NumberedNames(name string, first, n int) (names []string) {
	for i := range n {
		names = append(names, name+strconv.Itoa(first+i))
	}
	return names
}

// Number of quantiles of a quantity, and number of draws for them: enough draws for quantileNumbers coordinates, but at
// least quantileDraws. The draws use a key of their own.
const quantileCount, quantileNumbers, quantileDraws = 80, 24000, 2000

// quantiles computes the quantiles under base and target.
func (m *Space) quantiles() quantiles {
	return quantiles{m.sampleQuantiles("base", m.d.DrawBase), m.sampleQuantiles("target", m.d.DrawTarget)}
}

// sampleQuantiles returns the quantiles under the distribution that draw samples, or nil if draw is nil. name is part
// of the key.
func (m *Space) sampleQuantiles(name string, draw func(s *rng.Stream, x []float64)) (out []float32) {
	if draw == nil {
		return nil
	}
	d, key := m.d.Dim, rng.NewKey(0, name, 0)
	x := make([]float64, d)
	columns := make([][]float64, len(m.d.Names))
	n := max(quantileNumbers/d, quantileDraws)
	for i := range n {
		s := key.Stream(0, uint32(i), 0)
		draw(&s, x)
		quantities := x
		if m.d.Quantities != nil {
			quantities = make([]float64, len(columns))
			m.d.Quantities(x, quantities)
		}
		for k, v := range quantities {
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

// readParameters writes the quantities of rows 0..n-1 into f, and from time to time the particles of a filter.
func (p *pointRows) readParameters(n int, f *frame.Frame) {
	f.Flow = nil
	if p.m.d.Names == nil {
		return
	}
	if f.Parameters == nil {
		q := p.m.quantileCache.Get(p.m.quantiles)
		f.Parameters = &frame.Parameters{Names: p.m.d.Names, Base: q.base, Target: q.target}
	}
	x := f.Parameters.X[:0]
	for r := range n {
		for _, v := range p.quantities(p.row(r)) {
			x = append(x, float32(v))
		}
	}
	f.Parameters.X = x
	p.showFilter(n, f)
}

// evaluationsPerFilter limits the time of showFilter to one evaluation for this many evaluations of the run, or for
// half as many if all rows are at the target.
const evaluationsPerFilter = 120

// showFilter runs the particle filter at the weighted mean of the rows, or without weights at the row with the largest
// beta, and writes its particles into f. It does nothing if earlier calls have used up their share of the time.
func (p *pointRows) showFilter(n int, f *frame.Frame) {
	if p.m.d.RunFilter == nil || n == 0 {
		return
	}
	limit := p.evaluations
	if len(f.Beta) > 0 && f.Beta[0] == 1 {
		limit *= 2
	}
	if p.filterCost > 0 && p.filterCost*evaluationsPerFilter > limit {
		return
	}

	// Weighted mean, or coldest row.
	d := p.m.d.Dim
	point, sum, maxLogW := make([]float64, d), 0., math.Inf(-1)
	for _, w := range f.LogW[:min(n, len(f.LogW))] {
		maxLogW = max(maxLogW, float64(w))
	}
	if num.Finite(maxLogW) {
		for r, w := range f.LogW[:n] {
			weight := num.Exp(float64(w) - maxLogW)
			sum += weight
			num.Axpy(weight, p.row(r), point)
		}
		for i := range point {
			point[i] /= sum
		}
	} else {
		coldest := 0
		for r := range f.Beta[:min(n, len(f.Beta))] {
			if f.Beta[r] > f.Beta[coldest] {
				coldest = r
			}
		}
		copy(point, p.row(coldest))
	}

	flow, cost := p.m.d.RunFilter(uint32(p.evaluations), point)
	p.filterCost += cost
	f.Flow = flow
}
