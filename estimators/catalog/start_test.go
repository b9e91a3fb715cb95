package catalog

import (
	"math"
	"testing"

	"logzlab/estimators"
	"logzlab/internal/methodtest"
	"logzlab/internal/tier"
	"logzlab/models/rbm"
)

// With start = fitted every tempered method first fits the base, once, and finds the same log Z as from any base;
// workers, which know of the fit only from their plans, give the same result. Other methods ignore it.
func TestFittedStart(t *testing.T) {
	tier.Test(t)
	m := methodtest.RBMWith(t, 6, 4, .8, rbm.Params{Start: rbm.StartFitted})
	truth := methodtest.ExactLogZ(t, m)
	for _, info := range Methods {
		if !fits(info, m) {
			continue
		}
		c := methodtest.Config(t, info, m, 1)
		if c.Target = info.Target; c.Target > 0 {
			c.Target = tier.Size(.3, .3, .1)
		}
		fold, err := estimators.Open(c)
		if err != nil {
			t.Fatalf("%s: %v", info.Name, err)
		}
		worker, err := estimators.Open(c)
		if err != nil {
			t.Fatal(err)
		}
		fits := 0
		round, err := fold.Next(nil, nil)
		for round != nil && err == nil {
			if round.Name == estimators.BaseRound {
				fits++
			}
			round, err = fold.Next(round.Run(worker))
		}
		if err != nil {
			t.Fatalf("%s: %v", info.Name, err)
		}
		want := 0
		if info.Path == estimators.Tempered {
			want = 1
		}
		r := fold.Estimate(nil)[0]
		if fits != want {
			t.Errorf("%s: %d fits, want %d", info.Name, fits, want)
		}
		if _, alone := methodtest.Drive(t, info, c); methodtest.Bits(alone) != methodtest.Bits(r) {
			t.Errorf("%s: workers make other digits than a run by itself", info.Name)
		}
		if off := math.Abs(r.LogZ - truth); !(off < 5*r.SE+.01) {
			t.Errorf("%s: log Z %v +- %v, exactly %v", info.Name, r.LogZ, r.SE, truth)
		}
	}
}
