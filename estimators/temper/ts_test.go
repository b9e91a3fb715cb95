package temper

import (
	"math"
	"testing"

	"logzlab/estimators"
	"logzlab/internal/answers"
	"logzlab/internal/methodtest"
)

// 1e-12 detects 0.1 left out or added to the total once instead of once per rung, and a missing c_1 term of eq. 12.
func TestTSGolden(t *testing.T) {
	var g struct {
		States              []int
		LogZhat, Logr, LogZ []float64
	}
	answers.Golden(t, "ts", &g)
	m := methodtest.Mixture(t, 1, 0)
	rec := &Record{Model: m, SEMethod: estimators.SEChains, Ladder: make([]float64, len(g.Logr)),
		LogZhat: absorbed(g.LogZhat, g.Logr),
		N:       float64(len(g.States)), Visits: VisitCounts{Count: make([]float64, len(g.Logr))}}
	for _, k := range g.States {
		rec.Visits.Count[k]++
	}
	res := readTS(rec, nil)
	for k, r := range res.Ladder {
		methodtest.Near(t, "log Z", r.LogZ, g.LogZ[k], 1e-12)
	}
	if !math.IsNaN(res.Ladder[len(g.Logr)-1].SE) || len(res.Flags) == 0 || res.Flags[len(res.Flags)-1] != FlagUnvisited {
		t.Errorf("a rung without visits: s.e. %v, flags %v", res.Ladder[len(g.Logr)-1].SE, res.Flags)
	}
}

// Visits are saved and loaded with their batches, and each sweep counts once.
func TestVisits(t *testing.T) {
	empty := func() *visits { return &visits{sums{chains: 1, size: 3}} }
	c := empty()
	for i, k := range []int32{0, 2, 2, 1, 2} {
		if i%2 == 0 {
			c.begin()
		}
		c.observe(&rows{v: &estimators.View{Rung: []int32{k}}}, i)
		c = reloaded(c, empty(), 1+i/2)
	}
	rec := &Record{}
	c.merge(rec, batchCounts{[]int{2, 2, 1}, 1}) // a batch of one sweep is whole as well
	methodtest.NearAll(t, "shares", rec.Visits.Shares[0], []float64{0, 0, 1}, 0)
	rec = &Record{}
	c.merge(rec, batchCounts{[]int{2, 2, 1}, 2})
	for i, want := range [][]float64{{.5, 0, .5}, {0, .5, .5}} {
		methodtest.NearAll(t, "shares", rec.Visits.Shares[i], want, 0)
	}
	if len(rec.Visits.Shares) != 2 {
		t.Errorf("%d rows, want those of two whole batches", len(rec.Visits.Shares))
	}
	methodtest.NearAll(t, "visits", rec.Visits.Count, []float64{1, 1, 3}, 0)
}

// A reader has the same result alone as together with others, and the record does not depend on the other readers.
func TestReadersInCompany(t *testing.T) {
	m := methodtest.Mixture(t, 2, 0)
	set := []string{"chains=12", "temperatures=5", "sweeps=40", "burn_in=6", "init_rounds=1", "init_sweeps=9"}
	rts, ts := methodtest.Config(t, RTS, m, 1, set...), methodtest.Config(t, TS, m, 1, set...)
	both := rts
	both.Readers = append(rts.Readers, ts.Readers...)
	method, _ := methodtest.Drive(t, RTS, both)
	for i, c := range []estimators.Config{rts, ts} {
		_, alone := methodtest.Drive(t, c.Readers[0].Info, c)
		company := method.Estimate(nil)[i]
		if methodtest.Bits(alone) != methodtest.Bits(company) || len(alone.Overlap) != len(company.Overlap) ||
			alone.Sweeps != company.Sweeps {
			t.Errorf("%s alone\n%s\nin company\n%s", c.Readers[0].Name, methodtest.Bits(alone), methodtest.Bits(company))
		}
	}
}
