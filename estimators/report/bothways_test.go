package report

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
)

// On the shared RBMs, on short ladders, the joint estimate of both directions varies far less than either end: by less
// than 0.65 of the better one; independence would allow 0.71 at best. Its mean is within 4 s.e. of the exact value and
// its jackknife error agrees with the replicates.
func TestBothWays(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	for _, x := range []struct {
		name string
		k    int
	}{{"public_rbm_tiny.json", 6}, {"public_rbm_24x12.json", 8}, {"public_rbm_bas9_cd1.json", 3}} {
		m, truth := testmodels.TruthModel(t, x.name, 0)
		bothWays(t, x.name, m, truth, x.k)
	}
	m := testmodels.RBMModel(t, 40, 16, .6, 7)
	bothWays(t, "rbm 40x16", m, models.TruthOf(m).LogZ, 60)
}

func bothWays(t *testing.T, name string, m models.Model, truth float64, k int) {
	t.Helper()
	j := newJob(t, m, fmt.Sprintf("ais-bar&replicates=60&ais-bar.temperatures=%d", k))
	finished(t, j, runtime.NumCPU())
	var joint, ahead, back, z2 stats.Welford
	for _, r := range j.Status("ais-bar").Results {
		joint.Add(r.LogZ)
		ahead.Add(r.Diagnostics[estimators.DiagLogZForward])
		back.Add(r.Diagnostics[estimators.DiagLogZReverse])
		z := (r.LogZ - truth) / r.SE
		z2.Add(z * z)
	}
	sd, ends := math.Sqrt(joint.Var()), [2]float64{math.Sqrt(ahead.Var()), math.Sqrt(back.Var())}
	z, rms := (joint.Mean-truth)/(sd/math.Sqrt(float64(joint.N))), math.Sqrt(z2.Mean)
	t.Logf("%-24s sd %.4f, of its ends %.4f and %.4f; z %+.2f, rms z %.2f", name, sd, ends[0], ends[1], z, rms)
	if !(sd < .65*min(ends[0], ends[1])) {
		t.Errorf("%s: sd %.4f is not far below %v", name, sd, ends)
	}
	if !(math.Abs(z) < 4) || !(rms > .75 && rms < 1.3) { // 3 s.e. of rms z are .27
		t.Errorf("%s: z = %.2f, rms z = %.2f", name, z, rms)
	}
}
