package page

import (
	"logzlab/core/runstate"
	"logzlab/estimators/engine"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/findings"
	"logzlab/wasm/page/lecture"
	"logzlab/wasm/page/programs"
	"logzlab/wasm/page/readings"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/route"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/sharing"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/teacher"
	"logzlab/wasm/rooms/panel"
)

// Brain is the state of the page, in parts that know nothing of one another: the experiment, its run, the lane workers,
// the results so far, and the settings of the view. Only Brain moves the parts together. Only one goroutine may call
// it.
type Brain struct {
	desk.Desk
	run.Loader
	run.Current
	curves findings.Curves
	target findings.Target
	paths  paths
	probes findings.Probes
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
	pooling  findings.Pooling
	summary  summary
	check    browserCheck
	advice   repair.Advice
	training teacher.Teacher
	programs programs.Programs
	readings readings.Readings
	previous state.Previous
	quiz     state.Quiz
	handlers map[string]func(state.Event) // by the names of events
	depth    int                          // of handle
}

// NewBrain makes the brain of a page with a number of lane workers.
func NewBrain(h desk.Host, workers int) *Brain {
	b := &Brain{curves: findings.NewCurves(), Current: run.NewCurrent(h.Now), target: findings.NewTarget(), paths: paths{},
		advice: repair.Advice{}, canvas: state.Canvas{State: state.CanvasNone}}
	b.Desk = desk.New(host{Host: h, brain: b}, b, workers, Known())
	b.Loader = run.NewLoader(b.Models)
	facts := run.NewFacts(&b.Loader, &b.Current)

	// The parts.
	b.tour = tour{&b.Desk}
	b.lecture = lecture.New(&b.Desk, facts)
	b.programs = programs.New(&b.Desk, facts)
	b.readings = readings.New(&b.Desk, facts)
	b.room = panel.New(&b.Desk, facts)
	b.sharing = sharing.New(&b.Desk, facts)
	b.training = teacher.New(&b.Desk, facts)
	b.handlers = b.table()
	return b
}

// Start takes the description of the page and opens its link.
func (b *Brain) Start(p state.Page) { b.handle(func() { b.start(p) }) }

func (b *Brain) start(p state.Page) {
	b.Browser, b.shell = p, b.Host.Now()+desk.ShellFor
	b.Speak()
	b.room.Remember(p.Kept)
	b.sharing.Reach()
	link, lang := route.Start(p, b.Known)
	if link == "" {
		b.Settings.Lang = lang
	}
	b.Open(link)
}

// Open takes a link, from the address bar or the user, and shows what it leads to; an experiment runs.
func (b *Brain) Open(link string) { b.handle(func() { b.open(link) }) }

func (b *Brain) open(link string) {
	r, err := route.Parse(link, b.Names(), b.Known)
	b.hero.On = false
	if r.Less {
		b.Panels.Less = true
	}
	switch r.Kind {
	case route.Hero:
		b.openHero()
	case route.Experiment:
		b.openExperiment(r, err)
	case route.Deck:
		b.openDeck(r.View, r.Left)
	case route.Room:
		b.stop()
		b.lecture.End()
		b.Spec, b.Address.Bad = b.Draft(), false
		b.Load()
		b.room.Enter(r.Code, r.Remote, r.View)
	case route.Training:
		b.openTraining(r, err)
	case route.Check:
		b.startCheck(r.Suffix)
	}
}

// openExperiment runs the experiment of a link; bad is what is wrong with the link, which then runs nothing.
func (b *Brain) openExperiment(r route.Route, bad error) {
	b.stop()
	b.lecture.End()
	b.forget() // another link is no edit
	if b.Spec, b.Settings, b.Address.Bad = r.Spec, r.View, bad != nil; bad != nil {
		b.refuse(r, bad)
		return
	}
	if b.Settings.Fresh {
		b.Spec.Seed, b.Settings.Fresh, b.Settings.Expect = b.Host.Random(), false, nil // the digits will be others
	}

	// The page follows the link, then the experiment runs.
	b.sharing.Anew()
	if b.Settings.Break > 0 && !b.Settings.Embed && !b.Settings.Projector {
		b.Panels.Sheet = "broken"
	}
	b.Speak()
	b.pace()
	if b.room.Stay() {
		b.Idle()
	} else {
		b.run()
	}
	b.readings.Begin()
	if r.Left != nil && b.Problem == nil { // how the page looks is no reason to stop the experiment
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("view.left", b.Words.Sentence(r.Left))}
	}
}

// refuse says what is wrong with a link. The setup shows the valid part of it, and Run would run that; the address
// stays.
func (b *Brain) refuse(r route.Route, bad error) {
	b.Speak()
	b.pace()
	b.fail(bad)
	b.Problem.Action = &state.Action{Label: b.Words.T("open.mended"), Event: "link", Value: "#" + r.Mended}
	if r.Default {
		b.Problem.Action.Label = b.Words.T("open.default")
	}
}

// openDeck shows a lecture with settings of the view that name its deck and step; left is what was left out of them.
func (b *Brain) openDeck(at state.Settings, left error) {
	b.stop()
	b.forget()
	b.Spec, b.Settings, b.Address.Bad, b.Panels.Sheet = nil, at, false, ""
	b.Load()
	b.Speak()
	if b.room.Stay() {
		b.Idle()
	}
	b.lecture.Open(left)
}

