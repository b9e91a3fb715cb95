package main

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// TestTypefaces checks that the committed fonts are the output of this command, with the same outlines and widths as
// the Go fonts.
func TestTypefaces(t *testing.T) {
	for name, original := range typefaces {
		made := strip(original)
		if got, err := os.ReadFile("../" + name); err != nil || !bytes.Equal(got, made) {
			t.Errorf("%s is not up to date (%v): go generate ./render/paint", name, err)
		}
		a, err := sfnt.Parse(original)
		if err != nil {
			t.Fatal(err)
		}
		b, err := sfnt.Parse(made)
		if err != nil {
			t.Fatal(err)
		}
		var u, v sfnt.Buffer
		const size = fixed.Int26_6(64 * 14)
		m, err := a.Metrics(&u, size, font.HintingNone)
		if n, nerr := b.Metrics(&v, size, font.HintingNone); err != nil || nerr != nil || m != n {
			t.Errorf("%s: metrics %v, %v, want %v, %v", name, n, nerr, m, err)
		}
		drawn := 0
		for r := rune(0); r < 0x10000; r++ {
			i, err := a.GlyphIndex(&u, r)
			j, jerr := b.GlyphIndex(&v, r)
			if i != j || err != nil || jerr != nil {
				t.Fatalf("%s: %q is glyph %d, %v, want %d, %v", name, r, j, jerr, i, err)
			}
			if i == 0 {
				continue
			}
			was, err := a.LoadGlyph(&u, i, size, nil)
			is, ierr := b.LoadGlyph(&v, i, size, nil)
			if err != nil || ierr != nil || !slices.Equal(was, is) {
				t.Fatalf("%s: the outline of %q differs, %v, %v", name, r, ierr, err)
			}
			w, err := a.GlyphAdvance(&u, i, size, font.HintingNone)
			if x, xerr := b.GlyphAdvance(&v, i, size, font.HintingNone); err != nil || xerr != nil || w != x {
				t.Fatalf("%s: %q has width %v, %v, want %v, %v", name, r, x, xerr, w, err)
			}
			drawn++
		}
		if drawn < 500 {
			t.Errorf("%s has %d characters, want at least 500", name, drawn)
		}
		t.Logf("%s: %d characters, %d bytes of %d", name, drawn, len(made), len(original))
	}

	// The widths, for programs without outlines.
	want := append(advances(goregular.TTF), advances(gobold.TTF)...)
	if got, err := os.ReadFile("../go-advances.bin"); err != nil || !bytes.Equal(got, want) {
		t.Errorf("go-advances.bin is not up to date (%v): go generate ./render/paint", err)
	}
}
