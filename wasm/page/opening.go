package page

import (
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/format"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/models"
	"logzlab/models/graph"
	"logzlab/models/rbm"
	"logzlab/wasm/page/deck"
	"logzlab/wasm/page/desk"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/state"
)

// run starts the experiment from its beginning, fetching what its model needs.
func (b *Brain) run() {
	b.stop()
	b.Spec = b.room.FitRun()
	b.Stepping, b.lecture.Due = false, 0
	if b.Spec == nil {
		return
	}
	b.Address.Ran, b.Address.Bad = true, false
	b.Crew.Fill()

	// A file of the user that is not here.
	if b.LacksOwn() && (!b.room.Open() && b.programs.MeetRival() || b.programs.Lacks()) { // a program makes the file
		b.Load()
		return
	}
	if b.LacksOwn() {
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("own.link", b.Spec.Model),
			Action: &state.Action{Label: b.Words.T("choose.file"), Event: "file"}}
		return
	}
	if b.LacksRows() {
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("rows.link", b.Spec.Set["data"]),
			Action: &state.Action{Label: b.Words.T("choose.file"), Event: "file"}}
		return
	}

	// The bundled files.
	b.Load()
	missing := b.Missing()
	left := len(missing)
	if left == 0 {
		b.prepare()
		return
	}
	number := b.Number
	for _, f := range missing {
		b.FetchModel(f, func(err error) {
			if b.Number != number {
				return
			}
			if err != nil {
				b.Number++
				b.fail(err)
				return
			}
			if left--; left == 0 {
				b.prepare()
			}
		})
	}
}

// prepare makes the model, the job and what the page shows of them, in pieces; all files are here.
func (b *Brain) prepare() {
	if !spec.IsFile(b.Spec.Model) { // an own file goes to the workers only when it has been accepted
		b.Crew.Open(b.Spec.Link(), b.ModelFiles()) // while the brain does
	}

	// Model, job, and the density in the plane.
	var m models.Model
	var job *engine.Job
	var err error
	field := false
	b.Opening = desk.NewWork(b.Host.Now(), func(w *desk.Work) {
		w.Doing, w.Meter.Copies = "opening.model", b.Crew.Holders()
		if m, err = b.Model(&w.Meter); err != nil {
			return
		}
		job, err = engine.NewJob(b.Spec, m, b.Options(&b.Crew))
		if err == nil {
			field = b.target.Field(b.Spec, job.Model)
		}
	}, func() {
		if err != nil {
			b.fail(err)
			if m != nil {
				b.Problem.Action = b.instead()
			}
			return
		}

		// A long run may have to wait for the user.
		if !b.asks(job) {
			b.begin(job, field)
		}
	})
	b.Work()
}

// How long a run may take, in seconds, until the page says so, and until it asks before it starts.
const (
	saidAfter = 60
	askAfter  = 2 * 3600
)

// asks says how long a run will take, if that is long; one that takes hours waits until the user agrees.
func (b *Brain) asks(job *engine.Job) bool {
	long, link := job.Seconds(), b.Spec.Link()
	if b.Beside.Look(b.Spec, b.Names(), b.Settings.Against, job.Model); b.Beside.Awaited() {
		long *= 2
	}
	switch {
	case b.room.Open(): // many share it
	case long > askAfter && b.agreed != link:
		b.Idle()
		b.Repaint.Dirty = true
		b.Problem = &state.Message{Level: "warn", Text: b.Words.T("run.hours", b.Num(format.Seconds(long)), b.Command()),
			Action: &state.Action{Label: b.Words.T("run.anyway"), Event: "agree", Value: link}}
		return true
	case long > saidAfter && b.Problem == nil: // what is wrong with a link matters more
		b.Repaint.Dirty = true
		b.Problem = &state.Message{Level: "info", Text: b.Words.T("run.minutes", b.Num(format.Seconds(long)), b.Command()),
			Action: &state.Action{Label: b.Words.T("copy.command"), Event: "export", Value: "command"}}
	}
	return false
}

// begin runs a job. field: its model has a density to be shown.
func (b *Brain) begin(job *engine.Job, field bool) {
	if spec.IsFile(b.Spec.Model) {
		b.Crew.Open(b.Spec.Link(), b.ModelFiles())
	}
	b.Current.Begin(job)
	b.lookBeside(job.Model)
	b.Repaint.Dirty, b.Repaint.Numbers = true, false
	b.sharing.Anew()
	if field {
		b.Host.Field(b.target.Density)
	}
	if b.room.Open() {
		b.Stepping = false
		b.room.BeginRun()
		b.assign() // a host's workers find the base of its model meanwhile
	} else if b.Stepping {
		b.Stepping = false
		b.step()
	} else {
		b.assign() // first, so that the lanes compute meanwhile
	}
	b.observe()
	b.draw(b.Snapshot()) // fixes the order, hence the colours, of the methods
	b.calm()
}

// File takes an own model file, or data rows beside one, by the file control or dropped on the page; n is the number of
// that event. It is read in pieces, while what runs goes on. Of two files that come together the rows may be the first:
// then they are read again when their model is there.
func (b *Brain) File(name string, data []byte, n int) {
	b.handle(func() { b.file(state.File{Name: name, Data: data, N: n}) })
}

