package gpc

import (
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/models"
)

// Stages returns the number of data.
func (m *Classifier) Stages() int { return m.n }

// SkipsMoves returns false: particles are moved at every stage.
func (m *Classifier) SkipsMoves(int) bool { return false }

// NewParticles returns an empty set of particles at stage 1.
func (m *Classifier) NewParticles() models.Particles { return &particles{m: m, b: m.stage(1)} }

// particles implements models.Particles with rows z_1..z_n that have the signs of the labels. With gibbs = x the rows
// are latent values x_1..x_n with density
//
//	f_n(x) = N(x; 0, K) prod_i Phi(y_i x_i)                                   ([ARM] eq. 9),
//
// and the same Z_n; the basis is then computed from K in place of K + I.
type particles struct {
	m       *Classifier
	b       *basis
	z       []float64 // rows of N, the first n of each in use
	rows    int
	order   []int32
	streams []rng.Stream
	view    view
}

func (p *particles) row(r int) []float64 { return p.z[r*p.m.n : r*p.m.n+p.b.n] }

func (p *particles) Resize(n int) {
	if need := n * p.m.n; need > len(p.z) {
		z := make([]float64, need)
		copy(z, p.z[:p.rows*p.m.n])
		p.z = z
	}
	p.rows = n
}

func (p *particles) Stage() int     { return p.b.n }
func (p *particles) SetStage(n int) { p.b = p.m.stage(n) }

// Init draws z_1 from a half normal distribution; Z_1 = 1/2.
func (p *particles) Init(at rng.At) float64 {
	p.SetStage(1)
	p.m.extendFactor(1)
	for r := range p.rows {
		s := at.Row(r)
		p.row(r)[0] = p.m.draw(&s, p.m.y[0], 0, p.m.l[0])
	}
	return -math.Ln2
}

// draw samples z from N(mean, sd^2) restricted to the sign of y. With gibbs = x it samples x from the density
// proportional to N(mean, sd^2) times Phi(y x): it draws z = x + e restricted to the sign of y, with e standard normal,
// and then x given z.
func (m *Classifier) draw(s *rng.Stream, y, mean, sd float64) float64 {
	if !m.noiseless {
		return truncatedNormal(y, mean, sd, s.Float64())
	}
	v := num.Mul(sd, sd)
	root := math.Sqrt(1 + v)
	z := truncatedNormal(y, mean, root, s.Float64())
	return (mean+num.Mul(v, z))/(1+v) + num.Mul(sd/root, s.Norm())
}

// truncatedNormal samples N(m, sd^2) restricted to the sign of y, by inversion of the uniform u: z = m - y sd e, e =
// Phi^-1(u Phi(y m / sd)).
func truncatedNormal(y, m, sd, u float64) float64 {
	t := num.Mul(y, m) / sd
	z := num.Mul(y, sd*(t-normalBelow(t, u)))
	if !(num.Mul(y, z) > 0) {
		return num.Mul(y, 0x1p-1000) // rounded to 0 or beyond
	}
	return z
}

// normalBelow samples a standard normal variable below t, by inversion of the uniform u.
func normalBelow(t, u float64) float64 {
	if t > -30 {
		return num.PhiInv(num.Mul(u, num.Phi(t)))
	}
	// Newton's method for log Phi, which is concave and nearly quadratic here.
	want := num.Log(u) + num.LogPhi(t)
	e := -math.Sqrt(num.Mul(t, t) - num.Mul(2, num.Log(u)))
	for range 3 {
		e -= (num.LogPhi(e) - want) / num.Mills(e)
	}
	return e
}

// orderSlot is the slot of the random order of a sweep, which all rows share: in any order the kernel leaves p_n
// invariant for each particle.
const orderSlot = math.MaxUint32

// rowsAtOnce is the number of rows that are processed together, so that their z stay in the cache.
const rowsAtOnce = 16

// Move updates each z_i given all others by slice sampling ([ARM] A.1, A.2), in random order. The slice in z - mu has
// the half width v = sqrt((z - mu)^2 - 2 log(U) / S_ii); its ends are computed from z, which loses no precision however
// far mu is on the wrong side of 0. With gibbs = x it draws x_i from its conditional, whose normal factor has variance
// 1/S_ii; [ARM] section 4.1 explains why that is slow if K is small or nearly singular.
func (p *particles) Move(at rng.At, lo, hi, sweeps int) {
	n := p.b.n
	if cap(p.order) < n {
		p.order = make([]int32, p.m.n)
	}
	p.order = p.order[:n]
	for range sweeps {
		s := at.Key.Stream(at.Phase, orderSlot, at.Step)
		shuffle(&s, p.order)
		for from := lo; from < hi; from += rowsAtOnce {
			p.sweep(at, from, min(from+rowsAtOnce, hi))
		}
		at.Step++
	}
}

