package spec

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/core/json"
	"logzlab/core/num"
)

// GPCFile is a Gaussian-process classification: N labels, and either their prior
// covariance K or inputs X from which a kernel makes it. Where a file has both, K
// is the model and X is for pictures.
type GPCFile struct {
	N, D   int
	Y      []float64 // -1 or 1
	K      []float64 // N x N, symmetric; nil when X makes it
	X      []float64 // N x D; nil when only K is given
	Kernel Kernel

	W, H int // inputs of bundled data are pictures: W x H cells from -1 to 1
}

// Kernel is a covariance function of the distance r of two inputs: rbf is
// Amplitude^2 exp(-r^2 / (2 Length^2)), ou is Amplitude^2 exp(-r / Length). What
// the file does not say is "" or 0.
type Kernel struct {
	Name      string
	Amplitude float64
	Length    float64
}

// Limits of a classification.
const (
	MaxData      = 2000 // the inverse of the covariance needs N^2 numbers and N^3 work
	MaxAmplitude = 1e4
)

func readGPC(f *fields) (*ModelFile, error) {
	cov, y := get(f, "K", json.Value.Table), get(f, "y", json.Value.Numbers)
	kernel := &fields{Object: get(f, "kernel", json.Value.Object), in: "kernel."}
	name := get(kernel, "name", json.Value.Text)
	amplitude, length := maybe(kernel, "amplitude", json.Value.Number), maybe(kernel, "length", json.Value.Number)
	if err := cmp.Or(f.err, kernel.err); err != nil {
		return nil, err
	}
	g, x := &GPCFile{N: len(y)}, f.Object["X"]
	if cov == nil && x.Null() {
		return nil, fmt.Errorf("gpc file: neither K nor X is there; give the prior covariance K (N x N) or inputs X (N rows) with a kernel")
	}
	if err := g.labels(y, func(i int) string { return fmt.Sprintf("y[%d]", i) }); err != nil {
		return nil, err
	}
	if cov != nil {
		if len(cov) != g.N {
			return nil, fmt.Errorf("gpc file: K has %d rows, y has %d labels", len(cov), g.N)
		}
		for i, row := range cov {
			if len(row) != g.N {
				return nil, fmt.Errorf("gpc file: K is ragged: row %d has %d columns, there are %d labels", i, len(row), g.N)
			}
			g.K = append(g.K, row...)
		}
		if err := g.symmetric(); err != nil {
			return nil, err
		}
	}
	if !x.Null() {
		rows, err := inputs(x)
		if err != nil {
			return nil, fmt.Errorf("gpc file: X: %v; it must be N rows of numbers, or N numbers", err)
		}
		if len(rows) != g.N {
			return nil, fmt.Errorf("gpc file: X has %d rows, y has %d labels", len(rows), g.N)
		}
		if err := g.inputs(rows, func(i, j int) string { return fmt.Sprintf("X[%d][%d]", i, j) }); err != nil {
			return nil, err
		}
	}
	if kernel.Object != nil {
		g.Kernel.Name = name
		if name != "rbf" && name != "ou" {
			return nil, fmt.Errorf("gpc file: kernel.name = %q must be \"rbf\" or \"ou\"", name)
		}
		if a := amplitude; a != nil {
			if !(*a > 0 && *a <= MaxAmplitude) {
				return nil, fmt.Errorf("gpc file: kernel.amplitude = %v must be above 0 and at most %v", *a, MaxAmplitude)
			}
			g.Kernel.Amplitude = *a
		}
		if l := length; l != nil {
			if !(*l >= 1e-9 && *l <= 1e9) {
				return nil, fmt.Errorf("gpc file: kernel.length = %v must be between 1e-9 and 1e9", *l)
			}
			g.Kernel.Length = *l
		}
	}
	return &ModelFile{Kind: "gpc", GPC: g}, nil
}

// inputs reads a table, or a list of single numbers.
func inputs(x json.Value) ([][]float64, error) {
	if x.Nested() {
		return x.Table()
	}
	flat, err := x.Numbers()
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	for i := range flat {
		rows = append(rows, flat[i:i+1])
	}
	return rows, nil
}

// labels takes labels -1/1 or 0/1.
func (g *GPCFile) labels(y []float64, where func(i int) string) error {
	if len(y) == 0 {
		return fmt.Errorf("gpc file: there are no data; give at least one label")
	}
	if len(y) > MaxData {
		return fmt.Errorf("gpc file: %d data are more than the limit of %d; give fewer", len(y), MaxData)
	}
	g.N = len(y)
	low := 2.0 // the label of the other class
	for i, v := range y {
		if v != -1 && v != 0 && v != 1 || v != 1 && low != 2 && v != low {
			return fmt.Errorf("gpc file: %s = %v: labels must be -1 and 1, or 0 and 1", where(i), v)
		}
		if v != 1 {
			low, v = v, -1
		}
		g.Y = append(g.Y, v)
	}
	return nil
}