func (b *Brain) file(f state.File) {
	name, data := f.Name, f.Data
	if strings.HasPrefix(string(data[:min(len(data), len(state.ResultMark))]), state.ResultMark) {
		b.AnsweredFile(f.N)
		b.sharing.TakeCode(string(data))
		return
	}
	if deck.Is(data) {
		b.AnsweredFile(f.N)
		b.lecture.Take(f)
		return
	}

	// Rows to train on, and programs with their data.
	if b.training.Takes(f) {
		return
	}
	if b.programs.Claims(name, data) {
		b.AnsweredFile(f.N)
		b.Repaint.AtOnce()
		return
	}
	b.programs.TakesTape(name, data)

	// Models in parts are joined.
	if strings.HasPrefix(string(data[:min(len(data), len(modelfile.PartsMark))]), modelfile.PartsMark) {
		parts, err := modelfile.Parts(data)
		if err == nil && !graph.IsPair(parts) {
			data, err = rbm.Joined(parts)
		}
		if err != nil {
			b.AnsweredFile(f.N)
			b.Repaint.AtOnce()
			b.accept(b.Loader, name, err)
			return
		}
	}

	// All else is a model, or rows of data.
	b.read(state.File{Name: name, Data: data, N: f.N}, false)
}

// read reads a file; again: after its model, if it may be rows beside that.
func (b *Brain) read(f state.File, again bool) {
	b.Repaint.AtOnce()
	desk.End(&b.Reading)
	b.LastFileEvent = max(b.LastFileEvent, f.N)
	x := b.Loader
	var err error
	rows := true

	// Rows beside the own model, or else a model.
	b.Reading = desk.NewWork(b.Host.Now(), func(w *desk.Work) {
		w.Doing, w.Meter.Copies = "opening.file", b.Crew.Holders()
		if x.OwnChosen() {
			attempt := w.Meter
			if x, err = x.WithRows(f.Name, f.Data, f.N, &attempt); err == nil || modelfile.IsRowsOnly(f.Data) || again {
				w.Meter = attempt
				return
			}
		}
		rows = false
		var file models.File
		if file, err = catalog.Kinds.ReadFile(f.Data, &w.Meter); err != nil {
			return
		}
		w.Meter.NextPart()
		w.Doing = "opening.model"
		x, err = b.Loader.With(f.Name, f.Data, file, f.N, &w.Meter)
	}, func() {
		// What was read is answered.
		before := b.LastFile
		b.LastFile, b.LastFileAnswered = f, max(b.LastFileAnswered, f.N)
		b.Repaint.AtOnce()
		if again && err != nil && !modelfile.IsRowsOnly(f.Data) {
			return // another file of the user's
		}
		b.accept(x, f.Name, err)
		if err == nil && !rows && before.N == f.N-1 && before.N > 0 {
			b.read(before, true)
		}
	})
	b.Work()
}

// accept runs an own file that has been read, or says why not.
func (b *Brain) accept(x run.Loader, name string, err error) {
	if err != nil {
		b.Problem = &state.Message{Level: "error", Text: b.Words.T("file.bad", name, b.Words.Sentence(err))}
		return
	}
	if b.programs.TakeRival(x.Own.ID) {
		s := b.Draft()
		s.Model, b.Settings.Expect, b.Settings.Rival = x.Own.ID, nil, ""
		b.Spec = s
	}

	// Files other than the link asks for.
	if b.Spec != nil && b.LacksOwn() && b.Spec.Model != x.Own.ID && !b.programs.Agreed(b.Spec.Model) {
		if b.programs.Differs(name, x.Own.ID) {
			b.Idle()
			return
		}
		b.Problem = &state.Message{Level: "error", Text: b.Words.T("file.other", name, x.Own.ID, b.Spec.Model),
			Action: &state.Action{Label: b.Words.T("choose.file"), Event: "file"}}
		return
	}
	if rows := x.Own.Rows.ID; rows != "" && b.LacksRows() && rows != b.Spec.Set["data"] {
		b.Problem = &state.Message{Level: "error", Text: b.Words.T("file.other", name, rows, b.Spec.Set["data"]),
			Action: &state.Action{Label: b.Words.T("choose.file"), Event: "file"}}
		return
	}

	// The page takes over the file, with the link of its program.
	now := b.Loader.About(x.Own) // it may have been edited meanwhile
	now.Made, now.MadeOf = x.Made, x.MadeOf
	b.adopt(now.Spec)
	b.Loader = now
	if b.programs.Made(now.Own.ID) {
		b.Settings.Program = b.programs.LinkOf(now.Own.ID)
	}
	before := b.previous
	// the link may have come before the file, and the kind of the file decides its parameters
	b.Open(b.Spec.Link() + b.Settings.Link())
	b.previous = before // another file may be another model of the same data
}

// instead offers the experiment without the methods that cannot run on its model.
func (b *Brain) instead() *state.Action {
	methods := slices.DeleteFunc(slices.Clone(b.Spec.Methods), func(m string) bool { return !b.Suits(m) })
	if len(methods) == len(b.Spec.Methods) {
		return nil
	}
	if len(methods) == 0 {
		methods = []string{state.DefaultMethod}
	}
	s := b.Spec.Only(b.Names(), methods...)
	var names []string
	for _, m := range s.Methods {
		names = append(names, state.Label(m))
	}
	return &state.Action{Label: b.Words.T("run.with", strings.Join(names, ", ")), Event: "link",
		Value: "#" + s.Link() + b.Settings.Link()}
}

// runMended runs an experiment that a failing check has offered.
func (b *Brain) runMended(link string) {
	s, err := spec.ParseLink(link, b.Names())
	if err != nil {
		b.fail(err)
		return
	}
	b.adopt(s)
	b.run()
}

// giveUp ends what is being read or opened.
func (b *Brain) giveUp() {
	for _, w := range b.Works.All() {
		if b.Problem == w.Notice {
			b.Problem = nil
		}
	}
	if b.Opening != nil {
		b.Number++ // for fetches under way
		if b.Active() {
			b.over()
		} else {
			b.Idle()
		}
	}
	if b.Reading != nil {
		b.LastFileAnswered = b.LastFileEvent
	}
	desk.End(&b.Reading)
	desk.End(&b.Opening)
}