func (p *particles) sweep(at rng.At, lo, hi int) {
	p.streams = p.streams[:0]
	for r := lo; r < hi; r++ {
		p.streams = append(p.streams, at.Row(r))
	}
	n := p.b.n
	for _, i := range p.order {
		meter.Pulse(float64(n) * float64(hi-lo))
		row := p.b.s[int(i)*n : (int(i)+1)*n]
		r := lo
		for ; r+4 <= hi; r += 4 {
			z0, z1, z2, z3 := p.row(r), p.row(r+1), p.row(r+2), p.row(r+3)
			d0, d1, d2, d3 := num.Dot4(row, z0, z1, z2, z3)
			p.step(r-lo, z0, int(i), d0, row[i])
			p.step(r-lo+1, z1, int(i), d1, row[i])
			p.step(r-lo+2, z2, int(i), d2, row[i])
			p.step(r-lo+3, z3, int(i), d3, row[i])
		}
		for ; r < hi; r++ {
			p.step(r-lo, p.row(r), int(i), num.Dot(row, p.row(r)), row[i])
		}
	}
}

// step updates z_i, or x_i; sz = (S z)_i = S_ii (z_i - mu_i).
func (p *particles) step(stream int, z []float64, i int, sz, sii float64) {
	if p.m.noiseless {
		z[i] = p.m.draw(&p.streams[stream], p.m.y[i], z[i]-sz/sii, 1/math.Sqrt(sii))
		return
	}
	p.slice(stream, z, i, sz, sii)
}

// slice updates z_i by slice sampling.
func (p *particles) slice(stream int, z []float64, i int, sz, sii float64) {
	s := &p.streams[stream]
	d := sz / sii
	more := -2 * num.Log(s.Float64()) / sii
	v := math.Sqrt(num.Mul(d, d) + more)
	up, down := v-d, v+d
	if d > 0 {
		up = more / down
	} else if up > 0 {
		down = more / up
	}
	old := z[i]
	a, b := old-down, old+up
	if p.m.y[i] > 0 {
		a = max(a, 0)
	} else {
		b = min(b, 0)
	}
	x := a + num.Mul(b-a, s.Float64())
	if x != 0 && x > 0 == (old > 0) { // the sign must not change
		z[i] = x
	}
}

// LogW writes log Phi(y_{n+1} a'z / sd), the exact log probability of the next label.
func (p *particles) LogW(lo, hi int, out []float64) {
	y, sd := p.m.y[p.b.n], p.b.sd
	if p.m.noiseless { // standard deviation of z_{n+1} given x
		sd = math.Sqrt(1 + num.Mul(sd, sd))
	}
	for i := range out[:hi-lo] {
		out[i] = num.LogPhi(num.Mul(y, num.Dot(p.b.a, p.row(lo+i))) / sd)
	}
}

func (p *particles) Augment(at rng.At) {
	b := p.b
	p.b = p.m.next(b)
	for r := range p.rows {
		s := at.Row(r)
		z := p.row(r)
		z[b.n] = p.m.draw(&s, p.m.y[b.n], num.Dot(b.a, z), b.sd)
	}
}

// Reseed draws each z_i given its predecessors and its own label only, i = 1..n, then moves. With z = L e, where L is
// the Cholesky factor of K+I, this is e_i restricted to one side of a threshold. With gibbs = x it draws x_i in the
// same way, with the factor of K.
func (p *particles) Reseed(at rng.At, lo, hi, sweeps int) {
	n := p.m.n
	e := make([]float64, p.b.n)
	p.m.extendFactor(p.b.n)
	for r := lo; r < hi; r++ {
		meter.Pulse(float64(p.b.n) * float64(p.b.n) / 2)
		s := at.Row(r)
		z := p.row(r)
		for i := range z {
			l := p.m.l[i*n : i*n+i+1]
			mean := num.Dot(l[:i], e)
			z[i] = p.m.draw(&s, p.m.y[i], mean, l[i])
			e[i] = (z[i] - mean) / l[i]
		}
	}
	at.Step++
	p.Move(at, lo, hi, sweeps)
}

func (p *particles) Copy(dst, src int) { copy(p.row(dst), p.row(src)) }

func (p *particles) Append(r int, w *wire.Writer) {
	for _, z := range p.row(r) {
		w.Float(z)
	}
}

func (p *particles) Load(r int, in *wire.Reader) {
	z := p.row(r)
	for i := range z {
		z[i] = in.Float()
	}
}
