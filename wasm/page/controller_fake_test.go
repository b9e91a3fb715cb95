package page

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/problem"
	"logzlab/core/runstate"
	"logzlab/core/words"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/internal/pagetest"
	"logzlab/internal/testmodels"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/view"
)

// fakePage is a page without a browser: a clock that the test turns, lane
// workers that take turns, and files fetched from the source tree.
type fakePage struct {
	*pagetest.Host
	t          *testing.T
	controller *Controller
	lanes      map[int]*fakeLane
	fresh      []bool // of each fetch that was answered, whether it went past the caches
	fetches    []func()
	lost       map[string]bool // files that cannot be fetched
	damaged    map[string]int  // how often they come damaged

	view                  painted
	parts                 map[string]html.HTML // the page
	views, curves, fields int
	started               float64      // seconds that workers take to start
	frames                int          // made by all lanes
	units                 int          // sent to lanes
	looks, dreams         [][]byte     // the frames on show, and what the hero was shown
	lookedAt              runstate.Run // state of the run when they were last asked for

	words func(lang string, done func([]byte)) // nil: at once
}

// painted is a view with the data that its markup was made from.
type painted struct {
	View
	Rows           []paintedRow
	Message        *state.Message
	Scene          string
	Model, Summary string
	Progress       float64
	RunLabel       string
	RunOff         bool
}

// paintedRow is a row of the results.
type paintedRow struct {
	Method      string
	State       runstate.Method
	Cells       map[string]view.Cell
	Notes       []string
	Provisional bool
}

// fakeLane is a lane worker as in wasm/logz: it reads messages between frames.
type fakeLane struct {
	w      *engine.Worker
	inbox  [][]byte
	kinds  []byte // of all messages
	r      *engine.Running
	next   func() (*frame.Frame, bool)
	end    func()
	ready  bool
	silent bool    // hangs for ever
	alive  float64 // last sign of life
	frames int
	broken error // answers every unit with this
}

func newPage(t *testing.T, workers int) *fakePage {
	t.Helper()
	p := &fakePage{Host: pagetest.NewHost(), t: t, lanes: map[int]*fakeLane{}, lost: map[string]bool{},
		damaged: map[string]int{}, parts: map[string]html.HTML{}}
	p.controller = NewController(p, workers)
	t.Cleanup(func() {
		for _, l := range p.lanes {
			l.drop()
		}
	})
	return p
}

func (p *fakePage) Spawn(id int) {
	p.lanes[id] = &fakeLane{w: engine.NewWorker()}
	p.Host.Spawn(id)
}

func (p *fakePage) Kill(id int) {
	p.lanes[id].drop()
	delete(p.lanes, id)
	p.Host.Kill(id)
}

func (p *fakePage) Post(id int, parts ...[]byte) {
	msg := slices.Concat(parts...)
	if msg[0] == engine.MsgUnit {
		p.units++
	}
	p.lanes[id].kinds = append(p.lanes[id].kinds, msg[0])
	p.lanes[id].inbox = append(p.lanes[id].inbox, msg)
}

var (
	runButton = regexp.MustCompile(`<button [^>]*id="run"[^>]*>.*?<span class="word">(.*?)</span>`)
	rowState  = regexp.MustCompile(`data-method="([a-z]+)" data-state="([a-z]+)"`)
)

func (p *fakePage) View(b []byte) {
	p.view = painted{}
	if err := json.Unmarshal(b, &p.view.View); err != nil {
		p.t.Fatalf("the view is not JSON: %v", err)
	}
	for id, part := range p.view.Parts {
		p.parts[id] = part
		s := string(part)
		if id != "message" && (strings.Contains(s, "NaN") || strings.Contains(s, "Inf<")) {
			p.t.Errorf("%s shows NaN or Inf: %s", id, part)
		}
	}
	v := &p.view
	v.Message, v.Summary = p.controller.Problem, p.controller.summary.text
	v.Scene = scene.On(p.controller.Outline()).Name
	if p.controller.Spec != nil {
		v.Model = p.controller.Spec.Model
	}
	now := p.controller.Snapshot()
	v.Progress = view.Progress(now)
	if m := runButton.FindStringSubmatch(string(p.parts["transport"])); m != nil {
		v.RunLabel, v.RunOff = m[1], strings.Contains(m[0], " disabled")
	}
	for i, m := range rowState.FindAllStringSubmatch(string(p.parts["numbers"]), -1) {
		r := paintedRow{Method: m[1], State: runstate.Method(m[2]), Cells: map[string]view.Cell{}, Provisional: true}
		if i < len(now.Reports) {
			x := now.Reports[i]
			r.Cells, r.Notes, r.Provisional = view.Cells(now, x), view.Notes(now, x), x.Provisional
		}
		v.Rows = append(v.Rows, r)
	}
	p.views++
}

func (p *fakePage) Frame(b []byte) {
	if _, err := frame.Decode(b); err != nil {
		p.t.Errorf("curves do not decode: %v", err)
	}
	p.curves++
}

func (p *fakePage) Field(b []byte) {
	if f, err := frame.Decode(b); err != nil || f.Field == nil {
		p.t.Errorf("the field does not decode: %v", err)
	}
	p.fields++
}

func (p *fakePage) HeroFrame(b []byte) { p.dreams = append(p.dreams, b) }
func (p *fakePage) RequestFrames() {
	p.lookedAt = p.controller.State()
	p.controller.ReceiveFrames(p.looks)
}

