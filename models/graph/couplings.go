package graph

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"logzlab/core/factor"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
)

// A list of couplings is a text table with the header i,j,J and a row for each coupling J_ij of two spins,
//	 log f(s) = sum J_ij s_i s_j + sum h_i s_i,  s = -1 or 1.
// A row with an empty j is the field h_i of spin i. Spins may have any numbers from 0 on; they are renumbered without
// gaps.

// separators are the characters that may separate columns.
const separators = ",;\t"

// couplingCells splits a line at its first separator character into trimmed cells; a line without one is one cell.
func couplingCells(line string) []string {
	cells := []string{line}
	if sep := strings.IndexAny(line, separators); sep >= 0 {
		cells = strings.Split(strings.ReplaceAll(line, `"`, ""), line[sep:sep+1])
	}
	for i, c := range cells {
		cells[i] = strings.TrimSpace(c)
	}
	return cells
}

// pairHeaders are the names of the first two columns, joined by a comma, in lists of couplings and edges, also of other
// programs.
var pairHeaders = []string{"i,j", "u,v", "from,to", "source,target", "src,dst", "node1,node2", "spin1,spin2", "row,col"}

// isCouplings reports whether a text is, or looks like, a list of couplings: it begins with the header i,j,J in any
// case, or with a similar header of another program, or it has no header but pairs of spin numbers. readCouplings
// accepts only the header i,j,J and explains the fault of the other texts. Comments may precede the header.
func isCouplings(b []byte) bool {
	for line := range strings.Lines(string(b[:min(len(b), 1<<12)])) {
		if isBlank(line) {
			continue
		}
		cells := couplingCells(strings.ToLower(line))
		if len(cells) == 2 && cells[0] == "i" && slices.Contains(fieldHeaders, cells[1]) {
			return true
		}
		return len(cells) > 1 && (len(cells) < 4 || cells[2] == "j") && slices.Contains(pairHeaders, cells[0]+","+cells[1]) ||
			isHeaderless(b)
	}
	return false
}

// fieldHeaders are names of the second column in a list of fields without couplings, after the column i.
var fieldHeaders = []string{"h", "b", "field", "bias"}

// isHeaderless reports whether a text may be a list of couplings without a header: every line has two spins, no pair
// occurs twice, some spin occurs twice, and the numbers of the spins have no gap above 0 or 1. Such numbers are
// unlikely for features.
func isHeaderless(text []byte) bool {
	pairs, spins, maxSpin := map[[2]int]bool{}, map[int]bool{}, 0
	for line := range bytes.Lines(text) {
		line := string(line)
		if isBlank(line) {
			continue
		}
		c, err := readCoupling(strings.TrimRight(line, " \r\n"))
		pair := [2]int{min(c.i, c.j), max(c.i, c.j)}
		if err != nil || c.j < 0 || pairs[pair] || len(pairs) == maxFactors {
			return false
		}
		pairs[pair], spins[c.i], spins[c.j], maxSpin = true, true, true, max(maxSpin, pair[1])
	}
	if !spins[0] {
		maxSpin--
	}
	return len(spins) < 2*len(pairs) && len(spins) == maxSpin+1
}

// isBlank reports whether a line is empty or a comment.
func isBlank(line string) bool {
	return strings.Trim(line, " \r\n") == "" || strings.HasPrefix(line, "#")
}

// coupling is a row of the list: the coupling of spins i and j, or the field of spin i if j is -1.
type coupling struct {
	i, j int
	x    float64 // J or h
	line int     // line number in the file, from 1
}

// isHeader reports whether a line is the header i,j,J.
func isHeader(line string) bool {
	return strings.EqualFold(strings.Join(couplingCells(line), ","), "i,j,j")
}

// headerError returns an error that says why the first line of the text, which is not the header i,j,J, is not
// accepted.
func headerError(line int, text string) error {
	if _, err := readCoupling(text); err == nil {
		return problem.New("graph file: line %d: these may be couplings or features; write names above them, i,j,J "+
			"over couplings", line)
	}
	return problem.New("graph file: line %d: the header is %s; of couplings it must be i,j,J, with a row without j "+
		"for a field. Give features other names", line, strings.Join(couplingCells(text), ","))
}

