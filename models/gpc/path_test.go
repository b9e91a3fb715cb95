package gpc

import (
	"fmt"
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
)

// products are sums over samples of n numbers, of their squares and of their products.
type products struct {
	n, count int
	sum, ss  []float64
}

// add adds a sample.
func (m *products) add(x []float64) {
	m.n = len(x)
	m.count++
	k := 0
	take := func(v float64) {
		if k == len(m.sum) {
			m.sum, m.ss = append(m.sum, 0), append(m.ss, 0)
		}
		m.sum[k] += v
		m.ss[k] += v * v
		k++
	}
	for i, a := range x {
		take(a)
		for _, b := range x[:i+1] {
			take(a * b)
		}
	}
}

// worst returns the largest |z| between two independent sets of samples.
func (m *products) worst(o *products) float64 {
	worst := 0.0
	for k := range m.sum {
		n, c := float64(m.count), float64(o.count)
		a, b := m.sum[k]/n, o.sum[k]/c
		v := (m.ss[k]/n-a*a)/n + (o.ss[k]/c-b*b)/c
		worst = max(worst, math.Abs(a-b)/math.Sqrt(v))
	}
	return worst
}

// exactGPC calls f with exact samples of f_beta (eq. 12), by rejection from the prior.
func exactGPC(m *Classifier, beta float64, count int, f func(i int, v, x []float64)) {
	s := rng.NewKey(5, "exact", 0).Stream(0, 0, 0)
	l := jitteredCholesky(m.k, m.n)
	v, x := make([]float64, m.n), make([]float64, m.n)
	for i := 0; i < count; {
		sum := 0.0
		s.Norms(v)
		mulLower(l, v, x)
		for j, x := range x {
			sum += m.logP(m.y[j] * x)
		}
		if math.Log(s.Float64()) < beta*sum {
			f(i, v, x)
			i++
		}
	}
}

// Every kernel leaves its density invariant: rows start from exact samples, and the means, squares and products of x do
// not change by moves. With base = ep only f_1 has exact samples. Faults that the test detects, with their |z|: first
// half step of hmc whole (17), its momentum without the mass (99), level of the elliptical slice without b (44), log|B|
// missing in the energy of rmhmc (6.7), and trajectories of rmhmc that are not checked for reversibility (5.0 with
// 40,000 rows).
func TestGPCKernels(t *testing.T) {
	all := tier.Draws(20000)
	for _, c := range []struct {
		sampler, base string
		beta          float64
		leaps         string
		eps           string
		moves         int
		likelihood    string
	}{
		{"hmc", "prior", .5, "0", "0", 4, ""}, {"hmc", "prior", 1, "3", "0.4", 4, ""}, {"hmc", "ep", 1, "0", "0", 4, ""},
		{"ess", "prior", .5, "0", "0", 4, ""}, {"ess", "ep", 1, "0", "0", 4, ""},
		{"hmc_plain", "prior", .5, "6", "0.2", 4, ""}, {"hmc_plain", "ep", 1, "6", "0.2", 4, ""},
		{"rmhmc", "prior", .5, "3", "0.3", 2, ""}, {"rmhmc", "ep", 1, "3", "0.3", 2, ""},
		{"hmc", "prior", 1, "0", "0", 4, Logistic}, {"ess", "prior", .5, "0", "0", 4, Logistic},
		{"hmc_plain", "prior", 1, "6", "0.2", 4, Logistic}, {"rmhmc", "prior", 1, "3", "0.3", 2, Logistic},
	} {
		count := all
		if c.sampler == "rmhmc" { // slow, but errors show at once
			count /= 2
		}
		m := newGPC(t, threeData(), spec.Values{"sampler": c.sampler, "base": c.base, "eps": c.eps, "leaps": c.leaps,
			"likelihood": c.likelihood})
		p := m.New(count, []float64{0, c.beta, 1}).(*chains)
		var want, got products
		exactGPC(m, c.beta, 6*count, func(i int, v, x []float64) {
			want.add(x)
			if i%6 != 0 {
				return
			}
			row := p.row(i / 6)
			copy(row, v)
			if c.base == "ep" { // v = C' (u - mean)
				u := append([]float64(nil), v...)
				num.Axpy(-1, p.mean, u)
				mulLowerT(p.epChol, u, row)
			}
			p.refresh(i / 6)
		})
		rung, moved := make([]int32, count), 0
		for i := range rung {
			rung[i] = 1
		}
		before := append([]float64(nil), p.gains...)
		for step := range c.moves {
			p.Move(rng.At{Key: rng.NewKey(6, c.sampler, 0), Step: uint32(step)}, rung, false)
		}
		for r := range count {
			p.toLatent(p.row(r), p.scratch.x, p.scratch.tmp)
			labtest.Near(t, "gain", p.gain(p.scratch.x, nil), p.gains[r], 1e-9)
			got.add(p.scratch.x)
			if p.gains[r] != before[r] {
				moved++
			}
		}
		if z := got.worst(&want); !(z < 4) {
			t.Errorf("%s from %s at %v: |z| = %.1f", c.sampler, c.base, c.beta, z)
		}
		if moved < count/2 {
			t.Errorf("%s from %s at %v: %d of %d moved", c.sampler, c.base, c.beta, moved, count)
		}
	}
}

