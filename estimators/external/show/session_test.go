package show

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/wire"
	"logzlab/core/workerapi"
	"logzlab/estimators/external"
	"logzlab/estimators/external/samples"
)

// exampleFiles returns the sample files of the site whose names match a pattern.
func exampleFiles(t *testing.T, pattern string) (out []samples.File) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("../../../site/samples", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %v, %v", pattern, names, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, samples.File{Name: filepath.Base(name), Data: b})
	}
	return out
}

// answers returns the answers of a session to a request. Request and answers are encoded and decoded, as between the
// page and its worker.
func answers(t *testing.T, s *Session, o workerapi.ReportRequest, files []samples.File) (messages []workerapi.ReportAnswer) {
	t.Helper()
	var w wire.Writer
	w.Value(o)
	r := wire.Reader{B: w.B}
	var read workerapi.ReportRequest
	r.Value(&read)
	s.Do(&read, files, func(a *workerapi.ReportAnswer) {
		var w wire.Writer
		w.Value(a)
		r := wire.Reader{B: w.B}
		var got workerapi.ReportAnswer
		if r.Value(&got); r.Err != nil || len(r.B) > 0 || got.N != o.N {
			t.Fatalf("%+v became %+v, %v", a, got, r.Err)
		}
		messages = append(messages, got)
	})
	return messages
}

// The final answer has the numbers, the hash and the JSON of the command logz read, and the convergence plot.
func TestSessionReportMatchesCommand(t *testing.T) {
	t.Parallel()
	for _, pattern := range []string{"power-good.csv", "power-starved.csv", "windows-*.xvg", "nested.csv"} {
		files := exampleFiles(t, pattern)
		o, err := external.ParseOptions([]string{"independent=no"})
		if err != nil {
			t.Fatal(err)
		}
		want, err := external.Read(files, nil, o, nil)
		if err != nil {
			t.Fatal(err)
		}
		all := answers(t, &Session{}, workerapi.ReportRequest{N: 3, Read: true, Lang: "en", Set: []string{"independent=no"}}, files)
		last := all[len(all)-1]
		if last.Err != nil || last.Busy || last.JSON != string(external.JSON(want)) {
			t.Fatalf("%s: %v, JSON\n%s\nnot\n%s", pattern, last.Err, last.JSON, external.JSON(want))
		}
		if first := all[0]; !first.Busy || first.Doing != files[0].Name {
			t.Errorf("%s: the first answer is %+v", pattern, first)
		}
		best := external.Best(want)
		for _, phrase := range []string{best.Hash, files[0].Name, "<article", "</article>"} {
			if !strings.Contains(last.Body, phrase) {
				t.Errorf("%s: the report does not say %q", pattern, phrase)
			}
		}
		if ladder := len(best.Ladder) > 0; strings.Contains(last.Body, "Estimate from a growing part") != ladder {
			t.Errorf("%s: the report has a convergence plot: %t", pattern, !ladder)
		}
	}
}

