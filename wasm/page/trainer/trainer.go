package trainer

import (
	"context"
	"math"
	"slices"
	"strings"

	"logzlab/core/files/modelfile"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/models/rbm"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/run"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
	"logzlab/wasm/page/workerpool"
)

// storeInterval is the time between two storages of a training in the browser, in seconds.
const storeInterval = 10

// Trainer runs the training of an RBM: it sends the rounds of updates to a worker one after another, and handles the
// events of the training sheet.
type Trainer struct {
	*shared.Context
	session
	facts run.Facts
}

// New returns a Trainer with the form for the bundled digits.
func New(d *shared.Context, f run.Facts) Trainer {
	return Trainer{Context: d, facts: f, session: session{link: training.NewLink(training.Digits)}}
}

// Facts returns the state of the training.
func (t *Trainer) Facts() state.Training { return t.snapshot(!t.HasWorker()) }

// HasWorker reports whether a worker has the current round.
func (t *Trainer) HasWorker() bool { return t.Workers.Contains(t.sentRound) }

// TakeRows reads a file of training rows while the form of the training is open. It returns false if the form is not
// open.
func (t *Trainer) TakeRows(f state.File) bool {
	isFormOpen := t.Panels.Sheet == "train" && t.run == nil
	if isFormOpen {
		t.readRows(f)
	}
	return isFormOpen
}

// Events returns the handlers of the events of the training sheet. Handlers of the form act only before a run, the
// others only during a run.
func (t *Trainer) Events() map[string]func(state.Event) {
	form := func(do func(e state.Event)) func(state.Event) { return t.handler(false, do) }
	run := func(do func()) func(state.Event) { return t.handler(true, func(state.Event) { do() }) }
	return map[string]func(state.Event){
		"train-data":      form(func(e state.Event) { t.choose(e.Value) }),
		"train-seed":      form(func(e state.Event) { t.showError(t.link.SetSeed(state.RemoveGrouping(e.Value, t.Words))) }),
		"train-threshold": form(t.setThreshold),
		"train":           form(func(state.Event) { t.train() }),
		"train-pause":     run(t.pause),
		"train-go":        run(t.resume),
		"train-stop":      run(t.endRun),
		"train-new":       run(t.newForm),
		"train-use":       run(t.useModel),
		"train-keep":      run(t.download),
	}
}

// handler returns an event handler that calls handle only if there is a run (needsRun), or only if there is none
// (!needsRun).
func (t *Trainer) handler(needsRun bool, handle func(state.Event)) func(state.Event) {
	return func(e state.Event) {
		t.errorText, t.suggestedThreshold = "", 0
		if (t.run != nil) == needsRun {
			handle(e)
		}
		t.Advance()
	}
}

// SetParam sets the parameter of the training that the event names. It returns false if the event is about another
// parameter.
func (t *Trainer) SetParam(e state.Event) bool {
	name, ok := strings.CutPrefix(e.Key, "train.")
	if ok {
		t.handler(false, func(e state.Event) {
			t.showError(t.link.Set(name, state.CanonicalValue(trainParam(name), e.Value, t.Words)))
		})(e)
	}
	return ok
}

// choose selects the training rows by their name, or by the id of the user's file.
func (t *Trainer) choose(data string) {
	if l, err := training.ParseLink("v=1&train=" + data); err == nil {
		if t.link.Data, t.link.Threshold = l.Data, l.Threshold; l.Data == t.userRows.id {
			t.link.Threshold = t.userRows.threshold
		}
	}
}

// setThreshold sets the threshold: numbers of the user's file that are at least this large count as 1.
func (t *Trainer) setThreshold(e state.Event) {
	t.showError(t.link.SetThreshold(state.CanonicalDecimal(e.Value, t.Words)))
	t.readAgain()
}

// pause pauses the worker.
func (t *Trainer) pause() {
	if t.phase == state.TrainRunning {
		t.phase = state.TrainPaused
		t.Workers.SendUnit(t.sentRound, engine.MsgPause)
		t.store()
	}
}

// resume resumes the worker.
func (t *Trainer) resume() {
	if t.phase != state.TrainPaused {
		return
	}
	t.phase = state.TrainRunning
	t.Workers.SendUnit(t.sentRound, engine.MsgResume)
	if m := t.Problem; m != nil && m.Action != nil && m.Action.Event == "train-go" { // the message that offered to resume
		t.Problem = nil
	}
}

// endRun ends the run before its last update. The trained model stays.
func (t *Trainer) endRun() {
	t.finish()
	t.Workers.Discard(t.sentRound)
	t.store()
}

// newForm shows the form again and discards the run.
func (t *Trainer) newForm() {
	t.Workers.Discard(t.sentRound)
	t.reset()
	t.readAgain()
	t.Host.StoreTraining(nil)
}

