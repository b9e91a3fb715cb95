package render

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/scene"
	"logzlab/render/stage"
	"logzlab/render/vocabulary"
)

// TestEveryWordIsListed reads the source: literal arguments of Say and Note must be in vocabulary.Words, and each word
// there must be used.
func TestEveryWordIsListed(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range parts {
		if dir := filepath.Dir(name); dir != "rendertest" && dir != "vocabulary" {
			files = append(files, name)
		}
	}
	literal := map[string]bool{}
	said := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		text := func(e ast.Expr) (string, bool) {
			b, ok := e.(*ast.BasicLit)
			if !ok || b.Kind != token.STRING {
				return "", false
			}
			s, _ := strconv.Unquote(b.Value)
			return s, true
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok {
				if s, ok := text(e); ok {
					literal[s] = true
				}
			}
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			f := ""
			switch fun := call.Fun.(type) {
			case *ast.SelectorExpr:
				f = fun.Sel.Name
			case *ast.Ident:
				f = fun.Name
			}
			if s, ok := text(call.Args[len(call.Args)-1]); ok && (f == "Say" || f == "Note") {
				said++
				if !slices.Contains(vocabulary.Words, s) {
					t.Errorf("%s: %q is not in vocabulary.Words", name, s)
				}
			}
			return true
		})
	}
	if said < 50 {
		t.Errorf("%d words found in the source, want at least 50", said)
	}
	for i, s := range vocabulary.Words {
		if !literal[s] && !slices.Contains(vocabulary.Phases, s) {
			t.Errorf("%q is in vocabulary.Words, but not used", s)
		}
		if slices.Index(vocabulary.Words, s) < i {
			t.Errorf("%q is in vocabulary.Words twice", s)
		}
	}
}

// TestEmptyScenesAreTranslated draws each scene without data, and one with a phase, in a language with brackets: every
// text must be translated.
func TestEmptyScenesAreTranslated(t *testing.T) {
	translated := map[string]string{}
	for _, s := range vocabulary.Words {
		translated[s] = "⟦" + s + "⟧"
	}
	for name := range scene.Makers {
		a := rendertest.Area(704, 456, 1)
		a.Words = translated
		if got := rendertest.Texts(rendertest.Draw(name, a, stage.NewStage())); !strings.HasPrefix(got, "⟦") {
			t.Errorf("%s without data reads %q", name, got)
		}
	}
	f := rendertest.Rings("rts", 0, 10, 8, 8, false)
	f.Phase, f.Rungs, f.Rung = "initial 3", 2, make([]int32, 10)
	other := *f
	other.Method, other.Phase = "smc", "cooling"
	for _, c := range []struct {
		f    *frame.Frame
		want string
	}{{f, "⟦initial⟧ 3"}, {&other, "⟦cooling⟧"}} {
		a := rendertest.Area(704, 456, 1)
		a.Words = translated
		p := rendertest.StageWith(c.f)
		if got := rendertest.Texts(rendertest.Draw("units", a, p)); !strings.Contains(got, c.want) {
			t.Errorf("%q is missing in %q", c.want, got)
		}
	}
}
