package papers

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/labtest/tier"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/site"
)

func load(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

// small runs the miniature of an experiment.
func small(t *testing.T, e *Experiment) (*Outcome, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	out, err := Run(context.Background(), e, Options{Dir: dir, Size: Small, Workers: 2, Page: true, Load: load,
		Say: func(string, bool) {}})
	if err != nil {
		t.Fatal(err)
	}
	return out, dir
}

// Every experiment runs, and writes a table with a row for each point, a chart, a report that says how far it agrees,
// and a page. One of each paper runs before a release.
func TestMiniatures(t *testing.T) {
	ofPapers := []*Experiment{fig2, rtsFig1, varoptTable1, aiselTheorem1}
	for _, e := range tier.Size(ofPapers[:1], ofPapers, All) {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			out, dir := small(t, e)
			b, err := os.ReadFile(filepath.Join(dir, e.Name+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			table, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			n := 0 // lines of points
			for _, p := range e.points(Small) {
				n += len(p.lines())
			}
			if len(table) != len(out.Rows)+1 || len(out.Rows) < n {
				t.Errorf("%d lines and %d rows for %d lines of points", len(table), len(out.Rows), n)
			}
			for _, line := range table[1:] {
				link := line[len(line)-1]
				if err := readable(link); err != nil && link != "#" {
					t.Errorf("link %s: %v", link, err)
				}
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name+".txt"))
			if err != nil || !strings.Contains(string(text), out.Summary()) || strings.Contains(string(text), "NaN") {
				t.Errorf("report: %v\n%s", err, text)
			}
			page, err := os.ReadFile(filepath.Join(dir, e.Name+".html"))
			if err != nil || strings.Contains(string(page), "http:") || strings.Contains(string(page), "NaN") ||
				strings.Contains(string(page), "%!") {
				t.Errorf("page: %v\n%s", err, page)
			}
			charts, _ := filepath.Glob(filepath.Join(dir, e.Name+".[sp][vn]g"))
			if len(charts) != 1 {
				t.Errorf("charts %v", charts)
			}
		})
	}
}

// readable says what is wrong with the link of an experiment or of a training.
func readable(link string) error {
	if training.IsLink(link) {
		_, err := training.ParseLink(link)
		return err
	}
	_, err := spec.ParseLink(link, catalog.Names{})
	return err
}

