package kernel

import (
	"encoding/binary"

	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Spins are rows of spins whose sums are small integers, as with couplings -1 and 1. No two spins of a colour are
// coupled. A spin with sum s is on if its random number is at most the threshold Limits[s], which gives the same bits
// as the exponential of Layer.Draw. States are stored by place and then by row, and a sum takes a few byte operations
// for many rows at a time.
type Spins struct {
	Places int
	Stride int     // number of rows, padded to a multiple of SpinRows
	State  []uint8 // by place and row: 255 if the spin is on, otherwise 0
	Const  []uint8 // constant part of the sum of each place; the smallest possible sum is 0
	First  []int32 // index of the first edge of each place
	Edges  []Edge
	Sums   int      // number of possible sums
	Limits []uint32 // thresholds by rung and sum
	Base   []int32  // index of the first threshold of each row's rung
	Colour []Colour
	index  []uint8 // sums of four places, by row

	// A spin that is on adds Plus - Minus of its place, and its edges to earlier places, to the energy.
	Plus, Minus []uint8
	Before      []int32 // index of the first edge of each place in EdgesBefore
	EdgesBefore []Edge
	halves      []uint64 // energies of even and of odd rows, in half words: first positive, then negative parts
}

// Edge adds Size to a sum if the state of the neighbour, exclusive-or Sign, is on.
type Edge struct {
	At         int32 // index of the first state of the neighbour
	Sign, Size uint8
	_          uint16
}

// Colour has the places From to From+N-1; From is a multiple of four.
type Colour struct{ From, N int }

// SpareLimits is the number of elements of Limits that may be read beyond the last rung.
const SpareLimits = 16

// SpinRows divides Stride.
const SpinRows = 32

// MaxSpinLogit is the largest logit of Spins, for which a random number of 0 is below every threshold.
const MaxSpinLogit = 80

// NewSpins returns memory for n rows with the given number of places.
func NewSpins(places, n int) *Spins {
	stride := (n + SpinRows - 1) / SpinRows * SpinRows
	return &Spins{Places: places, Stride: stride, State: make([]uint8, places*stride), Base: make([]int32, stride),
		index: make([]uint8, 4*stride), halves: make([]uint64, stride/2)}
}

// Limit returns the largest random number for which a unit with this sum is on, in a Layer of this scale.
func Limit(sum int32, scale float32) uint32 {
	odds := 1 + num.Exp32(-float32(float32(sum)*scale))
	r := uint32(0)
	for bit := uint32(1) << 31; bit > 0; bit >>= 1 {
		if float32(float32(r|bit)*odds) < two32 {
			r |= bit
		}
	}
	return r
}

// spinsAccelerator sweeps Spins with the bits of the Go code, unless there are too many colours.
type spinsAccelerator interface {
	sweep(p *Spins, at rng.At, n int, back bool) (done bool)
}

// spinsBy returns the spinsAccelerator. It is nil, or returns nil, on platforms without one.
var spinsBy func() spinsAccelerator

// Sweep draws the colours of the first n rows in order, or in reverse order if back is true.
func (p *Spins) Sweep(at rng.At, n int, back bool) {
	if spinsBy != nil && !PureGo {
		if by := spinsBy(); by != nil && by.sweep(p, at, n, back) {
			return
		}
	}
	block := uint32(0)
	for i, c := range p.Colour {
		if back {
			c = p.Colour[len(p.Colour)-1-i]
		}
		quads := (c.N + 3) / 4
		p.draw(at, n, c.From/4, quads, block)
		block += uint32(quads)
	}
}

// drawGo draws quads groups of four places, the first with the given block of random numbers.
func (p *Spins) drawGo(at rng.At, n, quad, quads int, block uint32) {
	for q := quad; q < quad+quads; q++ {
		for k := range 4 {
			p.sum(4*q+k, p.index[k*p.Stride:(k+1)*p.Stride])
		}
		place := p.State[4*q*p.Stride:]
		for r := range n {
			var w [4]uint32
			w[0], w[1], w[2], w[3] = rng.Philox(at.Key, [4]uint32{block, at.Step, at.Slot + uint32(r), at.Phase})
			limits := p.Limits[p.Base[r]:]
			for k, x := range w {
				i := k*p.Stride + r
				on := uint8(0)
				if x <= limits[p.index[i]] {
					on = 255
				}
				place[i] = on
			}
		}
		block++
	}
}

// sum sets out to the sums at a place, eight rows at a time.
func (p *Spins) sum(place int, out []uint8) {
	edges := p.Edges[p.First[place]:p.First[place+1]]
	for r := 0; r < len(out); r += 8 {
		sum := bytes8 * uint64(p.Const[place])
		for i := range edges {
			e := &edges[i]
			x := binary.LittleEndian.Uint64(p.State[int(e.At)+r:])
			sum += (x ^ bytes8*uint64(e.Sign)) & (bytes8 * uint64(e.Size))
		}
		binary.LittleEndian.PutUint64(out[r:], sum)
	}
}

// bytes8 times a byte is the byte repeated eight times.
const bytes8 = 0x0101010101010101

// mostAdded is the number of places for which a half word holds the sum of bytes up to MaxSpinSums.
const mostAdded = 1<<16/MaxSpinSums - 1

// MaxSpinSums is the largest contribution of a place to the energy, and the largest number of sums.
const MaxSpinSums = 64

// Energies sets out to the energies of the rows.
func (p *Spins) Energies(out []int64) {
	clear(out)
	n := p.Stride / 8
	for from := 0; from < p.Places; from += mostAdded {
		clear(p.halves)
		p.add(from, min(from+mostAdded, p.Places))
		for r := range out {
			at, shift := r%2*n+r/8, r%8/2*16
			out[r] += int64(p.halves[at]>>shift&0xFFFF) - int64(p.halves[2*n+at]>>shift&0xFFFF)
		}
	}
}

// addGo adds the energies of places from..to-1 to halves, eight rows at a time.
func (p *Spins) addGo(from, to int) {
	const even = 0x00FF00FF00FF00FF
	n := p.Stride / 8
	for place := from; place < to; place++ {
		edges := p.EdgesBefore[p.Before[place]:p.Before[place+1]]
		plus, minus := bytes8*uint64(p.Plus[place]), bytes8*uint64(p.Minus[place])
		if len(edges) == 0 && plus == minus {
			continue
		}
		at := p.State[place*p.Stride : (place+1)*p.Stride]
		for r := range n {
			sum := plus
			for i := range edges {
				e := &edges[i]
				x := binary.LittleEndian.Uint64(p.State[int(e.At)+8*r:])
				sum += (x ^ bytes8*uint64(e.Sign)) & (bytes8 * uint64(e.Size))
			}
			on := binary.LittleEndian.Uint64(at[8*r:])
			sum &= on
			p.halves[r] += sum & even
			p.halves[n+r] += sum >> 8 & even
			sum = on & minus
			p.halves[2*n+r] += sum & even
			p.halves[3*n+r] += sum >> 8 & even
		}
	}
}
