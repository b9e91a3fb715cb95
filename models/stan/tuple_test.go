package stan

import (
	"slices"
	"testing"
)

// TestTuples compares programs with tuples with equivalent programs without.
func TestTuples(t *testing.T) {
	t.Parallel()
	const matrix = "transformed data { matrix[3, 2] X = [[1, 2], [0.5, -1], [3, 0.2]]; matrix[2, 2] S = [[2, 1], [1, 3]]; "
	const free = "} parameters { real x; real z; } model { x ~ normal(0, 1); z ~ normal(x, 2); "
	for _, c := range []struct{ with, without, data string }{
		{"functions { tuple(real, vector) centred(vector y) { real m = mean(y); return (m, y - m); } } " +
			"data { vector[3] y; tuple(int, array[2] real) prior; } transformed data { tuple(real, vector[3]) c = centred(y); " +
			free + "x ~ normal(prior.2[1], prior.2[prior.1]); c.2 ~ normal(x, exp(z)); target += c.1; }",
			"data { vector[3] y; } transformed data { " + free +
				"x ~ normal(0.5, 2); y - mean(y) ~ normal(x, exp(z)); target += mean(y); }",
			`{"y": [1, 2, 4], "prior": {"1": 2, "2": [0.5, 2]}}`},
		{"data { array[2] tuple(real, vector[2]) t; } transformed data { " + free +
			"for (u in t) u.2 ~ normal(u.1 + x, 1); target += size(t) * t[2].2[1]; }",
			"transformed data { " + free + "[1, 2]' ~ normal(0.5 + x, 1); [3, 4]' ~ normal(-1 + x, 1); target += 6; }",
			`{"t": [{"1": 0.5, "2": [1, 2]}, {"1": -1, "2": [3, 4]}]}`},
		{"functions { real f_lpdf(real y, tuple(real, real) p) { return normal_lpdf(y | p.1, p.2); } } transformed data { " +
			free + "array[2] tuple(real, real) p; for (i in 1:2) p[i] = (x * i, 1 + i); p[2].1 += z; (p[1].1, p[1].2) = " +
			"(p[1].2, 1.5); target += f_lpdf(0.3 | p[1]) + f_lpdf(1 | p[2]); }",
			"transformed data { " + free + "target += normal_lpdf(0.3 | 2, 1.5) + normal_lpdf(1 | 2 * x + z, 3); }", ""},
		{"transformed data { " + free + "tuple(real, tuple(int, vector[2])) t = (x, (2, [z, 1]')); tuple(real, real) u = " +
			"x > z ? (x, 1) : (1, z); if (x > 0) { (t.1, u.1) = (u.2, t.2.2[1]); } target += -t.1^2 * t.2.1 - u.1^2 - " +
			"square((u.1, u.2).2); }",
			"transformed data { " + free + "real a = x; real b = x > z ? x : 1; real c = x > z ? 1 : z; if (x > 0) { a = c; " +
				"b = z; } target += -2 * a^2 - b^2 - c^2; }", ""},
		{"functions { array[] tuple(int, real) two(real x) { return {(1, x), (2, 2 * x)}; } } transformed data { " + free +
			"array[2] tuple(int, real) t = two(x)[{2, 1}]; t[1:1] = two(z)[2:2]; for (u in t) target += -u.1 * u.2^2; }",
			"transformed data { " + free + "target += -2 * (2 * z)^2 - x^2; }", ""},
		{matrix + "tuple(matrix[3, 2], matrix[2, 2]) q = qr_thin(X); matrix[3, 2] Q; matrix[2, 2] R; (Q, R) = q; " + free +
			"X * [x, z]' ~ normal(0, 1); target += sum(Q) + R[1, 2] + sum(qr(X).2); }",
			matrix + free + "X * [x, z]' ~ normal(0, 1); target += sum(qr_thin_Q(X)) + qr_thin_R(X)[1, 2] + sum(qr_R(X)); }",
			""},
		{matrix + free + "tuple(matrix[3, 2], vector[2], matrix[2, 2]) d = svd(X); d.1 * (d.2 .* (d.3' * [x, z]')) ~ " +
			"normal(0, 1); tuple(vector[6], array[6] int, array[4] int) s = csr_extract(X); target += sum(s.1) + s.2[2] + " +
			"s.3[2]; }", matrix + free + "X * [x, z]' ~ normal(0, 1); target += sum(X) + 2 + 3; }", ""},
		{matrix + free + "matrix[2, 2] V; vector[2] e; (V, e) = eigendecompose_sym(S * exp(x)); V * diag_matrix(e) * V' * " +
			"[z, 1]' ~ normal(0, 1); target += -e[1]; }",
			matrix + free + "exp(x) * S * [z, 1]' ~ normal(0, 1); target += -eigenvalues_sym(S)[1] * exp(x); }", ""},
	} {
		var values [2][]float64
		for i, src := range []string{c.with, c.without} {
			out, err := Compile(src, []byte(c.data), nil)
			if err != nil {
				t.Fatalf("%s: %v", src, err)
			}
			p := out.Tape.EvaluatorPool()
			for _, at := range [][]float64{{.3, -.7}, {-1.2, .4}, {.9, 2.1}} {
				slope := make([]float64, 2)
				values[i] = append(append(values[i], p.Gradient(at, slope)), slope...)
			}
		}
		for k, v := range values[0] {
			if off(v, values[1][k]) > 1e-10 {
				t.Errorf("%s: %v, not %v", c.with, values[0], values[1])
				break
			}
		}
	}
}

