package sha256

import (
	"crypto/sha256"
	"testing"
)

// TestSum compares with the standard library, at all lengths around the ends of blocks.
func TestSum(t *testing.T) {
	b := make([]byte, 300000)
	for i := range b {
		b[i] = byte(i * i >> 7)
	}
	for n := range 4 * blockSize {
		if Sum(b[:n]) != sha256.Sum256(b[:n]) {
			t.Errorf("another hash of %d bytes", n)
		}
	}
	if Sum(b) != sha256.Sum256(b) {
		t.Error("another hash of a long text")
	}
}

func BenchmarkSum(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for b.Loop() {
		Sum(data)
	}
}
