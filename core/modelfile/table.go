package modelfile

import (
	"bytes"
	"encoding/csv"
	"io"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// Table is a table of finite numbers; its rows are equally long.
type Table struct {
	Rows  [][]float64
	Lines []int // in the file, of each row
	// Meter, which may be nil, watches memory and time.
	Meter *meter.Meter
}

// Operations of reading a byte of a table, and of converting a cell.
const (
	lineOps = 5
	cellOps = 60
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

// separator is the tab, semicolon or comma of a table of numbers, 0 where the text is
// none: one of its first two lines must have a separator and a number.
func separator(b []byte) rune {
	lines := strings.SplitN(string(b[:min(len(b), 1<<20)]), "\n", 3)
	for _, line := range lines[:min(2, len(lines))] {
		if at := strings.IndexAny(line, "\t;,"); at >= 0 {
			comma := rune(line[at])
			for _, c := range "\t;" { // a comma may be within a number or name
				if strings.ContainsRune(line, c) {
					comma = c
					break
				}
			}
			if slices.ContainsFunc(strings.Split(line, string(comma)), func(s string) bool { return isNumber(clean(s)) }) {
				return comma
			}
		}
	}
	return 0
}

func isNumber(s string) bool { _, err := num.Parse(s); return err == nil }

// clean takes blanks, and quotes within them, off a cell.
func clean(cell string) string { return strings.Trim(strings.TrimSpace(cell), `"`) }

// readTable reads a table. A first line without numbers is a header; blank lines
// do not count.
func readTable(b []byte, comma rune, m *meter.Meter) (*Table, error) {
	m.Expect((lineOps + cellOps/6) * float64(len(b)))
	r := csv.NewReader(metered{bytes.NewReader(b), m, lineOps})
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = comma, true, -1, true
	t := &Table{Meter: m}
	for first := true; ; {
		cells, err := r.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, problem.New("csv file: damaged (%v)", err)
		}
		for j, c := range cells {
			cells[j] = clean(c)
		}
		line, _ := r.FieldPos(0)
		if strings.Join(cells, "") == "" && (len(cells) == 1 || comma == '\t') {
			continue
		}
		if first && !slices.ContainsFunc(cells, isNumber) {
			first = false
			continue
		}
		first = false
		row := make([]float64, len(cells))
		for j, c := range cells {
			if err := countCell(m, j); err != nil {
				return nil, err
			}
			if row[j], err = num.Parse(c); err != nil {
				return nil, problem.New("csv file: line %d, column %d: %q is not a finite number", line, j+1, c)
			}
		}
		if len(row) < 2 {
			return nil, problem.New("csv file: line %d has one column; each line needs features and, last, the label", line)
		}
		if len(t.Rows) > 0 && len(row) != len(t.Rows[0]) {
			return nil, problem.New("csv file: line %d has %d columns, line %d has %d",
				line, len(row), t.Lines[0], len(t.Rows[0]))
		}
		if t.Rows, t.Lines = append(t.Rows, row), append(t.Lines, line); len(t.Rows) > MaxRows {
			return nil, problem.New("csv file: more than the limit of %d data; give fewer lines", MaxRows)
		}
	}
}
