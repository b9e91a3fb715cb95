package graph

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// rows is the Population of any graph. A sweep is single-site Gibbs sampling: variable after variable, each for all
// rows.
type rows struct {
	*cells
	m       *Graph
	ladder  []float64
	e       []float64          // log f_1 of each row, with zeros replaced (softTable)
	zeros   []int32            // number of zeros in f_1 of each row
	e0      []float64          // log f_0; nil if it is 0
	stale   bool               // e, zeros and e0 must be recomputed
	scale   []float64          // b of each row
	hard    []bool             // b = 1, so constraints are hard
	stateOf func(r, v int) int // state of variable v in row r; made once, as frames are read often
}

func newRows(m *Graph, n int, ladder []float64) *rows {
	p := &rows{cells: newCells(m.layout, n), m: m, ladder: ladder, e: make([]float64, n), zeros: make([]int32, n),
		stale: true}
	if m.layout.base != nil {
		p.e0 = make([]float64, n)
	}
	p.stateOf = func(r, v int) int { return int(p.s[v*p.stride+r]) }
	return p
}

func (p *rows) Draw(at rng.At) {
	p.drawUniform(at, len(p.l.order), 0, len(p.e))
	p.stale = true
}

// Move visits the variables in order, or in reverse order if back is true.
func (p *rows) Move(at rng.At, rung []int32, back bool) {
	p.setRungs(rung)
	p.sweep(at, len(p.l.order), 0, len(rung), p.scale, p.hard, back)
	p.stale = true
}

// setRungs sets scale and hard for the rungs of the rows.
func (p *rows) setRungs(rung []int32) {
	p.scale, p.hard = num.Sized(p.scale, len(rung)), num.Sized(p.hard, len(rung))
	for r, k := range rung {
		p.scale[r] = p.ladder[k]
		p.hard[r] = p.ladder[k] == 1
	}
}

// sweep draws each of the first n variables of rows [lo, hi) given the others, using the tables that are complete among
// them. scale and hard are as in rows.
func (c *cells) sweep(at rng.At, n, lo, hi int, scale []float64, hard []bool, back bool) {
	c.openStreams(at, lo, hi)
	for t := range n {
		if t%4 == 0 {
			c.More()
		}
		p := t
		if back {
			p = n - 1 - t
		}
		parts := c.l.sites[p]
		for len(parts) > 0 && int(parts[len(parts)-1].last()) >= n {
			parts = parts[:len(parts)-1]
		}
		if c.l.lookahead != nil {
			parts = c.present(parts, n)
		}
		c.draw(p, parts, t, lo, hi, scale, hard)
	}
}

// draw draws the variable at place p given the tables parts, with random word t of the sweep.
func (c *cells) draw(p int, parts []part, t, lo, hi int, scale []float64, hard []bool) {
	meter.Pulse(float64((hi - lo) * c.l.states[p] * (len(parts) + 10)))
	if c.l.states[p] == 2 {
		x, zeros := c.logOdds(parts, lo, hi)
		c.drawBinary(p, lo, hi, c.Of(t%4), x, zeros, scale, hard)
	} else {
		weight, zeros := c.logWeights(parts, c.l.states[p], lo, hi)
		c.drawCategorical(p, lo, hi, c.Of(t%4), weight, zeros, scale, hard)
	}
}

// drawBinary draws a variable of two states. In hard rows, if the numbers of zeros differ, the state with fewer zeros
// is taken: chains never leave the support of f, and outside of it they violate fewer and fewer constraints.
func (c *cells) drawBinary(p, lo, hi int, words []uint32, odds []float64, zeros []int32, scale []float64, hard []bool) {
	row := c.states(int32(p), lo, hi)
	scale = scale[:len(row)]
	for r, x := range odds[:len(row)] {
		var bit uint8
		if kernel.Bern(words[r], float32(num.Mul(scale[r], x))) {
			bit = 1
		}
		row[r] = bit
	}
	for r, n := range zeros {
		if n != 0 && hard[r] {
			row[r] = 0
			if n < 0 {
				row[r] = 1
			}
		}
	}
}

