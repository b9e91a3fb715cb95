package kernel

import (
	"encoding/binary"

	"logzlab/core/num"
	"logzlab/core/rng"
)

// Spins are rows of spins whose sums are small whole numbers, as with couplings -1 and 1. No two spins of a colour have
// a coupling. A spin with the sum s is on if its random number is at most a limit, Limits[s]: what Layer.Draw decides by
// an exponential, with the same bits. So spins stand by place, and at each place by row, and a sum is a few operations on
// bytes for many rows at a time.
type Spins struct {
	Places int
	Stride int     // rows, and what makes them whole lines
	State  []uint8 // by place and row: 0, or 255 where the spin is on
	Const  []uint8 // of each place, what is added to its sum: sums begin at 0
	First  []int32 // of each place: where its edges begin
	Edges  []Edge
	Limits []uint32 // of a rung, by sum
	Base   []int32  // of each row: where the limits of its rung begin
	Colour []Colour
	index  []uint8 // the sums of four places, by row
}

// Edge adds Size to a sum where the neighbour, exclusive-or Sign, is on.
type Edge struct {
	At         int32 // where the states of the neighbour begin
	Sign, Size uint8
	_          uint16
}

// Colour has the places From to From+N-1; From is a multiple of four.
type Colour struct{ From, N int }

// SpinRows is what Stride must be a multiple of.
const SpinRows = 32

// MostSpinLogit bounds the logits of Spins: 0 is then below every limit.
const MostSpinLogit = 80

// NewSpins has room for n rows at so many places.
func NewSpins(places, n int) *Spins {
	stride := (n + SpinRows - 1) / SpinRows * SpinRows
	return &Spins{Places: places, Stride: stride, State: make([]uint8, places*stride), Base: make([]int32, stride),
		index: make([]uint8, 4*stride)}
}

// Limit is the largest random number at which a unit of this sum is on, in a Layer of this scale.
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

// spinsMachine sweeps Spins with the bits of the Go code.
type spinsMachine interface {
	sweep(p *Spins, at rng.At, n int, back bool)
}

// spinsBy makes a spinsMachine. It is nil, or returns nil, on platforms that have none.
var spinsBy func() spinsMachine

// Sweep draws the colours of the first n rows in order, or back in the opposite order.
func (p *Spins) Sweep(at rng.At, n int, back bool) {
	if spinsBy != nil && !PureGo {
		if by := spinsBy(); by != nil {
			by.sweep(p, at, n, back)
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

// drawGo draws some fours of places, the first with a block of random numbers.
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

// sum sets out to the sums at a place, for eight rows at a time.
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

// bytes8 times a byte has it eight times.
const bytes8 = 0x0101010101010101
