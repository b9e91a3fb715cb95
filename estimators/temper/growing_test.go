package temper

import (
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/internal/labtest"
	"logzlab/internal/methodtest"
)

// A run that grows makes its earlier half burn-in where the later half finds another log Z, and not where the halves
// differ by no more than chance makes them: chains may lie far from each other in both halves. Without the test of
// halves the first case fails, with halves taken for independent the second one, and with no bar the third one.
func TestDrift(t *testing.T) {
	const chains, half = 20, 1000
	for _, c := range []struct {
		name         string
		early, late  float64 // shares of the target
		apart, noise float64 // of shares: between chains, and within them from half to half
		used         int
		want         float64 // share of the target
	}{{"drift", .3, .4, .05, .01, half, .4}, {"drift of chains far apart", .36, .4, .3, .01, half, .4},
		{"none", .397, .4, .05, .05, 2 * half, .3985}} {
		s := rng.NewKey(1, "drift", 0).Stream(0, 0, 0)
		sums := make([]float64, chains)
		partials := func(share float64) [][]byte {
			var w wire.Writer
			for i := range sums {
				sums[i] += half * (share + c.apart*(float64(i)-9.5)/chains + c.noise*(s.Float64()-.5))
				n := half
				if share == c.late {
					n = 2 * half
				}
				(&chainRecord{rungs: 2, what: Conditionals, counts: []int{n}, c: []float64{float64(n) - sums[i], sums[i]}}).
					Append(&w, true)
			}
			return [][]byte{w.B}
		}
		r := &run{Lanes: estimators.Lanes{N: chains, Size: chains}, ladder: []float64{0, 1}, zhat: []float64{0, 0},
			movement: hopping{chains, 2}, needs: Conditionals, keptSweeps: 2 * half, planned: 2 * half,
			ends:    []ending{{half, partials(c.early)}},
			Options: Options{ExtraSweeps: func(*estimators.Result, int, int) int { return 0 }}}
		r.Model, r.Readers = methodtest.Mixture(t, 1, 1), []estimators.Reader{{Info: RTS}}
		r.soFar = partials(c.late)
		b := r.grow(r.collect(r.soFar))
		labtest.Near(t, c.name, b.Conditionals.logZ(b.levels())[1], num.Logit(c.want), .02)
		if r.used() != c.used {
			t.Errorf("%s: the estimate is made of %d sweeps, want %d", c.name, r.used(), c.used)
		}
	}
}
