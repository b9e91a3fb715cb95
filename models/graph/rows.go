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

// rows is the Population that works for any graph. A sweep is single-site Gibbs sampling: variable after variable, each
// for all rows.
type rows struct {
	*cells
	m        *Graph
	ladder   []float64
	logF1    []float64          // log f_1 of each row in nats, with zeros replaced (softTable)
	numZeros []int32            // number of zeros among the tables of each row
	logF0    []float64          // log f_0 of each row in nats; nil if f_0 is 1
	isStale  bool               // logF1, numZeros and logF0 must be recomputed
	beta     []float64          // inverse temperature of each row in a sweep
	isHard   []bool             // the row is at b = 1, so constraints are hard
	stateOf  func(r, v int) int // state of variable v in row r; made once, as frames are read often
}

// newRows returns n rows in state 0 over a ladder.
func newRows(m *Graph, n int, ladder []float64) *rows {
	p := &rows{cells: newCells(m.layout, n), m: m, ladder: ladder, logF1: make([]float64, n), numZeros: make([]int32, n),
		isStale: true}
	if m.layout.base != nil {
		p.logF0 = make([]float64, n)
	}
	p.stateOf = func(r, v int) int { return int(p.s[v*p.stride+r]) }
	return p
}

// Draw sets every row to a uniform state.
func (p *rows) Draw(at rng.At) {
	p.drawUniform(at, len(p.l.order), 0, len(p.logF1))
	p.isStale = true
}

// Move applies one sweep to each row, in the order of the variables, or in the opposite order if reversed is true.
func (p *rows) Move(at rng.At, rung []int32, reversed bool) {
	p.setRungs(rung)
	p.sweep(at, len(p.l.order), 0, len(rung), p.beta, p.isHard, reversed)
	p.isStale = true
}

// setRungs sets beta and isHard for the rungs of the rows.
func (p *rows) setRungs(rung []int32) {
	p.beta, p.isHard = num.Sized(p.beta, len(rung)), num.Sized(p.isHard, len(rung))
	for r, k := range rung {
		p.beta[r] = p.ladder[k]
		p.isHard[r] = p.ladder[k] == 1
	}
}

// sweep draws each of the variables at the first n places of rows [lo, hi) given the others, using the tables that are
// complete among them. beta and isHard are as in rows.
func (c *cells) sweep(at rng.At, n, lo, hi int, beta []float64, isHard []bool, reversed bool) {
	c.openStreams(at, lo, hi)
	for t := range n {
		if t%4 == 0 {
			c.More()
		}
		p := t
		if reversed {
			p = n - 1 - t
		}
		parts := c.l.partsAt[p]
		for len(parts) > 0 && int(parts[len(parts)-1].last()) >= n {
			parts = parts[:len(parts)-1]
		}
		if c.l.lookahead != nil {
			parts = c.present(parts, n)
		}
		c.draw(p, parts, t, lo, hi, beta, isHard)
	}
}

// draw draws the variable at place p of rows [lo, hi) given the tables in parts; it uses random word t of the sweep.
func (c *cells) draw(p int, parts []part, t, lo, hi int, beta []float64, isHard []bool) {
	meter.Pulse(float64((hi - lo) * c.l.states[p] * (len(parts) + 10)))
	if c.l.states[p] == 2 {
		x, zeros := c.logOdds(parts, lo, hi)
		c.drawBinary(p, lo, hi, c.Of(t%4), x, zeros, beta, isHard)
	} else {
		weight, zeros := c.logWeights(parts, c.l.states[p], lo, hi)
		c.drawCategorical(p, lo, hi, c.Of(t%4), weight, zeros, beta, isHard)
	}
}

// drawBinary draws a variable of two states with log odds beta odds. If the row is at b = 1 and the numbers of zeros
// differ, the state with fewer zeros is taken. Therefore a chain never leaves the support of f_1, and outside of it
// violates fewer and fewer constraints.
func (c *cells) drawBinary(p, lo, hi int, words []uint32, odds []float64, zeros []int32, beta []float64, isHard []bool) {
	row := c.states(int32(p), lo, hi)
	beta = beta[:len(row)]
	for r, x := range odds[:len(row)] {
		var bit uint8
		if kernel.Bern(words[r], float32(num.Mul(beta[r], x))) {
			bit = 1
		}
		row[r] = bit
	}
	for r, n := range zeros {
		if n != 0 && isHard[r] {
			row[r] = 0
			if n < 0 {
				row[r] = 1
			}
		}
	}
}

