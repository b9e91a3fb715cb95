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

// cell is what is known of a method on a target at a budget.
type cell struct {
	method, target, budget string
	factor                 float64 // of the parameters that set what a run costs

	batches int     // of replicates, done
	seconds float64 // processor time of these, shared by the methods of a run
	failed  int     // replicates that ended with an error or without a number
	runs    int     // others
	sum     float64 // of their errors, in nats
	squares float64 // of these errors
	// classes count error bars by how they were made and by class (calibration.Situation.Class), with runs that have none
	// under the class of those. Batches are runs too, of replicates.
	classes map[string]calibration.Counts
}

func (c *cell) name() string { return c.method + " " + c.target + " " + c.budget }

// take counts the report of one run.
func (c *cell) take(r *report.Report, exact float64) {
	if !report.IsNumber(r.LogZ) {
		c.failed++
		return
	}
	off := float64(r.LogZ) - exact
	c.runs++
	c.sum += off
	c.squares += off * off
	c.count(r, off)
}

// count counts an error bar. One that is 0 is right to rounding.
func (c *cell) count(r *report.Report, off float64) {
	key := strings.ReplaceAll(r.SEMethod, " ", "_") + ":" + r.Situation().Class()
	n := c.classes[key]
	if report.IsNumber(r.SE) {
		n.Take(off / math.Max(float64(r.SE), 1e-9))
	} else {
		n.Runs++
	}
	c.classes[key] = n
}

// counts sums the error bars for which keep holds.
func (c *cell) counts(keep func(how, class string) bool) (sum calibration.Counts) {
	for _, key := range slices.Sorted(maps.Keys(c.classes)) {
		how, class, _ := strings.Cut(key, ":")
		if keep(how, class) {
			sum.Add(c.classes[key])
		}
	}
	return sum
}

// line writes the cell.
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

// readCell is the opposite of line.
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

// Names of the files, below the root of the repository.
const (
	cellsFile    = "estimators/calibration/cells.txt"
	tableFile    = "estimators/calibration/table.txt"
	documentFile = "site/docs/calibration.md"
)

// state is all that has been measured.
type state struct {
	dir     string
	machine string // on which
	wanted  int    // cells in all, when all were last planned
	// defaults holds, for each method with cells, the result of the function defaults at the time of measurement.
	defaults map[string][]string
	seconds  float64 // processor time
	cells    map[string]*cell
	list     []*cell // sorted, while it is published
}

const cellsHead = `# How error bars held, cell by cell. Written by ./build.sh calibrate, which goes on from here.
# method target budget: factor, batches, seconds, runs without a number and with one, sum of errors (nats) and of
# their squares; then by how the bar was made and class: runs, within 1 bar, within 2, 10 away or more, z^2 of the rest
# factor: of the parameters that set what a run costs.
# seconds: processor time, and the number of cells in all. defaults: of a method's parameters, and its
# digits, when it was measured.
`

// load reads what has been measured; a file that is not there has nothing.
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
			s.machine = told
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
	fmt.Fprintf(&b, "%smachine %s\nseconds %.0f %d\n", cellsHead, s.machine, s.seconds, s.wanted)
	for _, m := range slices.Sorted(maps.Keys(s.defaults)) {
		fmt.Fprintf(&b, "defaults %s %s\n", m, strings.Join(s.defaults[m], " "))
	}
	for _, c := range s.sorted() {
		b.WriteString(c.line())
	}
	return disk.Write(filepath.Join(s.dir, cellsFile), b.Bytes())
}

// publish writes what the program and people read.
func (s *state) publish() error {
	s.list = s.sorted()
	if err := disk.Write(filepath.Join(s.dir, tableFile), []byte(s.table())); err != nil {
		return err
	}
	return disk.Write(filepath.Join(s.dir, documentFile), []byte(s.document()))
}

// sorted lists the cells by method, target and budget, each in its own order.
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

// table counts error bars by the names under which package calibration looks them up.
func (s *state) table() string {
	sums, on := map[string]calibration.Counts{}, map[string][]string{}
	for _, c := range s.list {
		for _, key := range slices.Sorted(maps.Keys(c.classes)) {
			how, class, _ := strings.Cut(key, ":")
			if strings.HasSuffix(class, "-") { // no error bar
				continue
			}
			for _, name := range calibration.Likes(c.method, how, find(c.target).Kind, class) {
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
		calibration.Reach)
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if sums[name].Runs >= calibration.LeastRuns && len(on[name]) >= calibration.LeastTargets {
			b += calibration.Line(name, sums[name])
		}
	}
	return b
}
