package program

import (
	"math"
	"strings"
	"testing"

	"logzlab/models"
	"logzlab/models/stan/tape"
)

// integrable opens a tape and returns its capability Integral.
func integrable(t *testing.T, tape *tape.Tape) models.Integral {
	t.Helper()
	m, err := Params{tape}.Open("integral", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return models.CapabilitiesOf(m).Exact.Integral
}

// mixed is a mixture of two normal densities in d coordinates with log Z = 0.
func mixed(t *testing.T, d int, a, sa, b, sb float64) *tape.Tape {
	builder := tape.NewBuilder(d)
	p, q := []tape.Scalar{tape.Const(-math.Ln2)}, []tape.Scalar{tape.Const(-math.Ln2)}
	for _, x := range builder.Inputs() {
		p = append(p, normal(builder, x, tape.Const(a), tape.Const(sa)))
		q = append(q, normal(builder, x, tape.Const(b), tape.Const(sb)))
	}
	builder.Target(builder.LogSumExp([]tape.Scalar{builder.Sum(p), builder.Sum(q)}))
	return finish(t, builder)
}

// TestIntegral checks that integrals are correct within their errors, also if climbs do not find all modes.
func TestIntegral(t *testing.T) {
	t.Parallel()
	for d := 1; d <= 3; d++ {
		for _, c := range [][4]float64{{0, 1, 10, 1}, {-5, .3, 5, 1}, {-100, .2, 100, 5}, {0, .2, 40, .2}} {
			if d == 3 && testing.Short() && c[2] != 10 {
				continue
			}
			z, err := integrable(t, mixed(t, d, c[0], c[1], c[2], c[3])).Integrate(func(float64) bool { return true })
			if err != nil || !(math.Abs(z.LogZ) <= z.Error+1e-12) || z.Error > 1e-3 {
				t.Errorf("%d coordinates, %v: %+v, %v", d, c, z, err)
			}
		}
	}
}

// TestNoIntegral checks the errors of programs without an exact value.
func TestNoIntegral(t *testing.T) {
	t.Parallel()
	flat := tape.NewBuilder(1)
	flat.Target(flat.Inputs()[0]) // the log of a scale without a prior
	disc := tape.NewBuilder(2)
	x := disc.Inputs()
	inside := disc.Do(tape.Step, disc.Do(tape.Sub, tape.Const(1), disc.Sum([]tape.Scalar{disc.Do(tape.Square, x[0]),
		disc.Do(tape.Square, x[1])})))
	disc.Target(disc.Do(tape.Select, inside, tape.Const(0), tape.Const(math.Inf(-1))))
	four := tape.NewBuilder(4)
	for _, x := range four.Inputs() {
		four.Target(normal(four, x, tape.Const(0), tape.Const(1)))
	}
	for says, tape := range map[string]*tape.Tape{"is infinite": finish(t, flat), "did not converge": finish(t, disc),
		"has 4 coordinates": finish(t, four)} {
		m, err := Params{tape}.Open("integral", "", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		exact, z := models.CapabilitiesOf(m).Exact, (*models.Truth)(nil)
		if err = exact.NoIntegral; err == nil {
			z, err = exact.Integral.Integrate(func(float64) bool { return true })
		}
		if z != nil || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Integrate = %+v, %v, want an error that contains %q", z, err, says)
		}
	}
}

// TestStoppedIntegral checks that after a stopped integration the next call returns the complete result.
func TestStoppedIntegral(t *testing.T) {
	t.Parallel()
	m := integrable(t, mixed(t, 2, 0, 1, 10, 1))
	calls := 0
	if z, err := m.Integrate(func(float64) bool { calls++; return calls < 10 }); z != nil || err != nil {
		t.Errorf("%v, %v", z, err)
	}
	if z, err := m.Integrate(func(float64) bool { return true }); z == nil || err != nil {
		t.Errorf("%v, %v", z, err)
	}
	if z, err := m.Integrate(func(float64) bool { return false }); z == nil || err != nil { // the result is known now
		t.Errorf("%v, %v", z, err)
	}
}
