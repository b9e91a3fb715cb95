package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers lists, from the bottom up, each folder and the folders of the project that its files may import. The first
// pattern that matches a folder is used. A pattern with /... matches the folder and all folders below it.
var layers = []struct {
	dir string
	may []string
}{
	// core: packages that several other parts use.
	{"core/num", nil},
	{"core/num/rng", []string{"core/num"}},
	{"core/num/kernel/gen", nil}, // a command that runs when the kernel changes
	{"core/files/csv", []string{"core/meter", "core/num", "core/problem"}}, // must not depend on models
	{"core/words", []string{"core/format", "core/problem"}},
	{"core/...", []string{"core/..."}},

	// models: a kind must not depend on another kind.
	{"models", []string{"core/..."}},
	{"models/density", []string{"core/...", "models"}},
	{"models/conjugate", []string{"core/...", "models", "models/density", "models/latent"}},
	{"models/stan/tape", []string{"core/..."}},
	{"models/stan/logpdf", []string{"core/...", "models/stan/tape"}},
	{"models/stan/lang", []string{"core/num", "core/num/rng", "core/problem", "models/stan/logpdf", "models/stan/ranges",
		"models/stan/tape"}},
	{"models/stan/syntax", []string{"core/num", "core/problem", "models/stan/lang"}},
	{"models/stan/program", []string{"core/...", "models", "models/density", "models/stan/tape"}},
	{"models/stan/...", []string{"core/...", "models/stan/..."}}, // the compiler must not depend on models
	{"models/...", []string{"core/...", "models", "models/density"}},

	// estimators: methods, the engine that runs them, and reports.
	{"estimators", []string{"core/...", "models"}}, // interfaces; must not depend on families
	{"estimators/anneal", []string{"core/...", "models", "estimators"}},
	{"estimators/mbar", []string{"core/...", "estimators"}}, // must not depend on runs or models
	{"estimators/temper", []string{"core/...", "models", "estimators", "estimators/anneal", "estimators/mbar"}},
	{"estimators/smc", []string{"core/...", "models", "estimators", "estimators/anneal"}},
	{"estimators/resamplemove", []string{"core/...", "models", "estimators", "estimators/anneal"}},
	{"estimators/bridge", []string{"core/...", "models", "estimators"}},
	{"estimators/auto", []string{"core/...", "models", "estimators", "estimators/anneal", "estimators/temper",
		"estimators/resamplemove", "estimators/bridge"}},
	{"estimators/catalog", []string{"core/...", "models/...", "estimators", "estimators/anneal", "estimators/temper",
		"estimators/smc", "estimators/resamplemove", "estimators/bridge", "estimators/auto"}},
	{"estimators/training", []string{"core/...", "models/...", "estimators", "estimators/anneal"}},
	{"estimators/engine", []string{"core/...", "models/...", "estimators", "estimators/catalog", "estimators/training"}},
	{"estimators/calibration", []string{"core/...", "estimators"}},
	{"estimators/verdict", []string{"core/format", "core/num", "core/problem", "core/spec"}},
	{"estimators/report", []string{"core/...", "models", "estimators", "estimators/anneal", "estimators/calibration",
		"estimators/catalog", "estimators/engine", "estimators/verdict"}},
	{"estimators/lab", []string{"core/...", "models/...", "estimators/...", "site"}}, // the library for Go programs
	{"estimators/targets", []string{"core/...", "models/...", "estimators/catalog"}},
	{"estimators/coverage", []string{"core/...", "models", "estimators", "estimators/calibration", "estimators/catalog",
		"estimators/engine", "estimators/report", "estimators/targets"}},
	{"estimators/papers", []string{"core/...", "models/...", "estimators", "estimators/catalog", "estimators/engine",
		"estimators/report", "render/chart", "render/paint", "render/svg"}}, // what all papers share; it knows none of them
	{"estimators/papers/figures", []string{"estimators/papers/..."}},
	{"estimators/papers/...", []string{"core/...", "models/...", "estimators", "estimators/engine", "estimators/training",
		"estimators/papers", "render/chart", "render/paint"}}, // a paper; must not depend on others
	{"estimators/external/samples", []string{"core/..."}},
	{"estimators/external/draws", []string{"core/...", "models/density", "estimators", "estimators/external",
		"estimators/external/samples", "estimators/verdict"}},
	{"estimators/external", []string{"core/...", "estimators", "estimators/external/samples", "estimators/mbar",
		"estimators/temper", "estimators/verdict"}},
	{"estimators/external/show", []string{"core/...", "estimators/external/...", "estimators/verdict", "render/chart",
		"render/html", "render/paint", "render/svg"}},

	// render: pictures.
	{"render/vocabulary", nil},
	{"render/picture", nil},
	{"render/html", []string{"core/format"}},
	{"render/paint/gen", nil}, // makes the typefaces
	{"render/paint", []string{"core/format", "render/vocabulary"}},
	{"render/gpu", []string{"render/paint"}},
	{"render/chart", []string{"core/format", "core/num", "render/paint"}},
	{"render/svg", []string{"render/paint"}},
	{"render/scene", []string{"core/frame", "render/paint", "render/record"}},
	{"render/record", []string{"core/format", "core/frame", "core/num", "core/runstate", "core/schedule", "render/paint"}},
	{"render/stage", []string{"core/frame", "core/runstate", "render/paint", "render/record", "render/scene", "render/svg"}},
	{"render/curve", []string{"render/paint"}},
	{"render/function", []string{"core/format", "core/frame", "core/num", "render/formation", "render/paint",
		"render/record", "render/scene"}}, // the stages of formation stand below the functions
	{"render/chain", []string{"core/frame", "core/num", "render/paint", "render/plane", "render/record", "render/scene"}},
	{"render/resampling", []string{"core/format", "core/frame", "core/num", "render/chart", "render/paint", "render/plane",
		"render/record", "render/scene", "render/series"}}, // on the plane, or along the series
	{"render/travel", []string{"core/format", "core/frame", "core/num", "core/runstate", "core/schedule", "render/chart",
		"render/curve", "render/ladder", "render/paint", "render/record", "render/scene"}},
	{"render", []string{"core/frame", "core/runstate", "render/..."}},
	{"render/...", []string{"core/format", "core/frame", "core/num", "core/runstate", "core/schedule", "render/chart",
		"render/curve", "render/paint", "render/record", "render/scene"}}, // the other scenes

	// wasm: the page and its parts, which are independent of each other; rooms; and the programs.
	{"wasm/page/workerpool", []string{"core/frame", "core/problem", "core/wire", "estimators", "estimators/engine"}},
	{"wasm/page/deck", []string{"core/problem"}},
	{"wasm/page/state", []string{"core/...", "models/...", "estimators/...", "render/html", "wasm/rooms/room",
		"wasm/page/deck"}},
	{"wasm/page/repair", []string{"core/...", "models", "estimators/...", "wasm/page/state"}},
	{"wasm/page/scene", []string{"core/...", "models/...", "estimators/...", "render/html", "wasm/page/state"}},
	{"wasm/page/view", []string{"core/...", "models", "estimators/...", "render/chart", "render/html", "render/paint",
		"render/svg", "render/vocabulary", "site/lessons", "wasm/rooms/room", "wasm/page/deck", "wasm/page/repair",
		"wasm/page/scene", "wasm/page/state"}},
	{"wasm/page/effect", []string{"core/spec", "estimators/engine", "wasm/page/deck", "wasm/page/state"}},
	{"wasm/page/shared", []string{"core/meter", "core/words", "models", "render/html", "wasm/rooms/room", "wasm/page/workerpool",
		"wasm/page/effect", "wasm/page/state"}}, // shared by the parts below
	{"wasm/page/route", []string{"core/spec", "estimators/catalog", "estimators/training", "wasm/page/state"}},
	{"wasm/page/run", []string{"core/...", "models/...", "estimators/...", "wasm/page/workerpool", "wasm/page/state"}},
	{"wasm/page/derived", []string{"core/...", "models/...", "estimators/...", "wasm/page/scene", "wasm/page/state"}},
	{"wasm/page/lecture", []string{"core/...", "estimators/catalog", "wasm/page/deck", "wasm/page/shared", "wasm/page/effect",
		"wasm/page/run", "wasm/page/state", "wasm/page/view"}},
	{"wasm/page/programs", []string{"core/...", "wasm/page/shared", "wasm/page/effect", "wasm/page/run", "wasm/page/state"}},
	{"wasm/page/imports", []string{"core/...", "estimators/external/samples", "render/html", "wasm/page/shared", "wasm/page/effect", "wasm/page/run",
		"wasm/page/state"}},
	{"wasm/page/sharing", []string{"core/...", "estimators/...", "wasm/rooms/room", "wasm/page/shared", "wasm/page/effect",
		"wasm/page/run", "wasm/page/state", "wasm/page/view"}},
	{"wasm/page/trainer", []string{"core/...", "models/rbm", "estimators/...", "wasm/page/workerpool", "wasm/page/shared",
		"wasm/page/effect", "wasm/page/run", "wasm/page/scene", "wasm/page/state"}},
	{"wasm/page/worker", []string{"core/...", "models/...", "estimators/...", "wasm/browser", "wasm/page/...",
		"wasm/rooms/room"}},
	{"wasm/page", []string{"core/...", "models/...", "estimators/...", "render/html", "wasm/rooms/panel", "wasm/rooms/room",
		"wasm/page/..."}},
	{"wasm/rooms/room", []string{"core/problem"}}, // in the page's program and the edge worker
	{"wasm/rooms/panel", []string{"core/...", "estimators/...", "wasm/rooms/room", "wasm/page/workerpool", "wasm/page/deck",
		"wasm/page/shared", "wasm/page/effect", "wasm/page/run", "wasm/page/state"}}, // the page's part
	{"wasm/rooms/edge", []string{"core/problem", "wasm/rooms/room"}},
	{"wasm/rooms/edge/...", []string{"wasm/rooms/edge", "wasm/rooms/edge/native", "wasm/rooms/room"}},
	{"wasm/browser", nil}, // shared by programs of the page; must not depend on messages
	{"wasm/canvas", []string{"core/frame", "core/runstate", "render", "wasm/browser"}},
	{"wasm/compiler", []string{"core/...", "models/stan/...", "wasm/browser"}},
	{"wasm/external", []string{"core/...", "estimators/external/...", "wasm/browser"}},
	{"wasm/logz", []string{"core/...", "models/...", "estimators/...", "wasm/page", "wasm/page/state", "wasm/page/view",
		"wasm/rooms/...", "site"}},
	{"wasm/tool/translations", []string{"core/words"}}, // reads the sources; in no program of the site
	{"wasm/tool/...", []string{"core/...", "models/...", "estimators/...", "render/html", "wasm/page/...", "wasm/rooms/...",
		"wasm/tool/translations", "site"}},
	{"wasm/e2e", []string{"core/...", "models/...", "estimators/...", "site"}},
	{"site", nil},         // embeds its models
	{"site/lessons", nil}, // embeds their pages

	// Packages that only tests import: other packages must not import them.
	{"internal/...", []string{"core/...", "models/...", "estimators/...", "render/...", "wasm/...", "site", "internal/..."}},
}