// The kernel rmhmc leaves its density invariant for 120 data too: forty independent copies of threeData. Faults that
// the test detects, with the share of rows that still move: log|B| missing in the energy (60 %), the trace missing in
// the force (30 %).
func TestRMHMCManyData(t *testing.T) {
	const copies = 40
	one := threeData()
	f := Params{N: 3 * copies, K: make([]float64, 9*copies*copies)}
	for k := range copies {
		f.Y = append(f.Y, one.Y...)
		for i := range 3 {
			copy(f.K[(3*k+i)*f.N+3*k:], one.K[3*i:3*i+3])
		}
	}
	m, small := newGPC(t, f, spec.Values{"sampler": "rmhmc", "eps": ".1", "leaps": "6"}), newGPC(t, one, nil)
	rows := tier.Draws(40)
	const beta = .5
	p := m.New(rows, []float64{0, beta, 1}).(*chains)
	var want, got products
	exactGPC(small, beta, 10*rows*copies, func(i int, v, x []float64) {
		want.add(x)
		if i%10 == 0 { // a copy of a row; K is block by block, and so is its root
			copy(p.row(i / 10 / copies)[i/10%copies*3:], v)
		}
	})
	rung, moved := make([]int32, rows), 0
	for r := range rung {
		rung[r] = 1
		p.refresh(r)
	}
	before := append([]float64(nil), p.gains...)
	p.Move(rng.At{Key: rng.NewKey(6, "many", 0)}, rung, false)
	for r := range rows {
		p.toLatent(p.row(r), p.scratch.x, p.scratch.tmp)
		for k := range copies {
			got.add(p.scratch.x[3*k : 3*k+3])
		}
		if p.gains[r] != before[r] {
			moved++
		}
	}
	if z := got.worst(&want); !(z < 4) || moved < rows*3/4 {
		t.Errorf("|z| = %.1f, %d of %d rows moved", z, moved, rows)
	}
}

// Move leaves p_n invariant, Reseed samples p_n nearly exactly, and an exact particle of p_2 that Augment extends,
// accepted with probability W, is one of p_3. Faults that the test detects, with their |z|: in the slice, half width
// without the factor 2 (94), z - mu halved (40), ends exchanged (154); in Augment, threshold of the wrong sign (40), z
// from e alone (66), W without its standard deviation (55); with gibbs = x, sd in place of the standard deviation of x
// given z (26).
func TestGPCSequenceKernels(t *testing.T) {
	for _, gibbs := range []string{"z", "x"} {
		t.Run(gibbs, func(t *testing.T) { sequenceKernels(t, newGPC(t, threeData(), spec.Values{"gibbs": gibbs})) })
	}
}

// sequenceKernels makes the checks of TestGPCSequenceKernels for m.
func sequenceKernels(t *testing.T, m *Classifier) {
	count := tier.Draws(20000)
	p, q := m.NewParticles().(*particles), m.NewParticles().(*particles)
	p.Resize(2 * count)
	p.SetStage(3)
	q.Resize(count)
	q.SetStage(2)
	s := rng.NewKey(5, "orthant", 0).Stream(0, 0, 0)
	var want, got, anew, next products
	m.extendFactor(3)
	e, z, row := make([]float64, 3), make([]float64, 3), make([]float64, 3)
	for i, j := 0, 0; i < 10*count; {
		s.Norms(e)
		mulLower(m.l, e, z)
		copy(row, z)
		if m.noiseless { // the row is x, whose labels are the signs of z = x + e
			s.Norms(e)
			num.Axpy(1, e, z)
		}
		if z[0] > 0 && z[1] < 0 && j < count {
			copy(q.row(j), row)
			j++
			continue // other draws than those below
		}
		if z[0] > 0 && z[1] < 0 && z[2] > 0 {
			want.add(row)
			if i%10 == 0 { // a copy of a row; K and its root are block diagonal
				copy(p.row(i/10), row)
			}
			i++
		}
	}
	key := rng.NewKey(6, "slice", 0)
	p.Move(rng.At{Key: key}, 0, count, 3)
	p.Reseed(rng.At{Key: key, Phase: 1}, count, 2*count, 40)
	w := make([]float64, count)
	q.LogW(0, count, w)
	q.Augment(rng.At{Key: key, Phase: 2})
	for r := range count {
		got.add(p.row(r))
		anew.add(p.row(count + r))
		if math.Log(s.Float64()) < w[r] {
			next.add(q.row(r))
		}
	}
	if z := got.worst(&want); !(z < 4) {
		t.Errorf("slice: |z| = %.1f", z)
	}
	if z := anew.worst(&want); !(z < 4) {
		t.Errorf("reseed: |z| = %.1f", z)
	}
	if z := next.worst(&want); !(z < 4) {
		t.Errorf("augment: |z| = %.1f", z)
	}
}

