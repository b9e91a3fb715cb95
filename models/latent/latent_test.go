package latent

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/internal/answers"
	"logzlab/internal/labtest"
	"logzlab/internal/tier"
	"logzlab/models"
)

// kinds reads files of the family.
var kinds = models.Kinds{&GLMMKind, &SVKind, &LGSSMKind}

// repeatsFor returns n, or four times n in the release tier.
func repeatsFor(n int) int { return n * tier.Size(1, 1, 4) }

// estimateMean checks that the mean of exp(estimate - exact) is 1, for log estimates of m at the parameters x.
func estimateMean(t *testing.T, what string, m *Model, x []float64, exact float64, repeats int) {
	t.Helper()
	estimate := m.estimator(m.Draws())
	var w, l stats.Welford
	for i := range uint32(repeats) {
		s := rng.NewKey(1, "estimate", 0).Stream(0, i, 0)
		z := estimate(&s, x) - exact
		w.Add(num.Exp(z))
		l.Add(z)
	}
	se := math.Sqrt(w.Var() / float64(repeats))
	t.Logf("%s: N = %d, mean %.4f +- %.4f, variance of the log %.3f", what, m.Draws(), w.Mean, se, l.Var())
	if l.Var() > 30 { // the mean depends on very rare estimates
		return
	}
	if !(math.Abs(w.Mean-1) < 4*se) || se > .2 {
		t.Errorf("%s: the mean of estimate/exact is %.4f +- %.4f", what, w.Mean, se)
	}
}

// Estimates of the likelihood are unbiased for few and for many draws, compared with independent quadrature and a
// Kalman filter. The test fails with a first state that is not stationary, resampling without weights, one log of the
// mean for all data, a t distribution without its scale, or an exact likelihood that omits a datum.
func TestEstimatesUnbiased(t *testing.T) {
	tier.Test(t)
	for _, c := range []struct {
		file string
		set  spec.Values
	}{
		{"glmm", spec.Values{"latent": "prior"}}, {"glmm", spec.Values{"latent": "laplace"}},
		{"sv8", nil}, {"lgssm", spec.Values{"likelihood": "filter"}},
	} {
		truth := labtest.ReadTruth(t, "public_"+c.file)
		var check struct {
			Theta [][]float64 `json:"theta_check"`
			Log   []float64   `json:"loglik_check"`
		}
		if err := json.Unmarshal(truth.Content, &check); err != nil {
			t.Fatal(err)
		}
		if c.file == "lgssm" {
			exact := labtest.Open(t, truth, nil, kinds.ReadFile, models.FromFile).(*Kalman)
			labtest.Near(t, "log Z", exact.Truth().LogZ, truth.LogZ.(float64), 1e-7)
			got, _ := exact.LadderLogZ(truth.Betas)
			for k := range got {
				labtest.Near(t, fmt.Sprint("log Z at ", truth.Betas[k]), got[k], truth.LogZs[k], 1e-7)
			}
			for i, x := range check.Theta {
				labtest.Near(t, "log likelihood", exact.p.logLik(x), check.Log[i], 1e-10)
			}
		}
		for _, n := range []int{3, 20, 200} {
			v := spec.Values{"inner": strconv.Itoa(n)}
			for k, x := range c.set {
				v[k] = x
			}
			m := labtest.Open(t, truth, v, kinds.ReadFile, models.FromFile).(*Model)
			for i, x := range check.Theta {
				estimateMean(t, fmt.Sprint(c.file, " ", c.set, " ", i), m, x, check.Log[i], repeatsFor(2000+20000/n))
			}
		}
	}
}

// poundDollar returns the shared data: returns in percent, centred.
func poundDollar(t *testing.T) (y []float64) {
	b := answers.Read(t, "pound_dollar_1981_1985.csv")
	mean := 0.0
	for _, line := range strings.Fields(string(b)) {
		cells := strings.Split(line, ",")
		if x, err := strconv.ParseFloat(cells[len(cells)-1], 64); err == nil {
			y = append(y, x)
			mean += x
		}
	}
	for i := range y {
		y[i] -= mean / float64(len(y))
	}
	return y
}

// sv-pound has these returns with six decimals, and its description says that they were centred.
func TestPoundDollarModel(t *testing.T) {
	m, err := kinds.Open("sv-pound", nil, func(file string) ([]byte, error) {
		return os.ReadFile("../../site/models/" + file)
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	y, want := m.(*Model).series.y, poundDollar(t)
	if len(y) != len(want) {
		t.Fatalf("%d returns", len(y))
	}
	for i := range y {
		if math.Abs(y[i]-want[i]) > 1e-6 {
			t.Errorf("return %d is %v, not %v", i, y[i], want[i])
		}
	}
	says := m.Info().Understood.Error()
	if !strings.Contains(says, "945 returns") || !strings.Contains(says, "-0.03531 subtracted") ||
		!strings.Contains(says, "log Z is in percent") || m.(*Model).Truth() != nil {
		t.Errorf("sv-pound says %q", says)
	}
}

// The likelihood of 945 returns of the pound in dollars at fixed parameters equals that of a filter on a grid.
func TestPoundDollarLikelihood(t *testing.T) {
	y := poundDollar(t)
	if len(y) != 945 {
		t.Fatalf("%d returns", len(y))
	}
	m, err := models.FromFile("own", SVParams{Y: y}, spec.Values{"inner": "300"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range [][4]float64{{.9731, .1726, .6338, -918.658477}, {.97762, .1382, .64733, -919.342499}} {
		x := []float64{2 * math.Log(c[2]), math.Atanh(c[0]), 2 * math.Log(c[1])}
		estimateMean(t, "Pound/Dollar", m.(*Model), x, c[3], repeatsFor(100))
	}
}

// BenchmarkFilter measures an estimate of the likelihood of 945 returns, with SIMD if available and in plain Go.
func BenchmarkFilter(b *testing.B) {
	m, _ := models.FromFile("own", simulatedSV(945), spec.Values{"inner": "100"}, nil)
	estimate := m.(*Model).estimator(100)
	for _, pure := range []bool{false, true} {
		b.Run(fmt.Sprint("go=", pure), func(b *testing.B) {
			kernel.PureGo = pure
			defer func() { kernel.PureGo = false }()
			s := rng.NewKey(1, "estimate", 0).Stream(0, 0, 0)
			for b.Loop() {
				estimate(&s, []float64{-.5, 1.8, -2.5})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/94500, "ns/particle")
		})
	}
}