// TestTupleNames checks that outputs name the parts of tuples as CmdStan does.
func TestTupleNames(t *testing.T) {
	out, err := Compile("parameters { real x; } transformed parameters { tuple(real, vector[2]) a = (x, [x, 1]'); "+
		"array[2] tuple(real, tuple(real, real)) b; for (i in 1:2) b[i] = (x, (i, x)); } model { x ~ normal(0, 1); }", nil,
		nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"x", "a:1", "a:2.1", "a:2.2", "b.1:1", "b.1:2:1", "b.1:2:2", "b.2:1", "b.2:2:1", "b.2:2:2"}
	if got := out.Tape.OutputNames(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestTuplesOfParameters checks that a tuple of parameters becomes a parameter for each part, with its bounds, priors
// and name.
func TestTuplesOfParameters(t *testing.T) {
	t.Parallel()
	const with = "functions { real f(tuple(real, vector) a) { return a.1 * sum(a.2); } } " +
		"parameters { tuple(real<lower=0>, tuple(vector[2], simplex[2])) p; tuple(real, vector[2]) q; } " +
		"model { p.1 ~ exponential(2); p.2.1 ~ normal(0, p.1); q.1 ~ normal(0, 1); q.2[1] ~ normal(1, 2); " +
		"q.2[2] ~ normal(q.2[1], p.1); p.2.2 ~ dirichlet([1, 2]'); target += f(q) - f((p.1, p.2.1))^2; " +
		"tuple(real, vector[2]) r = q; (r.1, r.2) = (q.2[1], p.2.1); target += -square(r.1) * r.2[2]^2; }"
	const without = "functions { real f(tuple(real, vector) a) { return a.1 * sum(a.2); } } " +
		"parameters { real<lower=0> a; vector[2] b; simplex[2] c; real d; vector[2] e; } " +
		"model { a ~ exponential(2); b ~ normal(0, a); d ~ normal(0, 1); e[1] ~ normal(1, 2); e[2] ~ normal(e[1], a); " +
		"c ~ dirichlet([1, 2]'); target += f((d, e)) - f((a, b))^2; target += -square(e[1]) * b[2]^2; }"
	one, err := Compile(with, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := Compile(without, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	x := []float64{.3, -.2, .5, 1, .2, -.4, .7}
	if a, b := one.Tape.EvaluatorPool().LogF(x), other.Tape.EvaluatorPool().LogF(x); off(a, b) > 1e-14 {
		t.Errorf("%v, not %v", a, b)
	}
	want := []string{"p:1", "p:2:1.1", "p:2:1.2", "p:2:2.1", "p:2:2.2", "q:1", "q:2.1", "q:2.2"}
	if got := one.Tape.OutputNames(); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	for i, q := range one.Parameters {
		if q.Improper != other.Parameters[i].Improper || q.Improper || !slices.Equal(q.Priors, other.Parameters[i].Priors) {
			t.Errorf("%+v and %+v", q, other.Parameters[i])
		}
	}
	p, err := Parse(with)
	if err != nil {
		t.Fatal(err)
	}
	back, err := p.Posterior(nil)
	if err != nil {
		t.Fatal(err)
	}
	shown, u := make([]float64, len(want)), make([]float64, len(x))
	one.Tape.EvaluatorPool().Outputs(x, shown)
	if err := back.Free(shown, nil, u); err != nil {
		t.Fatal(err)
	}
	for i, v := range u {
		if off(v, x[i]) > 1e-12 {
			t.Errorf("coordinates %v, not %v", u, x)
			break
		}
	}
}
