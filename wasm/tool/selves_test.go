package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path"
	"strings"
	"testing"
)

// TestUnknownByName: no file but core/num's asks for NaN or infinity by comparing a number with itself. num.Known and
// num.Finite say what is meant, in the same machine code.
func TestUnknownByName(t *testing.T) {
	for _, name := range sources(t) {
		if !strings.HasSuffix(name, ".go") || path.Dir(name) == "core/num" {
			continue
		}
		src, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range selves(name, src) {
			t.Error(v)
		}
	}
}

// selves lists the places at which an expression is compared with itself, or taken from itself. Two calls may return
// two different numbers, so a difference of calls is left alone.
func selves(name string, src []byte) (found []string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	text := func(n ast.Node) string {
		var b strings.Builder
		printer.Fprint(&b, token.NewFileSet(), n)
		return b.String()
	}
	ast.Inspect(file, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || text(b.X) != text(b.Y) {
			return true
		}
		if b.Op == token.EQL || b.Op == token.NEQ || b.Op == token.SUB && !calls(b.X) {
			found = append(found, fmt.Sprintf("%s:%d: %s: write num.Known or num.Finite", name, fset.Position(b.Pos()).Line,
				text(b)))
		}
		return true
	})
	return found
}

// calls reports whether an expression calls a function.
func calls(x ast.Expr) (found bool) {
	ast.Inspect(x, func(n ast.Node) bool {
		_, call := n.(*ast.CallExpr)
		found = found || call
		return true
	})
	return found
}

// TestUnknownByNameCatchesPlanted breaks the rule in each way, and keeps it.
func TestUnknownByNameCatchesPlanted(t *testing.T) {
	for src, n := range map[string]int{
		"var a = x != x":              1,
		"var a = x.y[i] == x.y[i]":    1,
		"var a = f(i, j) != f(i, j)":  1,
		"var a = x-x != 0":            1,
		"var a = num.Known(x)":        0,
		"var a = x[0] != x[1]":        0,
		"var a = draw(s) - draw(s)":   0,
		"var a = x == y && x-y == 0.": 0,
	} {
		if got := selves("a.go", []byte("package p; "+src)); len(got) != n {
			t.Errorf("%s: found %q", src, got)
		}
	}
}
