package rbm

import (
	"math"
	"math/bits"
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
)

// Sizes of a fit of the path of averaged moments. It depends on the model alone, not on the seed.
const (
	fitWords   = 2 // of 64 chains
	fitChains  = 64 * fitWords
	fitAnneal  = 300 // sweeps of the chains from the base to the target
	fitCollect = 100 // sweeps at the target, of which the means are taken
	fitRate    = 4   // of the first update, over the root of the number of weights, at most fitTop; falls linearly to 0
	fitTop     = .4
	fitLeast   = 20 // updates of a knot
	fitMost    = 400
	fitWork    = 1e6 // updates times weights, between these bounds
)

// sufficient has a number for each of v_i h_j, v_i and h_j: parameters of a machine in nats, or means.
type sufficient struct{ vh, v, h []float64 }

func newSufficient(m, j int) sufficient {
	return sufficient{make([]float64, m*j), make([]float64, m), make([]float64, j)}
}

func (x sufficient) parts() [3][]float64 { return [3][]float64{x.vh, x.v, x.h} }

// between is (1-beta) x + beta y.
func (x sufficient) between(y sufficient, beta float64) sufficient {
	out := newSufficient(len(x.v), len(x.h))
	ys, outs := y.parts(), out.parts()
	for i, a := range x.parts() {
		blend(outs[i], a, ys[i], beta)
	}
	return out
}

// blend is a function of its own for the reason of quantise, as are pairs and followRow.
//
//go:noinline
func blend(out, a, b []float64, beta float64) {
	for k := range out {
		out[k] = num.Mul(1-beta, a[k]) + num.Mul(beta, b[k])
	}
}

// momentFit fits the knots of a momentPath.
type momentFit struct {
	*Machine
	base, target sufficient // parameters
	updates      int
	v, h         []uint64 // bits of the chains for each unit
}

// fitMoments is [Grosse2013], section 4: means of the target come from chains that were annealed to it along the
// geometric path, and the parameters of a knot from stochastic ascent of the likelihood of its means, which is concave,
// by chains that go on from update to update. Ascents begin at the parameters of the geometric path, with chains that
// are at the target, beta of them, or at the base.
func (m *Machine) fitMoments() *momentPath {
	f := &momentFit{Machine: m, base: newSufficient(m.M, m.J), target: newSufficient(m.M, m.J),
		v: make([]uint64, fitWords*m.M), h: make([]uint64, fitWords*m.J)}
	f.updates = int(min(max(fitWork/float64(m.M*m.J), fitLeast), fitMost))
	rows := [2]*kernel.Rows{kernel.NewRows(m.net, fitChains), kernel.NewRows(m.net, fitChains)}
	from, to := newSufficient(m.M, m.J), newSufficient(m.M, m.J) // means of base and target

	// Parameters and means at the base; parameters of the target.
	scaled := func(out []float64, x []int32) {
		for i, q := range x {
			out[i] = num.Mul(float64(q), m.unit)
		}
	}
	scaled(f.target.vh, m.w)
	scaled(f.target.v, m.c)
	scaled(f.target.h, m.b)
	scaled(f.base.v, m.lg)
	for j := range from.h {
		from.h[j] = .5
	}
	for i, x := range f.base.v {
		from.v[i] = num.Sigmoid(x)
		for j := range m.J {
			from.vh[i*m.J+j] = from.v[i] / 2
		}
	}

	// Chains drawn from the base, once to stay there and once to be annealed to the target.
	at := rng.At{Key: f.key()}
	for r := range fitChains {
		s := at.Row(r)
		for _, x := range rows {
			v, h, _, _ := x.Row(r)
			kernel.Layer{N: m.M, Base: m.net.Base, BaseScale: 1}.Draw(&s, m.net.C0, v, x.On, x.Off)
			kernel.Layer{N: m.J}.Draw(&s, m.net.B0, h, x.On, x.Off)
			x.Rebuild(r)
		}
	}

	// The means of the target.
	for step := 1; step <= fitAnneal+fitCollect; step++ {
		beta := min(float64(step)/fitAnneal, 1)
		for r := range fitChains {
			rows[1].Scale[r], rows[1].BaseScale[r] = float32(num.Mul(beta, m.unit)), float32(1-beta)
		}
		at.Step++
		rows[1].Sweep(at, 0, fitChains, m.M, false)
		if step > fitAnneal {
			f.count(to, rows[1], fitCollect)
		}
	}

	// The knots.
	path := &momentPath{knots: []*kernel.Net{f.net(f.base)}}
	for k := 1; k < momentParts; k++ {
		beta := float64(k) / momentParts
		path.knots = append(path.knots, f.net(f.knot(k, from.between(to, beta), f.base.between(f.target, beta), rows)))
	}
	path.knots = append(path.knots, f.net(f.target))
	return path
}

// count adds to means those of the states of rows, divided by samples.
func (f *momentFit) count(means sufficient, rows *kernel.Rows, samples float64) {
	clear(f.v)
	clear(f.h)
	for r := range fitChains {
		v, h, _, _ := rows.Row(r)
		collect(f.v, v, r)
		collect(f.h, h, r)
	}
	one := 1 / (fitChains * samples)
	all := [fitWords]uint64{math.MaxUint64, math.MaxUint64}
	pairs(means.v, all[:], f.v, one)
	pairs(means.h, all[:], f.h, one)
	for i := range f.M {
		pairs(means.vh[i*f.J:(i+1)*f.J], f.v[fitWords*i:], f.h, one)
	}
	meter.Pulse(4 * float64(len(means.vh)))
}

