package stan

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
)

// transformCases are transforms of coordinates u, which are computed from a vector v of n elements.
var transformCases = []struct {
	name, args string // function name without suffix, and the arguments after u
	u          string // u as an expression in v
	n, values  int    // numbers of elements of v and of the constrained value
	free       []int  // indices of the values whose volume the Jacobian refers to; nil: all
}{
	{"lower_bound", ", 1.5", "v", 2, 2, nil}, {"lower_bound", ", [1.5, -2]'", "v", 2, 2, nil},
	{"upper_bound", ", 1.5", "to_array_1d(v)", 2, 2, nil}, {"lower_upper_bound", ", -1, 3", "v'", 2, 2, nil},
	{"lower_upper_bound", ", -1, [3, 4]", "v'", 2, 2, nil}, {"lower_bound", ", negative_infinity()", "v", 2, 2, nil},
	{"offset_multiplier", ", 1.5, 2", "to_matrix(v, 2, 2)", 4, 4, nil},
	{"ordered", "", "v", 3, 3, nil}, {"positive_ordered", "", "v", 3, 3, nil},
	{"simplex", "", "v", 3, 4, []int{0, 1, 2}},
	{"stochastic_column", "", "to_matrix(v, 2, 2)", 4, 6, []int{0, 1, 3, 4}},
	{"stochastic_row", "", "to_matrix(v, 2, 2)", 4, 6, []int{0, 1, 2, 3}},
	{"corr_matrix", ", 3", "v", 3, 9, []int{1, 2, 5}}, {"cov_matrix", ", 2", "v", 3, 4, []int{0, 1, 3}},
	{"cov_matrix", ", 3", "v", 6, 9, []int{0, 1, 2, 4, 5, 8}},
	{"cholesky_factor_corr", ", 3", "v", 3, 9, []int{1, 2, 5}},
	{"cholesky_factor_cov", ", 2, 2", "v", 3, 4, []int{0, 1, 3}},
	{"cholesky_factor_cov", ", 3, 2", "v", 5, 6, []int{0, 1, 2, 4, 5}},
}

// TestTransforms checks that the Jacobian of NAME_jacobian equals finite differences, that NAME_unconstrain is the
// inverse, and that NAME_constrain has the same values without a Jacobian.
func TestTransforms(t *testing.T) {
	t.Parallel()
	for _, c := range transformCases {
		args := "" // of the inverse
		if transformConstraints[c.name] == 0 {
			args = c.args
		}
		value := func(end string, u []float64) (log float64, x, inverse []float64) {
			call := c.name + end + "(" + c.u + c.args + ")"
			p, err := Compile(fmt.Sprintf("parameters { vector[%d] v; } transformed parameters { vector[%d] x = to_vector(%s); "+
				"vector[%d] back = to_vector(%s_unconstrain(%s%s)); } model { target += 0 * v[1]; }", c.n, c.values, call, c.n, c.name,
				strings.Replace(call, end, "_constrain", 1), args), nil, nil)
			if err != nil {
				t.Fatalf("%s: %v", call, err)
			}
			points, shown := p.Tape.EvaluatorPool(), make([]float64, len(p.Tape.OutputNames()))
			points.Outputs(u, shown)
			return points.LogF(u), shown[c.n : c.n+c.values], shown[c.n+c.values:]
		}
		u := make([]float64, c.n)
		for i := range u {
			u[i] = .3*float64(i) - .4
		}
		log, x, inverse := value("_jacobian", u)
		plain, same, _ := value("_constrain", u)
		if !slices.Equal(x, same) || plain != 0 {
			t.Errorf("%s: %v and %v, and %v without a Jacobian", c.name, x, same, plain)
		}
		for i := range u {
			if off(inverse[i], u[i]) > 1e-9 {
				t.Errorf("%s: the inverse is %v, not %v", c.name, inverse, u)
				break
			}
		}

		// The volume, by differences.
		const h = 1e-5
		slopes := make([]float64, c.n*c.n)
		for i := range u {
			at := slices.Clone(u)
			at[i] += h
			_, high, _ := value("_constrain", at)
			at[i] -= 2 * h
			_, low, _ := value("_constrain", at)
			for k := range c.n {
				of := k
				if c.free != nil {
					of = c.free[k]
				}
				slopes[i*c.n+k] = (high[of] - low[of]) / (2 * h)
			}
		}
		if want := logVolume(slopes, c.n); math.Abs(log-want) > 1e-7 {
			t.Errorf("%s: Jacobian %v, not %v", c.name, log, want)
		}
	}
}

// logVolume returns log |det m| of a square matrix by elimination.
func logVolume(m []float64, n int) (log float64) {
	for k := range n {
		pivot := k
		for i := k; i < n; i++ {
			if math.Abs(m[i*n+k]) > math.Abs(m[pivot*n+k]) {
				pivot = i
			}
		}
		for j := range n {
			m[k*n+j], m[pivot*n+j] = m[pivot*n+j], m[k*n+j]
		}
		log += math.Log(math.Abs(m[k*n+k]))
		for i := k + 1; i < n; i++ {
			by := m[i*n+k] / m[k*n+k]
			for j := k; j < n; j++ {
				m[i*n+j] -= by * m[k*n+j]
			}
		}
	}
	return log
}

