package coverage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/files/disk"
	"logzlab/estimators/calibration"
	"logzlab/estimators/report"
)

// cell holds the counts of a method on a target at a budget.
type cell struct {
	method, target, budget string
	factor                 float64 // factor on the parameters that determine the cost of a run

	batches int     // number of finished batches of replicates
	seconds float64 // processor time of these batches, divided among the methods of a run
	failed  int     // number of replicates without a result
	runs    int     // number of other replicates
	sum     float64 // sum of their errors, in nats
	squares float64 // sum of the squared errors
	// classes counts error bars by kind and class (calibration.Situation.Class); runs without one are in the class "-".
	// A batch counts as a run of the kind replicates.
	classes map[string]calibration.Counts
}

func (c *cell) name() string { return c.method + " " + c.target + " " + c.budget }

// addReport counts the report of one run.
func (c *cell) addReport(r *report.Report, exact float64) {
	if !report.IsNumber(r.LogZ) {
		c.failed++
		return
	}
	off := float64(r.LogZ) - exact
	c.runs++
	c.sum += off
	c.squares += off * off
	c.addErrorBar(r, off)
}

// addErrorBar counts an error bar. An error bar of 0 counts as 1e-9, for rounding.
func (c *cell) addErrorBar(r *report.Report, off float64) {
	key := strings.ReplaceAll(r.SEMethod, " ", "_") + ":" + r.Situation().Class()
	n := c.classes[key]
	if report.IsNumber(r.SE) {
		n.Observe(off / math.Max(float64(r.SE), 1e-9))
	} else {
		n.Runs++
	}
	c.classes[key] = n
}

// counts sums the error bars for which keep is true.
func (c *cell) counts(keep func(how, class string) bool) (sum calibration.Counts) {
	for _, key := range slices.Sorted(maps.Keys(c.classes)) {
		how, class, _ := strings.Cut(key, ":")
		if keep(how, class) {
			sum.Add(c.classes[key])
		}
	}
	return sum
}

// line encodes the cell.
func (c *cell) line() string {
	g := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	b := fmt.Sprintf("%s %g %d %s %d %d %s %s", c.name(), c.factor, c.batches, g(c.seconds), c.failed, c.runs, g(c.sum),
		g(c.squares))
	for _, key := range slices.Sorted(maps.Keys(c.classes)) {
		n := c.classes[key]
		b += fmt.Sprintf(" %s=%d/%d/%d/%d/%s", key, n.Runs, n.Within1, n.Within2, n.Far, g(n.Squares))
	}
	return b + "\n"
}

// readCell is the inverse of line.
func readCell(line string) (*cell, error) {
	c := &cell{classes: map[string]calibration.Counts{}}
	f := strings.Fields(line)
	if len(f) < 10 {
		return nil, fmt.Errorf("%q is too short", line)
	}
	c.method, c.target, c.budget = f[0], f[1], f[2]
	if _, err := fmt.Sscan(strings.Join(f[3:10], " "), &c.factor, &c.batches, &c.seconds, &c.failed, &c.runs,
		&c.sum, &c.squares); err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	for _, part := range f[10:] {
		key, x, _ := strings.Cut(part, "=")
		var n calibration.Counts
		if _, err := fmt.Sscan(strings.ReplaceAll(x, "/", " "), &n.Runs, &n.Within1, &n.Within2, &n.Far,
			&n.Squares); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		c.classes[key] = n
	}
	return c, nil
}

// Files, relative to the root of the repository.
const (
	cellsFile    = "estimators/calibration/cells.txt"
	tableFile    = "estimators/calibration/table.txt"
	documentFile = "site/docs/calibration.md"
)

// state holds all measurements.
type state struct {
	dir      string
	computer string // computer of the measurements
	wanted   int    // number of cells when all were last planned
	// defaults holds, for each method with cells, the result of the function defaults at the time of measurement.
	defaults map[string][]string
	seconds  float64 // processor time
	cells    map[string]*cell
	list     []*cell // sorted cells, while they are published
}

