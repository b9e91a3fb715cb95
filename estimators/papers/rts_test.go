package papers

import (
	"context"
	"math"
	"strings"
	"testing"

	"logzlab/core/rng"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
)

// A point of several methods has a line for each, whose link says of its method all that the whole link says, and of
// the others nothing.
func TestReaders(t *testing.T) {
	run := tempering{chains: 10, rungs: 7, kept: 40, burn: 5, initialRounds: 1, initialSweeps: 5}
	p := Point{Panel: "p", Series: "one run", Readers: []string{"RTS", "TS"},
		Link: run.link("mixture2", "rts,ts", 3, "&rts.merge=yes")}
	lines := p.lines()
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []string{run.link("mixture2", "rts", 3, "&rts.merge=yes"), run.link("mixture2", "ts", 3)} {
		if lines[i].Link != want || lines[i].Series != p.Readers[i] {
			t.Errorf("line %d: %s: %s, want %s", i, lines[i].Series, lines[i].Link, want)
		}
	}
	rows, err := measure(context.Background(), p, Options{Workers: 2, Load: load}, func(float64) {})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, line := range lines {
		alone, err := measure(context.Background(), Point{Link: line.Link}, Options{Workers: 2, Load: load}, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		if rows[i].Hash != alone[0].Hash || rows[i].Mean != alone[0].Mean || rows[i].N != 3 {
			t.Errorf("%s: %v together, %v alone", line.Series, rows[i], alone[0])
		}
	}
	if all := kept(rows, p); len(all) != 2 || kept(rows[:1], p) != nil {
		t.Errorf("%d rows are kept; with one of them missing, %v", len(all), kept(rows[:1], p))
	}
	// Both lines share one run, so its time counts once.
	out := Outcome{Rows: rows}
	if got, want := out.minutes(), 3*rows[0].Seconds/60; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%g minutes, want %g", got, want)
	}
}

// The initial iterations of the experiment are those of rts with init = ones: the last one is as far from flat.
func TestInitialIterations(t *testing.T) {
	l := learners{chains: 10, rungs: 9, sweeps: 15, iterations: 4}
	s, m, err := open(l.link("mixture2", l.iterations)+"&rts.sweeps=1&rts.burn_in=0", engine.Source{Load: load})
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
	for _, c := range all[len(all)-1].logC {
		got = max(got, math.Abs(float64(l.rungs)*math.Exp(c)-1))
	}
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("off flat by %.12g, the run by %.12g", got, want)
	}
}

// rated makes a row for each RMSE, n estimates each, at 1, 10, 100, ...
func rated(panel, name string, n int, rmse ...float64) (out []Row) {
	for i, e := range rmse {
		at := math.Pow(10, float64(i))
		out = append(out, Row{Point: Point{Panel: panel, Series: name, At: at}, N: n, Seconds: 1, SD: e, Known: 0})
	}
	return
}