func (p *fakePage) Words(lang string, done func([]byte)) {
	switch {
	case p.words != nil:
		p.words(lang, done)
	case p.lost[words.File(lang)]:
		p.fetches = append(p.fetches, func() { done(nil) })
	default:
		done(fetchedWords()[lang])
	}
}

func (p *fakePage) Fetch(path string, fresh bool, done func([]byte, error)) {
	file := strings.TrimPrefix(path, "models/")
	p.fetches = append(p.fetches, func() {
		if p.lost[file] {
			done(nil, problem.New("the server answered %d", 404))
			return
		}
		data, err := os.ReadFile("../../site/" + path)
		if p.damaged[file] > 0 {
			p.damaged[file]--
			data = bytes.Clone(data)
			data[len(data)-1] ^= 1
		}
		p.fresh = append(p.fresh, fresh)
		done(data, err)
	})
}

// turn is 50 ms of the page's life: answers arrive, every lane makes at most n
// frames, the controller ticks.
func (p *fakePage) turn(n int) {
	p.Clock += .05
	fetches := p.fetches
	p.fetches = nil
	for _, f := range fetches {
		f()
	}
	for len(p.Queue) > 0 {
		(<-p.Queue)()
	}
	if p.controller.Working() {
		p.controller.Work()
	}
	for id := 0; id <= len(p.Spawned); id++ { // lanes come and go meanwhile
		l := p.lanes[id]
		if l == nil {
			continue
		}
		if !l.ready {
			l.ready = true
			p.controller.Ready(id, p.started)
		}
		l.turn(p, id, n)
	}
	p.controller.Tick()
}

// until turns the clock until a view says so.
func (p *fakePage) until(what string, ok func() bool) {
	p.t.Helper()
	for range 20000 {
		if ok() {
			return
		}
		p.turn(200)
	}
	p.t.Fatalf("never came: %s; state %s, message %+v", what, p.view.State, p.view.Message)
}

// finish waits for the end and returns the hashes.
func (p *fakePage) finish() string {
	p.t.Helper()
	p.until("done", func() bool { return p.controller.State().Over() })
	p.turn(0)
	p.turn(0)
	p.turn(0)
	if p.view.State != runstate.Done {
		p.t.Fatalf("state %s: %+v", p.view.State, p.view.Message)
	}
	var out []string
	for _, r := range p.view.Rows {
		out = append(out, r.Cells["hash"].Value)
	}
	return strings.Join(out, " ")
}

func (l *fakeLane) drop() {
	if l.end != nil {
		l.end()
	}
	l.r, l.end = nil, nil
}

func (l *fakeLane) turn(p *fakePage, id, n int) {
	if l.silent {
		return
	}
	for len(l.inbox) > 0 {
		msg := l.inbox[0]
		l.inbox = l.inbox[1:]
		run, err := l.w.Control(msg)
		if err != nil {
			p.t.Fatalf("lane %d: %v", id, err)
		}
		if run {
			l.drop()
			l.w.Prepare(nil)
			if !l.w.HasUnit() {
				continue
			}
			r, err := l.w.Start(nil)
			if err == nil {
				err = l.broken
			}
			if err != nil {
				p.controller.ReceiveMessage(id, r.ErrorMessage(err))
				continue
			}
			l.r = r
			l.next, l.end = iter.Pull(r.Frames)
		}
	}
	stands := func() bool { return l.r != nil && l.frames > 0 && l.r.Waiting() }
	if p.Clock-l.alive > 1 && !stands() {
		l.alive = p.Clock
		p.controller.ReceiveMessage(id, engine.Alive(0, 0, 0))
	}
	for range n {
		if l.r == nil {
			return
		}
		if stands() {
			p.controller.ReceiveMessage(id, engine.Alive(0, 0, l.w.Received()))
			return
		}
		if l.r.Aborted() {
			l.drop()
			return
		}
		l.r.Unit.Watched, l.r.Unit.Snapshots = l.r.Watched(), l.r.NeedsSnapshots()
		f, more := l.next()
		if !more {
			done := slices.Concat(l.r.DoneMessage()...)
			l.drop()
			p.controller.ReceiveMessage(id, done)
			return
		}
		l.frames++
		p.frames++
		for _, note := range l.r.Notes() {
			p.controller.ReceiveMessage(id, note)
		}
		if stepped := l.r.Stepped(); stepped || l.frames%50 == 0 || l.r.Waiting() {
			p.controller.ReceiveMessage(id, l.r.PeekMessage(f))
		}
	}
}

// native is the hashes of a link in the terminal.
func native(t *testing.T, link string) string {
	t.Helper()
	r, err := report.RunLink(context.Background(), link, engine.Source{Load: testmodels.LoadSite}, 2)
	if err != nil {
		t.Fatal(err)
	}
	return hashesOf(r)
}

func hashesOf(reports []*report.Report) string {
	var out []string
	for _, r := range reports {
		out = append(out, r.Hash)
	}
	return strings.Join(out, " ")
}

// row is a method's row of the newest view.
func (p *fakePage) row(method string) paintedRow {
	p.t.Helper()
	for _, r := range p.view.Rows {
		if r.Method == method {
			return r
		}
	}
	p.t.Fatalf("no row of %s in %+v", method, p.view.Rows)
	return paintedRow{}
}

// show makes sure that the newest state has been painted.
func (p *fakePage) show() {
	for range int(math.Ceil(shared.ViewInterval/.05)) + 1 {
		p.turn(0)
	}
}
