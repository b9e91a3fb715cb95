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

// Snapshot is all that the page shows at one moment. Views and scenes are functions of it, and none of them changes it.
type Snapshot struct {
	Experiment
	Appearance
	Run
	Shell   bool             // the page before anything has been computed
	BadLink bool             // the link could not be taken
	Reports []*report.Report // of the methods; nil while nothing has been run
	Focus   int              // index into the methods of the spec
	Summary string           // for screen readers

	Problem *Message // over the page, nil for none
	Panels  Panels
	Canvas  Canvas
	Works   []Work // what goes on beside the run; what people asked for last comes first
	Working bool   // one of them is not paused

	Points      map[string][]frame.Point  // curves, by method
	Courses     map[string][]frame.Course // of the methods that are done
	Frames      []*frame.Frame            // of the picture on show
	Reach       float64                   // largest coordinate of points in this run
	PathStats   *schedule.PathStats       // of the model's path from base to target, nil while nothing is known
	Noise       *frame.Noise              // nil where its scene is not on show
	Starts      []frame.Start             // paths from other bases, as far as they have been probed
	Unresampled *frame.Unresampled        // particles that are never resampled, nil while they are not known
	Means       []float64                 // exact ones of the model's units, nil while they are not known
	Density     bool                      // that of the model's target is known

	Previous Previous
	Rival    Rival // of the result of the shown method
	Pool     Pool
	Offers   map[string]*Action // what would mend failing checks of the shown method, by their names
	Quiz     Quiz

	Sharing  Sharing
	Codes    Codes
	QRs      map[string]html.QR // QR codes by their texts, as far as they are drawn
	Lesson   Lesson
	Lecture  Lecture
	Hero     Hero
	Check    Check
	Room     Room
	Training Training
	Program  Program
	Samples  Samples
}

// Run says how the run of the experiment stands.
type Run struct {
	State   runstate.Run
	Active  bool // units can be handed out
	Awaited bool // a run beside the experiment follows, or is under way
	Share   float64
	Elapsed float64            // seconds
	Left    float64            // seconds, about
	Took    map[string]float64 // seconds of each finished method
	Lanes   int                // workers there are
	Size    int                // workers there should be
	Opening float64            // the share of the model that the workers have opened
	OnShow  string             // the method whose particles the picture shows, "" if that is not known

	Model      models.Model // nil before the run has begun
	Preparing  bool
	Summing    bool
	Narrowing  bool
	SumSeconds float64            // that adding up the exact value takes, 0 where it is not offered
	Narrower   float64            // seconds that narrowing the interval of log Z takes, 0 where it is not offered
	Planned    map[string]float64 // chain-sweeps of a replicate, by method
	Runs       map[string]int     // the number of the run that a method reads
}

// Begun reports whether the experiment has been run.
func (r *Run) Begun() bool { return r.Model != nil }

// SameRun reports whether two methods read one run.
func (r *Run) SameRun(a, b string) bool { return r.Runs[a] == r.Runs[b] }

// Work says how something long stands.
type Work struct {
	Doing  string // key of what is being done, for people
	Paused bool
	Share  float64
}

// Rival is a result to compare with, and the name that people give to its model.
type Rival struct {
	Report  *report.Report
	Name    string
	Program string // what stands for it in links, where it is a program
}

// Pool are the replicates of the shown method, pooled in four ways.
type Pool struct {
	Able   bool        // there is something to pool
	Course []PoolPoint // nil while the four ways are not on show
}

// PoolPoint is what the first n runs give: in the order of view.PoolWays.
type PoolPoint struct {
	N    int
	Ways [4]temper.Pool
}

// Quiz is what the student has said of the broken experiment on show.
type Quiz struct {
	Chosen   string  // key of a reason
	Answered bool    // the page has answered
	Repair   *Action // the experiment without what its run shows to be wrong
}

// Shown is the report whose number is large, nil while there is none.
func (s *Snapshot) Shown() *report.Report {
	if s.Focus < len(s.Reports) {
		return s.Reports[s.Focus]
	}
	return nil
}

// Hides are the parts of the page that are not shown: by the link, and, in a room, what would change what is run.
func (s *Snapshot) Hides() []string {
	switch {
	case !s.Room.Bound() && !s.Room.Lent():
		return s.Settings.Hide
	case s.Room.Lent():
		return []string{"setup", "methods", "params", "advanced", "seed", "run", "forest", "checks", "numbers", "share"}
	}
	return append([]string{"setup", "run"}, s.Settings.Hide...)
}

// Keyed reports whether a key works: not where the link hides the control that it stands for.
func (s *Snapshot) Keyed(name string) bool {
	part := "tabs"
	switch name {
	case " ", "ArrowRight", "r", "R", "Enter":
		part = "run"
	case "n", "N":
		part = "seed"
		if slices.Contains(s.Hides(), "run") {
			return false
		}
	case "?", "Escape":
		return true
	}
	return !slices.Contains(s.Hides(), part)
}

// Readers numbers the runs that the reports were read from: methods that share a run have the place of the first one.
func (s *Snapshot) Readers() []int {
	runs := make([]int, len(s.Reports))
	for i, r := range s.Reports {
		runs[i] = slices.IndexFunc(s.Reports, func(o *report.Report) bool { return s.SameRun(o.Method, r.Method) })
	}
	return runs
}

// Codes are results of one experiment under different seeds, which others sent as texts.
type Codes struct {
	Of    string                          // link of the experiment, without its seed
	Runs  map[uint32][]*estimators.Result // by the seed, for each method
	Seeds []uint32                        // as they came
	Says  string                          // what became of the last code
}

// Lesson is the lesson beside the experiment.
type Lesson struct {
	Folded bool // only its head is shown
	Text   html.HTML
}

// Check says how the check of the browser stands.
type Check struct {
	Of, At  int      // golden links in all, 0 while there has been no check, and those that are over
	Bad     []string // what differs
	Seconds float64
}

// Going reports whether golden links are left.
func (c Check) Going() bool { return c.At < c.Of }

// Latent is the model of the run where its likelihood is estimated, else nil.
func (r *Run) Latent() *latent.Model {
	m, _ := r.Model.(*latent.Model)
	return m
}

// Noisy is the method whose noise is on show, with its ladder.
func (s *Snapshot) Noisy() (method string, ladder []float64) {
	if method = s.Scheduled(s.Settings.Focus); method == "" {
		return s.Spec.Methods[0], []float64{0, 1}
	}
	text, steps := s.Values(method)
	ladder, err := schedule.Make(text, steps+1, s.PathStats)
	if err != nil { // a pilot will tell
		ladder, _ = schedule.Make("linear", steps+1, nil)
	}
	return method, ladder
}

// Ladder are the inverse temperatures of a method: the rungs of its run, else the rungs of its schedule, NaN where a
// pilot must find them.
func (s *Snapshot) Ladder(method string) []float64 {
	text, steps := s.Values(method)
	ladder := make([]float64, steps+1)
	for k := range ladder {
		ladder[k] = math.NaN()
	}
	if ShapeOf(text, steps, s.PathStats) != nil {
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

// Prior is how often a method of the experiment plans to visit each rung.
func (s *Snapshot) Prior(method string) string {
	info, _ := catalog.Method(method)
	return s.Spec.Values(info.Params, method)[PriorParam]
}
