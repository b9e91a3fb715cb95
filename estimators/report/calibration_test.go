package report

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"logzlab/estimators/labtest"
	"logzlab/models"
)

// rmsZ is the root mean square of (log Z - exact)/s.e. over the replicates whose
// error bar claims to be calibrated, and their number.
func rmsZ(t *testing.T, m models.Model, truth float64, link string) (rms, mean float64, n int) {
	t.Helper()
	j := newJob(t, m, link)
	finished(t, j, runtime.NumCPU())
	sum := 0.0
	for _, res := range j.Standing(j.Spec.Methods[0]).Results {
		if slices.Contains(res.Flags, "se_optimistic") {
			continue
		}
		z := (res.LogZ - truth) / res.SE
		sum += z * z
		mean += z
		n++
	}
	return math.Sqrt(sum / float64(n)), mean / float64(n), n
}

// Where an error bar claims to be calibrated, the rms z lies in [0.85, 1.2]. With
// 400 replicates its own noise is 0.035. The range catches n for n-1 only at few
// chains, but sd for sd/sqrt(n) (10 times), an s.e. without the covariance of c_1
// and c_K, within-chain errors that ignore autocorrelation, and rungs counted as
// independent sweeps.
func TestCalibration(t *testing.T) {
	if testing.Short() {
		t.Skip("400 replicates: native only")
	}
	tiny := labtest.RBMModel(t, 10, 5, .5, 1)
	two := labtest.HillsModel(t, 2, 3, 3, 1, 1)
	square := labtest.IsingModel(t, 4, 4, true, .4)
	for _, c := range []struct {
		name  string
		model models.Model
		link  string
	}{
		{"is", labtest.RBMModel(t, 6, 3, .15, 2), "is&is.particles=1000"},
		{"ais tiny rbm", tiny, "ais&ais.temperatures=50"},
		{"ais mixture", two, "ais&ais.temperatures=200"},
		{"ais ising", square, "ais&ais.temperatures=50"},
		{"rts tiny rbm", tiny, "rts&rts.chains=40&rts.init_rounds=3&rts.init_sweeps=20&rts.sweeps=60&rts.temperatures=12"},
		{"rts mixture", two, "rts&rts.chains=40&rts.init_rounds=3&rts.init_sweeps=30&rts.sweeps=100&rts.temperatures=12"},
		{"rts ising", square, "rts&rts.chains=40&rts.init_rounds=3&rts.init_sweeps=20&rts.sweeps=60&rts.temperatures=12"},
		{"bar tiny rbm", tiny, "bar&bar.chains=40&bar.init_rounds=3&bar.init_sweeps=20&bar.sweeps=60&bar.temperatures=12"},
		{"bar mixture", two, "bar&bar.chains=40&bar.init_rounds=3&bar.init_sweeps=30&bar.sweeps=100&bar.temperatures=12"},
		{"mbar tiny rbm", tiny, "mbar&mbar.chains=40&mbar.init_rounds=3&mbar.init_sweeps=20&mbar.sweeps=60" +
			"&mbar.temperatures=12"},
		{"mbar mixture", two, "mbar&mbar.chains=40&mbar.init_rounds=3&mbar.init_sweeps=30&mbar.sweeps=100" +
			"&mbar.temperatures=12"},
		{"mbar ising", square, "mbar&mbar.chains=40&mbar.init_rounds=3&mbar.init_sweeps=20&mbar.sweeps=60" +
			"&mbar.temperatures=12"},
		{"mbar fixed rbm", tiny, "mbar&mbar.chains=24&mbar.samples=fixed&mbar.sweeps=400&mbar.temperatures=12"},
		{"bar 4 chains rbm", tiny, "bar&bar.chains=4&bar.init_rounds=3&bar.init_sweeps=50&bar.sweeps=900&bar.temperatures=6"},
		{"rts 4 chains rbm", tiny, "rts&rts.chains=4&rts.init_rounds=3&rts.init_sweeps=50&rts.sweeps=900&rts.temperatures=6"},
		{"rts 4 chains mixture", two, "rts&rts.chains=4&rts.init_rounds=3&rts.init_sweeps=50&rts.sweeps=2500" +
			"&rts.temperatures=6"},
		{"rts 4 chains ising", square, "rts&rts.chains=4&rts.init_rounds=3&rts.init_sweeps=50&rts.sweeps=900" +
			"&rts.temperatures=6"},
	} {
		truth := c.model.(models.Known).Truth().LogZ
		rms, mean, n := rmsZ(t, c.model, truth, c.link+"&replicates=400")
		t.Logf("%-22s rms z %.3f, mean z %+.3f, %d of 400 claim to be calibrated", c.name, rms, mean, n)
		if !(rms >= .85 && rms <= 1.2) || n < 200 {
			t.Errorf("%s: rms z = %.3f over %d replicates", c.name, rms, n)
		}
	}
}
