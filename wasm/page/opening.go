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

// run starts the experiment, after loading the files of its model.
func (c *Controller) run() {
	c.stop()
	c.Spec = c.room.FitRun()
	c.Stepping, c.lecture.Due = false, 0
	if c.Spec == nil {
		return
	}
	c.Address.HasRun, c.Address.Rejected = true, false
	c.Workers.Fill()

	// A file of the user that is not loaded.
	if c.NeedsOwnFile() && (!c.room.Computing() && c.programs.CompileRival() || c.programs.CompileLinked()) { // the compiler makes the file
		c.Load()
		return
	}
	if c.NeedsOwnFile() {
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("own.link", c.Spec.Model),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}
	if c.NeedsDataRows() {
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("rows.link", c.Spec.Set["data"]),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}

	// The bundled files.
	c.Load()
	missing := c.Missing()
	remaining := len(missing)
	if remaining == 0 {
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
			if remaining--; remaining == 0 {
				c.prepare()
			}
		})
	}
}

// prepare creates the model and the job, in steps, once all files are loaded.
func (c *Controller) prepare() {
	if !spec.IsFile(c.Spec.Model) { // own files are sent to the workers only after they were accepted
		c.Workers.Open(c.Spec.Link(), c.ModelFiles()) // the workers open the model at the same time as the controller
	}

	// Model, job, and the density in the plane.
	var m models.Model
	var job *engine.Job
	var err error
	hasDensity := false
	c.Opening = shared.NewWork(c.Host.Now(), func(w *shared.Work) {
		w.Description, w.Meter.Copies = "opening.model", c.Workers.ModelCopies()
		if m, err = c.Model(&w.Meter); err != nil {
			return
		}
		job, err = engine.NewJob(c.Spec, m, c.Options(&c.Workers))
		if err == nil {
			hasDensity = c.target.Field(c.Spec, job.Model)
		}
	}, func() {
		if err != nil {
			c.fail(err)
			if m != nil {
				c.Problem.Action = c.offerSuitedMethods()
			}
			return
		}

		// A long run may have to wait for the user.
		if !c.needsConfirmation(job) {
			c.begin(job, hasDensity)
		}
	})
	c.Work()
}

// Expected durations of a run, in seconds, above which the page announces the duration, and above which the user must
// confirm the run.
const (
	announceAfter = 60
	confirmAfter  = 2 * 3600
)

// needsConfirmation shows the expected time of a long run. It returns true if the run takes hours and the user has not
// confirmed it.
func (c *Controller) needsConfirmation(job *engine.Job) bool {
	seconds, link := job.Seconds(), c.Spec.Link()
	if c.Auxiliary.Find(c.Spec, c.Names(), c.Settings.Against, job.Model); c.Auxiliary.Pending() {
		seconds *= 2
	}
	switch {
	case c.room.Computing(): // many devices share the work
	case seconds > confirmAfter && c.confirmedLink != link:
		c.Idle()
		c.Repaint.Dirty = true
		c.Problem = &state.Message{Level: "warn", Text: c.Words.T("run.hours", c.Num(format.Seconds(seconds)), c.Command()),
			Action: &state.Action{Label: c.Words.T("run.anyway"), Event: "agree", Value: link}}
		return true
	case seconds > announceAfter && c.Problem == nil: // an error of the link is more important
		c.Repaint.Dirty = true
		c.Problem = &state.Message{Level: "info", Text: c.Words.T("run.minutes", c.Num(format.Seconds(seconds)), c.Command()),
			Action: &state.Action{Label: c.Words.T("copy.command"), Event: "export", Value: "command"}}
	}
	return false
}

// begin starts a job. hasDensity tells whether the picture shows the density of the model in a plane.
func (c *Controller) begin(job *engine.Job, hasDensity bool) {
	if spec.IsFile(c.Spec.Model) {
		c.Workers.Open(c.Spec.Link(), c.ModelFiles())
	}
	c.Current.Begin(job)
	c.findAuxiliaryResults(job.Model)
	c.Repaint.Dirty, c.Repaint.NumberShown = true, false
	c.sharing.NewRun()
	if hasDensity {
		c.Host.Field(c.target.Density)
	}
	if c.room.Computing() {
		c.Stepping = false
		c.room.BeginRun()
		c.assign() // the workers of a host compute the base rates meanwhile
	} else if c.Stepping {
		c.Stepping = false
		c.step()
	} else {
		c.assign() // before the view is made, so that the lanes compute meanwhile
	}
	c.observe()
	c.draw(c.Snapshot()) // fixes the order, hence the colours, of the methods
	c.pauseForReducedMotion()
}

// File handles a file that the user chose or dropped: an own model, its data rows, a lecture, a program or a result; n
// is the number of the event. The file is read in steps while a run continues. If data rows arrive just before their
// model, they are read again after the model.
func (c *Controller) File(name string, data []byte, n int) {
	c.handle(func() { c.file(state.File{Name: name, Data: data, N: n}) })
}

