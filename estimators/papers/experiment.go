package papers

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"logzlab/core/diag"
	"logzlab/core/files/disk"
	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/rbm"
)

// Size is how much an experiment computes.
type Size int

const (
	Small  Size = iota // seconds: for tests
	Normal             // the default: two hours of two cores at most
	Full               // the paper's own, hours
)

// Experiment is a figure of a paper.
type Experiment struct {
	Name, About string
	Figure      string // where in the paper
	By          string // whose findings are tried, "": the paper's
	File        string // id of the own model file that the links name; "": the links name bundled models
	Rows        bool   // the file has rows to train on, and is no model
	// Data, if set, makes the rows that stand beside the own model, by the value of data in its links.
	Data func(Load) ([]byte, error)
	// Files are written beside the page: models that links name and that are not built in.
	Files  func() map[string][]byte
	Beside bool // only some links name the file; without the file their panels are left out
	Points func(Size) []Point
	Judge  func([]Row) []Finding
	// Others reports whether a panel has other models than the paper's, where those of the paper can be had: its findings
	// are this lab's. Where they cannot, models of the same kind and size, made in the same way, stand for them. nil: no
	// panel has.
	Others func(panel string) bool
	Chart  func([]Row, *Experiment) (image []byte, extension string, err error)
	Notes  []string // differences from the paper
	Axes   Axes
	More   any // of the type of Row.More, for the file that keeps it; nil: no row has more

	// Words of its page: heading, first sentence, a link with its words, and what the
	// picture shows.
	Title, Lead, Alt string
	Live             [2]string
}

// claimant is whose findings are tried.
func (e *Experiment) claimant() string { return cmp.Or(e.By, "the paper") }

// Point is one configuration: a link. Its replicates are independent estimates; with a single replicate the islands
// are.
type Point struct {
	Panel  string // which of the figure's plots
	Series string // which line of it
	// Readers are the lines of the methods of the link, where it has several that read the same run. Each gets a row.
	Readers []string
	// Other is a diagnostic that is another estimate of log Z by the same run, and OtherSeries its line; "": none.
	Other       diag.Number
	OtherSeries string
	// Link names every value that a label of the point shows, also where it is today's
	// default, so that the point stays the same when defaults change. "": no link runs it.
	Link string
	File models.File // the model that the link names, of an experiment that has Files
	// At is where the point stands along its line, in the unit of the axis; 0: at its processor time.
	At   float64
	Step string // what grows along the line, in words; "": particles or temperatures
	// Follow, if set, makes Link from the rows before it.
	Follow    func([]Row) string
	Reference bool    // other rows of the panel are compared with this one
	Cost      float64 // expected CPU seconds, for the time left
	Counted   float64 // share of the processor time that the estimate takes; 0: all
	// Make, if set, makes the rows of the point instead of a run of its link. Mostly they have more than a table can
	// keep: NAME.kept keeps them for an experiment that is continued.
	Make  func(ctx context.Context, p Point, load Load, progress func(share float64)) ([]Row, error)
	Seeds int  // runs of so many seeds in turn, whose ladders the row has; 0: one run of the link
	Kept  bool // a table keeps all that is wanted of what Make or runs in turn make
}

// Load reads a bundled file of the site.
type Load func(file string) ([]byte, error)

// Options say how an experiment is run.
type Options struct {
	Dir     string // where files go; made if it is not there
	Size    Size
	Workers int
	Page    bool // also write NAME.html, a page of the site
	// Continue keeps the points that NAME.csv in Dir already has, up to its last whole line, those of its parts, and those
	// of NAME.kept.
	Continue bool
	Part     Part // the points that are computed; the zero value: all
	Load     Load
	File     models.File // the own file of an experiment that has one
	Rows     bool        // Load has the rows of an experiment that has some, by the id of their file
	// Say reports progress; done marks the end of a point.
	Say func(text string, done bool)
}

// Outcome is what an experiment found so far.
type Outcome struct {
	*Experiment
	Size        Size
	Rows        []Row
	Findings    []Finding
	Planned     int    // points
	Saved       int    // points whose rows are in the files
	reached     int    // points
	ahead       []bool // by point: an earlier run has made it
	rest        []Row  // of an earlier run, of points that have not been reached
	whole       []pointRows
	Interrupted bool
	When        time.Time
}