// Units, method, options and a second set of files in later requests change the report on the files read first.
func TestOptionsChangeReport(t *testing.T) {
	t.Parallel()
	s := &Session{}
	last := func(o workerapi.ReportRequest, files []samples.File) workerapi.ReportAnswer {
		o.Lang = "en"
		all := answers(t, s, o, files)
		return all[len(all)-1]
	}
	a := last(workerapi.ReportRequest{Read: true}, exampleFiles(t, "windows-*.xvg"))
	b := last(workerapi.ReportRequest{N: 1, Units: "kcal/mol", Method: "bar"}, nil)
	if !strings.Contains(a.Body, "kJ/mol</span></p>") || !strings.Contains(b.Body, "kcal/mol</span></p>") ||
		!strings.Contains(b.Body, `GROMACS dhdl, bar`) {
		t.Errorf("units or method are not taken: %s", b.Body[:500])
	}
	if c := last(workerapi.ReportRequest{N: 2, Set: []string{"burn_in=95"}}, nil); c.Err == nil {
		t.Error("burn_in=95 is taken")
	}
	last(workerapi.ReportRequest{N: 3, Read: true}, exampleFiles(t, "power-good.csv"))
	c := last(workerapi.ReportRequest{N: 4, Read: true, Second: true}, exampleFiles(t, "power-rival.csv"))
	for _, phrase := range []string{"Log Bayes factor", "Kass and Raftery", "power-rival.csv"} {
		if !strings.Contains(c.Body, phrase) {
			t.Errorf("the comparison does not say %q", phrase)
		}
	}
	if !strings.HasPrefix(c.JSON, `{"a":[`) || s.first.name != "power-good.csv" {
		t.Errorf("%s is compared: %.100s", s.first.name, c.JSON)
	}
	bad := []samples.File{{Name: "x.csv", Data: []byte("power,loglik\n0,1\n0.5,x\n")}}
	if c = last(workerapi.ReportRequest{N: 5, Read: true}, bad); c.Err == nil || !strings.Contains(c.Err.Error(), "x.csv, line 3") {
		t.Errorf("a bad file gives %v", c.Err)
	}
}

// minMaxThinned keeps the extremes of a series, in order.
func TestMinMaxThinnedKeepsExtremes(t *testing.T) {
	t.Parallel()
	x := make([]float64, 1000)
	x[501], x[502] = 7, -7
	at, y := minMaxThinned(x, 10)
	if len(y) != 20 || y[10] != 7 || y[11] != -7 || at[10] != 501.5 {
		t.Errorf("%v at %v", y, at)
	}
}

// The charts of nested sampling and step sums have a name and a style for each run, and the texts of the report are
// translated with the right plural forms.
func TestChartsNameEachRun(t *testing.T) {
	t.Parallel()
	nested := exampleFiles(t, "nested.csv")
	two := []samples.File{nested[0], {Name: "again.csv", Data: nested[0].Data}}
	sums := []samples.File{{Name: "a.ss", Data: []byte("step\tpower\trun1\trun2\n1\t0.5\t-10\t-11\n2\t0\t-3\t-2.5\n")}}
	german, err := os.ReadFile("../../../core/words/de.po")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lang    string
		files   []samples.File
		phrases []string
		absent  string
	}{
		{"en", nested, []string{"1200 points in 1 run.", "Contributions to Z", "lie 90 % of Z, on ",
			`fill="var(--m-0)" fill-opacity=`}, `var(--m-1)`},
		{"en", two, []string{"2400 points in 2 runs.", ">run 2<", `fill="var(--m-1)" fill-opacity=`,
			`stroke="var(--m-1)"`, `stroke-dasharray="6 3"`}, "1 runs"},
		{"de", two, []string{"2400 Punkte in 2 Läufen.", "Beiträge zu Z", "(Lauf 1: "}, "(run 1"},
		{"en", sums, []string{"2 stones in 2 runs",
			"Run 1 sums to −13.00, run 2 sums to −13.50; they differ by 0.50 nats.",
			"differ most at power 0.5, by 1.00 nats", `fill="var(--m-1)"`, "Differences between runs"}, "Overlap of each rung"},
		{"de", sums, []string{"2 Steine in 2 Läufen", "Lauf 1 ergibt −13,00", "(Stein 1, Potenz 0,5)"}, "(stone 1"},
	} {
		o := workerapi.ReportRequest{Read: true, Lang: c.lang}
		if c.lang == "de" {
			o.Translations = german
		}
		all := answers(t, &Session{}, o, c.files)
		last := all[len(all)-1]
		if last.Err != nil {
			t.Fatal(last.Err)
		}
		for _, phrase := range c.phrases {
			if !strings.Contains(last.Body, phrase) {
				t.Errorf("%s, %s: the report does not say %q", c.files[0].Name, c.lang, phrase)
			}
		}
		if strings.Contains(last.Body, c.absent) {
			t.Errorf("%s, %s: the report says %q", c.files[0].Name, c.lang, c.absent)
		}
	}
}
