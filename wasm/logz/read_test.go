package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"logzlab/estimators/external"
)

// writeFile writes a file to a temporary folder and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const (
	readStones = "Step\tPower\trun1\trun2\n1\t0.5\t-10.1\t-10.2\n2\t0.2\t-20.3\t-20.2\n3\t0.1\t-5\t-5.1\n" +
		"4\t0.05\t-3\t-3.1\n5\t0\t-1\t-1.1\n"
	readPowers = "power,likelihood\n0,-4\n0,-2\n0.5,-3\n0.5,-1\n1,-1\n1,-1.5\n"
)

// The status of read -strict is the verdict; without -strict it is 0 if the files can be read.
func TestRead(t *testing.T) {
	bad := strings.Replace(readStones, "\t-1.1\n", "\t-40\n", 1)
	for _, c := range []struct {
		text   string
		args   []string
		status int
		says   string
	}{
		{readStones, []string{"-strict"}, exitOK, "verdict    trust"},
		{readPowers, []string{"-strict"}, exitCaution, "read "},
		{bad, []string{"-strict"}, exitStop, "run 1: -39.400, run 2: -78.600"},
		{bad, nil, exitOK, "verdict    stop"},
		{readPowers, []string{"-method", "ti", "-set", "rule=left"}, exitOK, "ti on table of powers"},
	} {
		status, out, err := run(append([]string{"read", writeFile(t, "x", c.text)}, c.args...)...)
		if status != c.status || !strings.Contains(out, c.says) || err != "" {
			t.Errorf("%v: status %d, want %d with %q; %s%s", c.args, status, c.status, c.says, out, err)
		}
	}
	for _, c := range []struct{ text, args, says string }{
		{readPowers, "-method nested", "these files do not have what nested needs"},
		{readPowers, "-method best", "unknown method"},
		{readPowers, "-set burn_in=99", "burn_in"},
		{readPowers, "-set x=1", "independent, burn_in"},
		{"x,y\n1,2\n", "-json", "no columns that are known"},
	} {
		status, out, err := run(append([]string{"read", writeFile(t, "x", c.text)}, strings.Fields(c.args)...)...)
		if status != exitUsage || out != "" || !strings.Contains(err, c.says) || strings.Count(err, "\n") != 1 {
			t.Errorf("%s: status %d, %q, want %q", c.args, status, err, c.says)
		}
	}
	if status, _, err := run("read"); status != exitUsage || !strings.Contains(err, "give the files") {
		t.Errorf("status %d, %q", status, err)
	}
	if status, _, err := run("read", t.TempDir()); status != exitUsage || !strings.Contains(err, "not a regular file") {
		t.Errorf("status %d, %q", status, err)
	}
}

// The JSON has the SHA-256 of the files. The hash depends on numbers, options and files, not on their names.
func TestReadJSON(t *testing.T) {
	hashes := map[string]bool{}
	for _, c := range []struct{ name, text, set string }{
		{"a", readPowers, "independent=no"}, {"b", readPowers, "independent=no"}, {"a", readPowers, "independent=yes"},
		{"a", readPowers + "\n", "independent=no"},
	} {
		_, out, _ := run("read", writeFile(t, c.name, c.text), "-json", "-method", "ss", "-set", c.set)
		var r struct {
			Model, Link *string
			Files       []external.File
			Hash        string
			Units       string
			Logz        float64
		}
		if err := json.Unmarshal([]byte(out), &r); err != nil {
			t.Fatal(err, out)
		}
		if r.Model != nil || r.Link != nil || len(r.Files) != 1 || len(r.Files[0].SHA256) != 64 || len(r.Hash) != 16 ||
			r.Units != "nats" || !strings.Contains(out, `"model":null,"link":null`) {
			t.Error(out)
		}
		hashes[r.Hash] = true
	}
	if len(hashes) != 3 {
		t.Errorf("%d hashes, want 3", len(hashes))
	}
}

// The contract lists the fields of the JSON of logz read, and no others.
func TestContractRead(t *testing.T) {
	text := contract(t, "Samples of other programs")
	_, table, _ := strings.Cut(text, "| Field |")
	real, documented := paths(reflect.TypeFor[external.Report](), ""), quotedIn(text)
	for _, name := range quotedIn(rows("\n" + table)) {
		if !slices.Contains(real, name) {
			t.Errorf("contract.md has the field %s, the program has not", name)
		}
	}
	for _, name := range real {
		if !slices.Contains(documented, name) && !strings.HasPrefix(name, "verdict.") {
			t.Errorf("the field %s is not in contract.md", name)
		}
	}
	for _, p := range external.Params {
		if !strings.Contains(text, "`"+p.Name) {
			t.Errorf("contract.md lacks the option %s", p.Name)
		}
	}
	for _, m := range external.Methods {
		if !slices.Contains(documented, m.Name) {
			t.Errorf("contract.md lacks the method %s", m.Name)
		}
	}
}
