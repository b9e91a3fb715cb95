package graph

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/factor"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
)

// layout is a graph prepared for sweeps and stages that visit its variables in a given order. A variable is identified
// by its place, its index in this order. A table is complete at its last place: all its variables are present from
// there on. Each place lists the tables on its variable in the order of completion.
type layout struct {
	order      []int            // variable at each place
	placeOf    []int32          // place of each variable
	orderCells []int32          // the same as order, as int32 for frames
	states     []int            // number of states at each place
	partsAt    [][]part         // tables on the variable at each place
	tables     []*table         // in order of completion
	base       []*table         // tables of f_0; nil if f_0 is uniform
	constant   float64          // log of the constant factor
	constZeros int32            // 1 if the constant factor is 0
	lookahead  *lookaheadTables // nil without lookahead densities
}

// table is the table of a factor. x are its logs. Where the factor is 0, isZero is true and x is the finite log that
// replaces the zero for b < 1 (softTable); isZero is nil if the table has no zeros.
type table struct {
	x        []float64
	isZero   []bool
	places   []int32 // places of its variables, ascending
	strides  []int32 // step of the index of x for each variable
	leavesAt int     // stage from which on f_n lacks the table, see lookaheadTables
	inBase   bool    // the table is a factor of f_0, see withTreeBase
}

// last returns the place at which the table is complete.
func (t *table) last() int32 { return t.places[len(t.places)-1] }

// part is a table together with one of its variables.
type part struct {
	*table
	stride  int32   // stride of the variable
	places  []int32 // places of the other variables
	strides []int32 // strides of the other variables
	odds    *odds   // odds of the variable, if it has two states and the table is small; otherwise nil
}

// layoutOf returns the layout of a graph in the given order of variables.
func layoutOf(g *factor.Graph, order []int) *layout { return layoutWith(g, order, nil) }

// layoutWith is layoutOf; if a is not nil, it also records at which stages the tables of lookahead densities leave.
func layoutWith(g *factor.Graph, order []int, a *lookaheadTables) *layout {
	l := &layout{lookahead: a, order: order, states: make([]int, len(order)), partsAt: make([][]part, len(order))}

	place := make([]int32, len(order))
	for p, v := range order {
		place[v], l.states[p] = int32(p), g.States[v]
		l.orderCells = append(l.orderCells, int32(v))
	}
	l.placeOf = place

	for i := range g.Factors {
		f := &g.Factors[i]
		x, isZero := softTable(f.Table)
		if len(f.Vars) == 0 {
			if l.constant = x[0]; isZero != nil {
				l.constZeros = 1
			}
			continue
		}
		t := &table{x: x, isZero: isZero}
		stride := int32(1)
		for k := len(f.Vars) - 1; k >= 0; k-- {
			v := f.Vars[k]
			at, _ := slices.BinarySearch(t.places, place[v])
			t.places, t.strides = slices.Insert(t.places, at, place[v]), slices.Insert(t.strides, at, stride)
			stride *= int32(g.States[v])
		}
		if t.leavesAt = len(order); a != nil {
			a.register(i, t)
		}
		l.tables = append(l.tables, t)
	}

	sort.SliceStable(l.tables, func(i, j int) bool { return l.tables[i].last() < l.tables[j].last() })
	for _, t := range l.tables {
		for k, p := range t.places {
			view := part{table: t, stride: t.strides[k], places: slices.Delete(slices.Clone(t.places), k, k+1),
				strides: slices.Delete(slices.Clone(t.strides), k, k+1)}
			if l.states[p] == 2 && a == nil {
				view.odds = l.oddsOf(&view)
			}
			l.partsAt[p] = append(l.partsAt[p], view)
		}
	}
	return l
}

// softTable returns a copy of the table t of logs in which each zero (a log of -Inf) is replaced by a finite log,
// penalty nats below the smallest other one; isZero marks the zeros. If t has no zeros, it returns t and nil.
func softTable(t []float64) (x []float64, isZero []bool) {
	minLog := math.Inf(1)
	for _, v := range t {
		if !math.IsInf(v, -1) {
			minLog = min(minLog, v)
		}
	}
	if math.IsInf(minLog, 1) { // all entries are zero
		minLog = 0
	}
	if !slices.Contains(t, math.Inf(-1)) {
		return t, nil
	}
	x, isZero = slices.Clone(t), make([]bool, len(t))
	for i, v := range t {
		if math.IsInf(v, -1) {
			x[i], isZero[i] = minLog-penalty, true
		}
	}
	return x, isZero
}

// cells has the states of rows, ordered by place and then by row, so that a sweep reads memory in order: the state of
// row r at place p is s[p*stride+r].
type cells struct {
	l      *layout
	stride int
	s      []uint8

	// Work space of a sweep.
	index      []int32
	weight     []float64 // by state and row
	zeroCounts []int32   // number of zeros, by state and row
	kernel.RowWords
	presentParts []part
}

