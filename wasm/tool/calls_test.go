package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCallsRunOneWay checks that calls between the files of a package never run in a circle, so that the files can be
// read from the bottom up.
func TestCallsRunOneWay(t *testing.T) {
	for _, dir := range []string{"estimators/engine", "estimators/report", "wasm/words"} {
		calls, err := fileCalls("../..", dir)
		if err != nil {
			t.Fatal(err)
		}
		if circle := findCircle(calls); circle != nil {
			t.Errorf("%s: calls run in a circle: %s", dir, strings.Join(circle, " -> "))
		}
	}
}

func TestFindCircle(t *testing.T) {
	if c := findCircle(map[string]map[string]bool{"a": {"b": true, "c": true}, "b": {"c": true}}); c != nil {
		t.Errorf("a circle where there is none: %v", c)
	}
	if c := findCircle(map[string]map[string]bool{"a": {"b": true}, "b": {"c": true}, "c": {"b": true}}); len(c) != 3 {
		t.Errorf("circle %v", c)
	}
}

// fileCalls lists, for each file of the package in dir, the other files with functions or methods in use there.
func fileCalls(root, dir string) (map[string]map[string]bool, error) {
	list := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}", "./"+dir)
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return nil, explain(list, err)
	}
	exports := map[string]string{}
	for _, line := range strings.Split(string(out), "\n") {
		path, file, _ := strings.Cut(line, " ")
		exports[path] = file
	}
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})}
	pkg, err := conf.Check(dir, fset, files, info)
	if err != nil {
		return nil, err
	}
	calls := map[string]map[string]bool{}
	file := func(pos token.Pos) string { return filepath.Base(fset.Position(pos).Filename) }
	for id, object := range info.Uses {
		from, to := file(id.Pos()), ""
		if f, ok := object.(*types.Func); ok && f.Pkg() == pkg && f.Pos().IsValid() {
			to = file(f.Pos())
		}
		if to == "" || to == from {
			continue
		}
		if calls[from] == nil {
			calls[from] = map[string]bool{}
		}
		calls[from][to] = true
	}
	if len(files) < 2 {
		return nil, fmt.Errorf("only %d files in %s", len(files), dir)
	}
	return calls, nil
}

// findCircle is a way along arrows that comes back to its start, nil where there is none.
func findCircle(arrows map[string]map[string]bool) []string {
	done := map[string]bool{}
	var visit func(at string, way []string) []string
	visit = func(at string, way []string) []string {
		if i := slices.Index(way, at); i >= 0 {
			return append(slices.Clone(way[i:]), at)
		}
		if done[at] {
			return nil
		}
		for to := range arrows[at] {
			if circle := visit(to, append(way, at)); circle != nil {
				return circle
			}
		}
		done[at] = true
		return nil
	}
	for at := range arrows {
		if circle := visit(at, nil); circle != nil {
			return circle
		}
	}
	return nil
}
