package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// No package whose arithmetic contributes to results has a fused multiply-add.
func TestFMA(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles everything for arm64")
	}
	found, err := fusedOperations("../..", digitPackages...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range slices.DeleteFunc(found, isExempt) {
		t.Errorf("%s: write num.Mul(x, y) + z", f)
	}
}

// TestFMACatchesPlanted shows that the check finds products fused within an expression, across statements, in float32,
// in a closure and in an instance of a generic function, that the compiler makes a sum of twice a product, and that the
// explicit conversion prevents this, also in an inlined function such as num.Mul.
func TestFMACatchesPlanted(t *testing.T) {
	const src = `package planted

func Plain(x, y, z float64) float64 { return x*y + z }

func Split(x, y, z float64) float64 {
	p := x * y
	return z - p
}

func Single(x, y, z float32) float32 { return x*y - z }

func Closure(x, y float64) func(float64) float64 {
	return func(z float64) float64 { return x*y + z }
}

func generic[T float32 | float64](x, y, z T) T { return x*y + z }

func Instance(x, y, z float64) float64 { return generic(x, y, z) }

func Right(x, y, z float64) float64 { return float64(x*y) + z }

func RightSplit(x, y, z float64) float64 {
	p := float64(x * y)
	return z - p
}

func mul(x, y float64) float64 { return float64(x * y) }

func RightInlined(x, y, z float64) float64 { return mul(x, y) + z }

func Twice(x, y float64) float64 { return mul(2, x*y) }

func RightTwice(x, y float64) float64 { return mul(2, mul(x, y)) }
`
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module planted\n\ngo 1.26\n", "planted.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, err := fusedOperations(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(found, "\n")
	for _, want := range []string{
		"planted.Plain planted.go:3: FMADDD",
		"planted.Split planted.go:7: FMSUBD",
		"planted.Single planted.go:10: FNMSUBS",
		"planted.Closure.func1 planted.go:13: FMADDD",
		"planted.Instance planted.go:16: FMADDD",
		"planted.Twice planted.go:27: FMADDD",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("missed %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "Right") {
		t.Errorf("a converted product was called fused:\n%s", all)
	}
}

// An exemption applies to a file of one package, not to files of the same name in other packages.
func TestIsExempt(t *testing.T) {
	for f, want := range map[string]bool{
		"logzlab/models/ising.kaufman kaufman.go:31: FMADDD":          true,
		"logzlab/models/ising.(*Lattice).Truth kaufman.go:31: FMADDD": true,
		"logzlab/models/ising.(*Lattice).Truth ising.go:31: FMADDD":   false,
		"logzlab/core/num.Exp kaufman.go:31: FMADDD":                  false,
	} {
		if got := isExempt(f); got != want {
			t.Errorf("%s: %v, want %v", f, got, want)
		}
	}
}
