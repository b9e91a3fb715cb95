package rbm

import (
	"math"
	"sort"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/models"
)

// RM and ARM add the visible units of an RBM one by one ([ARM] section 5). Stage n has the first n units in some order;
// with the hidden units summed out and the absent units at fixed values mu (chosen by Fill),
//	 f_n(x) = exp(c.x) prod_h (1 + exp(g_h)),  g = b + W'x + sum_{i>n} W_i mu_i      ([ARM] eq. 13)
//	 log W  = S(g - W_{n+1} mu_{n+1}) - S(g) + softplus(l),  S(g) = sum_h softplus(g_h),      (eq. 14)
//	 l      = c_{n+1} + S(g + W_{n+1} (1 - mu_{n+1})) - S(g - W_{n+1} mu_{n+1}),
//	 P(x_{n+1} = 1 | x) = sigmoid(l).
// The paper uses mu = 0: then the hidden units of a partial picture respond as if its other pixels were off.
//
// By default units come in order of decreasing variance p1 (1 - p1) of the training data, the most informative first.

// Orders are the choices of Params.Order, the default first.
var Orders = []string{"variance", "natural", "random"}

// unitOrder returns the order of the units; equal variances keep their order, and the random order is fixed for each
// number of units.
func unitOrder(name string, rates []float64) []int32 {
	n := len(rates)
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	switch name {
	case "random":
		s := rng.NewKey(0, "order", n).Stream(0, 0, 0)
		s.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	case "variance", "":
		v := make([]float64, n)
		for i, p := range rates {
			v[i] = p * (1 - p)
		}
		sort.SliceStable(out, func(i, j int) bool { return v[out[i]] > v[out[j]] })
	}
	return out
}

// particles are rows of both layers with the inputs of both. The first n visible units are present. The logit of unit
// n+1 is computed right after the inputs of its row, while these are in the processor's cache.
type particles struct {
	*kernel.Rows
	m     *Model
	seq   *sequence
	n     int       // stage; B0 has the base of this stage
	logit []float64 // logit of the next unit, NaN if unknown; if it is known, the inputs b + W'v include this unit
	drift []float64 // S(g - W_{n+1} mu_{n+1}) - S(g), if the logit is known

	before, after, scale []float64 // working space
}

// NewParticles returns particles at stage 1; Resize sets their number.
func (s *sequence) NewParticles() models.Particles {
	p := &particles{m: s.m, seq: s, scale: []float64{s.m.unit}}
	net := *s.net
	net.B0, net.C, net.G = make([]int64, len(net.B0)), nil, nil
	p.Rows = &kernel.Rows{Net: &net} // replaced by Resize
	p.SetStage(1)
	return p
}

// row returns the visible units of row r.
func (p *particles) row(r int) []uint8 { v, _, _, _ := p.Row(r); return v }

// Resize sets the number of particles, keeping the first ones.
func (p *particles) Resize(n int) {
	if n > len(p.Scale) {
		p.Rows = p.Grown(max(n, len(p.Scale)+len(p.Scale)/2))
		for r := range p.Scale {
			p.Scale[r] = float32(p.m.unit)
		}
	}
	p.logit, p.drift = num.Grown(p.logit, n), num.Grown(p.drift, n)
}

// Init sets every particle to stage 1, with an exact sample of the first unit, and returns log Z_1 in nats.
func (p *particles) Init(at rng.At) float64 {
	p.SetStage(0)
	for r := range p.logit {
		p.setVisible(r, func(v []uint8) {})
	}
	p.computeLogits(0, len(p.logit))
	z := kernel.Softplus(p.B0, p.m.J, p.m.unit) + p.drift[0] + num.Softplus(p.logit[0])
	p.Augment(at)
	return z
}

func (p *particles) Stage() int { return p.n }

// SetStage sets the stage and the hidden inputs of this stage; rows are set by Load or Reseed.
func (p *particles) SetStage(n int) {
	p.n = n
	p.seq.base(n, p.B0)
}

// setVisible clears row r and calls f to set its first n visible units.
func (p *particles) setVisible(r int, f func(v []uint8)) {
	v, h, _, _ := p.Row(r)
	clear(v)
	clear(h)
	f(v[:p.n])
	p.Rebuild(r)
	p.logit[r] = math.NaN()
}

// Move is block Gibbs sampling, h given x, then x given h.
func (p *particles) Move(at rng.At, lo, hi, sweeps int) {
	for r := lo; r < hi; r++ {
		if l := p.logit[r]; num.NotNaN(l) {
			p.removeNext(r)
		}
	}
	for range sweeps {
		p.Sweep(at, lo, hi, p.n, false)
		at.Step++
	}
	if p.n < p.m.M {
		p.computeLogits(lo, hi)
	}
}

