package rbm

import (
	"bytes"
	"math"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/models"
)

// momentParts are the sub-paths of the path of averaged moments.
const momentParts = 8

// momentPath is the path of averaged moments ([Grosse2013]): at the knots beta = k/8 stand machines whose means of v, h
// and v h' are about (1-beta) times those of the base and beta times those of the target (momentFit), and between
// neighbours runs the geometric path, whose parameters are linear in beta. So f_beta is a machine everywhere,
//
//	log f_beta(v, h) = (1-beta) log(prod_i (1-p1_i) 2^-J) + v.c_beta + v'W_beta h + h.b_beta,
//
// with h summed out unless the form is joint; it is that of the geometric path at both ends. Any parameters of the
// inner knots give a path to the target, so the fit bears on variances alone.
type momentPath struct {
	knots []*kernel.Net // of base, inner knots and target; their parameters are multiples of the unit of the target
}

// momentPath is fitted on first use: it takes some seconds on large machines.
func (m *Machine) momentPath() *momentPath { return m.path.Get(m.fitMoments) }

// part is the sub-path with beta, and where in it, from 0 to 1, in steps of 2^-momentBits.
func (*momentPath) part(beta float64) (k int, t int64) {
	k = min(int(beta*momentParts), momentParts-1)
	return k, int64(num.Mul(num.Mul(beta, momentParts)-float64(k), 1<<momentBits) + .5)
}

const momentBits = 30

// mixed is (1-t) a + t b, rounded.
func mixed(a, b int32, t int64) int32 {
	return a + int32(((int64(b)-int64(a))*t+1<<(momentBits-1))>>momentBits)
}

// mix sets n packed sums to those at t between two knots.
func mix(out, a, b []int64, n int, t int64) {
	for j := range n {
		kernel.Set(out, j, mixed(kernel.Get(a, j), kernel.Get(b, j), t))
	}
}

// momentRows is the Population of the path of averaged moments. The states are those of population, whose sums may be
// stale.
type momentRows struct {
	*population
	path  *momentPath
	knots []*kernel.Rows // at each knot; their sums are those of their own states
	mixed *kernel.Rows   // room for sums at a rung
	sum   []int64        // room for those of a layer
	lin   [][]int64      // linear of each knot and row
	one   []float64      // of each row
	unit  []float64      // that of the model
}

func (m *Machine) newMomentRows(rows *population) *momentRows {
	p := &momentRows{population: rows, path: m.momentPath()}
	n := len(rows.LinC)
	for _, net := range p.path.knots {
		p.knots, p.lin = append(p.knots, kernel.NewRows(net, n)), append(p.lin, make([]int64, n))
	}
	p.mixed = kernel.NewRows(m.net, n)
	p.sum, p.one = make([]int64, kernel.Words(max(m.M, m.J))), make([]float64, n)
	p.unit = []float64{m.unit}
	return p
}

// at are the rows at knot k, whose row r has its state, and the sums of that.
func (p *momentRows) at(k, r int) *kernel.Rows {
	rows := p.knots[k]
	v, h, _, _ := p.Row(r)
	toV, toH, _, _ := rows.Row(r)
	if !bytes.Equal(v, toV) || !bytes.Equal(h, toH) {
		copy(toV, v)
		copy(toH, h)
		rows.Rebuild(r)
		meter.Pulse(float64(p.m.M) * float64(p.m.J))
	}
	return rows
}

// Move is block Gibbs, as that of population.
func (p *momentRows) Move(at rng.At, rung []int32, back bool) {
	for r, k := range rung {
		s := at.Row(r)
		part, t := p.path.part(p.ladder[k])
		a, b := p.at(part, r), p.at(part+1, r)
		if back && p.m.Joint {
			p.drawV(r, a, b, t, &s)
			p.drawH(r, a, b, t, &s)
		} else {
			p.drawH(r, a, b, t, &s)
			p.drawV(r, a, b, t, &s)
		}
		meter.Pulse(float64(p.m.M) * float64(p.m.J))
	}
}

func (p *momentRows) drawH(r int, a, b *kernel.Rows, t int64, s *rng.Stream) {
	_, h, sumsA, outA := a.Row(r)
	_, other, sumsB, outB := b.Row(r)
	mix(p.sum, sumsA, sumsB, p.m.J, t)
	on, off := kernel.Layer{N: p.m.J, Scale: float32(p.m.unit)}.Draw(s, p.sum, h, p.On, p.Off)
	a.HV.Update(outA, on, off)
	b.HV.Update(outB, on, off)
	copy(other, h)
	_, state, _, _ := p.Row(r)
	copy(state, h)
}

func (p *momentRows) drawV(r int, a, b *kernel.Rows, t int64, s *rng.Stream) {
	v, _, outA, sumsA := a.Row(r)
	other, _, outB, sumsB := b.Row(r)
	mix(p.sum, sumsA, sumsB, p.m.M, t)
	on, off := kernel.Layer{N: p.m.M, Scale: float32(p.m.unit)}.Draw(s, p.sum, v, p.On, p.Off)
	a.VH.Update(outA, on, off)
	b.VH.Update(outB, on, off)
	copy(other, v)
	state, _, _, _ := p.Row(r)
	copy(state, v)
}

