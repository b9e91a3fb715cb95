package modelfile

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// ReadBits reads binary training data: rows of zeros and ones, in the formats of ReadRows or in LIBSVM's, which has a
// line with a label and index:value pairs for each row. Other numbers need a threshold: numbers at or above it become
// 1. Without a threshold (NaN) they are an error that suggests one (see Threshold). Columns of row numbers and labels
// are left out, and note, a phrase, says so; it is nil if none is. The meter, which may be nil, limits memory and
// counts operations.
func ReadBits(b []byte, threshold float64, m *meter.Meter) (bits []uint8, columns int, note, err error) {
	if b, err = gunzip(b, m); err != nil {
		return nil, 0, nil, err
	}

	// The numbers: bytes of images, or rows of a file.
	var count int
	var number func(i int) float64
	if isIDX(b) {
		shape, data, err := openIDX(b)
		if count = len(data); err != nil || len(shape) < 2 || count == 0 {
			return nil, 0, nil, errRowsCut
		}
		columns, number = count/shape[0], func(i int) float64 { return float64(data[i]) }
	} else {
		var a *Array
		switch {
		case isSparse(b):
			a, err = readSparse(b, m)
		case arrayOpener(b) != nil, bytes.HasPrefix(b, []byte("\x93NUMPY")):
			a, _, err = readArray(b, 0, m)
		default:
			a, note, err = readUnits(b, m)
		}
		if err != nil {
			return nil, 0, note, err
		}
		if len(a.Shape) < 2 || len(a.Data) == 0 {
			return nil, 0, nil, problem.New("data file: its shape is %v; it must have rows of zeros and ones", a.Shape)
		}
		count, columns = len(a.Data), len(a.Data)/a.Shape[0]
		number = func(i int) float64 { return a.Data[i] }
	}

	// Reserve memory for the bits.
	if err := reserveRows(count, m); err != nil {
		return nil, 0, note, err
	}

	// Convert to bits, by the threshold if there is one.
	bits = make([]uint8, count)
	for i := range bits {
		x := number(i)
		switch {
		case !num.NotNaN(x):
			return nil, 0, nil, problem.New("data file: row %d, column %d is not a number", i/columns+1, i%columns+1)
		case num.NotNaN(threshold):
			if x >= threshold {
				bits[i] = 1
			}
		case x == 1:
			bits[i] = 1
		case x != 0:
			top := x
			for j := range bits {
				if y := number(j); y > top { // never NaN
					top = y
				}
			}
			return nil, 0, note, &thresholdError{problem.New("data file: row %d, column %d is %v; data to train on must be 0 or 1: "+
				"give a threshold, such as %v", i/columns+1, i%columns+1, x, top/2), top / 2}
		}
	}
	return bits, columns, note, nil
}

// minCounted is the smallest number of rows for which a first column that counts them is left out whatever its name.
const minCounted = 5

// readUnits reads a table without the columns that are not units, according to their names or because they are row
// numbers; note is a phrase about them.
func readUnits(b []byte, m *meter.Meter) (a *Array, note, err error) {
	header := csv.Header(b)
	skipped, note := csv.NonUnits(header)
	if a, err = readText(b, 0, skipped, m); err != nil {
		return nil, note, err
	}
	for i := len(skipped) - 1; i >= 0; i-- {
		header = slices.Delete(header, skipped[i], skipped[i]+1)
	}

	// Columns of row numbers.
	if len(header) != a.Shape[1] {
		header = make([]string, a.Shape[1])
	}
	for j := a.Shape[1] - 1; j >= 0; j-- {
		name := header[j]
		numbering := csv.Numbering(name)
		if j == 0 && numbering == nil && skipped == nil && a.Shape[0] >= minCounted && a.Shape[1] > 2 {
			numbering = csv.CountsRows
		}
		if numbering != nil && a.drop(j, numbering) {
			note = csv.LeftOut(note, j, name)
		}
	}
	return a, note, nil
}

// drop removes column j if its numbers pass a test and it is not the only column.
func (a *Array) drop(j int, test func([]float64) bool) bool {
	columns := a.Shape[1]
	column := make([]float64, a.Shape[0])
	for i := range column {
		column[i] = a.Data[i*columns+j]
	}
	if columns < 2 || !test(column) {
		return false
	}
	kept := a.Data[:0]
	for i, x := range a.Data {
		if i%columns != j {
			kept = append(kept, x)
		}
	}
	a.Data, a.Shape[1] = kept, columns-1
	return true
}

// thresholdError is the error of numbers other than 0 and 1, with a suggested threshold.
type thresholdError struct {
	error
	threshold float64
}

// Unwrap returns the error without the threshold.
func (e *thresholdError) Unwrap() error { return e.error }

// Threshold returns the threshold that an error of ReadBits suggests; ok is false for other errors.
func Threshold(err error) (threshold float64, ok bool) {
	if e := (*thresholdError)(nil); errors.As(err, &e) {
		return e.threshold, true
	}
	return 0, false
}

// isSparse reports whether the first line of a text is in LIBSVM's format.
func isSparse(b []byte) bool {
	line, _, _ := bytes.Cut(b[:min(len(b), 1<<16)], []byte("\n"))
	cells := strings.Fields(string(line))
	return len(cells) > 1 && strings.Contains(cells[1], ":") && !strings.ContainsAny(string(line), "\x00{")
}

// readSparse reads LIBSVM's format: lines of a label and index:value pairs. Indices begin at 1; the largest is the
// number of columns.
func readSparse(b []byte, m *meter.Meter) (*Array, error) {
	type entry struct {
		row, column int
		x           float64
	}
	entries := bytes.Count(b, []byte(":"))
	if err := reserveRows(24*entries, m); err != nil {
		return nil, err
	}
	all := make([]entry, 0, entries)

	// The entries, line by line.
	rows, columns := 0, 0
	m.Expect(csv.ByteOps * float64(len(b)))
	for n := 1; len(b) > 0; n++ {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		if err := m.Did(csv.ByteOps * float64(len(line)+1)); err != nil {
			return nil, err
		}
		cells := strings.Fields(string(line))
		if len(cells) == 0 {
			continue
		}
		for _, cell := range cells[1:] {
			index, value, _ := strings.Cut(cell, ":")
			i, err := strconv.Atoi(index)
			x, bad := strconv.ParseFloat(value, 64)
			if err != nil || bad != nil || i < 1 || i > 1<<20 {
				return nil, problem.New("data file: line %d: %q is not index:value", n, cell)
			}
			all, columns = append(all, entry{rows, i - 1, x}), max(columns, i)
		}
		rows++
	}

	// The full matrix.
	if columns > 0 && rows > MaxNumbers/columns {
		return nil, reserve(m, "rows", MaxNumbers+1, 0)
	}
	if err := reserve(m, "rows", rows*columns, 0); err != nil {
		return nil, err
	}
	a := &Array{Shape: []int{rows, columns}, Data: make([]float64, rows*columns)}
	for _, e := range all {
		a.Data[e.row*columns+e.column] = e.x
	}
	return a, nil
}
