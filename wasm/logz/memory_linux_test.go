package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Linux reports its available memory, and numbers of its files are found by name.
func TestMemory(t *testing.T) {
	if available := availableMemory(); !(available > 1e7 && available < 1e15) {
		t.Errorf("availableMemory() = %v bytes", available)
	}
	file := filepath.Join(t.TempDir(), "memory.stat")
	if err := os.WriteFile(file, []byte("4096\nactive_file 7\ninactive_file 12288\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"": 4096, "\ninactive_file ": 12288, "\nfile ": 0} {
		if x, ok := readNumber(file, name); x != want || ok != (want > 0) {
			t.Errorf("number after %q = %v, %v, want %v", name, x, ok, want)
		}
	}
	if _, ok := readNumber(file+"x", ""); ok {
		t.Error("a missing file has a number")
	}
}
