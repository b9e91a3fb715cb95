package report

import (
	"math"
	"runtime"
	"testing"
)

// bar and mbar beside rts, from one run: 30 replicates within 4 s.e. of the known log Z, and error bars right: 4 s.e.
// of an rms z of 30 are 0.52. That catches pairs of a rung with one that is not its neighbour, a row counted in
// another, and samples without their own rung.
func TestBARAndMBARKnownAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("30 replicates of tempering on four models: native only")
	}
	const tempered = "rts,bar,mbar&replicates=30" +
		"&bar.chains=40&bar.sweeps=400&bar.temperatures=16&mbar.chains=40&mbar.sweeps=400&mbar.temperatures=16" +
		"&rts.chains=40&rts.sweeps=400&rts.temperatures=16"
	const fixed = "bar,mbar&replicates=30" +
		"&bar.chains=32&bar.samples=fixed&bar.sweeps=400&bar.temperatures=16" +
		"&mbar.chains=32&mbar.samples=fixed&mbar.sweeps=400&mbar.temperatures=16"
	for _, f := range []truthFile{{"public_rbm_tiny.json", 0}, {"public_gmm2.json", 0}, {"public_ising_4x4.json", .5},
		{"public_rbm_24x12.json", 0}} {
		x := shared(t, f)
		for _, link := range []string{tempered, fixed} {
			if link == fixed && f.name == "public_rbm_24x12.json" {
				continue // few chains at fixed rungs do not leave the modes where they began
			}
			j := newJob(t, x.model, link)
			for _, r := range finished(t, j, runtime.NumCPU()) {
				sum, squares := 0.0, 0.0
				for i, z := range r.Replicates {
					d := (float64(z) - x.truth) / float64(r.ReplicateSE[i])
					squares += d * d
					sum += float64(z)
				}
				z, rms := (sum/30-x.truth)/float64(r.SE), math.Sqrt(squares/30)
				t.Logf("%-16s %-5s %-9s z %+.2f  sd %.4f  rms z %.2f", x.name, r.Method, r.Spec.Params["samples"], z,
					r.Summary.SD, rms)
				if !(math.Abs(z) < 4 && rms < 1.52 && rms > .48) {
					t.Errorf("%s, %s: z %.2f, rms z %.2f", x.name, r.Method, z, rms)
				}
			}
		}
	}
}