// Run works through the points of e and writes NAME.csv, a chart and NAME.txt after each, so whatever ends it leaves
// what is done: a file that cannot be written, as on a full disk, stays as it was. That files can be written at all is
// tried first. When ctx ends, the point under way is dropped, and the error is ctx's.
func Run(ctx context.Context, e *Experiment, o Options) (*Outcome, error) {
	points := o.Part.of(e.at(o))
	out := &Outcome{Experiment: e, Size: o.Size, Planned: len(points), When: time.Now()}
	if e.Data != nil && o.File != nil {
		b, err := e.Data(o.Load)
		if err == nil {
			o.File, _, err = rbm.WithRows(o.File, b, nil)
		}
		if err != nil {
			return out, err
		}
	}

	// Rows of an earlier run, and the cost of all points.
	before, err := out.begin(o, points)
	if err != nil {
		return out, err
	}
	total, done := 0.0, 0.0
	for _, p := range points {
		total += p.Cost
	}
	for i, p := range points {
		if p.Follow != nil {
			p.Link = p.Follow(out.Rows)
		}
		if old := out.kept(before, p); old != nil {
			for _, row := range old {
				out.rest = slices.DeleteFunc(slices.Clone(out.rest), row.makes)
			}
			out.Rows = append(out.Rows, old...)
			out.reached = i + 1
			total -= p.Cost
			Refer(out.Rows)
			continue
		}

		// The measurement, with word of its progress.
		label := fmt.Sprintf("%d of %d: %s, %s", i+1, len(points), p.Panel, p.Series)
		rows, err := Measure(ctx, p, o, func(share float64) {
			at := (done + num.Mul(share, p.Cost)) / total
			o.Say(label+", "+format.Progress(at, time.Since(out.When).Seconds()), false)
		})
		if ctx.Err() != nil {
			out.Interrupted = true
			if len(out.Rows) > 0 { // the pages of what an earlier run left
				if err := out.write(o); err != nil {
					return out, err
				}
			}
			return out, ctx.Err()
		}
		if err != nil {
			return out, fmt.Errorf("%s (#%s): %w", label, p.Link, err)
		}

		// The new rows join the table, and the files are written again.
		done += p.Cost
		out.join(p, rows)
		out.reached = i + 1
		if i+1 < len(points) {
			if err := out.write(o); err != nil {
				return out, err
			}
		}
		row := &rows[len(rows)-1]
		spread := ""
		if num.Known(row.SD) { // of one run there is none
			spread = fmt.Sprintf(", sd %.2f", row.SD)
		}
		o.Say(fmt.Sprintf("%s: log Z %.2f%s, %.3g s; %s", label, row.LogZ(), spread, row.Seconds,
			format.Progress(done/total, time.Since(out.When).Seconds())), true)
	}
	out.rest = nil
	return out, out.write(o)
}

// files are Files, none where there are none.
func (e *Experiment) files() map[string][]byte {
	if e.Files == nil {
		return nil
	}
	return e.Files()
}

// at are the points of a run: without an own file that stands beside others, those of other panels.
func (e *Experiment) at(o Options) []Point {
	points := e.Points(o.Size)
	if !e.Beside || o.File != nil || o.Rows {
		return points
	}
	var own []string
	for _, p := range points {
		if spec.IsFile(cmp.Or(Value(p.Link, "model"), Value(p.Link, "train"))) {
			own = append(own, p.Panel)
		}
	}
	return slices.DeleteFunc(points, func(p Point) bool { return slices.Contains(own, p.Panel) })
}

// write puts the files of what is known so far into the folder, the table first.
func (out *Outcome) write(o Options) error {
	if o.Part.N == 0 {
		out.Findings = out.Judge(out.Rows)
		for i := range out.Findings {
			f := &out.Findings[i]
			f.Ours = f.Ours || out.Others != nil && out.Others(f.Panel)
		}
	}
	put := func(extension string, data []byte, err error) error {
		if err != nil {
			return err
		}
		if err := disk.Write(filepath.Join(o.Dir, out.Name+extension), data); err != nil {
			return fmt.Errorf("the results cannot be written: %w; %d points are in %s: make room there and go on with -continue",
				err, out.Saved, o.Dir)
		}
		return nil
	}

	// The rows that a table does not keep, and the table; a part of an experiment writes nothing else.
	if len(out.whole) > 0 {
		b, err := coded(out.whole)
		if err := put(".kept", b, err); err != nil {
			return err
		}
	}
	if err := put(o.Part.ending(), out.table(), nil); err != nil {
		return err
	}
	if out.Saved = out.saved(); o.Part.N > 0 {
		return nil
	}

	// The text and the chart.
	if err := put(".txt", out.text(), nil); err != nil {
		return err
	}
	image, extension, err := out.Chart(out.Rows, out.Experiment)
	if err != nil || image != nil {
		if err := put(extension, image, err); err != nil {
			return err
		}
	}

	// The page, and the counts of the index.
	if o.Page {
		for name, text := range out.files() {
			if err := disk.Write(filepath.Join(o.Dir, name), text); err != nil {
				return err
			}
		}
		page, err := out.page(extension)
		if err := put(".html", page, err); err != nil {
			return err
		}
		return recount(o.Dir)
	}
	return nil
}
