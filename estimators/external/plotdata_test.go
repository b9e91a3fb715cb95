package external

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/estimators/external/samples"
)

// Both convergence curves end at log Z of the report, and differ from each other at half of the samples. A series has
// all samples of its chain, and a slope is the mean over the samples without the burn-in.
func TestPlotDataMatchesReport(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("power,loglik\n")
	sum := 0.0
	for k := range 5 {
		stream := rng.NewKey(3, "pictures", 0).Stream(uint32(k), 0, 0)
		for i := range 200 {
			x := -50 + float64(k) + stream.Norm()
			if k == 4 && i >= 20 {
				sum += x / 180
			}
			fmt.Fprintf(&b, "%v,%v\n", float64(k)/4, x)
		}
	}
	o := must(ParseOptions([]string{"burn_in=10"}))
	c, err := Open([]samples.File{{Name: "a.csv", Data: []byte(b.String())}}, o, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := c.Judge([]string{"bar"}, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := c.PlotData(o)
	if err := c.AddConvergence(p, "bar", o, nil); err != nil {
		t.Fatal(err)
	}
	full, half := p.Convergence[convergenceSteps-1], p.Convergence[convergenceSteps/2-1]
	if z := float64(reports[0].LogZ); full.First != z || full.Last != z || full.FirstSE != float64(reports[0].SE) ||
		half.First == half.Last || p.Thin != 1 {
		t.Errorf("all samples give %+v, the report %v; half of them %+v", full, z, half)
	}
	if len(p.Series) != 5 || len(p.Series[4].Values) != 200 || p.Series[4].BurnIn != 20 || p.Series[4].Rung != "1" {
		t.Errorf("series: %d", len(p.Series))
	}
	if s := p.Slopes[4]; s.At != 1 || math.Abs(s.Mean-sum) > 1e-9 {
		t.Errorf("the slope at 1 is %v, not %v", s.Mean, sum)
	}
}
