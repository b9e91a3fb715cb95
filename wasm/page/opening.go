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
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// run starts the experiment from its beginning, fetching what its model needs.
func (c *Controller) run() {
	c.stop()
	c.Spec = c.room.FitRun()
	c.Stepping, c.lecture.Due = false, 0
	if c.Spec == nil {
		return
	}
	c.Address.Ran, c.Address.Bad = true, false
	c.Workers.Fill()

	// A file of the user that is not here.
	if c.LacksOwn() && (!c.room.Open() && c.programs.MeetRival() || c.programs.Lacks()) { // a program makes the file
		c.Load()
		return
	}
	if c.LacksOwn() {
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("own.link", c.Spec.Model),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}
	if c.LacksRows() {
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("rows.link", c.Spec.Set["data"]),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}

	// The bundled files.
	c.Load()
	missing := c.Missing()
	left := len(missing)
	if left == 0 {
		c.prepare()
		return
	}
	number := c.Number
	for _, f := range missing {
		c.FetchModel(f, func(err error) {
			if c.Number != number {
				return
			}
			if err != nil {
				c.Number++
				c.fail(err)
				return
			}
			if left--; left == 0 {
				c.prepare()
			}
		})
	}
}

// prepare makes the model, the job and what the page shows of them, in pieces; all files are here.
func (c *Controller) prepare() {
	if !spec.IsFile(c.Spec.Model) { // an own file goes to the workers only when it has been accepted
		c.Workers.Open(c.Spec.Link(), c.ModelFiles()) // while the controller does
	}

	// Model, job, and the density in the plane.
	var m models.Model
	var job *engine.Job
	var err error
	field := false
	c.Opening = shared.NewWork(c.Host.Now(), func(w *shared.Work) {
		w.Doing, w.Meter.Copies = "opening.model", c.Workers.Holders()
		if m, err = c.Model(&w.Meter); err != nil {
			return
		}
		job, err = engine.NewJob(c.Spec, m, c.Options(&c.Workers))
		if err == nil {
			field = c.target.Field(c.Spec, job.Model)
		}
	}, func() {
		if err != nil {
			c.fail(err)
			if m != nil {
				c.Problem.Action = c.instead()
			}
			return
		}

		// A long run may have to wait for the user.
		if !c.asks(job) {
			c.begin(job, field)
		}
	})
	c.Work()
}

// How long a run may take, in seconds, until the page says so, and until it asks before it starts.
const (
	saidAfter = 60
	askAfter  = 2 * 3600
)

// asks says how long a run will take, if that is long; one that takes hours waits until the user agrees.
func (c *Controller) asks(job *engine.Job) bool {
	long, link := job.Seconds(), c.Spec.Link()
	if c.Beside.Look(c.Spec, c.Names(), c.Settings.Against, job.Model); c.Beside.Awaited() {
		long *= 2
	}
	switch {
	case c.room.Open(): // many share it
	case long > askAfter && c.agreed != link:
		c.Idle()
		c.Repaint.Dirty = true
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("run.hours", c.Num(format.Seconds(long)), c.Command()),
			Action: &state.Action{Label: c.Words.T("run.anyway"), Event: "agree", Value: link}}
		return true
	case long > saidAfter && c.Problem == nil: // what is wrong with a link matters more
		c.Repaint.Dirty = true
		c.Problem = &state.Message{Level: "info", Text: c.Words.T("run.minutes", c.Num(format.Seconds(long)), c.Command()),
			Action: &state.Action{Label: c.Words.T("copy.command"), Event: "export", Value: "command"}}
	}
	return false
}

// begin runs a job. field: its model has a density to be shown.
func (c *Controller) begin(job *engine.Job, field bool) {
	if spec.IsFile(c.Spec.Model) {
		c.Workers.Open(c.Spec.Link(), c.ModelFiles())
	}
	c.Current.Begin(job)
	c.lookBeside(job.Model)
	c.Repaint.Dirty, c.Repaint.Numbers = true, false
	c.sharing.Anew()
	if field {
		c.Host.Field(c.target.Density)
	}
	if c.room.Open() {
		c.Stepping = false
		c.room.BeginRun()
		c.assign() // a host's workers find the base of its model meanwhile
	} else if c.Stepping {
		c.Stepping = false
		c.step()
	} else {
		c.assign() // first, so that the lanes compute meanwhile
	}
	c.observe()
	c.draw(c.Snapshot()) // fixes the order, hence the colours, of the methods
	c.calm()
}

// File takes an own model file, or data rows beside one, by the file control or dropped on the page; n is the number of
// that event. It is read in pieces, while what runs goes on. Of two files that come together the rows may be the first:
// then they are read again when their model is there.
func (c *Controller) File(name string, data []byte, n int) {
	c.handle(func() { c.file(state.File{Name: name, Data: data, N: n}) })
}

