package page

import (
	"errors"
	"strings"

	"logzlab/core/format"
	"logzlab/core/modelfile"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
)

// run starts the experiment from its beginning, fetching what its model needs.
func (b *Brain) run() {
	b.stop()
	b.stepping = false
	if b.spec == nil {
		return
	}
	b.address.ran, b.address.bad = true, false
	b.crew.fill()
	if b.lacksOwn() {
		b.problem = &Message{Level: "warn", Text: b.words.T("own.link", b.spec.Model),
			Action: &Action{Label: b.words.T("choose.file"), Event: "file"}}
		return
	}
	if b.lacksRows() {
		b.problem = &Message{Level: "warn", Text: b.words.T("rows.link", b.spec.Set["data"]),
			Action: &Action{Label: b.words.T("choose.file"), Event: "file"}}
		return
	}
	b.state = "loading"
	missing := b.missing()
	left := len(missing)
	if left == 0 {
		b.prepare()
		return
	}
	number := b.number
	for _, f := range missing {
		b.fetch(f, false, func(err error) {
			if b.number != number {
				return
			}
			if err != nil {
				b.number++
				b.fail(err)
				return
			}
			if left--; left == 0 {
				b.prepare()
			}
		})
	}
}

// fetch brings a bundled file. If something else comes, or nothing, it is asked for once more, past every cache.
func (b *Brain) fetch(file string, fresh bool, done func(error)) {
	b.host.Fetch(file, fresh, func(data []byte, err error) {
		switch {
		case err == nil && models.Intact(file, data):
			b.came[file] = data
			done(nil)
		case !fresh:
			b.fetch(file, true, done)
		case err != nil && b.browser.Alone:
			done(errors.New(b.words.T("fetch.alone", file, b.url(b.set))))
		case err != nil:
			done(errors.New(b.words.T("fetch.lost", file, b.words.Explain(err))))
		default:
			done(errors.New(b.words.T("fetch.damaged", file)))
		}
	})
}

// pageMemory is how many bytes the brain and all lanes may take together.
const pageMemory = 1.5e9

// prepare makes the model, the job and what the page shows of them, in pieces; all files are here.
func (b *Brain) prepare() {
	if !spec.IsFile(b.spec.Model) { // an own file goes to the workers only when it has been accepted
		b.crew.open(b.spec.Link(), b.modelFiles()) // while the brain does
	}
	var m models.Model
	var job *engine.Job
	var err error
	field := false
	b.opening = newWork(b.host.Now(), func(w *work) {
		w.stage, w.meter.Copies = "opening.model", b.holders()
		if m, err = b.model(&w.meter); err != nil {
			return
		}
		job, err = engine.NewJob(b.spec, m, b.options())
		if err == nil {
			field = b.target.field(b.spec, job.Model)
		}
	}, func() {
		if err != nil {
			b.fail(err)
			if m != nil {
				b.problem.Action = b.instead()
			}
			return
		}
		if !b.asks(job) {
			b.begin(job, field)
		}
	})
	b.Work()
}

// options are those of a run on the lane workers.
func (b *Brain) options() engine.Options {
	o := engine.Options{Workers: b.crew.size, Cache: b.cache(), Limit: pageMemory, Apart: true}
	if b.room.open() { // others come and go
		o.Workers, o.AtOnce = 0, b.crew.size
		o.Cache = nil // which might keep what a device that is left out had computed
		o.LaneSize = classLane(b.spec)
	}
	return o
}

// holders is how many hold a copy of the model: the brain and all lanes.
func (b *Brain) holders() float64 { return float64(1 + b.crew.size) }

// How long a run may take, in seconds, until the page says so, and until it asks before it starts.
const (
	saidAfter = 60
	askAfter  = 2 * 3600
)

// asks says how long a run will take, if that is long; one that takes hours waits until the user agrees.
func (b *Brain) asks(job *engine.Job) bool {
	long, link := job.Seconds(), b.spec.Link()
	if b.free.look(b.spec, b.names(), b.set.Against, job.Model); b.free.awaited() {
		long *= 2
	}
	switch {
	case b.room.open(): // many share it
	case long > askAfter && b.agreed != link:
		b.state, b.views.dirty = "idle", true
		b.problem = &Message{Level: "warn", Text: b.words.T("run.hours", b.num(format.Seconds(long)), b.command()),
			Action: &Action{b.words.T("run.anyway"), "agree", link}}
		return true
	case long > saidAfter && b.problem == nil: // what is wrong with a link matters more
		b.views.dirty = true
		b.problem = &Message{Level: "info", Text: b.words.T("run.minutes", b.num(format.Seconds(long)), b.command()),
			Action: &Action{b.words.T("copy.command"), "export", "command"}}
	}
	return false
}

