// Package page is the page without a browser: Brain keeps the experiment, gives units of work
// to lane workers, and makes the markup that the browser paints.
//
// It owns events, settings of the view, panes, scenes and links for sharing. It must not touch a
// digit, and no JavaScript runs in it: the browser is behind Host.
package page

import (
	"errors"
	"strings"

	"logzlab/core/frame"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/wasm/words"
)

// Host is what the brain needs of the page. All calls return at once.
type Host interface {
	Spawn(id int)            // start lane worker id; Ready follows
	Kill(id int)             // end it
	Post(id int, msg []byte) // send it a message
	View(json []byte)        // paint this
	Frame(b []byte)          // show these curves
	Field(b []byte)          // and this density behind them
	Reset()                  // clear the picture
	Copy(text string)        // put text on the clipboard
	Download(name, kind, text string)
	Picture(name string)      // let the user keep the picture as this file
	Parent(kind, data string) // tell the page that embeds this one: results as JSON, an error as text
	Look()                    // answer with the frames on show, by Looked
	Now() float64             // seconds
	Random() uint32           // for new seeds
	// Fetch loads models/file and calls done later.
	Fetch(file string, done func([]byte, error))
}

// Event is something the user did. N counts events; a view says which it has
// seen.
type Event struct {
	Name, Value, Key string
	On, Hidden       bool
	N                int
}

// Page describes the browser's page when the brain starts.
type Page struct {
	Link, Base, Query, Language string
	Dark, Still                 bool
}

// DefaultLink is what a page without a hash runs: a small experiment with a moving picture.
const DefaultLink = "v=1&model=rbm-pcd-20&method=ais,rts&ais.temperatures=500&rts.sweeps=500&rts.temperatures=24"

// Timing of the brain, in seconds.
const (
	silence      = 5.0  // a worker that owes an answer is replaced after this
	startSilence = 30.0 // the same for one that has not started yet
	viewEvery    = 0.1  // at most, after what the user did
	numbersEvery = 0.5  // of a run: faster updates cannot be read, and painting slows the lanes down
	summaryEvery = 3.0
)

// Brain is the state of the page: the experiment, the lane workers and their units, and what
// is shown. Only one goroutine may call it.
type Brain struct {
	host    Host
	workers int

	spec   *spec.Spec
	set    Settings
	src    engine.Source
	ownID  string // file: id of src.File
	own    []byte
	ownN   int // the event that brought it
	files  map[string][]byte
	caches map[string]map[string][][]byte // by model

	job       *engine.Job
	reports   *report.Reports
	round     int  // counts starts, so that late fetches are dropped
	entry     int  // counts the entries of the browser's history
	ran       bool // the experiment of this entry
	bad       bool // the address holds a link that could not be taken
	state     string
	paused    bool // by the user
	stepped   bool // a frame was asked for while paused
	hidden    bool
	numbers   bool // one of this run has been painted
	lanes     map[int]*laneState
	nextID    int
	nextMsg   int
	problem   *Message
	started   float64
	resting   float64 // time spent paused
	restAt    float64
	took      map[string]float64 // seconds of each finished method
	history   map[string][]frame.Point
	ladders   map[string][]frame.Ladder // by method, newest last
	exact     map[string]*exactPath     // by method
	plane     *grid                     // of a mixture in the plane
	drawn     []byte                    // curves as last sent
	density   []byte                    // field as last sent, of the model of this key
	densityOf string

	// what the page is like
	words     *words.Language
	language  string // of the browser
	base      string // address of the page, without its fragment
	dark      bool   // the system's setting
	still     bool   // reduced motion
	sheet     string // open over the page
	advanced  bool   // the drawer is open
	adding    bool   // the list of other methods is open
	stage     string // none, loading, ready or failed
	stageWhy  string
	hides     []string // ticked off in the share sheet
	receipted bool
	copied    string // what was copied, while that is news
	copiedAt  float64
	looked    []*frame.Frame
	lookAt    float64
	told      string // last state sent to the embedding page: "", ready or result
	qrOf      string
	qrHTML    HTML
	sent      map[string]HTML // parts as last painted

	seen     int
	dirty    bool
	news     bool // numbers have come that no view shows
	lastView float64
	lastSum  float64
	summary  string
}

// NewBrain makes the brain of a page with a number of lane workers.
func NewBrain(h Host, workers int) *Brain {
	b := &Brain{host: h, workers: max(workers, 1), files: map[string][]byte{}, caches: map[string]map[string][][]byte{},
		lanes: map[int]*laneState{}, state: "loading", words: words.New(""), stage: "none",
		history: map[string][]frame.Point{}, took: map[string]float64{}, sent: map[string]HTML{},
		ladders: map[string][]frame.Ladder{}, exact: map[string]*exactPath{}}
	for range b.workers {
		b.spawn()
	}
	return b
}

