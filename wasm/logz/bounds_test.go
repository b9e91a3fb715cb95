package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/internal/testmodels"
)

// A link of the page gives the same bounds; a link about another file is refused.
func TestBoundsOfLink(t *testing.T) {
	data := testmodels.CompleteGlass(t, 12).Canonical()
	file := filepath.Join(t.TempDir(), "glass.json")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	link := "v=1&model=" + modelfile.ID(data) + "&method=rts&seed=3"
	for _, c := range []struct {
		args   string
		status int
		says   string
	}{
		{"bounds " + link + " -model " + file, exitOK, "<= log Z <="},
		{"bounds -link " + link + " -model " + file, exitOK, "<= log Z <="},
		{"bounds v=1&model=glass16&method=rts", exitOK, "367.2954108"},
		{"bounds " + link, exitUsage, "give that file with -model FILE"},
		{"bounds v=1&model=glass16&method=rts -model " + file, exitUsage, "about glass16"},
		{"bounds a b", exitUsage, "give one link"},
	} {
		var out, errs strings.Builder
		if status := cli(strings.Fields(c.args), &out, &errs); status != c.status ||
			!strings.Contains(out.String()+errs.String(), c.says) {
			t.Errorf("%s: status %d, %s%s", c.args, status, out.String(), errs.String())
		}
	}
}

// A sum without terms is log Z = -Inf, with a flag.
func TestExactZeroSum(t *testing.T) {
	path := write(t, "none.json", []byte(`{"kind":"graph","states":[2],"factors":[{"on":[0],"table":[0,0]}]}`))
	var answer struct {
		LogZ  *float64
		Flags []string
	}
	if err := json.Unmarshal([]byte(mustRun(t, "exact", "-model", path, "-json")), &answer); err != nil {
		t.Fatal(err)
	}
	if answer.LogZ != nil || !slices.Equal(answer.Flags, []string{"zero_sum"}) {
		t.Errorf("%+v", answer)
	}
	if out := mustRun(t, "exact", "-model", path); !strings.Contains(out, "note       zero_sum") {
		t.Errorf("%s lacks the note", out)
	}
}
