package report

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"logzlab/estimators/catalog"
	"logzlab/estimators/temper"
	"logzlab/internal/tier"
)

// All readers of one tempering run: 30 replicates within 4 s.e. of the known log Z, and right error bars: 4 s.e. of an
// rms z of 30 are 0.52. Detects pairs of rungs that are not neighbours, a row counted in another, samples without their
// own rung, and a rule of integration that ends a rung too soon.
func TestReadersKnownAnswers(t *testing.T) {
	tier.Test(t)
	t.Parallel()
	for _, f := range truthFiles[:tier.Size(1, 1, len(truthFiles))] {
		readKnown(t, shared(t, f), readers(temper.Run.Name), " chains=40 sweeps=400 temperatures=30")
	}
}

// The same for chains at fixed rungs. On the larger RBMs some of them do not leave the modes where they began.
func TestFixedReadersKnownAnswers(t *testing.T) {
	t.Parallel()
	tier.Release(t)
	for _, f := range []truthFile{{"public_rbm_tiny.json", 0}, {"public_gmm2.json", 0}, {"public_ising_4x4.json", .5}} {
		readKnown(t, shared(t, f), []string{"bar", "mbar"}, " chains=32 samples=fixed sweeps=400 temperatures=16")
	}
}

// readers returns the methods that read a run.
func readers(run string) (names []string) {
	for _, info := range catalog.Methods {
		if info.Run().Name == run {
			names = append(names, info.Name)
		}
	}
	return names
}

// readKnown runs methods with the same parameters and compares 30 replicates with the exact value.
func readKnown(t *testing.T, x judged, methods []string, params string) {
	t.Helper()
	link := strings.Join(methods, ",") + "&replicates=30"
	for _, name := range methods {
		link += strings.ReplaceAll(params, " ", "&"+name+".")
	}
	for _, r := range finished(t, newJob(t, x.model, link), runtime.NumCPU()) {
		sum, squares := 0.0, 0.0
		for i, z := range r.Replicates {
			d := (float64(z) - x.truth) / float64(r.ReplicateSE[i])
			squares += d * d
			sum += float64(z)
		}
		z, rms := (sum/30-x.truth)/float64(r.SE), math.Sqrt(squares/30)
		t.Logf("%-20s %-14s %-9s z %+.2f  sd %.4f  rms z %.2f", x.name, r.Method, r.Spec.Params["samples"], z,
			r.Summary.SD, rms)
		if !(math.Abs(z) < 4 && rms < 1.52 && rms > .48) {
			t.Errorf("%s, %s: z %.2f, rms z %.2f", x.name, r.Method, z, rms)
		}
	}
}
