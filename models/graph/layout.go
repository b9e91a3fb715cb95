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

// layout is a graph prepared for sweeps and stages that visit its variables in some order. A table is complete at the
// last place that it has; each variable lists its tables in the order of completion. Variables are identified by their
// places in the order.
type layout struct {
	order    []int   // the variable at each place
	place    []int32 // of each variable
	cells    []int32 // order, for frames
	states   []int   // of each place
	sites    [][]part
	tables   []*table // in the order of completion
	base     []*table // tables of the base; nil for the uniform distribution
	constant float64  // log of the constant factor
	dead     int32    // 1 if the constant factor is 0
	ahead    *ahead   // of lookahead densities, whose tables may leave; otherwise nil
}

// table is a factor. Where the factor is 0, broken is true and x is the finite log value that b < 1 uses; broken is nil
// if there is no zero.
type table struct {
	x       []float64
	broken  []bool
	places  []int32 // rising
	strides []int32
	goes    int  // the place at which it leaves, see ahead
	base    bool // whether it is in the base, see start.go
}

// last is the place at which the table is complete.
func (t *table) last() int32 { return t.places[len(t.places)-1] }

// part is a table from the view of one of its variables.
type part struct {
	*table
	stride  int32   // of the variable
	places  []int32 // of the others
	strides []int32
	odds    *odds // for a variable of two states and a table that is not large; otherwise nil
}

func layoutOf(g *factor.Graph, order []int) *layout { return layoutWith(g, order, nil) }

// layoutWith is a layout for lookahead densities if a is not nil.
func layoutWith(g *factor.Graph, order []int, a *ahead) *layout {
	l := &layout{ahead: a, order: order, states: make([]int, len(order)), sites: make([][]part, len(order))}

	// The place of each variable in the order.
	place := make([]int32, len(order))
	for p, v := range order {
		place[v], l.states[p] = int32(p), g.States[v]
		l.cells = append(l.cells, int32(v))
	}
	l.place = place

	// The tables, with a stride for each place.
	for i := range g.Factors {
		f := &g.Factors[i]
		x, broken := softTable(f.Table)
		if len(f.Vars) == 0 {
			if l.constant = x[0]; broken != nil {
				l.dead = 1
			}
			continue
		}
		t := &table{x: x, broken: broken}
		stride := int32(1)
		for k := len(f.Vars) - 1; k >= 0; k-- {
			v := f.Vars[k]
			at, _ := slices.BinarySearch(t.places, place[v])
			t.places, t.strides = slices.Insert(t.places, at, place[v]), slices.Insert(t.strides, at, stride)
			stride *= int32(g.States[v])
		}
		if t.goes = len(order); a != nil {
			a.file(i, t)
		}
		l.tables = append(l.tables, t)
	}

	// The parts of each place.
	sort.SliceStable(l.tables, func(i, j int) bool { return l.tables[i].last() < l.tables[j].last() })
	for _, t := range l.tables {
		for k, p := range t.places {
			one := part{table: t, stride: t.strides[k], places: slices.Delete(slices.Clone(t.places), k, k+1),
				strides: slices.Delete(slices.Clone(t.strides), k, k+1)}
			if l.states[p] == 2 && a == nil {
				one.odds = l.oddsOf(&one)
			}
			l.sites[p] = append(l.sites[p], one)
		}
	}
	return l
}

// softTable is a table with its zeros replaced by finite log values, penalty nats below the smallest other one; broken
// marks the zeros.
func softTable(t []float64) (x []float64, broken []bool) {
	least := math.Inf(1)
	for _, v := range t {
		if !math.IsInf(v, -1) {
			least = min(least, v)
		}
	}
	if math.IsInf(least, 1) { // all are zeros
		least = 0
	}
	if !slices.Contains(t, math.Inf(-1)) {
		return t, nil
	}
	x, broken = slices.Clone(t), make([]bool, len(t))
	for i, v := range t {
		if math.IsInf(v, -1) {
			x[i], broken[i] = least-penalty, true
		}
	}
	return x, broken
}

// cells has the states of rows, ordered by place and then by row, so that a sweep visits memory in order: the state of
// row r at place p is s[p*stride+r].
type cells struct {
	l      *layout
	stride int
	s      []uint8

	// Working space of a sweep.
	index  []int32
	weight []float64 // by state and row
	breaks []int32   // the same: how many zeros
	kernel.RowWords
	there []part
}