const cellsHead = `# How error bars held, cell by cell. Written by ./build.sh calibrate, which goes on from here.
# method target budget: factor, batches, seconds, runs without a number and with one, sum of errors (nats) and of
# their squares; then by how the bar was made and class: runs, within 1 bar, within 2, 10 away or more, z^2 of the rest
# factor: of the parameters that set what a run costs.
# seconds: processor time, and the number of cells in all. defaults: of a method's parameters, and its
# digits, when it was measured.
`

// load reads the measurements; a missing file has none.
func load(dir string) (*state, error) {
	s := &state{dir: dir, cells: map[string]*cell{}, defaults: map[string][]string{}}
	text, err := os.ReadFile(filepath.Join(dir, cellsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	} else if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if told, ok := strings.CutPrefix(line, "machine "); ok {
			s.computer = told
		} else if told, ok := strings.CutPrefix(line, "seconds "); ok {
			if _, err := fmt.Sscan(told, &s.seconds, &s.wanted); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", cellsFile, line, err)
			}
		} else if told, ok := strings.CutPrefix(line, "defaults "); ok {
			f := strings.Fields(told)
			s.defaults[f[0]] = f[1:]
		} else if line != "" && line[0] != '#' {
			c, err := readCell(line)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cellsFile, err)
			}
			s.cells[c.name()] = c
		}
	}
	return s, nil
}

// save writes the cells.
func (s *state) save() error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%smachine %s\nseconds %.0f %d\n", cellsHead, s.computer, s.seconds, s.wanted)
	for _, m := range slices.Sorted(maps.Keys(s.defaults)) {
		fmt.Fprintf(&b, "defaults %s %s\n", m, strings.Join(s.defaults[m], " "))
	}
	for _, c := range s.sorted() {
		b.WriteString(c.line())
	}
	return disk.Write(filepath.Join(s.dir, cellsFile), b.Bytes())
}

// publish writes the table of the program and the document.
func (s *state) publish() error {
	s.list = s.sorted()
	if err := disk.Write(filepath.Join(s.dir, tableFile), []byte(s.table())); err != nil {
		return err
	}
	return disk.Write(filepath.Join(s.dir, documentFile), []byte(s.document()))
}

// sorted returns the cells in the order of methods, targets and budgets.
func (s *state) sorted() []*cell {
	all := make([]*cell, 0, len(s.cells))
	for _, c := range s.cells {
		all = append(all, c)
	}
	place := func(c *cell) int { return 1000*targetIndex(c.target) + budgetIndex(c.budget) }
	slices.SortFunc(all, func(a, b *cell) int {
		return cmp.Or(methodIndex(a.method)-methodIndex(b.method), place(a)-place(b), strings.Compare(a.name(), b.name()))
	})
	return all
}

// table sums error bars by the names under which package calibration looks them up.
func (s *state) table() string {
	sums, on := map[string]calibration.Counts{}, map[string][]string{}
	for _, c := range s.list {
		for _, key := range slices.Sorted(maps.Keys(c.classes)) {
			how, class, _ := strings.Cut(key, ":")
			if strings.HasSuffix(class, "-") { // no error bar
				continue
			}
			for _, name := range calibration.SimilarClasses(c.method, how, find(c.target).Kind, class) {
				sum := sums[name]
				sum.Add(c.classes[key])
				sums[name] = sum
				if !slices.Contains(on[name], c.target) {
					on[name] = append(on[name], c.target)
				}
			}
		}
	}
	b := fmt.Sprintf("# How error bars held in runs like one. Written by ./build.sh calibrate.\n# method, how the bar is "+
		"made, kind of model, class: runs, within 1 bar, within 2, more than %d away, sum of z^2 of others\n",
		calibration.FarBars)
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if sums[name].Runs >= calibration.MinRuns && len(on[name]) >= calibration.MinTargets {
			b += calibration.Line(name, sums[name])
		}
	}
	return b
}
