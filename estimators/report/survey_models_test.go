package report

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/targets"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/ising"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

// The models of the survey: their exact log Z is known here, by enumerating the smaller layer, a closed form or
// quadrature, and withheld from the program.

// family draws models of one sort.
type family struct {
	name string
	draw func(t *testing.T, s *rng.Stream) (models.Model, float64)
}

var families = []family{
	{"random", randomRBM}, {"moded", multimodalRBM}, {"featured", featuredRBM}, {"cliff", cliffRBM},
	{"ising", surveyedLattice}, {"hills", farHills}, {"pictures", farPictures}, {"gpc", oneFactor},
}

func between(s *rng.Stream, lo, hi float64) float64 { return lo + (hi-lo)*s.Float64() }

func pick[T any](s *rng.Stream, x ...T) T { return x[s.Intn(len(x))] }

// surveyedSizes are too large for the program to enumerate by itself; above 20 hidden units not even for a bound.
func surveyedSizes(s *rng.Stream) (m, j int) {
	j = pick(s, 18, 20, 21, 21)
	return max(66, 30) + s.Intn(30), j
}

// enumeratedRBM makes an RBM and enumerates it. Hidden units without weights keep the program from doing the same.
func enumeratedRBM(t *testing.T, s *rng.Stream, p rbm.Params) (models.Model, float64) {
	t.Helper()
	set := spec.Values{"form": "marginal", "start": pick(s, "", "", "", "uniform"),
		"order": pick(s, "variance", "natural")}
	open := func(p rbm.Params) models.Model {
		m, err := models.FromFile("own", p, set, nil)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	x, err := engine.Exact(t.Context(), open(p), 1)
	if err != nil {
		t.Fatal(err)
	}
	q := blankMachine(p.M, max(p.J, models.MaxExactUnits+8))
	for i := range p.M {
		copy(q.W[i*q.J:], p.W[i*p.J:(i+1)*p.J])
	}
	copy(q.B, p.B)
	q.C, q.P1 = p.C, p.P1
	return open(q), x.LogZ + math.Ln2*float64(q.J-p.J)
}

func blankMachine(m, j int) rbm.Params {
	return rbm.Params{M: m, J: j, W: make([]float64, m*j), C: make([]float64, m), B: make([]float64, j)}
}

// randomRBM has independent normal weights and biases.
func randomRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(surveyedSizes(s))
	sd, shift := pick(s, .1, .3, .5, .8), between(s, -1.5, .5)
	for i := range p.W {
		p.W[i] = sd * s.Norm()
	}
	for i := range p.C {
		p.C[i] = shift + .5*s.Norm()
		p.P1 = append(p.P1, num.Sigmoid(p.C[i]+.5*s.Norm()))
	}
	for j := range p.B {
		p.B[j] = between(s, -1, 0) + .5*s.Norm()
	}
	return enumeratedRBM(t, s, p)
}

// multimodalRBM has two or three planted pictures, each held up by hidden units of its own.
func multimodalRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(surveyedSizes(s))
	modes, share, a := 2+s.Intn(2), between(s, .2, .5), between(s, .5, 1.8)
	pictures := make([][]bool, modes)
	for k := range pictures {
		for range p.M {
			pictures[k] = append(pictures[k], s.Float64() < share)
		}
	}
	noise := between(s, 0, .2)
	for j := range p.J {
		k, on := j%modes, 0.0
		for i := range p.M {
			w := -a
			if pictures[k][i] {
				w, on = a, on+1
			}
			p.W[i*p.J+j] = w*between(s, .5, 1)/3 + noise*s.Norm()
		}
		p.B[j] = -a * on / 3 * between(s, .3, .9)
	}
	for i := range p.C {
		p.C[i] = between(s, -1.5, 0)
		on := 0.0
		for k := range pictures {
			if pictures[k][i] {
				on += 1 / float64(modes)
			}
		}
		p.P1 = append(p.P1, .1+.8*on)
	}
	if s.Intn(3) == 0 { // trained on the first picture only
		for i := range p.P1 {
			p.P1[i] = .1
			if pictures[0][i] {
				p.P1[i] = .9
			}
		}
	}
	return enumeratedRBM(t, s, p)
}

