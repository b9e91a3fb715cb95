package page

import (
	"maps"
	"slices"

	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// mostSum is how many seconds of adding up the exact value the page offers.
const mostSum = 600

// observe takes in what the run has found since the last time: reports, curves, ladders, its path, the hero's odds.
func (c *Controller) observe() {
	c.Found = c.reported()
	for _, r := range c.Found {
		c.curves.Remember(r)
		c.curves.Climb(r, c.target.Along(r))
	}
	if c.Spec != nil && c.canvas.State != state.CanvasFailed {
		c.paths.remember(c.Spec, c.Scheduled(c.Settings.Focus), c.Found)
	}
	c.weighHero(c.Found)
}

// reported are the reports so far: without hashes as long as they are unconfirmed, and on a device of a room with the
// estimate of all, as the host tells it.
func (c *Controller) reported() []*report.Report {
	reports := c.Results()
	for i, r := range reports {
		if r.Hash != "" && c.room.Unconfirmed() {
			x := *r
			if x.Hash = ""; c.room.Counts.Marked() {
				x.MarkUnconfirmed(c.room.Counts.Unconfirmed, c.room.Counts.Replicates)
			}
			reports[i] = &x
		}
	}
	if told := c.room.Board; c.room.Lent() && len(reports) > 0 && told.LogZ != nil && told.SE != nil {
		r := reports[0]
		r.LogZ, r.SE = report.Number(*told.LogZ), report.Number(*told.SE)
		r.Cost.Sweeps = report.Number(told.Share * c.Cost(r))
	}
	return reports
}

// Outline is the part of a snapshot that needs no reports: enough to choose a scene.
func (c *Controller) Outline() *state.Snapshot {
	s := &state.Snapshot{Experiment: c.Experiment, Appearance: c.Appearance, Run: state.Run{State: c.State()},
		Shell: c.Host == nil, BadLink: c.Address.Bad, Problem: c.Problem, Panels: c.Panels, Canvas: c.canvas,
		Room: c.room.Room, Previous: c.previous, Quiz: c.quiz, Sharing: c.sharing.Sharing, Codes: c.sharing.Codes.Codes,
		Lecture: c.lecture.Lecture, Hero: c.hero, Summary: c.summary.text,
		Training: c.training.Facts(), Check: c.check.facts(), Program: c.programs.Program,
		Samples: c.imports.Samples}
	s.Room.Asked = c.room.OnShow()
	if c.Job != nil {
		s.Model = c.Job.Model
	}
	s.OnShow = c.onShow()
	if c.Spec != nil {
		s.Focus = max(slices.Index(c.Spec.Methods, c.Settings.Focus), 0)
		s.PathStats, s.Density = c.paths.of(c.Spec), c.target.Knows(c.Spec)
	}
	return s
}

// Snapshot is all that the page shows now, read from its parts: of the run what was last taken in (observe).
func (c *Controller) Snapshot() *state.Snapshot {
	s := c.Outline()
	s.Reports = c.Found
	c.Current.Tell(&s.Run)
	s.Lanes, s.Size, s.Opening = len(c.Workers.Lanes), c.Workers.Size, c.Workers.Opening()
	s.Works, s.Working = c.Works.Facts(), c.Working()
	s.Points, s.Courses = maps.Clone(c.curves.Points), maps.Clone(c.curves.Courses)
	s.Frames, s.Reach = c.shown.frames, c.shown.reach
	s.Codes.Runs = maps.Clone(s.Codes.Runs)
	s.Room.Course = slices.Clone(s.Room.Course)
	c.probes.Tell(s)
	if c.Settings.Lesson > 0 {
		c.booklet.open(c.Settings.Lesson, c.Words, c.Settings, c.Site(""))
	}
	s.Lesson = c.booklet.Lesson
	if s.Begun() {
		c.judge(s)
	}
	s.QRs = c.qrs.draw(view.QRTexts(s))
	return s
}

// judge adds to the shown result the result to compare with and the levers that would mend a bad verdict.
func (c *Controller) judge(s *state.Snapshot) {
	r := s.Shown()
	if r == nil {
		return
	}
	s.Pool = c.pooling.Facts(c.Job, r.Method, c.Settings.Pool)
	if s.State == runstate.Done && s.Reports[0].Truth == nil {
		if seconds, ok := c.Job.SumSeconds(); ok && seconds <= mostSum {
			s.SumSeconds = seconds
		} else if seconds, ok := c.Job.NarrowSeconds(); ok {
			s.Narrower = seconds
		}
	}
	if r.State != runstate.MethodDone {
		return
	}
	if report.IsNumber(r.LogZ) {
		s.Rival = c.rivalOf(r)
	}
	a := c.adviser()
	hidden := s.Hides()
	if c.Settings.Break == 0 && !slices.Contains(hidden, "run") && !slices.Contains(hidden, "params") {
		s.Offers = c.advice.Of(a, r)
	}
	if found := repair.Diagnose(s.Reports, s.Focus); c.quiz.Answered && s.State == runstate.Done && len(found) > 0 {
		s.Quiz.Repair = a.Repaired(found[0].Reason, r)
	}
}

// adviser plans changes of the experiment that has been run.
func (c *Controller) adviser() *repair.Adviser {
	return &repair.Adviser{Experiment: c.Experiment, Appearance: c.Appearance, Model: c.Job.Model, Options: c.Options(&c.Workers)}
}

// paths is what runs so far have found of the paths of models from base to target, by the keys of the models.
type paths map[string]*schedule.PathStats

// of is what is known of the path of an experiment, nil: nothing.
func (all paths) of(s *spec.Spec) *schedule.PathStats {
	return all[engine.ModelKey(s, catalog.Names{})]
}

// remember keeps what the reports found of the model's own path; of several methods own, whose schedule is on show,
// goes first.
func (all paths) remember(s *spec.Spec, own string, reports []*report.Report) {
	var found *schedule.PathStats
	for _, r := range reports {
		if r.PathStats != nil && !r.PathStats.Fitted && (found == nil || r.Method == own) {
			found = r.PathStats
		}
	}
	if found != nil && slices.Max(found.Var) > 0 {
		all[engine.ModelKey(s, catalog.Names{})] = found
	}
}
