package samples

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// readNested reads a table of dead points with a header, as anesthetic saves them, with columns logL and either
// logL_birth or nlive. It returns nil if the table has no such columns.
func readNested(t *table) (*fileData, error) {
	logLColumn, birthColumn, liveColumn := t.column("logL"), t.column("logL_birth"), t.column("nlive")
	if logLColumn < 0 || birthColumn < 0 && liveColumn < 0 {
		return nil, nil
	}
	p := newFileData(t.source, Points, "dead points of nested sampling", "nats")
	r := &Run{}
	p.points = r

	// Either births or numbers of live points are needed.
	columns := []int{logLColumn}
	if birthColumn >= 0 {
		columns = append(columns, birthColumn)
	} else {
		columns = append(columns, liveColumn)
	}

	// Read the points.
	const labels = 2 // largest number of lines of labels and index names, which pandas writes
	err := t.Rows(columns, []int{1}, labels, func(line int, x []float64) error {
		r.LogL = append(r.LogL, x[0])
		if birthColumn < 0 {
			r.Live = append(r.Live, x[1])
			return nil
		}
		if !(x[1] < x[0]) {
			return errBirth(t, line, x[1], x[0])
		}
		r.Birth = append(r.Birth, birthOrPrior(x[1]))
		return nil
	})
	if err != nil {
		return nil, err
	}

	// Check whether the final live points are included.
	if err = r.finish(t.Name); err == nil && r.Birth == nil {
		r.Ended = r.Live[len(r.Live)-1] == 1
	}
	return p, err
}

// errBirth is the error of a point that was born above its own log likelihood.
func errBirth(t *table, line int, birth, death float64) error {
	return problem.New("%s, line %d: the point was born at log likelihood %v, not below its own, %v", t.Name, line, birth,
		death)
}

// readPoints reads points of MultiNest or PolyChord, whose files have no column names. The columns after the parameters
// are
//
//	PolyChord   log L, birth                    dead-birth.txt, phys_live-birth.txt
//	MultiNest   log L, birth, log weight, mode  dead-birth.txt
//	            log L, birth, mode              phys_live-birth.txt
//	            log L, log dX, mode             ev.dat
//	            log L, mode                     phys_live.points
//
// where mode is an integer from 1, and birth, the log L above which the point was drawn, is less than log L. The format
// is recognised by these conditions and by the order of the values; it returns an error if no format fits.
func readPoints(t *table) (*fileData, error) {
	const maxColumns = 4
	width, first := t.Width(), t.Line+1
	if width < 2 {
		return nil, errUnknownTable(t, first, width)
	}
	var columns []int
	for j := max(0, width-maxColumns); j < width; j++ {
		columns = append(columns, j)
	}
	var rows [][]float64
	var lines []int
	last := len(columns) - 1
	err := t.Rows(columns, []int{last, last - 1, max(last-2, 0)}, 0, func(line int, x []float64) error {
		rows, lines = append(rows, append([]float64(nil), x...)), append(lines, line)
		return nil
	})
	if err != nil {
		return nil, err
	}
	p := newFileData(t.source, Points, "MultiNest", "nats")
	p.points = &Run{}
	r := p.points
	logLColumn, birthColumn := -1, -1
	isBelow := func(a, b int) bool { return a >= 0 && allRows(rows, func(x []float64) bool { return x[b] < x[a] }) }
	isFalling := func(j int) bool { // not strictly: points that died together have the same volume up to rounding
		for i := 1; j >= 0 && i < len(rows); i++ {
			if !(rows[i][j] <= rows[i-1][j]+1e-9) {
				return false
			}
		}
		return j >= 0 && rows[0][j] > rows[len(rows)-1][j]
	}
	isRising := func(j int) bool {
		for i := 1; j >= 0 && i < len(rows); i++ {
			if rows[i][j] < rows[i-1][j] {
				return false
			}
		}
		return j >= 0 && rows[0][j] < rows[len(rows)-1][j]
	}

	// The last columns show which program it was.
	hasModes := allRows(rows, func(x []float64) bool { return x[last] >= 1 && x[last] == math.Floor(x[last]) })
	switch {
	case !hasModes && isBelow(last-1, last):
		p.source = "PolyChord"
		logLColumn, birthColumn = last-1, last
	case hasModes && isBelow(last-3, last-2) && isRising(last-3) && isFalling(last-1):
		logLColumn, birthColumn = last-3, last-2
	case hasModes && isRising(last-2) && isFalling(last-1):
		logLColumn = last - 2
		if err := r.liveFromVolumes(t, rows, last-1); err != nil {
			return nil, err
		}
	case hasModes && isBelow(last-2, last-1):
		logLColumn, birthColumn = last-2, last-1
		r.onlyLive = true
		for _, x := range rows { // the two columns may instead be the last parameter and log L
			r.logLIfNoBirths = append(r.logLIfNoBirths, x[last-1])
		}
	case hasModes:
		logLColumn, r.onlyLive = last-1, true
	default:
		return nil, errUnknownTable(t, first, width)
	}

	// Collect the points.
	for i, x := range rows {
		if !num.Finite(x[logLColumn]) {
			return nil, problem.New("%s, line %d: the log likelihood is %v; it must be a finite number", t.Name, lines[i],
				x[logLColumn])
		}
		r.LogL = append(r.LogL, x[logLColumn])
		if birthColumn >= 0 {
			r.Birth = append(r.Birth, birthOrPrior(x[birthColumn]))
		}
	}
	return p, r.finish(t.Name)
}

// liveFromVolumes sets the number of live points of an ev.dat file, which is constant, from the median step of the log
// volumes in a column: n = 1/(exp(step) - 1), rounded.
func (r *Run) liveFromVolumes(t *table, rows [][]float64, column int) error {
	var steps []float64
	for i := 1; i < len(rows); i++ {
		if step := rows[i-1][column] - rows[i][column]; step > 1e-9 {
			steps = append(steps, step)
		}
	}
	slices.Sort(steps)
	live := math.NaN()
	if len(steps) > 0 {
		live = math.Round(1 / (num.Exp(steps[len(steps)/2]) - 1))
	}
	if !(live >= 1) || math.IsInf(live, 0) {
		return problem.New("%s: the volumes of ev.dat do not fall as those of live points do", t.Name)
	}
	r.Live = make([]float64, len(rows))
	for i := range r.Live {
		r.Live[i] = live
	}
	return nil
}

// allRows reports whether a condition holds for all rows; it is false if there are no rows.
func allRows(rows [][]float64, condition func(x []float64) bool) bool {
	for _, x := range rows {
		if !condition(x) {
			return false
		}
	}
	return len(rows) > 0
}

// errUnknownTable is the error of a table without column names that is not a known format of nested sampling.
func errUnknownTable(t *table, line, width int) error {
	return problem.New("%s, line %d: %d columns of numbers without names, which are no points of MultiNest or "+
		"PolyChord; "+
		"put a line of names over them, as power,likelihood", t.Name, line, width)
}
