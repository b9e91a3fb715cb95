package aisel

import (
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
)

// rowsWithESS returns rows of a series with the given effective sample sizes, at 3, 30, ... inner draws. The standard
// error of each size is a tenth of it; the RMSE of the i-th row is rmse/(i+1).
func rowsWithESS(panel, series string, rmse float64, ess ...float64) (out []papers.Row) {
	for i, e := range ess {
		r := papertest.Rated(panel, series, 20, rmse/float64(i+1))[0]
		r.At, r.ESS, r.ESSSE = 3*math.Pow(10, float64(i)), e, e/10
		out = append(out, r)
	}
	return out
}

// The finding on robustness compares the loss of effective sample size from many to few inner draws, not the size
// itself or the error.
func TestRobustnessIsLossOfESS(t *testing.T) {
	smallLoss, largeLoss := rowsWithESS("p", seriesAISEL, .3, 400, 380), rowsWithESS("p", seriesIS2, .01, 600, 5000)
	judge := func(a, b []papers.Row) []papers.Finding { return evidenceJudge(slices.Concat(a, b)) }
	for _, c := range []struct {
		a, b  []papers.Row
		about string
		want  papers.Answer
	}{
		{smallLoss, largeLoss, "falls less", papers.Agrees},
		{smallLoss, largeLoss, "loses most", papers.Agrees},
		{smallLoss, largeLoss, "grows less", papers.Unseen}, // both are twice as large
		{rowsWithESS("p", seriesAISEL, .3, 40, 380), rowsWithESS("p", seriesIS2, .01, 4000, 5000), "falls less", papers.Contradicts},
		{rowsWithESS("p", seriesAISEL, .3, 400, 380), rowsWithESS("p", seriesIS2, .01, 400, 380), "falls less", papers.Unseen},
		{rowsWithESS("p", seriesAISEL, .3, 400, 380), rowsWithESS("p", seriesIS2, .01, 400, 380), "loses most", papers.Contradicts},
	} {
		if got := papertest.Find(t, judge(c.a, c.b), c.about); got != c.want {
			t.Errorf("%s: got %v, want %v", c.about, got, c.want)
		}
	}
	for _, f := range judge(smallLoss, largeLoss) {
		if ours := f.Claim() == "p: its error of log Z grows less, too."; f.Ours != ours {
			t.Errorf("%s: ours %v", f.Claim(), f.Ours)
		}
	}
}

// If log Z is not known, effective sample sizes are compared at equal numbers of particles, and there are no findings
// on errors.
func TestPoundFindingsWithoutKnownLogZ(t *testing.T) {
	rows := slices.Concat(rowsWithESS(panelPrior, seriesAISEL, .3, 50), rowsWithESS(panelPrior, seriesIS2, .3, 3),
		rowsWithESS(panelT, seriesAISEL, .3, 40, 90), rowsWithESS(panelT, seriesIS2, .3, 10, 400))
	for i := range rows {
		rows[i].Known = math.NaN()
	}
	f := poundJudge(rows)
	if len(f) != 3 || papertest.Find(t, f, "more effective draws") != papers.Agrees ||
		papertest.Find(t, f, "falls less") != papers.Agrees {
		t.Errorf("finding = %+v", f)
	}
}

// The slopes with a particle filter are fitted up to maxNormalNoise. They are a single finding of this lab, which a
// single wrong slope contradicts.
func TestTheoremFindings(t *testing.T) {
	line := func(panel, series string, noise, ess float64) papers.Row {
		r := rowsWithESS(panel, series, 1, ess)[0]
		r.Noise, r.ESSSE = noise, ess/100
		return r
	}
	var rows []papers.Row
	for _, panel := range []string{panelPerfect, panelFilter} {
		scale := 1.
		if panel == panelFilter {
			scale = 500
			rows = append(rows, line(panel, stepSeries(1)+exactSeries, 0, scale), line(panel, stepSeries(2)+exactSeries, 0,
				scale))
		}
		for _, v := range []float64{.5, 2, 6} {
			loss := min(v, 2)
			rows = append(rows, line(panel, stepSeries(1), v, scale*math.Exp(-loss)), line(panel, stepSeries(2), v,
				scale*math.Exp(-loss/2)))
		}
	}
	n := 0
	for _, f := range theoremJudge(rows) {
		ours := f.Claim() == panelFilter+": the effective sample size falls as exp(-sigma^2/T), for every number of steps T."
		if f.Ours != ours {
			t.Errorf("%s: ours %v", f.Claim(), f.Ours)
		}
		if ours {
			n++
			if f.Answer != papers.Agrees || strings.Count(f.Here, "the theorem says") != 2 {
				t.Errorf("%s %s: %v", f.Claim(), f.Here, f.Answer)
			}
		}
	}
	if n != 1 || papertest.Find(t, theoremJudge(rows), panelPerfect+": with one step") != papers.Contradicts {
		t.Errorf("theoremJudge(rows) = %+v", theoremJudge(rows))
	}
	for i := range rows {
		if rows[i].Panel == panelFilter && rows[i].Series == stepSeries(2) {
			rows[i].ESS = rows[i].ESS * rows[i].ESS / 500
		}
	}
	if papertest.Find(t, theoremJudge(rows), "for every number of steps") != papers.Contradicts {
		t.Errorf("theoremJudge(rows) = %+v", theoremJudge(rows))
	}
}
