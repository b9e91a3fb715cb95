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

// keepEvery is how often a training is kept, in seconds.
const keepEvery = 10

// Trainer gives a worker the rounds of a training, and handles its events.
type Trainer struct {
	*shared.Context
	session
	facts run.Facts
}

// New has the form of a training on the bundled digits.
func New(d *shared.Context, f run.Facts) Trainer {
	return Trainer{Context: d, facts: f, session: session{link: training.NewLink(training.Digits)}}
}

// Facts are how the training stands.
func (t *Trainer) Facts() state.Training { return t.told(!t.Works()) }

// Works reports whether a worker has the round of the training.
func (t *Trainer) Works() bool { return t.Workers.Has(t.sent) }

// Takes takes rows to train on while the form is open; false: the file is for somebody else.
func (t *Trainer) Takes(f state.File) bool {
	open := t.Panels.Sheet == "train" && t.run == nil
	if open {
		t.readRows(f)
	}
	return open
}

// Events are the handlers of a training: those of the form before there is a run, those of the run during it.
func (t *Trainer) Events() map[string]func(state.Event) {
	form := func(do func(e state.Event)) func(state.Event) { return t.handler(false, do) }
	run := func(do func()) func(state.Event) { return t.handler(true, func(state.Event) { do() }) }
	return map[string]func(state.Event){
		"train-data":      form(func(e state.Event) { t.choose(e.Value) }),
		"train-seed":      form(func(e state.Event) { t.filled(t.link.SetSeed(state.Ungroup(e.Value, t.Words))) }),
		"train-threshold": form(t.setThreshold),
		"train":           form(func(state.Event) { t.train() }),
		"train-pause":     run(t.pause),
		"train-go":        run(t.goOn),
		"train-stop":      run(t.end),
		"train-new":       run(t.renew),
		"train-use":       run(t.useMachine),
		"train-keep":      run(t.download),
	}
}

// handler is what an event does if there is a run, or only if there is none.
func (t *Trainer) handler(running bool, do func(state.Event)) func(state.Event) {
	return func(e state.Event) {
		t.why, t.level = "", 0
		if (t.run != nil) == running {
			do(e)
		}
		t.Teach()
	}
}

// Fills takes a parameter of the form; false: it is none of a training.
func (t *Trainer) Fills(e state.Event) bool {
	name, ok := strings.CutPrefix(e.Key, "train.")
	if ok {
		t.handler(false, func(e state.Event) {
			t.filled(t.link.Set(name, state.Written(trainParam(name), e.Value, t.Words)))
		})(e)
	}
	return ok
}

// choose takes rows by their name, or by the id of the user's file.
func (t *Trainer) choose(data string) {
	if l, err := training.ParseLink("v=1&train=" + data); err == nil {
		if t.link.Data, t.link.Threshold = l.Data, l.Threshold; l.Data == t.own.id {
			t.link.Threshold = t.own.threshold
		}
	}
}

// setThreshold takes the number from which on the numbers of the user's file are ones.
func (t *Trainer) setThreshold(e state.Event) {
	t.filled(t.link.SetThreshold(state.Decimal(e.Value, t.Words)))
	t.readAgain()
}

// pause has the worker stand still.
func (t *Trainer) pause() {
	if t.phase == state.TrainWorks {
		t.phase = state.TrainPaused
		t.Workers.TellUnit(t.sent, engine.MsgPause)
		t.keep()
	}
}

// goOn has the worker go on.
func (t *Trainer) goOn() {
	if t.phase != state.TrainPaused {
		return
	}
	t.phase = state.TrainWorks
	t.Workers.TellUnit(t.sent, engine.MsgResume)
	if m := t.Problem; m != nil && m.Action != nil && m.Action.Event == "train-go" { // that offered it
		t.Problem = nil
	}
}

// end ends the run; its machine stays.
func (t *Trainer) end() {
	t.stop()
	t.Workers.Drop(t.sent)
	t.keep()
}

// renew is the form again, without the run.
func (t *Trainer) renew() {
	t.Workers.Drop(t.sent)
	t.again()
	t.readAgain()
	t.Host.Save(nil)
}

