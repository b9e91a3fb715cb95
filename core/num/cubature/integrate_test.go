package cubature

import (
	"math"
	"testing"

	"logzlab/core/num"
)

func normal(x, mean, sd float64) float64 {
	z := (x - mean) / sd
	return -z*z/2 - math.Log(sd) - .5*math.Log(2*math.Pi)
}

// each returns the density of independent coordinates.
func each(log func(x float64) float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		s := 0.
		for _, v := range x {
			s += log(v)
		}
		return s
	}
}

// hills are two round normal densities with equal weights, at all coordinates a and all b.
func hills(a, sa, b, sb float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		p, q := -math.Ln2, -math.Ln2
		for _, v := range x {
			p += normal(v, a, sa)
			q += normal(v, b, sb)
		}
		return num.LogAddExp(p, q)
	}
}

// ball is 1 in the unit ball around .3 in all coordinates; breakpoints pass through it.
func ball(x []float64) float64 {
	r := 0.
	for _, v := range x {
		r += (v - .3) * (v - .3)
	}
	if r > 1 {
		return math.Inf(-1)
	}
	return 0
}

// betaLogit returns the density of the logit u of a Beta(a, a) variable.
func betaLogit(a float64) func(u float64) float64 {
	two, _ := math.Lgamma(2 * a)
	one, _ := math.Lgamma(a)
	return func(u float64) float64 {
		u = math.Abs(u)
		return two - 2*one - a*u - 2*a*math.Log1p(math.Exp(-u))
	}
}

func cauchy(x float64) float64 { return -math.Log(math.Pi) - math.Log1p(x*x) }

// besselI0 is the modified Bessel function of order 0, by its series.
func besselI0(x float64) float64 {
	term, sum := 1., 1.
	for k := 1.; k < 100; k++ {
		term *= x * x / 4 / k / k
		sum += term
	}
	return sum
}

// Integrals with a closed form. The value is right within the error, for small and large errors.
func TestIntegrate(t *testing.T) {
	t.Parallel()
	all := []int{1, 2, 3}
	narrow := Options{Mean: []float64{0, 0}, Root: []float64{1e-3, 0, 999, 1e3 * math.Sqrt(1-.999*.999)}}
	for _, c := range []struct {
		name string
		dims []int
		logF func(x []float64) float64
		want float64
		o    Options
		slow bool // not converged
	}{
		{name: "normal", dims: all, logF: each(func(x float64) float64 { return normal(x, 3, .2) })},
		{name: "far", dims: all, logF: each(func(x float64) float64 { return normal(x, -70, .2) })},
		{name: "farther", dims: all, logF: each(func(x float64) float64 { return normal(x, 1e4, 3) })},
		{name: "tiny", dims: all, logF: func(x []float64) float64 {
			return each(func(x float64) float64 { return normal(x, 0, 1) })(x) - 1e5
		}, want: -1e5},
		{name: "two hills", dims: all, logF: hills(0, 1, 10, 1)},
		{name: "hills of two widths", dims: all, logF: hills(-5, .3, 5, 1)},
		{name: "hills far apart", dims: all, logF: hills(200, 5, -40, .2)},
		{name: "hills beyond 1000 widths", dims: all, logF: hills(0, 1, 250, .2)},
		{name: "a narrow hill 200 widths from a wide one", dims: all, logF: hills(0, 5, 1000, .2),
			o: Options{Mean: []float64{0, 0, 0}, Root: []float64{5, 0, 0, 0, 5, 0, 0, 0, 5}}},
		{name: "a narrow hill in the tails of a wide one", dims: all, logF: hills(0, 5, 25, .2)},
		{name: "hills around one top", dims: all, logF: hills(1, .01, 1, 1)},
		{name: "Cauchy", dims: all, logF: each(cauchy)},
		{name: "t, half a degree of freedom", dims: []int{1}, logF: func(x []float64) float64 {
			a, _ := math.Lgamma(.75)
			b, _ := math.Lgamma(.25)
			return a - b - .5*math.Log(.5*math.Pi) - .75*math.Log1p(2*x[0]*x[0])
		}},
		{name: "beta", dims: all, logF: each(betaLogit(.02))},
		{name: "step", dims: []int{1}, logF: ball, want: math.Ln2},
		{name: "disc", dims: []int{2}, logF: ball, want: math.Log(math.Pi), o: Options{MaxEvals: 5e5}, slow: true},
		{name: "ball", dims: []int{3}, logF: ball, want: math.Log(4. / 3 * math.Pi), o: Options{MaxEvals: 2e6}, slow: true},
		{name: "42 modes", dims: []int{1}, logF: func(x []float64) float64 {
			if x[0] < .5 || x[0] > 42.5 {
				return math.Inf(-1)
			}
			return 50 * math.Cos(2*math.Pi*x[0])
		}, want: math.Log(42 * besselI0(50))},
		{name: "rotated", dims: []int{2}, logF: func(x []float64) float64 {
			const r, s, v = .999, 1e-3, 1e3
			a, b := x[0]/s, x[1]/v
			return -(a*a-2*r*a*b+b*b)/2/(1-r*r) - math.Log(2*math.Pi*s*v) - .5*math.Log(1-r*r)
		}, o: narrow},
		{name: "banana", dims: []int{2}, logF: func(x []float64) float64 {
			return normal(x[0], 0, 2) + normal(x[1], x[0]*x[0], .3)
		}},
		{name: "ring", dims: []int{2}, logF: func(x []float64) float64 {
			return normal(math.Hypot(x[0], x[1]), 10, .1) - math.Log(2*math.Pi*10)
		}},
		{name: "shell", dims: []int{3}, logF: func(x []float64) float64 {
			return normal(math.Sqrt(x[0]*x[0]+x[1]*x[1]+x[2]*x[2]), 10, .5) - math.Log(4*math.Pi*100.25)
		}},
		{name: "funnel", dims: []int{2, 3}, logF: func(x []float64) float64 {
			f := normal(x[0], 0, 3)
			for _, y := range x[1:] {
				f += normal(y, 0, math.Exp(x[0]/2))
			}
			return f
		}},
		{name: "not a number", dims: []int{1}, logF: func(x []float64) float64 {
			if x[0] < 0 {
				return math.NaN()
			}
			return normal(x[0], 0, 1)
		}, want: -math.Ln2},
	} {
		for _, d := range c.dims {
			if testing.Short() && d == 3 && c.name != "two hills" {
				continue
			}
			o := c.o
			if len(o.Root) == 9 && d < 3 { // of all dimensions
				o.Mean, o.Root = o.Mean[:d], []float64{5, 0, 0, 5}[:d*d]
			}
			r := Integrate(d, c.logF, o)
			off := math.Abs(r.LogZ - c.want)
			if off > r.Err+1e-9 || r.Converged == c.slow || r.Diverges || c.slow && r.Err > .1 {
				t.Errorf("%s in %d dimensions: error %.2g, result %+v", c.name, d, off, r)
			}
			if most := max(c.o.MaxEvals, 4e6); r.Evals > most {
				t.Errorf("%s in %d dimensions: %d evaluations", c.name, d, r.Evals)
			}
		}
	}
}