// pure are the folders whose code contributes to results: they import only the standard library and the project (so no
// gonum), no clock, no files, no network, no JavaScript.
var pure = []string{"core/...", "models/...", "estimators", "estimators/anneal", "estimators/mbar", "estimators/temper",
	"estimators/smc", "estimators/resamplemove", "estimators/bridge", "estimators/auto", "estimators/catalog",
	"estimators/training", "estimators/external", "estimators/external/samples",
	"estimators/external/draws"}

// commandDirs are folders below the pure ones that do not contribute to results.
var commandDirs = []string{"core/num/kernel/gen", "core/cpu", "core/files/disk", "core/words"}

// isPure reports whether the code of a folder contributes to results.
func isPure(dir string) bool { return fitsAny(dir, pure) && !slices.Contains(commandDirs, dir) }

// impure are the packages of the standard library that pure code may not import.
var impure = []string{"os", "os/...", "time", "net", "net/http/...", "net/rpc/...", "net/smtp", "syscall",
	"syscall/...", "log", "log/...", "plugin", "math/rand", "math/rand/v2", "math/cmplx", "crypto/rand", "runtime/cgo"}

// exactMath are the functions and constants of math with identical results on all platforms. All others (Exp, Log, Pow,
// Sin, ...) differ by an ulp between the assembly of one platform and the Go code of another; core/num has its own.
var exactMath = []string{
	"Abs", "Ceil", "Copysign", "Dim", "Floor", "Frexp", "Inf", "IsInf", "IsNaN", "Ldexp", "Max", "Min", "Mod", "Modf",
	"NaN", "Nextafter", "Round", "RoundToEven", "Signbit", "Sqrt", "Trunc",
	"Float32bits", "Float32frombits", "Float64bits", "Float64frombits",
	"E", "Ln10", "Ln2", "Log10E", "Log2E", "Phi", "Pi", "Sqrt2", "SqrtE", "SqrtPhi", "SqrtPi",
	"MaxFloat32", "MaxFloat64", "SmallestNonzeroFloat32", "SmallestNonzeroFloat64",
	"MaxInt", "MaxInt8", "MaxInt16", "MaxInt32", "MaxInt64", "MinInt", "MinInt8", "MinInt16", "MinInt32", "MinInt64",
	"MaxUint", "MaxUint8", "MaxUint16", "MaxUint32", "MaxUint64",
}

