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

// Part is the Kth of N parts of an experiment, from 1: every Nth of the points that depend on no other point and that a
// table can hold. NAME-K-of-N.csv has their rows, and a run with Options.Continue reads them. N = 0 means all points.
type Part struct{ K, N int }

// splittable reports whether a point can be computed in a part.
func (p *Point) splittable() bool { return p.Follow == nil && p.inTable() }

// points returns the points of the part.
func (p Part) points(points []Point) (some []Point) {
	if p.N == 0 {
		return points
	}
	i := 0
	for _, point := range points {
		if point.splittable() {
			if i++; (i-1)%p.N == p.K-1 {
				some = append(some, point)
			}
		}
	}
	return some
}

// suffix returns the end of the name of the part's table, after the experiment's name.
func (p Part) suffix() string {
	if p.N == 0 {
		return ".csv"
	}
	return fmt.Sprintf("-%d-of-%d.csv", p.K, p.N)
}

// Splittable returns the number of points that can be computed in parts, and the number of all points.
func (e *Experiment) Splittable(o Options) (some, all int) {
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

// begin checks that results can be written, and returns the rows of the earlier run to continue.
func (out *Outcome) begin(o Options, points []Point) (before []Row, err error) {
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
	if before, err = out.earlierRows(o); err != nil {
		return nil, err
	}
	if o.Continue && o.Part.N == 0 {
		err = out.readExtra(o)
	}

	// Find the points that are complete.
	out.pendingRows = before
	for _, p := range points {
		out.madeBefore = append(out.madeBefore, out.restoreRows(before, p) != nil)
	}
	if out.Saved = out.countSaved(); o.Part.N > 0 {
		err = out.write(o)
	}
	return before, err
}

// countSaved counts the points done, and later ones that an earlier run has computed.
func (out *Outcome) countSaved() int {
	n := out.reached
	for _, made := range out.madeBefore[n:] {
		if made {
			n++
		}
	}
	return n
}

// earlierRows returns the rows of the earlier run to continue.
func (e *Experiment) earlierRows(o Options) (all []Row, err error) {
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
		rows, torn, err := readTable(name)
		if err != nil {
			return nil, err
		}
		if torn {
			o.Say(fmt.Sprintf("%s ended within a line: its %d whole rows are kept, and what is missing is made again", name,
				len(rows)), true)
		}
		for _, r := range rows {
			if !slices.ContainsFunc(all, r.same) {
				all = append(all, r)
			}
		}
	}
	if all == nil && o.Part.N == 0 {
		o.Say(fmt.Sprintf("there is no %s yet: this begins with the first point", path), true)
	}
	return all, nil
}
