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

// A run that grows turns its earlier half into burn-in if the later half finds another log Z, but not if the halves
// differ only by chance: chains may be far apart in both halves. Without the test of halves the first case fails, with
// halves treated as independent the second, and without an error bar the third.
func TestDrift(t *testing.T) {
	const chains, half = 20, 1000
	for _, try := range []struct {
		name         string
		early, late  float64 // shares of the target
		apart, noise float64 // of shares: between chains, and within them from half to half
		used         int
		want         float64 // share of the target
	}{{"drift", .3, .4, .05, .01, half, .4}, {"drift of chains far apart", .36, .4, .3, .01, half, .4},
		{"none", .397, .4, .05, .05, 2 * half, .3985}} {
		s := rng.NewKey(1, "drift", 0).Stream(0, 0, 0)
		target := make([]float64, chains) // sums of q(K|x)
		r := &run{Lanes: estimators.Lanes{N: chains, Size: chains}, ladder: []float64{0, 1}, zhat: []float64{0, 0},
			ladderMove: tempering{chains, 2}, needs: []*Statistic{Conditionals}, keptSweeps: 2 * half, planned: 2 * half,
			Options: Options{ExtraSweeps: func(*estimators.Result, int, int) int { return 0 }}}
		partials := func(share float64, kept int) [][]byte {
			c := r.newRecord(0, 0)
			c.begin(0)
			c.kept = kept
			for i := range target {
				target[i] += half * (share + try.apart*(float64(i)-9.5)/chains + try.noise*(s.Float64()-.5))
				copy(c.recorders[0].(*conditionals).current(i), []float64{float64(kept) - target[i], target[i]})
			}
			var w wire.Writer
			c.append(&w, true)
			return [][]byte{w.B}
		}
		r.ends = []ending{{half, partials(try.early, half)}}
		r.Model, r.Readers = methodtest.Mixture(t, 1, 1), []estimators.Reader{{Info: RTS}}
		r.soFar = partials(try.late, 2*half)
		b := r.grow(r.collect(r.soFar))
		labtest.Near(t, try.name, b.logZ(b.Conditionals)[1], num.Logit(try.want), .02)
		if r.used() != try.used {
			t.Errorf("%s: the estimate is made of %d sweeps, want %d", try.name, r.used(), try.used)
		}
	}
}
