package main

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"testing"
)

// TestGzipped: what is packed unpacks to the same, and is smaller than compress/gzip makes it.
func TestGzipped(t *testing.T) {
	unpacked := func(z []byte) []byte {
		t.Helper()
		r, err := gzip.NewReader(bytes.NewReader(z))
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	text, err := os.ReadFile("../../site/style.css")
	if err != nil {
		t.Fatal(err)
	}
	noise := make([]byte, 1e5)
	for i := range noise {
		noise[i] = byte(rand.Uint32())
	}
	rare := []byte{} // so often that Huffman's codes would be too long
	for i, n := 0, 2; i < 24; i, n = i+1, n*8/5 {
		rare = append(rare, bytes.Repeat([]byte{byte(i), byte(i * 7), 255 - byte(i*n)}, n)...)
	}
	for name, data := range map[string][]byte{"nothing": {}, "a byte": {7}, "two": {7, 7}, "zeros": make([]byte, 3e6),
		"text": text, "noise": noise, "rare": rare, "far": bytes.Repeat(noise[:window], 2),
		"too far": bytes.Repeat(noise[:window+1], 2), "portions": bytes.Repeat(text, portion/len(text)+2)} {
		z := gzipped(data)
		if !bytes.Equal(unpacked(z), data) {
			t.Errorf("%s is another after packing", name)
		}
		var usual bytes.Buffer
		w, _ := gzip.NewWriterLevel(&usual, gzip.BestCompression)
		w.Write(data)
		w.Close()
		t.Logf("%s: %d bytes, %d packed, %d usually", name, len(data), len(z), usual.Len())
		if name == "text" && len(z) > usual.Len()*97/100 {
			t.Errorf("text takes %d bytes, and %d usually", len(z), usual.Len())
		}
	}
}
