package trainer

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/internal/pagetest"
	"logzlab/models/rbm"
	"logzlab/wasm/page/effect"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/shared"
	"logzlab/wasm/page/state"
)

// short is a training of some updates, in a few rounds.
const short = "v=1&train=bars&hidden=3&updates=40&batch=20&chains=10&rate=0.2&check=10&sweeps=1&temperatures=2"

// lab is the part, at the form of a training, with a worker that computes what it is sent.
type lab struct {
	*pagetest.Lab
	*Trainer
	w    *engine.Worker
	seen int // messages that the worker has read
}

func at(t *testing.T, link string) *lab {
	l := &lab{Lab: pagetest.New(t, 1), w: engine.NewWorker()}
	teacher := New(&l.Lab.Context, l.Lab.Facts())
	l.Trainer = &teacher
	x, err := training.ParseLink(link)
	l.Open(x, false, err)
	return l
}

// send sends an event.
func (l *lab) send(name, value string) { l.Events()[name](state.Event{Name: name, Value: value}) }

// works has the worker read its messages and compute its unit to the end, and reports whether there was one.
func (l *lab) works(t *testing.T) bool {
	t.Helper()
	var msgs [][]byte
	msgs, l.seen = l.Lab.Host.Posted[1][l.seen:], len(l.Lab.Host.Posted[1])
	computed := false
	for _, m := range msgs {
		run, err := l.w.Control(m)
		if err != nil {
			t.Fatal(err)
		}
		if !run {
			continue
		}
		if l.w.Prepare(nil); !l.w.HasUnit() {
			continue
		}
		r, err := l.w.Start(nil)
		if err != nil {
			t.Fatal(err)
		}
		for range r.Frames {
		}
		if computed = true; r.Aborted() {
			continue
		}
		if _, err := l.Workers.Receive(1, slices.Concat(r.DoneMessage()...), nil); err != nil {
			t.Fatal(err)
		}
	}
	return computed
}

// The form accepts valid settings and shows an error for invalid ones. Without rows no training begins.
func TestForm(t *testing.T) {
	l := at(t, short+"&seed=3")
	if f := l.Trainer.Facts(); l.Panels.Sheet != "train" || f.Begun || f.Link.Seed != 3 || f.Link.Data != training.Stripes {
		t.Errorf("sheet %q, the form has %s", l.Panels.Sheet, f.Link.String())
	}
	for _, x := range []struct{ name, value, why string }{
		{"train-seed", "7", ""}, {"train-seed", "x", "Seed"}, {"train-data", "digits", ""}, {"train-data", "bars", ""},
		{"train-pause", "", ""}, {"train-use", "", ""}, // there is no run
	} {
		l.send(x.name, x.value)
		if why := l.Trainer.Facts().ErrorText; (why == "") != (x.why == "") || !strings.Contains(why, x.why) {
			t.Errorf("%s %q: it says %q", x.name, x.value, why)
		}
	}
	for key, why := range map[string]string{"train.hidden": "", "train.batch": "Batch"} {
		value := map[bool]string{true: "5", false: "-1"}[why == ""]
		if !l.SetParam(state.Event{Key: key, Value: value}) || !strings.Contains(l.Trainer.Facts().ErrorText, why) {
			t.Errorf("%s %s: it says %q", key, value, l.Trainer.Facts().ErrorText)
		}
	}
	if l.SetParam(state.Event{Key: "ais.chains", Value: "5"}) {
		t.Error("it takes a parameter of a method")
	}
	if f := l.Trainer.Facts().Link; f.Seed != 7 || f.Values.Int("hidden") != 5 {
		t.Errorf("the form has %s", f.String())
	}

	// Bad links.
	l = at(t, "v=1&train=nothing")
	if f := l.Trainer.Facts(); f.ErrorText == "" || f.Link.Data != training.Digits || l.Panels.Sheet != "train" {
		t.Errorf("a bad link: %q, form %s", f.ErrorText, f.Link.String())
	}
	l = at(t, "v=1&train=file:0123456789ab")
	if l.send("train", ""); l.Trainer.Facts().Begun || l.Trainer.Facts().ErrorText == "" {
		t.Errorf("without its rows it says %q", l.Trainer.Facts().ErrorText)
	}
	if asked := l.Effects(); asked != nil {
		t.Errorf("it asks for %v", asked)
	}
}

