package graph

import (
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
)

// The sum of a spin is b_i + sum_j w_ij x_j (see couplings). If the sums have few values, as for couplings -1 and 1 and
// few neighbours, kernel.Spins draws many rows at a time, 4 to 11 times as fast as the type spins and with the same
// results bit for bit (TestSmallSpinsAreSpins). Sums are stored as offsets from the smallest one, so that none is
// negative: a coupling w < 0 adds |w| if the neighbour is off.

// smallCouplings are the couplings of a graph with small sums, in the form that kernel.Spins needs. All populations
// share them.
type smallCouplings struct {
	minSum         int32   // smallest possible sum
	sumCount       int     // number of possible sums
	offsets        []uint8 // offset of the sum of each place if its term for every neighbour is 0
	firstNeighbour []int32 // index of the first neighbour of each place in the slices below
	neighbours     []int32 // place of each neighbour
	sign           []uint8 // 255 for a negative coupling, otherwise 0
	magnitude      []uint8 // absolute value of the coupling

	// Term of a spin in the energy if it is on, see kernel.Spins.
	constPlus, constMinus []uint8
	edgeStart             []int32
	edges                 []int32 // indices of the neighbours at smaller places
}

// withSmallSums returns the couplings in the form of smallCouplings; nil if the sums have too many values.
func (c *couplings) withSmallSums() *smallCouplings {
	s := &smallCouplings{firstNeighbour: c.firstNeighbour}
	minSums := make([]int32, c.size)
	maxSum := int32(0)

	// The range of all sums.
	for p := range c.size {
		b := c.bias(p)
		lo, hi := int64(b), int64(b)
		for k := c.firstNeighbour[p]; k < c.firstNeighbour[p+1]; k++ {
			w := c.weight(k)
			lo, hi = lo+min(w, 0), hi+max(w, 0)
		}
		if lo < -kernel.MaxSpinSums || hi > kernel.MaxSpinSums {
			return nil
		}
		minSums[p] = int32(lo)
		s.minSum, maxSum = min(s.minSum, int32(lo)), max(maxSum, int32(hi))
	}
	if s.sumCount = int(maxSum-s.minSum) + 1; s.sumCount > kernel.MaxSpinSums {
		return nil
	}

	// Each weight is a sign and a byte.
	for p := range c.size {
		s.offsets = append(s.offsets, uint8(minSums[p]-s.minSum))
		s.edgeStart = append(s.edgeStart, int32(len(s.edges)))
		base := c.bias(p)
		for k := c.firstNeighbour[p]; k < c.firstNeighbour[p+1]; k++ {
			w, place := c.weight(k), 2*c.wordOf[k]+c.highHalf(k)
			s.neighbours = append(s.neighbours, place)
			if w < 0 {
				s.sign, s.magnitude = append(s.sign, 255), append(s.magnitude, uint8(-w))
			} else {
				s.sign, s.magnitude = append(s.sign, 0), append(s.magnitude, uint8(w))
			}
			if int(place) < p {
				s.edges = append(s.edges, k)
				base += int32(min(w, 0))
			}
		}
		s.constPlus, s.constMinus = append(s.constPlus, uint8(max(base, 0))), append(s.constMinus, uint8(max(-base, 0)))
	}
	s.edgeStart = append(s.edgeStart, int32(len(s.edges)))
	return s
}

// bias returns b of place p, in units.
func (c *couplings) bias(p int) int32 {
	v := c.b[p/2]
	if p%2 == 0 {
		return int32(v)
	}
	return int32((v - int64(int32(v))) >> 32)
}

// highHalf returns 1 if coupling k is added to the high half of its word of the packed sums, otherwise 0.
func (c *couplings) highHalf(k int32) int32 {
	if int64(int32(c.add[k])) != c.add[k] {
		return 1
	}
	return 0
}

// weight returns coupling k in units.
func (c *couplings) weight(k int32) int64 { return c.add[k] >> (32 * c.highHalf(k)) }

// smallSpins is the Population of spins with small sums.
type smallSpins struct {
	*kernel.Spins
	m         *Graph
	s         *smallCouplings
	n         int // rows
	ladder    []float64
	hasLimits []bool             // the limits of the rung have been computed
	e         []int64            // energy of each row in units, see couplings
	isStale   bool               // energies must be recomputed
	stateOf   func(r, v int) int // state of variable v in row r; made once, as frames are read often
}

