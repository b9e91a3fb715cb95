package papers

import (
	"context"
	"math"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/site"
)

func load(file string) ([]byte, error) { return site.Models.ReadFile("models/" + file) }

// The number of particles of a row comes from its link or from the default of the method. The estimate of an unbiased
// method is the log of a mean.
func TestNewRowParticlesAndEstimate(t *testing.T) {
	for _, c := range []struct {
		link      string
		particles int
		unbiased  bool
	}{
		{"v=1&model=ising16&method=smc", 0, true},
		{"v=1&model=rbm-pcd-20&method=rm&rm.particles=7", 7, true},
		{"v=1&model=rbm-pcd-20&method=arm", 0, false},
	} {
		s, err := spec.ParseLink(c.link, catalog.Names{})
		if err != nil {
			t.Fatal(err)
		}
		method, _ := catalog.Method(s.Methods[0])
		if c.particles == 0 {
			c.particles = s.Values(method.Params, method.Name).Int("particles")
		}
		r := &report.Report{LogZ: 3, Diagnostics: map[diag.Number]report.Number{"islands": 4}}
		row := NewRow(Point{Link: c.link}, s, r)
		if row.R != c.particles || c.particles == 0 {
			t.Errorf("%s: R = %d, want %d", c.link, row.R, c.particles)
		}
		if unbiased := row.LogMeanExp == 3; unbiased != c.unbiased {
			t.Errorf("%s: log of the mean %g, mean %g", c.link, row.LogMeanExp, row.Mean)
		}
	}
	s, _ := spec.ParseLink("v=1&model=ising16&method=ais", catalog.Names{})
	if row := NewRow(Point{}, s, nil); row.R != 0 {
		t.Errorf("ais has %d particles", row.R)
	}
}

// A point of several methods that read one run has a line for each method. The link of a line has the parameters of its
// method only and gives the same numbers as the common run.
func TestReadersShareOneRun(t *testing.T) {
	link := func(methods, extra string) string {
		link := "v=1&model=mixture2&method=" + methods
		for _, m := range strings.Split(methods, ",") {
			link += strings.ReplaceAll("&M.chains=10&M.temperatures=7&M.schedule=linear&M.sweeps=40&M.burn_in=5"+
				"&M.init=ais&M.init_rounds=1&M.init_sweeps=5", "M.", m+".")
		}
		return link + extra + "&replicates=3"
	}
	p := Point{Panel: "p", Series: "one run", Readers: []string{"RTS", "TS"},
		Link: link("rts,ts", "&rts.merge=yes")}
	lines := p.Lines()
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, want := range []string{link("rts", "&rts.merge=yes"), link("ts", "")} {
		if lines[i].Link != want || lines[i].Series != p.Readers[i] {
			t.Errorf("line %d: %s: %s, want %s", i, lines[i].Series, lines[i].Link, want)
		}
	}
	rows, err := Measure(context.Background(), p, Options{Workers: 2, Load: load}, func(float64) {})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, line := range lines {
		alone, err := Measure(context.Background(), Point{Link: line.Link}, Options{Workers: 2, Load: load}, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		if rows[i].Hash != alone[0].Hash || rows[i].Mean != alone[0].Mean || rows[i].N != 3 {
			t.Errorf("%s: %v together, %v alone", line.Series, rows[i], alone[0])
		}
	}
	var out Outcome
	if all := out.restoreRows(rows, p); len(all) != 2 || out.restoreRows(rows[:1], p) != nil {
		t.Errorf("%d rows are kept; with one of them missing, %v", len(all), out.restoreRows(rows[:1], p))
	}
	// The processor time of the common run counts once.
	out = Outcome{Rows: rows}
	if got, want := out.minutes(), 3*rows[0].Seconds/60; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%g minutes, want %g", got, want)
	}
}

// Only links that refer to a file open the user's file.
func TestFileIsUsedByItsPointsOnly(t *testing.T) {
	file, err := catalog.Kinds.ReadFile([]byte(`{"kind":"betabinom","a":2,"b":3,"k":5,"n":9}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	src := engine.Source{Load: load, File: file}
	for link, want := range map[string]int{"model=file:5b29b4a5eda7": 1, "model=rbm-pcd-20": 784, "model=mixture10": 10} {
		_, m, err := OpenLink("v=1&method=ais&"+link, src)
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Info().Dim; got != want {
			t.Errorf("%s has %d dimensions, not %d", link, got, want)
		}
	}
}

// Needed formats the seconds with two digits, and as a hyphen if the error is not known.
func TestNeededSeconds(t *testing.T) {
	r := Row{Mean: 3, SD: .3, Known: 3, Seconds: 2}
	if s := r.Needed(.1); s != "18" {
		t.Errorf("2 s with an error of 0.3 nats: %q s to 0.1, want 18", s)
	}
	if r.SD = math.NaN(); r.Needed(.1) != "-" {
		t.Errorf("no error: %q", r.Needed(.1))
	}
}