// A training shows its scene and gives its rounds to a worker, to the end. Its model becomes the
// model, and the browser keeps the run.
func TestTrain(t *testing.T) {
	l := at(t, short)
	if l.send("train-use", ""); l.Effects() != nil {
		t.Error("a model is used before there is one")
	}
	l.send("train", "")
	if got := l.Effects(); !reflect.DeepEqual(got, []effect.Effect{effect.ShowScene{Name: scene.Training.Name}}) {
		t.Errorf("it asks for %v", got)
	}
	l.Workers.Ready(1, .1)
	l.Workers.RunWaiting()
	rounds := 0
	for l.works(t) {
		rounds++
	}
	f := l.Trainer.Facts()
	if f.Phase != state.TrainDone || f.Done != 40 || rounds == 0 || !f.Waiting {
		t.Fatalf("phase %v after %d rounds and %d updates", f.Phase, rounds, f.Done)
	}
	want, err := training.ParseLink(short)
	if err != nil {
		t.Fatal(err)
	}
	bits, m := training.Bars(training.StripesRows)
	alone, err := want.Open(bits, m)
	if err != nil {
		t.Fatal(err)
	}
	round, err := alone.Resume()
	for err == nil && round != nil {
		u := round.Unit(0)
		for range alone.Lane(u) {
		}
		round, err = alone.Next([][]byte{u.Partial}, [][]byte{u.State})
	}
	if err != nil {
		t.Fatal(err)
	}
	w, _ := alone.Result()
	got, _ := l.run.Result()
	if !reflect.DeepEqual(w, got) {
		t.Error("the model is not the one of the link")
	}

	// The model.
	l.Panels.Sheet, l.Settings.Scene = "train", scene.Training.Name
	l.send("train-use", "")
	asked := l.Effects()
	if len(asked) != 1 || l.Panels.Sheet != "" || l.Settings.Scene != "" {
		t.Fatalf("used: asks for %v, sheet %q, scene %q", asked, l.Panels.Sheet, l.Settings.Scene)
	}
	file, ok := asked[0].(effect.ReadModel)
	if !ok || !strings.HasSuffix(file.File.Name, ".npz") || len(file.File.Data) == 0 {
		t.Errorf("it asks for %+v", asked[0])
	}
	l.send("train-keep", "")
	if d := l.Lab.Host.Downloads; len(d) != 2 || d[0] != file.File.Name || d[1] != string(file.File.Data) {
		t.Errorf("kept %v", d[:1])
	}

	// Another page takes the run up; one whose link asks for the model gets it.
	again := at(t, short)
	again.Lab.Host.Training = l.Lab.Host.Training
	again.Choose("v=1&model=" + modelfile.ID(file.File.Data) + "&method=ais")
	again.Restore()
	again.RunQueued()
	if f := again.Trainer.Facts(); f.Phase != state.TrainDone || f.Done != 40 {
		t.Errorf("taken up in phase %v with %d updates", f.Phase, f.Done)
	}
	if got := again.Effects(); !reflect.DeepEqual(got, []effect.Effect{file}) {
		t.Errorf("it asks for %d effects", len(got))
	}
	again.send("train-new", "")
	if f := again.Trainer.Facts(); f.Begun || again.Lab.Host.Training != nil || f.Link.String() != l.link.String() {
		t.Errorf("renewed: %+v", f)
	}
}