// Divergent integrals are recognised.
func TestDiverges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		d    int
		logF func(x []float64) float64
	}{
		"flat":                    {1, func([]float64) float64 { return 0 }},
		"flat in the plane":       {2, func(x []float64) float64 { return normal(x[0], 0, 1) }},
		"flat in space":           {3, func(x []float64) float64 { return cauchy(x[0]) + cauchy(x[2]) }},
		"1/x":                     {1, func(x []float64) float64 { return -math.Log1p(math.Abs(x[0])) }},
		"a scale without a prior": {1, func(x []float64) float64 { return x[0] }},
		"until e^x overflows": {1, func(x []float64) float64 {
			s := math.Exp(x[0])
			return x[0] - math.Log(1+s)
		}},
		"one datum, normal(mu, s)": {2, func(x []float64) float64 { return normal(1.2, x[0], math.Exp(x[1])) + x[1] }},
	} {
		if r := Integrate(c.d, c.logF, Options{}); !r.Diverges || r.Converged || !math.IsInf(r.Err, 1) {
			t.Errorf("%s: %+v", name, r)
		}
	}
	slow := func(x []float64) float64 { return -1.01 * math.Log1p(math.Abs(x[0])) }
	if r := Integrate(1, slow, Options{}); r.Converged {
		t.Errorf("tail of .01 degrees of freedom: %+v", r)
	}
	if r := Integrate(1, func([]float64) float64 { return math.NaN() }, Options{}); r.Converged || !math.IsInf(r.Err, 1) {
		t.Errorf("NaN density: %+v", r)
	}
}

// The caller can stop the computation, and Going is called often.
func TestGoing(t *testing.T) {
	t.Parallel()
	calls, last := 0, 0
	r := Integrate(2, each(cauchy), Options{Going: func(evals int) bool {
		if calls++; evals < last || evals > last+5000 {
			t.Errorf("from %d to %d evaluations", last, evals)
		}
		last = evals
		return calls < 50
	}})
	if !r.Stopped || r.Converged || calls != 50 {
		t.Errorf("%d calls, %+v", calls, r)
	}
}

// The Genz-Malik rules integrate polynomials of degree 7, and the Kronrod rule those of degree 22, up to rounding.
func TestDegrees(t *testing.T) {
	t.Parallel()
	for d := 1; d <= MaxDim; d++ {
		most := 7
		if d == 1 {
			most = 22
		}
		for n := range most + 1 {
			c := &chart{d: d, scale: 1}
			in := &integral{d: d, x: make([]float64, d), charts: []*chart{c}}
			in.logF = func(x []float64) float64 { // by t, of which x is the sinh
				f := 0.
				for k, v := range x {
					f -= math.Log(math.Hypot(1, v))
					if k == n%d || k == 0 {
						f += float64(n/min(d, 2)) * math.Log(2+math.Asinh(v))
					}
				}
				return f
			}
			box, want := cell{}, 1.
			for i := range d {
				c.root[i][i] = 1
				box.lo[i], box.hi[i] = -1, 1
				m := 0.
				if i == n%d || i == 0 {
					m = float64(n / min(d, 2))
				}
				want *= (math.Pow(3, m+1) - 1) / (m + 1)
			}
			in.top = 0
			if in.applyRule(&box); math.Abs(box.sum/want-1) > 1e-12 {
				t.Errorf("%d dimensions, degree %d: %v, not %v", d, n, box.sum, want)
			}
		}
	}
}