// useModel makes the trained model the own model of the experiment.
func (t *Trainer) useModel() {
	if f, ok := t.modelFile(); ok {
		t.usedModel = f
		t.store()
		t.Panels.Sheet = ""
		if t.Settings.Scene == scene.Training.Name { // show the runs of the model
			t.Settings.Scene = ""
		}
		t.Queue(effect.ReadModel{File: f})
	}
}

// download saves the trained model as a file.
func (t *Trainer) download() {
	if f, ok := t.modelFile(); ok {
		t.Host.Download(f.Name, "application/octet-stream", string(f.Data))
	}
}

// modelFile returns the file of the trained model.
func (t *Trainer) modelFile() (state.File, bool) {
	return t.model("Trained in the page of LogZ Lab:",
		"Followed by tempering while the weights moved; lower and upper are two standard errors away.")
}

// showError shows an error of the form.
func (t *Trainer) showError(err error) {
	if err != nil {
		if t.errorText = t.Words.Sentence(err); t.Panels.Sheet != "train" {
			t.Problem = &state.Message{Level: "error", Text: t.errorText, Action: &state.Action{Label: t.Words.T("train.title"),
				Event: "sheet", Value: "train"}}
		}
		t.Repaint.AtOnce()
	}
}

// trainParam returns a parameter of a training by name.
func trainParam(name string) (q spec.Param) {
	if i := slices.IndexFunc(training.Params, func(q spec.Param) bool { return q.Name == name }); i >= 0 {
		q = training.Params[i]
	}
	return q
}

// readRows reads training rows from a file of the user, in steps.
func (t *Trainer) readRows(f state.File) {
	t.Repaint.AtOnce()
	shared.Cancel(&t.Reading)
	t.LastFileEvent = max(t.LastFileEvent, f.N)
	rows, link := trainRows{name: f.Name, raw: f.Data, threshold: math.NaN()}, t.link
	var ignoredColumns, err error
	t.Reading = shared.NewWork(t.Host.Now(), func(w *shared.Work) {
		w.Description, w.Meter.Copies = "opening.file", 2
		if rows.id = modelfile.ID(f.Data); rows.id == link.Data { // the threshold of the link is for this file only
			rows.threshold = link.Threshold
		}
		rows.bits, rows.m, ignoredColumns, err = modelfile.ReadBits(f.Data, rows.threshold, &w.Meter)
	}, func() {
		t.LastFileAnswered = max(t.LastFileAnswered, f.N)
		t.Repaint.AtOnce()
		if t.errorText = ""; ignoredColumns != nil {
			t.errorText = t.Words.Sentence(ignoredColumns)
		}
		threshold, needsThreshold := modelfile.Threshold(err)
		if err == nil || needsThreshold {
			if t.userRows = rows; t.run == nil {
				t.link.Data, t.link.Threshold = rows.id, rows.threshold
			}
		}
		t.suggestedThreshold = threshold
		t.showError(err)
	})
	t.Work()
}

// readAgain reads the user's rows again if the form has another threshold for their file.
func (t *Trainer) readAgain() {
	rows, link := &t.userRows, t.link
	if rows.id == link.Data && math.Float64bits(rows.threshold) != math.Float64bits(link.Threshold) { // both may be NaN
		rows.bits = nil
		t.readRows(state.File{Name: rows.name, Data: rows.raw, N: t.LastFileAnswered})
	}
}

// train starts a run with the settings of the form. If the bundled digits are not loaded yet, it loads them first.
func (t *Trainer) train() {
	rows := trainRows{name: t.link.Data, id: t.link.Data}

	// The rows.
	switch {
	case t.link.Data == training.Stripes:
		rows.bits, rows.m = training.Bars(training.StripesRows)
	case t.link.Data == training.Digits:
		const pixels = 28 * 28
		data := t.Models[rbm.DigitsFile]
		if data == nil {
			t.fetchDigits()
			return
		}
		all, err := rbm.ReadDigits(data, pixels, nil)
		if err != nil {
			t.showError(err)
			return
		}
		rows.bits, rows.m = slices.Concat(all...), pixels
	case t.userRows.id == t.link.Data && t.userRows.bits != nil:
		rows = t.userRows
	default:
		t.errorText = t.Words.T("train.lacks", t.link.Data)
		return
	}

	// The run.
	if err := t.begin(rows, workerpool.Memory); err != nil {
		t.showError(err)
		return
	}
	if n := t.run.Data.Constant(); n > 0 {
		t.errorText = t.Words.T("train.constant", n, rows.m)
	}
	t.Queue(effect.ShowScene{Name: scene.Training.Name})
	t.store()
}

