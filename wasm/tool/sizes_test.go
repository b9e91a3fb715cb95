package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// mostLines bounds a package without its tests: a person reads the package in one sitting.
const mostLines = 5000

// larger are the packages that may have more lines.
var larger = map[string]bool{
	"render": true, // one picture
}

// TestPackages: no package is larger than one sitting.
func TestPackages(t *testing.T) {
	lines := map[string]int{}
	for _, name := range sources(t) {
		if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		lines[path.Dir(name)] += bytes.Count(b, []byte("\n"))
	}
	for dir, n := range lines {
		if n > mostLines && !larger[dir] {
			t.Errorf("%s has %d lines, at most %d", dir, n, mostLines)
		}
	}
}

// TestBrain: the page's parts own their methods; Brain has few, and no function takes a Brain in place of a method.
func TestBrain(t *testing.T) {
	const most = 90
	methods := 0
	for _, name := range sources(t) {
		if !strings.HasPrefix(name, "wasm/page/") || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && takesBrain(f.Recv) {
				methods++
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncType); ok && takesBrain(f.Params) {
				t.Errorf("%s: a function takes a Brain", name)
			}
			return true
		})
	}
	if methods == 0 || methods > most {
		t.Errorf("Brain has %d methods, at most %d", methods, most)
	}
}

// takesBrain reports whether one of some parameters is a Brain.
func takesBrain(fields *ast.FieldList) (found bool) {
	ast.Inspect(fields, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == "Brain"
		return true
	})
	return found
}
