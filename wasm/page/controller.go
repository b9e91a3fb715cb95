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

// Controller is the state of the page, in parts that know nothing of one another: the experiment, its run, the lane workers,
// the results so far, and the settings of the view. Only Controller moves the parts together. Only one goroutine may call
// it.
type Controller struct {
	shared.Context
	run.Loader
	run.Current
	curves derived.Curves
	target derived.Target
	paths  paths
	probes derived.Probes
	shown  shownFrames
	agreed string  // the link whose run may take hours
	ticked float64 // time of the last tick
	shell  float64 // time until which a page that loads is not painted

	booklet  booklet
	tour     tour
	hero     state.Hero
	redraws  bool // the next run is of the same model, with another drawing
	lecture  lecture.Lecture
	canvas   state.Canvas
	sharing  sharing.Sharing
	room     panel.Rooms
	qrs      qrStore
	pooling  derived.Pooling
	summary  summary
	check    browserCheck
	advice   repair.Advice
	training trainer.Trainer
	programs programs.Programs
	imports  imports.Importer
	previous state.Previous
	quiz     state.Quiz
	handlers map[string]func(state.Event) // by the names of events
	depth    int                          // of handle
}

// NewController makes the controller of a page with a number of lane workers.
func NewController(h shared.Host, workers int) *Controller {
	c := &Controller{curves: derived.NewCurves(), Current: run.NewCurrent(h.Now), target: derived.NewTarget(), paths: paths{},
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
	c.handlers = c.table()
	return c
}

// Start takes the description of the page and opens its link.
func (c *Controller) Start(p state.Page) { c.handle(func() { c.start(p) }) }

func (c *Controller) start(p state.Page) {
	c.Browser, c.shell = p, c.Host.Now()+shared.ShellFor
	c.Speak()
	c.room.Remember(p.Kept)
	c.sharing.Reach()
	link, lang := route.Start(p, c.Known)
	if link == "" {
		c.Settings.Lang = lang
	}
	c.Open(link)
}

// Open takes a link, from the address bar or the user, and shows what it leads to; an experiment runs.
func (c *Controller) Open(link string) { c.handle(func() { c.open(link) }) }

func (c *Controller) open(link string) {
	r, err := route.Parse(link, c.Names(), c.Known)
	c.hero.On = false
	if r.Less {
		c.Panels.Less = true
	}
	switch r.Kind {
	case route.Hero:
		c.openHero(r.Stroke, r.View.Lang)
	case route.Experiment:
		c.openExperiment(r, err)
	case route.Deck:
		c.openDeck(r.View, r.Left)
	case route.Room:
		c.stop()
		c.lecture.End()
		c.Spec, c.Address.Bad = c.Draft(), false
		c.Load()
		c.room.Enter(r.Code, r.Remote, r.View)
	case route.Training:
		c.openTraining(r, err)
	case route.Check:
		c.startCheck(r.Suffix)
	}
}

// openExperiment runs the experiment of a link; bad is what is wrong with the link, which then runs nothing.
func (c *Controller) openExperiment(r route.Route, bad error) {
	c.stop()
	c.lecture.End()
	c.forget() // another link is no edit
	if c.Spec, c.Settings, c.Address.Bad = r.Spec, r.View, bad != nil; bad != nil {
		c.refuse(r, bad)
		return
	}
	if c.Settings.Fresh {
		c.Spec.Seed, c.Settings.Fresh, c.Settings.Expect = c.Host.Random(), false, nil // the digits will be others
	}

	// The page follows the link, then the experiment runs.
	c.sharing.Anew()
	if c.Settings.Break > 0 && !c.Settings.Embed && !c.Settings.Projector {
		c.Panels.Sheet = "broken"
	}
	c.Speak()
	c.pace()
	if c.room.Stay() {
		c.Idle()
	} else {
		c.run()
	}
	c.imports.Begin()
	if r.Left != nil && c.Problem == nil { // how the page looks is no reason to stop the experiment
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("view.left", c.Words.Sentence(r.Left))}
	}
}

// refuse says what is wrong with a link. The setup shows the valid part of it, and Run would run that; the address
// stays.
func (c *Controller) refuse(r route.Route, bad error) {
	c.Speak()
	c.pace()
	c.fail(bad)
	c.Problem.Action = &state.Action{Label: c.Words.T("open.mended"), Event: "link", Value: "#" + r.Mended}
	if r.Default {
		c.Problem.Action.Label = c.Words.T("open.default")
	}
}

// openDeck shows a lecture with settings of the view that name its deck and step; left is what was left out of them.
func (c *Controller) openDeck(at state.Settings, left error) {
	c.stop()
	c.forget()
	c.Spec, c.Settings, c.Address.Bad, c.Panels.Sheet = nil, at, false, ""
	c.Load()
	c.Speak()
	if c.room.Stay() {
		c.Idle()
	}
	c.lecture.Open(left)
}

// openTraining shows the form of a training beside the experiment on show; bad is what is wrong with its link.
func (c *Controller) openTraining(r route.Route, bad error) {
	if c.Spec == nil {
		c.Open(trainer.Beside(r.View))
	}
	c.training.Open(r.Training, r.View.Embed, bad)
}

