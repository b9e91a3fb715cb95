package costs

import (
	"strings"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/models/rbm"
)

// The findings on bases agree, contradict or are undecided as the rows require, for a base that should be better than
// clipped rates and for one that should be worse.
func TestStartFindings(t *testing.T) {
	for _, c := range []struct {
		n                     int
		rates, uniform        float64 // errors from rates and from the uniform base, relative to that from clipped rates
		betterBase, worseBase papers.Answer
	}{{100, .3, 4, papers.Agrees, papers.Agrees}, {100, 4, .3, papers.Contradicts, papers.Contradicts},
		{4, .9, 1.1, papers.Unseen, papers.Unseen}} {
		var rows []papers.Row
		for _, method := range []string{"ais", "rts"} {
			for _, start := range rbm.Starts {
				sd := map[string]float64{rbm.StartRates: c.rates, rbm.StartUniform: c.uniform}[start]
				if sd == 0 {
					sd = 1
				}
				rows = append(rows, papers.Row{Point: papers.Point{Panel: "RBM", Series: startSeries(method, start)},
					N: c.n, Seconds: 1, SD: sd})
			}
		}
		found := startJudge(rows)
		if len(found) != 2*(len(rbm.Starts)-1) {
			t.Fatalf("%d findings", len(found))
		}
		for _, f := range found {
			want, isJudged := c.betterBase, strings.Contains(f.Claim(), rbm.StartRates)
			if strings.Contains(f.Claim(), rbm.StartUniform) {
				want, isJudged = c.worseBase, true
			}
			if isJudged && f.Answer != want {
				t.Errorf("%s %s %v, want %v", f.Claim(), f.Here, f.Answer, want)
			}
		}
	}
}