// begin runs a job. field: its model has a density to be shown.
func (b *Brain) begin(job *engine.Job, field bool) {
	if spec.IsFile(b.spec.Model) {
		b.crew.open(b.spec.Link(), b.modelFiles())
	}
	b.runState.begin(job)
	b.lookBeside(job.Model)
	b.views.dirty, b.views.numbers, b.sharing.told = true, false, ""
	if field {
		b.host.Field(b.target.density)
	}
	if b.room.open() {
		b.stepping = false
		b.gather()
	} else if b.stepping {
		b.stepping = false
		b.step()
	} else {
		b.assign() // first, so that the lanes compute meanwhile
	}
	b.draw(b.reports.All(0)) // fixes the order, hence the colours, of the methods
	b.calm()
}

// File takes an own model file, or data rows beside one, by the file control or dropped on the page; n is the number of
// that event. It is read in pieces, while what runs goes on. Of two files that come together the rows may be the first:
// then they are read again when their model is there.
func (b *Brain) File(name string, data []byte, n int) {
	if strings.HasPrefix(string(data[:min(len(data), len(ResultMark))]), ResultMark) {
		b.offered, b.filed = max(b.offered, n), max(b.filed, n)
		b.takeCode(string(data))
		return
	}
	if b.panels.sheet == "train" && b.trainer.run == nil {
		b.readRows(arrival{name, data, n})
		return
	}
	b.read(arrival{name, data, n}, false)
}

// arrival is a file that came.
type arrival struct {
	name string
	data []byte
	n    int
}

// read reads a file; again: after its model, if it may be rows beside that.
func (b *Brain) read(f arrival, again bool) {
	b.views.atOnce()
	end(&b.reading)
	b.offered = max(b.offered, f.n)
	x := b.experiment
	var err error
	rows := true
	b.reading = newWork(b.host.Now(), func(w *work) {
		w.stage, w.meter.Copies = "opening.file", b.holders()
		if x.ownChosen() {
			trial := w.meter
			if x, err = x.withRows(f.name, f.data, f.n, &trial); err == nil || modelfile.OnlyRows(f.data) || again {
				w.meter = trial
				return
			}
		}
		rows = false
		var file models.File
		if file, err = catalog.Kinds.ReadFile(f.data, &w.meter); err != nil {
			return
		}
		w.meter.Stage()
		w.stage = "opening.model"
		x, err = b.experiment.with(f.name, f.data, file, f.n, &w.meter)
	}, func() {
		before := b.before
		b.before, b.filed = f, max(b.filed, f.n)
		b.views.atOnce()
		if again && err != nil && !modelfile.OnlyRows(f.data) {
			return // another file of the user's
		}
		b.accept(x, f.name, err)
		if err == nil && !rows && before.n == f.n-1 && before.n > 0 {
			b.read(before, true)
		}
	})
	b.Work()
}

// accept runs an own file that has been read, or says why not.
func (b *Brain) accept(x experiment, name string, err error) {
	if err != nil {
		b.problem = &Message{Level: "error", Text: b.words.T("file.bad", name, b.words.Sentence(err))}
		return
	}
	if b.spec != nil && b.lacksOwn() && b.spec.Model != x.own.id {
		b.problem = &Message{Level: "error", Text: b.words.T("file.other", name, x.own.id, b.spec.Model),
			Action: &Action{Label: b.words.T("choose.file"), Event: "file"}}
		return
	}
	if rows := x.own.rows.id; rows != "" && b.lacksRows() && rows != b.spec.Set["data"] {
		b.problem = &Message{Level: "error", Text: b.words.T("file.other", name, rows, b.spec.Set["data"]),
			Action: &Action{Label: b.words.T("choose.file"), Event: "file"}}
		return
	}
	now := b.experiment.about(x.own) // it may have been edited meanwhile
	now.made, now.madeOf = x.made, x.madeOf
	b.adopt(now.spec)
	b.experiment = now
	before := b.ghost
	b.Open(b.spec.Link() + b.set.Link()) // a link may have been here before its file, whose kind settles what it says
	b.ghost = before                     // another file may be another model of the same data
}
