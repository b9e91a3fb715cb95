package logpdf

import (
	"math"
	"math/rand/v2"
	"testing"

	"logzlab/models/stan/tape"
)

// logF returns the log density of x[0] with parameters x[1:], or a log probability, on a tape.
func logF(t *testing.T, f Func, y float64, discrete bool, params int) *tape.EvaluatorPool {
	t.Helper()
	dim := params
	if !discrete {
		dim++
	}
	b := tape.NewBuilder(max(dim, 1))
	x := b.Inputs()
	at := tape.Consts(y)
	if !discrete {
		at, x = x[:1], x[1:]
	}
	var p []vec
	for i := range params {
		p = append(p, x[i:i+1])
	}
	b.Target(f(b, at, p...)...)
	program, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return program.EvaluatorPool()
}

// draw returns a random parameter in a domain.
func draw(r *rand.Rand, d byte) float64 {
	switch d {
	case '+', '0':
		return .6 + math.Exp(r.NormFloat64()*.7)
	case 'u':
		return .3 + .4*r.Float64()
	case 'n', 'i':
		return float64(5 + r.IntN(8))
	}
	return r.NormFloat64() * 2
}

// params returns random parameters of a family.
func params(r *rand.Rand, f *Family) []float64 {
	p := make([]float64, f.Params)
	for i := range p {
		p[i] = draw(r, f.domains[i+1])
	}
	switch f.Name {
	case "uniform", "discrete_range":
		p[1] = p[0] + 1 + math.Abs(p[1])
	case "hypergeometric":
		p[0] = min(p[0], p[1]+p[2]-1)
	case "beta_proportion":
		p[1] += 2
	case "inv_chi_square", "scaled_inv_chi_square", "student_t", "frechet", "pareto", "pareto_type_2", "inv_gamma":
		p[f.Params-1]++
		p[0]++
	}
	return p
}

// change maps the real line to the support, with the log of the derivative.
func change(f *Family, p []float64, s float64) (y, slope float64) {
	switch {
	case f.Name == "uniform":
		e := 1 / (1 + math.Exp(-s))
		return p[0] + (p[1]-p[0])*e, math.Log((p[1] - p[0]) * e * (1 - e))
	case f.Name == "von_mises":
		e := 1 / (1 + math.Exp(-s))
		return 2*math.Pi*e - math.Pi, math.Log(2 * math.Pi * e * (1 - e))
	case f.Name == "pareto" || f.Name == "pareto_type_2":
		return p[0] + math.Exp(s), s
	case f.domains[0] == 'r':
		return math.Sinh(s), math.Log(math.Cosh(s))
	case f.domains[0] == 'u':
		e := 1 / (1 + math.Exp(-s))
		return e, math.Log(e * (1 - e))
	}
	return math.Exp(s), s
}

// TestNormalised checks for each family that the density integrates, or the mass sums, to 1, that CDF and CCDF sum to
// 1, and that the derivative of the CDF is the density.
func TestNormalised(t *testing.T) {
	t.Parallel()
	cdfs := 0
	for _, f := range Families {
		if f.LogCDF != nil {
			cdfs++
		}
	}
	t.Logf("%d families, %d with probabilities", len(Families), cdfs)
	for i := range Families {
		f := &Families[i]
		t.Run(f.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for range 3 {
				p := params(r, f)
				if f.Discrete {
					checkCounts(t, f, p)
				} else {
					checkReal(t, f, p)
				}
			}
		})
	}
}

func checkReal(t *testing.T, f *Family, p []float64) {
	t.Helper()
	log := logF(t, f.Log, 0, false, f.Params)
	var below, above *tape.EvaluatorPool
	if f.LogCDF != nil {
		below, above = logF(t, f.LogCDF, 0, false, f.Params), logF(t, f.LogCCDF, 0, false, f.Params)
	}
	x := append([]float64{0}, p...)
	const h = 1. / 256
	sum := 0.
	for s := -36.; s < 36; s += h {
		y, slope := change(f, p, s)
		x[0] = y
		if y == 1 && f.domains[0] == 'u' || (f.Name == "uniform" || f.Name == "pareto_type_2" || f.Name == "pareto") &&
			(y == p[0] || y == p[1]) {
			continue
		}
		mass := math.Exp(log.LogF(x)+slope) * h
		if below != nil && mass > 1e-9 && int(s*256)%64 == 0 {
			lo, hi := math.Exp(below.LogF(x)), math.Exp(above.LogF(x))
			if !(math.Abs(lo+hi-1) < 1e-12) || !(math.Abs(lo-sum-mass/2) < 2e-4) {
				t.Fatalf("%v of %v: below %v, above %v, sum %v", y, p, lo, hi, sum)
			}
		}
		sum += mass
	}
	if !(math.Abs(sum-1) < 2e-5) {
		t.Errorf("%v: integral = %v, want 1", p, sum)
	}
}

