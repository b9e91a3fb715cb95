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

// ReadBits reads data to train on: rows of zeros and ones, in the formats of ReadRows, or as LIBSVM writes them, a line
// with a label and index:value for each row. Other numbers need a threshold, from which on they count as one; without
// (NaN) they are an error that offers one. Columns of a table that number the rows or are their labels are no units;
// left is a phrase that says so, or nil. The meter, which may be nil, watches memory and time.
func ReadBits(b []byte, threshold float64, m *meter.Meter) (bits []uint8, columns int, left, err error) {
	if b, err = gunzip(b, m); err != nil {
		return nil, 0, nil, err
	}

	// The numbers: pictures, or rows of a file.
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
			a, left, err = readUnits(b, m)
		}
		if err != nil {
			return nil, 0, left, err
		}
		if len(a.Shape) < 2 || len(a.Data) == 0 {
			return nil, 0, nil, problem.New("data file: its shape is %v; it must have rows of zeros and ones", a.Shape)
		}
		count, columns = len(a.Data), len(a.Data)/a.Shape[0]
		number = func(i int) float64 { return a.Data[i] }
	}

	// Room for the bits.
	if err := reserveRows(count, m); err != nil {
		return nil, 0, left, err
	}

	// The bits, by the threshold if given.
	bits = make([]uint8, count)
	for i := range bits {
		x := number(i)
		switch {
		case !num.Known(x):
			return nil, 0, nil, problem.New("data file: row %d, column %d is not a number", i/columns+1, i%columns+1)
		case num.Known(threshold):
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
			return nil, 0, left, &thresholdError{problem.New("data file: row %d, column %d is %v; data to train on must be 0 or 1: "+
				"give a threshold, such as %v", i/columns+1, i%columns+1, x, top/2), top / 2}
		}
	}
	return bits, columns, left, nil
}

// minCounted is from how many rows on a first column that counts them is no unit, whatever its name.
const minCounted = 5

// readUnits reads a table of units without the columns that are none, by their names or as features are left out; left
// is a phrase about them.
func readUnits(b []byte, m *meter.Meter) (a *Array, left, err error) {
	header := csv.Header(b)
	skipped, left := csv.NonUnits(header)
	if a, err = readText(b, 0, skipped, m); err != nil {
		return nil, left, err
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
			left = csv.LeftOut(left, j, name)
		}
	}
	return a, left, nil
}

// drop takes column j out of a matrix of several if its numbers pass a test.
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

// thresholdError is the error of numbers that a threshold would make bits.
type thresholdError struct {
	error
	threshold float64
}

func (e *thresholdError) Unwrap() error { return e.error }

// Threshold is the threshold that an error of ReadBits offers for making bits of numbers; ok is false for other errors.
func Threshold(err error) (threshold float64, ok bool) {
	if e := (*thresholdError)(nil); errors.As(err, &e) {
		return e.threshold, true
	}
	return 0, false
}

// isSparse reports whether a text is as LIBSVM writes it, by its first line.
func isSparse(b []byte) bool {
	line, _, _ := bytes.Cut(b[:min(len(b), 1<<16)], []byte("\n"))
	cells := strings.Fields(string(line))
	return len(cells) > 1 && strings.Contains(cells[1], ":") && !strings.ContainsAny(string(line), "\x00{")
}

// readSparse reads lines of a label and index:value, indices from 1 on; the largest one is the number of columns.
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
