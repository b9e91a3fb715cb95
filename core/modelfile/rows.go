package modelfile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// rowNames are names of arrays of data rows; a file with one array alone may call it anything.
var rowNames = []string{"data", "rows", "X", "x", "X_test", "x_test", "test"}

var errRowsCut = problem.New("data file: damaged or cut short")

// OnlyRows reports whether a file can be nothing but data rows: a single array of NumPy, idx, or something packed.
func OnlyRows(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\x93NUMPY")) || bytes.HasPrefix(b, []byte("\x1f\x8b")) || isIDX(b)
}

// isIDX reports whether a file begins as idx of bytes does.
func isIDX(b []byte) bool { return len(b) > 4 && b[0] == 0 && b[1] == 0 && b[2] == 8 && b[3] < 9 }

// ReadRows reads data rows of so many numbers, from 0 to 1 or from 0 to 255, which become 0 to 1: a file of arrays, a
// single array of NumPy (.npy), pictures as MNIST has them (idx of bytes) or a table of numbers. The meter, which may
// be nil, watches memory and time.
func ReadRows(b []byte, columns int, m *meter.Meter) ([]float64, error) {
	var a *Array
	var err error
	open := arraysOf(b)
	switch {
	case open != nil:
		a, err = rowsOf(open, b, m)
	case bytes.HasPrefix(b, []byte("\x93NUMPY")):
		if a, err = readNPY(bufio.NewReader(bytes.NewReader(b)), len(b), "rows", m); err != nil {
			err = problem.New("data file: %w", err)
		}
	case bytes.HasPrefix(b, []byte("\x1f\x8b")):
		err = problem.New("data file: packed by gzip; unpack it first")
	case isIDX(b):
		a, err = readIDX(b, m)
	default:
		a, err = readText(b, columns, m)
	}
	if err != nil {
		return nil, err
	}
	if len(a.Shape) < 2 || len(a.Data) != a.Shape[0]*columns {
		return nil, problem.New("data file: its shape is %v; rows must have %d numbers, one for each visible unit", a.Shape,
			columns)
	}
	if len(a.Data) == 0 {
		return nil, problem.New("data file: there are no rows in it")
	}
	for i, x := range a.Data {
		if !(x >= 0 && x <= 255) {
			return nil, problem.New("data file: row %d, column %d is %v; numbers must be from 0 to 1, or from 0 to 255",
				i/columns+1, i%columns+1, x)
		}
	}
	if slices.Max(a.Data) > 1 {
		for i := range a.Data {
			a.Data[i] /= 255
		}
	}
	return a.Data, nil
}

// rowsOf is the array of rows in a file of arrays.
func rowsOf(open func([]byte, *meter.Meter) (*Arrays, error), b []byte, m *meter.Meter) (*Array, error) {
	file, err := open(b, m)
	if err != nil {
		return nil, err
	}
	if len(file.names) == 1 {
		return file.read[0]()
	}
	for i, name := range file.names {
		if slices.Contains(rowNames, short(name)) {
			return file.read[i]()
		}
	}
	return nil, problem.New("data file: none of its arrays (%s) is called %s", strings.Join(file.names, ", "),
		strings.Join(rowNames, ", "))
}

// readIDX reads bytes in the format of MNIST: 0, 0, 8, the number of dimensions, each of them, and the bytes.
func readIDX(b []byte, m *meter.Meter) (*Array, error) {
	a, at := &Array{}, 4+4*int(b[3])
	if len(b) < at {
		return nil, errRowsCut
	}
	for i := 4; i < at; i += 4 {
		a.Shape = append(a.Shape, int(binary.BigEndian.Uint32(b[i:])))
	}
	n, ok := volume(a.Shape)
	if !ok || n != len(b)-at {
		return nil, errRowsCut
	}
	get, size, err := numberType("|u1")
	if err != nil {
		return nil, err
	}
	return a, a.fill(bytes.NewReader(b[at:]), &elements{count: n, size: size, get: get}, "rows", m)
}

// readText reads a line for each row, its numbers apart by commas, semicolons, blanks or tabs. A first line of names
// and lines with # do not count.
func readText(b []byte, columns int, m *meter.Meter) (*Array, error) {
	b = plain(b)
	if err := take(m, "rows", (bytes.Count(b, []byte("\n"))+1)*columns, 0); err != nil {
		return nil, err
	}
	m.Expect((lineOps + cellOps/6) * float64(len(b)))
	a := &Array{Shape: []int{0, columns}}
	for n := 1; len(b) > 0; n++ {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		if err := m.Did((lineOps + cellOps/6) * float64(len(line)+1)); err != nil {
			return nil, err
		}
		if len(line) > 64*columns { // more than a row can have
			return nil, problem.New("data file: line %d is too long; rows must have %d numbers, one for each visible "+
				"unit", n, columns)
		}
		cells := strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune(",; \t\r", r) })
		if len(cells) == 0 || line[0] == '#' || a.Shape[0] == 0 && n == 1 && !isNumber(cells[0]) {
			continue
		}
		if len(cells) != columns {
			return nil, problem.New("data file: line %d has %d numbers; rows must have %d, one for each visible unit", n,
				len(cells), columns)
		}
		for j, cell := range cells {
			x, err := num.Parse(cell)
			if err != nil {
				return nil, problem.New("data file: line %d, column %d: %q is not a number", n, j+1, cell)
			}
			a.Data = append(a.Data, x)
		}
		a.Shape[0]++
	}
	return a, nil
}
