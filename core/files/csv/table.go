package csv

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// Table is a table of finite numbers. All rows have the same length: the features, then the label. Labels given as two
// texts are 0 and 1, in alphabetical order.
type Table struct {
	Rows         [][]float64
	Lines        []int    // line of each row in the file
	Columns      []int    // number of each column in the file, from 1
	Names        []string // of each column; nil without a header
	Classes      []string // the two texts of the labels; nil if labels are numbers
	HasLabelName bool     // the header names the label column
	Left         error    // note: the columns of row names or numbers that were left out; nil if none
	// Meter, which may be nil, limits memory and counts operations.
	Meter *meter.Meter
}

// Operations per byte for splitting lines, per cell for converting numbers, and per byte for both in a text of numbers.
const (
	lineOps = 5
	cellOps = 60
	ByteOps = lineOps + cellOps/6
)

// countCell reports cells to the meter, 256 at a time.
func countCell(m *meter.Meter, j int) error {
	if j%256 != 255 {
		return nil
	}
	return m.Did(256 * cellOps)
}

// MaxRows is the largest number of rows read.
const MaxRows = 2000

// tableReader is the state of ReadTable.
type tableReader struct {
	Table
	header    []string // nil if there is none
	cols      []int    // columns to read, from 0, the label last
	width     int      // number of columns up to the last non-empty one, in the header or the first row
	widthLine int      // the line that determines width
	marks     marks
	comma     bool // columns are separated by commas
	// headerShort: the header has no name for the first column, as R writes it. rowNumbers: that column has numbers,
	// not names.
	headerShort, rowNumbers bool
	// The cells of the first feature and of the label, which may be row names and class names.
	first, label []string
}

// ReadTable reads a table, for which its caller has reserved the memory. A first line of names is a header; blank lines
// and comments are skipped.
func ReadTable(b []byte, d Dialect, m *meter.Meter) (*Table, error) {
	m.Expect(ByteOps * float64(len(b)))
	t := &tableReader{Table: Table{Meter: m}, comma: d.Comma == ','}
	if d.Header != nil {
		if err := t.readHeader(d.Header, 1); err != nil {
			return nil, err
		}
	}

	// The first line may be a header.
	var first []string // held back until the next line shows whether it is a header
	at, started := 0, t.header != nil
	start := func(next []string) error {
		if started = true; isHeader(first, next) {
			return t.readHeader(first, at)
		}
		return t.add(first, at)
	}

	// Read all lines.
	for r := d.reader(m.Reader(bytes.NewReader(b), lineOps)); ; {
		cells, err := r.Read()
		if err == io.EOF {
			if !started && first != nil {
				if err := start(nil); err != nil {
					return nil, err
				}
			}
			return t.finish()
		}
		if err != nil {
			return nil, problem.New("csv file: damaged (%v)", err)
		}
		for j, c := range cells {
			cells[j] = strings.TrimSpace(c)
		}

		// The line is blank, the first one, or a row.
		line, _ := r.FieldPos(0)
		switch {
		case width(cells) == 0 || line == 1 && strings.HasPrefix(cells[0], "sep="):
		case !started && first == nil:
			first, at = slices.Clone(cells), line
		default:
			if !started {
				err = start(cells)
			}
			if err == nil {
				err = t.add(cells, line)
			}
		}
		if err != nil {
			return nil, err
		}
	}
}

// width returns the number of cells up to the last non-empty one.
func width(cells []string) int {
	n := len(cells)
	for n > 0 && cells[n-1] == "" {
		n--
	}
	return n
}