// collect sets bit r of the units that are on.
func collect(bits []uint64, state []uint8, r int) {
	for i, on := range state {
		bits[fitWords*i+r/64] |= uint64(on) << (r % 64)
	}
}

// pairs adds to out one for each chain in which both a unit and each of a layer are on.
//
//go:noinline
func pairs(out []float64, unit, layer []uint64, one float64) {
	a, b := unit[0], unit[1]
	for j := range out {
		n := bits.OnesCount64(a&layer[fitWords*j]) + bits.OnesCount64(b&layer[fitWords*j+1])
		out[j] += num.Mul(float64(n), one)
	}
}

// knot is x moved to where the means are about those that are wanted: the average of the second half of the updates.
// The chains start from rows at the base and at the target.
func (f *momentFit) knot(k int, want, x sufficient, start [2]*kernel.Rows) sufficient {
	mean := newSufficient(f.M, f.J)
	first := min(fitRate/math.Sqrt(float64(f.M*f.J)), fitTop)
	at := rng.At{Key: f.key(), Phase: uint32(k)}
	var last *kernel.Rows
	for u := range f.updates {
		rows := kernel.NewRows(f.net(x), fitChains)
		for r := range fitChains {
			from := last
			switch {
			case u == 0 && r%momentParts < k:
				from = start[1]
			case u == 0:
				from = start[0]
			}
			v, h, _, _ := rows.Row(r)
			oldV, oldH, _, _ := from.Row(r)
			copy(v, oldV)
			copy(h, oldH)
			rows.Rebuild(r)
			rows.Scale[r] = float32(f.unit)
			meter.Pulse(float64(len(x.vh)))
		}

		// A sweep, and a step along the gradient that it shows.
		at.Step++
		rows.Sweep(at, 0, fitChains, f.M, false)
		got := newSufficient(f.M, f.J)
		f.count(got, rows, 1)
		follow(x, want, got, num.Mul(first, float64(f.updates-u))/float64(f.updates))
		if half := f.updates / 2; u >= half {
			mean = mean.between(x, 1/float64(u-half+1))
		}
		last = rows
	}
	return mean
}

// follow moves x along the gradient, the wanted means less d, which it then has in place of these; it is centred at the
// wanted ones ([Melchior2016]), as that of trainer.ascend.
func follow(x, want, d sufficient, rate float64) {
	for i, part := range d.parts() {
		for k, y := range want.parts()[i] {
			part[k] = y - part[k]
		}
	}
	gb := slices.Clone(d.h)
	for i, mu := range want.v {
		lo, hi := i*len(gb), (i+1)*len(gb)
		gc := followRow(x.vh[lo:hi], d.vh[lo:hi], mu, d.v[i], d.h, want.h, gb, rate)
		x.v[i] += num.Mul(rate, gc)
	}
	for j, g := range gb {
		x.h[j] += num.Mul(rate, g)
	}
	meter.Pulse(8 * float64(len(x.vh)))
}

// followRow moves the weights w of a visible unit of mean mu, takes mu times their gradient from gb, and returns the
// gradient of its bias.
//
//go:noinline
func followRow(w, dw []float64, mu, dv float64, dh, lambda, gb []float64, rate float64) (gc float64) {
	gc = dv
	for j, d := range dw {
		g := d - num.Mul(mu, dh[j]) - num.Mul(dv, lambda[j])
		gc -= num.Mul(g, lambda[j])
		gb[j] -= num.Mul(mu, g)
		w[j] += num.Mul(rate, g)
	}
	return gc
}

// net has the parameters x in units of the target's, or where these would be too many, shrunk.
func (f *momentFit) net(x sufficient) *kernel.Net {
	col, top := make([]float64, f.J), 0.0
	for i, c := range x.v {
		top = max(top, addSizes(col, x.vh[i*f.J:(i+1)*f.J], math.Abs(c)))
	}
	for j, b := range x.h {
		top = max(top, col[j]+math.Abs(b))
	}
	scale := 1 / f.unit
	if most := float64(int(1)<<30 - f.M - f.J); num.Mul(top, scale) > most {
		scale = most / top
	}
	round := func(x []float64) []int32 {
		out := make([]int32, len(x))
		for i, y := range x {
			out[i] = int32(math.RoundToEven(num.Mul(y, scale)))
		}
		return out
	}
	w := round(x.vh)
	return &kernel.Net{VH: kernel.NewMatrix(f.M, f.J, func(i, j int) int32 { return w[i*f.J+j] }),
		HV: kernel.NewMatrix(f.J, f.M, func(j, i int) int32 { return w[i*f.J+j] }),
		B0: kernel.Pack(round(x.h)), C0: kernel.Pack(round(x.v)), Base: f.Machine.net.Base}
}

// key is that of all random numbers of a fit.
func (f *momentFit) key() rng.Key { return rng.NewKey(0, "moments", f.M) }