// fetchDigits loads the bundled digits, then starts the run.
func (t *Trainer) fetchDigits() {
	t.phase = state.TrainLoading
	t.FetchModel(rbm.DigitsFile, func(err error) {
		if t.phase != state.TrainLoading {
			return
		}
		t.phase = state.TrainForm
		if t.showError(err); err == nil {
			t.train()
			t.Advance()
		}
		t.Repaint.AtOnce()
	})
}

// Advance gives the current round to a worker, unless a worker has it or an experiment uses the workers.
func (t *Trainer) Advance() {
	if t.phase == state.TrainRunning && t.round != nil && !t.HasWorker() && t.workersFree() {
		t.send(t.round.Unit(0))
	}
	if t.HasWorker() && !t.facts.Active() { // during an experiment the picture shows the experiment
		track := -1
		if scene.On(t.Snapshots.Outline()) == scene.Training {
			track = engine.TrainingTrack
		}
		t.Workers.Watch(track)
	}
}

// workersFree reports whether no experiment uses the workers or is being opened.
func (t *Trainer) workersFree() bool {
	outline := t.Snapshots.Outline()
	return !t.facts.Active() && t.Opening == nil && outline.State != runstate.Loading && !outline.Room.InRoom()
}

// send gives a unit of work of the training to a worker.
func (t *Trainer) send(u *estimators.Unit) {
	link := t.link.String()
	background := &workerpool.BackgroundUnit{Ctx: context.Background(), Track: engine.TrainingTrack,
		Files: []workerpool.File{{Name: engine.TrainingRows, ID: t.rows.id + link, Data: t.rows.file}}}
	background.Common, background.Own = engine.TrainingParcel(link, u)
	background.Done = func(result []byte, err error) {
		if t.sentRound == background {
			t.receive(u, result, err)
		}
	}
	t.sentRound = background
	t.Workers.Submit(background)
}

// receive handles the result of a unit.
func (t *Trainer) receive(u *estimators.Unit, result []byte, err error) {
	r := wire.Reader{B: result}
	switch {
	case err != nil: // its workers failed
		t.phase, t.errorText = state.TrainPaused, t.Words.T("train.lost")
	case result[0] == workerpool.ResultError:
		r.B = result[1:]
		t.finish()
		t.showError(r.Problem())
	default:
		r.B = result[1:]
		if err = (&engine.Task{Unit: u}).ReadDone(&r); err == nil {
			err = t.fold(u)
		}
		t.showError(err)
	}
	t.Repaint.NewNumbers = true
	if t.phase != state.TrainRunning || t.Host.Now()-t.storedAt > storeInterval {
		t.store()
	}
	t.Advance()
}

// store stores the run in the browser.
func (t *Trainer) store() {
	var w wire.Writer
	t.append(&w)
	t.storedAt = t.Host.Now()
	if !t.Settings.Embed { // an embedded page must not replace the visitor's own training
		t.Host.StoreTraining(w.B)
	}
	t.ShowFrame()
}

// ShowFrame sends the last frame of a paused or finished run to the picture, since no worker sends one.
func (t *Trainer) ShowFrame() {
	if t.run != nil && t.phase != state.TrainRunning {
		if f := t.run.Frame(); f != nil {
			t.Host.Frame(f.Append(nil))
		}
	}
}

// Restore restores the run that the browser stored.
func (t *Trainer) Restore() {
	if t.isRequested || t.Settings.Embed {
		return
	}
	t.isRequested = true
	requestedLink := ""
	if t.Panels.Sheet == "train" { // opened by a link
		requestedLink = t.link.String()
	}
	t.Host.LoadTraining(func(data []byte) {
		stored := session{userRows: t.userRows}
		if t.run != nil || len(data) == 0 || stored.load(&wire.Reader{B: data}) != nil ||
			requestedLink != "" && stored.link.String() != requestedLink {
			return
		}
		t.session = stored
		t.Repaint.AtOnce()
		t.ShowFrame()
		if x := t.facts.Experiment(); x.Spec != nil && x.NeedsOwnFile() && modelfile.ID(t.usedModel.Data) == x.Spec.Model {
			t.Queue(effect.ReadModel{File: t.usedModel})
		} else if s := t.Settings; t.phase == state.TrainPaused && t.Problem == nil && t.update() > 0 &&
			s.Lesson+s.Break == 0 && !s.Projector { // a lesson or lecture has another subject
			t.Problem = &state.Message{Level: "info", Text: t.Words.T("train.kept", state.RowsName(t.Words, t.rows.name),
				t.Count(float64(t.update())), t.Count(float64(t.run.Params.Updates))),
				Action: &state.Action{Label: t.Words.T("train.go"), Event: "train-go"}}
		}
	})
}
