package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEquations checks that the functions in the table of equations of ARCHITECTURE.md exist in the files that it
// names.
func TestEquations(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "| equation | file and functions |")
	if !ok {
		t.Fatal("ARCHITECTURE.md has no table of equations")
	}
	place := regexp.MustCompile("`([a-z0-9_/]+\\.go)` ([A-Za-z0-9]+(?:, [A-Za-z0-9]+)*)")
	rows := 0
	for _, line := range strings.Split(table, "\n")[2:] {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		rows++
		found := place.FindAllStringSubmatch(line, -1)
		if len(found) == 0 {
			t.Errorf("no function: %s", line)
		}
		for _, f := range found {
			has := functions(t, f[1])
			for _, name := range strings.Split(f[2], ", ") {
				if !has[name] {
					t.Errorf("%s has no function %s", f[1], name)
				}
			}
		}
	}
	if rows < 17 {
		t.Errorf("the table has %d rows", rows)
	}
}

// functions are the names of the functions and methods of a file.
func functions(t *testing.T, file string) map[string]bool {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.SkipObjectResolution)
	if err != nil {
		t.Error(err)
		return nil
	}
	names := map[string]bool{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			names[f.Name.Name] = true
		}
	}
	return names
}