// Gradients equal finite differences of energies. The test fails by 0.1 and more if I'(x) lacks its factor 2, or if the
// force lacks the trace.
func TestGPCGradients(t *testing.T) {
	for _, base := range []string{"prior", "ep"} {
		m := newGPC(t, discs(6, "rbf", 2), spec.Values{"sampler": "rmhmc", "base": base})
		c := m.New(1, []float64{0, 1}).(*chains)
		s := rng.NewKey(8, "gradient", 0).Stream(0, 0, 0)
		u, p, f := make([]float64, 6), make([]float64, 6), make([]float64, 6)
		s.Norms(u)
		s.Norms(p)
		const h, beta = 1e-5, .7
		g := newMetric(6)
		energy := func() float64 { g.moveWithForces(c, u, beta); return g.energy(c, u, p, beta) }
		energy()
		g.force(c, u, p, f)
		for i := range u {
			u[i] += h
			up := energy()
			u[i] -= 2 * h
			down := energy()
			u[i] += h
			labtest.Near(t, fmt.Sprint(base, ": dH/du_", i), -(up-down)/(2*h), f[i], 3e-8)
		}
		x, slope := make([]float64, 6), make([]float64, 6)
		place := func() float64 { c.toLatent(u, x, c.scratch.tmp); return c.gain(x, slope) }
		place()
		c.pullBack(slope, f)
		f = append([]float64(nil), f...)
		for i := range u {
			u[i] += h
			up := place()
			u[i] -= 2 * h
			down := place()
			u[i] += h
			labtest.Near(t, fmt.Sprint(base, ": dgain/dv_", i), (up-down)/(2*h), f[i], 3e-8)
		}
	}
}

// The generalised leapfrog is reversible, and its energy error is quadratic in the step.
func TestLeapfrogIsReversible(t *testing.T) {
	for _, base := range []string{"prior", "ep"} {
		m := newGPC(t, discs(6, "rbf", 2), spec.Values{"sampler": "rmhmc", "base": base})
		c := m.New(1, []float64{0, 1}).(*chains)
		const beta = .7
		g := newMetric(6)
		off := map[float64]float64{}
		for _, eps := range []float64{.1, .05} {
			s := rng.NewKey(8, "back", 0).Stream(0, 0, 0)
			u, p := make([]float64, 6), make([]float64, 6)
			s.Norms(u)
			s.Norms(p)
			u0 := append([]float64(nil), u...)
			g.moveWithForces(c, u, beta)
			start := g.energy(c, u, p, beta)
			n := int(1 / eps)
			for range n {
				if !g.leapfrog(c, u, p, eps, beta) {
					t.Fatal("leapfrog did not converge")
				}
			}
			off[eps] = math.Abs(g.energy(c, u, p, beta) - start)
			for i := range p {
				p[i] = -p[i]
			}
			for range n {
				g.leapfrog(c, u, p, eps, beta)
			}
			for i := range u {
				labtest.Near(t, "start", u[i], u0[i], 1e-8)
			}
		}
		if r := off[.1] / off[.05]; !(r > 3 && r < 5.5) {
			t.Errorf("%s: halving the step divides the error by %.2f, not 4 (%v)", base, r, off)
		}
	}
}

// The default Hamiltonian kernel has a high acceptance rate at any size and amplitude.
func TestGPCAcceptance(t *testing.T) {
	for _, base := range []string{"prior", "ep"} {
		for _, n := range []int{2, 20, 100} {
			for _, amplitude := range []float64{math.Exp(-1), 3, math.Exp(5)} {
				m := newGPC(t, discs(n, "rbf", amplitude), spec.Values{"base": base})
				const rungs = 60
				ladder := make([]float64, rungs)
				for i := range ladder {
					ladder[i] = math.Pow(float64(i)/(rungs-1), 3)
				}
				p := m.New(3, ladder).(*chains)
				p.Draw(rng.At{})
				moved := 0
				for k := 1; k < rungs; k++ {
					before := append([]float64(nil), p.v...)
					p.Move(rng.At{Step: uint32(k)}, []int32{int32(k), int32(k), int32(k)}, false)
					for r := range 3 {
						if p.v[r*n] != before[r*n] {
							moved++
						}
					}
				}
				if rate := float64(moved) / (3 * (rungs - 1)); rate < .7 {
					t.Errorf("N = %d, amplitude %.2f, from %s: %.0f %% accepted", n, amplitude, base, 100*rate)
				}
			}
		}
	}
}

// Lower bounds are at most 0.1 nats below the exact value, and never above it.
func TestGPCFloorIsBelow(t *testing.T) {
	for n := 1; n <= 3; n++ {
		p := Params{N: n, Y: []float64{1, -1, 1}[:n]}
		for i := range n * n {
			p.K = append(p.K, 3*math.Exp(-math.Abs(float64(i/n-i%n))))
		}
		labtest.CheckFloor(t, "gpc", newGPC(t, p, nil).Floor, newGPC(t, p, nil).Truth().LogZ, .1)
		exact := ouStages([]float64{0, 1, 2}[:n], p.Y, math.Sqrt(3), 1, 1./32, num.Sigmoid)[n-1]
		labtest.CheckFloor(t, "logistic gpc", newGPC(t, p, spec.Values{"likelihood": Logistic}).Floor, exact, .1)
	}
}
