package models

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"logzlab/core/frame"
	"logzlab/core/kernel"
	"logzlab/core/num"
	"logzlab/core/rng"
)

// An RBM is formed visible unit by visible unit ([ARM] section 5): of the first n in
// some order, with the hidden units summed out and absent units off,
//
//	f_n(x) = exp(c.x) prod_h (1 + exp(g_h)),  g = b + W'x            ([ARM] eq. 13)
//	log W  = softplus(l),  P(x_{n+1} = 1 | x) = sigmoid(l),            (eq. 14)
//	l      = c_{n+1} + sum_h [softplus(g_h + W_{n+1,h}) - softplus(g_h)].
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

// rbmSequence holds an RBM's parameters in the order of its units, made on first use.
type rbmSequence struct {
	once  sync.Once
	cell  []int32 // order, nil when it is the natural one
	c     []int32
	net   *kernel.Net
	known sync.Once
	logZ  []float64
}

func (m *RBM) sequence() *rbmSequence {
	s := &m.seq
	s.once.Do(func() {
		s.c = make([]int32, m.M)
		for i, u := range m.order {
			s.c[i] = m.c[u]
			if int32(i) != u {
				s.cell = m.order
			}
		}
		s.net = m.net
		if s.cell != nil {
			s.net = &kernel.Net{B0: m.net.B0, C0: kernel.Pack(s.c), C: s.c, G: s.c, Base: m.net.Base,
				VH: kernel.NewMatrix(m.M, m.J, func(i, j int) int32 { return m.w[int(m.order[i])*m.J+j] }),
				HV: kernel.NewMatrix(m.J, m.M, func(j, i int) int32 { return m.w[int(m.order[i])*m.J+j] })}
		}
	})
	return s
}

// Stages is the number of visible units.
func (m *RBM) Stages() int { return m.M }

// stageWork bounds the enumeration behind StageLogZ, in states times units.
const stageWork = 1 << 20

// StageLogZ is given with some bundled models. Else it enumerates the hidden units
// where there are few, or as many of the first visible units as are quickly summed;
// log Z_N is the model's truth where that is known.
func (m *RBM) StageLogZ() []float64 {
	s := m.sequence()
	s.known.Do(func() {
		if s.logZ != nil {
			return // given
		}
		s.logZ = make([]float64, m.M)
		for n := range s.logZ {
			s.logZ[n] = math.NaN()
		}
		if m.J < 40 && m.M<<m.J <= stageWork {
			m.stagesByHidden(s)
		} else {
			m.stagesByVisible(s)
		}
		if t := m.Truth(); t != nil {
			s.logZ[m.M-1] = t.LogZ
		}
	})
	return s.logZ
}

// stagesByHidden: Z_n = sum_h exp(b.h) prod_{i<=n} (1 + exp(c_i + W_i h)).
func (m *RBM) stagesByHidden(s *rbmSequence) {
	sums := make([]num.LSE, m.M)
	act := make([]int64, len(s.net.C0))
	h := make([]int32, 0, m.J)
	for state := range 1 << m.J {
		h = h[:0]
		var bias int64
		for j := range m.J {
			if state>>j&1 == 1 {
				h = append(h, int32(j))
				bias += int64(m.b[j])
			}
		}
		copy(act, s.net.C0)
		s.net.HV.Update(act, h, nil)
		t := float64(float64(bias) * m.unit)
		for n := range sums {
			t += num.Softplus(float64(float64(kernel.Get(act, n)) * m.unit))
			sums[n].Add(t)
		}
	}
	for n := range sums {
		s.logZ[n] = sums[n].Value()
	}
}

// stagesByVisible walks the states of the first units; those in which units from n
// on are off come first and make Z_n.
func (m *RBM) stagesByVisible(s *rbmSequence) {
	var sum num.LSE
	act := make([]int64, len(m.net.B0))
	on := make([]int32, 0, m.M)
	for state, n := 0, 0; n < m.M && m.J<<(n+1) <= stageWork; n++ {
		for ; state < 2<<n; state++ {
			on = on[:0]
			var bias int64
			for i := range n + 1 {
				if state>>i&1 == 1 {
					on = append(on, int32(i))
					bias += int64(s.c[i])
				}
			}
			copy(act, m.net.B0)
			s.net.VH.Update(act, on, nil)
			sum.Add(float64(float64(bias)*m.unit) + kernel.Softplus(act, m.J, m.unit))
		}
		s.logZ[n] = sum.Value()
	}
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
	block gibbsBlock
}

func (m *RBM) NewParticles() Particles {
	p := &rbmParticles{m: m, seq: m.sequence(), n: 1}
	p.block = newGibbsBlock(m, p.seq)
	return p
}

func (p *rbmParticles) row(r int) []uint8 { return p.v[r*p.m.M : (r+1)*p.m.M] }

func (p *rbmParticles) Resize(n int) {
	p.v = resize(p.v, n*p.m.M)
	p.logit = resize(p.logit, n)
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

// Init starts from no unit at all, Z_0 = prod_h (1 + exp(b_h)).
func (p *rbmParticles) Init(at rng.At) float64 {
	p.n = 0
	clear(p.v)
	p.block.load(0, nil)
	p.block.logits(1, 0, p.logit)
	l := p.logit[0]
	for r := range p.logit {
		p.logit[r] = l
	}
	p.Augment(at)
	return kernel.Softplus(p.m.net.B0, p.m.J, p.m.unit) + num.Softplus(l)
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
			p.block.load(i, p.row(lo + i)[:p.n])
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
			p.block.logits(rows, p.n, p.logit[lo:])
		}
	}
}

func (p *rbmParticles) LogW(lo, hi int, out []float64) {
	for r := lo; r < hi; r++ {
		out[r-lo] = num.Softplus(p.next(r))
	}
}

// next is the logit of unit n+1 in row r.
func (p *rbmParticles) next(r int) float64 {
	if l := p.logit[r]; l == l {
		return l
	}
	p.block.load(0, p.row(r)[:p.n])
	p.block.logits(1, p.n, p.logit[r:])
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
	p.logit[dst] = p.logit[src]
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
	m             *RBM
	seq           *rbmSequence
	scale         []float64
	before, after []float64
}

func newGibbsBlock(m *RBM, seq *rbmSequence) gibbsBlock {
	b := gibbsBlock{Rows: kernel.NewRows(seq.net, blockRows), m: m, seq: seq, scale: []float64{m.unit},
		before: make([]float64, blockRows), after: make([]float64, blockRows)}
	for i := range b.Scale {
		b.Scale[i] = float32(m.unit)
	}
	return b
}

// load sets row i to visible units x, the rest off, and no hidden unit on.
func (b *gibbsBlock) load(i int, x []uint8) {
	v, h, _, _ := b.Row(i)
	clear(v)
	copy(v, x)
	clear(h)
	b.Rebuild(i)
}

// logits writes l of unit n in the first rows rows. It overwrites their sums.
func (b *gibbsBlock) logits(rows, n int, out []float64) {
	unit := [1]int32{int32(n)}
	b.Softplus(rows, b.scale, b.before, false)
	for i := range rows {
		_, _, actH, _ := b.Row(i)
		b.VH.Update(actH, unit[:], nil)
	}
	b.Softplus(rows, b.scale, b.after, false)
	for i := range rows {
		out[i] = float64(float64(b.seq.c[n])*b.m.unit) - b.before[i]
		out[i] += b.after[i]
	}
}
