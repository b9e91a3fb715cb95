//go:build !js

package main

import (
	"path/filepath"
	"strings"
	"testing"

	"logzlab/estimators/papers"
)

// Without a name the command lists what there is; bad input names what was wrong and
// leaves no folder behind.
func TestExperiment(t *testing.T) {
	list := good(t, "experiment")
	for _, e := range papers.All {
		if !strings.Contains(list, e.Name+" ") || !strings.Contains(list, e.About) {
			t.Errorf("%s is not listed:\n%s", e.Name, list)
		}
	}
	dir := t.TempDir()
	for _, c := range []struct {
		says string
		args []string
	}{
		{`"arm-fig9" is not known; there are arm-fig2`, []string{"arm-fig9", "-out", filepath.Join(dir, "a")}},
		{"workers = 0", []string{"arm-fig2", "-workers", "0", "-out", filepath.Join(dir, "b")}},
		{"unexpected argument", []string{"arm-fig2", "-full", "arm-fig4"}},
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
