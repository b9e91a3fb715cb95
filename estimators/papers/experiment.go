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
	Figure      string // figure, table or section of the paper
	By          string // author of the claims; "": the paper
	File        string // id of the user's model file that the links refer to; "": links refer to bundled models
	Rows        bool   // File has training rows instead of a model
	// Data, if set, returns the rows of data that are added to the user's model; links refer to them by the key data.
	Data func(Load) ([]byte, error)
	// Files, if set, returns files to write next to the page, by name: the models in links that are not bundled.
	Files        func() map[string][]byte
	FileOptional bool // only some links refer to File; if it is missing, the panels of these links are omitted
	Points       func(Size) []Point
	Judge        func([]Row) []Finding
	// OtherModels, if set, reports whether a panel uses other models than the paper although the paper's models are
	// available. The findings of such a panel count as this lab's. A model that replaces an unavailable one, of the same
	// kind and size and made in the same way, does not count as another model.
	OtherModels func(panel string) bool
	Chart       func([]Row, *Experiment) (image []byte, extension string, err error)
	Notes       []string // differences from the paper
	Axes        Axes
	More        any // a value of the type of Row.More, to register with gob; nil if rows have no such data

	// Title, Lead and Alt are the heading of the page, its first sentence and the description of the chart for screen
	// readers. Live is a link into the lab, with its text.
	Title, Lead, Alt string
	Live             [2]string
}

// claimant returns the author of the claims, "the paper" by default.
func (e *Experiment) claimant() string { return cmp.Or(e.By, "the paper") }

// Point is a configuration to measure: a link. Its replicates are the independent estimates or, if there is only one
// replicate, its islands.
type Point struct {
	Panel  string // plot of the figure
	Series string // line of the plot
	// Readers has a series for each method of a link whose methods read the same run. Each series gets a row.
	Readers []string
	// Other is the name of a diagnostic that is a second estimate of log Z from the same run, and OtherSeries is the
	// series of that estimate; "" if there is none.
	Other       diag.Number
	OtherSeries string
	// Link states every value that the point's label shows, even if it is the current default, so that the point stays
	// the same if defaults change. It is "" for points without a link.
	Link string
	File models.File // model that the link refers to, for experiments with Files
	// At is the position along the line, in the unit of the axis. If it is 0, the position is the processor time.
	At   float64
	Step string // text with the value of the quantity that grows along the line; "": from particles or temperatures
	// Follow, if set, returns Link, computed from the rows of earlier points.
	Follow    func([]Row) string
	Reference bool    // other rows of the panel are compared with this one
	Cost      float64 // expected CPU seconds, to predict the remaining time
	Counted   float64 // share of the processor time that is counted as the cost of the estimate; 0: all
	// Make, if set, computes the rows of the point instead of running its link. Such rows usually have data that the
	// table NAME.csv cannot hold; the file NAME.kept stores them, so that the experiment can be continued.
	Make  func(ctx context.Context, p Point, load Load, progress func(share float64)) ([]Row, error)
	Seeds int  // number of runs with consecutive seeds, whose ladders are stored in the row; 0: one run of the link
	Kept  bool // the table can hold all data needed of a point with Make or Seeds
}

// Load reads a bundled file of the site.
type Load func(file string) ([]byte, error)

// Options controls the run of an experiment.
type Options struct {
	Dir     string // output folder, created if missing
	Size    Size
	Workers int
	Page    bool // also write NAME.html, a page of the site
	// Continue keeps the points of an earlier run that are in these files in Dir: NAME.csv up to its last complete line,
	// the tables of parts, and NAME.kept.
	Continue bool
	Part     Part // points to compute; the zero value: all
	Load     Load
	File     models.File // the user's file, for experiments that have one
	Rows     bool        // Load returns the user's training rows for the id of their file
	// Say reports progress as text; done is set for the last message of a point.
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
	reached     int    // number of points done in this run
	madeBefore  []bool // by point: whether an earlier run has computed it
	pendingRows []Row  // rows of an earlier run for points that this run has not reached yet
	extraRows   []pointRows
	Interrupted bool
	When        time.Time
}

// Run measures the points of e one after another. After each point it writes NAME.csv, a chart and NAME.txt, so that
// the results are kept if it is stopped. A file that cannot be written, for example because the disk is full, stays
// unchanged. Run checks at the start that files can be written. When ctx ends, Run discards the current point and
// returns the error of ctx.
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

	// Read the rows of an earlier run, and compute the expected cost of all points.
	earlier, err := out.begin(o, points)
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
		if kept := out.restoreRows(earlier, p); kept != nil {
			for _, row := range kept {
				out.pendingRows = slices.DeleteFunc(slices.Clone(out.pendingRows), row.produces)
			}
			out.Rows = append(out.Rows, kept...)
			out.reached = i + 1
			total -= p.Cost
			SetReferences(out.Rows)
			continue
		}

		// Measure the point, and report progress.
		label := fmt.Sprintf("%d of %d: %s, %s", i+1, len(points), p.Panel, p.Series)
		rows, err := Measure(ctx, p, o, func(share float64) {
			doneShare := (done + num.Mul(share, p.Cost)) / total
			o.Say(label+", "+format.Progress(doneShare, time.Since(out.When).Seconds()), false)
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

// files returns the files to write next to the page, nil if there are none.
func (e *Experiment) files() map[string][]byte {
	if e.Files == nil {
		return nil
	}
	return e.Files()
}

// points returns the points of a run. If an optional file is missing, it omits the panels that need the file.
func (e *Experiment) points(o Options) []Point {
	points := e.Points(o.Size)
	if !e.FileOptional || o.File != nil || o.Rows {
		return points
	}
	var filePanels []string
	for _, p := range points {
		if spec.IsFile(cmp.Or(LinkValue(p.Link, "model"), LinkValue(p.Link, "train"))) {
			filePanels = append(filePanels, p.Panel)
		}
	}
	return slices.DeleteFunc(points, func(p Point) bool { return slices.Contains(filePanels, p.Panel) })
}

// write judges the rows so far and writes all files of the experiment, the table first.
func (out *Outcome) write(o Options) error {
	if o.Part.N == 0 {
		out.Findings = out.Judge(out.Rows)
		for i := range out.Findings {
			f := &out.Findings[i]
			f.Ours = f.Ours || out.OtherModels != nil && out.OtherModels(f.Panel)
		}
	}
	writeFile := func(extension string, data []byte, err error) error {
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
		if err := writeFile(".kept", b, err); err != nil {
			return err
		}
	}
	if err := writeFile(o.Part.suffix(), out.table(), nil); err != nil {
		return err
	}
	if out.Saved = out.countSaved(); o.Part.N > 0 {
		return nil
	}

	// The text and the chart.
	if err := writeFile(".txt", out.text(), nil); err != nil {
		return err
	}
	image, extension, err := out.Chart(out.Rows, out.Experiment)
	if err != nil || image != nil {
		if err := writeFile(extension, image, err); err != nil {
			return err
		}
	}

	// The page, and the number of findings on the index page.
	if o.Page {
		for name, text := range out.files() {
			if err := disk.Write(filepath.Join(o.Dir, name), text); err != nil {
				return err
			}
		}
		page, err := out.page(extension)
		if err := writeFile(".html", page, err); err != nil {
			return err
		}
		return updateIndex(o.Dir)
	}
	return nil
}