// isHeader reports whether the first line of a table is a header. It is one if none of its cells is a number, or if its
// numbers count the columns and all other names are those of labels and indexes. next is the line after it.
func isHeader(first, next []string) bool {
	numbers, named, others := 0, 0, 0
	for j, c := range first[:width(first)] {
		switch {
		case IsNumber(c):
			if c != strconv.Itoa(numbers) {
				others++
			}
			numbers++
		case containsFold(labelNames, c) || containsFold(indexNames, c) || c == "y" || c != "" && isRowNames(c):
			named++
		case j > 0 || !isRowNames(c):
			others++
		}
	}
	if numbers == 0 {
		return slices.ContainsFunc(first, func(c string) bool { return !containsFold(missingMarks, c) })
	}
	indexed := isRowNames(first[0]) && len(next) > 0 && next[0] == "0" // ,0,1,2 over 0,5.1,3.5,1
	return others == 0 && (named > 0 || indexed && numbers > 1 || numbers > 2 && numbers == width(first))
}

// readHeader takes the header: the columns to read, and the label.
func (t *tableReader) readHeader(header []string, line int) error {
	t.header, t.width, t.widthLine = header, width(header), line
	if err := checkDistinct(header[:t.width]); err != nil {
		return err
	}
	for j := range t.width {
		t.cols = append(t.cols, j)
	}
	if t.width > 0 && isRowNames(header[0]) {
		t.cols, t.Left = t.cols[1:], LeftOut(nil, 0, header[0])
	}

	// The label is identified by its name.
	at := -1
	for i, j := range t.cols {
		if !containsFold(labelNames, header[j]) {
			continue
		}
		if at >= 0 {
			return problem.New("csv file: line %d: both %s and %s may be the label; give one of them another name", line,
				header[t.cols[at]], header[j])
		}
		at = i
	}
	if first := slices.IndexFunc(t.cols, func(j int) bool { return !containsFold(indexNames, header[j]) }); at < 0 && first >= 0 &&
		strings.EqualFold(header[t.cols[first]], "y") {
		at = first
	}
	if at >= 0 {
		label := t.cols[at]
		t.cols, t.HasLabelName = append(slices.Delete(t.cols, at, at+1), label), true
	}
	return nil
}

// add appends a row.
func (t *tableReader) add(cells []string, line int) error {
	if t.cols == nil { // there is no header
		t.width, t.widthLine = width(cells), line
		for j := range t.width {
			t.cols = append(t.cols, j)
		}
	}

	// R omits the name of the column of row names.
	if t.header != nil && t.Rows == nil && width(cells) == t.width+1 && !isRowNames(t.header[0]) {
		t.headerShort, t.cols = true, nil
		if err := t.readHeader(append([]string{""}, t.header...), t.widthLine); err != nil {
			return err
		}
	}

	// All rows must have the same width.
	if n := width(cells); n > t.width || len(cells) < t.width {
		return t.errWidth(line, max(n, min(len(cells), t.width)))
	}
	if t.headerShort && !hasLetter(cells[0]) {
		if t.rowNumbers = true; cells[0] != strconv.Itoa(len(t.Rows)+1) {
			return t.errWidth(line, t.width)
		}
	}
	if len(t.cols) < 2 {
		return problem.New("csv file: line %d has one column; each line needs features and, last, the label", line)
	}

	// All cells must be numbers, except the first (a row name) and the last (a label).
	row, last := make([]float64, len(t.cols)), len(t.cols)-1
	named := hasLetter(cells[t.cols[0]]) && slices.ContainsFunc(cells, IsNumber) // a row name, unless the line has texts only
	for i, j := range t.cols {
		if err := countCell(t.Meter, i); err != nil {
			return err
		}
		c := cells[j]
		x, kind, err := number(c)
		if err != nil && containsFold(missingMarks, c) {
			return errMissing(line, j)
		}
		if err != nil && (i > 0 || !named) && (i < last || !hasLetter(c)) {
			return errNotNumber(line, j, c)
		}
		if err == nil {
			t.marks.add(kind, line, j+1, c)
		}
		row[i] = x
	}

	// Keep the row, and the texts of its first and last cells.
	t.first = append(t.first, strings.Clone(cells[t.cols[0]]))
	t.label = append(t.label, strings.Clone(cells[t.cols[last]]))
	if t.Rows, t.Lines = append(t.Rows, row), append(t.Lines, line); len(t.Rows) > MaxRows {
		return problem.New("csv file: more than the limit of %d data; give fewer lines", MaxRows)
	}
	return nil
}

