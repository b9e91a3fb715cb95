package csv

import (
	"slices"
	"strconv"
	"strings"

	"logzlab/core/problem"
)

// Dates returns the first column of dates, -1 if there is none. Dates such as 20240131 count only if all cells of the
// column are such dates, in order.
func (c *Columns) Dates() int {
	for j, x := range c.Rows[0] {
		if isDate(x) || c.compactDates(j) {
			return j
		}
	}
	return -1
}

// ErrDateColumn returns the error of a column of dates, counted from 0, in a table that is not a series.
func ErrDateColumn(j int) error {
	return problem.New("csv file: column %d has dates, which cannot be features; leave the column out", j+1)
}

// compactDates reports whether the cells of column j are dates such as 20240131, rising or falling.
func (c *Columns) compactDates(j int) bool {
	up, down := len(c.Rows) > 1, len(c.Rows) > 1
	for i, row := range c.Rows {
		if len(row[j]) != 8 {
			return false
		}
		if _, ok := dayNumber(row[j], false); !ok {
			return false
		}
		if i > 0 {
			up, down = up && row[j] > c.Rows[i-1][j], down && row[j] < c.Rows[i-1][j]
		}
	}
	return up || down
}

// isDate reports whether a cell is a date and not a number.
func isDate(cell string) bool {
	_, _, ok := splitDate(cell)
	return ok && !IsNumber(cell)
}

// months are abbreviated to three letters.
var months = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// writtenDate splits a date into year, month and day if it has the form 20240131, contains the name of a month with day
// and year in a usual order, or has a year and a month only, which means the first day of the month.
func writtenDate(cell string) (n [3]string, ok bool) {
	if len(cell) == 8 && strings.Trim(cell, "0123456789") == "" && (cell[:2] == "19" || cell[:2] == "20") {
		return [3]string{cell[:4], cell[4:6], cell[6:]}, true
	}
	if y, m, cut := strings.Cut(cell, "-"); cut && len(y) == 4 && len(m) == 2 {
		return [3]string{y, m, "01"}, true
	}
	parts := strings.FieldsFunc(cell, func(r rune) bool { return r == ' ' || r == ',' || r == '-' })
	if len(parts) != 3 || len(parts[2]) != 4 {
		return n, false
	}
	for i, name := range parts[:2] {
		if m := slices.Index(months, strings.ToLower(name[:min(len(name), 3)])); m >= 0 {
			return [3]string{parts[2], strconv.Itoa(m + 1), parts[1-i]}, true
		}
	}
	return n, false
}

// splitDate splits a date such as 2024-12-31, 31.12.2024, 12/31/2024 or 31/12/2024, with or without a time after it, or
// a date of writtenDate, into the year, the middle number and the other one. slashes reports a date with slashes that
// ends with the year, whose first number may be the day or the month.
func splitDate(cell string) (n [3]int, slashes, ok bool) {
	parts, plain := writtenDate(cell)
	if !plain {
		cell, _, _ = strings.Cut(cell, " ")
		cell, _, _ = strings.Cut(cell, "T")
		sep := "-"
		for _, s := range []string{"/", "."} {
			if strings.Count(cell, s) == 2 {
				sep = s
			}
		}
		pieces := strings.Split(cell, sep)
		if len(pieces) != 3 || len(pieces[0]) != 4 && len(pieces[2]) != 4 {
			return n, false, false
		}
		parts, slashes = [3]string(pieces), len(pieces[2]) == 4 && sep == "/"
	}

	// The numbers, the year first.
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
		n[0], n[2] = n[2], n[0]
	}
	return n, slashes, true
}

// dayNumber returns the number of the day of a valid date, counted continuously. Of an ambiguous date with slashes the
// first number is the day if daysFirst is set, else the month.
func dayNumber(cell string, daysFirst bool) (int, bool) {
	n, slashes, ok := splitDate(cell)
	y, m, d := n[0], n[1], n[2]
	if slashes && !daysFirst {
		m, d = d, m
	}
	if !ok || m < 1 || m > 12 || d < 1 || d > 31 || d > 30 && (m == 4 || m == 6 || m == 9 || m == 11) || m == 2 &&
		(d > 29 || d > 28 && (y%4 != 0 || y%100 == 0 && y%400 != 0)) {
		return 0, false
	}
	if m < 3 { // years begin in March, so that a leap day is the last of its year
		y, m = y-1, m+12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*m-457)/5 + d, true
}

// maxGap is the largest distance between two consecutive dates, as a multiple of the median distance.
const maxGap = 15

// OrderByDate checks the dates of column j, and reverses the rows if they begin with the latest date. Repeated or
// unordered dates and long gaps are errors.
func (c *Columns) OrderByDate(j int) error {
	days := make([]int, len(c.Rows))
	daysFirst := slices.ContainsFunc(c.Rows, func(row []string) bool {
		n, slashes, _ := splitDate(row[j])
		return slashes && n[2] > 12
	})

	// The day numbers, oldest first.
	for i, row := range c.Rows {
		var ok bool
		if days[i], ok = dayNumber(row[j], daysFirst); !ok {
			return problem.New("csv file: line %d: %q is not a date as 2024-12-31", c.Lines[i], row[j])
		}
	}
	if days[0] > days[len(days)-1] {
		slices.Reverse(days)
		slices.Reverse(c.Rows)
		slices.Reverse(c.Lines)
	}

	// Dates must increase.
	var steps []int
	for i := 1; i < len(days); i++ {
		if days[i] == days[i-1] && c.Rows[i][j] != c.Rows[i-1][j] {
			return problem.New("csv file: line %d and line %d have the same date; times of day are not supported: "+
				"give one line for each day, or only the returns", c.Lines[i-1], c.Lines[i])
		}
		if days[i] <= days[i-1] {
			return problem.New("csv file: line %d: the date %s is not after the date of line %d; sort the lines, "+
				"with one line for each date", c.Lines[i], c.Rows[i][j], c.Lines[i-1])
		}
		steps = append(steps, days[i]-days[i-1])
	}

	// Gaps are compared with the median step.
	slices.Sort(steps)
	for i := 1; i < len(days); i++ {
		if gap := days[i] - days[i-1]; gap > maxGap*steps[len(steps)/2] {
			return problem.New("csv file: %d days are missing between line %d and line %d; give a series without gaps", gap,
				c.Lines[i-1], c.Lines[i])
		}
	}
	return nil
}