// Links of every size can be read, and name every parameter rightly; what Follow
// and Make make is tested by the miniature.
func TestLinks(t *testing.T) {
	for _, e := range All {
		for _, size := range []Size{Small, Normal, Full} {
			for _, p := range e.points(size) {
				if p.Follow != nil || p.Link == "" {
					continue
				}
				if err := readable(p.Link); err != nil || !(p.Cost > 0) {
					t.Errorf("%s %s: cost %g, %v", e.Name, p.Link, p.Cost, err)
				}
			}
		}
		if err := readable(e.live[0]); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}

// An own file is the model of its own points only. Catches an experiment of several models that runs all of them on it.
func TestOwnFileBesideOthers(t *testing.T) {
	file, err := catalog.Kinds.ReadFile([]byte(`{"kind":"betabinom","a":2,"b":3,"k":5,"n":9}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	src := engine.Source{Load: load, File: file}
	for link, want := range map[string]int{"model=" + publishedFile: 1, "model=rbm-pcd-20": 784, "model=mixture10": 10} {
		_, m, err := open("v=1&method=ais&"+link, src)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Info().Dim; got != want {
			t.Errorf("%s has %d dimensions, not %d", link, got, want)
		}
	}
}

// An experiment that ends early leaves the points that it has, and says so.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	points := 0
	out, err := Run(ctx, fig2, Options{Dir: dir, Size: Small, Workers: 1, Load: load, Say: func(_ string, done bool) {
		if done {
			if points++; points == 2 {
				cancel()
			}
		}
	}})
	if err == nil || !out.Interrupted || len(out.Rows) != 2 {
		t.Fatalf("%v, interrupted %v, %d rows", err, out.Interrupted, len(out.Rows))
	}
	text, _ := os.ReadFile(filepath.Join(dir, "arm-fig2.txt"))
	if !strings.Contains(string(text), "Not complete: 2 of ") {
		t.Errorf("%s", text)
	}
	b, _ := os.ReadFile(filepath.Join(dir, "arm-fig2.csv"))
	if n := bytes.Count(b, []byte("\n")); n != 3 {
		t.Errorf("%d lines", n)
	}
}

// line makes rows of a line whose error falls with the root of the cost.
func line(panel, name string, n int, scale float64, seconds ...float64) (out []Row) {
	for i, t := range seconds {
		out = append(out, Row{Point: Point{Panel: panel, Series: name}, N: n, R: 10 * (i + 1), Seconds: t,
			SD: scale / math.Sqrt(t), Mean: -10, LogMeanExp: -10, Known: -10, EP: -10})
	}
	return
}

// At equal cost a line with twice the error has four times the variance, wherever
// its costs lie. Comparing at equal R instead of equal cost would say 4/3 here.
func TestMatched(t *testing.T) {
	for _, costs := range [][]float64{{1, 2, 4}, {3, 6, 12}, {1.5, 3}, {100}, {.01}} {
		ratio, se := matched(line("", "a", 41, 2, costs...), line("", "b", 41, 1, 1, 2, 4), bySD)
		if d := ratio - math.Ln2; math.Abs(d) > 1e-12 {
			t.Errorf("costs %v: off by %g", costs, d)
		}
		// one row each: both variances 1/80
		if len(costs) == 1 && math.Abs(se-math.Sqrt(2./80)) > 1e-12 {
			t.Errorf("costs %v: se %g", costs, se)
		}
	}
	for _, bad := range [][]Row{nil, line("", "a", 1, 1, 1), line("", "a", 9, 0, 1), line("", "a", 9, math.NaN(), 1),
		line("", "a", 9, 1, 0)} {
		if ratio, _ := matched(bad, line("", "b", 9, 1, 1), bySD); !math.IsNaN(ratio) {
			t.Errorf("%v: %g", bad, ratio)
		}
	}
}

// find is the answer of the finding about something.
func find(t *testing.T, f []Finding, about string) Answer {
	t.Helper()
	for _, x := range f {
		if strings.Contains(x.Paper, about) {
			return x.Answer
		}
	}
	t.Fatalf("no finding about %q in %v", about, f)
	return Open
}

func TestAnswersFig2(t *testing.T) {
	ref := Row{Point: Point{Panel: "p", Series: "ref", Reference: true}, N: 1, LogMeanExp: -10, Mean: -10, SE: .01,
		EP: -10.02}
	with := func(x ...[]Row) []Row {
		out := []Row{ref}
		for _, r := range x {
			out = append(out, r...)
		}
		return out
	}
	low := func(rows []Row, by ...float64) []Row {
		for i := range rows {
			rows[i].Mean -= by[i]
		}
		return rows
	}
	arm := line("p", seriesARM, 80, 1, 1, 4)
	for _, c := range []struct {
		rows  []Row
		about string
		want  Answer
	}{
		{with(arm, line("p", seriesRM, 80, 3, 1, 4)), "better use", Agrees},
		{with(arm, line("p", seriesRM, 80, .3, 1, 4)), "better use", Differs},
		{with(arm, line("p", seriesRM, 80, 1.05, 1, 4)), "better use", Open},
		{with(arm, line("p", seriesRM, 3, 1.5, 1, 4)), "better use", Open}, // three estimates cannot tell
		{with(low(line("p", seriesRM, 80, 1, 1, 4), 2, .1)), "average of RM", Agrees},
		{with(low(line("p", seriesRM, 80, 1, 1, 4), 2, 5)), "average of RM", Differs}, // moves away
		{with(low(line("p", seriesRM, 80, 1, 1, 4), -2, 0)), "average of RM", Differs},
		{with(low(line("p", seriesRM, 80, 1, 1, 4), .05, 0)), "average of RM", Open},
		{with(arm, line("p", seriesPlain, 80, 50, 1, 4)), "plain HMC from the prior", Agrees},
		// wrong, though it varies little
		{with(arm, low(line("p", seriesPlain, 80, .1, 1, 4), 40, 40)), "plain HMC from the prior", Agrees},
		{with(arm, line("p", seriesPlain, 80, .2, 1, 4)), "plain HMC from the prior", Differs},
		{with(arm, line("p", seriesWhite, 80, 2, 1, 4)), "whitened HMC", Open},
		{with(arm, line("p", seriesRMQ, 80, 1, 1, 4)), "RMHMC that starts", Agrees},
		{with(arm, line("p", seriesRMQ, 80, 9, 1, 4)), "RMHMC that starts", Differs},
		{with(arm), "EP's estimate", Agrees},
	} {
		rows := c.rows
		refer(rows)
		if got := find(t, fig2Judge(rows), c.about); got != c.want {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
	far := ref
	far.EP = -11
	if got := find(t, fig2Judge([]Row{far}), "EP's estimate"); got != Differs {
		t.Errorf("EP a nat off: %v", got)
	}
}

func TestAnswersFig4(t *testing.T) {
	for _, c := range []struct {
		panel, about     string
		arm, other       float64 // scales of the errors
		otherName        string
		armMean, refMean float64
		want             Answer
	}{
		{"PCD", "very close to AIS", 1, 1, "RM", -10, -10.2, Agrees},
		{"PCD", "very close to AIS", 1, 1, "RM", -10, -15, Differs},
		{"PCD", "very close to AIS", 1, 1, "RM", -10, -11, Open},
		{"PCD", "reduces the variance", 1, 3, "RM", -10, -10, Agrees},
		{"PCD", "reduces the variance", 3, 1, "RM", -10, -10, Differs},
		{"PCD", "smaller variance than ARM", 1, .3, "ARM-anticipate", -10, -10, Agrees},
		{"PCD", "improve the efficiency", 1, .3, "ARM-reseed", -10, -10, Agrees},
		{"PCD", "improve the efficiency", 1, 3, "ARM-reseed", -10, -10, Differs},
		{"CD25", "in less time", 1, 3, "ARM-reseed", -10, -10, Agrees},
		{"CD25", "in less time", 1, .3, "ARM-reseed", -10, -10, Differs},
	} {
		rows := append(line(c.panel, "ARM", 50, c.arm, 1, 4), line(c.panel, c.otherName, 50, c.other, 1, 4)...)
		for i := range rows {
			rows[i].Mean = c.armMean
		}
		rows = append(rows, Row{Point: Point{Panel: c.panel, Series: "AIS", Reference: true}, N: 1, LogMeanExp: c.refMean,
			Mean: c.refMean, SE: .01, SD: math.NaN()})
		refer(rows)
		if got := find(t, fig4Judge(rows), c.about); got != c.want {
			t.Errorf("%s %s, arm %g, other %g: %v, want %v", c.panel, c.about, c.arm, c.other, got, c.want)
		}
	}
}

func TestAnswersFig5AndCost(t *testing.T) {
	for at, want := range map[float64]Answer{50: Agrees, 80: Open, 140: Differs} {
		p := Picture{Stage: 784, N: 1, W: 28, H: 28, Nearest: [3]float64{at, 40, 120}}
		if f := fig5Judge([]Row{{More: []Picture{p}}}); len(f) != 1 || f[0].Answer != want {
			t.Errorf("distance %g: %v, want %v", at, f, want)
		}
	}
	ref := Row{Point: Point{Panel: "CD25", Series: "AIS", Reference: true}, N: 1, LogMeanExp: 560, Mean: 560, Lower: 559,
		Upper: 561, SE: .2}
	arm := Row{Point: Point{Panel: "CD25", Series: "ARM"}, N: 10, Mean: 561.9, LogMeanExp: math.NaN(), SD: .3,
		Seconds: 300}
	rm := arm
	rm.Series, rm.SD = "RM", 1.2
	f := armCostJudge([]Row{ref, arm, rm})
	if find(t, f, "within 1 nat") != Agrees || find(t, f, "30 minutes") != Agrees ||
		find(t, f, "variance of RM") != Agrees {
		t.Errorf("%v", f)
	}
	arm.Mean, arm.Seconds, arm.SD = 562.1, 400, 4
	f = armCostJudge([]Row{ref, arm, rm})
	if find(t, f, "within 1 nat") != Differs || find(t, f, "30 minutes") != Differs ||
		find(t, f, "variance of RM") != Differs {
		t.Errorf("%v", f)
	}
	// Each size is judged by itself: 200 islands settle what 10 cannot.
	small, smallRM := arm, rm
	small.R, small.N, small.SD, small.Seconds, smallRM.N, smallRM.SD, smallRM.Seconds = 100, 200, 3, 30, 200, 4, 30
	arm.R, arm.SD, arm.Seconds, rm.SD, rm.Seconds = 1000, .9, 300, 1, 300
	f = armCostJudge([]Row{ref, small, smallRM, arm, rm})
	if find(t, f, "R = 100.") != Agrees || find(t, f, "R = 1000.") != Open {
		t.Errorf("%v", f)
	}
}

func TestVerdict(t *testing.T) {
	f := func(a ...Answer) (out []Finding) {
		for _, x := range a {
			out = append(out, Finding{Answer: x})
		}
		return
	}
	for want, x := range map[string][]Finding{
		"Nothing to compare yet.":                                                            nil,
		"This run agrees with the paper in all 2 findings.":                                  f(Agrees, Agrees),
		"This run agrees with the paper in 1 of 2 findings and leaves 1 open.":               f(Agrees, Open),
		"This run agrees with the paper in 1 of 2 findings and differs in 1.":                f(Agrees, Differs),
		"This run agrees with the paper in 1 of 3 findings, differs in 1 and leaves 1 open.": f(Agrees, Open, Differs),
		"This run differs from the paper in its one finding.":                                f(Differs),
		"This run differs from the paper in all 2 findings.":                                 f(Differs, Differs),
	} {
		if got := verdict(x, "the paper"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
