package varopt

import (
	"context"
	"math"
	"slices"
	"testing"

	"logzlab/core/num"
	"logzlab/estimators"
	"logzlab/estimators/papers"
	"logzlab/estimators/papers/papertest"
)

// Links run the schedule of their line from the base of their panel, and the table's rows that the figure has are the
// same runs.
func TestSchedulesOfLinks(t *testing.T) {
	var figure []string
	for _, p := range rungsPoints(papers.Normal) {
		figure = append(figure, p.Link)
	}
	for _, e := range []*papers.Experiment{Table1, Fig1, Fig2, Fig3, Fig4} {
		seen := map[string]int{}
		for _, p := range e.Points(papers.Normal) {
			seen[p.Panel]++
			if papers.Value(p.Link, "ais.schedule") != Schedules[p.Series] || Schedules[p.Series] == "" ||
				(papers.Value(p.Link, "start") == "uniform") != (p.Panel == panelCoins) {
				t.Errorf("%s: %s of %s: %s", e.Name, p.Series, p.Panel, p.Link)
			}
			shared := slices.Contains([]string{seriesLinear, seriesGMS13, seriesVAROPT}, p.Series)
			if e == Table1 && shared && !slices.Contains(figure, p.Link) {
				t.Errorf("%s is not in %s", p.Link, Fig2.Name)
			}
		}
		if len(seen) != len(roads) {
			t.Errorf("%s: %v", e.Name, seen)
		}
	}
}

