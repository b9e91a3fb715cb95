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

// Size is the amount of computation of an experiment.
type Size int

// Sizes.
const (
	Small  Size = iota // seconds: for tests
	Normal             // the default: at most two hours on two cores
	Full               // the paper's sizes: hours
)

// Experiment is a figure of a paper.
type Experiment struct {
	Name, About string
	Figure      string // where it is in the paper
	By          string // who makes the claims; "": the paper
	File        string // id of the user's model file that the links refer to; "": links refer to bundled models
	Rows        bool   // File has rows to train on instead of a model
	// Data, if set, makes the rows of the user's model that the links refer to by data.
	Data func(Load) ([]byte, error)
	// Files, if set, returns files to write next to the page: models in links that are not built in.
	Files        func() map[string][]byte
	FileOptional bool // only some links refer to File; without it their panels are omitted
	Points       func(Size) []Point
	Judge        func([]Row) []Finding
	// OtherModels, if set, reports whether a panel uses other models than the paper although the paper's are available;
	// its findings count as this lab's. Models that replace unavailable ones, of the same kind and size and made in the
	// same way, do not count as other models.
	OtherModels func(panel string) bool
	Chart       func([]Row, *Experiment) (image []byte, extension string, err error)
	Notes       []string // differences from the paper
	Axes        Axes
	More        any // a value of the type of Row.More, for gob; nil if rows have none

	// Title, Lead and Alt are the heading of the page, its first sentence and the description of the picture. Live is a
	// link with its text.
	Title, Lead, Alt string
	Live             [2]string
}

// claimant returns who makes the claims.
func (e *Experiment) claimant() string { return cmp.Or(e.By, "the paper") }

// Point is a configuration: a link. Its replicates are independent estimates; with a single replicate the islands are.
type Point struct {
	Panel  string // plot of the figure
	Series string // line of the plot
	// Readers are the series of the methods of a link that has several methods reading the same run. Each gets a row.
	Readers []string
	// Other is a diagnostic that is another estimate of log Z from the same run, and OtherSeries its line; "" if there
	// is none.
	Other       diag.Number
	OtherSeries string
	// Link states every value that the point's label shows, even if it is the current default, so that the point stays
	// the same if defaults change. It is "" for points without a link.
	Link string
	File models.File // model that the link refers to, for experiments with Files
	// At is the position along the line, in the unit of the axis; 0 means at the processor time.
	At   float64
	Step string // the quantity that grows along the line, as text; "": particles or temperatures
	// Follow, if set, computes Link from the rows so far.
	Follow    func([]Row) string
	Reference bool    // other rows of the panel are compared with this one
	Cost      float64 // expected CPU seconds, to predict the remaining time
	Counted   float64 // share of the processor time that belongs to the estimate; 0: all
	// Make, if set, computes the rows of the point instead of running its link. Such rows usually have data that a
	// table cannot hold; NAME.kept stores them for a continued experiment.
	Make  func(ctx context.Context, p Point, load Load, progress func(share float64)) ([]Row, error)
	Seeds int  // number of runs with consecutive seeds, whose ladders the row keeps; 0: one run of the link
	Kept  bool // the table holds everything needed from Make or Seeds
}

// Load reads a bundled file of the site.
type Load func(file string) ([]byte, error)

// Options controls the run of an experiment.
type Options struct {
	Dir     string // output folder, created if missing
	Size    Size
	Workers int
	Page    bool // also write NAME.html, a page of the site
	// Continue keeps the points that are already in NAME.csv in Dir, up to its last complete line, in the tables of its
	// parts, and in NAME.kept.
	Continue bool
	Part     Part // points to compute; the zero value: all
	Load     Load
	File     models.File // the user's file, for experiments that have one
	Rows     bool        // Load has the training rows, under the id of their file
	// Say reports progress; done is set at the end of a point.
	Say func(text string, done bool)
}

