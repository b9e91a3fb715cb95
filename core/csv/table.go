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

// Table is a table of finite numbers. Its rows are equally long: features first, the label last.
type Table struct {
	Rows    [][]float64
	Lines   []int // in the file, of each row
	Columns []int // in the file, from 1, of each column
	// Meter, which may be nil, watches memory and time.
	Meter *meter.Meter
}

// Operations of reading a byte of a table, of converting a cell, and of both for each byte of a text of numbers.
const (
	lineOps = 5
	cellOps = 60
	ByteOps = lineOps + cellOps/6
)

// countCell tells the meter, now and then, of cells that were read.
func countCell(m *meter.Meter, j int) error {
	if j%256 != 255 {
		return nil
	}
	return m.Did(256 * cellOps)
}

// MaxRows is the largest number of rows read.
const MaxRows = 2000

// Names of columns, in small letters: of the label, and of the number of a row, which is no feature. These are indexes
// only where they do count the rows; "" and "unnamed: 0" (pandas) always are. y is the label only where it stands first
// and no other name says label: it may be a coordinate.
var (
	labels  = []string{"label", "labels", "class", "target"}
	indexes = []string{"index", "id", "row"}
)

// missing are ways to write that there is no value.
var missing = []string{"", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-"}

func among(words []string, s string) bool { return slices.Contains(words, strings.ToLower(s)) }

// unnamed tells whether a name in the first column stands for an index in any case.
func unnamed(name string) bool {
	return name == "" || strings.HasPrefix(strings.ToLower(name), "unnamed:")
}

// tableReader is a table under way.
type tableReader struct {
	Table
	header []string // nil where there is none
	cols   []int    // to be read, from 0, the label last
	width  int      // columns up to the last that is not empty, of the header or the first row
	from   int      // the line that says so
	signs  decimals
}

// ReadTable reads a table, whose memory its caller has counted. A first line of names is a header; blank lines and
// comments do not count.
func ReadTable(b []byte, d Dialect, m *meter.Meter) (*Table, error) {
	m.Expect(ByteOps * float64(len(b)))
	t := &tableReader{Table: Table{Meter: m}}
	if d.Header != nil {
		if err := t.name(d.Header, 1); err != nil {
			return nil, err
		}
	}
	var first []string // waits for the next line, which tells whether it is a header
	at, started := 0, t.header != nil
	start := func(next []string) error {
		if started = true; isHeader(first, next) {
			return t.name(first, at)
		}
		return t.add(first, at)
	}
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

// width is the number of cells up to the last that is not empty.
func width(cells []string) int {
	n := len(cells)
	for n > 0 && cells[n-1] == "" {
		n--
	}
	return n
}

// isHeader tells whether the first line names the columns. No cell of it is a number, or the numbers in it count the
// columns, and no other name is there than those of labels and indexes. next is the line after it.
func isHeader(first, next []string) bool {
	numbers, named, others := 0, 0, 0
	for j, c := range first[:width(first)] {
		switch {
		case IsNumber(c):
			if c != strconv.Itoa(numbers) {
				others++
			}
			numbers++
		case among(labels, c) || among(indexes, c) || c == "y":
			named++
		case j > 0 || !unnamed(c):
			others++
		}
	}
	if numbers == 0 {
		return slices.ContainsFunc(first, func(c string) bool { return !among(missing, c) })
	}
	indexed := unnamed(first[0]) && len(next) > 0 && next[0] == "0" // ,0,1,2 over 0,5.1,3.5,1
	return others == 0 && (named > 0 || indexed && numbers > 1 || numbers > 2 && numbers == width(first))
}

// name takes the header.
func (t *tableReader) name(header []string, line int) error {
	t.header, t.width, t.from = header, width(header), line
	for j := range t.width {
		t.cols = append(t.cols, j)
	}
	if t.width > 0 && unnamed(header[0]) {
		t.cols = t.cols[1:]
	}
	at := -1
	for i, j := range t.cols {
		if !among(labels, header[j]) {
			continue
		}
		if at >= 0 {
			return problem.New("csv file: line %d: both %s and %s may be the label; give one of them another name", line,
				header[t.cols[at]], header[j])
		}
		at = i
	}
	if first := slices.IndexFunc(t.cols, func(j int) bool { return !among(indexes, header[j]) }); at < 0 && first >= 0 &&
		strings.EqualFold(header[t.cols[first]], "y") {
		at = first
	}
	if at >= 0 {
		label := t.cols[at]
		t.cols = append(slices.Delete(t.cols, at, at+1), label)
	}
	return nil
}

// add takes a row.
func (t *tableReader) add(cells []string, line int) error {
	if t.cols == nil { // there is no header
		t.width, t.from = width(cells), line
		for j := range t.width {
			t.cols = append(t.cols, j)
		}
	}
	if n := width(cells); n > t.width || len(cells) < t.width {
		return problem.New("csv file: the columns differ: line %d has %d, line %d has %d; if the numbers have decimal "+
			"commas, put semicolons between the columns", line, max(n, min(len(cells), t.width)), t.from, t.width)
	}
	if len(t.cols) < 2 {
		return problem.New("csv file: line %d has one column; each line needs features and, last, the label", line)
	}
	row := make([]float64, len(t.cols))
	for i, j := range t.cols {
		if err := countCell(t.Meter, i); err != nil {
			return err
		}
		c := cells[j]
		x, kind, err := number(c)
		if err != nil && among(missing, c) {
			return problem.New("csv file: line %d, column %d: the value is missing; fill it in or leave the line out",
				line, j+1)
		}
		if err != nil {
			return problem.New("csv file: line %d, column %d: %q is not a finite number; write numbers as 1234.5 and labels "+
				"as 0 and 1", line, j+1, c)
		}
		t.signs.see(kind, line, j+1, c)
		row[i] = x
	}
	if t.Rows, t.Lines = append(t.Rows, row), append(t.Lines, line); len(t.Rows) > MaxRows {
		return problem.New("csv file: more than the limit of %d data; give fewer lines", MaxRows)
	}
	return nil
}

// finish checks what only the whole table tells.
func (t *tableReader) finish() (*Table, error) {
	for _, j := range t.cols {
		t.Columns = append(t.Columns, j+1)
	}
	if err := t.signs.agree(); err != nil {
		return nil, err
	}
	if len(t.cols) < 2 {
		return &t.Table, nil
	}
	if !t.counts() {
		if t.header != nil && among(indexes, t.header[t.cols[0]]) {
			return nil, problem.New("csv file: column %s may be no feature; leave it out, or give it another name if it is one",
				t.header[t.cols[0]])
		}
		return &t.Table, nil
	}
	switch {
	case t.header == nil && len(t.cols) > 2 && len(t.Rows) >= 5:
		return nil, problem.New("csv file: column 1 counts the lines; if it is no feature, leave it out, and if it is one, " +
			"write names of the columns into a first line")
	case t.header != nil && among(indexes, t.header[t.cols[0]]):
		t.Columns = t.Columns[1:]
		for i := range t.Rows {
			t.Rows[i] = t.Rows[i][1:]
		}
		if len(t.Columns) < 2 {
			return nil, problem.New("csv file: line %d has one column; each line needs features and, last, the label",
				t.Lines[0])
		}
	}
	return &t.Table, nil
}

// counts tells whether the first column numbers the rows.
func (t *tableReader) counts() bool {
	first := make([]float64, len(t.Rows))
	for i, row := range t.Rows {
		first[i] = row[0]
	}
	return counts(first)
}

// counts tells whether numbers rise by 1, from 0 or from 1.
func counts(x []float64) bool {
	for i, v := range x {
		if from := x[0]; from != 0 && from != 1 || v != from+float64(i) {
			return false
		}
	}
	return len(x) > 0
}