// newCells returns n rows in state 0.
func newCells(l *layout, n int) *cells {
	return &cells{l: l, stride: n, s: make([]uint8, n*len(l.order))}
}

// states returns the states of rows [lo, hi) at a place.
func (c *cells) states(place int32, lo, hi int) []uint8 {
	start := int(place) * c.stride
	return c.s[start+lo : start+hi]
}

// resize makes space for n rows and keeps the existing ones.
func (c *cells) resize(n int) {
	if n <= c.stride {
		return
	}
	newStride := max(n, c.stride+c.stride/2)
	s := make([]uint8, newStride*len(c.l.order))
	for p := range c.l.order {
		copy(s[p*newStride:(p+1)*newStride], c.s[p*c.stride:(p+1)*c.stride])
	}
	c.s, c.stride = s, newStride
}

// copy sets the states of row dst to those of row src.
func (c *cells) copy(dst, src int) {
	for at := 0; at < len(c.s); at += c.stride {
		c.s[at+dst] = c.s[at+src]
	}
}

// openStreams starts the random streams of rows [lo, hi) at the given step.
func (c *cells) openStreams(at rng.At, lo, hi int) {
	at.Slot += uint32(lo)
	c.Open(at, hi-lo)
}

// tableIndex returns for each row of [lo, hi) the index into a table for the states at the given places, sum_k
// strides[k] state_k. The slice is reused by the next call.
func (c *cells) tableIndex(places, strides []int32, lo, hi int) []int32 {
	c.index = num.Sized(c.index, hi-lo)
	clear(c.index)
	for k, p := range places {
		stride := strides[k]
		for r, x := range c.states(p, lo, hi) {
			c.index[r] += stride * int32(x)
		}
	}
	return c.index
}

// logWeights returns, for each state k of a variable and each row r of [lo, hi), the log of the product of the tables
// in parts, at index k*(hi-lo)+r, with zeros replaced; and at the same index the number of zeros in the product. zeros
// is nil if no table has zeros.
func (c *cells) logWeights(parts []part, states, lo, hi int) (weight []float64, zeros []int32) {
	n := hi - lo
	c.weight = num.Sized(c.weight, states*n)
	weight = c.weight
	clear(weight)

	for i := range parts {
		p := &parts[i]
		index := c.tableIndex(p.places, p.strides, lo, hi)
		for k := range states {
			sums, logs := weight[k*n:(k+1)*n], p.x[int32(k)*p.stride:]
			for r, at := range index {
				sums[r] += logs[at]
			}
		}

		if p.isZero == nil {
			continue
		}
		if zeros == nil {
			c.zeroCounts = num.Sized(c.zeroCounts, states*n)
			zeros = c.zeroCounts
			clear(zeros)
		}
		for k := range states {
			counts, isZero := zeros[k*n:(k+1)*n], p.isZero[int32(k)*p.stride:]
			for r, at := range index {
				if isZero[at] {
					counts[r]++
				}
			}
		}
	}
	return weight, zeros
}

// energies sets e to the log of the product of the tables and the constant factor for rows [lo, hi), with zeros
// replaced, and zeros to the number of zeros in the product.
func (c *cells) energies(tables []*table, lo, hi int, e []float64, zeros []int32) {
	for i := range e {
		e[i], zeros[i] = c.l.constant, c.l.constZeros
	}
	for _, t := range tables {
		if len(t.places) == 2 && t.isZero == nil {
			c.addPairs(t, lo, hi, e)
			continue
		}
		index := c.tableIndex(t.places, t.strides, lo, hi)
		for r, at := range index {
			e[r] += t.x[at]
		}
		if t.isZero == nil {
			continue
		}
		for r, at := range index {
			if t.isZero[at] {
				zeros[r]++
			}
		}
	}
}

// addPairs adds the log of a table on two variables to e for rows [lo, hi).
func (c *cells) addPairs(t *table, lo, hi int, e []float64) {
	x, stride1, stride0 := t.x, t.strides[1], t.strides[0]
	second := c.states(t.places[1], lo, hi)
	e = e[:len(second)]
	for r, s := range c.states(t.places[0], lo, hi)[:len(second)] {
		e[r] += x[int32(s)*stride0+int32(second[r])*stride1]
	}
}

// drawUniform sets the variables at the first n places of rows [lo, hi) to uniform states.
func (c *cells) drawUniform(at rng.At, n, lo, hi int) {
	c.openStreams(at, lo, hi)
	for p := range n {
		if p%4 == 0 {
			c.More()
		}
		states, row := uint64(c.l.states[p]), c.states(int32(p), lo, hi)
		for r, word := range c.Of(p % 4) {
			row[r] = uint8(uint64(word) * states >> 32)
		}
	}
}
