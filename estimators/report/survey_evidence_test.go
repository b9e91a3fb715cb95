package report

import (
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/models/latent"
)

// evidence are families of posteriors: wide priors, badly scaled columns, separable labels, states that hardly forget,
// outliers. The program has no closed form of them; the exact values are by algebra or by sums over grids.
var evidence = []family{{"vague", vagueLine}, {"scales", scaledLine}, {"separable", separable}, {"looks", looks},
	{"herds", herds}}

// regression is a normal linear regression with known noise as a density of one's own: y ~ N(X b, s2), b ~ N(0, t2).
func regression(t *testing.T, s *rng.Stream, t2 float64, scales []float64) (models.Model, float64) {
	n, d, s2 := 20+s.Intn(100), len(scales), between(s, .1, 2)
	x, y := make([][]float64, n), make([]float64, n)
	b := make([]float64, d)
	for k := range b {
		b[k] = s.Norm() / scales[k]
	}
	for i := range x {
		x[i] = make([]float64, d)
		for k := range x[i] {
			x[i][k] = scales[k] * s.Norm()
		}
		y[i] = num.Dot(b, x[i]) + math.Sqrt(s2)*s.Norm()
	}

	// log Z = log N(y; 0, s2 I + t2 X X').
	cov := make([]float64, n*n)
	for i := range n {
		for j := range n {
			cov[i*n+j] = t2 * num.Dot(x[i], x[j])
		}
		cov[i*n+i] += s2
	}
	if !num.Cholesky(cov, n, nil) {
		t.Fatal("no Cholesky factor")
	}
	z := slices.Clone(y)
	num.SolveLower(cov, n, z)
	exact := -.5*num.Dot(z, z) - .5*num.CholLogDet(cov, n) - .5*float64(n)*num.Log2Pi

	return own(t, d, t2, func(b []float64) float64 {
		sum := -.5 * float64(n) * (num.Log2Pi + num.Log(s2))
		for i, row := range x {
			e := y[i] - num.Dot(b, row)
			sum -= e * e / (2 * s2)
		}
		return sum
	}), exact
}

