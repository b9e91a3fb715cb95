package report

import (
	"math"
	"testing"

	"logzlab/estimators/engine"
	"logzlab/internal/testmodels"
	"logzlab/models/rbm"
)

// lateSwitch returns an RBM with one hidden unit that is off for nearly all of the mass while few visible units are
// present, and on at the end: log Z = log((1 + e^-2)^64 + e^-70 (1 + e^1.5)^64).
func lateSwitch(t *testing.T) judged {
	p := rbm.Params{M: 64, J: 1, B: []float64{-70}}
	for range p.M {
		p.W, p.C, p.P1 = append(p.W, 3.5), append(p.C, -2), append(p.P1, .5)
	}
	return hidden(testmodels.FileModel(t, p))
}

// On an RBM without a known value a result that is 20 to 30 nats too low is stopped by separate annealed chains, though
// it fails no other check badly, and a right one is trusted since they confirm it.
func TestAnnealedOpinion(t *testing.T) {
	t.Parallel()
	x := lateSwitch(t)
	run := func(link string) *Report {
		j, err := engine.NewJob(testmodels.Parse(t, link), x.model, engine.Options{})
		if err != nil {
			t.Fatal(err)
		}
		finished(t, j, 2)
		return New(j).All(1)[0]
	}
	for _, method := range []string{"rm", "arm"} {
		head := method + "&" + method + "."
		low := run(head + "absent=off&" + method + ".islands=8")
		if off := float64(low.LogZ) - x.truth; off > -20 {
			t.Errorf("%s: absent=off is off by %v: this machine tells nothing any more", method, off)
		}
		if v := low.Judge(); v.Level != Stop || v.Failing().Name != "Annealed chains" {
			t.Errorf("%s: %v +- %v is %s by its own checks, failing %q", method, low.LogZ, low.SE, v.Level, failing(v))
		}
		right := run(head + "absent=sampled")
		if off := math.Abs(float64(right.LogZ) - x.truth); off > 4*float64(right.SE)+.05 {
			t.Errorf("%s: absent=sampled is off by %v +- %v", method, off, right.SE)
		}
		last := right.Verdict.Checks[len(right.Verdict.Checks)-1]
		if right.Verdict.Level != Trust || last.Name != "A second opinion" || last.Text != "annealed chains" {
			t.Errorf("%s: right, but %s, failing %q, last check %+v", method, right.Verdict.Level, failing(right.Verdict), last)
		}
	}
}
