package engine

import (
	"math"
	"testing"

	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/internal/testmodels"
)

// counting counts the calls of a method.
type counting struct {
	estimators.Method
	estimates int
}

func (c *counting) Estimate(p [][]byte) []*estimators.Result {
	c.estimates++
	return c.Method.Estimate(p)
}

// An estimate is recomputed when something has arrived that may change it, and not before. Detects results kept in
// Done, in Peek, and never kept.
func TestJobEstimates(t *testing.T) {
	t.Parallel()
	for _, link := range []string{ // one tells by partials of whole lanes, one by peeks
		"ais&ais.temperatures=100&ais.chains=60",
		"rts&rts.chains=10&rts.sweeps=1000",
	} {
		j, err := NewJob(testmodels.Parse(t, link), testmodels.HillsModel(t, 2, 3, 3, 1, 1), Options{})
		if err != nil {
			t.Fatal(err)
		}
		track := j.tracks[1]
		c := &counting{Method: track.method}
		track.method = c
		changes, old := 0, math.NaN()
		look := func() {
			was := c.estimates
			first := math.NaN()
			if s := j.Status(track.methods[0]); len(s.Results) > 0 {
				first = s.Results[0].LogZ
			}
			j.Status(track.methods[0])
			if c.estimates > was+1 {
				t.Fatalf("%s: two looks at the same took %d estimates", link, c.estimates-was)
			}
			if first != old && num.NotNaN(first) {
				changes, old = changes+1, first
			}
			if track.finished {
				return
			}
			seen := append([][]byte(nil), track.partials...)
			for i, q := range seen {
				if q == nil {
					seen[i] = track.peeks[i]
				}
			}
			if res := c.Method.Estimate(seen); res != nil && res[0].LogZ != first && num.NotNaN(first) {
				t.Fatalf("%s: the job says %v of partials that give %v", link, first, res[0].LogZ)
			}
		}
		for k := j.Take(); k != nil; k = j.Take() {
			for f := range j.Lane(k) {
				if f.Step%100 == 0 && k.Unit.Peek != nil {
					j.Peek(k, k.Unit.Peek(), float64(f.Step)/float64(f.Steps))
					look()
				}
			}
			j.Done(k)
			look()
		}
		if !j.Finished() || changes < 3 {
			t.Errorf("%s: finished %v, %d changes", link, j.Finished(), changes)
		}
	}
}
