package models

import (
	"cmp"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/kernel"
	"logzlab/core/num"
	"logzlab/core/rng"
)

// An RBM is formed visible unit by visible unit ([ARM] section 5): of the first n in
// some order, with the hidden units summed out and absent units at their means mu,
//
//	f_n(x) = exp(c.x) prod_h (1 + exp(g_h)),  g = b + W'x + sum_{i>n} W_i mu_i      ([ARM] eq. 13)
//	log W  = S(g - W_{n+1} mu_{n+1}) - S(g) + softplus(l),  S(g) = sum_h softplus(g_h),      (eq. 14)
//	l      = c_{n+1} + S(g + W_{n+1} (1 - mu_{n+1})) - S(g - W_{n+1} mu_{n+1}),
//	P(x_{n+1} = 1 | x) = sigmoid(l).
//
// The paper has mu = 0: then the hidden units of a half-formed picture answer to one whose other half is empty.
//
// Units come in order of decreasing variance p1 (1 - p1) of the training data, so that the
// most informative ones come first.

// Orders are the names that RBMParams.Order understands, the default first.
var Orders = []string{"variance", "natural", "random"}

// unitOrder is the order in which units come; equal variances keep their order,
// and random is one fixed permutation for each number of units.
func unitOrder(name string, rates []float64) []int32 {
	n := len(rates)
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	switch name {
	case "random":
		s := rng.NewKey(0, "order", n).Stream(0, 0, 0)
		for i := n - 1; i > 0; i-- {
			j := s.Intn(i + 1)
			out[i], out[j] = out[j], out[i]
		}
	case "variance", "":
		v := make([]float64, n)
		for i, p := range rates {
			v[i] = p * (1 - p)
		}
		slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(v[b], v[a]) })
	}
	return out
}

// rbmParticles keeps the visible units of each row, in their order, and the logit
// of the next unit where it is known. Sums are kept for a block of rows while it
// is moved.
type rbmParticles struct {
	m     *RBM
	seq   *rbmSequence
	n     int // stage
	v     []uint8
	logit []float64 // NaN: not known
	drift []float64 // S(g - W_{n+1} mu_{n+1}) - S(g), where the logit is known
	block gibbsBlock
}

func (s *rbmSequence) NewParticles() Particles {
	return &rbmParticles{m: s.m, seq: s, n: 1, block: newGibbsBlock(s)}
}

func (p *rbmParticles) row(r int) []uint8 { return p.v[r*p.m.M : (r+1)*p.m.M] }

func (p *rbmParticles) Resize(n int) {
	p.v = resize(p.v, n*p.m.M)
	p.logit, p.drift = resize(p.logit, n), resize(p.drift, n)
}

// resize keeps what fits; memory grows by at least half, so that growing batch by
// batch costs little.
func resize[T any](x []T, n int) []T {
	if n > cap(x) {
		y := make([]T, n, max(n, cap(x)+cap(x)/2))
		copy(y, x)
		return y
	}
	return x[:n]
}

// grow returns b with length n, reusing its memory.
func grow[T any](b []T, n int) []T {
	if cap(b) < n {
		return make([]T, n)
	}
	return b[:n]
}

// Init starts from no unit at all, log Z_0 = S(g).
func (p *rbmParticles) Init(at rng.At) float64 {
	p.n = 0
	clear(p.v)
	p.block.load(0, nil, 0)
	p.block.logits(1, 0, p.logit, p.drift)
	l := p.logit[0]
	for r := range p.logit {
		p.logit[r] = l
	}
	p.Augment(at)
	return kernel.Softplus(p.block.B0, p.m.J, p.m.unit) + p.drift[0] + num.Softplus(l)
}

func (p *rbmParticles) Stage() int { return p.n }

func (p *rbmParticles) SetStage(n int) { p.n = n }

// Move is block Gibbs, h given x, then x given h. It computes the next logits while the sums
// of a block are still at hand.
func (p *rbmParticles) Move(at rng.At, lo, hi, sweeps int) {
	slot, step := at.Slot, at.Step
	for ; lo < hi; lo += blockRows {
		rows := min(blockRows, hi-lo)
		for i := range rows {
			p.block.load(i, p.row(lo + i)[:p.n], p.n)
		}
		at.Slot = slot + uint32(lo)
		for t := range sweeps {
			at.Step = step + uint32(t)
			p.block.Sweep(at, rows, p.n, false)
		}
		for i := range rows {
			v, _, _, _ := p.block.Row(i)
			copy(p.row(lo+i), v[:p.n])
		}
		if p.n < p.m.M {
			p.block.logits(rows, p.n, p.logit[lo:], p.drift[lo:])
		}
	}
}

func (p *rbmParticles) LogW(lo, hi int, out []float64) {
	for r := lo; r < hi; r++ {
		out[r-lo] = num.Softplus(p.next(r))
		out[r-lo] += p.drift[r]
	}
}

