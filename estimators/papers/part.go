package papers

import (
	"encoding/gob"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"logzlab/core/files/disk"
)

// Part is the Kth of N parts of an experiment, K = 1, ..., N. It has every Nth of the points that do not depend on
// other points and whose data a table can hold. The table NAME-K-of-N.csv has their rows, and a run with
// Options.Continue reads all such tables. N = 0 means all points.
type Part struct{ K, N int }

// splittable reports whether a point can be computed in a part: it depends on no other point, and a table can hold it.
func (p *Point) splittable() bool { return p.Follow == nil && p.inTable() }

// points returns the points of the part.
func (p Part) points(points []Point) (selected []Point) {
	if p.N == 0 {
		return points
	}
	i := 0
	for _, point := range points {
		if point.splittable() {
			if i++; (i-1)%p.N == p.K-1 {
				selected = append(selected, point)
			}
		}
	}
	return selected
}

// suffix returns the end of the name of the part's table, after the experiment's name.
func (p Part) suffix() string {
	if p.N == 0 {
		return ".csv"
	}
	return fmt.Sprintf("-%d-of-%d.csv", p.K, p.N)
}

// Splittable returns the number of points that can be computed in parts, and the number of all points.
func (e *Experiment) Splittable(o Options) (inParts, all int) {
	points := e.points(o)
	return len(Part{1, 1}.points(points)), len(points)
}

// parts lists the tables of parts in a folder.
func (e *Experiment) parts(dir string) (names []string, err error) {
	name := regexp.MustCompile("^" + regexp.QuoteMeta(e.Name) + `-\d+-of-\d+\.csv$`)
	files, err := os.ReadDir(dir)
	for _, f := range files {
		if name.MatchString(f.Name()) {
			names = append(names, filepath.Join(dir, f.Name()))
		}
	}
	return names, err
}

// begin checks that results can be written. It returns the rows of the earlier run that this run continues, and finds
// the points that are complete.
func (out *Outcome) begin(o Options, points []Point) (earlier []Row, err error) {
	if o.Part.N == 0 {
		err = disk.CheckWritable(o.Dir)
	} else {
		err = os.MkdirAll(o.Dir, 0o777) // other parts may check the folder at the same time
	}
	if err != nil {
		return nil, fmt.Errorf("nothing can be written into the folder for the results: %w; give another one by -out", err)
	}
	if out.More != nil {
		gob.Register(out.More)
	}
	if earlier, err = out.earlierRows(o); err != nil {
		return nil, err
	}
	if o.Continue && o.Part.N == 0 {
		err = out.readExtra(o)
	}

	// Find the points that are complete.
	out.pendingRows = earlier
	for _, p := range points {
		out.madeBefore = append(out.madeBefore, out.restoreRows(earlier, p) != nil)
	}
	if out.Saved = out.countSaved(); o.Part.N > 0 {
		err = out.write(o)
	}
	return earlier, err
}

// countSaved returns the number of points whose rows are in the files: the points that this run has reached, and later
// points that an earlier run has computed.
func (out *Outcome) countSaved() int {
	n := out.reached
	for _, done := range out.madeBefore[n:] {
		if done {
			n++
		}
	}
	return n
}

// earlierRows returns the rows of an earlier run and of its parts, nil if this run does not continue one.
func (e *Experiment) earlierRows(o Options) (kept []Row, err error) {
	if !o.Continue && o.Part.N == 0 {
		return nil, nil
	}

	// The table of this run, and the tables of its parts.
	path := filepath.Join(o.Dir, e.Name+o.Part.suffix())
	names := []string{path}
	if o.Part.N == 0 {
		parts, err := e.parts(o.Dir)
		if err != nil {
			return nil, err
		}
		names = append(names, parts...)
	}

	// Collect complete rows, without duplicates.
	for _, name := range names {
		rows, incomplete, err := readTable(name)
		if err != nil {
			return nil, err
		}
		if incomplete {
			o.Say(fmt.Sprintf("%s ended within a line: its %d whole rows are kept, and what is missing is made again", name,
				len(rows)), true)
		}
		for _, r := range rows {
			if !slices.ContainsFunc(kept, r.same) {
				kept = append(kept, r)
			}
		}
	}
	if kept == nil && o.Part.N == 0 {
		o.Say(fmt.Sprintf("there is no %s yet: this begins with the first point", path), true)
	}
	return kept, nil
}
