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

// cell holds the counts of the runs of a method on a target (a model with known log Z) at a budget.
type cell struct {
	method, target, budget string
	factor                 float64 // factor on the parameters that determine the cost of a run

	batches    int     // number of finished batches of replicates
	seconds    float64 // processor time of these batches, divided among the methods of a run
	failedRuns int     // number of replicates without an estimate
	runs       int     // number of replicates with an estimate
	sum        float64 // sum of their errors, in nats
	squares    float64 // sum of the squared errors
	// classes has the counts of error bars by key "SEMETHOD:CLASS": how the error bar was made, and the class of the run
	// (calibration.Situation.Class), which ends with "-" for runs without an error bar. The error bar of a whole batch,
	// from the spread between its replicates, counts as a run with SEMETHOD estimators.SEReplicates.
	classes map[string]calibration.Counts
}

func (c *cell) name() string { return c.method + " " + c.target + " " + c.budget }

// addReport counts the report of one run; exact is the known log Z.
func (c *cell) addReport(r *report.Report, exact float64) {
	if !report.IsNumber(r.LogZ) {
		c.failedRuns++
		return
	}
	deviation := float64(r.LogZ) - exact
	c.runs++
	c.sum += deviation
	c.squares += deviation * deviation
	c.addErrorBar(r, deviation)
}

// addErrorBar counts the error bar of an estimate that deviates from the exact value by deviation nats. An error bar
// smaller than 1e-9 counts as 1e-9, because of rounding.
func (c *cell) addErrorBar(r *report.Report, deviation float64) {
	key := strings.ReplaceAll(r.SEMethod, " ", "_") + ":" + r.Situation().Class()
	n := c.classes[key]
	if report.IsNumber(r.SE) {
		n.Observe(deviation / math.Max(float64(r.SE), 1e-9))
	} else {
		n.Runs++
	}
	c.classes[key] = n
}

// counts returns the sum of the counts of all classes for which keep returns true.
func (c *cell) counts(keep func(seMethod, class string) bool) (sum calibration.Counts) {
	for _, key := range slices.Sorted(maps.Keys(c.classes)) {
		seMethod, class, _ := strings.Cut(key, ":")
		if keep(seMethod, class) {
			sum.Add(c.classes[key])
		}
	}
	return sum
}

// line encodes the cell as a line of text.
func (c *cell) line() string {
	formatFloat := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	b := fmt.Sprintf("%s %g %d %s %d %d %s %s", c.name(), c.factor, c.batches, formatFloat(c.seconds), c.failedRuns, c.runs, formatFloat(c.sum),
		formatFloat(c.squares))
	for _, key := range slices.Sorted(maps.Keys(c.classes)) {
		n := c.classes[key]
		b += fmt.Sprintf(" %s=%d/%d/%d/%d/%s", key, n.Runs, n.Within1, n.Within2, n.Far, formatFloat(n.Squares))
	}
	return b + "\n"
}

