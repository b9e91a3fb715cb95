package samples

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"

	"logzlab/core/files/csv"
)

// HeadBytes is the number of bytes that Sniff needs from the beginning of a file. The end of an .npz file, which lists
// its arrays, is needed too, of the same length.
const HeadBytes = 64 << 10

// Sniff reports whether a file contains samples. head is the beginning of the file, followed by its end if the file is
// longer. Tables without column names are not recognised, because they may be data for other readers.
func Sniff(head []byte) bool {
	hasPrefix := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case hasPrefix("BZh"), hasPrefix("PAR1"): // no other reader accepts these
		return true
	case hasPrefix("\x1f\x8b"):
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return false
		}
		head, _ = io.ReadAll(io.LimitReader(z, HeadBytes)) // the head is truncated, so errors are expected
	case hasPrefix("PK"):
		for _, name := range []string{"u_kn.npy", "u_kln.npy", "logl.npy"} {
			if bytes.Contains(head, []byte(name)) {
				return true
			}
		}
		return false
	}

	// Texts recognised by their beginning.
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	head = csv.Normalize(head)
	text := bytes.TrimSpace(head)
	if isXVG(text) || bytes.HasPrefix(text, []byte("<")) && bytes.Contains(text, []byte("PathSamplingStep")) {
		return true
	}

	// Tables are recognised by their column names.
	for line := range bytes.Lines(text) {
		if !csv.IsComment(line) {
			return (&table{Stream: &csv.Stream{Names: splitNames(string(bytes.TrimSpace(line)))}}).isSamples()
		}
	}
	return false
}

// splitNames splits the header of a table into column names and removes quotes.
func splitNames(line string) []string {
	separator := " "
	for _, c := range []string{"\t", ",", ";"} {
		if strings.Contains(line, c) {
			separator = c
			break
		}
	}
	names := strings.Split(line, separator)
	for i, n := range names {
		names[i] = strings.Trim(n, " \"\t")
	}
	return names
}

// isSamples reports whether the columns are those of a table of samples or of posterior draws.
func (t *table) isSamples() bool {
	has := func(name string) bool { return t.column(name) >= 0 }
	hasLambda := false
	for _, n := range t.Names {
		hasLambda = hasLambda || strings.HasSuffix(plainName(n), "lambda")
	}
	return t.column(powerNames...) >= 0 && t.column(likelihoodNames...) >= 0 ||
		has("power") && has("step") && has("run1") || has("logL") && (has("logL_birth") || has("nlive")) ||
		has("time") && hasLambda || has("sample") && has("likelihood") || slices.Contains(t.Names, "lp__")
}