func (g *GPCFile) inputs(rows [][]float64, where func(i, j int) string) error {
	g.D = len(rows[0])
	if g.D == 0 {
		return fmt.Errorf("gpc file: the inputs have no columns; give at least one feature")
	}
	for i, row := range rows {
		if len(row) != g.D {
			return fmt.Errorf("gpc file: the inputs are ragged: row %d has %d columns, row 0 has %d", i, len(row), g.D)
		}
		for j, x := range row {
			if !(math.Abs(x) <= 1e9) {
				return fmt.Errorf("gpc file: %s = %v must be a number of size at most %v", where(i, j), x, 1e9)
			}
		}
		g.X = append(g.X, row...)
	}
	return nil
}

// symmetric checks what can be seen of K without factorising it, and evens out
// differences in the last digits.
func (g *GPCFile) symmetric() error {
	n := g.N
	for i := range n {
		for j := range n {
			x := g.K[i*n+j]
			if !(math.Abs(x) <= MaxAmplitude*MaxAmplitude) {
				return fmt.Errorf("gpc file: %s = %v must be a number of size at most %v", fmt.Sprintf("K[%d][%d]", i, j), x, MaxAmplitude*MaxAmplitude)
			}
		}
	}
	for i := range n {
		if d := g.K[i*n+i]; d < 0 {
			return fmt.Errorf("gpc file: K[%d][%d] = %v: a variance cannot be negative", i, i, d)
		}
		for j := range i {
			a, b := g.K[i*n+j], g.K[j*n+i]
			// Rounding leaves 1e-16 of what the variances allow; entries far beyond that are no covariance anyway.
			if math.Abs(a-b) > 1e-9*math.Sqrt(float64(g.K[i*n+i]*g.K[j*n+j])) {
				return fmt.Errorf("gpc file: K is not symmetric: K[%d][%d] = %v, K[%d][%d] = %v", i, j, a, j, i, b)
			}
			g.K[i*n+j] = a + float64(0.5*(b-a))
			g.K[j*n+i] = g.K[i*n+j]
		}
	}
	return nil
}

// isTable tells a table of numbers by its first two lines: one of them has a
// separator and a number.
func isTable(b []byte) bool {
	lines := strings.SplitN(string(b), "\n", 3)
	return slices.ContainsFunc(lines[:min(2, len(lines))], func(line string) bool {
		cells := split(line)
		return len(cells) > 1 && slices.ContainsFunc(cells, isNumber)
	})
}

func isNumber(s string) bool { _, err := num.Parse(s); return err == nil }

// split cuts a line at tabs, semicolons or commas, whichever it has.
func split(line string) []string {
	sep := ","
	for _, s := range []string{"\t", ";"} {
		if strings.Contains(line, s) {
			sep = s
			break
		}
	}
	cells := strings.Split(line, sep)
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), `"`)
	}
	return cells
}

// readCSV reads a table of data for classification: a row of features for each,
// the last column its label. A first line without numbers is a header.
func readCSV(b []byte) (*ModelFile, error) {
	var rows [][]float64
	var y []float64
	var lines []int // line number of each row
	header := false
	for at, line := range strings.Split(string(b), "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := split(line)
		if len(rows) == 0 && !header && !slices.ContainsFunc(cells, isNumber) {
			header = true
			continue
		}
		row := make([]float64, len(cells))
		for j, c := range cells {
			x, err := num.Parse(c)
			if err != nil {
				return nil, fmt.Errorf("csv file: line %d, column %d: %q is not a finite number", at+1, j+1, c)
			}
			row[j] = x
		}
		if len(row) < 2 {
			return nil, fmt.Errorf("csv file: line %d has one column; each line needs features and, last, the label", at+1)
		}
		if len(rows) > 0 && len(row) != len(rows[0])+1 {
			return nil, fmt.Errorf("csv file: line %d has %d columns, line %d has %d", at+1, len(row), lines[0], len(rows[0])+1)
		}
		rows, y, lines = append(rows, row[:len(row)-1]), append(y, row[len(row)-1]), append(lines, at+1)
		if len(rows) > MaxData {
			return nil, fmt.Errorf("csv file: more than the limit of %d data; give fewer lines", MaxData)
		}
	}
	g := &GPCFile{N: len(y)}
	if err := g.labels(y, func(i int) string { return fmt.Sprintf("label of line %d", lines[i]) }); err != nil {
		return nil, err
	}
	if err := g.inputs(rows, func(i, j int) string { return fmt.Sprintf("line %d, column %d", lines[i], j+1) }); err != nil {
		return nil, err
	}
	return &ModelFile{Kind: "gpc", GPC: g}, nil
}