// drawCategorical draws a variable of several states by inversion of one uniform number; hard rows are as in
// drawBinary.
func (c *cells) drawCategorical(p, lo, hi int, words []uint32, weight []float64, zeros []int32, scale []float64,
	hard []bool) {
	n, states := hi-lo, c.l.states[p]
	var w [maxStates]float64
	for r, row := 0, c.states(int32(p), lo, hi); r < n; r++ {
		fewest := int32(math.MaxInt32)
		if zeros != nil && hard[r] {
			for k := range states {
				fewest = min(fewest, zeros[k*n+r])
			}
		}

		// In a hard row, only states with the fewest zeros are allowed.
		allowed := func(k int) bool { return zeros == nil || !hard[r] || zeros[k*n+r] == fewest }
		top := math.Inf(-1)
		for k := range states {
			if allowed(k) {
				top = max(top, weight[k*n+r])
			}
		}
		sum, last := 0.0, 0
		for k := range states {
			w[k] = 0
			if allowed(k) {
				w[k] = num.Exp(num.Mul(scale[r], weight[k*n+r]-top))
				last = k
			}
			sum += w[k]
		}

		// Inversion.
		u := num.Mul(num.Mul(float64(words[r])+.5, 1.0/(1<<32)), sum)
		k := 0
		for ; k < last; k++ {
			if u -= w[k]; u < 0 {
				break
			}
		}
		row[r] = uint8(k)
	}
}

func (p *rows) refresh() {
	if p.stale {
		if p.e0 != nil {
			p.energies(p.l.base, 0, len(p.e), p.e0, p.zeros)
		}
		p.energies(p.l.tables, 0, len(p.e), p.e, p.zeros)
		p.stale = false
	}
}

func (p *rows) LogF(lo, n int, out []float64) {
	p.refresh()
	for r, e := range p.e {
		for k, b := range p.ladder[lo : lo+n] {
			x := num.Mul(b, e)
			if p.e0 != nil {
				x = p.e0[r] + num.Mul(b, e-p.e0[r])
			}
			if b == 1 && p.zeros[r] > 0 {
				x = math.Inf(-1)
			}
			out[r*n+k] = x
		}
	}
}

func (p *rows) Read(n int, f *frame.Frame) {
	p.m.grid.fillFrame(n, f, p.stateOf)
}

func (p *rows) Copy(dst, src int) {
	p.copy(dst, src)
	p.e[dst], p.zeros[dst] = p.e[src], p.zeros[src]
	if p.e0 != nil {
		p.e0[dst] = p.e0[src]
	}
}

func (p *rows) Append(r int, w *wire.Writer) { p.append(len(p.l.order), r, w) }

func (p *rows) Load(r int, in *wire.Reader) {
	p.load(len(p.l.order), r, in)
	p.stale = true
}

// append writes the first n states of a row; two states take one bit each.
func (c *cells) append(n, r int, w *wire.Writer) {
	states, most := make([]uint8, n), 2
	for p := range states {
		states[p], most = c.s[p*c.stride+r], max(most, c.l.states[p])
	}
	if most == 2 {
		w.Bits(states)
	} else {
		w.Bytes(states)
	}
}

// load reads the output of append.
func (c *cells) load(n, r int, in *wire.Reader) {
	most := 2
	for _, states := range c.l.states[:n] {
		most = max(most, states)
	}
	states := make([]uint8, n)
	if most == 2 {
		in.Bits(states)
	} else if b := in.Bytes(); len(b) == n {
		copy(states, b)
	} else {
		in.Fail()
	}
	for p, x := range states {
		if int(x) >= c.l.states[p] { // corrupt message
			in.Fail()
			x = 0
		}
		c.s[p*c.stride+r] = x
	}
}

// constrainedRows is the Population of a graph with zeros, whose log f_b is linear in b for b < 1 only.
type constrainedRows struct{ *rows }

func (p *constrainedRows) SlopeAt(_ []int32, d, curve []float64) { p.slope(d, curve) }

func (p *constrainedRows) SlopesAtAll(out []float64) { p.slopes(out) }

func (p *rows) slope(d, curve []float64) {
	p.refresh()
	for r := range d {
		d[r] = p.slopeAt(r)
	}
	clear(curve)
}

// slopeAt returns d log f_b / db of row r; refresh must have been called.
func (p *rows) slopeAt(r int) float64 {
	if p.e0 != nil {
		return p.e[r] - p.e0[r]
	}
	return p.e[r]
}

func (p *rows) slopes(out []float64) {
	p.refresh()
	n := len(p.ladder)
	for r := range p.e {
		for k := range n {
			out[r*n+k] = p.slopeAt(r)
		}
	}
}
