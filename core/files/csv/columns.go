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

// Columns is a table as it stands, of cells that may be no numbers: series with dates, data in groups.
type Columns struct {
	Names []string // in small letters; nil where the first line has a number or a date
	Rows  [][]string
	Lines []int // in the file, of each row
	Err   error // of the first line that has another number of columns; Rows are those before it

	original    []string // Names as the file has them
	headerShort bool     // the header has no name for the first column, as R writes it
}

// Bounds of such a table: columns, and bytes.
const maxColumns, maxColumnBytes = 100, 4 << 20

// ReadColumns reads a table; nil where it is none.
func ReadColumns(b []byte, m *meter.Meter) *Columns {
	if len(b) > maxColumnBytes {
		return nil
	}

	// The separator, by the first line.
	first, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	d := Dialect{Comma: separator(first, "\t;|", ',')}

	// Rows of equal width.
	c := &Columns{}
	width := -1
	for r := d.reader(m.Reader(bytes.NewReader(b), lineOps)); ; {
		cells, err := r.Read()
		if err == io.EOF && len(c.Rows) > 0 {
			return c
		}
		if err != nil || len(cells) > maxColumns {
			return nil
		}
		line, _ := r.FieldPos(0)

		// R writes no name over the column of row names.
		if c.Names != nil && len(c.Rows) == 0 && len(cells) == width+1 && !isRowNames(c.Names[0]) {
			c.headerShort, c.Names, width = true, append([]string{""}, c.Names...), width+1
			c.original = append([]string{""}, c.original...) // as c.Names
		}
		if width >= 0 && len(cells) != width {
			if len(c.Rows) == 0 {
				return nil
			}
			c.Err = problem.New("csv file: line %d has %d columns, the first line %d; leave no cell out", line, len(cells),
				width)
			return c
		}

		// The cells. A first line without numbers and dates has the names.
		row := make([]string, len(cells))
		for j, x := range cells {
			row[j] = strings.TrimSpace(strings.Clone(x))
		}
		if width < 0 {
			if width = len(row); !slices.ContainsFunc(row, IsNumber) && !slices.ContainsFunc(row, isDate) {
				c.original = slices.Clone(row)
				for j := range row {
					row[j] = strings.ToLower(row[j])
				}
				c.Names = row
				continue
			}
		}
		c.Rows, c.Lines = append(c.Rows, row), append(c.Lines, line)
	}
}

// Find is the first column with one of some names, -1 without.
func (c *Columns) Find(names ...string) int {
	return slices.IndexFunc(c.Names, func(x string) bool { return slices.Contains(names, x) })
}

// Check refuses lines of another width, and two columns of one name.
func (c *Columns) Check() error {
	if err := checkDistinct(c.Names); err != nil {
		return err
	}
	if !c.headerShort || c.Err != nil {
		return c.Err
	}
	for i, row := range c.Rows {
		if !hasLetter(row[0]) && row[0] != strconv.Itoa(i+1) {
			return problem.New("csv file: line %d has %d columns, the first line %d; leave no cell out", c.Lines[i], len(row),
				len(row)-1)
		}
	}
	return nil
}

// Index is a phrase that the first column was left out, as it only names or numbers the rows; nil: it does not.
func (c *Columns) Index() (left, err error) {
	if c.Names == nil {
		return nil, nil
	}
	var cells []string
	for _, row := range c.Rows {
		cells = append(cells, row[0])
	}
	name := c.Names[0]
	x, noNumbers := c.Numbers(0)
	switch {
	case isRowNames(name), distinctNames(cells), containsFold(counterNames, name) && noNumbers == nil && CountsRows(x):
		return LeftOut(nil, 0, name), nil
	}
	return c.Key(0)
}