func (c *Controller) file(f state.File) {
	name, data := f.Name, f.Data
	if strings.HasPrefix(string(data[:min(len(data), len(state.ResultMark))]), state.ResultMark) {
		c.AnsweredFile(f.N)
		c.sharing.TakeCode(string(data))
		return
	}
	if deck.Is(data) {
		c.AnsweredFile(f.N)
		c.lecture.Take(f)
		return
	}

	// Rows to train on, and programs with their data.
	if c.training.Takes(f) {
		return
	}
	if c.programs.Claims(name, data) {
		c.AnsweredFile(f.N)
		c.Repaint.AtOnce()
		return
	}
	c.programs.TakesTape(name, data)

	// Models in parts are joined.
	if strings.HasPrefix(string(data[:min(len(data), len(modelfile.PartsMark))]), modelfile.PartsMark) {
		parts, err := modelfile.Parts(data)
		if err == nil && !graph.IsPair(parts) {
			data, err = rbm.JoinArrays(parts)
		}
		if err != nil {
			c.AnsweredFile(f.N)
			c.Repaint.AtOnce()
			c.accept(c.Loader, name, err)
			return
		}
	}

	// All else is a model, or rows of data.
	c.read(state.File{Name: name, Data: data, N: f.N}, false)
}

// read reads a file; again: after its model, if it may be rows beside that.
func (c *Controller) read(f state.File, again bool) {
	c.Repaint.AtOnce()
	shared.End(&c.Reading)
	c.LastFileEvent = max(c.LastFileEvent, f.N)
	x := c.Loader
	var err error
	rows := true

	// Rows beside the own model, or else a model.
	c.Reading = shared.NewWork(c.Host.Now(), func(w *shared.Work) {
		w.Doing, w.Meter.Copies = "opening.file", c.Workers.Holders()
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
		x, err = c.Loader.With(f.Name, f.Data, file, f.N, &w.Meter)
	}, func() {
		// What was read is answered.
		before := c.LastFile
		c.LastFile, c.LastFileAnswered = f, max(c.LastFileAnswered, f.N)
		c.Repaint.AtOnce()
		if again && err != nil && !modelfile.IsRowsOnly(f.Data) {
			return // another file of the user's
		}
		c.accept(x, f.Name, err)
		if err == nil && !rows && before.N == f.N-1 && before.N > 0 {
			c.read(before, true)
		}
	})
	c.Work()
}

// accept runs an own file that has been read, or says why not.
func (c *Controller) accept(x run.Loader, name string, err error) {
	if err != nil {
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("file.bad", name, c.Words.Sentence(err))}
		return
	}
	if c.programs.TakeRival(x.Own.ID) {
		s := c.Draft()
		s.Model, c.Settings.Expect, c.Settings.Rival = x.Own.ID, nil, ""
		c.Spec = s
	}

	// Files other than the link asks for.
	if c.Spec != nil && c.LacksOwn() && c.Spec.Model != x.Own.ID && !c.programs.Agreed(c.Spec.Model) {
		if c.programs.Differs(name, x.Own.ID) {
			c.Idle()
			return
		}
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("file.other", name, x.Own.ID, c.Spec.Model),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}
	if rows := x.Own.Rows.ID; rows != "" && c.LacksRows() && rows != c.Spec.Set["data"] {
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("file.other", name, rows, c.Spec.Set["data"]),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}

	// The page takes over the file, with the link of its program.
	now := c.Loader.About(x.Own) // it may have been edited meanwhile
	now.Made, now.MadeOf = x.Made, x.MadeOf
	c.adopt(now.Spec)
	c.Loader = now
	if c.programs.Made(now.Own.ID) {
		c.Settings.Program = c.programs.LinkOf(now.Own.ID)
	}
	before := c.previous
	// the link may have come before the file, and the kind of the file decides its parameters
	c.Open(c.Spec.Link() + c.Settings.Link())
	c.previous = before // another file may be another model of the same data
}

// instead offers the experiment without the methods that cannot run on its model.
func (c *Controller) instead() *state.Action {
	methods := slices.DeleteFunc(slices.Clone(c.Spec.Methods), func(m string) bool { return !c.Suits(m) })
	if len(methods) == len(c.Spec.Methods) {
		return nil
	}
	if len(methods) == 0 {
		methods = []string{state.DefaultMethod}
	}
	s := c.Spec.Only(c.Names(), methods...)
	var names []string
	for _, m := range s.Methods {
		names = append(names, state.Label(m))
	}
	return &state.Action{Label: c.Words.T("run.with", strings.Join(names, ", ")), Event: "link",
		Value: "#" + s.Link() + c.Settings.Link()}
}

// runMended runs an experiment that a failing check has offered.
func (c *Controller) runMended(link string) {
	s, err := spec.ParseLink(link, c.Names())
	if err != nil {
		c.fail(err)
		return
	}
	c.adopt(s)
	c.run()
}

// giveUp ends what is being read or opened.
func (c *Controller) giveUp() {
	for _, w := range c.Works.All() {
		if c.Problem == w.Notice {
			c.Problem = nil
		}
	}
	if c.Opening != nil {
		c.Number++ // for fetches under way
		if c.Active() {
			c.over()
		} else {
			c.Idle()
		}
	}
	if c.Reading != nil {
		c.LastFileAnswered = c.LastFileEvent
	}
	shared.End(&c.Reading)
	shared.End(&c.Opening)
}
