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

// ownVariable is a variable of our tests.
var ownVariable = regexp.MustCompile(`(?:Getenv|LookupEnv)\("([A-Z]+_[A-Z_]+)"\)`)

// TestVariables: what a variable of the environment asks for, a command of build.sh asks for too, or a test that sets
// the variable for a program of its own. A test that no command runs is no test.
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