// Key is Index of any column, by its name and numbers.
func (c *Columns) Key(j int) (left, err error) {
	if numbering := Numbering(c.original[j]); numbering != nil {
		if x, err := c.Numbers(j); err == nil && numbering(x) {
			return LeftOut(nil, j, c.Names[j]), nil
		}
	}
	if containsFold(indexNames, c.Names[j]) {
		return nil, errIndexColumn(c.Names[j])
	}
	return nil, nil
}

// Repeats reports whether column j has a value in more than one row.
func (c *Columns) Repeats(j int) bool {
	seen := map[string]bool{}
	for _, row := range c.Rows {
		if seen[row[j]] {
			return true
		}
		seen[row[j]] = true
	}
	return false
}

// Outcomes reads column j of 0 and 1, or of two texts, of which the first in the alphabet is 0; classes are nil without
// texts.
func (c *Columns) Outcomes(j int) (x []float64, classes []string, err error) {
	var cells []string
	named := func(row []string) bool { return hasLetter(row[j]) && !containsFold(missingMarks, row[j]) }
	numbered := func(row []string) bool { return IsNumber(row[j]) }
	texts := slices.ContainsFunc(c.Rows, named) && !slices.ContainsFunc(c.Rows, numbered)
	for i, row := range c.Rows {
		if texts && containsFold(missingMarks, row[j]) {
			return nil, nil, errMissing(c.Lines[i], j)
		}
		cells = append(cells, row[j])
	}
	if !texts {
		x, err := c.Numbers(j)
		return x, nil, err
	}
	if classes, err = twoClasses(cells); err != nil {
		return nil, nil, problem.New("csv file: line %d, column %d: %w", c.Lines[0], j+1, err)
	}
	for _, cell := range cells {
		x = append(x, float64(slices.Index(classes, cell)))
	}
	return x, classes, nil
}

// Numbers reads column j. Where one of them is written as 1,234.5, all commas in the column separate thousands. A
// dollar sign before a number does not count.
func (c *Columns) Numbers(j int) ([]float64, error) {
	out, signs := make([]float64, len(c.Rows)), marks{}
	grouped := slices.ContainsFunc(c.Rows, func(row []string) bool {
		_, fraction, ok := withoutThousands(row[j])
		return ok && fraction
	})
	for i, row := range c.Rows {
		cell := strings.TrimPrefix(row[j], "$")
		if whole, _, ok := withoutThousands(cell); ok && grouped {
			cell = whole
		}
		x, kind, err := number(cell)
		if err != nil && containsFold(missingMarks, row[j]) {
			return nil, errMissing(c.Lines[i], j)
		}
		if err != nil {
			return nil, c.errNotNumber(i, j)
		}
		signs.add(kind, c.Lines[i], j+1, row[j])
		out[i] = x
	}
	return out, signs.check()
}

// errNotNumber is the error of a cell that must be a number, with what it may be.
func (c *Columns) errNotNumber(i, j int) error {
	line, cell := c.Lines[i], c.Rows[i][j]
	if spaceSeparated(cell) {
		return errBlanks(line)
	}
	if strings.Trim(cell, "0123456789.,'%$+- \u00a0\u202f\u2019") == "" {
		return problem.New("csv file: line %d, column %d: %q is not a finite number; write 1234.5, without signs of "+
			"thousands or percent", line, j+1, cell)
	}
	return problem.New("csv file: line %d, column %d: %q is not a finite number; write numbers, or leave the column out",
		line, j+1, cell)
}

// withoutThousands is a number as 1,234 or 1,234.5 without its commas, and whether a point comes after them, which leaves no
// doubt that they separate thousands.
func withoutThousands(cell string) (plain string, fraction, ok bool) {
	number, _, fraction := strings.Cut(strings.TrimPrefix(cell, "$"), ".")
	groups := strings.Split(number, ",")
	for i, g := range groups {
		if len(g) != 3 && (i > 0 || len(g) < 1 || len(g) > 3) || strings.Trim(g, "0123456789") != "" {
			return "", false, false
		}
	}
	return strings.ReplaceAll(cell, ",", ""), fraction, len(groups) > 1
}
