package varopt

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/estimators"
	"logzlab/estimators/papers"
	"logzlab/internal/papertest"
	"logzlab/internal/tier"
)

// Links run the schedule of their series from the base of their panel, and rows that two experiments share come from
// the same runs.
func TestLinksRunScheduleOfSeries(t *testing.T) {
	links := func(e *papers.Experiment) (out []string) {
		for _, p := range e.Points(papers.Normal) {
			out = append(out, p.Link)
		}
		return out
	}
	shared := []string{seriesLinear, seriesGMS13, series9}
	for _, c := range []struct {
		e, with *papers.Experiment
		panels  int
	}{{Fig1, nil, 6}, {Fig2, Fig3, 6}, {Table1, Fig2, 6}, {Fig4, nil, 6}, {Fig6, Fig5, 3}, {Table2, Fig5, 3}} {
		seen := map[string]int{}
		for _, p := range c.e.Points(papers.Normal) {
			seen[p.Panel]++
			want := "biases"
			if strings.HasSuffix(p.Panel, "rates") || strings.HasSuffix(p.Panel, "(500)") {
				want = "rates"
			}
			if papers.LinkValue(p.Link, "ais.schedule") != Schedules[p.Series] || Schedules[p.Series] == "" ||
				papers.LinkValue(p.Link, "start") != want {
				t.Errorf("%s: %s of %s: %s", c.e.Name, p.Series, p.Panel, p.Link)
			}
			if c.with != nil && slices.Contains(shared, p.Series) && !slices.Contains(links(c.with), p.Link) {
				t.Errorf("%s is not in %s", p.Link, c.with.Name)
			}
		}
		if len(seen) != c.panels {
			t.Errorf("%s: %v", c.e.Name, seen)
		}
	}
}