// TestLayers applies every rule to every Go file of the project.
func TestLayers(t *testing.T) {
	files := 0
	for _, name := range sources(t) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		files++
		src, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range violations(name, src) {
			t.Error(v)
		}
	}
	if files < 10 {
		t.Fatalf("only %d Go files found: wrong folder?", files)
	}
}

// violations returns the rules that the file breaks, as "file:line: rule".
func violations(name string, src []byte) []string {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return []string{err.Error()}
	}
	var found []string
	report := func(pos token.Pos, format string, args ...any) {
		found = append(found, fmt.Sprintf("%s:%d: %s", name, fset.Position(pos).Line, fmt.Sprintf(format, args...)))
	}
	dir := path.Dir(name)
	test := strings.HasSuffix(name, "_test.go")
	layer := slices.IndexFunc(layers, func(l struct {
		dir string
		may []string
	}) bool {
		return fits(dir, l.dir)
	})
	if layer < 0 {
		report(file.Package, "%s is in no layer: give it one in wasm/tool/layers_test.go", dir)
		return found
	}
	mathName := ""
	for _, spec := range file.Imports {
		imp, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if imp == "math" {
			mathName = "math"
			if spec.Name != nil {
				mathName = spec.Name.Name
			}
		}
		if imp == "syscall/js" && !mayUseJS(name) {
			report(spec.Pos(), "syscall/js only in *_js.go under wasm/, in core/num/kernel/simd_js.go and in tests' bounds")
		}
		if fits(imp, "github.com/hajimehoshi/ebiten/v2/...") &&
			!fitsAny(dir, []string{"render", "render/gpu", "wasm/canvas"}) {
			report(spec.Pos(), "Ebiten only in render, render/gpu and wasm/canvas")
		}
		if test {
			continue
		}
		if ours, ok := strings.CutPrefix(imp, "logzlab/"); ok {
			if !fitsAny(ours, layers[layer].may) {
				report(spec.Pos(), "%s may not import %s", dir, ours)
			}
			continue
		}
		if !isPure(dir) {
			continue
		}
		gonum := fits(imp, "gonum.org/v1/gonum/...") && isExemptFile(name)
		// jsontext uses strconv for numbers.
		json := imp == "github.com/go-json-experiment/json/jsontext" && dir == "core/files/json"
		if first, _, _ := strings.Cut(imp, "/"); strings.Contains(first, ".") && !gonum && !json {
			report(spec.Pos(), "%s reaches digits: no %s, only the standard library and ours", dir, imp)
		}
		if fitsAny(imp, impure) && !(imp == "syscall/js" && mayUseJS(name)) {
			report(spec.Pos(), "%s reaches digits: no %s", dir, imp)
		}
	}
	if mathName == "" || test || !isPure(dir) || isExemptFile(name) {
		return found
	}
	if mathName == "." {
		report(file.Package, "import math by name, so that its functions can be seen")
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && x.Name == mathName && !slices.Contains(exactMath, sel.Sel.Name) {
			report(sel.Pos(), "math.%s differs between platforms: use core/num", sel.Sel.Name)
		}
		return true
	})
	return found
}

