package main

import (
	"bytes"
	"os"
	"testing"
)

// The committed module equals the output of this package.
func TestModule(t *testing.T) {
	got, err := os.ReadFile("../" + moduleFile)
	if err != nil {
		t.Fatal(err)
	}
	want, err := assemble("..")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("core/num/kernel/%s is not up to date: go generate ./core/num/kernel", moduleFile)
	}
}
