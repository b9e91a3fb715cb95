package labtest

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/num/rng"
)

// Bit returns bit i of state s.
func Bit(s, i int) float64 { return float64(s >> i & 1) }

// Normalize converts log weights to probabilities.
func Normalize(logw []float64) []float64 {
	total := floats.LogSumExp(logw)
	out := make([]float64, len(logw))
	for i, w := range logw {
		out[i] = math.Exp(w - total)
	}
	return out
}

// LogNormal is the log density of N(m, s^2).
func LogNormal(x, m, s float64) float64 { return distuv.Normal{Mu: m, Sigma: s}.LogProb(x) }

// ChiSquare tests the counts of states against their probabilities p. States with an expected count below 5 are pooled; if
// the expected count of the pool is below 5, its count is tested as a Poisson variable. A correct sampler fails for about
// one seed in a million.
func ChiSquare(t *testing.T, what string, count []int, p []float64) {
	t.Helper()
	const rare = 1e-6
	n := 0
	for _, c := range count {
		n += c
	}

	// The chi-square statistic, and the pool of rare states.
	x, df, poolC, poolE := 0.0, -1.0, 0.0, 0.0
	take := func(c, e float64) {
		x += (c - e) * (c - e) / e
		df++
	}
	for i, c := range count {
		if e := p[i] * float64(n); e < 5 {
			poolC += float64(c)
			poolE += e
		} else {
			take(float64(c), e)
		}
	}

	// The pool counts as a state if its expected count is large enough.
	if poolE >= 5 {
		take(poolC, poolE)
	} else if poolC > 0 && !((distuv.Poisson{Lambda: poolE}).Survival(poolC-1) > rare) {
		t.Errorf("%s: %v draws of rare states, expected %.2g", what, poolC, poolE)
	}

	// The test.
	if df < 1 {
		return
	}
	if p := (distuv.ChiSquared{K: df}).Survival(x); !(p > rare) {
		t.Errorf("%s: chi-square %.1f with %v degrees of freedom, p = %.1g", what, x, df, p)
	}
}

// Moments compares the means of N samples with exact means. The z-score of each must have |z| < 4.
type Moments struct {
	N     float64
	Sum   []float64 // sum of each moment over the samples
	names []string
	mean  []float64
	vari  []float64
}

// Expect adds a moment with its exact mean and variance.
func (m *Moments) Expect(mean, variance float64, format string, args ...any) {
	m.names = append(m.names, fmt.Sprintf(format, args...))
	m.mean, m.vari, m.Sum = append(m.mean, mean), append(m.vari, variance), append(m.Sum, 0)
}

// Test fails the test for every moment with |z| ≥ 4.
func (m *Moments) Test(t *testing.T, what string) {
	t.Helper()
	for i, s := range m.Sum {
		z := (s - m.N*m.mean[i]) / math.Sqrt(m.N*m.vari[i])
		if !(math.Abs(z) < 4) {
			t.Errorf("%s: %s has mean %.5g, exactly %.5g, z = %.1f", what, m.names[i], s/m.N, m.mean[i], z)
		}
	}
}

// BitMoments returns the moments of n samples of states with the given probabilities: E[b_i] of each bit, and E[b_i
// b_(i+1)].
func BitMoments(bits int, probs []float64, n int) *Moments {
	m := &Moments{N: float64(n)}
	for i := range 2 * bits {
		mean := 0.0
		for v, q := range probs {
			mean += q * bitMoment(bits, i, v)
		}
		m.Expect(mean, mean*(1-mean)+1e-300, "moment %d", i)
	}
	return m
}

// bitMoment returns moment i of state v.
func bitMoment(bits, i, v int) float64 {
	if i < bits {
		return Bit(v, i)
	}
	return Bit(v, i-bits) * Bit(v, (i-bits+1)%bits)
}

// AddBits adds a sample to moments of which the first are those of BitMoments.
func (m *Moments) AddBits(bits, state int) {
	for i := range 2 * bits {
		m.Sum[i] += bitMoment(bits, i, state)
	}
}

// Categorical draws from probabilities exactly, by inversion.
type Categorical []float64

// NewCategorical returns the distribution with probabilities pi.
func NewCategorical(pi []float64) Categorical {
	cdf, sum := make(Categorical, len(pi)), 0.0
	for i, q := range pi {
		sum += q
		cdf[i] = sum
	}
	return cdf
}

// Draw returns a random state.
func (c Categorical) Draw(s *rng.Stream) int {
	i, _ := slices.BinarySearch(c, s.Float64()*c[len(c)-1])
	return i
}
