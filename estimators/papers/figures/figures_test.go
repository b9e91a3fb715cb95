package figures

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/papers"
	"logzlab/estimators/papers/aisel"
	"logzlab/estimators/papers/arm"
	"logzlab/estimators/papers/rts"
	"logzlab/estimators/papers/varopt"
	"logzlab/estimators/training"
	"logzlab/internal/papertest"
	"logzlab/internal/tier"
)

// Every experiment runs at the smallest size and writes a table with a row for each point, a chart, a text and a page.
// If it is continued, it computes nothing and changes no file. Quick tests run one experiment, standard tests one of
// each paper, and release tests all.
func TestSmallExperimentsWriteAllFiles(t *testing.T) {
	ofPapers := []*papers.Experiment{arm.Fig2, rts.Fig1, varopt.Table2, aisel.Theorem1}
	for _, e := range tier.Size(ofPapers[:1], ofPapers, All) {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			out, dir := papertest.Small(t, e)
			b, err := os.ReadFile(filepath.Join(dir, e.Name+".csv"))
			if err != nil {
				t.Fatal(err)
			}
			table, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			n := 0 // lines of points
			for _, p := range e.Points(papers.Small) {
				n += len(p.Lines())
			}
			if len(table) != len(out.Rows)+1 || len(out.Rows) < n {
				t.Errorf("%d lines and %d rows for %d lines of points", len(table), len(out.Rows), n)
			}
			for _, line := range table[1:] {
				link := line[len(line)-1]
				if err := checkLink(link); err != nil && link != "#" {
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
			papertest.Again(t, out, dir)
		})
	}
}

// checkLink returns an error if the link of an experiment or of a training is invalid.
func checkLink(link string) error {
	if training.IsLink(link) {
		_, err := training.ParseLink(link)
		return err
	}
	_, err := spec.ParseLink(link, catalog.Names{})
	return err
}

// The expected cost of each experiment at the default size is at most two hours on two cores.
func TestExperimentsTakeAtMostTwoHours(t *testing.T) {
	const maxSeconds = 2 * 2 * 3600
	for _, e := range All {
		total := 0.0
		for _, p := range e.Points(papers.Normal) {
			total += p.Cost
		}
		if total > maxSeconds {
			t.Errorf("%s takes %.1f hours of two cores", e.Name, total/7200)
		}
		t.Logf("%-16s %5.0f CPU minutes", e.Name, total/60)
	}
}

// The id of the rows for the published RBM is PublishedRows, the id in the links.
func TestPublishedRowsHaveLinkID(t *testing.T) {
	b, err := papers.DigitsByColumns(papertest.Load)
	if id := modelfile.ID(b); err != nil || id != "file:"+papers.PublishedRows {
		t.Errorf("the rows are %s, %v", id, err)
	}
}

// The links of all points, at every size, are valid. TestSmallExperimentsWriteAllFiles tests links that Follow
// computes.
func TestPointLinksAreValid(t *testing.T) {
	for _, e := range All {
		for _, size := range []papers.Size{papers.Small, papers.Normal, papers.Full} {
			for _, p := range e.Points(size) {
				if p.Follow != nil || p.Link == "" {
					continue
				}
				if err := checkLink(p.Link); err != nil || !(p.Cost > 0) {
					t.Errorf("%s %s: cost %g, %v", e.Name, p.Link, p.Cost, err)
				}
			}
		}
		if err := checkLink(e.Live[0]); err != nil {
			t.Errorf("%s: %v", e.Name, err)
		}
	}
}