// Outcome is the result of an experiment so far.
type Outcome struct {
	*Experiment
	Size        Size
	Rows        []Row
	Findings    []Finding
	Planned     int    // number of points
	Saved       int    // number of points whose rows are in the files
	reached     int    // number of points done
	madeBefore  []bool // by point: an earlier run has computed it
	pendingRows []Row  // rows of an earlier run, of points not reached yet
	extraRows   []pointRows
	Interrupted bool
	When        time.Time
}

// Run works through the points of e. After each point it writes NAME.csv, a chart and NAME.txt, so that the results so
// far survive if it is stopped; a file that cannot be written, for example because the disk is full, stays unchanged.
// It first checks that files can be written. When ctx ends, the current point is discarded and the error of ctx is
// returned.
func Run(ctx context.Context, e *Experiment, o Options) (*Outcome, error) {
	points := o.Part.points(e.points(o))
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

	// Read the rows of an earlier run, and add up the cost of all points.
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
		if old := out.restoreRows(before, p); old != nil {
			for _, row := range old {
				out.pendingRows = slices.DeleteFunc(slices.Clone(out.pendingRows), row.produces)
			}
			out.Rows = append(out.Rows, old...)
			out.reached = i + 1
			total -= p.Cost
			SetReferences(out.Rows)
			continue
		}

		// Measure the point, and report progress.
		label := fmt.Sprintf("%d of %d: %s, %s", i+1, len(points), p.Panel, p.Series)
		rows, err := Measure(ctx, p, o, func(share float64) {
			at := (done + num.Mul(share, p.Cost)) / total
			o.Say(label+", "+format.Progress(at, time.Since(out.When).Seconds()), false)
		})
		if ctx.Err() != nil {
			out.Interrupted = true
			if len(out.Rows) > 0 { // write the pages of the rows so far
				if err := out.write(o); err != nil {
					return out, err
				}
			}
			return out, ctx.Err()
		}
		if err != nil {
			return out, fmt.Errorf("%s (#%s): %w", label, p.Link, err)
		}

		// Add the rows, and write the files.
		done += p.Cost
		out.addRows(p, rows)
		out.reached = i + 1
		if i+1 < len(points) {
			if err := out.write(o); err != nil {
				return out, err
			}
		}
		row := &rows[len(rows)-1]
		spread := ""
		if num.NotNaN(row.SD) { // unknown for a single run
			spread = fmt.Sprintf(", sd %.2f", row.SD)
		}
		o.Say(fmt.Sprintf("%s: log Z %.2f%s, %.3g s; %s", label, row.LogZ(), spread, row.Seconds,
			format.Progress(done/total, time.Since(out.When).Seconds())), true)
	}
	out.pendingRows = nil
	return out, out.write(o)
}

// files returns the result of Files, nil if Files is not set.
func (e *Experiment) files() map[string][]byte {
	if e.Files == nil {
		return nil
	}
	return e.Files()
}

// points returns the points of a run; panels that need an optional file are omitted if it is missing.
func (e *Experiment) points(o Options) []Point {
	points := e.Points(o.Size)
	if !e.FileOptional || o.File != nil || o.Rows {
		return points
	}
	var own []string
	for _, p := range points {
		if spec.IsFile(cmp.Or(LinkValue(p.Link, "model"), LinkValue(p.Link, "train"))) {
			own = append(own, p.Panel)
		}
	}
	return slices.DeleteFunc(points, func(p Point) bool { return slices.Contains(own, p.Panel) })
}

// write writes the files of the results so far, the table first.
func (out *Outcome) write(o Options) error {
	if o.Part.N == 0 {
		out.Findings = out.Judge(out.Rows)
		for i := range out.Findings {
			f := &out.Findings[i]
			f.Ours = f.Ours || out.OtherModels != nil && out.OtherModels(f.Panel)
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

	// Rows that a table cannot hold, and the table. A part of an experiment writes nothing else.
	if len(out.extraRows) > 0 {
		b, err := encodeRows(out.extraRows)
		if err := put(".kept", b, err); err != nil {
			return err
		}
	}
	if err := put(o.Part.suffix(), out.table(), nil); err != nil {
		return err
	}
	if out.Saved = out.countSaved(); o.Part.N > 0 {
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
		return updateIndex(o.Dir)
	}
	return nil
}