// own is a density with the prior N(0, t2) of each coordinate.
func own(t *testing.T, d int, t2 float64, logL func(b []float64) float64) models.Model {
	base := func(b []float64) float64 {
		return -num.Dot(b, b)/(2*t2) - .5*float64(d)*(num.Log2Pi+num.Log(t2))
	}
	m, err := density.New(models.Info{Name: "own", Kind: "linreg"}, density.Density{Dim: d, Unimodal: true, LogBase: base,
		LogF: func(b []float64) float64 { return base(b) + logL(b) },
		DrawBase: func(s *rng.Stream, b []float64) {
			for k := range b {
				b[k] = math.Sqrt(t2) * s.Norm()
			}
		}}, density.Kernel{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func vagueLine(t *testing.T, s *rng.Stream) (models.Model, float64) {
	sd := math.Exp(between(s, math.Log(5), math.Log(300)))
	return regression(t, s, sd*sd, slices.Repeat([]float64{1}, 2+s.Intn(4)))
}

func scaledLine(t *testing.T, s *rng.Stream) (models.Model, float64) {
	scales := slices.Repeat([]float64{1}, 2+s.Intn(3))
	scales[0] = math.Pow(10, between(s, 1, 4))
	return regression(t, s, 25, scales)
}

// separable is a logistic regression on one column that tells the labels apart without an error.
func separable(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n, sd := 8+s.Intn(30), math.Exp(between(s, math.Log(2), math.Log(30)))
	x, y := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i] = s.Norm()
		y[i] = math.Copysign(1, x[i]-.3)
	}
	logL := func(b []float64) float64 {
		sum := 0.
		for i, x := range x {
			sum -= num.Softplus(-y[i] * (b[0] + b[1]*x))
		}
		return sum
	}
	return own(t, 2, sd*sd, logL), onGrid(logL, slices.Repeat([]float64{0}, 2), []float64{sd, sd}, 600)
}

// onGrid is the log of the integral of N(mean, sd^2) e^logL over a grid of so many points a side, within six standard
// deviations of the prior, or as many more as it takes until the grid's edges hold less than e^-12 of it.
func onGrid(logL func(b []float64) float64, mean, sd []float64, points int) float64 {
	for reach := 6.; ; reach, points = 2*reach, 2*points {
		sum, within := gridSum(logL, mean, sd, points, reach)
		if within || reach > 40 {
			return sum
		}
	}
}

// gridSum is that integral within reach; within tells whether its edges hold little of it.
func gridSum(logL func(b []float64) float64, mean, sd []float64, points int, reach float64) (z float64, within bool) {
	d := len(mean)
	all := 1
	for range d {
		all *= points
	}
	h := 2 * reach / float64(points-1)
	var sum, edges num.LSE
	b := make([]float64, d)
	for at := range all {
		prior, onEdge := 0., false
		for k, left := 0, at; k < d; k, left = k+1, left/points {
			i := left % points
			z := h*float64(i) - reach
			b[k] = mean[k] + sd[k]*z
			prior += math.Log(h) - z*z/2 - num.Log2Pi/2
			onEdge = onEdge || i == 0 || i == points-1
		}
		x := prior + logL(b)
		sum.Add(x)
		if onEdge {
			edges.Add(x)
		}
	}
	return sum.Value(), edges.Value() < sum.Value()-12
}

// looks are noisy looks at a state that hardly forgets, some with an outlier.
func looks(t *testing.T, s *rng.Stream) (models.Model, float64) {
	n, phi := 20+s.Intn(60), 1-math.Exp(between(s, math.Log(.001), math.Log(.2)))
	q, r := math.Exp(s.Norm()), math.Exp(s.Norm())
	y, x := make([]float64, n), math.Sqrt(q/(1-phi*phi))*s.Norm()
	for i := range y {
		y[i] = x + math.Sqrt(r)*s.Norm()
		x = phi*x + math.Sqrt(q)*s.Norm()
	}
	if s.Intn(3) == 0 {
		y[s.Intn(n)] += between(s, 10, 100)
	}
	m, err := models.FromFile("own", latent.LGSSMParams{Y: y, Phi: phi}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	kalman := func(b []float64) float64 {
		q, r := math.Exp(b[0]), math.Exp(b[1])
		mean, v, sum := 0., q/(1-phi*phi), 0.
		for _, y := range y {
			e, f := y-mean, v+r
			sum -= .5 * (num.Log2Pi + math.Log(f) + e*e/f)
			mean, v = phi*(mean+v/f*e), phi*phi*v*r/f+q
		}
		return sum
	}
	return m, onGrid(kalman, []float64{0, 0}, []float64{1, 1}, 400)
}

// herds are groups of labels with intercepts of their own, most of them told apart by the covariate.
func herds(t *testing.T, s *rng.Stream) (models.Model, float64) {
	const sd, psiSD = 2, .7
	p := latent.GLMMParams{P: 1, PriorSD: sd, PsiMean: -1, PsiSD: psiSD}
	for range 4 + s.Intn(4) {
		var x, y []float64
		for range 3 {
			a := s.Norm()
			label := 0.
			if a > 0 != (s.Intn(12) == 0) {
				label = 1
			}
			x, y = append(x, a), append(y, label)
		}
		p.X, p.Y = append(p.X, x), append(p.Y, y)
	}
	m, err := models.FromFile("own", p, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, onGrid(func(b []float64) float64 {
		sum, scale := 0., math.Exp(b[2]/2)
		for g, x := range p.X {
			inner := 0.
			for k := -15; k <= 15; k++ {
				z, l := .4*float64(k), 1.
				for i, x := range x {
					l /= 1 + math.Exp((1-2*p.Y[g][i])*(b[0]+b[1]*x+scale*z))
				}
				inner += l * math.Exp(-z*z/2)
			}
			sum += math.Log(inner * .4 / math.Sqrt(2*math.Pi))
		}
		return sum
	}, []float64{0, 0, p.PsiMean}, []float64{sd, sd, psiSD}, 34)
}
