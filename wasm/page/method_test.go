package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"logzlab/core/diag"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// lowMethod is a method that only this test knows: log Z by the mean of the log weights of an annealing run, too low.
var lowMethod = estimators.Info{
	Name: "low", Label: "LOW", Short: "too low", About: "The mean of the log weights.", Path: estimators.Tempered,
	Params: append(slices.Clone(anneal.Run.Params),
		spec.Param{Name: "raise", Type: "float", Default: "0", Min: 0, Max: 9, Help: "Added to log Z."}),
	Checks: []estimators.Check{{Name: "Depth", Meaning: "It is low.", Advice: "Take another method.",
		Judge: func(f estimators.Facts) (estimators.Finding, bool) {
			d := f.Number("depth")
			return estimators.Finding{Value: d, Text: fmt.Sprint(d), Needs: "≤ 0.5", OK: d <= .5, Bad: d > 100}, true
		}}},
	Reads: &anneal.Reader{Needs: anneal.ReverseWorks, Read: readLow},
}

func readLow(a *anneal.Record, v spec.Values) *estimators.Result {
	sum := 0.0
	works := a.Works(len(a.Betas) - 1)
	for _, w := range works {
		sum += w
	}
	return &estimators.Result{LogZ: sum/float64(len(works)) + v.Float("raise"), SE: 1,
		SEMethod: estimators.SEDelta, Bias: "down",
		Ladder: a.Ladder(), Diagnostics: map[diag.Number]float64{"depth": .75}, Flags: []diag.Flag{flagLow}}
}

var flagLow = diag.NewFlag("low", "")

// TestMethodOfItsOwn: a method is its descriptor and a line in the catalogue; the list, links, runs, the page,
// verdicts, the check of words and the table of results take it up from there. It reads the run of ais.
func TestMethodOfItsOwn(t *testing.T) {
	catalog.Methods = append(catalog.Methods, lowMethod)
	t.Cleanup(func() { catalog.Methods = catalog.Methods[:len(catalog.Methods)-1] })

	if list := string(report.Encode(report.List(catalog.Names{}))); !strings.Contains(list,
		`{"name":"low","about":"The mean of the log weights.","params":[{"name":"chains"`) {
		t.Error("the list lacks it")
	}
	const link = "v=1&model=mixture2&method=ais,low&ais.chains=40&ais.temperatures=60&" +
		"low.chains=40&low.raise=2&low.temperatures=60"
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil || s.Link() != link {
		t.Fatalf("the link is read as %v, %v", s, err)
	}
	if _, err := spec.ParseLink(link+"&low.lower=1", catalog.Names{}); err == nil {
		t.Error("a parameter that it does not have was accepted")
	}
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/"})
	hashes := strings.Fields(p.finish())
	alone := strings.Fields(native(t, s.Only(catalog.Names{}, "low").Link()))
	if len(hashes) != 2 || len(alone) != 1 || hashes[1] != alone[0] {
		t.Errorf("hashes %v in company of ais, %v alone", hashes, alone)
	}
	reports := p.controller.Reports.All(0)
	if low := reports[1]; low.Verdict.Level != report.Caution || low.Verdict.Failing().Name != "Depth" ||
		!slices.Contains(low.Flags, flagLow) || !slices.Contains(low.Flags, report.FlagSharedRun) ||
		low.Cost.Sweeps != reports[0].Cost.Sweeps {
		t.Errorf("the report is %+v, verdict %+v", low, low.Verdict)
	}
	row := p.row("low")
	if row.State != runstate.MethodDone || row.Cells["logz"].Value == "" || row.Cells["hash"].Value != hashes[1] {
		t.Errorf("its row is %+v", row)
	}
	p.controller.Event(state.Event{Name: "focus", Value: "low"})
	p.show()
	all := ""
	for _, part := range p.parts {
		all += string(part)
	}
	for _, want := range []string{`name="method" value="low"`, "too low", `data-param="low.raise"`,
		"sweeps in total, used by all methods.", "Methods that use the same run", "Added to log Z.", "Depth"} {
		if !strings.Contains(all, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	missing := missingGerman(t)
	for _, want := range []string{"too low", "The mean of the log weights.", "Added to log Z.", "Raise", "Depth",
		"It is low."} {
		if !slices.Contains(missing, want) {
			t.Errorf("the check of words does not ask for %q", want)
		}
	}
}
