package stats

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/internal/answers"
)

// golden reads a section of the shared golden file.
func golden(t *testing.T, section string, v any) {
	t.Helper()
	answers.Golden(t, section, v)
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s = %.15g, want %.15g", what, got, want)
	}
}

// The tolerance 1e-9 catches n for n-1 in any variance (a relative 1/n = 1e-2)
// and a jackknife scaled by (n-1)/n twice or never.
func TestLogWeightsGolden(t *testing.T) {
	t.Parallel()
	var g struct {
		Logw []float64 `json:"logw"`
		LogZ float64   `json:"logZ"`
		SE   float64   `json:"se_log_delta"`
		Kish float64   `json:"ess_kish"`
		ESS  float64   `json:"ess_varopt_eq5"`
		JB   float64   `json:"jackknife_bias_corrected"`
		JS   float64   `json:"jackknife_se"`
		Mean float64   `json:"mean_logw"`
	}
	golden(t, "ais_stats", &g)
	w := LogWeights(g.Logw)
	near(t, "LogMean", w.LogMean, g.LogZ, 1e-9)
	near(t, "SE", w.SE, g.SE, 1e-9)
	near(t, "ESSKish", w.ESSKish, g.Kish, 1e-9)
	near(t, "ESS", w.ESS, g.ESS, 1e-9)
	near(t, "JackLogMean", w.JackLogMean, g.JB, 1e-9)
	near(t, "JackSE", w.JackSE, g.JS, 1e-9)
	near(t, "MeanLog", w.MeanLog, g.Mean, 1e-9)
	if mean, se := LogMeanSE(g.Logw); mean != w.LogMean || se != w.SE {
		t.Errorf("LogMeanSE %v, %v and LogWeights %v, %v differ", mean, se, w.LogMean, w.SE)
	}
}

// 1e-9 catches a batch of floor(sqrt n) +- 1 (a change of several per cent).
func TestOBMGolden(t *testing.T) {
	t.Parallel()
	var g struct {
		X   []float64 `json:"x"`
		OBM float64   `json:"obm_var_of_mean"`
		BM  float64   `json:"bm_var_of_mean"`
	}
	golden(t, "errorbars", &g)
	near(t, "OBM", OBMVar(g.X), g.OBM, 1e-9)
	b := 20
	var means []float64
	for i := 0; i+b <= len(g.X); i += b {
		m, _ := MeanVar(g.X[i : i+b])
		means = append(means, m)
	}
	near(t, "BatchMeans", BatchMeansVar(means), g.BM, 1e-9)
}

// The same sums by their definitions with gonum, the jackknife by leaving each weight out in
// turn; 1e-11 catches what 1e-9 does above.
func TestAgainstGonum(t *testing.T) {
	t.Parallel()
	for n := 2; n < 60; n += 7 {
		f := float64(n)
		lw, w := make([]float64, n), make([]float64, n)
		for i := range lw { // from nearly equal weights to one dominant weight
			lw[i] = f/10*distuv.UnitNormal.Quantile((float64(i*17%n)+.5)/f) - 40
		}
		got := LogWeights(lw)
		logMean := floats.LogSumExp(lw) - math.Log(f)
		for i := range lw {
			w[i] = math.Exp(lw[i] - logMean)
		}
		without := make([]float64, n)
		for i := range lw {
			without[i] = floats.LogSumExp(slices.Delete(slices.Clone(lw), i, i+1)) - math.Log(f-1)
		}
		near(t, "LogMean", got.LogMean, logMean, 1e-11)
		near(t, "SE", got.SE, stat.StdErr(stat.StdDev(w, nil), f), 1e-11)
		near(t, "ESS", got.ESS, f/(1+stat.Variance(w, nil)), 1e-11)
		near(t, "ESSKish", got.ESSKish, f*f/floats.Dot(w, w), 1e-11)
		near(t, "MeanLog", got.MeanLog, stat.Mean(lw, nil), 1e-11)
		near(t, "VarLog", got.VarLog, stat.Variance(lw, nil), 1e-11)
		near(t, "JackSE", got.JackSE, (f-1)/math.Sqrt(f)*stat.StdDev(without, nil), 1e-11)
		near(t, "JackLogMean", got.JackLogMean, f*logMean-(f-1)*stat.Mean(without, nil), 1e-11)
		se := stat.StdErr(stat.StdDev(lw, nil), f)
		near(t, "BatchMeans", BatchMeansVar(lw), se*se, 1e-11)
		if n < 4 {
			continue
		}
		b := int(math.Sqrt(f))
		sum := 0.0
		for j := range n - b + 1 {
			sum += math.Pow(stat.Mean(lw[j:j+b], nil)-stat.Mean(lw, nil), 2)
		}
		near(t, "OBM", OBMVar(lw), float64(b)/((f-float64(b))*(f-float64(b)+1))*sum, 1e-11)
	}
}