// openTraining shows the form of a training beside the experiment on show; bad is what is wrong with its link.
func (b *Brain) openTraining(r route.Route, bad error) {
	if b.Spec == nil {
		b.Open(teacher.Beside(r.View))
	}
	b.training.Open(r.Training, r.View.Embed, bad)
}

// forget drops what the result is compared with, and the answers of a quiz.
func (b *Brain) forget() { b.previous, b.quiz = state.Previous{}, state.Quiz{} }

// pace tells the lanes how slowly to go.
func (b *Brain) pace() {
	b.calm()
	b.Crew.Pace(state.DescentTime[b.Settings.Slow], b.canvas.Rest())
}

// calm pauses a run in slow motion if the user prefers reduced motion; Step continues it.
func (b *Brain) calm() {
	if b.Restless() && !b.room.Open() {
		b.pause()
	}
}

// stop ends what runs.
func (b *Brain) stop() {
	b.programs.Keep(b.finished())
	b.Crew.Abort()
	b.room.StopRun()
	desk.End(&b.Opening)
	b.End()
	b.Problem, b.Repaint.News, b.Repaint.Dirty = nil, false, true
	b.curves.Clear()
	b.shown, b.Panels.Sliding = shownFrames{}, state.Slide{}
	clear(b.target.Paths)
	clear(b.advice)
	b.Host.Reset(b.redraws)
	b.training.Show()
}

// fail says why nothing runs.
func (b *Brain) fail(err error) {
	b.failure(b.Words.T("nothing.ran", b.Words.Sentence(err)))
}

func (b *Brain) failure(text string) {
	b.Current.Fail()
	b.Repaint.Dirty = true
	b.Problem = &state.Message{Level: "error", Text: text}
	b.Host.Parent("error", text)
}

// atWork is the job whose units are handed out.
func (b *Brain) atWork() *engine.Job {
	if b.room.Replicate != nil {
		return b.room.Replicate
	}
	return b.AtWork()
}

// onShow is the method whose particles the picture shows.
func (b *Brain) onShow() string {
	if r := b.room.Replicate; r != nil && b.Settings.Focus == "" && b.State() != runstate.Done {
		return r.Shown()
	}
	return b.OnShow(b.Settings.Focus)
}

// assign gives units to idle lanes, and sees when the run is over.
func (b *Brain) assign() {
	b.Crew.RunWaiting()
	b.room.AdvanceReplicates()
	if !b.Active() {
		return
	}
	if b.State() == runstate.Running && b.room.MayAssign() {
		b.Crew.Assign(b.atWork(), false)
	}
	b.Crew.Watch(b.atWork().Watched())
	switch {
	case b.room.Open(): // the room says when its run is over
	case !b.atWork().Finished() || b.Opening != nil:
	case b.Beside.Job == nil && b.Beside.Awaited():
		b.openFree()
	default:
		b.over()
	}
}

// more has the job of a run that is over do what it offers.
func (b *Brain) more(do func(*engine.Job)) {
	if b.Job != nil && b.State() == runstate.Done {
		do(b.Job)
		b.Again()
		b.assign()
	}
}

// over ends the run.
func (b *Brain) over() {
	b.freed()
	b.Finish()
	b.keepRival()
	b.Repaint.Dirty, b.summary.at = true, 0
}

// Tick is called several times a second: it replaces silent workers, lets the parts go on, and sends the view when
// something changed.
func (b *Brain) Tick() {
	now := b.Host.Now()
	b.handle(func() { b.goOn(now) })
	b.repaint(now)
}

// Work does a piece of what is long.
func (b *Brain) Work() { b.handle(b.Desk.Work) }

// goOn lets the crew and the parts go on.
func (b *Brain) goOn(now float64) {

	// Silent workers.
	for _, id := range b.Crew.Tick(now - b.ticked) {
		if b.Crew.Lanes[id] != nil { // else it went with the run
			b.replace(id)
		}
	}
	b.ticked = now
	if b.Crew.Opening() > 0 {
		b.Repaint.News = true
	}

	b.lecture.Tick(now)

	// What goes on beside the run.
	b.OfferEnd(now)
	b.goOnChecking()
	b.programs.AfterRival()
	if b.State() != runstate.Loading {
		b.training.Recall()
	}
	b.training.Teach()
	if b.training.Works() {
		b.Repaint.News = true
	}
	b.room.Unpack()

	// What the page shows may have become old.
	if b.sharing.Forget(now) {
		b.Repaint.Dirty = true
	}
	if !b.hero.On && (b.sketches(now) || b.tabulates(now)) {
		b.look()
	}
	if !b.hero.On && (b.Job != nil && b.target.LookUp(b.Job.Model, b.Spec.Methods, b.Host.Now) ||
		b.probes.Try(b.Outline(), b.Host.Now)) {
		b.Repaint.News = true
	}
	if b.heroWeighed() {
		b.Repaint.Dirty = true
	}

}

// repaint sends the view when something changed.
func (b *Brain) repaint(now float64) {
	if b.State() == runstate.Loading && now < b.shell && b.lecture.Deck == nil {
		return // painting would delay the first number
	}
	if b.rests() && !b.Repaint.Rest {
		b.Repaint.Dirty = true // the page is to know
	}
	if b.Repaint.Due(now, func() bool { return b.Job != nil && b.Job.Estimated() }) {
		b.observe()
		b.paint()
	}
}
