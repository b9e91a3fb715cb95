package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// The parts of a wasm program that matter here.
const (
	wasmMagic   = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	farApart    = 64 // bytes between segments that stay two: what lies between them is written as zeros
)

// joinSegments makes few data segments of many: the same memory from a smaller file. Go's linker begins a new one after
// every few zeros, 79,000 of them in logz.wasm, whose addresses and lengths compress badly.
func joinSegments(program []byte) ([]byte, error) {
	if !bytes.HasPrefix(program, []byte(wasmMagic)) {
		return nil, fmt.Errorf("this is no wasm program")
	}
	r := wasmReader{b: program[len(wasmMagic):]}
	out := []byte(wasmMagic)
	for len(r.b) > 0 && !r.bad {
		id, body := r.take(1), r.take(int(r.unsigned()))
		if len(id) > 0 && id[0] == dataSection {
			d := wasmReader{b: body}
			body = d.joined()
			r.bad = r.bad || d.bad || len(d.b) > 0
		}
		out = append(append(out, id...), binary.AppendUvarint(nil, uint64(len(body)))...)
		out = append(out, body...)
	}
	if r.bad {
		return nil, fmt.Errorf("this wasm program cannot be read")
	}
	return out, nil
}

// segment is data and where they go.
type segment struct {
	at   int64
	data []byte
}

// joined is a data section in fewer segments.
func (r *wasmReader) joined() []byte {
	var all []segment
	for range r.unsigned() {
		mode, at, end := r.take(2), r.signed(), r.take(1)
		if r.bad || string(mode)+string(end) != "\x00\x41\x0b" { // of memory 0, from a constant address
			r.bad = true
			break
		}
		data := r.take(int(r.unsigned()))
		if n := len(all); n > 0 {
			last := &all[n-1]
			if gap := at - last.at - int64(len(last.data)); gap >= 0 && gap < farApart {
				last.data = append(append(last.data, make([]byte, gap)...), data...)
				continue
			}
		}
		all = append(all, segment{at, bytes.Clone(data)})
	}
	out := binary.AppendUvarint(nil, uint64(len(all)))
	for _, s := range all {
		out = appendSigned(append(out, 0, 0x41), s.at)
		out = binary.AppendUvarint(append(out, 0x0b), uint64(len(s.data)))
		out = append(out, s.data...)
	}
	return out
}

// wasmReader reads a binary format; bad: it ended too early.
type wasmReader struct {
	b   []byte
	bad bool
}

func (r *wasmReader) take(n int) []byte {
	if r.bad = r.bad || n < 0 || n > len(r.b); r.bad {
		return nil
	}
	out := r.b[:n:n]
	r.b = r.b[n:]
	return out
}

func (r *wasmReader) unsigned() uint64 {
	x, n := binary.Uvarint(r.b)
	r.bad = r.bad || n <= 0
	r.take(n)
	return x
}

// signed reads a number in signed LEB128.
func (r *wasmReader) signed() (x int64) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.take(1)
		if r.bad {
			return 0
		}
		x |= int64(b[0]&127) << shift
		if b[0] < 128 {
			free := max(64-shift-7, 0) // bits above it, which its sign fills
			return x << free >> free
		}
	}
	r.bad = true
	return 0
}

func appendSigned(out []byte, x int64) []byte {
	for {
		b := byte(x & 127)
		x >>= 7
		if x == 0 && b < 64 || x == -1 && b >= 64 {
			return append(out, b)
		}
		out = append(out, b|128)
	}
}