// forget drops what the result is compared with, and the answers of a quiz.
func (c *Controller) forget() { c.previous, c.quiz = state.Previous{}, state.Quiz{} }

// pace tells the lanes how slowly to go.
func (c *Controller) pace() {
	c.calm()
	c.Workers.Pace(state.DescentTime[c.Settings.Slow], c.canvas.Rest())
}

// calm pauses a run in slow motion if the user prefers reduced motion; Step continues it.
func (c *Controller) calm() {
	if c.Restless() && !c.room.Open() {
		c.pause()
	}
}

// stop ends what runs.
func (c *Controller) stop() {
	c.programs.Keep(c.finished())
	c.Workers.Abort()
	c.room.StopRun()
	shared.End(&c.Opening)
	c.End()
	c.Problem, c.Repaint.News, c.Repaint.Dirty = nil, false, true
	c.curves.Clear()
	c.shown, c.Panels.Sliding = shownFrames{}, state.Slide{}
	clear(c.target.Paths)
	clear(c.advice)
	c.Host.Reset(c.redraws)
	c.training.Show()
}

// fail says why nothing runs.
func (c *Controller) fail(err error) {
	c.failure(c.Words.T("nothing.ran", c.Words.Sentence(err)))
}

func (c *Controller) failure(text string) {
	c.Current.Fail()
	c.Repaint.Dirty = true
	c.Problem = &state.Message{Level: "error", Text: text}
	c.Host.Parent("error", text)
}

// atWork is the job whose units are handed out.
func (c *Controller) atWork() *engine.Job {
	if c.room.Replicate != nil {
		return c.room.Replicate
	}
	return c.AtWork()
}

// onShow is the method whose particles the picture shows.
func (c *Controller) onShow() string {
	if r := c.room.Replicate; r != nil && c.Settings.Focus == "" && c.State() != runstate.Done {
		return r.Shown()
	}
	return c.OnShow(c.Settings.Focus)
}

// assign gives units to idle lanes, and sees when the run is over.
func (c *Controller) assign() {
	c.Workers.RunWaiting()
	c.room.AdvanceReplicates()
	if !c.Active() {
		return
	}
	if c.State() == runstate.Running && c.room.MayAssign() {
		c.Workers.Assign(c.atWork(), false)
	}
	c.Workers.Watch(c.atWork().Watched())
	switch {
	case c.room.Open(): // the room says when its run is over
	case !c.atWork().Finished() || c.Opening != nil:
	case c.Beside.Job == nil && c.Beside.Awaited():
		c.openFree()
	default:
		c.over()
	}
}

// more has the job of a run that is over do what it offers.
func (c *Controller) more(do func(*engine.Job)) {
	if c.Job != nil && c.State() == runstate.Done {
		do(c.Job)
		c.Again()
		c.assign()
	}
}

// over ends the run.
func (c *Controller) over() {
	c.freed()
	c.Finish()
	c.keepRival()
	c.Repaint.Dirty, c.summary.at = true, 0
}

// Tick is called several times a second: it replaces silent workers, lets the parts go on, and sends the view when
// something changed.
func (c *Controller) Tick() {
	now := c.Host.Now()
	c.handle(func() { c.goOn(now) })
	c.repaint(now)
}

// Work does a piece of what is long.
func (c *Controller) Work() { c.handle(c.Context.Work) }

// goOn lets the crew and the parts go on.
func (c *Controller) goOn(now float64) {

	// Silent workers.
	for _, id := range c.Workers.Tick(now - c.ticked) {
		if c.Workers.Lanes[id] != nil { // else it went with the run
			c.replace(id)
		}
	}
	c.ticked = now
	if c.Workers.Opening() > 0 {
		c.Repaint.News = true
	}

	c.lecture.Tick(now)

	// What goes on beside the run.
	c.OfferEnd(now)
	c.continueCheck()
	c.programs.AfterRival()
	if c.State() != runstate.Loading {
		c.training.Recall()
	}
	c.training.Teach()
	if c.training.Works() {
		c.Repaint.News = true
	}
	c.room.Unpack()

	// What the page shows may have become old.
	if c.sharing.Forget(now) {
		c.Repaint.Dirty = true
	}
	if !c.hero.On && (c.sketches(now) || c.tabulates(now)) {
		c.look()
	}
	if !c.hero.On && (c.Job != nil && c.target.LookUp(c.Job.Model, c.Spec.Methods, c.Host.Now) ||
		c.probes.Try(c.Outline(), c.Host.Now)) {
		c.Repaint.News = true
	}
	if c.heroWeighed() {
		c.Repaint.Dirty = true
	}

}

// repaint sends the view when something changed.
func (c *Controller) repaint(now float64) {
	if c.State() == runstate.Loading && now < c.shell && c.lecture.Deck == nil {
		return // painting would delay the first number
	}
	if c.rests() && !c.Repaint.Rest {
		c.Repaint.Dirty = true // the page is to know
	}
	if c.Repaint.Due(now, func() bool { return c.Job != nil && c.Job.Estimated() }) {
		c.observe()
		c.paint()
	}
}
