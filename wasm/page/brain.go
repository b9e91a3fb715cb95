package page

import (
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/findings"
	"logzlab/wasm/page/lecture"
	"logzlab/wasm/page/programs"
	"logzlab/wasm/page/readings"
	"logzlab/wasm/page/repair"
	"logzlab/wasm/page/rooms"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/sharing"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/teacher"
)

// defaultMethod is run where a link names no valid method; it suits every model.
const defaultMethod = "ais"

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
	room     rooms.Rooms
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
}

// NewBrain makes the brain of a page with a number of lane workers.
func NewBrain(h desk.Host, workers int) *Brain {
	b := &Brain{Desk: desk.New(h, workers, known()),
		Loader: run.NewLoader(), curves: findings.NewCurves(),
		Current: run.NewCurrent(h.Now),
		target:  findings.NewTarget(), paths: paths{}, advice: repair.Advice{},
		canvas: state.Canvas{State: "none"}}
	b.Page = desk.Page{Open: b.Open, OpenSheet: b.openSheet, Run: b.run, Stop: b.stop, Fail: b.fail, Fetch: b.fetch,
		Outline: b.outline, Snapshot: b.snapshot}

	// The tour, and parts that read files of the user: samples, programs, training.
	b.tour = tour{&b.Desk}
	b.readings = readings.New(&b.Desk, b.sampled, func(said string) { b.summary.text = said })
	b.programs = programs.New(&b.Desk, &b.Loader, &b.Current, programs.Needs{
		Read: func(f desk.File) { b.read(f, false) }, Checks: b.check.going})
	b.training = teacher.New(&b.Desk, &b.Loader, teacher.Needs{Begun: func() { b.chooseScene(scene.Training) },
		Use:  func(f desk.File) { b.read(f, false) },
		Free: func() bool { return !b.Active() && b.Opening == nil && b.State != "loading" && !b.room.On() },
		Watch: func() {
			if track := -1; !b.Active() {
				if scene.On(b.outline()) == scene.Training {
					track = engine.TrainingTrack
				}
				b.Crew.Watch(track)
			}
		}})

	// Rooms and lectures, with needs of each other.
	b.room = rooms.New(&b.Desk, &b.Loader, &b.Current, rooms.Needs{Options: b.options, Assign: b.assign,
		Forget: b.forget, Draw: func() { b.observe(); b.draw(b.snapshot()) },
		File: func(f desk.File) { b.File(f.Name, f.Data, f.N) }, Turn: b.lecture.Turn,
		Hides: func() bool { return b.Settings.Deck != "" && !b.lecture.Revealed }})
	b.lecture = lecture.New(&b.Desk, &b.Loader, &b.Current, lecture.Needs{Forget: b.forget, Pace: b.pace,
		Begins: func() { b.previous = state.Previous{} }, Room: b.room.Room.Open, Stay: b.room.Stay, Asks: b.room.AskStep,
		Shows: b.room.Shows,
		Class: func() bool {
			if b.room.Hosting && !b.room.Resume() {
				b.room.Start()
			}
			return b.room.Hosting
		}})

	// Sharing, and the events of all parts.
	b.sharing = sharing.New(&b.Desk, &b.Loader, &b.Current, sharing.Needs{Lend: b.room.Lends, Samples: b.readings.Alone})
	b.handlers = b.table()
	return b
}

// Start takes the description of the page and opens its link.
func (b *Brain) Start(p state.Page) {
	b.Browser, b.shell = p, b.Host.Now()+desk.ShellFor
	link := strings.TrimPrefix(p.Link, "#")
	hero := state.IsHero(link, p.Query) && !p.Alone
	if link == "" {
		link = state.Lab
	}
	link = b.withQuery(link, true)
	b.Speak()
	b.room.Remember(p.Kept)
	b.sharing.Reach()
	if hero {
		view, _ := lecture.Of(link, b.Known)
		b.Settings.Lang, link = view.Lang, ""
	}
	b.Open(link)
}

// withQuery adds to a link of the address bar the language of the page's query, unless the link names one itself. The
// first link gets the view settings of the query, too; the user may have changed them since.
func (b *Brain) withQuery(link string, first bool) string {
	if link == "" { // the hero has no link
		return ""
	}
	for _, part := range strings.Split(strings.TrimPrefix(b.Browser.Query, "?"), "&") {
		key, value, has := strings.Cut(part, "=")
		switch {
		case key == "lang" && has:
			part = "view.lang=" + value
		case !first || !strings.HasPrefix(key, "view."):
			continue
		case !has:
			part = key + "=1"
		}
		if !strings.Contains("&"+link, "&"+strings.SplitN(part, "=", 2)[0]+"=") {
			link += "&" + part
		}
	}
	return link
}

