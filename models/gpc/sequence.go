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

// particles implements models.Particles. A row at stage n holds z_1..z_n, whose signs are those of the labels. With
// gibbs = x it holds latent values x_1..x_n instead, with density
//
//	f_n(x) = N(x; 0, K) prod_i Phi(y_i x_i)                                   ([ARM] eq. 9),
//
// and the same Z_n. The basis is then computed from K in place of K + I.
type particles struct {
	m       *Classifier
	b       *basis
	z       []float64 // N numbers for each row, of which the first n are in use
	rows    int       // number of rows
	order   []int32   // order in which a sweep updates the data
	streams []rng.Stream
	view    view
}

// row returns the n values of row r.
func (p *particles) row(r int) []float64 { return p.z[r*p.m.n : r*p.m.n+p.b.n] }

// Resize implements models.Particles.
func (p *particles) Resize(n int) {
	if need := n * p.m.n; need > len(p.z) {
		z := make([]float64, need)
		copy(z, p.z[:p.rows*p.m.n])
		p.z = z
	}
	p.rows = n
}

// Stage implements models.Particles.
func (p *particles) Stage() int { return p.b.n }

// SetStage implements models.Particles.
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

// draw returns a sample z of N(mean, sd^2) restricted to the sign of y. With gibbs = x it returns a sample x of the
// density proportional to N(x; mean, sd^2) Phi(y x): it draws z = x + e, with e standard normal, restricted to the sign
// of y, and then x given z.
func (m *Classifier) draw(s *rng.Stream, y, mean, sd float64) float64 {
	if !m.noiseless {
		return truncatedNormal(y, mean, sd, s.Float64())
	}
	v := num.Mul(sd, sd)
	root := math.Sqrt(1 + v)
	z := truncatedNormal(y, mean, root, s.Float64())
	return (mean+num.Mul(v, z))/(1+v) + num.Mul(sd/root, s.Norm())
}

// truncatedNormal returns the sample of N(m, sd^2) restricted to the sign of y that belongs to the uniform number u, by
// inversion: z = m - y sd e, e = Phi^-1(u Phi(y m / sd)).
func truncatedNormal(y, m, sd, u float64) float64 {
	t := num.Mul(y, m) / sd
	z := num.Mul(y, sd*(t-normalBelow(t, u)))
	if !(num.Mul(y, z) > 0) {
		return num.Mul(y, 0x1p-1000) // rounded to 0 or beyond
	}
	return z
}

// normalBelow returns the sample of a standard normal variable restricted to values below t that belongs to the uniform
// number u, by inversion: Phi^-1(u Phi(t)).
func normalBelow(t, u float64) float64 {
	if t > -30 {
		return num.PhiInv(num.Mul(u, num.Phi(t)))
	}
	// Phi(t) would underflow. Newton's method solves log Phi(e) = log u + log Phi(t); log Phi is concave and nearly
	// quadratic here, so three steps suffice.
	logTarget := num.Log(u) + num.LogPhi(t)
	e := -math.Sqrt(num.Mul(t, t) - num.Mul(2, num.Log(u)))
	for range 3 {
		e -= (num.LogPhi(e) - logTarget) / num.Mills(e)
	}
	return e
}

// orderSlot is the slot of the random stream that orders the data in a sweep. All rows share this order: a sweep leaves
// p_n invariant in any order.
const orderSlot = math.MaxUint32

// rowBlock is the number of rows that sweep updates together, so that their z stay in the cache.
const rowBlock = 16

// Move applies sweeps to rows lo..hi-1. A sweep updates each z_i given all others by slice sampling ([ARM] A.1, A.2),
// in random order. The slice in z_i - mu has the half width sqrt((z_i - mu)^2 - 2 log(U) / S_ii), with U uniform; its
// ends are computed as differences from z_i, so they are accurate even if mu is far on the wrong side of 0. With gibbs
// = x a sweep draws x_i from its conditional distribution, whose normal factor has variance 1/S_ii; it mixes slowly if
// K is small or nearly singular ([ARM] section 4.1).
func (p *particles) Move(at rng.At, lo, hi, sweeps int) {
	n := p.b.n
	if cap(p.order) < n {
		p.order = make([]int32, p.m.n)
	}
	p.order = p.order[:n]
	for range sweeps {
		s := at.Key.Stream(at.Phase, orderSlot, at.Step)
		shuffle(&s, p.order)
		for first := lo; first < hi; first += rowBlock {
			p.sweep(at, first, min(first+rowBlock, hi))
		}
		at.Step++
	}
}

// sweep updates rows lo..hi-1 once, each datum for all rows before the next datum.
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

// step updates z_i of a row with the given random stream, or x_i with gibbs = x. sz is (S z)_i = S_ii (z_i - mu_i).
func (p *particles) step(stream int, z []float64, i int, sz, sii float64) {
	if p.m.noiseless {
		z[i] = p.m.draw(&p.streams[stream], p.m.y[i], z[i]-sz/sii, 1/math.Sqrt(sii))
		return
	}
	p.slice(stream, z, i, sz, sii)
}

// slice updates z_i by slice sampling; the arguments are those of step.
func (p *particles) slice(stream int, z []float64, i int, sz, sii float64) {
	s := &p.streams[stream]
	d := sz / sii
	sliceOffset := -2 * num.Log(s.Float64()) / sii
	v := math.Sqrt(num.Mul(d, d) + sliceOffset)
	up, down := v-d, v+d
	if d > 0 {
		up = sliceOffset / down
	} else if up > 0 {
		down = sliceOffset / up
	}
	current := z[i]
	a, b := current-down, current+up
	if p.m.y[i] > 0 {
		a = max(a, 0)
	} else {
		b = min(b, 0)
	}
	x := a + num.Mul(b-a, s.Float64())
	if x != 0 && x > 0 == (current > 0) { // rounding must not change the sign
		z[i] = x
	}
}

// LogW writes the exact log probability of the next label given z_1..z_n, log Phi(y_{n+1} a'z / sd), in nats.
func (p *particles) LogW(lo, hi int, out []float64) {
	y, sd := p.m.y[p.b.n], p.b.sd
	if p.m.noiseless { // standard deviation of z_{n+1} given x
		sd = math.Sqrt(1 + num.Mul(sd, sd))
	}
	for i := range out[:hi-lo] {
		out[i] = num.LogPhi(num.Mul(y, num.Dot(p.b.a, p.row(lo+i))) / sd)
	}
}

// Augment draws z_{n+1} given z_1..z_n and its label, and advances to stage n+1.
func (p *particles) Augment(at rng.At) {
	b := p.b
	p.b = p.m.next(b)
	for r := range p.rows {
		s := at.Row(r)
		z := p.row(r)
		z[b.n] = p.m.draw(&s, p.m.y[b.n], num.Dot(b.a, z), b.sd)
	}
}

// Reseed sets rows lo..hi-1 to new states and applies sweeps. Each z_i is drawn given z_1..z_{i-1} and its own label
// only. With z = L e, where L is the Cholesky factor of K + I, this draws e_i restricted to one side of a threshold.
// With gibbs = x it draws x_i in the same way, with the factor of K.
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

// Copy implements models.Particles.
func (p *particles) Copy(dst, src int) { copy(p.row(dst), p.row(src)) }

// Append encodes the present values of row r.
func (p *particles) Append(r int, w *wire.Writer) {
	for _, z := range p.row(r) {
		w.Float(z)
	}
}

// Load decodes row r as Append encoded it.
func (p *particles) Load(r int, in *wire.Reader) {
	z := p.row(r)
	for i := range z {
		z[i] = in.Float()
	}
}