// errWidth is the error of a line with another number of columns.
func (t *tableReader) errWidth(line, n int) error {
	if t.headerShort {
		t.width--
	}
	return problem.New("csv file: the columns differ: line %d has %d, line %d has %d; if the numbers have decimal "+
		"commas, put semicolons between the columns", line, n, t.widthLine, t.width)
}

// errNotNumber is the error of a cell that must be a number; j is the column, from 0.
func errNotNumber(line, j int, cell string) error {
	return problem.New("csv file: line %d, column %d: %q is not a finite number; write numbers as 1234.5 and labels "+
		"as 0 and 1", line, j+1, cell)
}

// finish makes the checks that need the whole table, and leaves out columns of row numbers.
func (t *tableReader) finish() (*Table, error) {
	if err := t.marks.check(); err != nil {
		return nil, err
	}
	if len(t.cols) < 2 {
		return &t.Table, nil
	}
	if t.rowNumbers && t.comma && t.marks[point].line == 0 { // 1,5 may be a single number
		return nil, t.errWidth(t.Lines[0], t.width)
	}

	// Leave out columns of row names and numbers.
	for i := len(t.cols) - 2; i >= 0; i-- {
		if index, err := t.isIndex(i); err != nil {
			return nil, err
		} else if !index {
			continue
		}
		t.Left = LeftOut(t.Left, t.cols[i], t.nameOf(t.cols[i]))
		t.cols = slices.Delete(t.cols, i, i+1)
		for r := range t.Rows {
			t.Rows[r] = append(t.Rows[r][:i], t.Rows[r][i+1:]...)
		}
		if len(t.cols) < 2 {
			return nil, problem.New("csv file: no feature is left: %w", t.Left)
		}
	}

	// The numbers and names of the remaining columns.
	for _, j := range t.cols {
		t.Columns = append(t.Columns, j+1)
		if t.header != nil {
			t.Names = append(t.Names, t.header[j])
		}
	}
	return &t.Table, t.classify()
}

// nameOf returns the name of column j, "" without a header.
func (t *tableReader) nameOf(j int) string {
	if t.header == nil {
		return ""
	}
	return t.header[j]
}

// isIndex reports whether column k of those read names or numbers the rows.
func (t *tableReader) isIndex(k int) (bool, error) {
	name, numbers := t.nameOf(t.cols[k]), make([]float64, len(t.Rows))
	numbering := Numbering(name)
	if k > 0 && numbering == nil {
		return false, nil
	}
	for i, row := range t.Rows {
		if numbers[i] = row[k]; k > 0 || IsNumber(t.first[i]) {
			continue
		}
		if distinctNames(t.first) && len(t.cols) > 2 && len(t.Rows) > 1 {
			return true, nil
		}
		return false, errNotNumber(t.Lines[i], t.cols[0], t.first[i])
	}
	switch {
	case t.header == nil:
		return CountsRows(numbers) && len(t.cols) > 2 && len(t.Rows) >= minCounted, nil
	case containsFold(indexNames, name) && !distinctIntegers(numbers):
		return false, errIndexColumn(name)
	}
	return numbering != nil && numbering(numbers) || k == 0 && containsFold(counterNames, name) && CountsRows(numbers), nil
}

// classify converts labels that are two texts to 0 and 1.
func (t *tableReader) classify() error {
	at := slices.IndexFunc(t.label, func(c string) bool { return !IsNumber(c) })
	if at < 0 {
		return nil
	}
	classes, err := twoClasses(t.label)
	if err != nil {
		return problem.New("csv file: line %d, column %d: %w", t.Lines[at], t.cols[len(t.cols)-1]+1, err)
	}
	t.Classes = classes
	for i, c := range t.label {
		t.Rows[i][len(t.cols)-1] = float64(slices.Index(classes, c))
	}
	return nil
}
