package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The machine says how much memory it has to spare, and lines of its files are found by name.
func TestMemory(t *testing.T) {
	if spare := memory(); !(spare > 1e7 && spare < 1e15) {
		t.Errorf("%v bytes are to spare", spare)
	}
	file := filepath.Join(t.TempDir(), "memory.stat")
	if err := os.WriteFile(file, []byte("4096\nactive_file 7\ninactive_file 12288\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"": 4096, "\ninactive_file ": 12288, "\nfile ": 0} {
		if x, ok := entry(file, name); x != want || ok != (want > 0) {
			t.Errorf("%q: %v %v, want %v", name, x, ok, want)
		}
	}
	if _, ok := entry(file+"x", ""); ok {
		t.Error("a file that is not there has a number")
	}
}
