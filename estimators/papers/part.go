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

// Part is the Kth of N parts of an experiment, from 1: every Nth of the points that need no other and that a table
// keeps. NAME-K-of-N.csv has their rows, and a run with Options.Continue takes them from there. N = 0 is all.
type Part struct{ K, N int }

// apart reports whether a point can be computed in a part.
func (p *Point) apart() bool { return p.Follow == nil && p.tabled() }

// of are the points of the part.
func (p Part) of(points []Point) (some []Point) {
	if p.N == 0 {
		return points
	}
	i := 0
	for _, point := range points {
		if point.apart() {
			if i++; (i-1)%p.N == p.K-1 {
				some = append(some, point)
			}
		}
	}
	return some
}

// ending is what follows on the experiment's name in that of the table.
func (p Part) ending() string {
	if p.N == 0 {
		return ".csv"
	}
	return fmt.Sprintf("-%d-of-%d.csv", p.K, p.N)
}

// Apart is how many points can be computed in parts, and how many there are.
func (e *Experiment) Apart(o Options) (some, all int) {
	points := e.at(o)
	return len(Part{1, 1}.of(points)), len(points)
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

// begin makes sure that results can be written, and lists the rows of an earlier run that this one continues.
func (out *Outcome) begin(o Options, points []Point) (before []Row, err error) {
	if o.Part.N == 0 {
		err = disk.CheckWritable(o.Dir)
	} else {
		err = os.MkdirAll(o.Dir, 0o777) // others may try the folder at the same time
	}
	if err != nil {
		return nil, fmt.Errorf("nothing can be written into the folder for the results: %w; give another one by -out", err)
	}
	if out.More != nil {
		gob.Register(out.More)
	}
	if before, err = out.before(o); err != nil {
		return nil, err
	}
	if o.Continue && o.Part.N == 0 {
		err = out.readKept(o)
	}

	// The points that the rows make up.
	out.rest = before
	for _, p := range points {
		out.ahead = append(out.ahead, out.kept(before, p) != nil)
	}
	if out.Saved = out.saved(); o.Part.N > 0 {
		err = out.write(o)
	}
	return before, err
}

// saved counts the points that have been reached, and those ahead that an earlier run has made.
func (out *Outcome) saved() int {
	n := out.reached
	for _, made := range out.ahead[n:] {
		if made {
			n++
		}
	}
	return n
}

// before are the rows of an earlier run that this one continues.
func (e *Experiment) before(o Options) (all []Row, err error) {
	if !o.Continue && o.Part.N == 0 {
		return nil, nil
	}

	// The table of this run, and the tables of its parts.
	path := filepath.Join(o.Dir, e.Name+o.Part.ending())
	names := []string{path}
	if o.Part.N == 0 {
		parts, err := e.parts(o.Dir)
		if err != nil {
			return nil, err
		}
		names = append(names, parts...)
	}

	// Whole rows, each of them once.
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
