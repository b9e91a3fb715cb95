package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// codeOf runs a link and returns the result code that the page shows.
func codeOf(t *testing.T, link string) string {
	t.Helper()
	s, err := spec.ParseLink(link, catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := engine.Source{Load: loadBundled}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	reports, err := report.RunSpec(t.Context(), s, m, engine.Options{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return state.ResultCodeOf(s, reports)
}

// forgedCode returns a code in which old is replaced by new, with a valid checksum.
func forgedCode(code, old, new string) string {
	body, _, _ := strings.Cut(strings.Replace(code, old, new, 1), "&sum=")
	return body + state.CodeChecksum(body)
}

// The mark command reproduces valid codes, names codes whose values were changed, and says what is wrong with damaged
// ones.
func TestMark(t *testing.T) {
	const link = "v=1&model=mixture2&method=ais&ais.chains=50&ais.temperatures=100"
	good := codeOf(t, link)
	rough := codeOf(t, "v=1&model=mixture2&method=ais&ais.chains=20&ais.temperatures=10&seed=2")
	elsewhere := codeOf(t, "v=1&model=ising16&method=ais&ais.chains=20&ais.temperatures=50")
	_, value, _ := strings.Cut(good, "&result.ais=")
	z, _, _ := strings.Cut(value, "_")
	forged := forgedCode(good, z, z+"1")

	file := filepath.Join(t.TempDir(), "codes.csv")
	lines := [][]string{{"name", "code", "email"}, {"Ann", good, "ann@x.org"}, {"Bo", "  " + good[:60] + "\n" + good[60:], "bo@x.org"},
		{"Cy", rough, "cy@x.org"}, {"Di", forged, "di@x.org"}, {"Ed", good[:len(good)-5], "ed@x.org"}, {"Flo", "", "flo@x.org"},
		{"Gus", elsewhere, "gus@x.org"}, {"=Hy", "hello", "hy@x.org"}}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Comma = ';'
	w.WriteAll(lines)
	if err := os.WriteFile(file, []byte("\xef\xbb\xbf"+b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	status, out, says := run("mark", file, "-link", "https://lab.example/#"+link+"&view.goal=se:0.2", "-all", "-workers", "2")
	if status != exitFailed || !strings.Contains(says, "2 of 8 codes reach the goal; 5 were computed again") ||
		!strings.Contains(says, "these codes do not reproduce: row 4 (Di di@x.org)") {
		t.Errorf("status %d, %q", status, says)
	}
	table, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(table) != 9 || strings.Join(table[0][:5], " ") != "name email grade feedback recomputed" {
		t.Fatalf("%v, %q", err, out)
	}
	for i, want := range []struct{ grade, feedback, recomputed string }{
		{"100", "the same result as in row 2", "identical"},
		{"100", "the same result as in row 1", "identical"},
		{"0", "the standard error of ais is ", "identical"},
		{"0", "does not reproduce", "different"},
		{"0", "incomplete: its checksum does not fit", "no"},
		{"0", "no code", "no"},
		{"0", "the model is ising16, not mixture2", "identical"},
		{"0", "this is not a result code", "no"},
	} {
		row := table[i+1]
		if row[2] != want.grade || !strings.Contains(row[3], want.feedback) || row[4] != want.recomputed {
			t.Errorf("%q, want %+v", row, want)
		}
	}

	// With a verdict in the goal, every code is recomputed by default. With -sample 0 none is, and the feedback says that the
	// verdict was not checked.
	status, out, says = run("mark", file, "-goal", "verdict:trust", "-sample", "0")
	if status != exitOK || strings.Count(out, "verdict not checked") != 5 {
		t.Errorf("status %d, %q, %q", status, says, out)
	}
	if status, out, _ = run("mark", file, "-goal", "verdict:trust"); status != exitFailed || strings.Contains(out, "not checked") ||
		!strings.Contains(out, `Cy,cy@x.org,0,"the verdict on ais is caution, not trust"`) {
		t.Errorf("status %d, %q", status, out)
	}

	mustRefuse(t, `the goal "se:x" is not understood`, "mark", file, "-goal", "se:x")
	mustRefuse(t, "give one file", "mark")
	mustRefuse(t, "names no model", "mark", file, "-link", "view.goal=se:1")
	empty := filepath.Join(t.TempDir(), "empty.csv")
	os.WriteFile(empty, fmt.Append(nil, "name,code\nAnn,1\n"), 0o600)
	mustRefuse(t, "no column has result codes", "mark", empty)
}
