package samples

import (
	"bytes"
	"encoding/csv"
	"math"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// table is a text in columns, with a line of names or without.
type table struct {
	*source
	names []string // as they stand; nil: there are none
	line  int      // of the names, or of the first row
	comma byte     // between columns; a blank: any blanks
	rest  []byte   // after the names
	plain []string // names

	remark   func(comment []byte) // hears what stands between the rows; may be nil
	energies bool                 // free columns of rows may also have plus infinity
}

// rowOps are the operations of reading a byte of a row.
const rowOps = 15

// openTable finds the names of the columns: the first line that is no comment, if it is not all numbers.
func openTable(f *source) (*table, error) {
	t := &table{source: f, rest: f.Data}
	for len(t.rest) > 0 {
		before := t.rest
		line := t.next()
		if isComment(line) {
			continue
		}
		t.comma = ' '
		for _, c := range []byte("\t,;") {
			if bytes.IndexByte(line, c) >= 0 {
				t.comma = c
				break
			}
		}
		cells := t.cells(line)
		if !slices.ContainsFunc(cells, func(c string) bool { return c != "" && !isNumber(c) }) {
			t.rest, t.line = before, t.line-1
			return t, nil
		}
		t.names = slices.Clone(cells)
		for i, c := range t.names {
			t.names[i] = strings.Clone(c)
		}
		return t, nil
	}
	return nil, noSamples(f.Name)
}

func noSamples(name string) error { return problem.New("%s: there are no samples in it", name) }

// next cuts off a line.
func (t *table) next() []byte {
	line, rest, _ := bytes.Cut(t.rest, []byte("\n"))
	t.rest = rest
	t.line++
	return bytes.TrimRight(line, "\r")
}

// isComment tells whether a line is blank or a comment, as # of BEAST and [ of MrBayes.
func isComment(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || line[0] == '['
}

// cells cuts a line.
func (t *table) cells(line []byte) []string {
	if t.comma == ' ' {
		return strings.Fields(string(line))
	}
	if bytes.IndexByte(line, '"') >= 0 {
		r := csv.NewReader(bytes.NewReader(line))
		r.Comma, r.LazyQuotes, r.FieldsPerRecord = rune(t.comma), true, -1
		if cells, err := r.Read(); err == nil {
			return cells
		}
	}
	cells := strings.Split(string(line), string(rune(t.comma)))
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

func isNumber(cell string) bool {
	_, err := num.Parse(cell)
	return err == nil || isInfinite(cell)
}

// isInfinite tells whether a cell is minus infinity, or no number, as programs write them.
func isInfinite(cell string) bool {
	switch strings.ToLower(cell) {
	case "-inf", "-infinity", "nan", "":
		return true
	}
	return false
}

// isForbidden tells whether a cell is the energy of what is impossible in a state.
func isForbidden(cell string) bool {
	switch strings.ToLower(cell) {
	case "inf", "+inf", "infinity", "+infinity":
		return true
	}
	return false
}

// rows calls row with the numbers of some columns, by their places, of each line. free are places among these where
// -inf and nan stand for minus infinity; elsewhere they are an error. skip is how many lines without a number in the
// first of these columns are passed over after the names.
func (t *table) rows(columns []int, free []int, skip int, row func(line int, x []float64) error) error {
	width := 0
	x := make([]float64, len(columns))
	t.meter.Expect(rowOps * float64(len(t.rest)))
	for len(t.rest) > 0 {
		line := t.next()
		if err := t.meter.Did(rowOps * float64(len(line)+1)); err != nil {
			return err
		}

		// Comments, and lines before the numbers.
		if isComment(line) {
			if t.remark != nil {
				t.remark(line)
			}
			continue
		}
		cells := t.cells(line)
		if skip > 0 && len(cells) > columns[0] {
			cell := cells[columns[0]]
			if cell == "" || !isNumber(cell) {
				skip--
				continue
			}
		}
		skip = 0

		// All lines have equal width.
		if width == 0 {
			if width = len(cells); t.names != nil && width != len(t.names) {
				width = len(t.names)
			}
		}
		for len(cells) > width && cells[len(cells)-1] == "" { // a separator at the end
			cells = cells[:len(cells)-1]
		}
		if len(cells) != width {
			return problem.New("%s, line %d has %d columns, the lines before it have %d; the file may be cut short", t.Name,
				t.line, len(cells), width)
		}

		// The numbers, infinite where allowed.
		for i, j := range columns {
			v, err := num.Parse(cells[j])
			if err != nil && slices.Contains(free, i) {
				switch {
				case t.energies && strings.HasPrefix(cells[j], "-"): // no energy
				case isInfinite(cells[j]):
					v, err = math.Inf(-1), nil
				case t.energies && isForbidden(cells[j]):
					v, err = math.Inf(1), nil
				}
			}
			if err != nil {
				return problem.New("%s, line %d: column %s has %q, which is not a finite number; mend the line or leave it out",
					t.Name, t.line, t.name(j), shortened(cells[j]))
			}
			x[i] = v
		}
		if err := row(t.line, x); err != nil {
			return err
		}
	}
	return nil
}

// name is how errors call a column.
func (t *table) name(j int) string {
	if t.names != nil && t.names[j] != "" {
		return t.names[j]
	}
	return strconv.Itoa(j + 1)
}

// plain is a name of a column without what programs write differently.
func plain(name string) string { return differently.Replace(strings.ToLower(name)) }

var differently = strings.NewReplacer("_", "", "-", "", " ", "", "(", "", ")", "")

// column is the first column that has one of some plain names, -1 without.
func (t *table) column(names ...string) int {
	if t.plain == nil { // made once, as a header may have thousands of names
		for _, n := range t.names {
			t.plain = append(t.plain, plain(n))
		}
	}
	for _, want := range names {
		if j := slices.Index(t.plain, plain(want)); j >= 0 {
			return j
		}
	}
	return -1
}
