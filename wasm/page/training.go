package page

import (
	"context"
	"math"
	"slices"
	"strings"

	"logzlab/core/modelfile"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/models/rbm"
	"logzlab/wasm/room"
)

// keepEvery is how often a training is kept, in seconds.
const keepEvery = 10

// trainEvent handles what concerns the training; false: the event is another's.
func (b *Brain) trainEvent(e Event) bool {
	t := &b.trainer
	name, ok := strings.CutPrefix(e.Key, "train.")
	if ok = ok && e.Name == "param"; !ok && e.Name != "train" && !strings.HasPrefix(e.Name, "train-") {
		return false
	}
	t.why, t.level = "", 0
	switch {
	case t.run != nil:
		b.trainRunEvent(e)
	case ok:
		b.filled(t.link.Set(name, written(trainParam(name), e.Value, b.words)))
	default:
		b.trainFormEvent(e)
	}
	b.teach()
	return true
}

// trainFormEvent is trainEvent before there is a run.
func (b *Brain) trainFormEvent(e Event) {
	t := &b.trainer
	switch e.Name {
	case "train-data":
		if l, err := training.ParseLink("v=1&train=" + e.Value); err == nil {
			if t.link.Data, t.link.Threshold = l.Data, l.Threshold; l.Data == t.own.id {
				t.link.Threshold = t.own.threshold
			}
		}
	case "train-seed":
		b.filled(t.link.SetSeed(ungroup(e.Value, b.words)))
	case "train-threshold":
		b.filled(t.link.SetThreshold(decimal(e.Value, b.words)))
		b.readAgain()
	case "train":
		b.train()
	}
}

// trainRunEvent is trainEvent while there is a run.
func (b *Brain) trainRunEvent(e Event) {
	t := &b.trainer
	switch e.Name {
	case "train-pause":
		if t.phase == trainWorks {
			t.phase = trainPaused
			b.crew.tellErrand(t.sent, engine.MsgPause)
			b.keepTraining()
		}
	case "train-go":
		if t.phase == trainPaused {
			t.phase = trainWorks
			b.crew.tellErrand(t.sent, engine.MsgResume)
			if m := b.problem; m != nil && m.Action != nil && m.Action.Event == e.Name { // that offered it
				b.problem = nil
			}
		}
	case "train-stop":
		t.stop()
		b.crew.drop(t.sent)
		b.keepTraining()
	case "train-new":
		b.crew.drop(t.sent)
		t.again()
		b.readAgain()
		b.host.Save(nil)
	case "train-use":
		if f, ok := b.machine(); ok {
			t.used = f
			b.keepTraining()
			b.panels.sheet = ""
			if b.set.Scene == trainingScene.name { // its own runs are to be seen
				b.set.Scene = ""
			}
			b.read(f, false)
		}
	case "train-keep":
		if f, ok := b.machine(); ok {
			b.host.Download(f.name, "application/octet-stream", string(f.data))
		}
	}
}

// machine is the file of the trained machine.
func (b *Brain) machine() (arrival, bool) {
	return b.trainer.machine("Trained in the page of LogZ Lab:",
		"Followed by tempering while the weights moved; lower and upper are two standard errors away.")
}

