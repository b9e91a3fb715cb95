package modelfile

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"

	"logzlab/core/files/csv"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// rowArrayNames are the names of arrays of data rows; in a file with a single array it may have any name.
var rowArrayNames = []string{"data", "rows", "X", "x", "X_test", "x_test", "test"}

var errRowsCut = problem.New("data file: damaged or cut short")

// IsRowsOnly reports whether a file can only contain data rows: a single NumPy array, idx, or a gzipped file that is
// not a graph.
func IsRowsOnly(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\x93NUMPY")) || isIDX(b) || bytes.HasPrefix(b, []byte("\x1f\x8b")) &&
		!isGzippedGraph(b)
}

// isIDX reports whether a file begins like an idx file of bytes.
func isIDX(b []byte) bool { return len(b) > 4 && b[0] == 0 && b[1] == 0 && b[2] == 8 && b[3] < 9 }

// ReadRows reads data rows of the given number of columns. Numbers are in [0, 1], or in [0, 255] and then divided by
// 255. The file may contain arrays, a single NumPy array (.npy), images in MNIST's format (idx of bytes) or a table of
// numbers; each of these may be gzipped. The meter, which may be nil, limits memory and counts operations.
//
// bits has an entry for each number, row after row: 1 if the number is at least one half. sums has the sum of each
// column. leftOut is nil, or a phrase that names the columns left out because the header says that they are not units.
func ReadRows(b []byte, columns int, m *meter.Meter) (bits []uint8, sums []float64, leftOut, err error) {
	if b, err = gunzip(b, m); err != nil {
		return nil, nil, nil, err
	}
	if isIDX(b) {
		bits, sums, err = readIDX(b, columns, m)
		return bits, sums, nil, err
	}

	// Read an array or a table, and check the range of its numbers.
	a, leftOut, err := readArray(b, columns, m)
	if err == nil {
		err = checkRowShape(a.Shape, columns)
	}
	if err != nil {
		return nil, nil, nil, err
	}
	for i, x := range a.Data {
		if !(x >= 0 && x <= 255) {
			return nil, nil, nil, problem.New("data file: row %d, column %d is %v; numbers must be from 0 to 1, or from 0 to "+
				"255", i/columns+1, i%columns+1, x)
		}
	}

	// Scale the numbers to [0, 1], and round them to bits.
	maxValue := 1.0
	if slices.Max(a.Data) > 1 {
		maxValue = 255
	}
	if err := reserveRows(len(a.Data), m); err != nil {
		return nil, nil, nil, err
	}
	bits, sums = make([]uint8, len(a.Data)), make([]float64, columns)
	for i, x := range a.Data {
		x /= maxValue
		sums[i%columns] += x
		if x >= .5 {
			bits[i] = 1
		}
	}
	m.Free(float64(8 * len(a.Data)))
	return bits, sums, leftOut, checkNotBlank(bits, sums, maxValue)
}

// checkNotBlank returns an error if there are positive numbers, but none reaches one half of the scale's maximum, top.
func checkNotBlank(bits []uint8, sums []float64, maxValue float64) error {
	if slices.Max(bits) == 0 && slices.Max(sums) > 0 {
		return problem.New("data file: no number reaches one half of %g, so all rows would be blank; divide by the largest "+
			"number first", maxValue)
	}
	return nil
}

// readArray reads a file of arrays, a single array or a table; columns 0 means any number. Columns of a table that are
// not units according to the header are left out if exactly the given number of columns remains.
func readArray(b []byte, columns int, m *meter.Meter) (a *Array, leftOut, err error) {
	switch open := arrayOpener(b); {
	case open != nil:
		a, err = readRowArray(open, b, m)
		return a, nil, err
	case bytes.HasPrefix(b, []byte("\x93NUMPY")):
		if a, err = ReadNPY(b, "rows", m); err != nil {
			err = problem.New("data file: %w", err)
		}
		return a, nil, err
	}
	header := csv.Header(b)
	skipped, leftOut := csv.NonUnits(header)
	if len(header)-len(skipped) != columns {
		skipped, leftOut = nil, nil
	}
	a, err = readText(b, columns, skipped, m)
	return a, leftOut, err
}

// reserveRows reserves memory for n bits, one byte each.
func reserveRows(n int, m *meter.Meter) error {
	return m.Take(float64(n), problem.New("the data rows"), problem.New("give fewer data"))
}

// checkRowShape returns an error for arrays that are not rows of the given number of columns.
func checkRowShape(shape []int, columns int) error {
	n, ok := elementCount(shape)
	if len(shape) < 2 || !ok || n != shape[0]*columns {
		return problem.New("data file: its shape is %v; rows must have %d numbers, one for each visible unit", shape,
			columns)
	}
	if n == 0 {
		return problem.New("data file: there are no rows in it")
	}
	return nil
}