// next is the logit of unit n+1 in row r.
func (p *rbmParticles) next(r int) float64 {
	if l := p.logit[r]; l == l {
		return l
	}
	p.block.load(0, p.row(r)[:p.n], p.n)
	p.block.logits(1, p.n, p.logit[r:], p.drift[r:])
	return p.logit[r]
}

func (p *rbmParticles) Augment(at rng.At) {
	for r := range p.logit {
		s := at.Row(r)
		p.row(r)[p.n] = 0
		if s.Float64() < num.Sigmoid(p.next(r)) {
			p.row(r)[p.n] = 1
		}
		p.logit[r] = math.NaN()
	}
	p.n++
}

// Reseed starts from data restricted to the first n units where the model has
// data, else from independent units at the base rates, with step at.Step; sweeps
// draw from the steps after it.
func (p *rbmParticles) Reseed(at rng.At, lo, hi, sweeps int) {
	for r := lo; r < hi; r++ {
		s := at.Row(r)
		v := p.row(r)
		clear(v)
		if data := p.m.data; len(data) > 0 {
			x := data[s.Intn(len(data))]
			for i := range p.n {
				v[i] = x[p.m.order[i]]
			}
			continue
		}
		for i := range p.n {
			if s.Float64() < num.Sigmoid(float64(float64(p.m.lg[p.m.order[i]])*p.m.unit)) {
				v[i] = 1
			}
		}
	}
	at.Step++
	p.Move(at, lo, hi, sweeps)
}

func (p *rbmParticles) Copy(dst, src int) {
	copy(p.row(dst), p.row(src))
	p.logit[dst], p.drift[dst] = p.logit[src], p.drift[src]
}

// Read shows the units that are there; others are absent.
func (p *rbmParticles) Read(n int, f *frame.Frame) {
	f.W, f.H = p.m.info.W, p.m.info.H
	size := f.W * f.H
	f.Pixels = grow(f.Pixels, n*size)
	for i := range f.Pixels {
		f.Pixels[i] = 2
	}
	for r := range n {
		v := p.row(r)
		for i, u := range p.m.order[:p.n] {
			f.Pixels[r*size+int(u)] = v[i]
		}
	}
	if f.Growth != nil {
		f.Growth.Cell = p.seq.cell
	}
}

func (p *rbmParticles) Append(r int, w *frame.Writer) { w.Bits(p.row(r)[:p.n]) }

func (p *rbmParticles) Load(r int, in *frame.Reader) {
	clear(p.row(r))
	in.Bits(p.row(r)[:p.n])
	p.logit[r] = math.NaN()
}

// blockRows is the number of rows that are moved together.
const blockRows = 16

// gibbsBlock holds the whole state of some rows while they are moved: both layers
// and both vectors of sums, of which the first n visible units take part.
type gibbsBlock struct {
	*kernel.Rows
	seq           *rbmSequence
	stage         int // of which the net's B0 is the base
	scale         []float64
	before, after []float64
}

func newGibbsBlock(seq *rbmSequence) gibbsBlock {
	net := *seq.net
	net.B0 = make([]int64, len(seq.net.B0))
	seq.base(0, net.B0)
	b := gibbsBlock{Rows: kernel.NewRows(&net, blockRows), seq: seq, scale: []float64{seq.m.unit},
		before: make([]float64, blockRows), after: make([]float64, blockRows)}
	for i := range b.Scale {
		b.Scale[i] = float32(seq.m.unit)
	}
	return b
}

// load sets row i to visible units x of stage n, the rest absent, and no hidden unit on.
func (b *gibbsBlock) load(i int, x []uint8, n int) {
	switch {
	case b.seq.fill == nil || n == b.stage:
	case n == b.stage+1:
		add(b.B0, b.seq.fill[n-1], -1)
	default:
		b.seq.base(n, b.B0)
	}
	b.stage = n
	v, h, _, _ := b.Row(i)
	clear(v)
	copy(v, x)
	clear(h)
	b.Rebuild(i)
}

// logits writes l and the drift of unit n in the first rows rows. It overwrites their sums.
func (b *gibbsBlock) logits(rows, n int, out, drift []float64) {
	unit := [1]int32{int32(n)}
	clear(drift[:rows])
	if b.seq.fill != nil {
		b.Softplus(rows, b.scale, b.after, false)
		for i := range rows {
			drift[i] = -b.after[i]
			_, _, actH, _ := b.Row(i)
			add(actH, b.seq.fill[n], -1)
		}
	}
	b.Softplus(rows, b.scale, b.before, false)
	for i := range rows {
		_, _, actH, _ := b.Row(i)
		b.VH.Update(actH, unit[:], nil)
	}
	b.Softplus(rows, b.scale, b.after, false)
	for i := range rows {
		if b.seq.fill != nil {
			drift[i] += b.before[i]
		}
		out[i] = float64(float64(b.seq.c[n])*b.seq.m.unit) - b.before[i]
		out[i] += b.after[i]
	}
}
