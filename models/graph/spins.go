package graph

import (
	"logzlab/core/factor"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// In a graph of spins all variables have two states, 0 and 1, and all tables are on at most two variables and have no
// zeros. Then, with integers b and w,
//	 log f(x) = constant + unit (sum_i b_i x_i + sum_<ij> w_ij x_i x_j).
// The spins are coloured so that no two spins of a colour are coupled. A sweep is Gibbs sampling of one colour after
// another. The spins of a colour are a Bernoulli layer of package kernel; their sums b_i + sum_j w_ij x_j are exact
// integers, which are updated when a spin changes. reference_test.go has a simpler implementation for comparison.

// couplings has the coefficients of a graph of spins, in units. The place of a spin is its index in the order of
// colours; each colour occupies whole tiles of package kernel.
type couplings struct {
	unit           float64 // nats of a coefficient of 1
	roundsBiasOnce bool    // the sum of all terms of b is rounded, instead of each term
	constant       float64
	placeOf        []int32          // place of each variable
	colours        []span           // places of each colour
	dense          []couplingMatrix // matrix of each colour
	size           int              // number of places
	b              []int64          // b by place, two in a word (kernel.Pack)
	firstNeighbour []int32          // index of the first neighbour of each place in the slices below
	wordOf         []int32          // word of the packed sums that has the neighbour's sum
	add            []int64          // value added to that word if the spin turns on
}

// span is the places of a colour: n places starting at from.
type span struct{ start, n int }

// couplingsOf returns the couplings of a graph of spins, or nil for other graphs and if rounding to units changes log f
// too much. With packSingles, colours of one spin share tiles; this saves memory in a complete graph, where every
// colour has one spin.
func couplingsOf(g *factor.Graph, packSingles bool) *couplings {
	n := len(g.States)
	for _, states := range g.States {
		if states != 2 {
			return nil
		}
	}
	c := &couplings{}
	pairTables := make([][]int, n) // tables on two variables, by variable
	for k, f := range g.Factors {
		if len(f.Vars) > 2 {
			return nil
		}
		for _, x := range f.Table {
			if !num.Finite(x) {
				return nil
			}
		}
		if len(f.Vars) == 2 {
			pairTables[f.Vars[0]], pairTables[f.Vars[1]] = append(pairTables[f.Vars[0]], k), append(pairTables[f.Vars[1]], k)
		}
	}
	if !c.chooseUnit(g) {
		return nil
	}

	// Assign places, colour by colour.
	c.placeOf = make([]int32, n)
	for _, members := range colouring(g, pairTables) {
		single := packSingles && len(members) == 1
		if !single {
			c.size = kernel.Padded(c.size)
		}
		start := c.size
		for i, v := range members {
			c.placeOf[v] = int32(start + i)
		}
		c.colours = append(c.colours, span{start, len(members)})
		if c.size += kernel.Padded(len(members)); single {
			c.size = start + 1
		}
	}
	c.size = kernel.Padded(c.size)
	c.firstNeighbour = make([]int32, c.size+1)
	variableAt := make([]int, c.size) // variable of each place
	for i := range variableAt {
		variableAt[i] = -1
	}
	for v, p := range c.placeOf {
		variableAt[p] = v
	}
	for p, v := range variableAt {
		c.firstNeighbour[p] = int32(len(c.wordOf))
		if v < 0 {
			continue
		}
		for _, k := range pairTables[v] {
			f := &g.Factors[k]
			other := f.Vars[0]
			if other == v {
				other = f.Vars[1]
			}
			_, _, _, x := coefficients(f)
			w := c.round(x)
			if place := c.placeOf[other]; w != 0 {
				c.wordOf = append(c.wordOf, place>>1)
				c.add = append(c.add, int64(w)<<(32*(place&1)))
			}
		}
	}
	c.firstNeighbour[c.size] = int32(len(c.wordOf))
	c.b = kernel.Pack(c.biases(g))
	c.dense = make([]couplingMatrix, len(c.colours))
	wordsLeft := maxMatrixWords
	for i, colour := range c.colours {
		c.dense[i] = c.newMatrix(colour, &wordsLeft)
	}
	return c
}

// biases returns b in units, by place.
func (c *couplings) biases(g *factor.Graph) []int32 {
	b, exactBias := make([]int32, c.size), make([]float64, c.size)
	for i := range g.Factors {
		f := &g.Factors[i]
		_, x, y, _ := coefficients(f)
		for k, v := range f.Vars {
			if k > 0 {
				x = y
			}
			b[c.placeOf[v]] += c.round(x)
			exactBias[c.placeOf[v]] += x
		}
	}
	if c.roundsBiasOnce {
		for p, x := range exactBias {
			b[p] = c.round(x)
		}
	}
	return b
}

// colouring returns the variables of each colour, by greedy colouring in the order of the variables. pairTables[v] are
// the indices of the tables on v and another variable.
func colouring(g *factor.Graph, pairTables [][]int) (classes [][]int) {
	colour := make([]int, len(g.States))
	for v := range colour {
		usedColours := map[int]bool{}
		for _, k := range pairTables[v] {
			f := &g.Factors[k]
			other := f.Vars[0] + f.Vars[1] - v
			if other < v {
				usedColours[colour[other]] = true
			}
		}
		for usedColours[colour[v]] {
			colour[v]++
		}
		if colour[v] == len(classes) {
			classes = append(classes, nil)
		}
		classes[colour[v]] = append(classes[colour[v]], v)
	}
	return classes
}

// spins is the Population of a graph of spins.
type spins struct {
	m       *Graph
	c       *couplings
	n       int // rows
	ladder  []float64
	x       []uint8            // state by row and place
	sums    []int64            // b_i + sum_j w_ij x_j by row and place, two in a word
	on, off []int32            // work space
	stateOf func(r, v int) int // state of variable v in row r; made once, as frames are read often
}

// newSpins returns n rows, all spins 0, over a ladder.
func newSpins(m *Graph, n int, ladder []float64) *spins {
	c := m.couplings
	p := &spins{m: m, c: c, n: n, ladder: ladder, x: make([]uint8, n*c.size), sums: make([]int64, n*c.size/2),
		on: make([]int32, c.size), off: make([]int32, c.size)}
	for r := range n {
		p.rebuild(r)
	}
	p.stateOf = func(r, v int) int { return int(p.x[r*p.c.size+int(p.c.placeOf[v])]) }
	return p
}

// row returns the spins and the sums of row r, by place.
func (p *spins) row(r int) (x []uint8, sums []int64) {
	n := p.c.size
	return p.x[r*n : (r+1)*n], p.sums[r*n/2 : (r+1)*n/2]
}

// rebuild computes the sums of row r from its spins.
func (p *spins) rebuild(r int) {
	x, sums := p.row(r)
	copy(sums, p.c.b)
	for i, up := range x {
		if up != 0 {
			p.c.flip(sums, int32(i), 1)
		}
	}
}

// flip updates the sums when the spin at place i turns on (sign 1) or off (sign -1).
func (c *couplings) flip(sums []int64, i int32, sign int64) {
	start, end := c.firstNeighbour[i], c.firstNeighbour[i+1]
	word, add := c.wordOf[start:end], c.add[start:end]
	for k, w := range word {
		sums[w] += sign * add[k]
	}
}

// Draw sets every row to uniform spins.
func (p *spins) Draw(at rng.At) {
	for r := range p.n {
		x, _ := p.row(r)
		s := at.Row(r)
		p.c.drawUniform(&s, x)
		p.rebuild(r)
	}
}

// drawUniform sets x to uniform spins, colour by colour.
func (c *couplings) drawUniform(s *rng.Stream, x []uint8) {
	for _, colour := range c.colours {
		spins := x[colour.start : colour.start+colour.n]
		for i := 0; i < len(spins); i += 4 {
			var w [4]uint32
			w[0], w[1], w[2], w[3] = s.Block()
			for k := range spins[i:min(i+4, len(spins))] {
				spins[i+k] = uint8(w[k] >> 31)
			}
		}
	}
}

// Move applies one sweep to each row: colour after colour, or in the opposite order if reversed is true.
func (p *spins) Move(at rng.At, rung []int32, reversed bool) {
	meter.Pulse(float64(len(p.x)) * 4)
	c := p.c
	for r, k := range rung {
		s := at.Row(r)
		x, sums := p.row(r)
		scale := float32(num.Mul(p.ladder[k], c.unit))
		for t := range c.colours {
			if reversed {
				t = len(c.colours) - 1 - t
			}
			colour := c.colours[t]
			on, off := p.drawColour(&s, colour, x, sums, scale)
			if m := c.dense[t]; m.matrix != nil {
				m.matrix.Update(sums[m.firstWord:m.firstWord+kernel.Words(m.matrix.Cols)], on, off)
				continue
			}
			for _, i := range on {
				c.flip(sums, i+int32(colour.start), 1)
			}
			for _, i := range off {
				c.flip(sums, i+int32(colour.start), -1)
			}
		}
	}
}

// drawColour draws the spins of a colour and returns the indices within the colour of the spins that turn on and off. A
// colour of one spin need not start a tile; it is drawn as the first unit of a layer.
func (p *spins) drawColour(s *rng.Stream, colour span, x []uint8, sums []int64, scale float32) (on, off []int32) {
	if colour.n > 1 {
		layer := kernel.Layer{N: colour.n, Scale: scale}
		return layer.Draw(s, sums[colour.start/2:], x[colour.start:], p.on, p.off)
	}
	word, _, _, _ := s.Block()
	before, after := x[colour.start], uint8(0)
	if kernel.Bern(word, float32(float32(kernel.Get(sums, colour.start))*scale)) {
		after = 1
	}
	p.on[0], p.off[0] = 0, 0
	x[colour.start] = after
	return p.on[:after&^before], p.off[:before&^after]
}

// energy returns sum_i b_i x_i + sum_<ij> w_ij x_i x_j of row r in units. It equals half of the total of b_i and the
// sum of i over the spins i that are on.
func (p *spins) energy(r int) int64 {
	x, sums := p.row(r)
	var lo, hi int64
	for w, v := range sums {
		b := p.c.b[w]
		low := int64(int32(v)) + int64(int32(b))
		high := (v-int64(int32(v)))>>32 + (b-int64(int32(b)))>>32
		lo += low * int64(x[2*w])
		hi += high * int64(x[2*w+1])
	}
	return (lo + hi) / 2
}

// LogF writes log f_b of every row for the rungs lo..lo+n-1, in nats.
func (p *spins) LogF(lo, n int, out []float64) {
	for r := range p.n {
		e := p.c.constant + num.Mul(p.c.unit, float64(p.energy(r)))
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = num.Mul(b, e)
		}
	}
}

// Read writes the pictures of rows 0..n-1 into f.
func (p *spins) Read(n int, f *frame.Frame) {
	p.m.grid.fillFrame(n, f, p.stateOf)
}

// Copy makes row dst a copy of row src.
func (p *spins) Copy(dst, src int) {
	x, sums := p.row(src)
	toX, toSums := p.row(dst)
	copy(toX, x)
	copy(toSums, sums)
}

// Append encodes the states of row r.
func (p *spins) Append(r int, w *wire.Writer) {
	x, _ := p.row(r)
	states := make([]uint8, len(p.c.placeOf))
	for v, at := range p.c.placeOf {
		states[v] = x[at]
	}
	w.Bits(states)
}

// Load decodes row r as Append encoded it.
func (p *spins) Load(r int, in *wire.Reader) {
	states := make([]uint8, len(p.c.placeOf))
	in.Bits(states)
	x, _ := p.row(r)
	for v, at := range p.c.placeOf {
		x[at] = states[v]
	}
	p.rebuild(r)
}
