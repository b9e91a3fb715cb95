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
func (b *Brain) observe() {
	b.Found = b.reported()
	for _, r := range b.Found {
		b.curves.Remember(r)
		b.curves.Climb(r, b.target.Along(r))
	}
	if b.Spec != nil && b.canvas.State != state.CanvasFailed {
		b.paths.remember(b.Spec, b.Scheduled(b.Settings.Focus), b.Found)
	}
	b.weighHero(b.Found)
}

// reported are the reports so far: without hashes as long as they are unconfirmed, and on a device of a room with the
// estimate of all, as the host tells it.
func (b *Brain) reported() []*report.Report {
	reports := b.Results()
	for i, r := range reports {
		if r.Hash != "" && b.room.Unconfirmed() {
			x := *r
			if x.Hash = ""; b.room.Counts.Marked() {
				x.MarkUnconfirmed(b.room.Counts.Unconfirmed, b.room.Counts.Replicates)
			}
			reports[i] = &x
		}
	}
	if told := b.room.Board; b.room.Lent() && len(reports) > 0 && told.LogZ != nil && told.SE != nil {
		r := reports[0]
		r.LogZ, r.SE = report.Number(*told.LogZ), report.Number(*told.SE)
		r.Cost.Sweeps = report.Number(told.Share * b.Cost(r))
	}
	return reports
}

// Outline is the part of a snapshot that needs no reports: enough to choose a scene.
func (b *Brain) Outline() *state.Snapshot {
	s := &state.Snapshot{Experiment: b.Experiment, Appearance: b.Appearance, Run: state.Run{State: b.State()},
		Shell: b.Host == nil, BadLink: b.Address.Bad, Problem: b.Problem, Panels: b.Panels, Canvas: b.canvas,
		Room: b.room.Room, Previous: b.previous, Quiz: b.quiz, Sharing: b.sharing.Sharing, Codes: b.sharing.Codes.Codes,
		Lecture: b.lecture.Lecture, Hero: b.hero, Summary: b.summary.text,
		Training: b.training.Facts(), Check: b.check.facts(), Program: b.programs.Program,
		Samples: b.readings.Samples}
	s.Room.Asked = b.room.OnShow()
	if b.Job != nil {
		s.Model = b.Job.Model
	}
	s.OnShow = b.onShow()
	if b.Spec != nil {
		s.Focus = max(slices.Index(b.Spec.Methods, b.Settings.Focus), 0)
		s.PathStats, s.Density = b.paths.of(b.Spec), b.target.Knows(b.Spec)
	}
	return s
}

// Snapshot is all that the page shows now, read from its parts: of the run what was last taken in (observe).
func (b *Brain) Snapshot() *state.Snapshot {
	s := b.Outline()
	s.Reports = b.Found
	b.Current.Tell(&s.Run)
	s.Lanes, s.Size, s.Opening = len(b.Crew.Lanes), b.Crew.Size, b.Crew.Opening()
	s.Works, s.Working = b.Works.Facts(), b.Working()
	s.Points, s.Courses = maps.Clone(b.curves.Points), maps.Clone(b.curves.Courses)
	s.Frames, s.Reach = b.shown.frames, b.shown.reach
	s.Codes.Runs = maps.Clone(s.Codes.Runs)
	s.Room.Course = slices.Clone(s.Room.Course)
	b.probes.Tell(s)
	if b.Settings.Lesson > 0 {
		b.booklet.open(b.Settings.Lesson, b.Words, b.Settings, b.Site(""))
	}
	s.Lesson = b.booklet.Lesson
	if s.Begun() {
		b.judge(s)
	}
	s.QRs = b.qrs.draw(view.QRTexts(s))
	return s
}

// judge adds to the shown result the result to compare with and the levers that would mend a bad verdict.
func (b *Brain) judge(s *state.Snapshot) {
	r := s.Shown()
	if r == nil {
		return
	}
	s.Pool = b.pooling.Facts(b.Job, r.Method, b.Settings.Pool)
	if s.State == runstate.Done && s.Reports[0].Truth == nil {
		if seconds, ok := b.Job.SumSeconds(); ok && seconds <= mostSum {
			s.SumSeconds = seconds
		} else if seconds, ok := b.Job.NarrowSeconds(); ok {
			s.Narrower = seconds
		}
	}
	if r.State != runstate.MethodDone {
		return
	}
	if report.IsNumber(r.LogZ) {
		s.Rival = b.rivalOf(r)
	}
	a := b.adviser()
	hidden := s.Hides()
	if b.Settings.Break == 0 && !slices.Contains(hidden, "run") && !slices.Contains(hidden, "params") {
		s.Offers = b.advice.Of(a, r)
	}
	if found := repair.Diagnose(s.Reports, s.Focus); b.quiz.Answered && s.State == runstate.Done && len(found) > 0 {
		s.Quiz.Repair = a.Repaired(found[0].Reason, r)
	}
}

// adviser plans changes of the experiment that has been run.
func (b *Brain) adviser() *repair.Adviser {
	return &repair.Adviser{Experiment: b.Experiment, Appearance: b.Appearance, Model: b.Job.Model, Options: b.Options(&b.Crew)}
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
