package page

import (
	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/derived"
	"logzlab/wasm/page/imports"
	"logzlab/wasm/page/lecture"
	"logzlab/wasm/page/programs"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/route"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/sharing"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/trainer"
	"logzlab/wasm/rooms/panel"
)

// Controller holds the state of the page: the experiment, its run, the lane workers, the results so far, and the parts
// of the page, such as tour, lecture and room. The parts do not depend on one another; Controller connects them. Only
// one goroutine may call its methods.
type Controller struct {
	shared.Context
	run.Loader
	run.Current
	curves        derived.Curves
	target        derived.Target
	paths         pathStats
	probes        derived.Probes
	shown         shownFrames
	confirmedLink string  // the link whose long run the user has confirmed
	lastTick      float64 // time of the last tick
	shellEnd      float64 // while loading, the page is not repainted before this time

	lesson         lessonPane
	tour           tour
	hero           state.Hero
	drawingChanged bool // the next run has the same model with another drawing
	lecture        lecture.Lecture
	canvas         state.Canvas
	sharing        sharing.Sharing
	room           panel.Rooms
	qrs            qrStore
	pooling        derived.Pooling
	summary        summary
	check          browserCheck
	advice         repair.Advice
	training       trainer.Trainer
	programs       programs.Programs
	imports        imports.Importer
	previous       state.Previous
	quiz           state.Quiz
	handlers       map[string]func(state.Event) // by event name
	depth          int                          // nesting depth of handle
}

// NewController returns the controller of a page with a number of lane workers.
func NewController(h shared.Host, workers int) *Controller {
	c := &Controller{curves: derived.NewCurves(), Current: run.NewCurrent(h.Now), target: derived.NewTarget(), paths: pathStats{},
		advice: repair.Advice{}, canvas: state.Canvas{State: state.CanvasNone}}
	c.Context = shared.New(host{Host: h, controller: c}, c, workers, Known())
	c.Loader = run.NewLoader(c.Models)
	facts := run.NewFacts(&c.Loader, &c.Current)

	// The parts.
	c.tour = tour{&c.Context}
	c.lecture = lecture.New(&c.Context, facts)
	c.programs = programs.New(&c.Context, facts)
	c.imports = imports.New(&c.Context, facts)
	c.room = panel.New(&c.Context, facts)
	c.sharing = sharing.New(&c.Context, facts)
	c.training = trainer.New(&c.Context, facts)
	c.handlers = c.eventHandlers()
	return c
}

// Start opens the link of the page.
func (c *Controller) Start(p state.BrowserPage) { c.handle(func() { c.start(p) }) }

func (c *Controller) start(p state.BrowserPage) {
	c.Browser, c.shellEnd = p, c.Host.Now()+shared.ShellSeconds
	c.LoadLanguage()
	c.room.Remember(p.StoredRoom)
	c.sharing.FindPublicURL()
	link, lang := route.Start(p, c.Known)
	if link == "" {
		c.Settings.Lang = lang
	}
	c.Open(link)
}

// Open opens a link from the address bar or the user. The experiment of a link runs at once.
func (c *Controller) Open(link string) { c.handle(func() { c.open(link) }) }

func (c *Controller) open(link string) {
	r, err := route.Parse(link, c.Names(), c.Known)
	c.hero.Shown = false
	if r.FirstVisit {
		c.Panels.FirstVisit = true
	}
	switch r.Kind {
	case route.Hero:
		c.openHero(r.Stroke, r.View.Lang)
	case route.Experiment:
		c.openExperiment(r, err)
	case route.Deck:
		c.openDeck(r.View, r.ViewErrors)
	case route.Room:
		c.stop()
		c.lecture.End()
		c.Spec, c.Address.Rejected = c.Draft(), false
		c.Load()
		c.room.Enter(r.Code, r.Remote, r.View)
	case route.Training:
		c.openTraining(r, err)
	case route.Check:
		c.startCheck(r.Suffix)
	}
}

