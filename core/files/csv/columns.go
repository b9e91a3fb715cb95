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

// Columns is a table of unconverted cells, such as a series with dates or grouped data.
type Columns struct {
	Names []string // in lower case; nil if the first line contains a number or a date
	Rows  [][]string
	Lines []int // line of each row in the file
	Err   error // from the first line with another number of columns; Rows are the rows before it

	original    []string // Names as spelled in the file
	headerShort bool     // the header has no name for the first column, as R writes it
}

// Limits of such a table: columns, and bytes.
const maxColumns, maxColumnBytes = 100, 4 << 20

// ReadColumns reads a table of cells. It returns nil if b is not such a table.
func ReadColumns(b []byte, m *meter.Meter) *Columns {
	if len(b) > maxColumnBytes {
		return nil
	}

	// The first line determines the separator.
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

		// R omits the name of the column of row names.
		if c.Names != nil && len(c.Rows) == 0 && len(cells) == width+1 && !isRowNames(c.Names[0]) {
			c.headerShort, c.Names, width = true, append([]string{""}, c.Names...), width+1
			c.original = append([]string{""}, c.original...) // as c.Names
		}
		if width >= 0 && len(cells) != width {
			if len(c.Rows) == 0 {
				return nil
			}
			c.Err = errCells(line, len(cells), width)
			return c
		}

		// A first line without numbers and dates is the header.
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

// Find returns the first column with one of the given names, -1 if there is none.
func (c *Columns) Find(names ...string) int {
	return slices.IndexFunc(c.Names, func(x string) bool { return slices.Contains(names, x) })
}

// Check returns an error if a line has another number of columns, or if two columns have the same name.
func (c *Columns) Check() error {
	if err := checkDistinct(c.Names); err != nil {
		return err
	}
	if !c.headerShort || c.Err != nil {
		return c.Err
	}
	for i, row := range c.Rows {
		if !hasLetter(row[0]) && row[0] != strconv.Itoa(i+1) {
			return errCells(c.Lines[i], len(row), len(row)-1)
		}
	}
	return nil
}

// errCells is the error of a line that has another number of columns than the first.
func errCells(line, n, first int) error {
	return problem.New("csv file: line %d has %d columns, the first line %d; leave no cell out", line, n, first)
}

// Index returns a note if the first column only names or numbers the rows and is therefore left out, nil otherwise. It
// returns an error if the column's name says so but its numbers do not.
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

// Key is Index for column j, which is judged by its name and numbers.
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

// Repeats reports whether column j has the same value in two rows.
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

// Outcomes reads column j as outcomes 0 and 1: numbers, or two texts, of which the alphabetically first is 0. classes
// are the two texts, nil for numbers.
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

// Numbers reads column j as numbers. If one cell is written like 1,234.5, all commas in the column separate thousands.
// A dollar sign before a number is ignored.
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

// errNotNumber is the error of a cell that should be a number.
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

// withoutThousands removes the commas of a number such as 1,234 or 1,234.5; ok is false for any other text. fraction
// reports a decimal point, which proves that the commas separate thousands.
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
