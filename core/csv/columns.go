package csv

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"logzlab/core/meter"
	"logzlab/core/problem"
)

// Columns is a table as it stands, of cells that may be no numbers: series with dates, data in groups.
type Columns struct {
	Names []string // in small letters; nil where the first line has a number
	Rows  [][]string
	Lines []int // in the file, of each row
	Err   error // of the first line that has another number of columns; Rows are those before it
}

// Bounds of such a table: columns, and bytes.
const maxColumns, maxColumnBytes = 100, 4 << 20

// ReadColumns reads a table; nil where it is none.
func ReadColumns(b []byte, m *meter.Meter) *Columns {
	if len(b) > maxColumnBytes {
		return nil
	}
	first, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	d := Dialect{Comma: ','}
	for _, s := range "\t;|" {
		if bytes.ContainsRune(first, s) {
			d.Comma = s
			break
		}
	}
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
		if width >= 0 && len(cells) != width {
			if len(c.Rows) == 0 {
				return nil
			}
			c.Err = problem.New("csv file: line %d has %d columns, the first line %d; leave no cell out", line, len(cells),
				width)
			return c
		}
		row := make([]string, len(cells))
		for j, x := range cells {
			row[j] = strings.TrimSpace(strings.Clone(x))
		}
		if width < 0 {
			if width = len(row); !slices.ContainsFunc(row, IsNumber) && !slices.ContainsFunc(row, isDate) {
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
	for j, name := range c.Names {
		if k := slices.Index(c.Names, name); k < j && name != "" {
			return problem.New("csv file: columns %d and %d are both called %s; leave one out", k+1, j+1, name)
		}
	}
	return c.Err
}

// Index reports whether the first column only numbers the rows: it has no name, or that of an index and counts.
func (c *Columns) Index() (bool, error) {
	if c.Names == nil {
		return false, nil
	}
	name := c.Names[0]
	if unnamed(name) || !among(indexes, name) {
		return unnamed(name), nil
	}
	if x, err := c.Numbers(0); err != nil || !counts(x) {
		return false, problem.New("csv file: column %s may be no feature; leave it out, or give it another name if it is one",
			name)
	}
	return true, nil
}

// Numbers reads column j.
func (c *Columns) Numbers(j int) ([]float64, error) {
	out, signs := make([]float64, len(c.Rows)), decimals{}
	for i, row := range c.Rows {
		x, kind, err := number(row[j])
		if err != nil && among(missing, row[j]) {
			return nil, problem.New("csv file: line %d, column %d: the value is missing; fill it in or leave the line out",
				c.Lines[i], j+1)
		}
		if err != nil {
			return nil, problem.New("csv file: line %d, column %d: %q is not a finite number", c.Lines[i], j+1, row[j])
		}
		signs.see(kind, c.Lines[i], j+1, row[j])
		out[i] = x
	}
	return out, signs.agree()
}

// Dates is the first column of dates, -1 without.
func (c *Columns) Dates() int {
	for j, x := range c.Rows[0] {
		if isDate(x) {
			return j
		}
	}
	return -1
}

func isDate(cell string) bool { _, _, ok := date(cell); return ok }

// date splits a date as 2024-12-31, 31.12.2024, 12/31/2024 or 31/12/2024, with or without a time after it, into its
// year and what stands in the middle and at the other end; slashes: it is one of the last two kinds.
func date(cell string) (n [3]int, slashes, ok bool) {
	cell, _, _ = strings.Cut(cell, " ")
	cell, _, _ = strings.Cut(cell, "T")
	sep := "-"
	for _, s := range []string{"/", "."} {
		if strings.Count(cell, s) == 2 {
			sep = s
		}
	}
	parts := strings.Split(cell, sep)
	if len(parts) != 3 || len(parts[0]) != 4 && len(parts[2]) != 4 {
		return n, false, false
	}
	for i, p := range parts {
		if len(p) == 0 || len(p) > 4 {
			return n, false, false
		}
		for _, r := range p {
			if r < '0' || r > '9' {
				return n, false, false
			}
			n[i] = 10*n[i] + int(r-'0')
		}
	}
	if len(parts[2]) == 4 {
		n[0], n[2], slashes = n[2], n[0], sep == "/"
	}
	return n, slashes, true
}

// day counts the days of a date that there is. Of dates with slashes that end with the year the day comes first or the
// month.
func day(cell string, daysFirst bool) (int, bool) {
	n, slashes, ok := date(cell)
	y, m, d := n[0], n[1], n[2]
	if slashes && !daysFirst {
		m, d = d, m
	}
	if !ok || m < 1 || m > 12 || d < 1 || d > 31 || d > 30 && (m == 4 || m == 6 || m == 9 || m == 11) || m == 2 &&
		(d > 29 || d > 28 && (y%4 != 0 || y%100 == 0 && y%400 != 0)) {
		return 0, false
	}
	if m < 3 { // years begin in March, so that the day that is added stands at their end
		y, m = y-1, m+12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*m-457)/5 + d, true
}

// longestGap is how many times the usual distance two dates may be apart.
const longestGap = 15

// InOrder checks the dates of column j, and turns the rows round if they begin with the last one.
func (c *Columns) InOrder(j int) error {
	days := make([]int, len(c.Rows))
	daysFirst := slices.ContainsFunc(c.Rows, func(row []string) bool {
		n, slashes, _ := date(row[j])
		return slashes && n[2] > 12
	})
	for i, row := range c.Rows {
		var ok bool
		if days[i], ok = day(row[j], daysFirst); !ok {
			return problem.New("csv file: line %d: %q is not a date as 2024-12-31", c.Lines[i], row[j])
		}
	}
	if days[0] > days[len(days)-1] {
		slices.Reverse(days)
		slices.Reverse(c.Rows)
		slices.Reverse(c.Lines)
	}
	var steps []int
	for i := 1; i < len(days); i++ {
		if days[i] <= days[i-1] {
			return problem.New("csv file: line %d: the date %s does not follow that of line %d; sort the lines, one for each "+
				"date", c.Lines[i], c.Rows[i][j], c.Lines[i-1])
		}
		steps = append(steps, days[i]-days[i-1])
	}
	slices.Sort(steps)
	for i := 1; i < len(days); i++ {
		if gap := days[i] - days[i-1]; gap > longestGap*steps[len(steps)/2] {
			return problem.New("csv file: %d days are missing between line %d and line %d; give a series without gaps", gap,
				c.Lines[i-1], c.Lines[i])
		}
	}
	return nil
}
