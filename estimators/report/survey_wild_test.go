package report

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/rbm"
)

// twoModes has hidden and visible units that are all alike, so that log Z is a sum over counts: two modes far apart.
func twoModes(t *testing.T, s *rng.Stream) (models.Model, float64) {
	m, j := 50+s.Intn(100), 30+s.Intn(11)
	p := blankMachine(m, j)
	w := between(s, 2.2, 5) * 2 / math.Sqrt(float64(m*j))
	c := -w*float64(j)/2 + between(s, -.3, .3)/float64(m)*10
	b := -w * float64(m) / 2
	known := s.Intn(3)
	rate := pick(s, .07, .93)
	for i := range p.W {
		p.W[i] = w
	}
	for i := range p.C {
		p.C[i] = c
		if known > 0 {
			p.P1 = append(p.P1, rate)
		}
	}
	for k := range p.B {
		p.B[k] = b
	}
	var sum num.LSE
	for k := range m + 1 {
		n, _ := math.Lgamma(float64(m + 1))
		on, _ := math.Lgamma(float64(k + 1))
		off, _ := math.Lgamma(float64(m - k + 1))
		sum.Add(n - on - off + c*float64(k) + float64(j)*num.Softplus(b+w*float64(k)))
	}
	mod, err := models.FromFile("own", p, spec.Values{"form": "marginal", "order": "variance"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mod, sum.Value()
}

// blockRBM joins independent RBMs.
func blockRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 2 + s.Intn(3)
	var parts []rbm.Params
	exact := 0.0
	M, J := 0, 0
	for range n {
		m, j := 20+s.Intn(30), 8+s.Intn(5)
		p := blankMachine(m, j)
		switch s.Intn(4) {
		case 0: // features
			for k := range j {
				sum := 0.0
				for range 3 + s.Intn(8) {
					w := between(s, 1, 4)
					p.W[s.Intn(m)*j+k] = w
					sum += w
				}
				p.B[k] = -sum * between(s, .2, .8)
			}
			for i := range p.C {
				p.C[i] = between(s, -4, -1)
			}
		case 1: // pictures and their negatives
			a := between(s, .1, .5)
			for range 1 + s.Intn(3) {
				xi, eta := make([]float64, m), make([]float64, j)
				for i := range xi {
					xi[i] = pick(s, -1., 1)
				}
				for k := range eta {
					eta[k] = pick(s, -1., 1)
				}
				for i := range p.W {
					p.W[i] += a * xi[i/j] * eta[i%j]
				}
			}
			for i, w := range p.W {
				p.C[i/j] -= w / 2
				p.B[i%j] -= w / 2
			}
			for i := range p.C {
				p.C[i] += .2 * s.Norm()
			}
		case 2: // noise
			sd := between(s, .2, 1.5)
			for i := range p.W {
				p.W[i] = sd * s.Norm()
			}
			for i := range p.C {
				p.C[i] = s.Norm()
			}
			for i := range p.B {
				p.B[i] = s.Norm()
			}
		case 3: // heavy tails
			sd := between(s, .3, 1.2)
			for i := range p.W {
				x := s.Norm()
				p.W[i] = sd * x * math.Abs(x)
			}
			for i := range p.C {
				p.C[i] = s.Norm()
			}
		}
		mod, err := models.FromFile("own", p, spec.Values{"form": "marginal", "order": "variance"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		x, err := engine.Exact(t.Context(), mod, 1)
		if err != nil {
			t.Fatal(err)
		}
		exact += x.LogZ
		parts = append(parts, p)
		M, J = M+m, J+j
	}
	all := blankMachine(M, J)
	ri, rj := perm(s, M), perm(s, J)
	m0, j0 := 0, 0
	for _, p := range parts {
		for i := range p.M {
			for k := range p.J {
				all.W[ri[m0+i]*J+rj[j0+k]] = p.W[i*p.J+k]
			}
			all.C[ri[m0+i]] = p.C[i]
		}
		for k := range p.J {
			all.B[rj[j0+k]] = p.B[k]
		}
		m0, j0 = m0+p.M, j0+p.J
	}
	mod, err := models.FromFile("own", all, spec.Values{"form": "marginal", "order": "variance"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mod, exact
}

func perm(s *rng.Stream, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
		j := s.Intn(i + 1)
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// strongRBM has strong weights of heavy tails and no base rates.
func strongRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(66, 20)
	sd := between(s, .8, 2)
	for i := range p.W {
		x := s.Norm()
		p.W[i] = sd * x * (1 + math.Abs(s.Norm())) / 1.8
	}
	for i := range p.C {
		p.C[i] = s.Norm()
	}
	for j := range p.B {
		p.B[j] = s.Norm()
	}
	return enumeratedRBM(t, s, p)
}

// glassRBM is a spin glass on a torus of 8 x 8 with a hidden unit for each coupling.
func glassRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	const L = 6
	beta := between(s, .4, 1.5)
	n := L * L
	p := blankMachine(n, 2*n)
	right, down := make([]float64, n), make([]float64, n)
	normal := s.Intn(2) == 0
	norm := 0.0
	for e := range 2 * n {
		x := e / 2
		y := x/L*L + (x+1)%L
		J := beta * pick(s, -1., 1)
		if normal {
			J = beta * s.Norm()
		}
		if e%2 == 1 {
			y = (x + L) % n
			down[x] = J
		} else {
			right[x] = J
		}
		w := 2 * math.Acosh(math.Exp(2*math.Abs(J)))
		// f(0) = softplus(-w) + k = |J|
		norm += math.Abs(J) - num.Softplus(-w)
		p.W[x*p.J+e] = w
		p.C[x] -= w / 2
		if J > 0 {
			p.W[y*p.J+e] = w
			p.B[e] = -w
			p.C[y] -= w / 2
		} else { // y turned round
			p.W[y*p.J+e] = -w
			p.B[e] = 0
			p.C[y] += w / 2
			norm -= w / 2
		}
	}
	// Transfer: the first row is fixed, spins are added one by one.
	spin := func(c, k int) float64 { return float64(2*(c>>k&1) - 1) }
	var all num.LSE
	for first := range 1 << L {
		row := make([]float64, 1<<L)
		for i := range row {
			row[i] = math.Inf(-1)
		}
		row[first] = 0
		for r := range L {
			// couplings within row r
			for c := range row {
				for k := range L {
					row[c] += right[r*L+k] * spin(c, k) * spin(c, (k+1)%L)
				}
			}
			if r == L-1 {
				for c, x := range row {
					e := x
					for k := range L {
						e += down[r*L+k] * spin(c, k) * spin(first, k)
					}
					all.Add(e)
				}
				break
			}
			for k := range L {
				next := make([]float64, 1<<L)
				for c := range next {
					o := c ^ 1<<k
					next[c] = num.LogAddExp(row[c]+down[r*L+k], row[o]-down[r*L+k])
				}
				row = next
			}
		}
	}
	exact := all.Value() - norm
	mod, err := models.FromFile("own", p, spec.Values{"form": "marginal", "order": "variance"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return mod, exact
}

// wild are RBMs whose modes or error bars auto once missed, with families known before.
var wild = []family{
	{"two modes", twoModes}, {"blocks", blockRBM}, {"strong", strongRBM}, {"glass", glassRBM},
	{"moded", multimodalRBM}, {"featured", featuredRBM}, {"cliff", cliffRBM}, {"random", randomRBM},
	{"groups", groupsRBM}, {"hebbian", hebbianRBM}, {"shallow", shallowRBM},
}
