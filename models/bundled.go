package models

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"strings"
)

// bundledSums is the output of sha256sum for the files in site/models; `build.sh models` writes it.
//
//go:embed bundled.sha256
var bundledSums string

// Intact reports whether data are the bytes of the bundled file with the given name, by their SHA-256.
func Intact(file string, data []byte) bool {
	sum := sha256.Sum256(data)
	return strings.Contains("\n"+bundledSums, "\n"+hex.EncodeToString(sum[:])+"  "+file+"\n")
}
