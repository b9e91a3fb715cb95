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
	farApart    = 64      // zeros that end a segment; fewer are written
	memoryMost  = 1 << 30 // bytes of memory that segments may fill
)

// smaller joins the data segments of a program, which still computes the same. Go's linker begins a new segment after
// every few zeros, 88,000 segments in logz.wasm, and their addresses and lengths compress badly.
func smaller(program []byte) ([]byte, error) {
	if !bytes.HasPrefix(program, []byte(wasmMagic)) {
		return nil, fmt.Errorf("this is no wasm program")
	}
	r := wasmReader{b: program[len(wasmMagic):]}
	out := []byte(wasmMagic)
	for len(r.b) > 0 && !r.bad {
		id, body := r.take(1), r.take(int(r.unsigned()))
		if len(id) > 0 && id[0] == dataSection {
			d := wasmReader{b: body}
			body = segments(d.memory())
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

// memory is what a data section writes, from address 0 on.
func (r *wasmReader) memory() (memory []byte) {
	for range r.unsigned() {
		mode, at, end := r.take(2), int(r.signed()), r.take(1)
		data := r.take(int(r.unsigned()))
		// Into memory 0, from a constant address.
		if r.bad = r.bad || string(mode)+string(end) != "\x00\x41\x0b" || at < 0 || at > memoryMost; r.bad {
			return nil
		}
		if more := at + len(data) - len(memory); more > 0 {
			memory = append(memory, make([]byte, more)...)
		}
		copy(memory[at:], data)
	}
	return memory
}

// segments is a data section that writes a memory, all but its long runs of zeros.
func segments(memory []byte) []byte {
	var out []byte
	n := uint64(0)
	for rest := bytes.TrimLeft(memory, "\x00"); len(rest) > 0; n++ {
		at := len(memory) - len(rest)
		data, after, _ := bytes.Cut(rest, make([]byte, farApart))
		out = appendSigned(append(out, 0, 0x41), int64(at))
		out = binary.AppendUvarint(append(out, 0x0b), uint64(len(data)))
		out = append(out, data...)
		rest = bytes.TrimLeft(after, "\x00")
	}
	return append(binary.AppendUvarint(nil, n), out...)
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
