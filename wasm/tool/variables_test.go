package main

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// ownVariable matches an environment variable of the tests.
var ownVariable = regexp.MustCompile(`(?:Getenv|LookupEnv)\("([A-Z]+_[A-Z_]+)"\)`)

// TestVariables: every environment variable that enables a test is set by a command of build.sh, or by a test for a
// program that it starts. A test that no command runs would be useless.
func TestVariables(t *testing.T) {
	read, set := map[string]string{}, ""
	for _, name := range append(sources(t), "build.sh") {
		if ext := path.Ext(name); ext != ".go" && ext != ".sh" {
			continue
		}
		src, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "_test.go") || path.Dir(name) == "internal/tier" {
			for _, m := range ownVariable.FindAllStringSubmatch(string(src), -1) {
				read[m[1]] = name
			}
		}
		set += string(src)
	}
	if len(read) < 5 {
		t.Fatalf("only %d variables found", len(read))
	}
	for _, v := range slices.Sorted(maps.Keys(read)) {
		if !strings.Contains(set, v+"=") {
			t.Errorf("%s reads %s, which no command of build.sh sets", read[v], v)
		}
	}
}