// readCell decodes a line that the method line has encoded.
func readCell(line string) (*cell, error) {
	c := &cell{classes: map[string]calibration.Counts{}}
	fields := strings.Fields(line)
	if len(fields) < 10 {
		return nil, fmt.Errorf("%q is too short", line)
	}
	c.method, c.target, c.budget = fields[0], fields[1], fields[2]
	if _, err := fmt.Sscan(strings.Join(fields[3:10], " "), &c.factor, &c.batches, &c.seconds, &c.failedRuns, &c.runs,
		&c.sum, &c.squares); err != nil {
		return nil, fmt.Errorf("%q: %w", line, err)
	}
	for _, part := range fields[10:] {
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
	dir          string // root of the repository
	computer     string // description of the computer of the last measurements
	plannedCells int    // number of all cells, when they were last planned
	// defaults holds, for each method with cells, the result of the function defaults at the time of measurement.
	defaults map[string][]string
	seconds  float64          // processor time of all measurements
	cells    map[string]*cell // by cell.name
	list     []*cell          // the cells in order; set before the table and the document are written
}

const cellsHead = `# How error bars held, cell by cell. Written by ./build.sh calibrate, which goes on from here.
# method target budget: factor, batches, seconds, runs without a number and with one, sum of errors (nats) and of
# their squares; then by how the bar was made and class: runs, within 1 bar, within 2, 10 away or more, z^2 of the rest
# factor: of the parameters that set what a run costs.
# seconds: processor time, and the number of cells in all. defaults: of a method's parameters, and its
# digits, when it was measured.
`

// load reads the measurements in the repository at dir. If the file is missing, there are none.
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
		if value, ok := strings.CutPrefix(line, "machine "); ok {
			s.computer = value
		} else if value, ok := strings.CutPrefix(line, "seconds "); ok {
			if _, err := fmt.Sscan(value, &s.seconds, &s.plannedCells); err != nil {
				return nil, fmt.Errorf("%s: %q: %w", cellsFile, line, err)
			}
		} else if value, ok := strings.CutPrefix(line, "defaults "); ok {
			fields := strings.Fields(value)
			s.defaults[fields[0]] = fields[1:]
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

// save writes the measurements to cellsFile.
func (s *state) save() error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%smachine %s\nseconds %.0f %d\n", cellsHead, s.computer, s.seconds, s.plannedCells)
	for _, m := range slices.Sorted(maps.Keys(s.defaults)) {
		fmt.Fprintf(&b, "defaults %s %s\n", m, strings.Join(s.defaults[m], " "))
	}
	for _, c := range s.sorted() {
		b.WriteString(c.line())
	}
	return disk.Write(filepath.Join(s.dir, cellsFile), b.Bytes())
}

// publish writes the table of package calibration and the document.
func (s *state) publish() error {
	s.list = s.sorted()
	if err := disk.Write(filepath.Join(s.dir, tableFile), []byte(s.table())); err != nil {
		return err
	}
	return disk.Write(filepath.Join(s.dir, documentFile), []byte(s.document()))
}

// sorted returns the cells in the order of methods, targets and budgets.
func (s *state) sorted() []*cell {
	list := make([]*cell, 0, len(s.cells))
	for _, c := range s.cells {
		list = append(list, c)
	}
	order := func(c *cell) int { return 1000*targetIndex(c.target) + budgetIndex(c.budget) }
	slices.SortFunc(list, func(a, b *cell) int {
		return cmp.Or(methodIndex(a.method)-methodIndex(b.method), order(a)-order(b), strings.Compare(a.name(), b.name()))
	})
	return list
}

// table returns the table of package calibration: sums of the counts by the names under which that package looks them
// up (calibration.SimilarClasses). Names with too few runs or targets are left out.
func (s *state) table() string {
	sums, targetsOf := map[string]calibration.Counts{}, map[string][]string{}
	for _, c := range s.list {
		for _, key := range slices.Sorted(maps.Keys(c.classes)) {
			seMethod, class, _ := strings.Cut(key, ":")
			if strings.HasSuffix(class, "-") { // no error bar
				continue
			}
			for _, name := range calibration.SimilarClasses(c.method, seMethod, findTarget(c.target).Kind, class) {
				sum := sums[name]
				sum.Add(c.classes[key])
				sums[name] = sum
				if !slices.Contains(targetsOf[name], c.target) {
					targetsOf[name] = append(targetsOf[name], c.target)
				}
			}
		}
	}
	b := fmt.Sprintf("# How error bars held in runs like one. Written by ./build.sh calibrate.\n# method, how the bar is "+
		"made, kind of model, class: runs, within 1 bar, within 2, more than %d away, sum of z^2 of others\n",
		calibration.FarBars)
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if sums[name].Runs >= calibration.MinRuns && len(targetsOf[name]) >= calibration.MinTargets {
			b += calibration.Line(name, sums[name])
		}
	}
	return b
}
