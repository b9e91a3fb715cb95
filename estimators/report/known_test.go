package report

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/internal/tier"
	"logzlab/models"
)

// measured is the outcome of replicates of one experiment on a known log Z.
type measured struct {
	z, sd, rms, seconds float64
	r                   *Report
}

// measure runs 30 replicates of a method at the given settings.
func measure(t *testing.T, m models.Model, truth float64, method string) measured {
	t.Helper()
	start := time.Now()
	j := newJob(t, m, method+"&replicates=30")
	r := finished(t, j, runtime.NumCPU())[0]
	out := measured{r: r, z: (float64(r.LogZ) - truth) / float64(r.SE), sd: float64(r.Summary.SD),
		seconds: time.Since(start).Seconds()}
	sum := 0.0
	for i, x := range r.Replicates {
		d := (float64(x) - truth) / float64(r.ReplicateSE[i])
		sum += d * d
	}
	out.rms = math.Sqrt(sum / float64(len(r.Replicates)))
	return out
}

// judge checks the demands of the issue: |z| < 4 and replicate sd at most 0.5 nat. With s.e. of 0.002 to 0.03 nat on
// these models, 4 s.e. detect the missing c_1 term of eq. 12 (0.1 nat and more), the mean of log weights in place of
// the log of the mean (half their variance), a missing burn-in on slow models, and any density off by a constant of its
// path.
func judge(t *testing.T, name, method string, x measured) {
	t.Helper()
	lower, upper, exact := float64(x.r.Lower), float64(x.r.Upper), float64(x.r.Truth.LogZ)
	t.Logf("%-22s %-4s z %+5.2f  sd %.4f  rms z %.2f  sandwich %+.4f %+.4f  %.1f s  %v", name, method, x.z, x.sd, x.rms,
		lower-exact, upper-exact, x.seconds, x.r.Flags)
	if !(math.Abs(x.z) < 4) {
		t.Errorf("%s, %s: z = %.2f (log Z %v +- %v, exact %v)", name, method, x.z, x.r.LogZ, x.r.SE, exact)
	}
	if !(x.sd <= .5) {
		t.Errorf("%s, %s: the replicates' sd is %.3f nat", name, method, x.sd)
	}
	if method != "ais" {
		return
	}
	// Lower and upper are means over replicates of ends that are 2 s.e. outside their bounds; the tolerance is 2 of
	// their own s.e. more.
	slack := 2 * float64(x.r.SE)
	if !(lower <= exact+slack) {
		t.Errorf("%s: lower end %v above the exact %v", name, lower, exact)
	}
	if !math.IsNaN(upper) && !(upper >= exact-slack) {
		t.Errorf("%s: upper end %v below the exact %v", name, upper, exact)
	}
}

// known runs both methods at their defaults on one model.
func known(t *testing.T, name string, m models.Model, truth float64) {
	t.Helper()
	for _, method := range []string{"ais", "ais-bar", "rts"} {
		x := measure(t, m, truth, method)
		if x.r.Truth == nil {
			x.r.Truth = &Truth{LogZ: Number(truth), Source: "test"}
		} else if d := float64(x.r.Truth.LogZ) - truth; !(math.Abs(d) < 1e-4) {
			t.Errorf("%s: own exact value %v, known answer %v", name, x.r.Truth.LogZ, truth)
		}
		judge(t, name, method, x)
	}
}

// truthFile is one of the known answers.
type truthFile struct {
	name string
	beta float64
}

// TestKnownAnswers checks the demands of the issue on the known answers, on one model of each kind and shape;
// TestSurvey runs them all.
func TestKnownAnswers(t *testing.T) {
	t.Parallel()
	tier.Release(t) // before it, the families' own tests of bias run smaller
	runTruths(t, []truthFile{{"public_rbm_tiny.json", 0}, {"public_rbm_24x12.json", 0}, {"public_gmm10.json", 0},
		{"public_ising_4x4.json", .5}})
}

func runTruths(t *testing.T, files []truthFile) {
	t.Helper()
	for _, f := range files {
		m, truth := testmodels.TruthModel(t, f.name, f.beta)
		name := f.name
		if f.beta != 0 {
			name += " " + format.Fixed(f.beta, 2)
		}
		t.Run(name, func(t *testing.T) { known(t, name, m, truth) })
	}
}