func TestAnswersRTS(t *testing.T) {
	for _, c := range []struct {
		judge func([]Row) []Finding
		about string
		a     []Row
		b     []Row
		want  Answer
	}{
		{rtsFig2Judge, "MBAR and RTS", rated("p", seriesMBAR, 200, 1, .5), rated("p", seriesRTS, 200, 1.05, .5), Agrees},
		{rtsFig2Judge, "MBAR and RTS", rated("p", seriesMBAR, 200, 2, 1), rated("p", seriesRTS, 200, 1, .5), Differs},
		{rtsFig2Judge, "MBAR and RTS", rated("p", seriesMBAR, 200, .5, .2), rated("p", seriesRTS, 200, 1, .5), Differs},
		{rtsFig2Judge, "MBAR and RTS", rated("p", seriesMBAR, 4, 1, .5), rated("p", seriesRTS, 4, 1, .5), Open},
		{rtsFig3Judge, "error than AIS", rated("p", seriesRTS, 30, 1, .3), rated("p", seriesAIS, 30, 3, 2), Agrees},
		{rtsFig3Judge, "error than AIS", rated("p", seriesRTS, 30, 3, 2), rated("p", seriesAIS, 30, 1, .3), Differs},
		{rtsFig3Judge, "error than AIS", rated("p", seriesRTS, 30, 1, 1), rated("p", seriesAIS, 30, 1.01, 1), Open},
		// not RTS at 10 sweeps, which is better, but at 1
		{rtsFig3Judge, "ten times", rated("p", seriesRTS, 30, 1, .3), rated("p", seriesAIS, 30, 3, .5), Differs},
		{rtsFig3Judge, "ten times", rated("p", seriesRTS, 30, 1, .3), rated("p", seriesAIS, 30, 9, 3), Agrees},
		{rtsFig4Judge, "hardly affect", rated("p", seriesRTS, 200, 3, 1, 1, 1.05), nil, Agrees},
		{rtsFig4Judge, "hardly affect", rated("p", seriesRTS, 200, 3, 1, 1, 2), nil, Differs},
		{rtsFig4Judge, "more alike", rated("p", seriesRTS, 200, 1, 1, 1), rated("p", seriesTIRB, 200, 9, 2, 1), Agrees},
		{rtsFig4Judge, "more alike", rated("p", seriesRTS, 200, 1, 1, 1), rated("p", seriesTIRB, 200, 1, 2, 9), Differs},
		{rtsFig4Judge, "TS becomes", rated("p", seriesRTS, 200, 1, 1, 1), rated("p", seriesTS, 200, 1, 1, 4), Agrees},
		{rtsFig4Judge, "TS becomes", rated("p", seriesRTS, 200, 1, 1, 1), rated("p", seriesTS, 200, 1, 1, 1), Open},
	} {
		if got := find(t, c.judge(append(c.a, c.b...)), c.about); got != c.want {
			t.Errorf("%s, %s against %v: %v, want %v", c.about, c.a[0].Series, c.b, got, c.want)
		}
	}
	for off, want := range map[float64]Answer{-3: Agrees, 3: Differs, -.01: Open} {
		ais := rated("p", seriesAIS, 30, 1)
		ais[0].Mean = off
		long := rated("p", seriesAIS, 1, 1) // the reference is not judged by itself
		long[0].Reference, long[0].At = true, 0
		if got := find(t, rtsFig3Judge(append(long, ais...)), "from below"); got != want {
			t.Errorf("%g off: %v, want %v", off, got, want)
		}
	}
}

func TestAnswersFig1(t *testing.T) {
	// rows of n runs whose shares zigzag by step around 1/K, with visits of empty rungs, and log Z off by some nats
	rows := func(series string, step, off float64, empty int) Row {
		r := Row{Point: Point{Series: series, Step: "iteration 1"}, N: 9, Mean: 5 + off, SE: .1}
		var runs []guess
		for i := range r.N {
			g := guess{empty: empty}
			for k := range 10 {
				g.logC = append(g.logC, float64(k%2)*step*(1+.01*float64(i))-math.Log(10))
			}
			runs = append(runs, g)
		}
		r.More = runs
		return r
	}
	ref := Row{Point: Point{Reference: true}, Ladders: [][]estimators.Rung{{{LogZ: 1}, {LogZ: 6}}}}
	for _, c := range []struct {
		about  string
		rb, ts Row
		want   Answer
	}{
		{"very close", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 0), Agrees},
		{"very close", rows(seriesBlackwell, 2, 0, 0), rows(seriesVisits, 1, 0, 0), Differs},
		{"dramatically", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 0), Agrees},
		{"dramatically", rows(seriesBlackwell, .7, 0, 0), rows(seriesVisits, 1, 0, 0), Differs},
		{"infinite", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 3), Agrees},
		{"infinite", rows(seriesBlackwell, .1, 0, 0), rows(seriesVisits, 1, 0, 0), Differs},
		{"near sooner", rows(seriesBlackwell, .1, -1, 0), rows(seriesVisits, 1, -3, 0), Agrees},
		{"near sooner", rows(seriesBlackwell, .1, 3, 0), rows(seriesVisits, 1, -1, 0), Differs},
		{"near sooner", rows(seriesBlackwell, .1, 1, 0), rows(seriesVisits, 1, -1, 0), Open},
		{"are enough", rows(seriesBlackwell, .1, -1, 0), rows(seriesVisits, 1, 0, 0), Agrees},
		{"are enough", rows(seriesBlackwell, .1, -6, 0), rows(seriesVisits, 1, 0, 0), Differs},
	} {
		if got := find(t, rtsFig1Judge([]Row{ref, c.rb, c.ts}), c.about); got != c.want {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

// Sweeps of a run are those that its report counts.
func TestSweeps(t *testing.T) {
	run := tempering{chains: 10, rungs: 9, kept: 30, burn: 5, initialRounds: 2, initialSweeps: 7}
	s, err := spec.ParseLink(strings.ReplaceAll(run.link("mixture2", "rts", 1), "&replicates=1", ""), catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	_, m, err := open(s.Link(), engine.Source{Load: load})
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
