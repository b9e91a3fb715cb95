package state

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/estimators/temper"
	"logzlab/models"
	"logzlab/models/latent"
	"logzlab/render/html"
)

// Snapshot is everything the page shows at one moment. Views and scenes are functions of it and do not modify it.
type Snapshot struct {
	Experiment
	Appearance
	Run
	Shell   bool             // the page before anything is computed
	BadLink bool             // the link was rejected
	Reports []*report.Report // one for each method; nil before the first run
	Focus   int              // index of the selected method
	Summary string           // for screen readers

	Problem *Message // over the page, nil for none
	Panels  Panels
	Canvas  Canvas
	Works   []Work // long computations in progress; the one requested last comes first
	Working bool   // at least one of them is not paused

	Points        map[string][]frame.Point  // curves, by method
	Courses       map[string][]frame.Course // curves of finished methods
	Frames        []*frame.Frame            // the frames on show
	MaxCoordinate float64                   // largest coordinate of points so far
	PathStats     *schedule.PathStats       // statistics of the path from base to target, nil if unknown
	Noise         *frame.Noise              // nil if its scene is not on show
	Starts        []frame.Start             // paths from other bases that have been probed
	Unresampled   *frame.Unresampled        // the run without resampling, nil if not computed
	Means         []float64                 // exact means of the model's units, nil if unknown
	Density       bool                      // the target density has been computed for the picture

	Previous Previous
	Rival    Rival // compared with the result of the selected method
	Pool     Pool
	Offers   map[string]*Action // changes that should make failing checks pass, by check
	Quiz     Quiz

	Sharing  Sharing
	Codes    Codes
	QRs      map[string]html.QR // finished QR codes, by text
	Lesson   Lesson
	Lecture  Lecture
	Hero     Hero
	Check    Check
	Room     Room
	Training Training
	Program  Program
	Samples  Samples
}

// Run is the state of the experiment's run.
type Run struct {
	State            runstate.Run
	Active           bool // units can be given to workers
	AuxiliaryPending bool // an auxiliary run follows, or is in progress
	Share            float64
	Elapsed          float64            // seconds
	Left             float64            // estimated remaining seconds
	MethodSeconds    map[string]float64 // seconds of each finished method
	Lanes            int                // number of running workers
	Size             int                // intended number of workers
	OpeningShare     float64            // progress of opening the model in the workers
	OnShow           string             // the method whose particles the picture shows, "" if unknown

	Model         models.Model // nil before the run has begun
	Preparing     bool
	Summing       bool
	Narrowing     bool
	SumSeconds    float64            // time of computing the exact value, 0 if it is not offered
	NarrowSeconds float64            // time of narrowing the bounds of log Z, 0 if it is not offered
	Planned       map[string]float64 // planned sweeps of all chains in one replicate, by method
	Runs          map[string]int     // the number of the run that a method uses
}

// Begun reports whether the experiment has been started.
func (r *Run) Begun() bool { return r.Model != nil }

// SameRun reports whether two methods use the same run.
func (r *Run) SameRun(a, b string) bool { return r.Runs[a] == r.Runs[b] }

// Work is the progress of a long computation.
type Work struct {
	Doing  string // key of its description
	Paused bool
	Share  float64
}

// Rival is a result to compare with, and the name of its model.
type Rival struct {
	Report  *report.Report
	Name    string
	Program string // for a Stan program: its value in links
}

// Pool has the replicates of the selected method, pooled in four ways.
type Pool struct {
	Available bool        // there are replicates to pool
	Course    []PoolPoint // nil if the four ways are not on show
}

// PoolPoint has the pooled estimates of the first n runs, in the order of view.PoolWays.
type PoolPoint struct {
	N    int
	Ways [4]temper.Pool
}

// Quiz is the student's answer about a broken experiment.
type Quiz struct {
	Chosen   string  // key of the selected reason
	Answered bool    // the answer is shown
	Repair   *Action // runs the corrected experiment
}