// gunzip returns b, or the content of a gzip file, whose last four bytes give the size of the content. Recognised
// formats that are not supported are errors.
func gunzip(b []byte, m *meter.Meter) ([]byte, error) {
	if err := unsupported(b); err != nil {
		return nil, problem.New("data file: %w", err)
	}
	if !bytes.HasPrefix(b, []byte("\x1f\x8b")) {
		return b, nil
	}

	// The size of the content, within the limits.
	if len(b) < 18 {
		return nil, errRowsCut
	}
	size := uint64(binary.LittleEndian.Uint32(b[len(b)-4:]))
	if size > 1032*uint64(len(b)) { // deflate compresses at most by this factor
		return nil, errRowsCut
	}
	if size > MaxInflated {
		return nil, problem.New("data file: it would inflate to more than the limit of 256 MB")
	}
	if err := m.Take(float64(size), problem.New("the data rows"), problem.New("give fewer data")); err != nil {
		return nil, err
	}
	m.Expect(inflateOps * float64(size))

	// The content.
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, errRowsCut
	}
	out := make([]byte, size)
	r := m.Reader(z, inflateOps)
	if _, err = io.ReadFull(r, out); err == nil {
		if n, end := r.Read(make([]byte, 1)); n > 0 || end != io.EOF { // checksums are verified at the end
			err = errRowsCut
		}
	}

	// All kinds of damage have the same message.
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.As(err, &corrupt) || err == io.EOF {
		err = errRowsCut
	}
	return out, err
}

// readRowArray reads the array of rows from a file of arrays: its only array, or the first with one of rowArrayNames.
func readRowArray(open func([]byte, *meter.Meter) (*Arrays, error), b []byte, m *meter.Meter) (*Array, error) {
	file, err := open(b, m)
	if err != nil {
		return nil, err
	}
	if len(file.names) == 1 {
		return file.read[0]()
	}
	for i, name := range file.names {
		if slices.Contains(rowArrayNames, baseName(name)) {
			return file.read[i]()
		}
	}
	return nil, problem.New("data file: none of its arrays (%s) is called %s", strings.Join(file.names, ", "),
		strings.Join(rowArrayNames, ", "))
}

// openIDX returns the shape and the bytes of a file in MNIST's format: 0, 0, 8, the number of dimensions, each
// dimension, and the bytes.
func openIDX(b []byte) (shape []int, data []byte, err error) {
	headerSize := 4 + 4*int(b[3])
	if len(b) < headerSize {
		return nil, nil, errRowsCut
	}
	for i := 4; i < headerSize; i += 4 {
		shape = append(shape, int(binary.BigEndian.Uint32(b[i:])))
	}
	if n, ok := elementCount(shape); !ok || n != len(b)-headerSize {
		return nil, nil, errRowsCut
	}
	return shape, b[headerSize:], nil
}

// readIDX reads the rows of an idx file. It does not convert the file to float64, which would take too much memory for
// 60,000 images.
func readIDX(b []byte, columns int, m *meter.Meter) (bits []uint8, sums []float64, err error) {
	shape, b, err := openIDX(b)
	if err != nil {
		return nil, nil, err
	}
	if err := checkRowShape(shape, columns); err != nil {
		return nil, nil, err
	}
	if err := reserveRows(len(b), m); err != nil {
		return nil, nil, err
	}

	// The value in [0, 1] of every byte.
	var value [256]float64
	for x := range value {
		value[x] = float64(x)
	}
	top := 1.0
	if slices.Max(b) > 1 {
		top = 255
		for x := range value {
			value[x] /= top
		}
	}

	// The bits, and the sums of the columns.
	m.Expect(numberOps * float64(len(b)))
	bits, sums = make([]uint8, 0, len(b)), make([]float64, columns)
	for row := range slices.Chunk(b, columns) {
		for i, x := range row {
			bit := uint8(0)
			if sums[i] += value[x]; value[x] >= .5 {
				bit = 1
			}
			bits = append(bits, bit)
		}
		if err := m.Did(numberOps * float64(columns)); err != nil {
			return nil, nil, err
		}
	}
	return bits, sums, checkNotBlank(bits, sums, top)
}

// readText reads a table: each line is a row, with cells separated by commas, semicolons, blanks or tabs; columns 0 means
// as many as in the first row. It ignores a header, lines that begin with #, and the columns listed in skipped, counted
// from 0.
func readText(b []byte, columns int, skipped []int, m *meter.Meter) (*Array, error) {
	b = csv.Normalize(b)

	// Reserve memory for the numbers.
	numbers := (bytes.Count(b, []byte("\n")) + 1) * columns
	if columns == 0 { // each number takes two bytes or more
		numbers = len(b) / 2
	}
	if err := reserve(m, "rows", numbers, 0); err != nil {
		return nil, err
	}

	// Row after row.
	m.Expect(csv.ByteOps * float64(len(b)))
	a := &Array{Shape: []int{0, columns}}
	for n := 1; len(b) > 0; n++ {
		var line []byte
		line, b, _ = bytes.Cut(b, []byte("\n"))
		if err := m.Did(csv.ByteOps * float64(len(line)+1)); err != nil {
			return nil, err
		}
		if columns > 0 && len(line) > 64*columns { // longer than any valid row
			return nil, problem.New("data file: line %d is too long; rows must have %d numbers, one for each visible "+
				"unit", n, columns)
		}

		// The cells of a row, without skipped columns.
		cells := strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune(",; \t\r", r) })
		if len(cells) == 0 || line[0] == '#' || a.Shape[0] == 0 && n == 1 && (skipped != nil || !csv.IsNumber(cells[0])) {
			continue
		}
		for i := len(skipped) - 1; i >= 0 && skipped[i] < len(cells); i-- {
			cells = slices.Delete(cells, skipped[i], skipped[i]+1)
		}
		if columns == 0 {
			columns = len(cells)
		}
		if a.Shape[1] = columns; len(cells) != columns {
			return nil, problem.New("data file: line %d has %d numbers; rows must have %d, one for each visible unit", n,
				len(cells), columns)
		}

		// The numbers of a row.
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
