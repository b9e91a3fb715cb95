package main

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/tetratelabs/wazero"
)

// segment is data and where they go.
type segment struct {
	at   int64
	data []byte
}

// programOf is a wasm program with a memory of two pages and these data segments.
func programOf(all ...segment) []byte {
	data := binary.AppendUvarint(nil, uint64(len(all)))
	for _, s := range all {
		data = append(appendSigned(append(data, 0, 0x41), s.at), 0x0b)
		data = append(binary.AppendUvarint(data, uint64(len(s.data))), s.data...)
	}
	out := append([]byte(wasmMagic), 5, 3, 1, 0, 2, 7, 7, 1, 3, 'm', 'e', 'm', 2, 0, dataSection)
	return append(binary.AppendUvarint(out, uint64(len(data))), data...)
}

// TestSegments: the memory of a program is the same with fewer segments, whatever their order and overlap.
func TestSegments(t *testing.T) {
	program := programOf(segment{4096, []byte("one")}, segment{4110, []byte("two")}, segment{4113, []byte("three")},
		segment{60000, []byte("far")}, segment{63, []byte("back")}, segment{64, []byte("over")}, segment{131071, []byte("!")},
		segment{4200, make([]byte, 9)})
	lean, err := smaller(program)
	if err != nil {
		t.Fatal(err)
	}
	d := wasmReader{b: lean[len(wasmMagic)+16:]}
	if n := d.unsigned(); n != 4 {
		t.Errorf("%d segments, want 4", n)
	}
	ctx := t.Context()
	run := wazero.NewRuntime(ctx)
	defer run.Close(ctx)
	var memories [2][]byte
	for i, p := range [][]byte{program, lean} {
		m, err := run.InstantiateWithConfig(ctx, p, wazero.NewModuleConfig().WithName(""))
		if err != nil {
			t.Fatal(err)
		}
		memories[i], _ = m.Memory().Read(0, m.Memory().Size())
	}
	if !bytes.Equal(memories[0], memories[1]) {
		t.Error("the memories differ")
	}
	if got := string(memories[1][63:68]); got != "bover" {
		t.Errorf("the memory holds %q, want bover", got)
	}
	for n := range len(program) {
		smaller(program[:n]) // must not panic
	}
	if _, err := smaller(program[:len(program)-1]); err == nil {
		t.Error("a program that is cut short was taken")
	}
	if _, err := smaller([]byte("#!/bin/sh")); err == nil {
		t.Error("what is no program was taken")
	}
}