// filled says what is wrong with the form.
func (b *Brain) filled(err error) {
	if t := &b.trainer; err != nil {
		if t.why = b.words.Sentence(err); b.panels.sheet != "train" {
			b.problem = &Message{Level: "error", Text: t.why, Action: &Action{b.words.T("train.title"), "sheet", "train"}}
		}
		b.views.atOnce()
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
func (b *Brain) readRows(f arrival) {
	t := &b.trainer
	b.views.atOnce()
	end(&b.reading)
	b.offered = max(b.offered, f.n)
	rows, link := trainRows{name: f.name, raw: f.data, threshold: math.NaN()}, t.link
	var err error
	b.reading = newWork(b.host.Now(), func(w *work) {
		w.stage, w.meter.Copies = "opening.file", 2
		if rows.id = modelfile.ID(f.data); rows.id == link.Data { // a threshold is for one file
			rows.threshold = link.Threshold
		}
		rows.bits, rows.m, err = modelfile.ReadBits(f.data, rows.threshold, &w.meter)
	}, func() {
		b.filed = max(b.filed, f.n)
		b.views.atOnce()
		t.why = ""
		level, some := modelfile.Threshold(err)
		if err == nil || some {
			if t.own = rows; t.run == nil {
				t.link.Data, t.link.Threshold = rows.id, rows.threshold
			}
		}
		t.level = level
		b.filled(err)
	})
	b.Work()
}

// readAgain takes the user's rows once more if the form names their file with another threshold.
func (b *Brain) readAgain() {
	own, l := &b.trainer.own, b.trainer.link
	if own.id == l.Data && math.Float64bits(own.threshold) != math.Float64bits(l.Threshold) { // both may be NaN
		own.bits = nil
		b.readRows(arrival{own.name, own.raw, b.filed})
	}
}

// train begins the run of the form.
func (b *Brain) train() {
	t := &b.trainer
	rows := trainRows{name: t.link.Data, id: t.link.Data}
	switch {
	case t.link.Data == training.Stripes:
		rows.bits, rows.m = training.Bars(training.StripesRows)
	case t.link.Data == training.Digits:
		const pixels = 28 * 28
		data := b.came[rbm.DigitsFile]
		if data == nil {
			b.fetchDigits()
			return
		}
		all, err := rbm.ReadDigits(data, pixels, nil)
		if err != nil {
			b.filled(err)
			return
		}
		rows.bits, rows.m = slices.Concat(all...), pixels
	case t.own.id == t.link.Data && t.own.bits != nil:
		rows = t.own
	default:
		t.why = b.words.T("train.lacks", t.link.Data)
		return
	}
	if err := t.begin(rows, pageMemory); err != nil {
		b.filled(err)
		return
	}
	if n := t.run.Data.Constant(); n > 0 {
		t.why = b.words.T("train.constant", n, rows.m)
	}
	b.chooseScene(trainingScene)
	b.keepTraining()
}

// fetchDigits brings the bundled digits, and trains on them.
func (b *Brain) fetchDigits() {
	t := &b.trainer
	t.phase = trainFetches
	b.fetch(rbm.DigitsFile, false, func(err error) {
		if t.phase != trainFetches {
			return
		}
		t.phase = trainForm
		if b.filled(err); err == nil {
			b.train()
			b.teach()
		}
		b.views.atOnce()
	})
}

// teach gives a worker the round of the training, unless an experiment has the workers: then it waits.
func (b *Brain) teach() {
	t := &b.trainer
	if t.phase == trainWorks && t.round != nil && !b.crew.has(t.sent) && !b.active() && b.opening == nil &&
		b.state != "loading" && !b.room.on() {
		b.send(t.round.Unit(0))
	}
	if b.crew.has(t.sent) && !b.active() {
		watch := -1
		if b.scene() == trainingScene {
			watch = engine.TrainingTrack
		}
		b.crew.watch(watch)
	}
}

// send has a worker make a unit of the training.
func (b *Brain) send(u *estimators.Unit) {
	t := &b.trainer
	link := t.link.String()
	e := &errand{ctx: context.Background(), track: engine.TrainingTrack,
		files: []modelFile{{engine.TrainingRows, t.rows.id + link, t.rows.file}}}
	e.common, e.own = engine.TrainingParcel(link, u)
	e.done = func(result []byte, err error) {
		if t.sent == e {
			b.taught(u, result, err)
		}
	}
	t.sent = e
	b.crew.errands = append(b.crew.errands, e)
	b.crew.runErrands()
}

// taught takes what became of a unit of the training.
func (b *Brain) taught(u *estimators.Unit, result []byte, err error) {
	t := &b.trainer
	r := wire.Reader{B: result}
	switch {
	case err != nil: // workers were lost over it
		t.phase, t.why = trainPaused, b.words.T("train.lost")
	case result[0] == room.KindError:
		r.B = result[1:]
		t.stop()
		b.filled(engine.ReadError(&r))
	default:
		r.B = result[1:]
		if err = (&engine.Task{Unit: u}).ReadDone(&r); err == nil {
			err = t.fold(u)
		}
		b.filled(err)
	}
	b.views.news = true
	if t.phase != trainWorks || b.host.Now()-t.kept > keepEvery {
		b.keepTraining()
	}
	b.teach()
}

// keepTraining has the browser keep the run.
func (b *Brain) keepTraining() {
	var w wire.Writer
	b.trainer.append(&w)
	b.trainer.kept = b.host.Now()
	b.host.Save(w.B)
	b.showTraining()
}

// showTraining has the picture show a run that stands still: no worker sends frames of it.
func (b *Brain) showTraining() {
	if t := &b.trainer; t.begun() && t.phase != trainWorks {
		if f := t.run.Frame(); f != nil {
			b.host.Frame(f.Append(nil))
		}
	}
}

// recallTraining takes up the run that the browser kept, when the experiment of the page has begun.
func (b *Brain) recallTraining() {
	t := &b.trainer
	if t.asked || b.state == "loading" || b.set.Embed {
		return
	}
	t.asked = true
	wanted := ""
	if b.panels.sheet == "train" { // of a link
		wanted = t.link.String()
	}
	b.host.Saved(func(data []byte) {
		kept := trainer{own: t.own}
		if t.run != nil || len(data) == 0 || kept.load(&wire.Reader{B: data}) != nil ||
			wanted != "" && kept.link.String() != wanted {
			return
		}
		*t = kept
		b.views.atOnce()
		b.showTraining()
		if b.spec != nil && b.lacksOwn() && modelfile.ID(t.used.data) == b.spec.Model {
			b.read(t.used, false)
		} else if t.phase == trainPaused && b.problem == nil {
			b.problem = &Message{Level: "info", Text: b.words.T("train.kept", b.rowsName(), b.count(float64(t.update())),
				b.count(t.run.Values.Float("updates"))), Action: &Action{b.words.T("train.go"), "train-go", ""}}
		}
	})
}

// openTraining takes the link of a training, whose form it fills in.
func (b *Brain) openTraining(link string) {
	l, err := training.ParseLink(link)
	settings, _ := ParseSettings(l.View)
	if b.spec == nil {
		b.Open(DefaultLink + settings.Link())
	}
	b.panels.sheet = "train"
	b.views.atOnce()
	if err != nil {
		b.trainer.why = b.words.Sentence(err)
		return
	}
	l.View = nil
	if t := &b.trainer; t.run == nil {
		t.link = l
		b.readAgain()
	} else if t.next = l; l.String() != t.link.String() {
		t.why = b.words.T("train.other")
	}
}

// trainingURL is the link of the training.
func (b *Brain) trainingURL() string { return b.base() + "#" + b.trainer.link.String() }

// trainStatus says how far the training is.
func (p *pane) trainStatus() string {
	t, w := &p.trainer, p.w
	if t.run == nil {
		return ""
	}
	says := w.T("train.at", p.count(float64(t.update())), p.count(t.run.Values.Float("updates")))
	switch {
	case t.phase == trainPaused:
		says += " " + w.T("train.paused")
	case t.phase == trainWorks && !p.crew.has(t.sent):
		says += " " + w.T("train.waits")
	case t.phase == trainDone:
		says += " " + w.T("train.over")
	}
	return says
}

// trainNumbers are the likelihoods of the newest point.
func (p *pane) trainNumbers() string {
	n := len(p.trainer.run.Points)
	if n == 0 {
		return ""
	}
	at := p.trainer.run.Points[n-1]
	if !num.Known(at.LogZ) {
		return p.w.T("train.blind")
	}
	says := p.w.T("train.likely", p.count(float64(at.Update)), p.known(at.Train, 2), p.known(at.Validation, 2),
		p.known(at.SE, 2))
	if best := p.trainer.run.Best; best > 0 {
		says += " " + p.w.T("train.best", p.count(float64(best)))
	}
	return says
}