// The paper's strongest deceleration changes nothing here, and that of the experiments does.
func TestPaperSpeeds(t *testing.T) {
	run := func(schedule string) float64 {
		link := "v=1&model=rbm-pcd-20&method=ais&ais.chains=4&ais.temperatures=40&ais.schedule=" + schedule
		rows, err := papers.Measure(t.Context(), papers.Point{Link: link}, papers.Options{Workers: 2, Load: papertest.Load},
			func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		return rows[0].Mean
	}
	free, paper, slow := run(Schedules[seriesVAROPT]), run("varopt:3"), run(Schedules[seriesSlow])
	if free != paper || free == slow {
		t.Errorf("log Z is %g, %g at most 3 times as fast as linear, %g at most 1.2 times", free, paper, slow)
	}
}

// A row of several seeds begins with the run of its link, its schedules rise from 0 to 1, and its last weights have the
// effective sample size that the runs report.
func TestSeeded(t *testing.T) {
	p := seeded(papers.Machine{Panel: "p", Model: "mixture2"}, seriesVAROPT, 20, 150, 3)
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
	ladder, _ := averaged(r, ladderOf)
	if ladder[0] != 0 || ladder[places-1] != 1 || !slices.IsSorted(ladder) {
		t.Errorf("ladder %v", ladder)
	}
	left, se := averaged(r, effectiveOf)
	if left[0] != 20 || se[0] != 0 || math.Abs(left[places-1]/r.ESS-1) > 1e-9 ||
		math.Abs(se[places-1]/r.ESSSE-1) > 1e-9 {
		t.Errorf("effective sample sizes from %g +- %g to %g +- %g, reported %g +- %g", left[0], se[0], left[places-1],
			se[places-1], r.ESS, r.ESSSE)
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
		ladder := make([]estimators.Rung, places)
		for k := range ladder {
			e := ess * (1 + .01*float64(i))
			s := float64(k) / (places - 1)
			ladder[k] = estimators.Rung{Beta: b(s) * (1 + .001*float64(i)), SE: math.Sqrt((100/e - 1) / 100)}
		}
		r.Ladders = append(r.Ladders, ladder)
	}
	return r
}

func TestAnswersVAROPT(t *testing.T) {
	even := func(s float64) float64 { return s }
	bent := func(s float64) float64 { return math.Sqrt(s) }
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
		{fig1Judge, "VAROPT is similar", []papers.Row{onWay(seriesSM08, 9, bent), onWay(seriesLinear, 9, even),
			onWay(seriesVAROPT, 9, bent)}, papers.Agrees},
		{fig1Judge, "VAROPT is similar", []papers.Row{onWay(seriesSM08, 9, even), onWay(seriesLinear, 9, even),
			onWay(seriesVAROPT, 9, bent)}, papers.Unseen},
		{fig2Judge, "errors than LINEAR", more(papertest.Rated("p", seriesVAROPT, 50, 1, .3),
			papertest.Rated("p", seriesLinear, 50, 2, 1)),
			papers.Agrees},
		{fig2Judge, "errors than GMS13", more(papertest.Rated("p", seriesVAROPT, 50, 2, 1),
			papertest.Rated("p", seriesGMS13, 50, 1, .3)),
			papers.Contradicts},
		{fig2Judge, "especially", more(papertest.Rated("p", seriesVAROPT, 50, 2, .3), papertest.Rated("p", seriesLinear, 50,
			1, 1)),
			papers.Agrees},
		{fig2Judge, "especially", more(papertest.Rated("p", seriesVAROPT, 5, .1, 1), papertest.Rated("p", seriesLinear, 5, 1,
			1)), papers.Unseen},
		{fig3Judge, "sizes than LINEAR", more(sized(seriesVAROPT, 1, 20, 60), sized(seriesLinear, 1, 10, 50)), papers.Agrees},
		{fig3Judge, "sizes than GMS13", more(sized(seriesVAROPT, 1, 20, 60), sized(seriesGMS13, 1, 30, 70)),
			papers.Contradicts},
		{fig3Judge, "sizes than GMS13", more(sized(seriesVAROPT, 9, 20, 60), sized(seriesGMS13, 9, 21, 61)), papers.Unseen},
		{table1Judge, "size than LINEAR", more(sized(seriesSlow, 1, 60), sized(seriesLinear, 1, 50)), papers.Agrees},
		{table1Judge, "raises", more(sized(seriesSlow, 1, 70), sized(seriesVAROPT, 1, 60)), papers.Agrees},
		{table1Judge, "raises", more(sized(seriesSlow, 1, 61), sized(seriesVAROPT, 1, 60)), papers.Unseen}, // not enough
		{table1Judge, "raises", more(sized(seriesSlow, 9, 65), sized(seriesVAROPT, 9, 60)), papers.Unseen},
		// 60 of 100 chains promise an error of 0.08
		{table1Judge, "relied on", sized(seriesVAROPT, 1, 60), papers.Agrees},
		{table1Judge, "relied on", sized(seriesVAROPT, 1, 95), papers.Contradicts},
		{fig4Judge, "steep drop", []papers.Row{onWay(seriesLinear, 90, even), onWay(seriesVAROPT, 50, even)}, papers.Agrees},
		{fig4Judge, "steep drop", []papers.Row{onWay(seriesLinear, 50, even), onWay(seriesVAROPT, 90, even)},
			papers.Contradicts},
		{fig4Judge, "relaxes", []papers.Row{onWay(seriesSlow, 50.1, even), onWay(seriesVAROPT, 50, even)}, papers.Unseen},
		{fig4Judge, "in the end", []papers.Row{onWay(seriesSlow, 90, even), onWay(seriesVAROPT, 50, even)}, papers.Agrees},
		{fig4Judge, "smaller with more", []papers.Row{onWay(seriesLong, 90, even), onWay(seriesVAROPT, 50, even)},
			papers.Agrees},
	} {
		if got := papertest.Find(t, c.judge(c.rows), c.about); got != c.want {
			series := papers.Distinct(c.rows, func(r *papers.Row) string { return r.Series })
			t.Errorf("%s of %v: %v, want %v", c.about, series, got, c.want)
		}
	}
}

// An effective sample size of 20 of 100 promises the variance .04; places are weighed by how sure they are of it.
func TestEffective(t *testing.T) {
	a, b := sized("a", 3, 20, 60), sized("b", 2, 10, 30)
	variance, se := promised(&a[0])
	if math.Abs(variance-.04) > 1e-12 || math.Abs(se-3./16) > 1e-12 {
		t.Errorf("20 of 100 promise %g, its log +- %g", variance, se)
	}
	one, two := math.Hypot(3./16, 2./9), math.Hypot(3./24, 2./21)
	w, v := 1/(one*one), 1/(two*two)
	ratio := (w*math.Log(.04/.09) + v*math.Log((1./60-.01)/(1./30-.01))) / (w + v)
	sizes, got, gotSE := effective(a, b)
	if math.Abs(sizes-math.Ln2) > 1e-12 || math.Abs(got-ratio) > 1e-12 || math.Abs(gotSE-1/math.Sqrt(w+v)) > 1e-12 {
		t.Errorf("%g and %g +- %g, want %g and %g +- %g", sizes, got, gotSE, math.Ln2, ratio, 1/math.Sqrt(w+v))
	}
	if _, r, _ := effective(a, nil); num.Known(r) {
		t.Errorf("without rows: %g", r)
	}
}