// Shown returns the report of the selected method, or nil.
func (s *Snapshot) Shown() *report.Report {
	if s.Focus < len(s.Reports) {
		return s.Reports[s.Focus]
	}
	return nil
}

// HiddenParts returns the hidden parts of the page: those of the link and, in a room, controls that would change the
// experiment.
func (s *Snapshot) HiddenParts() []string {
	switch {
	case !s.Room.LocksExperiment() && !s.Room.IsDevice():
		return s.Settings.Hide
	case s.Room.IsDevice():
		return []string{"setup", "methods", "params", "advanced", "seed", "run", "forest", "checks", "numbers", "share"}
	}
	return append([]string{"setup", "run"}, s.Settings.Hide...)
}

// KeyEnabled reports whether a key works; it does not if the link hides the corresponding control.
func (s *Snapshot) KeyEnabled(name string) bool {
	part := "tabs"
	switch name {
	case " ", "ArrowRight", "r", "R", "Enter":
		part = "run"
	case "n", "N":
		part = "seed"
		if slices.Contains(s.HiddenParts(), "run") {
			return false
		}
	case "?", "Escape", "b", "B", ".":
		return true
	}
	return !slices.Contains(s.HiddenParts(), part)
}

// RunOwners returns, for each report, the index of the first report that uses the same run.
func (s *Snapshot) RunOwners() []int {
	runs := make([]int, len(s.Reports))
	for i, r := range s.Reports {
		runs[i] = slices.IndexFunc(s.Reports, func(o *report.Report) bool { return s.SameRun(o.Method, r.Method) })
	}
	return runs
}

// Codes are results of one experiment with different seeds, received as texts.
type Codes struct {
	Link   string                          // link of the experiment without its seed
	Runs   map[uint32][]*estimators.Result // results of each method, by seed
	Seeds  []uint32                        // in order of arrival
	Status string                          // message about the last code
}

// Lesson is the lesson beside the experiment.
type Lesson struct {
	Folded bool // only its title is shown
	Text   html.HTML
}

// Check is the state of the browser check.
type Check struct {
	Total, Done int      // number of reference links, 0 before the first check, and number of finished ones
	Differences []string // differences
	Seconds     float64
}

// InProgress reports whether the check is in progress.
func (c Check) InProgress() bool { return c.Done < c.Total }

// Latent returns the model of the run if its likelihood is estimated, else nil.
func (r *Run) Latent() *latent.Model {
	m, _ := r.Model.(*latent.Model)
	return m
}

// NoiseMethod returns the method whose likelihood noise is on show, and its ladder.
func (s *Snapshot) NoiseMethod() (method string, ladder []float64) {
	if method = s.ScheduleMethod(s.Settings.Focus); method == "" {
		return s.Spec.Methods[0], []float64{0, 1}
	}
	text, steps := s.ScheduleOf(method)
	ladder, err := schedule.Make(text, steps+1, s.PathStats)
	if err != nil { // known only after a pilot
		ladder, _ = schedule.Make("linear", steps+1, nil)
	}
	return method, ladder
}

// Ladder returns the inverse temperatures of a method: the rungs of its run, else those of its schedule; NaN if a pilot
// must find them.
func (s *Snapshot) Ladder(method string) []float64 {
	text, steps := s.ScheduleOf(method)
	ladder := make([]float64, steps+1)
	for k := range ladder {
		ladder[k] = math.NaN()
	}
	if ScheduleCurve(text, steps, s.PathStats) != nil {
		if made, err := schedule.Make(text, steps+1, s.PathStats); err == nil {
			ladder = made
		}
	}
	for _, r := range s.Reports {
		if r.Method == method && len(r.Ladder) == len(ladder) {
			for k := range ladder {
				ladder[k] = float64(r.Ladder[k].Beta)
			}
		}
	}
	return ladder
}

// Prior returns the planned share of visits of each rung for a method, in the notation of links.
func (s *Snapshot) Prior(method string) string {
	info, _ := catalog.Method(method)
	return s.Spec.Values(info.Params, method)[PriorParam]
}
