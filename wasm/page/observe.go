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

// maxSumSeconds is the longest time in seconds of an exact sum that the page offers.
const maxSumSeconds = 600

// observe updates everything derived from the run: reports, curves, ladders, path statistics, the odds of the hero.
func (c *Controller) observe() {
	c.Found = c.currentReports()
	for _, r := range c.Found {
		c.curves.AddPoint(r)
		c.curves.AddLadder(r, c.target.KnownAlong(r))
	}
	if c.Spec != nil && c.canvas.State != state.CanvasFailed {
		c.paths.remember(c.Spec, c.ScheduleMethod(c.Settings.Focus), c.Found)
	}
	c.updateOdds(c.Found)
}

// currentReports returns the reports so far: without checksums while they are unconfirmed, and on a device of a room
// with the pooled estimate sent by the host.
func (c *Controller) currentReports() []*report.Report {
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
	if board := c.room.Board; c.room.IsDevice() && len(reports) > 0 && board.LogZ != nil && board.SE != nil {
		r := reports[0]
		r.LogZ, r.SE = report.Number(*board.LogZ), report.Number(*board.SE)
		r.Cost.Sweeps = report.Number(board.Share * c.Cost(r))
	}
	return reports
}

// Outline returns a snapshot without reports, which is enough to choose a scene.
func (c *Controller) Outline() *state.Snapshot {
	s := &state.Snapshot{Experiment: c.Experiment, Appearance: c.Appearance, Run: state.Run{State: c.State()},
		Shell: c.Host == nil, BadLink: c.Address.Rejected, Problem: c.Problem, Panels: c.Panels, Canvas: c.canvas,
		Room: c.room.Room, Previous: c.previous, Quiz: c.quiz, Sharing: c.sharing.Sharing, Codes: c.sharing.Codes.Codes,
		Lecture: c.lecture.Lecture, Hero: c.hero, Summary: c.summary.text,
		Training: c.training.Facts(), Check: c.check.facts(), Program: c.programs.Program,
		Samples: c.imports.Samples}
	s.Room.Question = c.room.OnShow()
	if c.Job != nil {
		s.Model = c.Job.Model
	}
	s.OnShow = c.shownMethod()
	if c.Spec != nil {
		s.Focus = max(slices.Index(c.Spec.Methods, c.Settings.Focus), 0)
		s.PathStats, s.Density = c.paths.find(c.Spec), c.target.IsFor(c.Spec)
	}
	return s
}

// Snapshot returns everything the page shows now; the run is as of the last observe.
func (c *Controller) Snapshot() *state.Snapshot {
	s := c.Outline()
	s.Reports = c.Found
	c.Current.FillIn(&s.Run)
	s.Lanes, s.Size, s.OpeningShare = len(c.Workers.Lanes), c.Workers.Size, c.Workers.OpeningShare()
	s.Works, s.Working = c.Works.Facts(), c.Working()
	s.Points, s.Courses = maps.Clone(c.curves.Points), maps.Clone(c.curves.Courses)
	s.Frames, s.MaxCoordinate = c.shown.frames, c.shown.maxCoordinate
	s.Codes.Runs = maps.Clone(s.Codes.Runs)
	s.Room.Course = slices.Clone(s.Room.Course)
	c.probes.FillIn(s)
	if c.Settings.Lesson > 0 {
		c.lesson.open(c.Settings.Lesson, c.Words, c.Settings, c.Site(""))
	}
	s.Lesson = c.lesson.Lesson
	if s.Begun() {
		c.addJudgement(s)
	}
	s.QRs = c.qrs.draw(view.QRTexts(s))
	return s
}

// addJudgement adds the compared result and the offered changes for failing checks.
func (c *Controller) addJudgement(s *state.Snapshot) {
	r := s.Shown()
	if r == nil {
		return
	}
	s.Pool = c.pooling.Facts(c.Job, r.Method, c.Settings.Pool)
	if s.State == runstate.Done && s.Reports[0].Truth == nil {
		if seconds, ok := c.Job.SumSeconds(); ok && seconds <= maxSumSeconds {
			s.SumSeconds = seconds
		} else if seconds, ok := c.Job.NarrowSeconds(); ok {
			s.NarrowSeconds = seconds
		}
	}
	if r.State != runstate.MethodDone {
		return
	}
	if report.IsNumber(r.LogZ) {
		s.Rival = c.rivalOf(r)
	}
	a := c.adviser()
	hiddenParts := s.HiddenParts()
	if c.Settings.Break == 0 && !slices.Contains(hiddenParts, "run") && !slices.Contains(hiddenParts, "params") {
		s.Offers = c.advice.Proposals(a, r)
	}
	if found := repair.Diagnose(s.Reports, s.Focus); c.quiz.Answered && s.State == runstate.Done && len(found) > 0 {
		s.Quiz.Repair = a.Corrected(found[0].Reason, r)
	}
}

// adviser returns the planner of changes to the experiment.
func (c *Controller) adviser() *repair.Adviser {
	return &repair.Adviser{Experiment: c.Experiment, Appearance: c.Appearance, Model: c.Job.Model, Options: c.Options(&c.Workers)}
}

// pathStats has the statistics of models' paths from base to target that runs have measured, by model key.
type pathStats map[string]*schedule.PathStats

// find returns the path statistics of an experiment, or nil.
func (all pathStats) find(s *spec.Spec) *schedule.PathStats {
	return all[engine.ModelKey(s, catalog.Names{})]
}

// remember stores the path statistics of the reports; those of the method preferred come first.
func (all pathStats) remember(s *spec.Spec, preferred string, reports []*report.Report) {
	var found *schedule.PathStats
	for _, r := range reports {
		if r.PathStats != nil && !r.PathStats.Fitted && (found == nil || r.Method == preferred) {
			found = r.PathStats
		}
	}
	if found != nil && slices.Max(found.Var) > 0 {
		all[engine.ModelKey(s, catalog.Names{})] = found
	}
}