// Open takes a link, from the address bar or the user, and runs it; an empty one shows the hero, that of the lab runs
// the default. A bad link runs nothing and says why.
func (b *Brain) Open(link string) {
	link = strings.TrimPrefix(link, "#")
	if b.hero.On = false; link == "" {
		b.openHero()
		return
	}
	if view, ok := strings.CutPrefix(link+"&", state.Lab+"&"); ok {
		link, b.Panels.Less = strings.TrimSuffix(state.DefaultLink+"&"+view, "&"), true
	}

	// Links of a check, of a room and of a training.
	if view, ok := strings.CutPrefix(link, CheckLink); ok {
		b.startCheck(view)
		return
	}
	if code, ok := strings.CutPrefix(link, state.RoomLink); ok {
		b.lecture.End()
		b.room.Enter(code)
		return
	}
	if training.IsLink(link) {
		b.training.Open(link)
		return
	}

	// A lecture brings its experiments along.
	if view, wrong := lecture.Of(link, b.Known); view.Deck != "" {
		b.lecture.Open(view, wrong)
		return
	}

	// Another experiment.
	b.stop()
	b.lecture.End()
	b.forget() // another link is no edit
	if onlyView(link) {
		link = state.DefaultLink + strings.ReplaceAll("&"+link, "&v=1", "")
	}
	s, err := spec.ParseLink(link, b.Names())
	if err != nil {
		b.refuse(link, err)
		return
	}
	b.Settings, err = ParseSettings(s.View)
	if b.Settings.Fresh {
		s.Seed, b.Settings.Fresh, b.Settings.Expect = b.Host.Random(), false, nil // the digits will be others
	}

	// The page follows the link, then the experiment runs.
	b.Spec, b.Address.Bad = s, false
	b.sharing.Anew()
	if b.Settings.Break > 0 && !b.Settings.Embed && !b.Settings.Projector {
		b.Panels.Sheet = "broken"
	}
	b.Speak()
	b.pace()
	if !b.room.Stay() {
		b.run()
	}
	b.readings.Begin()
	if err != nil && b.Problem == nil { // how the page looks is no reason to stop the experiment
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("view.left", b.Words.Sentence(err))}
	}
}

// forget drops what the result is compared with, and the answers of a quiz.
func (b *Brain) forget() { b.previous, b.quiz = state.Previous{}, state.Quiz{} }

// refuse says what is wrong with a link. The setup shows the valid part of it, and Run would run that; the address
// stays.
func (b *Brain) refuse(link string, err error) {
	right, own := validPart(link, b.Names())
	b.Spec, _ = spec.ParseLink(right, b.Names())
	b.Settings, _ = ParseSettings(b.Spec.View)
	b.Address.Bad = true
	b.Speak()
	b.pace()
	b.fail(err)
	b.Problem.Action = &state.Action{Label: b.Words.T("open.mended"), Event: "link", Value: "#" + right}
	if !own {
		b.Problem.Action.Label = b.Words.T("open.default")
	}
}

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
	b.State, b.Repaint.Dirty = "failed", true
	b.Problem = &state.Message{Level: "error", Text: text}
	b.Host.Parent("error", text)
}

// assign gives units to idle lanes.
func (b *Brain) assign() {
	b.Crew.RunWaiting()
	b.room.AdvanceReplicates()
	if !b.Active() {
		return
	}
	if b.State == "running" && b.room.MayAssign() {
		b.Crew.Assign(b.AtWork(), false)
	}
	b.Crew.Watch(b.AtWork().Watched())
	switch {
	case b.room.Open(): // the room says when its run is over
	case !b.AtWork().Finished() || b.Opening != nil:
	case b.Beside.Job == nil && b.Beside.Awaited():
		b.openFree()
	default:
		b.over()
	}
}

// more has the job of a run that is over do what it offers.
func (b *Brain) more(do func(*engine.Job)) {
	if b.Job != nil && b.State == "done" {
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

// Tick is called several times a second: it replaces silent workers and sends the
// view when something changed.
func (b *Brain) Tick() {
	now := b.Host.Now()

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
	if b.State != "loading" {
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
		b.probes.Try(b.outline(), b.Host.Now)) {
		b.Repaint.News = true
	}
	if b.heroWeighed() {
		b.Repaint.Dirty = true
	}

	// Repaint.
	if b.State == "loading" && now < b.shell && b.lecture.Deck == nil {
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
