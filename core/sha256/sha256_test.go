package sha256

import (
	standard "crypto/sha256"
	"encoding/hex"
	"testing"
)

// The standard library's digest of every length around two blocks, and of a long
// text; and FIPS 180-4's own example.
func TestSum(t *testing.T) {
	b := make([]byte, 1<<20)
	for i := range b {
		b[i] = byte(i*i>>3 + i)
	}
	lengths := []int{1 << 20, 1<<20 - 1, 99999}
	for n := range 300 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		if got, want := Sum(b[:n]), standard.Sum256(b[:n]); got != want {
			t.Errorf("%d bytes: %x, want %x", n, got, want)
		}
	}
	abc := Sum([]byte("abc"))
	if got := hex.EncodeToString(abc[:]); got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" {
		t.Errorf("abc: %s", got)
	}
}