// useMachine takes the machine as the own model.
func (t *Trainer) useMachine() {
	if f, ok := t.made(); ok {
		t.used = f
		t.keep()
		t.Panels.Sheet = ""
		if t.Settings.Scene == scene.Training.Name { // its own runs are to be seen
			t.Settings.Scene = ""
		}
		t.Do(effect.ReadModel{File: f})
	}
}

// download gives the user the machine as a file.
func (t *Trainer) download() {
	if f, ok := t.made(); ok {
		t.Host.Download(f.Name, "application/octet-stream", string(f.Data))
	}
}

// made is the file of the trained machine.
func (t *Trainer) made() (state.File, bool) {
	return t.machine("Trained in the page of LogZ Lab:",
		"Followed by tempering while the weights moved; lower and upper are two standard errors away.")
}

// filled says what is wrong with the form.
func (t *Trainer) filled(err error) {
	if err != nil {
		if t.why = t.Words.Sentence(err); t.Panels.Sheet != "train" {
			t.Problem = &state.Message{Level: "error", Text: t.why, Action: &state.Action{Label: t.Words.T("train.title"),
				Event: "sheet", Value: "train"}}
		}
		t.Repaint.AtOnce()
	}
}

// trainParam is a parameter of a training by name.
func trainParam(name string) (q spec.Param) {
	if i := slices.IndexFunc(training.Params, func(q spec.Param) bool { return q.Name == name }); i >= 0 {
		q = training.Params[i]
	}
	return q
}

// readRows takes the user's rows to train on, in pieces.
func (t *Trainer) readRows(f state.File) {
	t.Repaint.AtOnce()
	shared.End(&t.Reading)
	t.LastFileEvent = max(t.LastFileEvent, f.N)
	rows, link := trainRows{name: f.Name, raw: f.Data, threshold: math.NaN()}, t.link
	var left, err error
	t.Reading = shared.NewWork(t.Host.Now(), func(w *shared.Work) {
		w.Doing, w.Meter.Copies = "opening.file", 2
		if rows.id = modelfile.ID(f.Data); rows.id == link.Data { // a threshold is for one file
			rows.threshold = link.Threshold
		}
		rows.bits, rows.m, left, err = modelfile.ReadBits(f.Data, rows.threshold, &w.Meter)
	}, func() {
		t.LastFileAnswered = max(t.LastFileAnswered, f.N)
		t.Repaint.AtOnce()
		if t.why = ""; left != nil {
			t.why = t.Words.Sentence(left)
		}
		level, some := modelfile.Threshold(err)
		if err == nil || some {
			if t.own = rows; t.run == nil {
				t.link.Data, t.link.Threshold = rows.id, rows.threshold
			}
		}
		t.level = level
		t.filled(err)
	})
	t.Work()
}

// readAgain takes the user's rows once more if the form names their file with another threshold.
func (t *Trainer) readAgain() {
	own, l := &t.own, t.link
	if own.id == l.Data && math.Float64bits(own.threshold) != math.Float64bits(l.Threshold) { // both may be NaN
		own.bits = nil
		t.readRows(state.File{Name: own.name, Data: own.raw, N: t.LastFileAnswered})
	}
}

// train begins the run of the form.
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
			t.filled(err)
			return
		}
		rows.bits, rows.m = slices.Concat(all...), pixels
	case t.own.id == t.link.Data && t.own.bits != nil:
		rows = t.own
	default:
		t.why = t.Words.T("train.lacks", t.link.Data)
		return
	}

	// The run.
	if err := t.begin(rows, workerpool.Memory); err != nil {
		t.filled(err)
		return
	}
	if n := t.run.Data.Constant(); n > 0 {
		t.why = t.Words.T("train.constant", n, rows.m)
	}
	t.Do(effect.ShowScene{Name: scene.Training.Name})
	t.keep()
}

// fetchDigits brings the bundled digits, and trains on them.
func (t *Trainer) fetchDigits() {
	t.phase = state.TrainFetches
	t.FetchModel(rbm.DigitsFile, func(err error) {
		if t.phase != state.TrainFetches {
			return
		}
		t.phase = state.TrainForm
		if t.filled(err); err == nil {
			t.train()
			t.Teach()
		}
		t.Repaint.AtOnce()
	})
}