// openExperiment runs the experiment of a link. If the link is invalid, it shows linkErr and runs nothing.
func (c *Controller) openExperiment(r route.Route, linkErr error) {
	c.stop()
	c.lecture.End()
	c.clearComparisons() // opening a link is not an edit
	if c.Spec, c.Settings, c.Address.Rejected = r.Spec, r.View, linkErr != nil; linkErr != nil {
		c.showLinkError(r, linkErr)
		return
	}
	if c.Settings.Fresh {
		c.Spec.Seed, c.Settings.Fresh, c.Settings.Expect = c.Host.Random(), false, nil // the results will differ
	}

	// The page shows the link, then the experiment runs.
	c.sharing.NewRun()
	if c.Settings.Break > 0 && !c.Settings.Embed && !c.Settings.Projector {
		c.Panels.Sheet = "broken"
	}
	c.LoadLanguage()
	c.sendPace()
	if c.room.Stay() {
		c.Idle()
	} else {
		c.run()
	}
	c.imports.OpenLinked()
	if r.ViewErrors != nil && c.Problem == nil { // bad view settings do not stop the experiment
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("view.left", c.Words.Sentence(r.ViewErrors))}
	}
}

// showLinkError shows the error of a link. The setup shows the experiment of the valid part of the link, which the Run
// button runs. The address does not change.
func (c *Controller) showLinkError(r route.Route, linkErr error) {
	c.LoadLanguage()
	c.sendPace()
	c.fail(linkErr)
	c.Problem.Action = &state.Action{Label: c.Words.T("open.mended"), Event: "link", Value: "#" + r.Mended}
	if r.Default {
		c.Problem.Action.Label = c.Words.T("open.default")
	}
}

// openDeck opens the lecture named in the view settings; viewErr names the invalid settings.
func (c *Controller) openDeck(settings state.Settings, viewErr error) {
	c.stop()
	c.clearComparisons()
	c.Spec, c.Settings, c.Address.Rejected, c.Panels.Sheet = nil, settings, false, ""
	c.Load()
	c.LoadLanguage()
	if c.room.Stay() {
		c.Idle()
	}
	c.lecture.Open(viewErr)
}

// openTraining shows the form of a training beside the current experiment; linkErr is the error of its link.
func (c *Controller) openTraining(r route.Route, linkErr error) {
	if c.Spec == nil {
		c.Open(trainer.ExperimentLink(r.View))
	}
	c.training.Open(r.Training, r.View.Embed, linkErr)
}

// clearComparisons discards the previous result and the answers of a quiz.
func (c *Controller) clearComparisons() { c.previous, c.quiz = state.Previous{}, state.Quiz{} }

// sendPace sends the speed setting to the lanes.
func (c *Controller) sendPace() {
	c.pauseForReducedMotion()
	c.Workers.SetPace(state.DescentTime[c.Settings.Slow], c.canvas.FrameInterval())
}

// pauseForReducedMotion pauses a run in slow motion if the user prefers reduced motion; Step continues it.
func (c *Controller) pauseForReducedMotion() {
	if c.MovesDespiteSetting() && !c.room.Computing() {
		c.pause()
	}
}

// stop ends the current run and discards its results.
func (c *Controller) stop() {
	c.programs.StoreResults(c.finishedResults())
	c.Workers.Abort()
	c.room.StopRun()
	shared.Cancel(&c.Opening)
	c.End()
	c.Problem, c.Repaint.NewNumbers, c.Repaint.Dirty = nil, false, true
	c.curves.Clear()
	c.shown, c.Panels.Sliding = shownFrames{}, state.Slide{}
	clear(c.target.Paths)
	clear(c.advice)
	c.Host.Reset(c.drawingChanged)
	c.training.ShowFrame()
}

// fail marks the run as failed and shows the error.
func (c *Controller) fail(err error) {
	c.failWithText(c.Words.T("nothing.ran", c.Words.Sentence(err)))
}

// failWithText marks the run as failed and shows a text.
func (c *Controller) failWithText(text string) {
	c.Current.Fail()
	c.Repaint.Dirty = true
	c.Problem = &state.Message{Level: "error", Text: text}
	c.Host.PostParent("error", text)
}