// The mixture of the paper by Hamiltonian Monte Carlo, whose steps a pilot finds.
func TestKnownHamiltonian(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	m, err := catalog.Kinds.Open("mixture10", spec.Values{"moves": "1", "proposal": "hmc"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for method, link := range map[string]string{"ais": "ais&ais.temperatures=300",
		"rts": "rts&rts.sweeps=300&rts.temperatures=40"} {
		judge(t, "mixture10, hmc", method, measure(t, m, 2.5, link))
	}
}

// By cluster moves a lattice near its critical temperature has Kaufman's value, and a smaller spread at the same
// sweeps: 0.23 and 0.27 nats, in place of 0.44 with single draws. Bonds that hold with probability 1 - exp(-k) in place
// of 1 - exp(-2 k) are more than ten nats off.
func TestKnownClusters(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	m, err := catalog.Kinds.Open("ising16", spec.Values{"sweep": "clusters"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []string{"rts&rts.chains=30&rts.sweeps=300&rts.temperatures=40",
		"ais&ais.chains=30&ais.temperatures=500"}[:tier.Size(1, 1, 2)] {
		method, _, _ := strings.Cut(link, "&")
		x := measure(t, m, 238.387247, link)
		judge(t, "ising16, clusters", method, x)
		if !(x.sd < .36) {
			t.Errorf("%s: the spread is %g nats", method, x.sd)
		}
	}
}

// survey skips tests of many minutes unless they are requested.
func survey(t *testing.T) {
	t.Helper()
	if os.Getenv("LOGZ_SURVEY") == "" {
		t.Skip("set LOGZ_SURVEY=1 to run the full survey (many minutes)")
	}
}

// truthFiles are the known answers of kinds rbm, gmm and ising with beta <= 0.5.
var truthFiles = func() []truthFile {
	files := []truthFile{{"public_rbm_tiny.json", 0}, {"public_rbm_24x12.json", 0}, {"public_rbm_bas9_cd1.json", 0},
		{"public_gmm2.json", 0}, {"public_gmm10.json", 0}}
	for _, beta := range []float64{.1, .2, .3, .4, .44068679350977147, .5} {
		files = append(files, truthFile{"public_ising_4x4.json", beta}, truthFile{"public_ising_4x4_open.json", beta})
	}
	return files
}()

func TestSurveyTruths(t *testing.T) {
	survey(t)
	runTruths(t, truthFiles)
}

// Models that resemble the acceptance models, which are not in the folder.
func TestSurveyModels(t *testing.T) {
	survey(t)
	exact := func(name string, m models.Model) {
		t.Run(name, func(t *testing.T) {
			truth, err := engine.Exact(t.Context(), m, runtime.NumCPU())
			if err != nil {
				t.Fatal(err)
			}
			known(t, name, m, truth.LogZ)
		})
	}
	for seed := range uint32(3) {
		exact("rbm 40x16 sd .3", testmodels.RBMModel(t, 40, 16, .3, seed))
	}
	exact("rbm 40x16 sd .6", testmodels.RBMModel(t, 40, 16, .6, 7))
	exact("rbm 100x10 sd .25", testmodels.RBMModel(t, 100, 10, .25, 1))
	exact("rbm 100x10 sd .4", testmodels.RBMModel(t, 100, 10, .4, 2))
	exact("gmm 5-D 3 hills", testmodels.HillsModel(t, 5, 3, 4, -3, 1))
	exact("gmm 5-D 3 hills far", testmodels.HillsModel(t, 5, 3, 6, 2, 2))
	exact("gmm 20-D 3 hills", testmodels.HillsModel(t, 20, 3, 4, 100, 1))
	for _, beta := range []float64{.3, .44, .5} {
		name := format.Fixed(beta, 2)
		exact("ising 8x8 torus "+name, testmodels.IsingModel(t, 8, 8, true, beta))
		exact("ising 8x8 open "+name, testmodels.IsingModel(t, 8, 8, false, beta))
		exact("ising 5x7 torus "+name, testmodels.IsingModel(t, 5, 7, true, beta))
		exact("ising 5x7 open "+name, testmodels.IsingModel(t, 5, 7, false, beta))
	}
	exact("ising 16x16 torus .5", testmodels.IsingModel(t, 16, 16, true, .5))
}

// The size of the bundled RBMs: 30 replicates of either method within 5 minutes on two cores, as the issue demands.
func TestSurveyLarge(t *testing.T) {
	survey(t)
	for seed := range uint32(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			m := testmodels.RBMModel(t, 784, 16, .15, seed)
			truth, err := engine.Exact(t.Context(), m, runtime.NumCPU())
			if err != nil {
				t.Fatal(err)
			}
			known(t, "rbm 784x16 sd .15", m, truth.LogZ)
		})
	}
}

// The CD25(500) RBM of [Salakhutdinov2008]: published 451.28, 400 further runs 451.09 +- 0.05; no exact value exists.
func TestSurveyCD25(t *testing.T) {
	survey(t)
	b, err := os.ReadFile("../../data/rbm_cd25_500.npz")
	if err != nil {
		t.Fatalf("%v; it may not be passed on: ./build.sh data says what it is", err)
	}
	f, err := catalog.Kinds.ReadFile(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r := finished(t, newJob(t, testmodels.FileModel(t, f), "ais&ais.temperatures=10000"), runtime.NumCPU())[0]
	t.Logf("log Z %v +- %v, lower %v, in %v, %v", r.LogZ, r.SE, r.Lower, time.Since(start).Round(time.Second), r.Flags)
	if !(math.Abs(float64(r.LogZ)-451.1) <= .5) {
		t.Errorf("log Z = %v, want 451.1 +- 0.5", r.LogZ)
	}
}
