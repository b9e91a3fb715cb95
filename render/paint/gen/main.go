// Command gen writes the fonts of the canvas, go-regular.ttf and go-bold.ttf of package gpu, and their advance widths,
// go-advances.bin (go generate ./render/paint). The fonts are the Go fonts (Bigelow & Holmes;
// golang.org/x/image/font/gofont, BSD licence) without hinting programs and names, which x/image does not read. Outlines
// and widths are the same, in half the bytes.
//
// go-advances.bin contains big-endian 16-bit numbers for each font, the regular one first: the units per em, the advance
// of a missing letter, the number of letters, and for each letter its code point and its advance.
package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// typefaces are the original fonts, by the name of the file to write.
var typefaces = map[string][]byte{"../gpu/go-regular.ttf": goregular.TTF,
	"../gpu/go-bold.ttf": gobold.TTF}

func main() {
	write := func(name string, b []byte) {
		if err := os.WriteFile(name, b, 0o644); err != nil {
			fmt.Fprintln(os.Stderr, "gen:", err)
			os.Exit(1)
		}
	}
	for name, original := range typefaces {
		write(name, strip(original))
	}
	write("go-advances.bin", append(advances(goregular.TTF), advances(gobold.TTF)...))
}

// advances returns the part of go-advances.bin for a font.
func advances(ttf []byte) []byte {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic(err) // the originals are valid
	}
	em := fixed.Int26_6(f.UnitsPerEm()) // at this size, advances are in font units
	advance := func(g sfnt.GlyphIndex) uint16 {
		a, err := f.GlyphAdvance(nil, g, em, font.HintingNone)
		if err != nil {
			panic(err)
		}
		return uint16(a)
	}
	var letters []byte
	n := 0
	for r := rune(0); r <= math.MaxUint16; r++ {
		if g, err := f.GlyphIndex(nil, r); err == nil && g != 0 {
			letters = be.AppendUint16(be.AppendUint16(letters, uint16(r)), advance(g))
			n++
		}
	}
	out := be.AppendUint16(be.AppendUint16(nil, uint16(em)), advance(0))
	return append(be.AppendUint16(out, uint16(n)), letters...)
}

// Sizes and offsets in a TrueType file.
const (
	directory  = 12 // bytes before the table directory
	entry      = 16 // bytes of an entry of the directory
	glyphHead  = 10 // bytes of a glyph before its contours or components
	postHead   = 32 // bytes of the table post without names of glyphs
	noNames    = 0x00030000
	longOffset = 50 // in the table head: 1 if glyph offsets have 32 bits
)

var be = binary.BigEndian

// strip returns the font without hinting and names.
func strip(ttf []byte) []byte {
	tables := map[string][]byte{}
	for i := range int(be.Uint16(ttf[4:])) {
		e := ttf[directory+entry*i:]
		from := be.Uint32(e[8:])
		tables[string(e[:4])] = ttf[from : from+be.Uint32(e[12:])]
	}
	tables["glyf"], tables["loca"] = glyphs(tables["glyf"], tables["loca"], tables["head"][longOffset+1] == 1)
	head := append([]byte(nil), tables["head"]...)
	head[longOffset+1] = 1
	tables["head"] = head
	post := append([]byte(nil), tables["post"][:postHead]...)
	be.PutUint32(post, noNames)
	tables["post"] = post

	// The format requires sorted tables.
	kept := []string{"OS/2", "cmap", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post"}
	out := append([]byte(nil), ttf[:4]...)
	out = be.AppendUint16(out, uint16(len(kept)))
	out = append(out, 0, 128, 0, 3, 0, 16) // parameters of a binary search in nine entries
	at := directory + entry*len(kept)
	var body []byte
	for _, name := range kept {
		t := tables[name]
		out = append(out, name...)
		out = be.AppendUint32(out, 0) // a checksum that x/image does not read
		out = be.AppendUint32(out, uint32(at+len(body)))
		out = be.AppendUint32(out, uint32(len(t)))
		body = append(body, t...)
		for len(body)%4 != 0 {
			body = append(body, 0)
		}
	}
	return append(out, body...)
}

// glyphs returns the tables glyf and loca without instructions, with 32-bit offsets.
func glyphs(glyf, loca []byte, long bool) (newGlyf, newLoca []byte) {
	offset := func(i int) int {
		if long {
			return int(be.Uint32(loca[4*i:]))
		}
		return 2 * int(be.Uint16(loca[2*i:]))
	}
	n := len(loca) / 2
	if long {
		n = len(loca) / 4
	}
	for i := range n {
		newLoca = be.AppendUint32(newLoca, uint32(len(newGlyf)))
		if i == n-1 {
			break
		}
		if g := glyf[offset(i):offset(i+1)]; len(g) > 0 {
			newGlyf = append(newGlyf, plain(g)...)
		}
	}
	return newGlyf, newLoca
}

// plain returns a glyph without instructions.
func plain(g []byte) []byte {
	out := append([]byte(nil), g...)
	if contours := int(int16(be.Uint16(g))); contours >= 0 {
		at := glyphHead + 2*contours
		instructions := int(be.Uint16(g[at:]))
		be.PutUint16(out[at:], 0)
		return append(out[:at+2], g[at+2+instructions:]...)
	}

	// A composite glyph: clear the instructions flag of each component.
	const ( // flags of a component
		words        = 1 << 0
		scale        = 1 << 3
		more         = 1 << 5
		scales       = 1 << 6
		matrix       = 1 << 7
		instructions = 1 << 8
	)
	for at := glyphHead; ; {
		flags := be.Uint16(out[at:])
		be.PutUint16(out[at:], flags&^instructions)
		at += 4
		size := 2
		if flags&words != 0 {
			size = 4
		}
		switch {
		case flags&scale != 0:
			size += 2
		case flags&scales != 0:
			size += 4
		case flags&matrix != 0:
			size += 8
		}
		at += size
		if flags&more == 0 {
			return out[:at]
		}
	}
}
