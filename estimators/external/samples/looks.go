package samples

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"strings"

	"logzlab/core/files/csv"
)

// HeadBytes is the number of bytes that Looks needs of a file's beginning, and of its end.
const HeadBytes = 64 << 10

// Sniff reports whether a file is one of samples, by how it begins and ends. A table is taken for samples by the names
// of its columns alone, so that tables of numbers stay what they are to other readers.
func Sniff(head []byte) bool {
	starts := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case starts("BZh"), starts("PAR1"): // which nothing else here reads
		return true
	case starts("\x1f\x8b"):
		z, err := gzip.NewReader(bytes.NewReader(head))
		if err != nil {
			return false
		}
		head, _ = io.ReadAll(io.LimitReader(z, HeadBytes)) // as far as it goes
	case starts("PK"):
		for _, name := range []string{"u_kn.npy", "u_kln.npy", "logl.npy"} {
			if bytes.Contains(head, []byte(name)) {
				return true
			}
		}
		return false
	}

	// Texts known by the beginning.
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	head = csv.Normalize(head)
	text := bytes.TrimSpace(head)
	if isXVG(text) || bytes.HasPrefix(text, []byte("<")) && bytes.Contains(text, []byte("PathSamplingStep")) {
		return true
	}

	// The names over a table decide.
	for line := range bytes.Lines(text) {
		if !csv.IsComment(line) {
			return (&table{Stream: &csv.Stream{Names: namesIn(string(bytes.TrimSpace(line)))}}).hasSamples()
		}
	}
	return false
}

// namesIn cuts a line of names, with or without quotes.
func namesIn(line string) []string {
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

// hasSamples tells whether the columns are those of a table of samples, or of draws, whose reader says what they need.
func (t *table) hasSamples() bool {
	has := func(name string) bool { return t.column(name) >= 0 }
	lambda := false
	for _, n := range t.Names {
		lambda = lambda || strings.HasSuffix(plain(n), "lambda")
	}
	return t.column(powerNames...) >= 0 && t.column(likelihoodNames...) >= 0 ||
		has("power") && has("step") && has("run1") || has("logL") && (has("logL_birth") || has("nlive")) ||
		has("time") && lambda || has("sample") && has("likelihood") || slices.Contains(t.Names, "lp__")
}
