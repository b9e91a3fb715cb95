package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEquations checks that the functions in the tables of equations in ARCHITECTURE.md and on the pages about papers
// exist in the files that the tables name.
func TestEquations(t *testing.T) {
	place := regexp.MustCompile("`([a-z0-9_/]+\\.go)` ([A-Za-z0-9]+(?:, [A-Za-z0-9]+)*)")
	for name, text := range documents(t) {
		_, table, ok := strings.Cut(text, map[bool]string{true: "| equation | file and functions |",
			false: "| In the paper | Here |"}[name == "ARCHITECTURE.md"])
		if !ok {
			if name == "ARCHITECTURE.md" || path.Dir(name) == "site/papers" && path.Base(name) != "index.md" {
				t.Errorf("%s has no table of equations", name)
			}
			continue
		}
		rows := 0
		for _, line := range strings.Split(table, "\n")[2:] {
			if !strings.HasPrefix(line, "| ") {
				break
			}
			rows++
			found := place.FindAllStringSubmatch(line, -1)
			if len(found) == 0 {
				t.Errorf("%s names no function: %s", name, line)
			}
			for _, f := range found {
				has := functions(t, f[1])
				for _, function := range strings.Split(f[2], ", ") {
					if !has[function] {
						t.Errorf("%s: %s has no function %s", name, f[1], function)
					}
				}
			}
		}
		if rows < 9 || name == "ARCHITECTURE.md" && rows < 17 {
			t.Errorf("the table of %s has %d rows", name, rows)
		}
	}
}

// functions returns the names of the functions and methods of a file.
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
