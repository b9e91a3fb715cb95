package report

import (
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
)

// rmsZ returns, for each method of a link, the root mean square of (log Z - exact)/s.e. over the replicates whose error
// bar counts as calibrated, their mean, and their number.
func rmsZ(t *testing.T, m models.Model, truth float64, link string, say func(method string, rms, mean float64, n int)) {
	t.Helper()
	j := newJob(t, m, link)
	finished(t, j, runtime.NumCPU())
	for _, method := range j.Spec.Methods {
		sum, mean, n := 0.0, 0.0, 0
		for _, res := range j.Status(method).Results {
			if slices.Contains(res.Flags, "se_optimistic") {
				continue
			}
			z := (res.LogZ - truth) / res.SE
			sum += z * z
			mean += z
			n++
		}
		say(method, math.Sqrt(sum/float64(n)), mean/float64(n), n)
	}
}

// If an error bar counts as calibrated, rms z is in [0.85, 1.2]. With 400 replicates its own noise is 0.035. The range
// detects n in place of n-1 only at few chains, but sd in place of sd/sqrt(n) (10 times), an s.e. without the
// covariance of c_1 and c_K, errors within chains that ignore autocorrelation, and rungs counted as independent sweeps.
func TestCalibration(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	tiny := testmodels.RBMModel(t, 10, 5, .5, 1)
	two := testmodels.HillsModel(t, 2, 3, 3, 1, 1)
	square := testmodels.IsingModel(t, 4, 4, true, .4)
	const short = " init_rounds=3 init_sweeps=20 sweeps=60 temperatures=12"
	for _, c := range []struct {
		name            string
		model           models.Model
		methods, params string
	}{
		{"6x3 rbm", testmodels.RBMModel(t, 6, 3, .15, 2), "is", "particles=1000"},
		{"tiny rbm", tiny, "ais", "temperatures=50"},
		{"mixture", two, "ais", "temperatures=200"},
		{"ising", square, "ais", "temperatures=50"},
		{"tiny rbm", tiny, "rts,bar,mbar", "chains=40" + short},
		{"mixture", two, "rts,bar,mbar", "chains=40 init_rounds=3 init_sweeps=30 sweeps=100 temperatures=12"},
		{"ising", square, "rts,mbar", "chains=40" + short},
		{"tiny rbm, fixed", tiny, "mbar", "chains=24 samples=fixed sweeps=400 temperatures=12"},
		{"tiny rbm, 4 chains", tiny, "rts,bar", "chains=4 init_rounds=3 init_sweeps=50 sweeps=900 temperatures=6"},
		{"mixture, 4 chains", two, "rts", "chains=4 init_rounds=3 init_sweeps=50 sweeps=2500 temperatures=6"},
		{"ising, 4 chains", square, "rts", "chains=4 init_rounds=3 init_sweeps=50 sweeps=900 temperatures=6"},
	} {
		truth := models.TruthOf(c.model).LogZ
		link := c.methods
		for _, method := range strings.Split(c.methods, ",") {
			for _, p := range strings.Fields(c.params) {
				link += "&" + method + "." + p
			}
		}
		rmsZ(t, c.model, truth, link+"&replicates=400", func(method string, rms, mean float64, n int) {
			t.Logf("%-4s %-18s rms z %.3f, mean z %+.3f, %d of 400 claim to be calibrated", method, c.name, rms, mean, n)
			if !(rms >= .85 && rms <= 1.2) || n < 200 {
				t.Errorf("%s of %s: rms z = %.3f over %d replicates", method, c.name, rms, n)
			}
		})
	}
}
