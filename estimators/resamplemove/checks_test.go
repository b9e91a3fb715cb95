package resamplemove

import (
	"math"
	"testing"

	"logzlab/core/diag"
	"logzlab/estimators"
)

// Annealing refutes results far below it, however long the error bars and however few chains carry it, and confirms
// only if its error bar is firm. The check does not apply to results far above it, unless their Zhat is biased. The
// estimate of the issue, 20 nats low with an error bar of three, is a stop in each case.
func TestAnnealedCheck(t *testing.T) {
	for _, c := range []struct {
		gap, se, bar, ess float64 // of the result; error bar and ESS of annealing
		biased            bool
		applies, ok, bad  bool
	}{
		{-20, 3, .1, 100, false, true, false, true}, {-20, 3, .9, 1.2, true, true, false, true},
		{-8, 2.5, .3, 9, false, true, false, true}, {-3.2, .1, .9, 1.2, false, false, true, false},
		{-1, .1, .1, 100, false, true, false, false}, {-.3, .05, .2, 20, false, true, true, false},
		{-.09, .001, .001, 100, false, true, true, false}, {-.12, .001, .001, 100, false, true, false, false},
		{.45, .01, .01, 100, false, true, true, false}, {.6, .01, .01, 100, false, false, false, false},
		{8, .01, .3, 9, false, false, false, false}, {8, .01, .3, 9, true, true, false, true},
		{8, .01, .8, 1.5, true, true, false, true}, {0, .1, .2, 4, false, false, true, false},
		{0, .1, .6, 9, false, false, true, false}, {0, math.NaN(), .1, 100, false, false, false, false},
	} {
		f := estimators.Facts{LogZ: 100 + c.gap, SE: c.se, Number: func(n diag.Number) float64 {
			return map[diag.Number]float64{estimators.DiagLogZAnnealed: 100, estimators.DiagLogZAnnealedSE: c.bar,
				estimators.DiagESSAnnealed: c.ess}[n]
		}}
		got, applies := checkAnnealed(c.biased).Judge(f)
		if applies != c.applies || got.OK != c.ok || got.Bad != c.bad {
			t.Errorf("%+v: applies %v, %+v", c, applies, got)
		}
	}
	none := estimators.Facts{LogZ: 1, SE: .1, Number: func(diag.Number) float64 { return math.NaN() }}
	for _, c := range []estimators.Check{checkAnnealed(false), checkMixing} {
		if _, ok := c.Judge(none); ok {
			t.Errorf("%s applies to a run without its numbers", c.Name)
		}
	}
}

// Islands of RBMs grown along a bad sequence spread 4 to 14 times as much as independent particles would, healthy ones
// about as much; tiny spreads are harmless.
func TestMixingCheck(t *testing.T) {
	for _, c := range []struct {
		sd, within float64 // of an island, in nats
		ok         bool
	}{{.17, .23, true}, {.21, .15, true}, {.6, .3, true}, {2.4, .2, false}, {.7, .12, false}, {.004, .001, true}} {
		f := estimators.Facts{Number: func(n diag.Number) float64 {
			return map[diag.Number]float64{estimators.DiagIslands: 16, estimators.DiagIslandsSD: c.sd,
				estimators.DiagSEWithin: c.within / 4}[n]
		}}
		if got, applies := checkMixing.Judge(f); !applies || got.OK != c.ok || got.Bad {
			t.Errorf("%+v: applies %v, %+v", c, applies, got)
		}
	}
}
