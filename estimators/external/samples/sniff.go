package samples

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"

	"logzlab/core/files/csv"
)

// HeadBytes is the number of bytes that Sniff needs from the beginning of a file, and from its end.
const HeadBytes = 64 << 10

// Sniff reports whether a file contains samples, from its beginning and end. A table is recognised by its column names
// only, so that tables of numbers are left to other readers.
func Sniff(head []byte) bool {
	starts := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case starts("BZh"), starts("PAR1"): // no other reader accepts these
		return true
	case starts("\x1f\x8b"):
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return false
		}
		head, _ = io.ReadAll(io.LimitReader(z, HeadBytes)) // the head is truncated, so errors are expected
	case starts("PK"):
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

// splitNames splits a header, with or without quotes.
func splitNames(line string) []string {
	comma := " "
	for _, c := range []string{"\t", ",", ";"} {
		if strings.Contains(line, c) {
			comma = c
			break
		}
	}
	names := strings.Split(line, comma)
	for i, n := range names {
		names[i] = strings.Trim(n, " \"\t")
	}
	return names
}

// isSamples reports whether the columns are those of a table of samples or of posterior draws.
func (t *table) isSamples() bool {
	has := func(name string) bool { return t.column(name) >= 0 }
	lambda := false
	for _, n := range t.Names {
		lambda = lambda || strings.HasSuffix(plainName(n), "lambda")
	}
	return t.column(powerNames...) >= 0 && t.column(likelihoodNames...) >= 0 ||
		has("power") && has("step") && has("run1") || has("logL") && (has("logL_birth") || has("nlive")) ||
		has("time") && lambda || has("sample") && has("likelihood") || slices.Contains(t.Names, "lp__")
}