// drawCategorical draws a variable of several states with log weights beta weight, by inversion of one uniform number.
// At b = 1 only states with the smallest number of zeros are allowed, as in drawBinary.
func (c *cells) drawCategorical(p, lo, hi int, words []uint32, weight []float64, zeros []int32, beta []float64,
	hard []bool) {
	n, states := hi-lo, c.l.states[p]
	var w [maxStates]float64
	for r, row := 0, c.states(int32(p), lo, hi); r < n; r++ {
		minZeros := int32(math.MaxInt32)
		if zeros != nil && hard[r] {
			for k := range states {
				minZeros = min(minZeros, zeros[k*n+r])
			}
		}

		// In a row at b = 1, only states with the fewest zeros are allowed.
		allowed := func(k int) bool { return zeros == nil || !hard[r] || zeros[k*n+r] == minZeros }
		maxWeight := math.Inf(-1)
		for k := range states {
			if allowed(k) {
				maxWeight = max(maxWeight, weight[k*n+r])
			}
		}
		sum, lastAllowed := 0.0, 0
		for k := range states {
			w[k] = 0
			if allowed(k) {
				w[k] = num.Exp(num.Mul(beta[r], weight[k*n+r]-maxWeight))
				lastAllowed = k
			}
			sum += w[k]
		}

		// Inversion.
		u := num.Mul(num.Mul(float64(words[r])+.5, 1.0/(1<<32)), sum)
		k := 0
		for ; k < lastAllowed; k++ {
			if u -= w[k]; u < 0 {
				break
			}
		}
		row[r] = uint8(k)
	}
}

// refresh recomputes the log densities and the numbers of zeros if they are stale.
func (p *rows) refresh() {
	if p.isStale {
		if p.logF0 != nil {
			p.energies(p.l.base, 0, len(p.logF1), p.logF0, p.numZeros)
		}
		p.energies(p.l.tables, 0, len(p.logF1), p.logF1, p.numZeros)
		p.isStale = false
	}
}

// LogF writes log f_b of every row for the rungs lo..lo+n-1, in nats; -Inf at b = 1 for states that violate a
// constraint.
func (p *rows) LogF(lo, n int, out []float64) {
	p.refresh()
	for r, e := range p.logF1 {
		for k, b := range p.ladder[lo : lo+n] {
			x := num.Mul(b, e)
			if p.logF0 != nil {
				x = p.logF0[r] + num.Mul(b, e-p.logF0[r])
			}
			if b == 1 && p.numZeros[r] > 0 {
				x = math.Inf(-1)
			}
			out[r*n+k] = x
		}
	}
}

// Read writes the pictures of rows 0..n-1 into f.
func (p *rows) Read(n int, f *frame.Frame) {
	p.m.grid.fillFrame(n, f, p.stateOf)
}

// Copy makes row dst a copy of row src.
func (p *rows) Copy(dst, src int) {
	p.copy(dst, src)
	p.logF1[dst], p.numZeros[dst] = p.logF1[src], p.numZeros[src]
	if p.logF0 != nil {
		p.logF0[dst] = p.logF0[src]
	}
}

// Append encodes the states of row r.
func (p *rows) Append(r int, w *wire.Writer) { p.append(len(p.l.order), r, w) }

// Load decodes row r as Append encoded it.
func (p *rows) Load(r int, in *wire.Reader) {
	p.load(len(p.l.order), r, in)
	p.isStale = true
}

// append encodes the states of row r at the first n places; if all variables have two states, each state takes one bit.
func (c *cells) append(n, r int, w *wire.Writer) {
	states, largest := make([]uint8, n), 2
	for p := range states {
		states[p], largest = c.s[p*c.stride+r], max(largest, c.l.states[p])
	}
	if largest == 2 {
		w.Bits(states)
	} else {
		w.Bytes(states)
	}
}

// load decodes row r as append encoded it.
func (c *cells) load(n, r int, in *wire.Reader) {
	largest := 2
	for _, states := range c.l.states[:n] {
		largest = max(largest, states)
	}
	states := make([]uint8, n)
	if largest == 2 {
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

// constrainedRows is the Population of a graph with zeros. Its log f_b is linear in b for b < 1 only, so it provides
// slopes.
type constrainedRows struct{ *rows }

// SlopeAt implements models.Slopes.
func (p *constrainedRows) SlopeAt(_ []int32, first, second []float64) { p.fillSlopes(first, second) }

// SlopesAtAll implements models.Slopes.
func (p *constrainedRows) SlopesAtAll(out []float64) { p.fillAllSlopes(out) }

// fillSlopes sets first[r] to the derivative of log f_b of row r by b, for b < 1, and second to 0.
func (p *rows) fillSlopes(first, second []float64) {
	p.refresh()
	for r := range first {
		first[r] = p.slopeAt(r)
	}
	clear(second)
}

// slopeAt returns d log f_b / db of row r for b < 1, in nats; refresh must have been called.
func (p *rows) slopeAt(r int) float64 {
	if p.logF0 != nil {
		return p.logF1[r] - p.logF0[r]
	}
	return p.logF1[r]
}

// fillAllSlopes sets out[r*K+k] to the derivative of row r at each of the K rungs; it is the same at all.
func (p *rows) fillAllSlopes(out []float64) {
	p.refresh()
	n := len(p.ladder)
	for r := range p.logF1 {
		for k := range n {
			out[r*n+k] = p.slopeAt(r)
		}
	}
}