// mayUseJS reports whether the file may import syscall/js.
func mayUseJS(name string) bool {
	dir := path.Dir(name)
	stub := strings.HasSuffix(name, "_js.go") || strings.HasSuffix(name, "_js_test.go")
	return stub && fitsAny(dir, []string{"wasm/...", "internal/bound"}) || name == "core/num/kernel/simd_js.go"
}

// fits reports whether a slash-separated path is the pattern, or below it if the pattern ends in /... .
func fits(p, pattern string) bool {
	if top, ok := strings.CutSuffix(pattern, "/..."); ok {
		return p == top || strings.HasPrefix(p, top+"/")
	}
	return p == pattern
}

func fitsAny(p string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return fits(p, pattern) })
}

// The check finds a violation of each rule, and accepts code that follows each rule.
func TestLayersCatchPlanted(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"core/num/a.go", `import "logzlab/core/num/rng"`, "core/num may not import core/num/rng"},
		{"core/num/rng/a.go", `import "logzlab/core/num"`, ""},
		{"core/files/csv/a.go", `import "logzlab/core/files/modelfile"`, "core/files/csv may not import core/files/modelfile"},
		{"core/spec/a.go", `import "logzlab/models"`, "core/spec may not import models"},
		{"models/a.go", `import "logzlab/estimators"`, "models may not import estimators"},
		{"models/a_test.go", `import "logzlab/estimators"`, ""},
		{"models/a.go", `import "logzlab/models/rbm"`, "models may not import models/rbm"},
		{"models/rbm/a.go", `import "logzlab/models/gpc"`, "models/rbm may not import models/gpc"},
		{"models/rbm/a.go", `import "time"`, "no time"},
		{"estimators/a.go", `import "logzlab/estimators/catalog"`, "may not import estimators/catalog"},
		{"estimators/report/a.go", `import "logzlab/wasm/page"`, "may not import wasm/page"},
		{"estimators/papers/a.go", `import "logzlab/estimators/papers/rts"`, "may not import estimators/papers/rts"},
		{"estimators/papers/arm/a.go", `import "logzlab/estimators/papers/rts"`, "may not import estimators/papers/rts"},
		{"wasm/page/a.go", `import "logzlab/wasm/logz"`, "may not import wasm/logz"},
		{"wasm/rooms/panel/a.go", `import "logzlab/wasm/page"`, "may not import wasm/page"},
		{"wasm/rooms/panel/a.go", `import "logzlab/wasm/page/lecture"`, "may not import wasm/page/lecture"},
		{"wasm/page/a.go", `import "syscall/js"`, "syscall/js only in"},
		{"wasm/logz/main_js.go", `import "syscall/js"`, ""},
		{"core/num/kernel/simd_js.go", `import "syscall/js"`, ""},
		{"core/num/kernel/other_js.go", `import "syscall/js"`, "syscall/js only in"},
		{"core/num/kernel/simd_js.go", `import "syscall"`, "no syscall"},
		{"wasm/logz/main.go", `import "github.com/hajimehoshi/ebiten/v2/vector"`, "Ebiten only in"},
		{"models/a_test.go", `import "github.com/hajimehoshi/ebiten/v2"`, "Ebiten only in"},
		{"render/a.go", `import "logzlab/models"`, "render may not import models"},
		{"render/a.go", `import ("logzlab/core/frame"; "github.com/hajimehoshi/ebiten/v2")`, ""},
		{"render/paint/a.go", `import "logzlab/core/frame"`, "render/paint may not import core/frame"},
		{"other/sub/a.go", ``, "is in no layer"},
		{"models/a.go", `import "time"`, "no time"},
		{"core/num/kernel/a.go", `import "os"`, "no os"},
		{"core/num/kernel/gen/a.go", `import "os"`, ""},
		{"core/num/kernel/gen/a.go", `import "logzlab/core/num"`, "may not import core/num"},
		{"estimators/a.go", `import "os"`, "no os"},
		{"core/num/stats/a.go", `import "math/rand/v2"`, "no math/rand/v2"},
		{"core/num/stats/a.go", `import "gonum.org/v1/gonum/stat"`, "no gonum.org/v1/gonum/stat"},
		{"core/num/stats/a_test.go", `import "gonum.org/v1/gonum/stat"`, ""},
		{"models/a.go", `import "math"; var x = math.Exp(1)`, "math.Exp differs"},
		{"models/a.go", `import m "math"; var x = m.Tanh`, "math.Tanh differs"},
		{"models/a.go", `import . "math"; var x = Tanh(1)`, "import math by name"},
		{"models/a.go", `import "math"; var x = math.Sqrt(math.Pi)`, ""},
		{"models/ising/kaufman.go", `import "math"; var x = math.Log(2)`, ""},
		{"models/ising/kaufman.go", `import "gonum.org/v1/gonum/floats"`, ""},
		{"models/ising/kaufman.go", `import "github.com/x/y"`, "no github.com/x/y"},
		{"wasm/tool/a.go", `import "math"; var x = math.Exp(1)`, ""},
	} {
		got := strings.Join(violations(c.name, []byte("package p; "+c.src)), "\n")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s with %s: got %q, want %q", c.name, c.src, got, c.want)
		}
	}
}
