package kernel

import (
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
)

// Net has the parameters that all rows of a restricted Boltzmann machine share:
//
//	log f(v, h) = c.v + v'W h + h.b,  v of VH.Rows units, h of VH.Cols units.
type Net struct {
	VH, HV *Matrix   // W and its transpose
	B0, C0 []int64   // b and c, packed
	Base   []float32 // logits of the base rates of the visible units
	C, G   []int32   // coefficients of linear forms of v that Rows keep up to date, or nil
}

// Rows are the states of n rows of a Net. For each row it keeps v, h and both vectors of sums, b + W'v and c + W h, up
// to date, so that the inputs of a Gibbs step and of a log density are computed once.
type Rows struct {
	*Net
	// Scale and BaseScale of each row: a hidden unit has logit Scale x, a visible one Scale x + BaseScale Base, x its sum.
	Scale, BaseScale []float32
	Flip             []bool  // visible units of the row flip, see Layer.Flip
	LinC, LinG       []int64 // C.v and G.v of each row
	On, Off          []int32 // working space for the flips of a layer

	v, h       []uint8
	actH, actV []int64
	fast       accelerator
}

// accelerator computes Sweep, Softplus and Ladder for many rows in one call, with the bits of the Go code. Its methods
// take the same arguments; rebuild implements addOnes.
type accelerator interface {
	rebuild(r int)
	sweep(at rng.At, lo, hi, visible int, back bool)
	softplus(lo, hi int, scale, out []float64, single bool)
	ladder(l *Ladder, lo, n int, log0, log1, out []float64)
}

// newAccelerator returns the accelerator for new rows, or nil. It is set on platforms that have one.
var newAccelerator func(p *Rows) accelerator

// PureGo makes this package use its Go code only, without assembly or the SIMD module, for tests and benchmarks.
// Results are identical, bit for bit.
var PureGo bool

// ManyRows is the number of rows from which sums of quints can be cheaper: if at least that many rows of a block would
// have used a table of sums (see someQuints), the SIMD module builds one for the next block. A lane of up to blockRows
// rows is a single block, so its count comes from the previous sweep.
const ManyRows = 16

// NewRows returns n rows of empty states.
func NewRows(net *Net, n int) *Rows {
	m, j := net.VH.Rows, net.VH.Cols
	p := &Rows{Net: net,
		Scale: make([]float32, n), BaseScale: make([]float32, n),
		Flip: make([]bool, n), LinC: make([]int64, n), LinG: make([]int64, n),
		On: make([]int32, max(m, j)), Off: make([]int32, max(m, j)),
		v: make([]uint8, n*Padded(m)+tile), h: make([]uint8, n*Padded(j)+tile), // AVX2 reads two tiles at a time
		actH: make([]int64, n*Words(j)+tileWords), actV: make([]int64, n*Words(m)+tileWords)}
	for r := range n {
		p.Rebuild(r)
	}
	if newAccelerator != nil && !PureGo {
		p.fast = newAccelerator(p)
	}
	return p
}

// Row returns the states and the sums b + W'v and c + W h of row r. Callers that change states must call Rebuild.
func (p *Rows) Row(r int) (v, h []uint8, actH, actV []int64) {
	m, j := p.VH.Rows, p.VH.Cols
	nv, nh := Padded(m), Padded(j)
	return p.v[r*nv : r*nv+m], p.h[r*nh : r*nh+j], p.actH[r*nh/2 : (r+1)*nh/2], p.actV[r*nv/2 : (r+1)*nv/2]
}

// Copy makes row dst a copy of row src.
func (p *Rows) Copy(dst, src int) {
	v, h, actH, actV := p.Row(src)
	toV, toH, toActH, toActV := p.Row(dst)
	copy(toV, v)
	copy(toH, h)
	copy(toActH, actH)
	copy(toActV, actV)
	p.LinC[dst], p.LinG[dst] = p.LinC[src], p.LinG[src]
}

// Grown returns p with memory for n rows, where n is at least the present number.
func (p *Rows) Grown(n int) *Rows {
	q := NewRows(p.Net, n)
	copy(q.v, p.v)
	copy(q.h, p.h)
	copy(q.actH, p.actH)
	copy(q.actV, p.actV)
	copy(q.LinC, p.LinC)
	copy(q.LinG, p.LinG)
	copy(q.Scale, p.Scale)
	copy(q.BaseScale, p.BaseScale)
	copy(q.Flip, p.Flip)
	return q
}

// Rebuild recomputes the sums of row r from its states.
func (p *Rows) Rebuild(r int) {
	_, _, actH, actV := p.Row(r)
	copy(actH, p.B0)
	copy(actV, p.C0)
	p.LinC[r], p.LinG[r] = 0, 0
	if p.fast != nil {
		p.fast.rebuild(r)
		return
	}
	p.addOnes(r)
}

// addOnes adds the weights of all units that are on to the sums of the empty state.
func (p *Rows) addOnes(r int) {
	v, h, actH, actV := p.Row(r)
	p.VH.Update(actH, Ones(v, p.On), nil)
	p.HV.Update(actV, Ones(h, p.On), nil)
	if len(p.C) == 0 {
		return
	}
	for i, x := range v {
		p.LinC[r] += int64(x) * int64(p.C[i])
		p.LinG[r] += int64(x) * int64(p.G[i])
	}
}