// newSmallSpins returns n rows over a ladder, or nil if the sums or the logits are too large.
func newSmallSpins(m *Graph, n int, ladder []float64) *smallSpins {
	c, s := m.couplings, m.smallSums
	if s == nil {
		return nil
	}
	maxAbsSum := float64(max(-int(s.minSum), int(s.minSum)+s.sumCount-1))
	if !(num.Mul(maxAbsSum, c.unit) < kernel.MaxSpinLogit) {
		return nil
	}
	k := kernel.NewSpins(c.size, n)
	k.Const, k.First, k.Sums = s.offsets, s.firstNeighbour, s.sumCount
	for i, place := range s.neighbours {
		k.Edges = append(k.Edges, kernel.Edge{At: place * int32(k.Stride), Sign: s.sign[i], Size: s.magnitude[i]})
	}
	k.Plus, k.Minus, k.Before = s.constPlus, s.constMinus, s.edgeStart
	for _, i := range s.edges {
		k.EdgesBefore = append(k.EdgesBefore, k.Edges[i])
	}
	for _, colour := range c.colours {
		k.Colour = append(k.Colour, kernel.Colour{From: colour.start, N: colour.n})
	}
	k.Limits = make([]uint32, s.sumCount*len(ladder)+kernel.SpareLimits)
	p := &smallSpins{Spins: k, m: m, s: s, n: n, ladder: ladder, hasLimits: make([]bool, len(ladder)), e: make([]int64, n),
		isStale: true}
	p.stateOf = func(r, v int) int { return int(p.State[int(p.m.couplings.placeOf[v])*p.Stride+r]) & 1 }
	return p
}

// Draw sets every row to uniform spins.
func (p *smallSpins) Draw(at rng.At) {
	c := p.m.couplings
	x := make([]uint8, c.size)
	for r := range p.n {
		s := at.Row(r)
		c.drawUniform(&s, x)
		for i, up := range x {
			p.set(r, i, up)
		}
	}
}

// set sets the spin of row r at a place to up, 0 or 1.
func (p *smallSpins) set(r, place int, up uint8) {
	p.State[place*p.Stride+r] = -up
	p.isStale = true
}

// Move applies one sweep to each row: colour after colour, or in the opposite order if reversed is true.
func (p *smallSpins) Move(at rng.At, rung []int32, reversed bool) {
	meter.Pulse(float64(p.n * p.Places))
	for r, k := range rung {
		p.Base[r] = k * int32(p.s.sumCount)
		if !p.hasLimits[k] {
			p.hasLimits[k] = true
			scale := float32(num.Mul(p.ladder[k], p.m.couplings.unit))
			for i := range p.s.sumCount {
				p.Limits[int(p.Base[r])+i] = kernel.Limit(p.s.minSum+int32(i), scale)
			}
		}
	}
	p.Sweep(at, len(rung), reversed)
	p.isStale = true
}

// LogF writes log f_b of every row for the rungs lo..lo+n-1, in nats.
func (p *smallSpins) LogF(lo, n int, out []float64) {
	if p.isStale {
		p.Energies(p.e)
		p.isStale = false
	}
	for r, e := range p.e {
		f := p.m.couplings.constant + num.Mul(p.m.couplings.unit, float64(e))
		for k, b := range p.ladder[lo : lo+n] {
			out[r*n+k] = num.Mul(b, f)
		}
	}
}

// Read writes the pictures of rows 0..n-1 into f.
func (p *smallSpins) Read(n int, f *frame.Frame) {
	p.m.grid.fillFrame(n, f, p.stateOf)
}

// Copy makes row dst a copy of row src.
func (p *smallSpins) Copy(dst, src int) {
	for at := 0; at < len(p.State); at += p.Stride {
		p.State[at+dst] = p.State[at+src]
	}
	p.e[dst] = p.e[src]
}

// Append encodes the states of row r.
func (p *smallSpins) Append(r int, w *wire.Writer) {
	states := make([]uint8, len(p.m.couplings.placeOf))
	for v := range states {
		states[v] = uint8(p.stateOf(r, v))
	}
	w.Bits(states)
}

// Load decodes row r as Append encoded it.
func (p *smallSpins) Load(r int, in *wire.Reader) {
	states := make([]uint8, len(p.m.couplings.placeOf))
	in.Bits(states)
	for v, at := range p.m.couplings.placeOf {
		p.set(r, int(at), states[v])
	}
}

// DrawTarget sets every row to an exact sample (models.RowCapabilities).
func (p *smallSpins) DrawTarget(at rng.At, blocks []float64, proceed func() bool) {
	p.m.drawTarget(at, p.n, blocks, func(r int, x []int) {
		for v, state := range x {
			p.set(r, int(p.m.couplings.placeOf[v]), uint8(state))
		}
	}, proceed)
}
