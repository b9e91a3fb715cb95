package main

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestWorkflow: the workflow runs existing commands of build.sh, and publishes the folder that its build makes.
func TestWorkflow(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	flow, script := read(".github/workflows/pages.yml"), read("build.sh")
	_, list, _ := strings.Cut(script, "case $command in")
	list, _, _ = strings.Cut(list, ")")
	commands := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(" |\\\n", r) })
	built := false
	for _, m := range regexp.MustCompile(`run: (.*)`).FindAllStringSubmatch(flow, -1) {
		name, ours := strings.CutPrefix(m[1], "./build.sh ")
		if !ours || !slices.Contains(commands, name) {
			t.Errorf("the workflow runs %q; build.sh has %s", m[1], strings.Join(commands, ", "))
		}
		built = built || name == "build"
	}
	for _, m := range regexp.MustCompile(`uses: (.*)`).FindAllStringSubmatch(flow, -1) {
		if !regexp.MustCompile(`^actions/[a-z-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`).MatchString(m[1]) {
			t.Errorf("the workflow uses %s: name a commit, which nobody can change, and its version", m[1])
		}
	}
	folder := regexp.MustCompile(`path: (\S+)`).FindStringSubmatch(flow)
	if !built || folder == nil || !strings.Contains(script, "dist -out "+folder[1]+" site") {
		t.Errorf("the workflow publishes %v, which it does not build", folder)
	}
}
