package modelfile

import (
	"archive/zip"
	"bufio"
	"bytes"
	"strconv"
	"strings"

	"logzlab/core/problem"
)

// Part is one of several files that together make a model.
type Part struct {
	Name string
	Data []byte
}

// IsPart reports whether a file name is that of a NumPy array, .npy.
func IsPart(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".npy") }

// IsEvidence reports whether a file name is that of the evidence of a graph, .evid.
func IsEvidence(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".evid") }

// IsProgram reports whether a file name is that of a Stan program, .stan.
func IsProgram(name string) bool { return strings.HasSuffix(strings.ToLower(name), ".stan") }

// IsData reports whether a file name may be that of the data of a Stan program: .json or .csv.
func IsData(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".csv")
}

// IsUAI reports whether a file name is that of a graph, .uai or .uai.gz.
func IsUAI(name string) bool {
	return strings.HasSuffix(strings.TrimSuffix(strings.ToLower(name), ".gz"), ".uai")
}

// GroupFiles returns the indices of the files that make one model, according to their names: a program and its data, a
// graph and its evidence, or at least three arrays. It returns nil if the grouping is ambiguous, for example if there
// are two programs.
func GroupFiles(names []string) []int {
	indicesOf := func(is func(string) bool) (all []int) {
		for i, name := range names {
			if is(name) {
				all = append(all, i)
			}
		}
		return all
	}
	for _, pair := range [][2]func(string) bool{{IsProgram, IsData}, {IsUAI, IsEvidence}} {
		if a, b := indicesOf(pair[0]), indicesOf(pair[1]); len(a) == 1 && len(b) == 1 {
			return append(a, b...)
		}
	}
	if arrays := indicesOf(IsPart); len(arrays) > 2 {
		return arrays
	}
	return nil
}

// Stem returns the name of the array, without folder and extension.
func (p Part) Stem() string {
	name := p.Name[strings.LastIndexAny(p.Name, `/\`)+1:]
	return name[:max(0, len(name)-len(".npy"))]
}

// Shape returns the shape of the array, from its header.
func (p Part) Shape() ([]int, error) {
	a, _, err := readHeader(bufio.NewReader(bytes.NewReader(p.Data)), len(p.Data))
	if err != nil {
		return nil, problem.New("%s: %w", p.Name, err)
	}
	return a.Shape, nil
}

// PartsMark begins the single file that the page makes of several arrays, or of a graph and its evidence: the mark and
// a line end, a line with size and name of each file, an empty line, and the contents.
const PartsMark = "logz-parts"

// Parts splits a file that begins with PartsMark.
func Parts(b []byte) ([]Part, error) {
	bad := problem.New("several files: damaged or cut short; give them again")
	head, rest, ok := bytes.Cut(b, []byte("\n\n"))
	lines := strings.Split(string(head[:min(len(head), 1<<16)]), "\n")
	if !ok || lines[0] != PartsMark {
		return nil, bad
	}
	var parts []Part
	for _, line := range lines[1:] {
		size, name, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(size)
		if err != nil || n < 0 || n > len(rest) || !IsPart(name) && !IsUAI(name) && !IsEvidence(name) &&
			!IsProgram(name) && !IsData(name) {
			return nil, bad
		}
		parts, rest = append(parts, Part{name, rest[:n]}), rest[n:]
	}
	if len(rest) > 0 {
		return nil, bad
	}
	return parts, nil
}

// Archive returns the parts as an .npz file. Members are stored uncompressed, so that equal parts give equal bytes in
// every version.
func Archive(parts []Part) ([]byte, error) {
	n, size := NewNPZ(), 0
	for _, p := range parts {
		if size += len(p.Data); size > MaxInflated {
			return nil, problem.New("model file: %d MB is more than the limit of 256 MB", size>>20)
		}
		n.member(p.Stem()+".npy", p.Data, zip.Store)
	}
	return n.Bytes()
}
