package modelfile

import (
	"strconv"

	"logzlab/core/problem"
)

// Flat returns a table read from JSON as one list by rows. All rows must have the same length, at least 1. The table is
// not copied. kind and name are the file and its field in errors, here and in the functions below.
func Flat(kind, name string, rows [][]float64) (flat []float64, columns int, err error) {
	if len(rows) == 0 || len(rows[0]) == 0 {
		return nil, 0, problem.New("%s file: %s is missing or empty; it must be a list of rows of numbers", kind, name)
	}
	columns = len(rows[0])
	for i, row := range rows {
		if len(row) != columns {
			return nil, 0, problem.New("%s file: %s is ragged: row %d has %d columns, row 0 has %d", kind, name, i, len(row),
				columns)
		}
	}
	return rows[0][:len(rows)*columns], columns, nil
}

// Length checks the number of values of a list.
func Length(kind, name string, x []float64, want int) error {
	if len(x) != want {
		return problem.New("%s file: %s has %d values; it must have %d", kind, name, len(x), want)
	}
	return nil
}

// Within checks that all values are in [lo, hi]; NaN is not.
func Within(kind, name string, lo, hi float64, x ...float64) error {
	return WithinRows(kind, name, lo, hi, 0, x)
}

// WithinRows is Within for rows with the given number of columns; 0 means a list.
func WithinRows(kind, name string, lo, hi float64, columns int, x []float64) error {
	for i, v := range x {
		if v >= lo && v <= hi {
			continue
		}
		at := strconv.Itoa(i)
		if columns > 0 {
			at = strconv.Itoa(i/columns) + "][" + strconv.Itoa(i%columns)
		}
		return problem.New("%s file: %s[%s] = %v must be between %v and %v", kind, name, at, v, lo, hi)
	}
	return nil
}
