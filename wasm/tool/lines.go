package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// tableMagic begins the table of functions that Go's linker puts into a program: runtime.pcHeader of Go 1.20 to 1.26,
// with instructions of one byte and pointers of eight, as in wasm.
const tableMagic = "\xf1\xff\xff\xff\x00\x00\x01\x08"

// Where a function's entry (runtime._func) has what it has, in bytes.
const (
	funcEntry  = 0  // its address, as in the index
	funcPlaces = 16 // places in the table of program counters, four bytes each: of stack sizes,
	funcFile   = 20 // of files,
	funcLine   = 24 // of lines,
	funcCount  = 28 // how many others there are,
	funcOthers = 44 // and these, of which the first is of places where a signal may stop a goroutine
)

// dropLines clears what Go knows of files and lines, in the memory that a program starts with: 8 % of the packed
// program, which only the stack of a panic shows. It then says "?:0" under each function. Also cleared are the places
// where a signal may stop a goroutine, as wasm has no signals. The others stay: stack sizes, which pointers live, and
// which calls were inlined, which recover looks at.
func dropLines(memory []byte) error {
	start := bytes.Index(memory, []byte(tableMagic))
	if start < 0 {
		return nil // not Go's
	}
	bad := fmt.Errorf("the table of functions is not as that of Go 1.26 (runtime/symtab.go); see wasm/tool/lines.go")
	table := memory[start:]
	if len(table) < 72 {
		return bad
	}
	header := func(n int) int { return int(binary.LittleEndian.Uint32(table[8+8*n:])) }
	count, counters, functions := header(0), header(6), header(7)
	if counters > functions || functions+8*count > len(table) {
		return bad
	}
	places, index := table[counters:functions], table[functions:]
	kept := make([]byte, len(places))
	for i := range count {
		at := int(binary.LittleEndian.Uint32(index[8*i+4:]))
		if at+funcOthers > len(index) {
			return bad
		}
		f := index[at:]
		others := int(binary.LittleEndian.Uint32(f[funcCount:]))
		if !bytes.Equal(f[funcEntry:4], index[8*i:8*i+4]) || funcOthers+4*others > len(f) {
			return bad
		}
		clear(f[funcFile:funcCount])
		if others > 0 {
			clear(f[funcOthers : funcOthers+4])
		}
		for _, of := range [][]byte{f[funcPlaces:funcFile], f[funcOthers : funcOthers+4*others]} {
			for ; len(of) > 0; of = of[4:] {
				switch at := int(binary.LittleEndian.Uint32(of)); {
				case at >= len(places):
					return bad
				case at > 0: // 0: it has none
					copy(kept[at:], counterTable(places[at:]))
				}
			}
		}
	}
	copy(places, kept)
	return nil
}

// counterTable is the table at the beginning of b: pairs of varints, until a first of a pair is zero that is not the
// first of all.
func counterTable(b []byte) []byte {
	r := wasmReader{b: b}
	for first := true; !r.bad; first = false {
		if step := r.unsigned(); step == 0 && !first {
			break
		}
		r.unsigned()
	}
	return b[:len(b)-len(r.b)]
}
