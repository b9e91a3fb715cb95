package stan

import (
	"errors"
	"strings"
	"testing"

	"logzlab/models/stan/lang"
)

const normalX = "parameters { real x; } model { x ~ normal(0, 1); }"

// refusals are programs with one error each; @ marks its position and is removed from the program.
var refusals = []struct{ src, data, want string }{
	{"parameters { real x; } model { x ~ @normal(0); }", "",
		"normal_lpdf does not take (real, int); it takes (reals, reals, reals)"},
	{"parameters { real x; } model { x ~ normal(0, 1) @}", "", `found "}", expected ";"`},
	{"parameters { real x } model { }", "", `found "}", expected ";"`},
	{"parameters { real x; } model { x ~ normal(@mu, 1); }", "", "mu is not declared"},
	{"parameters { real sigma; } model { sigma ~ normal(0, @sigm); }", "", "sigm is not declared (did you mean sigma?)"},
	{"parameters { real x; } model { x ~ @norml(0, 1); }", "", "unknown distribution norml (did you mean normal?)"},
	{"parameters { real x; } model { target += @squared(x); }", "",
		"unknown function squared (did you mean square?)"},
	{"parameters { real x; } model { while (@x > 0) target += x; }", "", "this condition depends on a parameter"},
	{"parameters { real x; } model { for (n in 1:2) { if (@x > 0) continue; target += x; } }", "",
		"this condition depends on a parameter"},
	{"parameters { real x; } model { int n = x > 0; int k = @n %/% 2; target += x * k; }", "",
		"a whole number depends on a parameter"},
	{"parameters { real x; } model { int n = x > 0; target += x + rep_vector(1, @n + 1)[1]; }", "",
		"a whole number depends on a parameter"},
	{"parameters { vector[2] x; } model { array[1] int n; n[1] = x[1] > 0; target += x[@n][1]; }", "",
		"a whole number depends on a parameter"},
	{"parameters { real x; } model { target += sum(x > 0 @? rep_vector(x, 2) : rep_vector(x, 3)); }", "",
		"the sizes 2 and 3 do not match"},
	{"parameters { real x; } model { if (@x > 0) reject(\"a\"); else reject(\"b\"); }", "", "adds -Inf"},
	{"parameters { real<offset=@not_a_number()> x; } model { x ~ normal(0, 1); }", "", "an offset is finite, not NaN"},
	{"transformed data { real<lower=not_a_number()> @a = 1; } parameters { real x; } model { x ~ normal(0, a); }", "",
		"a bound cannot be NaN"},
	{"parameters { real x; } transformed parameters { real<upper=not_a_number()> @y = x; } model { x ~ normal(0, 1); }",
		"", "a bound cannot be NaN"},
	{"data { int N; vector[N] @y; } parameters { real x; } model { y ~ normal(x, 1); }", `{"N": 3, "y": [1, 2]}`,
		"the data for y cannot be read: it has 2 elements, not 3"},
	{"data { int N; vector[N] @y; } parameters { real x; } model { y ~ normal(x, 1); }", `{"N": 3}`,
		"the data lack y, which is declared as vector, 3"},
	{"data { int @N; } parameters { real x; } model { x ~ normal(0, 1); }", `{"N": 3.5}`,
		"N is 3.5, but declared as a whole"},
	{"data { int<lower=1> @N; } parameters { real x; } model { x ~ normal(0, 1); }", `{"N": 0}`,
		"below its lower bound 1"},
	{"data { array[2] real<upper=1> @y; } parameters { real x; } model { x ~ normal(0, 1); }", `{"y": [0, 2]}`,
		"y[2] is 2, above its upper bound 1"},
	{"data { vector<lower=0>[2] @y; } parameters { real x; } model { y ~ normal(x, 1); }", `{"y": [1, "NaN"]}`,
		"y[2] is NaN"},
	{"data { real a; } transformed data { vector<lower=0>[2] @b = [1, log(a)]'; } " + normalX, `{"a": -1}`, "b[2] is NaN"},
	{"data { real a; } transformed data { vector<upper=0>[2] @b = [0, log(a)]'; } " + normalX, `{"a": -1}`, "b[2] is NaN"},
	{"data { real a; } transformed data { ordered[2] @b = [1, log(a)]'; } " + normalX, `{"a": -1}`, "b[2] is NaN"},
	{"data { real a; } transformed data { cholesky_factor_cov[2] @b = [[1, 0], [log(a), 1]]; } " + normalX, `{"a": -1}`,
		"b[2,1] is NaN"},
	{"data { real a; } parameters { real x; } model { x ~ @normal(log(a), 1); }", `{"a": -1}`,
		"normal: parameter 1 is NaN, but must be finite"},
	{"data { real a; } parameters { real x; } model { vector[2] y = [1, log(a)]'; y ~ @normal(x, 1); }", `{"a": -1}`,
		"normal: y is NaN, but must be finite"},
	{"data { real<lower=0> @a; } parameters { real x; } model { x ~ normal(a, 1); }", `{"a": "-Inf"}`,
		"a is -Inf, below its lower bound 0"},
	{"data { simplex[2] @y; } parameters { real x; } model { x ~ normal(0, 1); }", `{"y": [0, 2]}`, "y is not a valid simplex"},
	{"data { matrix[2, 2] S; } parameters { vector[2] x; } model { x ~ @multi_normal([0, 0], S); }",
		`{"S": [[1, 2], [2, 1]]}`, "a matrix is not positive definite"},
	{"parameters { real x; } model { x ~ normal(sum(@cholesky_decompose([[1, 2], [2, 1]])), 1); }", "",
		"a matrix is not positive definite"},
	{"data { vector[2] @y; } parameters { real x; } model { x ~ normal(0, 1); }", `{"y": [0, null]}`, "null"},
	{"parameters { vector[3] x; } model { target += x[@4]; }", "", "the index 4 is out of range 1 to 3 of x"},
	{"parameters { vector[3] x; } model { vector[2] @y = x; }", "", ""},
	{"parameters { real x; } model { real y; y = @[1, x]'; }", "", "vector cannot be assigned to real"},
	{"parameters { real x; } model { @x = 1; }", "",
		"x belongs to the block parameters and cannot be assigned to in the block model"},
	{"parameters { real x; } model { for (i in 1:3) { @i = 2; } }", "", "loop variable"},
	{"parameters { @int n; } model { }", "", ""},
	{"parameters { real x; } model { target += @normal_log(x, 0, 1); }", "",
		"normal_log was renamed in Stan; write normal_lpdf(y | ...)"},
	{"parameters { real x; } model { x ~ normal(@if_else(1, 2, 3), 1); }", "", "it was removed from Stan; write c ? a : b"},
	{"data { sum_to_zero_matrix[2, 2] @A; } parameters { real x; } model { x ~ normal(A[1, 1], 1); }",
		`{"A": [[1, -1], [1, -1]]}`, "the sum of a row or column is not 0"},
	{"parameters { @complex z; } model { }", "", "the type complex is not supported"},
	{"parameters { real x; } model { reject({@\"a\", \"b\"}); }", "", "expected real, found text"},
	{"parameters { array[2] @tuple(real, real) x; } model { }", "", "an array of tuples of parameters is not supported"},
	{"parameters { tuple(real, @int) x; } model { }", "", ""},
	{"parameters { tuple(real, real) x; } model { x@.3 ~ normal(0, 1); }", "", "has no element 3"},
	{"parameters { tuple(real, real) x; } model { @x.1 = 3; }", "", "x.1 belongs to the block parameters"},
	{"parameters { tuple(real, real) x; real @x; } model { }", "", "x is declared twice"},
	{"parameters { real x; } model { tuple(real, real) t = (1, 2); target += @t; }", "",
		"expected a number, found tuple"},
	{"parameters { real x; } model { tuple(real, real) t = (1, 2); target += t@.3; }", "",
		"tuple(real, real) has no element 3"},
	{"parameters { real x; } model { target += x@.1; }", "", "real has no element 1"},
	{"parameters { real x; } model { tuple(real, int) t = @(1, 2.5); }", "",
		"expected tuple(real, int), found tuple(int, real)"},
	{"parameters { real x; } model { real a; int b; (a, b) = @(1, 2, 3); }", "",
		"tuple(int, int, int) cannot be assigned to tuple(real, int)"},
	{"parameters { real x; } model { real a; (a, @x) = (1, 2); }", "", "x belongs to the block parameters"},
	{"parameters { real x; } model { tuple(real, real) t; t @+= (1, 2); }", "",
		"cannot be applied to tuple(real, real) and tuple(int, int)"},
	{"parameters { real x; } model { target += @sum((1, 2)); }", "", "sum does not take (tuple(int, int))"},
	{"data { tuple(int, real<lower=0>) @t; } parameters { real x; } model { x ~ normal(t.2, 1); }",
		`{"t": {"1": 2, "2": -1}}`, "t.2 is -1, below its lower bound 0"},
	{"data { array[2] tuple(int, real) @t; } parameters { real x; } model { x ~ normal(t[1].2, 1); }",
		`{"t": [{"1": 2, "2": 1}, {"1": 0.5, "2": 1}]}`, "t.1 is 0.5, but declared as a whole number"},
	{"data { array[2] tuple(int, real) @t; } parameters { real x; } model { x ~ normal(t[1].2, 1); }",
		`{"t": [{"1": 2, "2": 1}]}`, "the data for t cannot be read"},
	{"data { tuple(int, real) @t; } parameters { real x; } model { x ~ normal(t.2, 1); }", `{"t": [2, 1]}`,
		"the data for t cannot be read"},
	{"transformed data { tuple(int, vector<upper=1>[2]) @t = (1, [0, 2]'); } parameters { real x; } " +
		"model { x ~ normal(0, 1); }", "", "t.2[2] is 2, above its upper bound 1"},
	{"parameters { real x; } model { target += @integrate_1d(f, 0, 1); }", "", "integrals are not supported"},
	{"parameters { real x; } model { target += @inv_inc_beta(x, 1, 3) * x; }", "",
		"this function is not supported"},
	{"parameters { real x; } model { target += @foo(x); }", "", "unknown function foo\n"},
	{"parameters { real x; } model { target += @sqrtt(x); }", "", "did you mean sqrt?"},
	{"functions { vector f(real t, vector y) { return y; } } parameters { vector[1] x; } model { array[1] vector[1] z = " +
		"@ode_rk45(f, x, 0, {1.0}); }", "", "differential equations"},
	{"parameters { real x; } model { x ~ normal(0, 1); target += @normal_rng(0, 1); }", "", "draws a random number"},
	{"functions { real f(real x) { return @f(x); } } parameters { real x; } model { target += f(x); }", "",
		"calls itself"},
	{"functions { real @square(real x) { return x; } } " + normalX, "", "square is a built-in function"},
	{"functions { real @poisson_lpmf(array[] int y, vector m) { return 0; } } " + normalX, "",
		"poisson_lpmf is a built-in function"},
	{"functions { real foo(real x) { return x; } } parameters { real x; } model { @foo(x); }", "",
		"the value of foo is not used"},
	{"functions { real foo(data real x); real @foo(real x) { return x; } } " + normalX, "", "was declared with another"},
	{"functions { int foo(real x); real @foo(real x) { return x; } } " + normalX, "", "was declared with another"},
	{"functions { real foo(real x) { return x; } real @foo(real x); } " + normalX, "", "declared after its definition"},
	{"functions { real @foo(real x); } " + normalX, "", "is declared, but has no body"},
	{"functions { real foo_lpmf(real @y) { return y; } } " + normalX, "", "the first argument must be real"},
	{"functions { real foo_lpdf(int @y) { return y; } } " + normalX, "", "the first argument must be real"},
	{"functions { vector @foo_lpdf(vector y) { return y; } } " + normalX, "", "must return real, not vector"},
	{"functions { void @foo_lpdf(real y) { } } " + normalX, "", "must return real, not void"},
	{"functions { real @foo_lpmf() { return 1; } } " + normalX, "", "needs at least one argument"},
	{"functions { real @foo_lupdf(real y) { return y; } } " + normalX, "", "define foo_lpdf"},
	{"@#include foo.stan\nmodel { }", "", "#include"},
	{"model { }\nparameters { real x; }", "", "must come before"},
	{"parameters { real x; } parameters { real y; }", "", "given twice"},
	{"parameters { real x; real @x; } model { }", "", "x is declared twice"},
	{"parameters { real x; } model { x @<- 1; }", "", "assignments are written with ="},
	{"parameters { real x; } model { @reject(\"too few: \", 3); }", "", "the program rejects its data: too few: 3"},
	{"parameters { real x; } model { @target += negative_infinity(); }", "", "adds -Inf to the log density"},
	{"model { }", "", "no parameters"},
	{"", "", "the program is empty"},
	{"parameters { real x; } model { real y = 1.5.2; }", "", `found ".2", expected ";"`},
	{"parameters { real x; } model { x ~ normal(0, 1); /* }", "", "this comment is not closed"},
	{"parameters { real x; } model { print(\"a); }", "", "this string is not closed"},
	{"parameters { real x; } model { x @@ 1; }", "", "is not a character of the Stan language"},
	{"parameters { matrix[2, 3] a; } model { matrix[2, 2] b = a @* a; }", "",
		"the sizes 2 x 3 and 2 x 3 do not match"},
	{"parameters { vector[2] a; } model { target += sum(a @* a); }", "", `"*" cannot be applied to vector and vector`},
	{"parameters { matrix[2, 2] a; } model { to_vector(a) ~ normal(0, 1); {a} ~ foo(1) T[0, ]; }", "",
		"unknown distribution foo"},
	{"functions { real f_lpdf(matrix y, real m) { return -m; } real f_lccdf(real y, real m) { return -m; } } " +
		"parameters { matrix[2, 2] a; } model { a ~ f(1) @T[0, ]; }", "", "T[,] applies to numbers, vectors"},
	{"data { vector[2] y; } parameters { real x; } model { y ~ @normal(x, 1) T[0, ]; }", `{"y": [1, -1]}`,
		"-1 is outside the truncation bounds"},
	{"data { int N; } parameters { real x; } model { x ~ normal(0, 1); }", "N <- 3", "R dump"},
	{"data { int N; } parameters { real x; } model { x ~ normal(0, 1); }", `{"N": 3`, "the data are not valid JSON"},
}

// TestRefusals checks the position and the message of each error in refusals.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range refusals {
		src := strings.Replace(c.src, "@", "", 1)
		_, err := Compile(src, []byte(c.data), nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n%v, want %s", c.src, err, c.want)
			continue
		}
		t.Log(err)
		var e *lang.Error
		if at := strings.Index(c.src, "@"); at >= 0 && (!errors.As(err, &e) || e.Column != at+1) {
			t.Errorf("%s: column %v, want %d", c.src, e, at+1)
		}
	}
}