// LogW sets out to log W of [ARM] eq. 14 for rows [lo, hi), in nats.
func (p *particles) LogW(lo, hi int, out []float64) {
	for r := lo; r < hi; r++ {
		out[r-lo] = num.Softplus(p.nextLogit(r))
		out[r-lo] += p.drift[r]
	}
}

// nextLogit returns the logit of unit n+1 in row r.
func (p *particles) nextLogit(r int) float64 {
	if !num.NotNaN(p.logit[r]) {
		p.computeLogits(r, r+1)
	}
	return p.logit[r]
}

// Augment samples unit n+1 of every row given its present units, and goes to stage n+1.
func (p *particles) Augment(at rng.At) {
	next := []int32{int32(p.n)}
	for r := range p.logit {
		s := at.Row(r)
		v, _, actH, _ := p.Row(r)
		v[p.n] = 0
		if s.Float64() < num.Sigmoid(p.nextLogit(r)) {
			v[p.n] = 1
		} else {
			p.VH.Update(actH, nil, next)
		}
		p.Extend(r, p.n)
		p.logit[r] = math.NaN()
	}
	if p.seq.fill != nil {
		add(p.B0, p.seq.fill[p.n], -1)
	}
	p.n++
}

// Reseed replaces rows [lo, hi) by data restricted to the first n units if the model has data, otherwise by independent
// units at the base rates, and then performs sweeps of Move. The start uses the random numbers of step at.Step, the
// sweeps those of later steps.
func (p *particles) Reseed(at rng.At, lo, hi, sweeps int) {
	for r := lo; r < hi; r++ {
		s := at.Row(r)
		p.setVisible(r, func(v []uint8) {
			if data := p.m.data; data.n > 0 {
				x := data.rows()[s.Intn(data.n)]
				for i := range v {
					v[i] = x[p.seq.order[i]]
				}
				return
			}
			for i := range v {
				if s.Float64() < num.Sigmoid(num.Mul(float64(p.m.baseLogits[p.seq.order[i]]), p.m.unit)) {
					v[i] = 1
				}
			}
		})
	}
	at.Step++
	p.Move(at, lo, hi, sweeps)
}

// Copy replaces row dst by row src.
func (p *particles) Copy(dst, src int) {
	p.Rows.Copy(dst, src)
	p.logit[dst], p.drift[dst] = p.logit[src], p.drift[src]
}

// Read writes the pictures of the first n rows to f; pixels of absent units are 2.
func (p *particles) Read(n int, f *frame.Frame) {
	f.W, f.H = p.m.info.W, p.m.info.H
	size := f.W * f.H
	f.Pixels = num.Sized(f.Pixels, n*size)
	for i := range f.Pixels {
		f.Pixels[i] = 2
	}
	for r := range n {
		v := p.row(r)
		for i, u := range p.seq.order[:p.n] {
			f.Pixels[r*size+int(u)] = v[i]
		}
	}
	if f.Growth != nil {
		f.Growth.Cell = p.seq.cell
	}
}

func (p *particles) Append(r int, w *wire.Writer) { w.Bits(p.row(r)[:p.n]) }

func (p *particles) Load(r int, in *wire.Reader) { p.setVisible(r, in.Bits) }

// removeNext removes unit n+1 from the inputs of row r.
func (p *particles) removeNext(r int) {
	_, _, actH, _ := p.Row(r)
	unit := [1]int32{int32(p.n)}
	p.VH.Update(actH, nil, unit[:])
	if p.seq.fill != nil {
		add(actH, p.seq.fill[p.n], 1)
	}
}

// computeLogits computes the logit and the drift of unit n+1 in rows [lo, hi).
func (p *particles) computeLogits(lo, hi int) {
	unit := [1]int32{int32(p.n)}
	p.before, p.after = num.Sized(p.before, hi-lo), num.Sized(p.after, hi-lo)
	logit, drift := p.logit[lo:hi], p.drift[lo:hi]
	clear(drift)
	if p.seq.fill != nil {
		p.Softplus(lo, hi, p.scale, p.after, false)
		for i, s := range p.after {
			drift[i] = -s
			_, _, actH, _ := p.Row(lo + i)
			add(actH, p.seq.fill[p.n], -1)
		}
	}
	p.Softplus(lo, hi, p.scale, p.before, false)
	for r := lo; r < hi; r++ {
		_, _, actH, _ := p.Row(r)
		p.VH.Update(actH, unit[:], nil)
	}
	p.Softplus(lo, hi, p.scale, p.after, false)
	for i := range logit {
		if p.seq.fill != nil {
			drift[i] += p.before[i]
		}
		logit[i] = num.Mul(float64(p.seq.c[p.n]), p.m.unit) - p.before[i]
		logit[i] += p.after[i]
	}
}