// A bound without effect gives the same run as VAROPT, and there is no finding that compares the two. The bound of 1.5
// times the linear speed gives another run.
func TestBoundWithoutEffectIsSameRun(t *testing.T) {
	tier.Test(t)
	run := func(series string) []papers.Row {
		rows, err := papers.Measure(t.Context(), annealed(smallRBMs[0], series, 10, 150, 2),
			papers.Options{Workers: 2, Load: papertest.Load}, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		rows[0].Series = series
		return rows
	}
	free, bound, slow := run(seriesVAROPT), run(series9), run(seriesSlow)
	loose := annealed(smallRBMs[0], seriesVAROPT, 10, 150, 2)
	loose.Link = strings.Replace(loose.Link, "varopt", "varopt-eta:0.1", 1)
	rows, err := papers.Measure(t.Context(), loose, papers.Options{Workers: 2, Load: papertest.Load}, func(float64) {})
	if err != nil || !sameRuns(rows, free) || sameRuns(bound, free) || sameRuns(slow, free) {
		t.Errorf("%v: log Z is %g by VAROPT, %g by a bound of .1, %g by one of .009, %g at most 1.5 times as fast", err,
			free[0].Mean, rows[0].Mean, bound[0].Mean, slow[0].Mean)
	}
	if f, ok := largerESS("x", rows, free); ok {
		t.Errorf("finding = %+v", f)
	}
	if f, ok := largerESS("x", slow, free); !ok || !(free[0].Predicted > 0) {
		t.Errorf("%+v, predicted %g", f, free[0].Predicted)
	}
}

// A row of several seeds begins with the run of its link, its schedules rise from 0 to 1, and the effective sample size
// of its final weights equals the reported one.
func TestSeedRunsKeepLadders(t *testing.T) {
	p := seedRuns(papers.RBM{Panel: "p", Model: "mixture2"}, seriesVAROPT, 20, 150, 3)
	o := papers.Options{Workers: 2, Load: papertest.Load}
	rows, err := papers.Measure(context.Background(), p, o, func(float64) {})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	r := &rows[0]
	p.Seeds = 0
	first, err := papers.Measure(context.Background(), p, o, func(float64) {})
	if err != nil || first[0].Hash != r.Hash || r.N != 3 || len(r.Ladders) != 3 || r.Estimates[0] != first[0].Mean ||
		r.Estimates[1] == r.Estimates[0] {
		t.Fatalf("%+v\n%+v\n%v", r, first, err)
	}
	ladder, _ := meanReading(r, ladderOf)
	if ladder[0] != 0 || ladder[numPositions-1] != 1 || !slices.IsSorted(ladder) {
		t.Errorf("ladder %v", ladder)
	}
	left, se := meanReading(r, effectiveOf)
	if left[0] != 20 || se[0] != 0 || math.Abs(left[numPositions-1]/r.ESS-1) > 1e-9 ||
		math.Abs(se[numPositions-1]/r.ESSSE-1) > 1e-9 {
		t.Errorf("effective sample sizes from %g +- %g to %g +- %g, reported %g +- %g", left[0], se[0], left[numPositions-1],
			se[numPositions-1], r.ESS, r.ESSSE)
	}
}

// rowsWithESS returns a row for each of the effective sample sizes ess, of 100 chains, with standard error se.
func rowsWithESS(name string, se float64, ess ...float64) []papers.Row {
	out := papertest.Rated("p", name, 50, slices.Repeat([]float64{.1}, len(ess))...)
	for i, x := range ess {
		out[i].ESS, out[i].ESSSE, out[i].Method, out[i].Link = x, se, "ais", "v=1&ais.chains=100"
	}
	return out
}

// rowWithLadder returns a row of five runs with the schedule b (inverse temperature by share of the steps), up to small
// differences between runs. The effective sample size is ess at every rung.
func rowWithLadder(name string, ess float64, b func(s float64) float64) papers.Row {
	r := rowsWithESS(name, 1, ess)[0]
	for i := range 5 {
		ladder := make([]estimators.Rung, numPositions)
		for k := range ladder {
			e := ess * (1 + .01*float64(i))
			s := float64(k) / (numPositions - 1)
			ladder[k] = estimators.Rung{Beta: b(s) * (1 + .001*float64(i)), SE: math.Sqrt((100/e - 1) / 100)}
		}
		r.Ladders = append(r.Ladders, ladder)
	}
	return r
}

// The findings of all figures and tables agree, contradict or are undecided as the rows require.
func TestFindingsVAROPT(t *testing.T) {
	linear := func(s float64) float64 { return s }
	fastFirst := func(s float64) float64 { return math.Sqrt(s) }
	slowFirst := func(s float64) float64 { return s * s }
	join := func(rows ...[]papers.Row) []papers.Row { return slices.Concat(rows...) }
	for _, c := range []struct {
		judge func([]papers.Row) []papers.Finding
		about string
		rows  []papers.Row
		want  papers.Answer
	}{
		{fig1Judge, "GMS13 is largely", []papers.Row{rowWithLadder(seriesGMS13, 9, linear), rowWithLadder(seriesLinear, 9, linear),
			rowWithLadder(seriesVAROPT, 9, fastFirst)}, papers.Agrees},
		{fig1Judge, "GMS13 is largely", []papers.Row{rowWithLadder(seriesGMS13, 9, fastFirst), rowWithLadder(seriesLinear, 9, linear),
			rowWithLadder(seriesVAROPT, 9, fastFirst)}, papers.Contradicts},
		{fig1Judge, "side of SM08", []papers.Row{rowWithLadder(seriesSM08, 9, fastFirst), rowWithLadder(seriesVAROPT, 9, fastFirst)},
			papers.Agrees},
		{fig1Judge, "side of SM08", []papers.Row{rowWithLadder(seriesSM08, 9, fastFirst), rowWithLadder(seriesVAROPT, 9, slowFirst)},
			papers.Contradicts},
		{fig1Judge, "VAROPT lies nearer", []papers.Row{rowWithLadder(seriesSM08, 9, fastFirst), rowWithLadder(seriesLinear, 9, linear),
			rowWithLadder(seriesVAROPT, 9, fastFirst)}, papers.Contradicts},
		{fig1Judge, "VAROPT lies nearer", []papers.Row{rowWithLadder(seriesSM08, 9, linear), rowWithLadder(seriesLinear, 9, linear),
			rowWithLadder(seriesVAROPT, 9, fastFirst)}, papers.Unseen},
		{errorsJudge, "errors than LINEAR", join(papertest.Rated("p", series9, 50, 1, .3),
			papertest.Rated("p", seriesLinear, 50, 2, 1)),
			papers.Agrees},
		{errorsJudge, "errors than GMS13", join(papertest.Rated("p", series9, 50, 2, 1),
			papertest.Rated("p", seriesGMS13, 50, 1, .3)),
			papers.Contradicts},
		{errorsJudge, "especially", join(papertest.Rated("p", series9, 50, 2, .3), papertest.Rated("p", seriesLinear, 50,
			1, 1)),
			papers.Agrees},
		{errorsJudge, "especially", join(papertest.Rated("p", series9, 5, .1, 1), papertest.Rated("p", seriesLinear, 5, 1,
			1)), papers.Unseen},
		{sizesJudge, "sizes than LINEAR", join(rowsWithESS(series9, 1, 20, 60), rowsWithESS(seriesLinear, 1, 10, 50)), papers.Agrees},
		{sizesJudge, "sizes than GMS13", join(rowsWithESS(series9, 1, 20, 60), rowsWithESS(seriesGMS13, 1, 30, 70)), papers.Contradicts},
		{sizesJudge, "sizes than GMS13", join(rowsWithESS(series9, 9, 20, 60), rowsWithESS(seriesGMS13, 9, 21, 61)), papers.Unseen},
		{table1Judge, "size than LINEAR", join(rowsWithESS(series9, 1, 60), rowsWithESS(seriesLinear, 1, 50)), papers.Agrees},
		{table1Judge, "size than VAROPT", join(rowsWithESS(series9, 1, 70), rowsWithESS(seriesVAROPT, 1, 60)), papers.Agrees},
		{table1Judge, "size than VAROPT", join(rowsWithESS(series9, 1, 50), rowsWithESS(seriesVAROPT, 1, 60)), papers.Contradicts},
		{table1Judge, "size than VAROPT", join(rowsWithESS(series9, 9, 65), rowsWithESS(seriesVAROPT, 9, 60)), papers.Unseen},
		{table1Judge, "1.5 times as fast has", join(rowsWithESS(seriesSlow, 1, 70), rowsWithESS(seriesVAROPT, 1, 60)), papers.Agrees},
		// an effective sample size of 60 of 100 chains implies an error of 0.08; the rows have 0.1
		{table1Judge, "at most 2 times", rowsWithESS(series9, 1, 60), papers.Agrees},
		{table1Judge, "at most 2 times", rowsWithESS(series9, 1, 95), papers.Contradicts},
		{fig5Judge, "larger errors", join(papertest.Rated("p", series9, 50, 3, .1), papertest.Rated("p", seriesLinear, 50,
			1, .3)), papers.Agrees},
		{fig5Judge, "fall faster", join(papertest.Rated("p", series9, 50, 3, .1), papertest.Rated("p", seriesLinear, 50,
			1, .3)), papers.Agrees},
		{fig5Judge, "fall faster", join(papertest.Rated("p", series9, 50, 1, .3), papertest.Rated("p", seriesLinear, 50,
			3, .1)), papers.Contradicts},
		{table2Judge, "size than GMS13", join(rowsWithESS(series9, 1, 60), rowsWithESS(seriesGMS13, 1, 50)), papers.Agrees},
		{fig4Judge, "steep drop", []papers.Row{rowWithLadder(seriesLinear, 90, linear), rowWithLadder(seriesVAROPT, 50, linear)}, papers.Agrees},
		{fig4Judge, "steep drop", []papers.Row{rowWithLadder(seriesLinear, 50, linear), rowWithLadder(seriesVAROPT, 90, linear)},
			papers.Contradicts},
		{fig4Judge, "deceleration relaxes", []papers.Row{rowWithLadder(series3, 50.1, linear), rowWithLadder(seriesVAROPT, 50, linear)},
			papers.Unseen},
		{fig4Judge, "in the end", []papers.Row{rowWithLadder(series3, 90, linear), rowWithLadder(seriesVAROPT, 50, linear)}, papers.Agrees},
		{fig4Judge, "smaller with more", []papers.Row{rowWithLadder(seriesLong, 90, linear), rowWithLadder(seriesVAROPT, 50, linear)},
			papers.Agrees},
	} {
		if got := papertest.Find(t, c.judge(c.rows), c.about); got != c.want {
			series := papers.Distinct(c.rows, func(r *papers.Row) string { return r.Series })
			t.Errorf("%s of %v: got %v, want %v", c.about, series, got, c.want)
		}
	}
}

// An effective sample size of 20 of 100 implies the variance 0.04; rows are weighted by their numbers of runs.
func TestCompareESSOfTwoLines(t *testing.T) {
	a, b := rowsWithESS("a", 3, 20, 60), rowsWithESS("b", 2, 10, 30)
	variance, se := essVariance(&a[0])
	if math.Abs(variance-.04) > 1e-12 || math.Abs(se-3./16) > 1e-12 {
		t.Errorf("20 of 100 promise %g, its log +- %g", variance, se)
	}
	ratio := (math.Log(.04/.09) + math.Log((1./60-.01)/(1./30-.01))) / 2
	var square, free float64
	for _, e := range []float64{3. / 16, 2. / 9, 3. / 24, 2. / 21} {
		v := e * e / 4
		square, free = square+v, free+v*v/float64(a[0].N-1)
	}
	want := papers.StudentSE(math.Sqrt(square), square*square/free)
	a[1].Predicted, b[1].Predicted = .3, .6
	sizes, got, gotSE, predicted, lags := compareESS(a, b)
	if math.Abs(sizes-math.Ln2) > 1e-12 || math.Abs(got-ratio) > 1e-12 || math.Abs(gotSE-want) > 1e-12 {
		t.Errorf("%g and %g +- %g, want %g and %g +- %g", sizes, got, gotSE, math.Ln2, ratio, want)
	}
	says := (math.Log(math.Expm1(3)/math.Expm1(6)) + math.Log(math.Expm1(.3)/math.Expm1(.6))) / 2
	if math.Abs(predicted-says) > 1e-12 || lags {
		t.Errorf("theory predicts %g, want %g; moves lag: %v", predicted, says, lags)
	}
	b[0].Series, a[0].FLinear = seriesLinear, 30 // the linear schedule by the pilots of the other line
	says = math.Log(math.Expm1(a[1].Predicted*a[1].At/a[0].At) / math.Expm1(30/(a[0].At-1)))
	if got, _ := predictedRatio(a, b, a[0].At); math.Abs(got-says) > 1e-12 {
		t.Errorf("with a pilot theory predicts %g, want %g", got, says)
	}
	a[1].Predicted = .1 // perfect moves promise 90 of 100 chains, and 60 count
	if got, lags := predictedRatio(a, a, a[1].At); got != 0 || lags {
		t.Errorf("of one line theory predicts %g; moves lag: %v", got, lags)
	}
	a[1].ESS = 40
	if _, lags := predictedRatio(a, a, a[1].At); !lags {
		t.Error("40 of 90 chains count, and moves do not lag")
	}
	if _, r, _, _, _ := compareESS(a, nil); num.NotNaN(r) {
		t.Errorf("without rows: %g", r)
	}
}

// For two lines with the same distribution, the difference exceeds papers.Sigmas standard errors with about the nominal
// probability, also if there are only two or three runs.
func TestCompareESSOfEqualLines(t *testing.T) {
	s := rng.NewKey(1, "effective", 0).Stream(0, 0, 0)
	for _, n := range [][]int{{20, 10, 4, 3}, {8, 5, 3}, {3}, {2}} {
		line := func() (rows []papers.Row) {
			for i, n := range n {
				size := 60 + 300*float64(i)
				var w stats.Welford
				for range n {
					w.Add(size + .04*size*s.Norm())
				}
				rows = append(rows, papers.Row{Point: papers.Point{At: float64(i), Link: "#v=1&model=m&method=ais&ais.chains=1500"},
					Method: "ais", N: n, ESS: w.Mean, ESSSE: math.Sqrt(w.Var() / float64(n))})
			}
			return rows
		}
		const draws = 4000
		decided := 0
		for range draws {
			if _, x, se, _, _ := compareESS(line(), line()); papers.Below(x, se) != papers.Unseen {
				decided++
			}
		}
		if share := float64(decided) / draws; share > .06 || share < .01 {
			t.Errorf("%d runs: %.3f are beyond 2 standard errors", n, share)
		}
	}
}