// featuredRBM resembles a trained one: sparse strong features.
func featuredRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(surveyedSizes(s))
	strength, size := between(s, 1, 4), 4+s.Intn(14)
	for j := range p.J {
		sum := 0.0
		for range size {
			w := strength * between(s, .5, 1.2)
			p.W[s.Intn(p.M)*p.J+j] = w
			sum += w
		}
		for i := range p.M {
			p.W[i*p.J+j] += .1 * s.Norm()
		}
		p.B[j] = -sum * between(s, .2, .8)
	}
	for i := range p.C {
		p.C[i] = between(s, -4, -1)
		p.P1 = append(p.P1, between(s, .05, .4))
	}
	return enumeratedRBM(t, s, p)
}

// cliffRBM has one far state with all the mass, behind states of low probability; which state it is is hidden by
// flipping units.
func cliffRBM(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := blankMachine(80, 18)
	w := between(s, .6, 2)
	c, b := -w*18*between(s, .35, .6), 0.0
	height := between(s, 15, 120) // of the far state above the rest
	b = (height-80*c)/18 - 80*w
	for i := range p.W {
		p.W[i] = w * (1 + .1*s.Norm())
	}
	for i := range p.C {
		p.C[i] = c
		p.P1 = append(p.P1, pick(s, .05, .05, .1))
	}
	for j := range p.B {
		p.B[j] = b
	}
	for i := range p.M { // v -> 1 - v
		if s.Intn(2) == 0 {
			continue
		}
		for j := range p.J {
			p.B[j] += p.W[i*p.J+j]
			p.W[i*p.J+j] *= -1
		}
		p.C[i], p.P1[i] = -p.C[i], 1-p.P1[i]
	}
	for j := range p.J { // h -> 1 - h
		if s.Intn(4) != 0 {
			continue
		}
		for i := range p.M {
			p.C[i] += p.W[i*p.J+j]
			p.W[i*p.J+j] *= -1
		}
		p.B[j] = -p.B[j]
	}
	return enumeratedRBM(t, s, p)
}

// surveyedLattice is below, near or above the critical temperature, of either sign.
func surveyedLattice(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 8 + 2*s.Intn(5)
	m, err := ising.New(ising.Params{L1: n, L2: n, Periodic: s.Intn(3) > 0, J: pick(s, 1., 1, 1, -1)},
		pick(s, .3, .42, .44, .48, .6, .9))
	if err != nil {
		t.Fatal(err)
	}
	truth := m.Truth()
	if truth == nil {
		t.Fatal("no closed form")
	}
	return unknown{m}, truth.LogZ
}

// farHills is a mixture with one to three hills, some out of reach of the base.
func farHills(t *testing.T, s *rng.Stream) (models.Model, float64) {
	d, n := 1+s.Intn(8), 1+s.Intn(3)
	p := mixture.GaussianParams{D: d, BaseSD: pick(s, 1., 3), LogC: between(s, -5, 5)}
	total := 0.0
	for range n {
		mean := make([]float64, d)
		for i := range mean {
			mean[i] = s.Norm()
		}
		mean[0] += pick(s, 0, 6, 12.)
		w := between(s, .05, 1)
		p.Means, p.SDs, p.Weights = append(p.Means, mean), append(p.SDs, between(s, .3, 1)), append(p.Weights, w)
		total += w
	}
	for j := range p.Weights {
		p.Weights[j] /= total
	}
	m, err := mixture.NewGaussian(p, density.Kernel{Name: pick(s, "mh", "hmc"), Moves: 4})
	if err != nil {
		t.Fatal(err)
	}
	return unknown{m}, p.LogC
}

// farPictures is a mixture of pictures, of which a heavy sure one may be far from the mean.
func farPictures(t *testing.T, s *rng.Stream) (models.Model, float64) {
	p := mixture.BernoulliParams{M: 30 + s.Intn(50), LogC: between(s, -5, 5)}
	sure, sum := between(s, .7, .999), 0.0
	for range 2 + s.Intn(3) {
		w := math.Exp(between(s, -3, 3))
		sum += w
		p.Weights = append(p.Weights, w)
		for range p.M {
			p.Probabilities = append(p.Probabilities, pick(s, sure, 1-sure))
		}
	}
	m, err := models.FromFile("own", p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return unknown{m}, p.LogC + math.Log(sum)
}

// oneFactor is a classifier whose log Z is an integral over one factor.
func oneFactor(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n := 8 + s.Intn(40)
	p, exact := targets.OneFactor(s, n, math.Exp(between(s, -1, 2.5)))
	m, err := models.FromFile("own", p, spec.Values{"moves": "1"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, exact
}
