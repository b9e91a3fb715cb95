package papers_test

import (
	"math"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
)

// A line with twice the error at equal cost has the ratio 2, regardless of the costs of its rows.
func TestCompareAtEqualCostUsesCostNotSize(t *testing.T) {
	for _, costs := range [][]float64{{1, 2, 4}, {3, 6, 12}, {1.5, 3}, {100}, {.01}} {
		ratio, se := papers.CompareAtEqualCost(papertest.Line("", "a", 41, 2, costs...), papertest.Line("", "b", 41, 1, 1, 2, 4),
			papers.BySD)
		if d := ratio - math.Ln2; math.Abs(d) > 1e-12 {
			t.Errorf("costs %v: off by %g", costs, d)
		}
		// with one row, the logs of both errors have the variance 1/80
		if len(costs) == 1 && math.Abs(se-math.Sqrt(2./80)) > 1e-12 {
			t.Errorf("costs %v: se %g", costs, se)
		}
	}
	for _, bad := range [][]papers.Row{nil, papertest.Line("", "a", 1, 1, 1), papertest.Line("", "a", 9, 0, 1),
		papertest.Line("", "a", 9, math.NaN(), 1),
		papertest.Line("", "a", 9, 1, 0)} {
		if ratio, _ := papers.CompareAtEqualCost(bad, papertest.Line("", "b", 9, 1, 1), papers.BySD); !math.IsNaN(ratio) {
			t.Errorf("%v: %g", bad, ratio)
		}
	}
}

// The finding agrees if the variance is smaller by more than two standard errors, contradicts if it is larger by that
// much, and is undecided otherwise.
func TestSmallerVarianceNeedsSignificance(t *testing.T) {
	for _, c := range []struct {
		n    int
		sd   float64 // standard deviation of b; that of a is 1
		want papers.Answer
	}{{50, 1, papers.Unseen}, {2000, 1, papers.Unseen}, {50, 1.1, papers.Unseen}, {20000, 1.04, papers.Agrees},
		{20000, .96, papers.Contradicts}, {50, 1.6, papers.Agrees}, {50, .7, papers.Contradicts}} {
		f, ok := papers.SmallerVariance(append(papertest.Line("", "a", c.n, 1, 1, 4), papertest.Line("", "b", c.n, c.sd, 1, 4)...),
			"", "a", "b", "")
		if !ok || f.Answer != c.want {
			t.Errorf("%+v: %v", c, f)
		}
	}
}