// An experiment has the workers first, and so has a room; a pause stands still. What a worker was lost over is paused.
func TestTrainWaits(t *testing.T) {
	l := at(t, short)
	l.Workers.Ready(1, .1)
	l.Choose("v=1&model=mixture2&method=ais&ais.chains=2&ais.temperatures=2")
	for name, busy := range map[string]func(on bool){
		"a run that begins": func(on bool) {
			if l.Run.Idle(); on {
				l.Run.Load()
			}
		},
		"a run": func(on bool) {
			if l.Run.End(); on {
				l.Begin()
			}
		},
		"a room": func(on bool) {
			if l.Others.Room = (state.Room{}); on {
				l.Others.Room.Phase = state.RoomLobby
			}
		},
		"a model that is made": func(on bool) {
			if shared.Cancel(&l.Opening); on {
				l.Opening = shared.NewWork(0, func(*shared.Work) {}, func() {})
			}
		},
	} {
		busy(true)
		if l.send("train", ""); l.HasWorker() {
			t.Errorf("it works beside %s", name)
		}
		busy(false)
		if l.Advance(); !l.HasWorker() {
			t.Errorf("it does not work after %s", name)
		}
		l.send("train-new", "")
	}
	l.send("train", "")
	l.send("train-pause", "")
	if f := l.Trainer.Facts(); f.Phase != state.TrainPaused {
		t.Errorf("phase %v", f.Phase)
	}
	l.send("train-go", "")
	for _, id := range []int{1, 2, 3} {
		l.Workers.Dismiss(id, nil)
		l.Workers.Spawn()
		l.Workers.Ready(id+1, .1)
		l.Workers.RunWaiting()
	}
	if f := l.Trainer.Facts(); f.Phase != state.TrainPaused || f.ErrorText == "" {
		t.Errorf("after three lost workers: phase %v, %q", f.Phase, f.ErrorText)
	}
	l.send("train-stop", "")
	if f := l.Trainer.Facts(); f.Phase != state.TrainDone || l.HasWorker() {
		t.Errorf("stopped: phase %v, works %v", f.Phase, l.HasWorker())
	}
}

// The user's rows are read while the form is open, with the threshold that the form names; the bundled digits are
// fetched.
func TestRows(t *testing.T) {
	l := at(t, short)
	if !l.TakeRows(state.File{Name: "mine.csv", Data: []byte("0,8,0\n7,0,0\n8,8,0\n"), N: 4}) {
		t.Fatal("rows are not taken")
	}
	if f := l.Trainer.Facts(); f.SuggestedThreshold != 4 || f.Link.Data == training.Stripes || l.LastFileAnswered != 4 {
		t.Errorf("threshold %v, data %s, answered %d", f.SuggestedThreshold, f.Link.Data, l.LastFileAnswered)
	}
	l.send("train-threshold", "4")
	if !bytes.Equal(l.userRows.bits, []uint8{0, 1, 0, 1, 0, 0, 1, 1, 0}) {
		t.Errorf("the bits are %v", l.userRows.bits)
	}
	if l.Panels.Sheet = ""; l.TakeRows(state.File{Name: "x.csv", Data: []byte("0,1\n")}) {
		t.Error("rows are taken without the form")
	}

	l = at(t, "v=1&train=digits&hidden=2&updates=1&batch=5&chains=4&sweeps=1&temperatures=2&check=0")
	l.send("train", "")
	if f := l.Trainer.Facts(); f.Phase != state.TrainLoading {
		t.Errorf("phase %v", f.Phase)
	}
	lost := problem.New("the server answered %d", 404)
	for range 2 { // past the caches, too
		l.Lab.Host.Answer("models/"+rbm.DigitsFile, nil, lost)
	}
	if f := l.Trainer.Facts(); f.Phase != state.TrainForm || !strings.Contains(f.ErrorText, rbm.DigitsFile) {
		t.Errorf("phase %v, it says %q", f.Phase, f.ErrorText)
	}
}

// An embedded training begins without its form, and keeps nothing in the browser of a visitor.
func TestEmbedded(t *testing.T) {
	l := &lab{Lab: pagetest.New(t, 1)}
	teacher := New(&l.Lab.Context, l.Lab.Facts())
	l.Trainer, l.Lab.Host.Training = &teacher, []byte("the visitor's")
	l.Settings.Embed = true
	x, err := training.ParseLink(short)
	l.Open(x, true, err)
	l.Restore()
	l.RunQueued()
	if f := l.Trainer.Facts(); !f.Begun || l.Panels.Sheet != "" || string(l.Lab.Host.Training) != "the visitor's" {
		t.Errorf("begun %v, sheet %q, the browser keeps %q", f.Begun, l.Panels.Sheet, l.Lab.Host.Training)
	}
	if b := ExperimentLink(state.Settings{Embed: true}); b == ExperimentLink(state.Settings{}) || !strings.HasSuffix(b, "&view.embed=1") {
		t.Errorf("beside it is %s", b)
	}
}