// currentJob returns the job whose units are computed here.
func (c *Controller) currentJob() *engine.Job {
	if c.room.Replicate != nil {
		return c.room.Replicate
	}
	return c.JobAtWork()
}

// shownMethod returns the method whose particles the picture shows.
func (c *Controller) shownMethod() string {
	if r := c.room.Replicate; r != nil && c.Settings.Focus == "" && c.State() != runstate.Done {
		return r.PictureMethod()
	}
	return c.OnShow(c.Settings.Focus)
}

// assign gives units to idle lanes, and ends the run if it is finished.
func (c *Controller) assign() {
	c.Workers.RunWaiting()
	c.room.AdvanceReplicates()
	if !c.Active() {
		return
	}
	if c.State() == runstate.Running && c.room.MayAssign() {
		c.Workers.Assign(c.currentJob(), false)
	}
	c.Workers.Watch(c.currentJob().Watched())
	switch {
	case c.room.Computing(): // the room ends the run
	case !c.currentJob().Finished() || c.Opening != nil:
	case c.Auxiliary.Job == nil && c.Auxiliary.Pending():
		c.openAuxiliaryRun()
	default:
		c.finishRun()
	}
}

// continueJob continues the job of a finished run after action has given it further work.
func (c *Controller) continueJob(action func(*engine.Job)) {
	if c.Job != nil && c.State() == runstate.Done {
		action(c.Job)
		c.Continue()
		c.assign()
	}
}

// finishRun ends a run whose job is finished, and stores its results.
func (c *Controller) finishRun() {
	c.storeAuxiliaryResults()
	c.Finish()
	c.addRivalToLink()
	c.Repaint.Dirty, c.summary.updated = true, 0
}

// Tick is called several times a second. It replaces workers that have stopped answering, advances the parts, and sends
// a view if something changed.
func (c *Controller) Tick() {
	now := c.Host.Now()
	c.handle(func() { c.advance(now) })
	c.repaint(now)
}

// Work runs one step of the long computations.
func (c *Controller) Work() { c.handle(c.Context.Work) }

// advance advances the workers and the parts.
func (c *Controller) advance(now float64) {
	// Replace workers that have stopped answering.
	for _, id := range c.Workers.Tick(now - c.lastTick) {
		if c.Workers.Lanes[id] != nil { // otherwise it ended with the run
			c.replace(id)
		}
	}
	c.lastTick = now
	if c.Workers.OpeningShare() > 0 {
		c.Repaint.NewNumbers = true
	}

	c.lecture.Tick(now)

	// Long computations, the browser check, programs, and training.
	c.OfferCancel(now)
	c.continueCheck()
	c.programs.AfterRival()
	if c.State() != runstate.Loading {
		c.training.Restore()
	}
	c.training.Advance()
	if c.training.HasWorker() {
		c.Repaint.NewNumbers = true
	}
	c.room.Unpack()

	// Outdated parts of the view.
	if c.sharing.Expire(now) {
		c.Repaint.Dirty = true
	}
	if !c.hero.Shown && (c.needsSketch(now) || c.needsTable(now)) {
		c.requestFrames()
	}
	if !c.hero.Shown && (c.Job != nil && c.target.Advance(c.Job.Model, c.Spec.Methods, c.Host.Now) ||
		c.probes.Advance(c.Outline(), c.Host.Now)) {
		c.Repaint.NewNumbers = true
	}
	if c.newOdds() {
		c.Repaint.Dirty = true
	}
}

// repaint sends a view if something changed.
func (c *Controller) repaint(now float64) {
	if c.State() == runstate.Loading && now < c.shellEnd && c.lecture.Deck == nil {
		return // repainting would delay the first result
	}
	if c.isIdle() && !c.Repaint.IdleSent {
		c.Repaint.Dirty = true // tell the page
	}
	if c.Repaint.Due(now, func() bool { return c.Job != nil && c.Job.Estimated() }) {
		c.observe()
		c.paint()
	}
}