func TestLogWeightsEdges(t *testing.T) {
	t.Parallel()
	inf := math.Inf(-1)
	if w := LogWeights([]float64{inf, inf}); !math.IsInf(w.LogMean, -1) || !math.IsNaN(w.SE) {
		t.Errorf("all-zero weights: %+v", w)
	}
	if w := LogWeights([]float64{3}); w.LogMean != 3 || !math.IsNaN(w.SE) {
		t.Errorf("one weight: %+v", w)
	}
	w := LogWeights([]float64{700, 700, 700})
	near(t, "equal weights LogMean", w.LogMean, 700, 1e-14)
	if w.SE != 0 || w.ESS != 3 || w.ESSKish != 3 {
		t.Errorf("equal weights: %+v", w)
	}
	for _, lw := range [][]float64{{inf, inf}, {3}, {700, 700, 700}, {inf, 1, 2}} {
		w := LogWeights(lw)
		if mean, se := LogMeanSE(lw); mean != w.LogMean || se != w.SE && (num.NotNaN(se) || num.NotNaN(w.SE)) {
			t.Errorf("%v: LogMeanSE %v, %v and LogWeights %v, %v differ", lw, mean, se, w.LogMean, w.SE)
		}
	}
}

// autoregression returns a stationary series x_t = phi x_(t-1) + e of variance 1 and mean 0.
func autoregression(phi float64, n int, seed uint32) []float64 {
	s := rng.NewKey(seed, "autoregression", 0).Stream(0, 0, 0)
	x, out := s.Norm(), make([]float64, n)
	for i := range out {
		out[i] = x
		x = phi*x + math.Sqrt(1-phi*phi)*s.Norm()
	}
	return out
}

// Error bars of autocorrelated series have the right size: of the mean, and by the influence series of the log of a
// mean, whose exact value is log E[exp(x/2)] = 1/8. The rms z of 400 series has a noise of 0.035. Error bars that
// ignore autocorrelation have an rms z of 1.7 at phi = 0.5 and 4.4 at 0.9.
func TestAutocorrelatedBarsHold(t *testing.T) {
	t.Parallel()
	const series, n = 400, 5000
	for _, phi := range []float64{0, .5, .9} {
		var mean, log, naive, inefficiency Welford // of squared z
		for seed := range uint32(series) {
			x := autoregression(phi, n, seed)
			m, v := MeanVar(x)
			mean.Add(m * m / OBMVar(x))
			naive.Add(m * m / (v / n))
			inefficiency.Add(Inefficiency(x))
			u := make([]float64, n)
			for i := range x {
				u[i] = math.Exp(x[i] / 2)
			}
			m, _ = MeanVar(u)
			for i := range u {
				u[i] /= m
			}
			z := math.Log(m) - 1./8
			log.Add(z * z / OBMVar(u))
		}
		of, tau := math.Sqrt(mean.Mean), (1+phi)/(1-phi)
		t.Logf("phi %.1f: rms z %.3f, of logs %.3f, if independent %.2f; inefficiency %.2f, exact %.2f", phi, of,
			math.Sqrt(log.Mean), math.Sqrt(naive.Mean), inefficiency.Mean, tau)
		if !(of >= .85 && of <= 1.2) {
			t.Errorf("phi = %v: rms z of means is %.3f", phi, of)
		}
		if z := math.Sqrt(log.Mean); !(z >= .85 && z <= 1.2) {
			t.Errorf("phi = %v: rms z of logs of means is %.3f", phi, z)
		}
		if r := inefficiency.Mean / tau; !(r > .8 && r < 1.1) {
			t.Errorf("phi = %v: inefficiency = %.2f, want %.2f", phi, inefficiency.Mean, tau)
		}
	}
	if x := Inefficiency([]float64{1, 1, 1, 1}); num.NotNaN(x) {
		t.Errorf("constant series: Inefficiency = %v, want NaN", x)
	}
}