func (c *Controller) file(f state.File) {
	name, data := f.Name, f.Data
	if strings.HasPrefix(string(data[:min(len(data), len(state.ResultPrefix))]), state.ResultPrefix) {
		c.NoteFileAnswered(f.N)
		c.sharing.TakeCode(string(data))
		return
	}
	if deck.IsLecture(data) {
		c.NoteFileAnswered(f.N)
		c.lecture.Take(f)
		return
	}

	// Rows to train on, and programs with their data.
	if c.training.TakeRows(f) {
		return
	}
	if c.programs.TakeFile(name, data) {
		c.NoteFileAnswered(f.N)
		c.Repaint.AtOnce()
		return
	}
	c.programs.NoteTape(name, data)

	// Models in parts are joined.
	if strings.HasPrefix(string(data[:min(len(data), len(modelfile.PartsMark))]), modelfile.PartsMark) {
		parts, err := modelfile.Parts(data)
		if err == nil && !graph.IsPair(parts) {
			data, err = rbm.JoinArrays(parts)
		}
		if err != nil {
			c.NoteFileAnswered(f.N)
			c.Repaint.AtOnce()
			c.accept(c.Loader, name, err)
			return
		}
	}

	// All else is a model, or rows of data.
	c.read(state.File{Name: name, Data: data, N: f.N}, false)
}

// read reads a model file or data rows. isRetry tells that the file arrived just before the current model and is read
// again, because it may have the data rows of the model.
func (c *Controller) read(f state.File, isRetry bool) {
	c.Repaint.AtOnce()
	shared.Cancel(&c.Reading)
	c.LastFileEvent = max(c.LastFileEvent, f.N)
	loader := c.Loader
	var err error
	isRows := true

	// Data rows for the own model, otherwise a model.
	c.Reading = shared.NewWork(c.Host.Now(), func(w *shared.Work) {
		w.Description, w.Meter.Copies = "opening.file", c.Workers.ModelCopies()
		if loader.UsesOwnFile() {
			attempt := w.Meter
			if loader, err = loader.WithRows(f.Name, f.Data, f.N, &attempt); err == nil || modelfile.IsRowsOnly(f.Data) || isRetry {
				w.Meter = attempt
				return
			}
		}
		isRows = false
		var file models.File
		if file, err = catalog.Kinds.ReadFile(f.Data, &w.Meter); err != nil {
			return
		}
		w.Meter.NextPart()
		w.Description = "opening.model"
		loader, err = c.Loader.WithFile(f.Name, f.Data, file, f.N, &w.Meter)
	}, func() {
		// The file is answered.
		lastFile := c.LastFile
		c.LastFile, c.LastFileAnswered = f, max(c.LastFileAnswered, f.N)
		c.Repaint.AtOnce()
		if isRetry && err != nil && !modelfile.IsRowsOnly(f.Data) {
			return // the file is not about this model
		}
		c.accept(loader, f.Name, err)
		if err == nil && !isRows && lastFile.N == f.N-1 && lastFile.N > 0 {
			c.read(lastFile, true)
		}
	})
	c.Work()
}

// accept makes the file that was read the model of the experiment and runs it, or shows err. opened is the loader with
// the file.
func (c *Controller) accept(opened run.Loader, name string, err error) {
	if err != nil {
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("file.bad", name, c.Words.Sentence(err))}
		return
	}
	if c.programs.TakeRival(opened.Own.ID) {
		s := c.Draft()
		s.Model, c.Settings.Expect, c.Settings.Rival = opened.Own.ID, nil, ""
		c.Spec = s
	}

	// Files that the link does not need.
	if c.Spec != nil && c.NeedsOwnFile() && c.Spec.Model != opened.Own.ID && !c.programs.UserAccepted(c.Spec.Model) {
		if c.programs.OfferOtherTape(name, opened.Own.ID) {
			c.Idle()
			return
		}
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("file.other", name, opened.Own.ID, c.Spec.Model),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}
	if rows := opened.Own.Rows.ID; rows != "" && c.NeedsDataRows() && rows != c.Spec.Set["data"] {
		c.Problem = &state.Message{Level: "error", Text: c.Words.T("file.other", name, rows, c.Spec.Set["data"]),
			Action: &state.Action{Label: c.Words.T("choose.file"), Event: "file"}}
		return
	}

	// The page takes over the file, with the link of its program.
	loader := c.Loader.WithOwn(opened.Own) // the experiment may have been edited meanwhile
	loader.LastModel, loader.LastModelKey = opened.LastModel, opened.LastModelKey
	c.adopt(loader.Spec)
	c.Loader = loader
	if c.programs.IsLastTape(loader.Own.ID) {
		c.Settings.Program = c.programs.PackedProgram(loader.Own.ID)
	}
	previous := c.previous
	// The link may have been opened before the file, whose kind determines the parameters.
	c.Open(c.Spec.Link() + c.Settings.Link())
	c.previous = previous // the file may be another model for the same data
}

// offerSuitedMethods offers the experiment without the methods that cannot run on its model.
func (c *Controller) offerSuitedMethods() *state.Action {
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

// runProposal runs the changed experiment that a failing check offers.
func (c *Controller) runProposal(link string) {
	s, err := spec.ParseLink(link, c.Names())
	if err != nil {
		c.fail(err)
		return
	}
	c.adopt(s)
	c.run()
}

// cancelOpening cancels reading and opening files.
func (c *Controller) cancelOpening() {
	for _, w := range c.Works.All() {
		if c.Problem == w.Notice {
			c.Problem = nil
		}
	}
	if c.Opening != nil {
		c.Number++ // invalidates pending fetches
		if c.Active() {
			c.finishRun()
		} else {
			c.Idle()
		}
	}
	if c.Reading != nil {
		c.LastFileAnswered = c.LastFileEvent
	}
	shared.Cancel(&c.Reading)
	shared.Cancel(&c.Opening)
}
