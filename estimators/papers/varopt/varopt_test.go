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
func TestSchedulesOfLinks(t *testing.T) {
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

// A bound without effect gives the run of VAROPT itself, which is stated and not judged; 1.5 times the linear speed
// gives another run.
func TestBounds(t *testing.T) {
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
func TestSeedRuns(t *testing.T) {
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
	if ladder[0] != 0 || ladder[numPlaces-1] != 1 || !slices.IsSorted(ladder) {
		t.Errorf("ladder %v", ladder)
	}
	left, se := meanReading(r, effectiveOf)
	if left[0] != 20 || se[0] != 0 || math.Abs(left[numPlaces-1]/r.ESS-1) > 1e-9 ||
		math.Abs(se[numPlaces-1]/r.ESSSE-1) > 1e-9 {
		t.Errorf("effective sample sizes from %g +- %g to %g +- %g, reported %g +- %g", left[0], se[0], left[numPlaces-1],
			se[numPlaces-1], r.ESS, r.ESSSE)
	}
}

// sized makes a row of effective sample sizes for each of them, at 1, 10, 100, ...
func sized(name string, se float64, ess ...float64) []papers.Row {
	out := papertest.Rated("p", name, 50, slices.Repeat([]float64{.1}, len(ess))...)
	for i, x := range ess {
		out[i].ESS, out[i].ESSSE, out[i].Method, out[i].Link = x, se, "ais", "v=1&ais.chains=100"
	}
	return out
}

// onWay makes a row of runs that all climb as b does, and whose effective sample sizes fall from 100 at once to ess.
func onWay(name string, ess float64, b func(s float64) float64) papers.Row {
	r := sized(name, 1, ess)[0]
	for i := range 5 {
		ladder := make([]estimators.Rung, numPlaces)
		for k := range ladder {
			e := ess * (1 + .01*float64(i))
			s := float64(k) / (numPlaces - 1)
			ladder[k] = estimators.Rung{Beta: b(s) * (1 + .001*float64(i)), SE: math.Sqrt((100/e - 1) / 100)}
		}
		r.Ladders = append(r.Ladders, ladder)
	}
	return r
}

func TestAnswersVAROPT(t *testing.T) {
	even := func(s float64) float64 { return s }
	bent := func(s float64) float64 { return math.Sqrt(s) }
	slow := func(s float64) float64 { return s * s }
	more := func(rows ...[]papers.Row) []papers.Row { return slices.Concat(rows...) }
	for _, c := range []struct {
		judge func([]papers.Row) []papers.Finding
		about string
		rows  []papers.Row
		want  papers.Answer
	}{
		{fig1Judge, "GMS13 is largely", []papers.Row{onWay(seriesGMS13, 9, even), onWay(seriesLinear, 9, even),
			onWay(seriesVAROPT, 9, bent)}, papers.Agrees},
		{fig1Judge, "GMS13 is largely", []papers.Row{onWay(seriesGMS13, 9, bent), onWay(seriesLinear, 9, even),
			onWay(seriesVAROPT, 9, bent)}, papers.Contradicts},
		{fig1Judge, "side of SM08", []papers.Row{onWay(seriesSM08, 9, bent), onWay(seriesVAROPT, 9, bent)},
			papers.Agrees},
		{fig1Judge, "side of SM08", []papers.Row{onWay(seriesSM08, 9, bent), onWay(seriesVAROPT, 9, slow)},
			papers.Contradicts},
		{fig1Judge, "VAROPT lies nearer", []papers.Row{onWay(seriesSM08, 9, bent), onWay(seriesLinear, 9, even),
			onWay(seriesVAROPT, 9, bent)}, papers.Contradicts},
		{fig1Judge, "VAROPT lies nearer", []papers.Row{onWay(seriesSM08, 9, even), onWay(seriesLinear, 9, even),
			onWay(seriesVAROPT, 9, bent)}, papers.Unseen},
		{errorsJudge, "errors than LINEAR", more(papertest.Rated("p", series9, 50, 1, .3),
			papertest.Rated("p", seriesLinear, 50, 2, 1)),
			papers.Agrees},
		{errorsJudge, "errors than GMS13", more(papertest.Rated("p", series9, 50, 2, 1),
			papertest.Rated("p", seriesGMS13, 50, 1, .3)),
			papers.Contradicts},
		{errorsJudge, "especially", more(papertest.Rated("p", series9, 50, 2, .3), papertest.Rated("p", seriesLinear, 50,
			1, 1)),
			papers.Agrees},
		{errorsJudge, "especially", more(papertest.Rated("p", series9, 5, .1, 1), papertest.Rated("p", seriesLinear, 5, 1,
			1)), papers.Unseen},
		{sizesJudge, "sizes than LINEAR", more(sized(series9, 1, 20, 60), sized(seriesLinear, 1, 10, 50)), papers.Agrees},
		{sizesJudge, "sizes than GMS13", more(sized(series9, 1, 20, 60), sized(seriesGMS13, 1, 30, 70)), papers.Contradicts},
		{sizesJudge, "sizes than GMS13", more(sized(series9, 9, 20, 60), sized(seriesGMS13, 9, 21, 61)), papers.Unseen},
		{table1Judge, "size than LINEAR", more(sized(series9, 1, 60), sized(seriesLinear, 1, 50)), papers.Agrees},
		{table1Judge, "size than VAROPT", more(sized(series9, 1, 70), sized(seriesVAROPT, 1, 60)), papers.Agrees},
		{table1Judge, "size than VAROPT", more(sized(series9, 1, 50), sized(seriesVAROPT, 1, 60)), papers.Contradicts},
		{table1Judge, "size than VAROPT", more(sized(series9, 9, 65), sized(seriesVAROPT, 9, 60)), papers.Unseen},
		{table1Judge, "1.5 times as fast has", more(sized(seriesSlow, 1, 70), sized(seriesVAROPT, 1, 60)), papers.Agrees},
		// 60 of 100 chains promise an error of 0.08
		{table1Judge, "at most 2 times", sized(series9, 1, 60), papers.Agrees},
		{table1Judge, "at most 2 times", sized(series9, 1, 95), papers.Contradicts},
		{fig5Judge, "larger errors", more(papertest.Rated("p", series9, 50, 3, .1), papertest.Rated("p", seriesLinear, 50,
			1, .3)), papers.Agrees},
		{fig5Judge, "fall faster", more(papertest.Rated("p", series9, 50, 3, .1), papertest.Rated("p", seriesLinear, 50,
			1, .3)), papers.Agrees},
		{fig5Judge, "fall faster", more(papertest.Rated("p", series9, 50, 1, .3), papertest.Rated("p", seriesLinear, 50,
			3, .1)), papers.Contradicts},
		{table2Judge, "size than GMS13", more(sized(series9, 1, 60), sized(seriesGMS13, 1, 50)), papers.Agrees},
		{fig4Judge, "steep drop", []papers.Row{onWay(seriesLinear, 90, even), onWay(seriesVAROPT, 50, even)}, papers.Agrees},
		{fig4Judge, "steep drop", []papers.Row{onWay(seriesLinear, 50, even), onWay(seriesVAROPT, 90, even)},
			papers.Contradicts},
		{fig4Judge, "deceleration relaxes", []papers.Row{onWay(series3, 50.1, even), onWay(seriesVAROPT, 50, even)},
			papers.Unseen},
		{fig4Judge, "in the end", []papers.Row{onWay(series3, 90, even), onWay(seriesVAROPT, 50, even)}, papers.Agrees},
		{fig4Judge, "smaller with more", []papers.Row{onWay(seriesLong, 90, even), onWay(seriesVAROPT, 50, even)},
			papers.Agrees},
	} {
		if got := papertest.Find(t, c.judge(c.rows), c.about); got != c.want {
			series := papers.Distinct(c.rows, func(r *papers.Row) string { return r.Series })
			t.Errorf("%s of %v: got %v, want %v", c.about, series, got, c.want)
		}
	}
}

// An effective sample size of 20 of 100 implies the variance 0.04; rows are weighted by their numbers of runs.
func TestCompareESS(t *testing.T) {
	a, b := sized("a", 3, 20, 60), sized("b", 2, 10, 30)
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

// If two lines are equal, few runs exceed papers.Sigmas standard errors no more often than many runs do.
func TestCompareESSByChance(t *testing.T) {
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
		clear := 0
		for range draws {
			if _, x, se, _, _ := compareESS(line(), line()); papers.Below(x, se) != papers.Unseen {
				clear++
			}
		}
		if share := float64(clear) / draws; share > .06 || share < .01 {
			t.Errorf("%d runs: %.3f are beyond 2 standard errors", n, share)
		}
	}
}
