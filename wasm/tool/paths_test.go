package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// TestPathsStayInTree: a clone has all files that programs and tests read. No Go file names a path outside of the tree,
// by "../" or from the root of a file system.
func TestPathsStayInTree(t *testing.T) {
	for _, name := range sources(t) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		src, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range pathsOut(name, src) {
			t.Error(v)
		}
	}
}

// pathsOut returns the paths in a file that lead out of the tree, as "file:line: path". Tests and generators run in the
// folder of their file.
func pathsOut(name string, src []byte) (found []string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	report := func(n ast.Node, p string) {
		out := path.Join(path.Dir(name), p)
		if strings.HasPrefix(p, "..") && (out == ".." || strings.HasPrefix(out, "../")) || homes(p) {
			found = append(found, fmt.Sprintf("%s:%d: %s leads out of the tree", name, fset.Position(n.Pos()).Line, p))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				report(n, s)
			}
		case *ast.CallExpr: // filepath.Join("..", "..", "x")
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Join" {
				report(n, strings.Join(leadingTexts(n.Args), "/"))
			}
		}
		return true
	})
	return found
}

// leadingTexts returns the literals at the beginning of a list of arguments.
func leadingTexts(args []ast.Expr) (texts []string) {
	for _, a := range args {
		b, ok := a.(*ast.BasicLit)
		if !ok || b.Kind != token.STRING {
			break
		}
		s, _ := strconv.Unquote(b.Value)
		texts = append(texts, s)
	}
	return texts
}

// homes reports whether a path begins with a folder of a particular computer.
func homes(p string) bool {
	for _, top := range []string{"home", "root", "Users", "work", "tmp"} {
		if strings.HasPrefix(p, "/"+top+"/") {
			return true
		}
	}
	return false
}

// The check finds each kind of path outside of the tree, and accepts paths inside.
func TestPathsStayInTreeCatchesPlanted(t *testing.T) {
	for _, c := range []struct {
		name, src string
		out       bool
	}{
		{"models/a_test.go", `var x = "../site/models"`, false},
		{"models/a_test.go", `var x = "../../shared/truth"`, true},
		{"estimators/report/a_test.go", `var x = "../../data/x.npz"`, false},
		{"estimators/report/a_test.go", `var x = "../../.."`, true},
		{"models/a_test.go", `var x = filepath.Join("..", "..", "shared")`, true},
		{"models/a_test.go", `var x = filepath.Join("..", "site", name)`, false},
		{"wasm/tool/a.go", `var x = "/%s/x"`, false},
		{"wasm/tool/a.go", `var x = "/" + "home/x"`, false},
		{"wasm/tool/a.go", `var x = "/hom` + `e/x"`, true},
	} {
		if got := pathsOut(c.name, []byte("package p; "+c.src)); (len(got) > 0) != c.out {
			t.Errorf("%s with %s: got %q", c.name, c.src, got)
		}
	}
}
