//go:build !js

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"logzlab/estimators/papers/figures"
)

// Without a name the command lists the experiments. An error names its cause and leaves no folder behind.
func TestExperiment(t *testing.T) {
	list := mustRun(t, "experiment")
	for _, e := range figures.All {
		if !strings.Contains(list, e.Name+" ") || !strings.Contains(list, e.About) {
			t.Errorf("%s is not listed:\n%s", e.Name, list)
		}
	}
	dir := t.TempDir()
	other := filepath.Join(t.TempDir(), "other.csv")
	if err := os.WriteFile(other, []byte("0.5,1\n1.5,-1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{`there is no experiment "arm-fig9" (did you mean arm-fig2?); there are arm-fig2`, []string{"arm-fig9", "-out", filepath.Join(dir, "a")}},
		{"workers = 0", []string{"arm-fig2", "-workers", "0", "-out", filepath.Join(dir, "b")}},
		{"unexpected argument", []string{"arm-fig2", "-full", "arm-fig4"}},
		{"leave -model out", []string{"arm-fig2", "-model", "gpc-1d", "-out", filepath.Join(dir, "c")}},
		{"give it by -model FILE", []string{"arm-usps", "-out", filepath.Join(dir, "d")}},
		{"give it by -model FILE", []string{"arm-usps", "-model", "gpc-1d", "-out", filepath.Join(dir, "e")}},
		{`"0/3" must be K/N`, []string{"arm-fig2", "-part", "0/3", "-out", filepath.Join(dir, "g")}},
		{"this process is not a task of an array", []string{"arm-fig2", "-part", "array", "-out", filepath.Join(dir, "h")}},
		{"-of and -from belong to -part array", []string{"arm-fig2", "-part", "1/3", "-of", "3", "-out", dir + "/i"}},
		{"none of the 1 points of arm-fig5 can be", []string{"arm-fig5", "-part", "1/3", "-out", filepath.Join(dir, "j")}},
		{"a part continues by itself", []string{"arm-fig2", "-part", "1/3", "-continue", "-out", filepath.Join(dir, "k")}},
		{"arm-usps is about file:", []string{"arm-usps", "-model", other, "-out", filepath.Join(dir, "f")}},
	} {
		status, out, err := run(append([]string{"experiment"}, c.args...)...)
		if status != exitUsage || out != "" || !strings.Contains(err, c.says) || strings.Count(err, "\n") != 1 {
			t.Errorf("%v: status %d, %q, %q", c.args, status, out, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