// TestTransformValues compares transforms with values computed by hand, for arrays of vectors and for transforms that
// keep volumes.
func TestTransformValues(t *testing.T) {
	t.Parallel()
	got := valuesOf(t, "vector[3] p = simplex_constrain([0.5, -0.25]'); array[2] vector[2] a = ordered_constrain({[1, 0]', [2, 1]'}); "+
		"matrix[2, 3] z = sum_to_zero_constrain([[0.5, 1]]); vector[3] s = sum_to_zero_constrain([0.5, -0.25]'); "+
		"vector[2] u = unit_vector_constrain([3, 4]');",
		"p[1]", "p[2]", "p[3]", "a[1][2]", "a[2][2]", "sum(z)", "sum(z^2)", "s[1]", "s[3]", "sum(s^2)", "u[1]", "u[2]",
		"sum(abs(sum_to_zero_unconstrain(z) - [[0.5, 1]]))", "sum(abs(simplex_unconstrain(p) - [0.5, -0.25]'))",
		"sum(unit_vector_unconstrain(u))")
	// s by the matrix of isometric log ratios: columns (1, -1, 0)/sqrt 2 and (1, 1, -2)/sqrt 6.
	s := []float64{.5/math.Sqrt2 - .25/math.Sqrt(6), -.5/math.Sqrt2 - .25/math.Sqrt(6), .5 / math.Sqrt(6)}
	norm := num.LogSumExp(s)
	want := []float64{math.Exp(s[0] - norm), math.Exp(s[1] - norm), math.Exp(s[2] - norm), 2, 2 + math.E, 0, 1.25, s[0], s[2],
		.3125, .6, .8, 0, 0, 1.4}
	for i, v := range got {
		if math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("value %d is %v, not %v", i, v, want[i])
		}
	}
}

// TestJacobianFunctions checks that user-defined functions may call transforms and add Jacobians to the density, and
// that a prior of a transformed value counts as a prior of its coordinates.
func TestJacobianFunctions(t *testing.T) {
	t.Parallel()
	const own = "functions { real half(real x) { return exp(x / 2); } real up_jacobian(real x, data real lo) { " +
		"jacobian += x / 2 - log(2); return lo + half(x); } vector both_jacobian(vector x) { vector[2] y = " +
		"ordered_jacobian(x); return y * up_jacobian(0, 1); } } "
	got := logF(t, own+"parameters { real a; vector[2] b; } transformed parameters { real s = up_jacobian(a, 1); "+
		"vector[2] c = both_jacobian(b); } model { s ~ exponential(1); c ~ normal(0, 1); }", "", .4, .2, -.3)
	y := []float64{2 * .2, 2 * (.2 + math.Exp(-.3))}
	want := .2 - math.Ln2 - (1 + math.Exp(.2)) - .3 - math.Ln2 - .5*(y[0]*y[0]+y[1]*y[1]) - math.Log(2*math.Pi)
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, not %v", got, want)
	}
	for src, improper := range map[string]bool{
		"parameters { real a; } transformed parameters { real s = lower_bound_jacobian(a, 0); } model { s ~ exponential(1); }": false,
		"parameters { real a; } transformed parameters { real s = lower_bound_jacobian(a, 0); } model { }":                     true,
		"parameters { real a; } transformed parameters { real s = lower_bound_constrain(a, 0); } model { }":                    true,
		"parameters { real a; } transformed parameters { real s = lower_upper_bound_jacobian(a, 0, 2); } model { }":            false,
		own + "parameters { real a; } transformed parameters { real s = up_jacobian(a, 1); } model { s ~ exponential(1); }":    false,
	} {
		c, err := Compile(src, nil, nil)
		if strings.Contains(src, "model { }") && strings.Contains(src, "_constrain") {
			if err == nil || !strings.Contains(err.Error(), "depends on no") {
				t.Logf("%s: %v", src, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", src, err)
			continue
		}
		if c.Parameters[0].Improper != improper {
			t.Errorf("%s: improper is %v", src, c.Parameters[0].Improper)
		}
	}
	for src, want := range map[string]string{
		"parameters { real a; } model { target += lower_bound_jacobian(a, 0); }": "is allowed only in the block transformed parameters",
		"functions { real f(real a) { return lower_bound_jacobian(a, 0); } } parameters { real a; } " +
			"transformed parameters { real s = f(a); } model { }": "is allowed only in the block transformed parameters",
		"transformed data { vector[2] u = simplex_unconstrain([0.5, 0.6, 0.2]'); } " + normalX: "is not a valid simplex",
		"transformed data { matrix[2, 2] u = cov_matrix_constrain([1, 2]', 2); } " + normalX:   "sizes 2 and 2 x 2",
		"transformed data { vector[2] u = lower_bound_constrain(1, [1, 2]'); } " + normalX:     "lower_bound_constrain does not take",
		"transformed data { vector[2] u = simplex_unconstrain(rep_vector(1, 0)); } " + normalX: "at least one element",
		"transformed data { real u = lower_upper_bound_constrain(1, 2, 1); } " + normalX:       "is not below",
	} {
		if _, err := Compile(src, nil, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %s", src, err, want)
		}
	}
}
