// Package page is the page without a browser: Brain keeps the experiment, gives units of work
// to lane workers, and makes the markup that the browser paints.
//
// It owns events, settings of the view, panes, scenes and links for sharing. It must not touch a digit, use syscall/js
// or read a clock: the browser and its time are behind Host.
package page

import (
	"strings"

	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/estimators/training"
	"logzlab/wasm/words"
)

// DefaultLink is what a page without a hash runs: a small experiment with a moving picture.
const DefaultLink = "v=1&model=rbm-pcd-20&method=ais,rts&ais.temperatures=500&rts.sweeps=500&rts.temperatures=24"

// defaultMethod is run where a link names no valid method; it suits every model.
const defaultMethod = "ais"

// Brain is the state of the page, in parts that do not know each other: what is to be run, how it runs and on which
// workers, what is known of it, and how it is shown. Brain alone moves them together. Only one goroutine may call it.
type Brain struct {
	host Host
	experiment
	runState
	works
	offered, filed int     // the last event that brought a file, and the last one whose file was taken or refused
	before         arrival // that file
	crew           crew
	curves         curves
	target         target
	learned        map[string]*schedule.Pilot // of the paths of models, by their keys
	looked         looked
	noise          noise
	problem        *Message // over the page, nil for none
	agreed         string   // the link whose run may take hours
	ticked         float64  // when, last
	shell          float64  // until then a page that loads is not painted

	appearance
	panels  panels
	booklet booklet
	stage   stage
	sharing sharing
	room    inRoom
	codes   codes
	pooling pooling
	address address
	views   views
	summary summary
	digits  browserCheck
	mended  mendings
	trainer trainer
	ghost   ghost
	quiz    quiz
}

// panels are what the user has opened.
type panels struct {
	sheet    string // over the page
	advanced bool   // the drawer
	adding   bool   // the list of other methods
	toured   int    // the step of the tour whose wish was done
	logs     bool   // the mean of the log weights, instead of the log of their mean
}

// stage is the iframe of the picture.
type stage struct {
	state string // none, loading, ready or failed
	why   string // how far it is, or why it failed
}

// rest is the least time between pictures, in milliseconds.
func (s stage) rest() int {
	if s.state == "failed" {
		return engine.UnseenTime
	}
	return engine.PictureTime
}

// address is the link in the browser's address bar.
type address struct {
	entry int  // counts the entries of the history
	ran   bool // the experiment of this entry was run
	bad   bool // the link could not be taken
}

// leave makes the next link a new entry of the history if this one's experiment was
// run: Back then leads to it. Edits before the next Run share one entry.
func (a *address) leave() {
	if a.ran {
		a.entry, a.ran = a.entry+1, false
	}
}

// NewBrain makes the brain of a page with a number of lane workers.
func NewBrain(h Host, workers int) *Brain {
	return &Brain{host: h, experiment: newExperiment(), crew: newCrew(h, workers), curves: newCurves(),
		runState: runState{state: "loading", took: map[string]float64{}, free: freeRuns{known: map[string]*report.Report{}},
			now: h.Now},
		target:     target{paths: map[string]*exactPath{}},
		learned:    map[string]*schedule.Pilot{},
		appearance: appearance{words: words.New("")},
		stage:      stage{state: "none"},
		trainer:    trainer{link: training.NewLink(training.Digits)},
		views:      views{sent: map[string]HTML{}}, mended: mendings{}}
}

// Start takes the description of the page and opens its link. The query may hold view settings
// and the language, which become part of the link.
func (b *Brain) Start(p Page) {
	b.browser, b.shell = p, b.host.Now()+shellFor
	link := strings.TrimPrefix(p.Link, "#")
	if link == "" {
		link = DefaultLink
	}
	for _, part := range strings.Split(strings.TrimPrefix(p.Query, "?"), "&") {
		key, value, has := strings.Cut(part, "=")
		switch {
		case key == "lang" && has:
			part = "view.lang=" + value
		case !strings.HasPrefix(key, "view."):
			continue
		case !has:
			part = key + "=1"
		}
		if !strings.Contains(link, "&"+strings.SplitN(part, "=", 2)[0]+"=") {
			link += "&" + part
		}
	}
	b.speak()
	b.room.remember(p.Kept)
	b.reach()
	b.Open(link)
}

// Open takes a link, from the address bar or the user, and runs it; an empty one
// runs the default. A bad link runs nothing and says why.
func (b *Brain) Open(link string) {
	link = strings.TrimPrefix(link, "#")
	if link == "" {
		link = DefaultLink
	}
	if view, ok := strings.CutPrefix(link, CheckLink); ok {
		b.startCheck(view)
		return
	}
	if code, ok := strings.CutPrefix(link, RoomLink); ok {
		b.enter(code)
		return
	}
	if training.IsLink(link) {
		b.openTraining(link)
		return
	}
	b.stop()
	b.ghost, b.quiz = ghost{}, quiz{} // another link is no edit
	s, err := spec.ParseLink(link, b.names())
	if err != nil {
		b.refuse(link, err)
		return
	}
	b.set, err = ParseSettings(s.View)
	if b.set.Fresh {
		s.Seed, b.set.Fresh, b.set.Expect = b.host.Random(), false, nil // the digits will be others
	}
	b.spec, b.address.bad, b.sharing.told = s, false, ""
	if b.set.Break > 0 && !b.set.Embed && !b.set.Projector {
		b.panels.sheet = "broken"
	}
	b.speak()
	b.pace()
	b.settle()
	b.run()
	if err != nil && b.problem == nil { // how the page looks is no reason to stop the experiment
		b.problem = &Message{Level: "warn", Text: b.words.T("view.left", b.words.Sentence(err))}
	}
}