// Teach gives a worker the round of the training, unless an experiment has the workers: then it waits.
func (t *Trainer) Teach() {
	if t.phase == state.TrainWorks && t.round != nil && !t.Works() && t.free() {
		t.send(t.round.Unit(0))
	}
	if t.Works() && !t.facts.Active() { // else the picture is the experiment's
		track := -1
		if scene.On(t.Snapshots.Outline()) == scene.Training {
			track = engine.TrainingTrack
		}
		t.Workers.Watch(track)
	}
}

// free reports whether no experiment has the workers, or is about to have them.
func (t *Trainer) free() bool {
	now := t.Snapshots.Outline()
	return !t.facts.Active() && t.Opening == nil && now.State != runstate.Loading && !now.Room.On()
}

// send has a worker make a unit of the training.
func (t *Trainer) send(u *estimators.Unit) {
	link := t.link.String()
	e := &workerpool.BackgroundUnit{Ctx: context.Background(), Track: engine.TrainingTrack,
		Files: []workerpool.File{{Name: engine.TrainingRows, ID: t.rows.id + link, Data: t.rows.file}}}
	e.Common, e.Own = engine.TrainingParcel(link, u)
	e.Done = func(result []byte, err error) {
		if t.sent == e {
			t.taught(u, result, err)
		}
	}
	t.sent = e
	t.Workers.Give(e)
}

// taught takes what became of a unit of the training.
func (t *Trainer) taught(u *estimators.Unit, result []byte, err error) {
	r := wire.Reader{B: result}
	switch {
	case err != nil: // workers were lost over it
		t.phase, t.why = state.TrainPaused, t.Words.T("train.lost")
	case result[0] == workerpool.ResultError:
		r.B = result[1:]
		t.stop()
		t.filled(r.Problem())
	default:
		r.B = result[1:]
		if err = (&engine.Task{Unit: u}).ReadDone(&r); err == nil {
			err = t.fold(u)
		}
		t.filled(err)
	}
	t.Repaint.News = true
	if t.phase != state.TrainWorks || t.Host.Now()-t.kept > keepEvery {
		t.keep()
	}
	t.Teach()
}

// keep has the browser keep the run.
func (t *Trainer) keep() {
	var w wire.Writer
	t.append(&w)
	t.kept = t.Host.Now()
	if !t.Settings.Embed { // whose training is not the visitor's own
		t.Host.Save(w.B)
	}
	t.Show()
}

// Show has the picture show a run that stands still: no worker sends frames of it.
func (t *Trainer) Show() {
	if t.run != nil && t.phase != state.TrainWorks {
		if f := t.run.Frame(); f != nil {
			t.Host.Frame(f.Append(nil))
		}
	}
}

// Recall takes up the run that the browser kept.
func (t *Trainer) Recall() {
	if t.asked || t.Settings.Embed {
		return
	}
	t.asked = true
	wanted := ""
	if t.Panels.Sheet == "train" { // of a link
		wanted = t.link.String()
	}
	t.Host.Saved(func(data []byte) {
		kept := session{own: t.own}
		if t.run != nil || len(data) == 0 || kept.load(&wire.Reader{B: data}) != nil ||
			wanted != "" && kept.link.String() != wanted {
			return
		}
		t.session = kept
		t.Repaint.AtOnce()
		t.Show()
		if x := t.facts.Experiment(); x.Spec != nil && x.LacksOwn() && modelfile.ID(t.used.Data) == x.Spec.Model {
			t.Do(effect.ReadModel{File: t.used})
		} else if s := t.Settings; t.phase == state.TrainPaused && t.Problem == nil && t.update() > 0 &&
			s.Lesson+s.Break == 0 && !s.Projector { // a class came for something else
			t.Problem = &state.Message{Level: "info", Text: t.Words.T("train.kept", state.RowsName(t.Words, t.rows.name),
				t.Count(float64(t.update())), t.Count(float64(t.run.Params.Updates))),
				Action: &state.Action{Label: t.Words.T("train.go"), Event: "train-go"}}
		}
	})
}
