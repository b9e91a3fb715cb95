package stan

import (
	"math"
	"math/rand/v2"
	"testing"
)

// branches are programs with conditions on parameters, each with its log density in Go.
var branches = []struct {
	src  string
	want func(x, y float64) float64
}{
	{"if (x > y) reject(\"no\", x); target += -x;", func(x, y float64) float64 {
		if x > y {
			return math.Inf(-1)
		}
		return -x
	}},
	{"real m = x; if (x < 0) m = y * y; else if (y >= 1) { m += 3; target += y; } " +
		"else { target += -2; m -= 1; } target += m;",
		func(x, y float64) float64 {
			switch {
			case x < 0:
				return y * y
			case y >= 1:
				return x + 3 + y
			}
			return x - 1 - 2
		}},
	{"target += (x < 0 || y < 0 ? y : log(x)) + (!(x > 0) && y != 1) * 2;", func(x, y float64) float64 {
		a := math.Log(x)
		if x < 0 || y < 0 {
			a = y
		}
		if !(x > 0) && y != 1 {
			a += 2
		}
		return a
	}},
	{"target += f(x, y); g_lp(x, y);", func(x, y float64) float64 { // both below
		a := 0.
		switch {
		case x > 1:
			a = -1
		case y > 0 && x > 0:
			a = x * y
		case y > 0:
			a = 7
		case x > 0.5:
			a = math.Inf(-1)
		default:
			a = x - y
		}
		if x > 0 {
			a += y
			if y > 1 {
				return a
			}
			a += 5 * x
		}
		return a + x*x
	}},
	{"vector[2] v = [1, 2]'; array[2] int k = {1, 2}; for (n in 1:2) { if (x * n > 1) { v[n] = x; k[n] = 5; } } " +
		"target += v[1] * v[2] + k[1] + k[2] * y; if (is_nan(log(x)) || int_step(y)) target += 1;",
		func(x, y float64) float64 {
			v, k := [2]float64{1, 2}, [2]float64{1, 2}
			for n := range 2 {
				if x*float64(n+1) > 1 {
					v[n], k[n] = x, 5
				}
			}
			a := v[0]*v[1] + k[0] + k[1]*y
			if x < 0 || y > 0 {
				a++
			}
			return a
		}},
}

const branchFunctions = `functions {
  real f(real x, real y) {
    real a = x;
    if (x > 1) return -1;
    if (y > 0) {
      if (x > 0) return x * y;
      a = 7;
    } else {
      if (x > 0.5) reject("far");
      a -= y;
    }
    return a;
  }
  void g_lp(real x, real y) {
    if (x > 0) {
      target += y;
      if (y > 1) return;
      target += 5 * x;
    }
    target += square(x);
  }
}
parameters { real x; real y; }
model { `

// TestBranches checks that only the selected branch of a condition on parameters has effects: assigned values, terms of
// the density, returns and gradients.
func TestBranches(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range branches {
		program, err := Compile(branchFunctions+c.src+" }", nil, nil)
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
			continue
		}
		p := program.Tape.EvaluatorPool()
		for range 200 {
			x, slope := []float64{3 * random.NormFloat64() / 2, 3 * random.NormFloat64() / 2}, make([]float64, 2)
			got, want := p.Gradient(x, slope), c.want(x[0], x[1])
			if !(math.Abs(got-want) <= 1e-12*max(1, math.Abs(want))) && got != want {
				t.Fatalf("%s at %v: %v, want %v", c.src, x, got, want)
			}
			const h = 1e-6
			for k := range x {
				a, b := append([]float64(nil), x...), append([]float64(nil), x...)
				a[k], b[k] = x[k]-h, x[k]+h
				want := (c.want(b[0], b[1]) - c.want(a[0], a[1])) / (2 * h)
				if !math.IsInf(got, 0) && !(math.Abs(slope[k]-want) <= 1e-5*max(1, math.Abs(want))) {
					t.Fatalf("%s at %v: slope %d is %v, want %v", c.src, x, k, slope[k], want)
				}
			}
		}
	}
}