// refuse says what is wrong with a link. The setup shows the valid part of it, and Run would run that; the address
// stays.
func (b *Brain) refuse(link string, err error) {
	right, own := mend(link, b.names())
	b.spec, _ = spec.ParseLink(right, b.names())
	b.set, _ = ParseSettings(b.spec.View)
	b.address.bad = true
	b.speak()
	b.pace()
	b.fail(err)
	b.problem.Action = &Action{b.words.T("open.mended"), "link", "#" + right}
	if !own {
		b.problem.Action.Label = b.words.T("open.default")
	}
}

// pace tells the lanes how slowly to go.
func (b *Brain) pace() {
	b.calm()
	b.crew.pace(descentTime[b.set.Slow], b.stage.rest())
}

// calm pauses a run in slow motion if the user prefers reduced motion; Step continues it.
func (b *Brain) calm() {
	if b.restless() && !b.room.open() {
		b.pause()
	}
}

// stop ends what runs.
func (b *Brain) stop() {
	b.crew.abort()
	b.room.end()
	end(&b.opening)
	b.end()
	b.problem, b.views.news, b.views.dirty = nil, false, true
	b.curves.clear()
	b.looked = looked{}
	clear(b.target.paths)
	clear(b.mended)
	b.host.Reset()
	b.showTraining()
}

// fail says why nothing runs.
func (b *Brain) fail(err error) {
	b.failure(b.words.T("nothing.ran", b.words.Sentence(err)))
}

func (b *Brain) failure(text string) {
	b.state, b.views.dirty = "failed", true
	b.problem = &Message{Level: "error", Text: text}
	b.host.Parent("error", text)
}

// assign gives units to idle lanes.
func (b *Brain) assign() {
	if b.crew.runErrands(); b.room.open() || !b.active() {
		return
	}
	if b.state == "running" {
		b.crew.assign(b.working(), false)
	}
	b.crew.watch(b.working().Watched())
	switch {
	case !b.working().Finished() || b.opening != nil:
	case b.free.job == nil && b.free.awaited():
		b.openFree()
	default:
		b.over()
	}
}

// sum adds up the exact value of a run that is over.
func (b *Brain) sum() {
	if b.job != nil && b.state == "done" {
		b.job.Sum()
		b.again()
		b.assign()
	}
}

// over ends the run.
func (b *Brain) over() {
	b.freed()
	b.finish()
	b.views.dirty, b.summary.at = true, 0
}

// Ready records that a lane worker accepts messages; it took so many seconds to start.
func (b *Brain) Ready(id int, took float64) {
	if b.crew.ready(id, took) {
		b.assign()
	}
}

// Gone records that a lane worker ended by itself. One that failed to start is not tried again
// before the next Run; where memory is short the others do the work.
func (b *Brain) Gone(id int, why string) {
	l := b.crew.lanes[id]
	if l == nil {
		return
	}
	if l.ready {
		b.replace(id)
		return
	}
	b.crew.dismiss(id, b.working())
	b.views.dirty = true
	if n := len(b.crew.lanes); n > 0 {
		b.problem = &Message{Level: "warn", Text: b.words.T("worker.unstarted", why, n)}
		return
	}
	b.stop()
	b.failure(b.words.T("worker.none", why))
}

// replace ends a worker, puts its unit back, and starts another one.
func (b *Brain) replace(id int) {
	share, unit := b.share(), b.crew.lanes[id].task // nil: of a room
	b.views.dirty = true
	lost := b.crew.dismiss(id, b.working())
	b.crew.spawn()
	if lost {
		if n, often := b.crew.tooOften(unit, b.working()); often {
			b.giveUpRun(share, n)
			return
		}
		b.problem = &Message{Level: "warn", Text: b.words.T("worker.lost", percentOf(share))}
	}
	b.assign()
}

// giveUpRun ends a run whose workers were lost too often. What is known of it stays.
func (b *Brain) giveUpRun(share float64, n int) {
	b.crew.abort()
	b.working().Stop()
	b.over()
	text := b.words.T("worker.often", b.pane().modelName(), percentOf(share), n, b.command())
	b.problem = &Message{Level: "error", Text: text}
	b.host.Parent("error", text)
}

// From takes a message of a lane worker.
func (b *Brain) From(id int, msg []byte) {
	told, err := b.crew.take(id, msg, b.working())
	if err != nil {
		b.replace(id)
	}
	if !told {
		return
	}
	switch {
	case b.state != "paused":
		b.views.news = true
	case b.stepped: // a step is shown at once
		b.views.atOnce()
	} // else the page stands still since the click, whatever lanes were about to say
	b.assign()
}

// Tick is called several times a second: it replaces silent workers and sends the
// view when something changed.
func (b *Brain) Tick() {
	now := b.host.Now()
	for _, id := range b.crew.tick(now - b.ticked) {
		if b.crew.lanes[id] != nil { // else it went with the run
			b.replace(id)
		}
	}
	b.ticked = now
	if b.crew.opening() > 0 {
		b.views.news = true
	}
	b.offerEnd(now)
	b.goOnChecking()
	b.recallTraining()
	b.teach()
	if b.crew.has(b.trainer.sent) {
		b.views.news = true
	}
	b.unpack()
	if b.sharing.forget(now) {
		b.views.dirty = true
	}
	if b.sketches(now) || b.tabulates(now) {
		b.look()
	}
	if b.job != nil && b.target.lookUp(b.job.Model, b.spec.Methods, b.host.Now) || b.try() {
		b.views.news = true
	}
	if b.state == "loading" && now < b.shell {
		return // painting would delay the first number
	}
	if b.rests() && !b.views.rest {
		b.views.dirty = true // the page is to know
	}
	if b.views.due(now, func() bool { return b.job != nil && b.job.Estimated() }) {
		b.paint()
	}
}