func newCells(l *layout, n int) *cells {
	return &cells{l: l, stride: n, s: make([]uint8, n*len(l.order))}
}

// at is the states of rows [lo, hi) at a place.
func (c *cells) at(place int32, lo, hi int) []uint8 {
	from := int(place) * c.stride
	return c.s[from+lo : from+hi]
}

// resize makes room for n rows and keeps those there are.
func (c *cells) resize(n int) {
	if n <= c.stride {
		return
	}
	wide := max(n, c.stride+c.stride/2)
	s := make([]uint8, wide*len(c.l.order))
	for p := range c.l.order {
		copy(s[p*wide:(p+1)*wide], c.s[p*c.stride:(p+1)*c.stride])
	}
	c.s, c.stride = s, wide
}

func (c *cells) copy(dst, src int) {
	for at := 0; at < len(c.s); at += c.stride {
		c.s[at+dst] = c.s[at+src]
	}
}

// open starts the random streams of rows [lo, hi).
func (c *cells) open(at rng.At, lo, hi int) {
	at.Slot += uint32(lo)
	c.Open(at, hi-lo)
}

// indices is, for each row, the entry of a table at the states of the variables places, and state 0 of its others.
func (c *cells) indices(places, strides []int32, lo, hi int) []int32 {
	c.index = num.Sized(c.index, hi-lo)
	clear(c.index)
	for k, p := range places {
		stride := strides[k]
		for r, x := range c.at(p, lo, hi) {
			c.index[r] += stride * int32(x)
		}
	}
	return c.index
}

// weigh is the log of the product of some tables for each state of a variable and each row, and the number of zeros in
// it; breaks is nil if no table has zeros.
func (c *cells) weigh(parts []part, states, lo, hi int) (weight []float64, breaks []int32) {
	n := hi - lo
	c.weight = num.Sized(c.weight, states*n)
	weight = c.weight
	clear(weight)

	// Each table adds its logs, state by state.
	for i := range parts {
		p := &parts[i]
		index := c.indices(p.places, p.strides, lo, hi)
		for k := range states {
			of, add := weight[k*n:(k+1)*n], p.x[int32(k)*p.stride:]
			for r, at := range index {
				of[r] += add[at]
			}
		}

		if p.broken == nil {
			continue
		}
		if breaks == nil {
			c.breaks = num.Sized(c.breaks, states*n)
			breaks = c.breaks
			clear(breaks)
		}
		for k := range states {
			of, is := breaks[k*n:(k+1)*n], p.broken[int32(k)*p.stride:]
			for r, at := range index {
				if is[at] {
					of[r]++
				}
			}
		}
	}
	return weight, breaks
}

// energies sets e to the log of the product of some tables for rows [lo, hi), and zeros to the number of zeros in it.
func (c *cells) energies(tables []*table, lo, hi int, e []float64, zeros []int32) {
	for i := range e {
		e[i], zeros[i] = c.l.constant, c.l.dead
	}
	for _, t := range tables {
		if len(t.places) == 2 && t.broken == nil {
			c.addPairs(t, lo, hi, e)
			continue
		}
		index := c.indices(t.places, t.strides, lo, hi)
		for r, at := range index {
			e[r] += t.x[at]
		}
		if t.broken == nil {
			continue
		}
		for r, at := range index {
			if t.broken[at] {
				zeros[r]++
			}
		}
	}
}

// addPairs adds a table on two variables.
func (c *cells) addPairs(t *table, lo, hi int, e []float64) {
	x, n, wide := t.x, t.strides[1], t.strides[0]
	second := c.at(t.places[1], lo, hi)
	e = e[:len(second)]
	for r, s := range c.at(t.places[0], lo, hi)[:len(second)] {
		e[r] += x[int32(s)*wide+int32(second[r])*n]
	}
}

// uniform draws the first n variables of rows [lo, hi) uniformly.
func (c *cells) uniform(at rng.At, n, lo, hi int) {
	c.open(at, lo, hi)
	for p := range n {
		if p%4 == 0 {
			c.More()
		}
		states, row := uint64(c.l.states[p]), c.at(int32(p), lo, hi)
		for r, word := range c.Of(p % 4) {
			row[r] = uint8(uint64(word) * states >> 32)
		}
	}
}