// readCouplings reads a list of couplings as a graph of spins. Errors name the line.
func readCouplings(b []byte, m *meter.Meter) (*factor.Graph, error) {
	var rows []coupling
	index := map[int]int{}
	lineIndex, headerLine := -1, -1
	for row := range bytes.Lines(b) {
		if err := m.Did(scanOps * 3); err != nil {
			return nil, err
		}
		line := strings.TrimRight(string(row), " \r\n")
		if lineIndex++; isBlank(line) {
			continue
		}
		if headerLine < 0 {
			if headerLine = lineIndex; !isHeader(line) {
				return nil, headerError(lineIndex+1, line)
			}
			continue
		}
		c, err := readCoupling(line)
		if err != nil {
			return nil, problem.New("graph file: line %d: %w", lineIndex+1, err)
		}
		c.line = lineIndex + 1
		rows = append(rows, c)
		index[c.i] = 0
		if c.j >= 0 {
			index[c.j] = 0
		}
		if len(index) > maxVariables || len(rows) > maxFactors {
			return nil, problem.New("graph file: more than %d spins or %d couplings; give a smaller model", maxVariables,
				maxFactors)
		}
	}
	if len(rows) == 0 {
		return nil, problem.New("graph file: there is no coupling under the header i,j,J")
	}

	// Renumber spins without gaps.
	var order []int
	for v := range index {
		order = append(order, v)
	}
	slices.Sort(order)
	g := &factor.Graph{}
	for n, v := range order {
		index[v] = n
		g.States = append(g.States, 2)
	}

	sort.SliceStable(rows, func(k, l int) bool {
		a, b := rows[k], rows[l]
		return cmp.Or(min(a.i, a.j)-min(b.i, b.j), max(a.i, a.j)-max(b.i, b.j)) < 0
	})
	for k, c := range rows {
		if k > 0 && min(c.i, c.j) == min(rows[k-1].i, rows[k-1].j) && max(c.i, c.j) == max(rows[k-1].i, rows[k-1].j) {
			return nil, problem.New("graph file: line %d: it has the same spins as line %d; give each pair once",
				c.line, rows[k-1].line)
		}
		if c.j < 0 {
			g.Factors = append(g.Factors, Field(index[c.i], c.x))
		} else {
			g.Factors = append(g.Factors, Coupling(index[c.i], index[c.j], c.x))
		}
	}
	return g, nil
}

// Coupling returns the factor exp(J s_i s_j) of two spins, whose states 0 and 1 are s = -1 and 1.
func Coupling(i, j int, x float64) factor.Factor {
	return factor.Factor{Vars: []int{i, j}, Table: []float64{x, -x, -x, x}}
}

// Field returns the factor exp(h s_i) of a spin.
func Field(i int, h float64) factor.Factor {
	return factor.Factor{Vars: []int{i}, Table: []float64{-h, h}}
}

// readCoupling reads a row of the list.
func readCoupling(line string) (c coupling, err error) {
	cells := couplingCells(line)
	if len(cells) != 3 {
		return c, problem.New("it has %d cells; it must have i, j and J", len(cells))
	}
	if c.i, err = spinNumber(cells[0]); err != nil {
		return c, err
	}
	c.j = -1
	if cells[1] != "" {
		if c.j, err = spinNumber(cells[1]); err != nil {
			return c, err
		}
		if c.j == c.i {
			return c, problem.New("i and j are both %d; a field is a row with an empty j", c.i)
		}
	}
	if c.x, err = num.Parse(cells[2]); err != nil || !(c.x >= -maxCoupling && c.x <= maxCoupling) {
		return c, problem.New("J = %q must be a number between %v and %v", short(cells[2]), -maxCoupling, maxCoupling)
	}
	return c, nil
}

// maxCoupling is the largest absolute value of couplings and fields.
const maxCoupling = 1e6

// spinNumber parses the number of a spin, from 0 to 2^30.
func spinNumber(cell string) (int, error) {
	n, err := strconv.Atoi(cell)
	if err != nil || n < 0 || n > 1<<30 {
		return 0, problem.New("%q is not the number of a spin", short(cell))
	}
	return n, nil
}