func checkCounts(t *testing.T, f *Family, p []float64) {
	t.Helper()
	b := tape.NewBuilder(1)
	var q []vec
	for _, v := range p {
		q = append(q, tape.Consts(v))
	}
	sum, top := 0., 400.
	if f.domains[1] == 'n' {
		top = p[0]
	}
	if f.Name == "bernoulli" || f.Name == "bernoulli_logit" {
		top = 1
	}
	start := 0.
	if f.Name == "hypergeometric" {
		start, top = max(0, p[0]-p[2]), min(p[0], p[1])
	}
	if f.Name == "discrete_range" {
		p[1] = math.Floor(p[1])
		start, top = p[0], p[1]
	}
	for y := start; y <= top; y++ {
		at := tape.Consts(y)
		sum += math.Exp(constOrNaN(f.Log(b, at, q...)[0]))
		if f.LogCDF == nil {
			continue
		}
		lo, hi := math.Exp(constOrNaN(f.LogCDF(b, at, q...)[0])), math.Exp(constOrNaN(f.LogCCDF(b, at, q...)[0]))
		if !(math.Abs(lo-sum) < 1e-12) || !(math.Abs(lo+hi-1) < 1e-12) {
			t.Fatalf("%v of %v: below %v, above %v, sum %v", y, p, lo, hi, sum)
		}
	}
	if f.Name == "yule_simon" || f.Name == "beta_neg_binomial" { // heavy tails
		sum += math.Exp(constOrNaN(f.LogCCDF(b, tape.Consts(top), q...)[0]))
	}
	if !(math.Abs(sum-1) < 1e-11) {
		t.Errorf("%v: sum = %v, want 1", p, sum)
	}
}

// TestGradients compares gradients with respect to y and the parameters with finite differences.
func TestGradients(t *testing.T) {
	t.Parallel()
	for i := range Families {
		f := &Families[i]
		for name, g := range map[string]Func{"Log": f.Log, "LogCDF": f.LogCDF, "LogCCDF": f.LogCCDF} {
			if g == nil || f.Params == 0 && f.Discrete {
				continue
			}
			r := rand.New(rand.NewPCG(uint64(i), 2))
			for range 5 {
				checkGradient(t, f, name, g, r)
			}
		}
	}
}

func checkGradient(t *testing.T, f *Family, name string, g Func, r *rand.Rand) {
	t.Helper()
	p := params(r, f)
	y, _ := change(f, p, r.NormFloat64())
	if f.Discrete {
		y = float64(r.IntN(2))
	}
	if f.Name == "hypergeometric" || f.Name == "discrete_range" {
		return
	}
	whole := func(b *tape.Builder, y []tape.Scalar, q ...[]tape.Scalar) []tape.Scalar {
		for i := range q {
			if f.domains[i+1] == 'n' {
				q[i] = tape.Consts(p[i])
			}
		}
		return append(g(b, y, q...), b.Inputs()...)
	}
	log := logF(t, whole, y, f.Discrete, f.Params)
	x := p
	if !f.Discrete {
		x = append([]float64{y}, p...)
	}
	slope := make([]float64, len(x))
	log.Gradient(x, slope)
	for i := range x {
		h := 1e-4 * max(.01, math.Abs(x[i]))
		at := func(d float64) float64 {
			z := append([]float64(nil), x...)
			z[i] += d
			return log.LogF(z)
		}
		want := (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		if !(math.Abs(slope[i]-want) < 1e-6*max(1, math.Abs(want))) && !math.IsInf(at(0), -1) {
			t.Errorf("%s.%s at %v (y %v): derivative %d = %v, want %v", f.Name, name, x, y, i, slope[i], want)
		}
	}
}

// TestExpModNormalFarOut checks that exp_mod_normal equals the normal density to full precision if the exponential part
// is negligible.
func TestExpModNormalFarOut(t *testing.T) {
	for _, far := range []float64{40, 49, 51, 1e3, 1e9, 1e20} { // lambda sigma - (y - mu)/sigma
		b, f := tape.NewBuilder(1), FamilyNamed("exp_mod_normal")
		got := constOrNaN(f.Log(b, tape.Consts(1), tape.Consts(1), tape.Consts(.5), tape.Consts(2*far))[0])
		mills := 0. // by its continued fraction
		for n := 60.; n > 0; n-- {
			mills = n / (far + mills)
		}
		mills = 1 / (far + mills) / math.Sqrt(2*math.Pi)
		if want := math.Log(2*far) + math.Log(mills); !(math.Abs(got-want) < 1e-11) {
			t.Errorf("%g: %v, want %v", far, got, want)
		}
	}
}