// Ones lists the units that are on in buf.
func Ones(state []uint8, buf []int32) []int32 {
	n := 0
	for i, x := range state {
		if x != 0 {
			buf[n] = int32(i)
			n++
		}
	}
	return buf[:n]
}

// Extend prepares row r for sweeps with one more visible unit: if the unit is the first of a tile, it computes the sums
// c + W h of this tile.
func (p *Rows) Extend(r, unit int) {
	if unit%tile != 0 {
		return
	}
	_, h, _, actV := p.Row(r)
	from := unit / 2
	sums := (*[tileWords]int64)(actV[from:])
	copy(sums[:], p.C0[from:])
	for j, x := range h {
		if x != 0 {
			for k, w := range p.HV.row(int32(j), p.HV.words)[from:][:tileWords] {
				sums[k] += w
			}
		}
	}
}

// Sweep performs block Gibbs sampling on rows [lo, hi): h given v, then v given h; with back, v given h, then h given
// v. Visible units are drawn afresh or flip. Row r draws from at.Row(r). Only the first visible visible units are drawn
// and only the sums of their tiles are kept up to date: the others must be off, and Extend or Rebuild must be called
// before one more takes part.
func (p *Rows) Sweep(at rng.At, lo, hi, visible int, back bool) {
	if p.fast != nil && visible > 0 {
		p.fast.sweep(at, lo, hi, visible, back)
		return
	}
	for r := lo; r < hi; r++ {
		meter.Pulse(float64(p.VH.Rows) * float64(p.VH.Cols))
		s := at.Row(r)
		if back {
			p.drawV(r, visible, &s)
			p.drawH(r, visible, &s)
		} else {
			p.drawH(r, visible, &s)
			p.drawV(r, visible, &s)
		}
	}
}

func (p *Rows) drawH(r, visible int, s *rng.Stream) {
	_, h, actH, actV := p.Row(r)
	on, off := Layer{N: len(h), Scale: p.Scale[r]}.Draw(s, actH, h, p.On, p.Off)
	p.HV.Update(actV[:Words(visible)], on, off)
}

func (p *Rows) drawV(r, visible int, s *rng.Stream) {
	v, _, actH, actV := p.Row(r)
	on, off := Layer{N: visible, Scale: p.Scale[r], Base: p.Base, BaseScale: p.BaseScale[r], Flip: p.Flip[r]}.
		Draw(s, actV, v, p.On, p.Off)
	p.VH.Update(actH, on, off)
	if len(p.C) == 0 {
		return
	}
	var c, g int64
	for _, i := range on {
		c += int64(p.C[i])
		g += int64(p.G[i])
	}
	for _, i := range off {
		c -= int64(p.C[i])
		g -= int64(p.G[i])
	}
	p.LinC[r] += c
	p.LinG[r] += g
}

// Probabilities sets out to the probability that each visible unit of row r is on given the hidden units, times 255.
func (p *Rows) Probabilities(r int, out []uint8) {
	_, _, _, actV := p.Row(r)
	for i := range out {
		x := float32(float32(Get(actV, i))*p.Scale[r]) + float32(p.Base[i]*p.BaseScale[r])
		out[i] = uint8(255/(1+num.Exp32(-x)) + .5)
	}
}

// Softplus sets out to sum_j log(1 + exp(scale[k] x_j)), x = b + W'v, of rows [lo, hi), row after row, for scales >= 0.
// With single, exponentials are float32, with an error of at most 1e-7 nat for each unit.
func (p *Rows) Softplus(lo, hi int, scale, out []float64, single bool) {
	if p.fast != nil {
		p.fast.softplus(lo, hi, scale, out, single)
	} else {
		p.softplusGo(lo, hi, scale, out, single)
	}
}

func (p *Rows) softplusGo(lo, hi int, scale, out []float64, single bool) {
	for r := lo; r < hi; r++ {
		_, _, actH, _ := p.Row(r)
		_, pos, _ := Extent(actH, p.VH.Cols)
		for k, s := range scale {
			out[(r-lo)*len(scale)+k] = softplusNegative(actH, p.VH.Cols, s, single) + float64(float64(pos)*s)
		}
	}
}

// Ladder computes l.Values of every row: the log densities, or slopes, of row r at rungs lo..lo+n-1 are written to
// out[r*n:], from log0[r] and log1[r].
func (p *Rows) Ladder(l *Ladder, lo, n int, log0, log1, out []float64) {
	if p.fast != nil && n > 1 {
		p.fast.ladder(l, lo, n, log0, log1, out)
	} else {
		p.ladderGo(l, lo, n, log0, log1, out)
	}
}

func (p *Rows) ladderGo(l *Ladder, lo, n int, log0, log1, out []float64) {
	for r := range p.LinC {
		_, _, actH, _ := p.Row(r)
		l.Values(actH, p.VH.Cols, log0[r], log1[r], lo, out[r*n:(r+1)*n])
	}
}
