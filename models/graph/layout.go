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

// layout is a graph whose variables come in some order, as sweeps and stages need it: the tables of each variable,
// those first that are complete first. Variables are called by their places in the order.
type layout struct {
	order    []int   // the variable at each place
	place    []int32 // of each variable
	cells    []int32 // order, as pictures have it
	states   []int   // of each place
	sites    [][]part
	tables   []*table // those that are complete first come first
	base     []*table // those of the base, nil: its states weigh alike
	constant float64  // of every state and stage
	dead     int32    // 1: every state has a zero, by a table on nothing
	ahead    *ahead   // nil: tables stay
}

// table is a factor. For b < 1 a zero is taken for x, which is finite; broken marks them, nil without.
type table struct {
	x       []float64
	broken  []bool
	places  []int32 // rising
	strides []int32
	goes    int  // the place at which it goes, see ahead
	base    bool // it is in the base, see start.go
}

// last is the place at which the table is complete.
func (t *table) last() int32 { return t.places[len(t.places)-1] }

// part is a table as one of its variables sees it.
type part struct {
	*table
	stride  int32   // of the variable
	places  []int32 // of the others
	strides []int32
	odds    *odds // of a variable of two states; nil: it has more, or the table is large
}

func layoutOf(g *factor.Graph, order []int) *layout { return layoutWith(g, order, nil) }

// layoutWith is the layout of a graph some of whose tables go again.
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
		x, broken := crossed(f.Table)
		if len(f.On) == 0 {
			if l.constant = x[0]; broken != nil {
				l.dead = 1
			}
			continue
		}
		t := &table{x: x, broken: broken}
		stride := int32(1)
		for k := len(f.On) - 1; k >= 0; k-- {
			v := f.On[k]
			at, _ := slices.BinarySearch(t.places, place[v])
			t.places, t.strides = slices.Insert(t.places, at, place[v]), slices.Insert(t.strides, at, stride)
			stride *= int32(g.States[v])
		}
		if t.goes = len(order); a != nil {
			a.file(i, t)
		}
		l.tables = append(l.tables, t)
	}

	// What each place has of its tables.
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

// crossed is a table with numbers in place of zeros, penalty nats below the smallest of the others, and marks at the
// zeros.
func crossed(t []float64) (x []float64, broken []bool) {
	least := math.Inf(1)
	for _, v := range t {
		if !math.IsInf(v, -1) {
			least = min(least, v)
		}
	}
	if math.IsInf(least, 1) { // nothing but zeros
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

// cells are rows of states by place and row, so that what a sweep does with a variable goes along memory: the state of
// row r at place p is s[p*stride+r].
type cells struct {
	l      *layout
	stride int
	s      []uint8

	// Room for the rows of a sweep.
	index  []int32
	weight []float64 // by state and row
	breaks []int32   // the same: how many zeros
	kernel.RowWords
	there []part
}

func newCells(l *layout, n int) *cells {
	return &cells{l: l, stride: n, s: make([]uint8, n*len(l.order))}
}

// at are the states of rows [lo, hi) at a place.
func (c *cells) at(place int32, lo, hi int) []uint8 {
	from := int(place) * c.stride
	return c.s[from+lo : from+hi]
}

// resize makes room for n rows and keeps the first ones.
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

// open begins the streams of rows [lo, hi).
func (c *cells) open(at rng.At, lo, hi int) {
	at.Slot += uint32(lo)
	c.Open(at, hi-lo)
}

// indices sets index to the entry of a table that the others of a part point to, at state 0 of its own variable.
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

// weigh sets weight to the log of what some tables have for each state of a variable, and breaks to how many zeros
// among them; it is nil where no table has any.
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

		// Zeros are counted apart.
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

// energies sets e to the log of the product of some tables for rows [lo, hi), and zeros to how many zeros.
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

// uniform draws the first n variables of rows [lo, hi).
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