// Open takes a link, from the address bar or the user, and runs it; an empty one
// runs the default. A bad link runs nothing and says why.
func (b *Brain) Open(link string) {
	link = strings.TrimPrefix(link, "#")
	if link == "" {
		link = DefaultLink
	}
	b.stop()
	s, err := spec.ParseLink(link, catalog.Names{})
	var set Settings
	if err == nil {
		set, err = ParseSettings(s.View)
	}
	if err != nil {
		// The setup shows the valid part of the link, and Run would run it; the address stays.
		right, own := mend(link)
		b.spec, _ = spec.ParseLink(right, catalog.Names{})
		b.set, _ = ParseSettings(b.spec.View)
		b.bad, b.state = true, "failed"
		b.speak()
		action := &Action{b.words.T("open.mended"), "link", "#" + right}
		if !own {
			action.Label = b.words.T("open.default")
		}
		b.problem = &Message{Level: "error", Text: b.words.T("nothing.ran", b.words.Sentence(err)), Action: action}
		b.dirty = true
		b.host.Parent("error", b.problem.Text)
		return
	}
	b.spec, b.set, b.told, b.bad = s, set, "", false
	b.speak()
	b.tellSpeed()
	b.run()
}

// stop ends what runs.
func (b *Brain) stop() {
	b.round++
	b.job = nil
	for id, l := range b.lanes {
		if l.task != nil {
			b.host.Post(id, []byte{engine.MsgAbort})
			l.task = nil
		}
	}
	b.paused, b.problem, b.news = false, nil, false
	b.state, b.dirty = "idle", true
	clear(b.history)
	clear(b.took)
	clear(b.ladders)
	clear(b.exact)
	b.drawn = nil
	b.host.Reset()
}

// run starts the experiment from its beginning, fetching what its model needs.
func (b *Brain) run() {
	b.stop()
	s := b.spec
	if s == nil {
		return
	}
	b.ran, b.bad = true, false
	for len(b.lanes) < b.workers { // some could not start: perhaps now
		b.spawn()
	}
	if spec.IsFile(s.Model) && s.Model != b.ownID {
		b.problem = &Message{Level: "warn", Text: b.words.T("own.link", s.Model), Action: &Action{Label: b.words.T("choose.file"), Event: "file"}}
		return
	}
	b.state = "loading"
	round := b.round
	var missing []string
	for _, f := range models.Files(s.Model) {
		if b.files[f] == nil {
			missing = append(missing, f)
		}
	}
	left := len(missing)
	if left == 0 {
		b.begin()
		return
	}
	for _, f := range missing {
		b.host.Fetch(f, func(data []byte, err error) {
			if err == nil {
				b.files[f] = data
			}
			if b.round != round {
				return
			}
			if err != nil {
				b.round++
				b.fail(errors.New(b.words.T("fetch.lost", f, err)))
				return
			}
			if left--; left == 0 {
				b.begin()
			}
		})
	}
}

func (b *Brain) fail(err error) {
	b.state, b.dirty = "failed", true
	b.problem = &Message{Level: "error", Text: b.words.T("nothing.ran", b.words.Sentence(err))}
	b.host.Parent("error", b.problem.Text)
}

// begin makes the job; its files are here.
func (b *Brain) begin() {
	b.src.Load = func(f string) ([]byte, error) {
		if data := b.files[f]; data != nil {
			return data, nil
		}
		return nil, errors.New(f + " is not loaded")
	}
	src := b.src
	if !spec.IsFile(b.spec.Model) {
		src.File = nil
	}
	b.prepare()
	m, err := src.Open(b.spec)
	if err != nil {
		if damaged := (*models.Damaged)(nil); errors.As(err, &damaged) {
			delete(b.files, damaged.File) // asked for again by the next Run
			for _, l := range b.lanes {
				delete(l.files, damaged.File)
			}
			err = errors.New(b.words.T("fetch.damaged", b.words.Explain(err)))
		}
		b.fail(err)
		return
	}
	key := engine.ModelKey(b.spec)
	if b.caches[key] == nil {
		b.caches[key] = map[string][][]byte{}
	}
	if b.job, err = engine.NewJob(b.spec, m, engine.Options{Workers: b.workers, Cache: b.caches[key]}); err != nil {
		b.job = nil
		b.fail(err)
		b.problem.Action = b.instead()
		return
	}
	b.reports = report.New(b.job)
	b.state, b.dirty = "running", true
	b.told, b.numbers = "", false
	b.started, b.resting = b.host.Now(), 0
	b.field()
	b.curves(b.reports.All(0)) // fixes the order, hence the colours, of the methods
	b.assign()
	b.calm()
}

// finish notes the end of the job.
func (b *Brain) finish() {
	if b.state == "running" { // else it rests since the pause
		b.restAt = b.host.Now()
	}
	b.state = "done"
	if b.job.Failed() {
		b.state = "failed"
	}
	b.dirty, b.lastSum = true, 0
}

// elapsed is the time spent running.
func (b *Brain) elapsed() float64 {
	t := b.host.Now() - b.started - b.resting
	if b.state != "running" { // paused or over
		t -= b.host.Now() - b.restAt
	}
	return max(t, 0)
}

// Tick is called several times a second: it replaces silent workers and sends the
// view when something changed.
func (b *Brain) Tick() {
	now := b.host.Now()
	for id, l := range b.lanes {
		limit := silence
		if !l.ready {
			limit = startSilence
		}
		if (l.task != nil || !l.ready) && now-l.heard > limit {
			b.replace(id, l)
		}
	}
	if b.copied != "" && now-b.copiedAt > 3 {
		b.copied, b.dirty = "", true
	}
	if b.sheet == "table" && b.state != "done" && now-b.lookAt > 2 {
		b.look()
	}
	b.lookUp()
	if since := now - b.lastView; b.dirty && since >= viewEvery || b.news && (since >= numbersEvery || since >= viewEvery && b.firstNumber()) {
		b.dirty, b.news, b.lastView = false, false, now
		b.paint()
	}
}
