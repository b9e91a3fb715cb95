package rts

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/num/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/papers"
	"logzlab/estimators/report"
	"logzlab/internal/papertest"
)

// The initial iterations of the experiment equal those of method rts with init = ones: the shares of the last one have
// the same largest deviation from uniform.
func TestInitialIterationsEqualMethodRTS(t *testing.T) {
	l := fig1Sizes{chains: 10, rungs: 9, sweeps: 15, iterations: 4}
	s, m, err := papers.OpenLink("v=1&model=mixture2&method=rts&rts.chains=10&rts.temperatures=9&rts.schedule=linear"+
		"&rts.init=ones&rts.init_rounds=4&rts.init_sweeps=15&rts.sweeps=1&rts.burn_in=0",
		engine.Source{Load: papertest.Load})
	if err != nil {
		t.Fatal(err)
	}
	reports, err := report.RunSpec(t.Context(), s, m, engine.Options{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	want := float64(reports[0].Diagnostics[estimators.DiagInitialMaxDev])
	got := 0.
	all := l.iterate(m, rng.NewKey(s.Seed, "rts", 0), false)
	for _, c := range all[len(all)-1].LogC {
		got = max(got, math.Abs(float64(l.rungs)*math.Exp(c)-1))
	}
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("off flat by %.12g, the run by %.12g", got, want)
	}
}

// The findings of Fig2, Fig3 and Fig4 agree, contradict or are undecided as the rows require.
func TestFindingsFig2To4(t *testing.T) {
	for _, c := range []struct {
		judge func([]papers.Row) []papers.Finding
		about string
		a     []papers.Row
		b     []papers.Row
		want  papers.Answer
	}{
		{fig2Judge, "MBAR and RTS", papertest.Rated("p", seriesMBAR, 200, 1, .5), papertest.Rated("p", seriesRTS, 200, 1.05,
			.5), papers.Agrees},
		{fig2Judge, "MBAR and RTS", papertest.Rated("p", seriesMBAR, 200, 2, 1), papertest.Rated("p", seriesRTS, 200, 1, .5),
			papers.Contradicts},
		{fig2Judge, "MBAR and RTS", papertest.Rated("p", seriesMBAR, 200, .5, .2), papertest.Rated("p", seriesRTS, 200, 1,
			.5), papers.Contradicts},
		{fig2Judge, "MBAR and RTS", papertest.Rated("p", seriesMBAR, 4, 1, .5), papertest.Rated("p", seriesRTS, 4, 1, .5),
			papers.Unseen},
		{fig3Judge, "error than AIS", papertest.Rated("p", seriesRTS, 30, 1, .3), papertest.Rated("p", seriesAIS, 30, 3, 2),
			papers.Agrees},
		{fig3Judge, "error than AIS", papertest.Rated("p", seriesRTS, 30, 3, 2), papertest.Rated("p", seriesAIS, 30, 1, .3),
			papers.Contradicts},
		{fig3Judge, "error than AIS", papertest.Rated("p", seriesRTS, 30, 1, 1), papertest.Rated("p", seriesAIS, 30, 1.01,
			1), papers.Unseen},
		// AIS is compared with RTS at its fewest sweeps, not with RTS at 10 times as many, whose error is smaller
		{fig3Judge, "ten times", papertest.Rated(published.Panel, seriesRTS, 30, 1, .3),
			papertest.Rated(published.Panel, seriesAIS, 30, 3, .5), papers.Contradicts},
		{fig3Judge, "ten times", papertest.Rated(published.Panel, seriesRTS, 30, 1, .3),
			papertest.Rated(published.Panel, seriesAIS, 30, 9, 3), papers.Agrees},
		{fig4Judge, "hardly affect", papertest.Rated("p", seriesRTS, 200, 3, 1, 1, 1.05), nil, papers.Agrees},
		{fig4Judge, "hardly affect", papertest.Rated("p", seriesRTS, 200, 3, 1, 1, 2), nil, papers.Contradicts},
		{fig4Judge, "more alike", papertest.Rated("p", seriesRTS, 200, 1, 1, 1), papertest.Rated("p", seriesTIRB, 200, 9, 2,
			1), papers.Agrees},
		{fig4Judge, "more alike", papertest.Rated("p", seriesRTS, 200, 1, 1, 1), papertest.Rated("p", seriesTIRB, 200, 1, 2,
			9), papers.Contradicts},
		{fig4Judge, "TS becomes", papertest.Rated("p", seriesRTS, 200, 1, 1, 1, 1), papertest.Rated("p", seriesTS, 200, 1,
			1, 1, 4), papers.Agrees},
		{fig4Judge, "TS becomes", papertest.Rated("p", seriesRTS, 200, 1, 1, 1, 1), papertest.Rated("p", seriesTS, 200, 1,
			1, 4, 1), papers.Contradicts},
		// a larger error that does not grow is no instability
		{fig4Judge, "TS becomes", papertest.Rated("p", seriesRTS, 200, 1, 1, 1, 1), papertest.Rated("p", seriesTS, 200, 4,
			4, 4, 4), papers.Unseen},
	} {
		if got := papertest.Find(t, c.judge(append(c.a, c.b...)), c.about); got != c.want {
			t.Errorf("%s, %s against %v: got %v, want %v", c.about, c.a[0].Series, c.b, got, c.want)
		}
	}
	for off, want := range map[float64]papers.Answer{-3: papers.Agrees, 3: papers.Contradicts, -.01: papers.Unseen} {
		ais := papertest.Rated("p", seriesAIS, 30, 1)
		ais[0].Mean = off
		long := papertest.Rated("p", seriesAIS, 1, 1) // the row of the reference must not be judged
		long[0].Reference, long[0].At = true, 0
		if got := papertest.Find(t, fig3Judge(append(long, ais...)), "from below"); got != want {
			t.Errorf("%g off: got %v, want %v", off, got, want)
		}
	}
}

// A line whose error halves with twice the sweeps reaches half of its first error at twice its first number of sweeps.
func TestSweepsToReachInterpolates(t *testing.T) {
	line := papertest.Rated("p", seriesAIS, 30, 4, 1)
	line[0].At, line[1].At = 1000, 4000
	for rmse, want := range map[float64]string{5: "fewer than 1000", 2: "about 2000", 1: "about 4000",
		.5: "more than 4000"} {
		if got := sweepsToReach(rmse, line); got != want {
			t.Errorf("%g: got %s, want %s", rmse, got, want)
		}
	}
}

// The findings of Fig1 agree, contradict or are undecided as the rows require.
func TestFindingsFig1(t *testing.T) {
	// rows returns a row of nine runs. The log shares of neighbouring rungs differ by about step, log Z has the error
	// off, and empty rungs have no visit.
	rows := func(series string, step, off float64, empty int) papers.Row {
		r := papers.Row{Point: papers.Point{Series: series, Step: "iteration 1"}, N: 9, Mean: 5 + off, SE: .1}
		var runs []guess
		for i := range r.N {
			g := guess{Empty: empty}
			for k := range 10 {
				g.LogC = append(g.LogC, float64(k%2)*step*(1+.01*float64(i))-math.Log(10))
			}
			runs = append(runs, g)
		}
		r.More = runs
		return r
	}
	ref := papers.Row{Point: papers.Point{Reference: true}, Ladders: [][]estimators.Rung{{{LogZ: 1}, {LogZ: 6}}}}
	for _, c := range []struct {
		about  string
		rb, ts papers.Row
		want   papers.Answer
	}{
		{"very close", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 0), papers.Agrees},
		{"very close", rows(seriesBlackwell, 2, 0, 0), rows(seriesVisits, 1, 0, 0), papers.Contradicts},
		{"dramatically", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 0), papers.Agrees},
		{"dramatically", rows(seriesBlackwell, 1.7, 0, 0), rows(seriesVisits, 1, 0, 0), papers.Contradicts},
		{"infinite", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 3), papers.Agrees},
		{"infinite", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 0), papers.Contradicts},
		{"near sooner", rows(seriesBlackwell, .1, -1, 0), rows(seriesVisits, 1, -3, 0), papers.Agrees},
		{"near sooner", rows(seriesBlackwell, .1, 3, 0), rows(seriesVisits, 1, -1, 0), papers.Contradicts},
		{"near sooner", rows(seriesBlackwell, .1, 1, 0), rows(seriesVisits, 1, -1, 0), papers.Unseen},
		{"are enough", rows(seriesBlackwell, .1, -1, 0), rows(seriesVisits, 1, 0, 0), papers.Agrees},
		{"are enough", rows(seriesBlackwell, .1, -6, 0), rows(seriesVisits, 1, 0, 0), papers.Contradicts},
	} {
		if got := papertest.Find(t, fig1Judge([]papers.Row{ref, c.rb, c.ts}), c.about); got != c.want {
			t.Errorf("%s: got %v, want %v", c.about, got, c.want)
		}
	}
}

// The number of sweeps of a run equals that of its report.
func TestSweepsEqualReport(t *testing.T) {
	run := tempering{chains: 10, rungs: 9, kept: 30, burn: 5, initialRounds: 2, initialSweeps: 7}
	s, err := spec.ParseLink(strings.ReplaceAll(run.link("mixture2", "rts", 1), "&replicates=1", ""), catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	_, m, err := papers.OpenLink(s.Link(), engine.Source{Load: papertest.Load})
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.RunSpec(t.Context(), s, m, engine.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if got := float64(r[0].Cost.Sweeps); got != float64(run.chains*run.sweeps()) {
		t.Errorf("%g sweeps, want %d", got, run.chains*run.sweeps())
	}
}
