package main

import (
	"bytes"
	"os"
	"testing"
)

// The committed module is what the functions in simd*.go assemble to.
func TestSIMDModule(t *testing.T) {
	got, err := os.ReadFile("../../" + simdFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := simdModule("../..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not up to date: go run ./wasm/tool simd", simdFile)
	}
}