// linear is what log f at knot k has besides softplus, in units.
func (p *momentRows) linear(k, r int) (sum int64) {
	v, h, actH, _ := p.at(k, r).Row(r)
	for i, x := range v {
		sum += int64(x) * int64(kernel.Get(p.path.knots[k].C0, i))
	}
	if p.m.Joint {
		for j, x := range h {
			sum += int64(x) * int64(kernel.Get(actH, j))
		}
	}
	return sum
}

// LogF is the formula of momentPath. Exponentials are float32 but for beta = 1, as in population.
func (p *momentRows) LogF(lo, n int, out []float64) {
	first, _ := p.path.part(p.ladder[lo])
	last, _ := p.path.part(p.ladder[lo+n-1])
	for k := first; k <= last+1; k++ {
		for r := range p.one {
			p.lin[k][r] = p.linear(k, r)
		}
	}
	for k, beta := range p.ladder[lo : lo+n] {
		part, t := p.path.part(beta)
		for r := range p.one {
			p.one[r] = 0
			if !p.m.Joint {
				_, _, a, _ := p.at(part, r).Row(r)
				_, _, b, _ := p.at(part+1, r).Row(r)
				_, _, sums, _ := p.mixed.Row(r)
				mix(sums, a, b, p.m.J, t)
			}
		}
		if !p.m.Joint {
			p.mixed.Softplus(0, len(p.one), p.unit, p.one, beta != 1)
		}
		base := num.Mul(1-beta, p.m.logBase())
		for r, sum := range p.one {
			a, b := p.lin[part][r], p.lin[part+1][r]
			rise := num.Mul(float64(b-a)*p.m.unit, math.Ldexp(float64(t), -momentBits))
			out[r*n+k] = sum + base + num.Mul(float64(a), p.m.unit) + rise
		}
	}
}

// slope is the first and second derivative of log f of row r by beta at t of a sub-path.
func (p *momentRows) slope(r, part int, t int64) (first, second float64) {
	first = num.Mul(float64(momentParts*(p.linear(part+1, r)-p.linear(part, r))), p.m.unit) - p.m.logBase()
	if p.m.Joint {
		return first, 0
	}
	_, _, a, _ := p.at(part, r).Row(r)
	_, _, b, _ := p.at(part+1, r).Row(r)
	for j := range p.m.J {
		from, to := kernel.Get(a, j), kernel.Get(b, j)
		on := num.Sigmoid(num.Mul(float64(mixed(from, to, t)), p.m.unit))
		d := num.Mul(float64(momentParts*(int64(to)-int64(from))), p.m.unit)
		first += num.Mul(on, d)
		second += num.Mul(on*(1-on), d*d)
	}
	return first, second
}

// slopeAt is slope at beta; at an inner knot it is the mean of both sides, as trapezoids want it.
func (p *momentRows) slopeAt(r int, beta float64) (first, second float64) {
	part, t := p.path.part(beta)
	first, second = p.slope(r, part, t)
	if t == 0 && part > 0 {
		before, bend := p.slope(r, part-1, 1<<momentBits)
		first, second = (first+before)/2, (second+bend)/2
	}
	return first, second
}

// RowCapabilities returns those of population, with the slopes of this path.
func (p *momentRows) RowCapabilities() models.RowCapabilities {
	c := p.population.RowCapabilities()
	c.Slopes, c.Data = p, p
	return c
}

func (p *momentRows) Slope(rung []int32, d, curve []float64) {
	for r, k := range rung {
		d[r], curve[r] = p.slopeAt(r, p.ladder[k])
	}
}

func (p *momentRows) Slopes(out []float64) {
	for i := range out {
		out[i], _ = p.slopeAt(i/len(p.ladder), p.ladder[i%len(p.ladder)])
	}
}

func (p *momentRows) LogData(out []float64) {
	for r := range out {
		p.Rebuild(r)
	}
	p.population.LogData(out)
}

// momentLadder is LadderLogZ, by an enumeration of the machine at each beta.
func (m *Machine) momentLadder(betas []float64) ([]float64, error) {
	out := make([]float64, len(betas))
	for k, beta := range betas {
		at, err := New(m.momentPath().machine(m, beta), nil)
		if err != nil {
			return nil, err
		}
		out[k] = at.Truth().LogZ + num.Mul(1-beta, m.logBase())
	}
	return out, nil
}

// machine has the parameters at beta.
func (path *momentPath) machine(m *Machine, beta float64) Params {
	k, t := path.part(beta)
	a, b := path.knots[k], path.knots[k+1]
	p := Params{M: m.M, J: m.J, P1: m.rates}
	value := func(from, to int32) float64 { return num.Mul(float64(mixed(from, to, t)), m.unit) }
	for i := range m.M {
		p.C = append(p.C, value(kernel.Get(a.C0, i), kernel.Get(b.C0, i)))
		for j := range m.J {
			p.W = append(p.W, value(a.VH.At(i, j), b.VH.At(i, j)))
		}
	}
	for j := range m.J {
		p.B = append(p.B, value(kernel.Get(a.B0, j), kernel.Get(b.B0, j)))
	}
	return p
}

// logBase is log p1 of the empty picture, and of hidden units that are coins.
func (m *Machine) logBase() float64 { return m.logNorm - num.Mul(float64(m.J), math.Ln2) }
