package page

import (
	"bytes"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/core/wire"
	"logzlab/estimators/engine"
	"logzlab/estimators/training"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// trainLink is a training of half a second.
const trainLink = "v=1&train=bars&hidden=6&updates=250&batch=30&rate=0.2&chains=40&sweeps=2&temperatures=12&check=0"

// trained is all that is known of a run in the end.
func trained(r *training.Run) []byte {
	var w wire.Writer
	r.Append(&w)
	return w.B
}

// alone is the run of a link without a page.
func alone(t *testing.T, link string) []byte {
	t.Helper()
	l, err := training.ParseLink(link)
	if err != nil {
		t.Fatal(err)
	}
	r, err := l.Open(training.Bars(training.StripesRows))
	for over := false; !over && err == nil; {
		over, err = r.Round(func(*frame.Frame) bool { return true })
	}
	if err != nil {
		t.Fatal(err)
	}
	return trained(r)
}

// trainPage is a page whose experiment is over, with the form of a training.
func trainPage(t *testing.T, link string) *fakePage {
	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=20"})
	p.finish()
	p.controller.Open(link)
	p.show()
	return p
}

func (p *fakePage) train(name, value string) {
	p.controller.Event(state.Event{Name: name, Value: value})
	p.turn(0)
}

func (p *fakePage) trainedTo(phase state.TrainingPhase) {
	p.t.Helper()
	p.until("the training", func() bool { return p.controller.training.Facts().Phase == phase })
	p.show()
}

// A training has the result of the command, whatever happens to it: a pause, a worker that is lost, an experiment that
// has the workers meanwhile, a page that is loaded again.
func TestTraining(t *testing.T) {
	want := alone(t, trainLink)
	p := trainPage(t, trainLink)
	if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, "Bars and stripes") || p.controller.training.Facts().Begun {
		t.Fatalf("the link does not fill in the form: %s", sheet)
	}
	p.train("train", "")
	for range 3 {
		p.turn(20)
	}
	watched := func() (any bool) {
		for _, l := range p.lanes {
			any = any || l.r != nil && l.r.Watched()
		}
		return any
	}
	if scene.On(p.controller.Outline()) != scene.Training || !watched() {
		t.Error("nobody watches the training")
	}
	p.train("scene", "trace")
	if p.turn(1); watched() {
		t.Error("pictures are made that no scene shows")
	}
	p.train("train-pause", "")
	frames := p.frames
	for range 5 {
		p.turn(20)
	}
	if p.frames != frames {
		t.Error("a training that is paused goes on")
	}
	p.train("train-go", "")
	p.turn(10)
	for id, l := range p.lanes {
		if l.r != nil {
			p.controller.Gone(id, "lost")
			break
		}
	}
	p.turn(10)
	p.train("restart", "")
	p.until("the experiment", func() bool { return p.controller.State() == runstate.Done })
	p.until("a round", func() bool { return p.controller.training.Facts().Done >= 100 })
	p.train("train-pause", "") // is kept
	p.train("train-go", "")

	lecture := newPage(t, 1)
	lecture.Training = p.Training
	lecture.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=20&view.lesson=2"})
	if lecture.finish(); lecture.view.Message != nil {
		t.Errorf("a lesson begins with %+v", lecture.view.Message)
	}
	again := newPage(t, 1)
	again.Training = p.Training
	again.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=20"})
	again.finish()
	m := again.view.Message
	if m == nil || m.Text != "The training on Bars and stripes is at update 100 of 250." || m.Action == nil {
		t.Fatalf("after a reload: %+v", m)
	}
	again.train(m.Action.Event, "")
	if again.controller.Problem != nil {
		t.Error("the offer stays")
	}
	for _, page := range []*fakePage{p, again} {
		page.trainedTo(state.TrainDone)
		if !bytes.HasSuffix(page.Training, want) { // the run is last of what is kept
			t.Error("a training in the page has other digits")
		}
	}
}

// The trained model becomes the model of the lab, is restored after a reload, and can be saved as a file.
func TestTrainedMachine(t *testing.T) {
	p := trainPage(t, trainLink)
	p.train("train", "")
	p.trainedTo(state.TrainDone)
	p.train("train-keep", "")
	name, data := p.Downloads[0], p.Downloads[1]
	if name != "bars-pcd-6-250.npz" || !strings.Contains(data, "provenance.json") {
		t.Errorf("%s has %d bytes", name, len(data))
	}
	p.train("train-use", "")
	id := modelfile.ID([]byte(data))
	p.until("the model", func() bool { return p.controller.Spec.Model == id })
	p.finish()
	if p.controller.Own.Name != name {
		t.Errorf("the model is called %s", p.controller.Own.Name)
	}
	link, before := p.view.Link, p.Training
	p.controller.Open(strings.Replace(trainLink, "updates=250", "updates=100&seed=2", 1)) // the run stays
	if why := p.controller.training.Facts().ErrorText; p.controller.training.Facts().Link.String() != trainLink || !strings.Contains(why,
		"other settings") {
		t.Errorf("beside a run the link of another one says %q", why)
	}
	p.train("train-new", "")
	if l := p.controller.training.Facts().Link; l.Seed != 2 || l.Values["updates"] != "100" {
		t.Errorf("after the run the form has %s", l)
	}
	p.controller.Event(state.Event{Name: "param", Key: "train.updates", Value: "250"})
	p.train("train", "")
	p.trainedTo(state.TrainDone)
	p.train("train-use", "")
	p.until("the other model", func() bool { return p.controller.Spec.Model != id })
	p.finish()
	p.controller.Open(link)
	p.controller.File(name, []byte(data), 9)
	hashes := p.finish()
	again := newPage(t, 1)
	again.Training = before
	again.controller.Start(state.BrowserPage{Link: link})
	again.until("the model", func() bool { return again.controller.Own.ID == id })
	if got := again.finish(); got != hashes {
		t.Errorf("after a reload: %s", got)
	}
	again.train("train-new", "")
	if again.controller.training.Facts().Begun || again.Training != nil {
		t.Error("the training is not forgotten")
	}
}

// Errors of rows or settings are shown in the form, and a threshold is offered if it helps.
func TestTrainingRefusals(t *testing.T) {
	p := trainPage(t, "v=1&train=bars&batch=2&hidden=3&updates=100&chains=10&check=0&validation=0")
	give := func(rows string) string {
		p.controller.File("mine.csv", []byte(rows), p.controller.LastFileAnswered+1)
		for p.controller.Working() {
			p.controller.Work()
		}
		if p.controller.training.Facts().ErrorText == "" {
			p.train("train", "")
		}
		p.show()
		return p.controller.training.Facts().ErrorText
	}
	for rows, want := range map[string]string{
		"0,1\n1,nan\n": "not a number",
		"1,1\n1,1\n":   "every column of the data is constant",
		"0,1\n":        "every column of the data is constant",
		"0,9\n7,2\n":   "give a threshold",
	} {
		if got := give(rows); !strings.Contains(got, want) || p.controller.training.Facts().Begun {
			t.Errorf("%q: %s, want %s", rows, got, want)
		}
	}
	give("0,8,0\n7,0,0\n8,8,0\n")
	if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, `data-event="train-threshold" data-value="4"`) {
		t.Errorf("no threshold is offered: %s", sheet)
	}
	p.train("train-threshold", "4")
	for p.controller.Working() {
		p.controller.Work()
	}
	id := p.controller.training.Facts().OwnID
	p.train("train-data", "bars")
	p.train("train-data", id) // whose numbers are bits by the threshold
	p.train("train-threshold", "x")
	if l := p.controller.training.Facts().Link; l.Data != id || l.Threshold != 4 || p.controller.training.Facts().ErrorText == "" {
		t.Errorf("bits by the threshold 4 have the link %s", l)
	}
	p.controller.Event(state.Event{Name: "param", Key: "train.batch", Value: "5"})
	if p.train("train", ""); !strings.Contains(p.controller.training.Facts().ErrorText, "fewer than a batch") {
		t.Error(p.controller.training.Facts().ErrorText)
	}
	p.controller.Event(state.Event{Name: "param", Key: "train.batch", Value: "2"})
	p.train("train", "")
	p.show()
	if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, "Update 0 of 100.<") ||
		!strings.Contains(sheet, "1 of 3 columns are constant") {
		t.Errorf("the sheet says %s", sheet)
	}
	p.trainedTo(state.TrainDone)
	if !bytes.Contains(p.Training, engine.TrainingFile([]uint8{0, 1, 0, 1, 0, 0, 1, 1, 0}, 3)) {
		t.Error("it was trained on other rows")
	}
	p.train("copy", "training")
	if !strings.Contains(p.Copied, "train=file:") || !strings.Contains(p.Copied, "&threshold=4") {
		t.Errorf("the link is %s", p.Copied)
	}
}

// The bundled digits are fetched when they are trained on; without them nothing begins.
func TestTrainingDigits(t *testing.T) {
	p := trainPage(t, "v=1&train=digits&hidden=2&updates=1&batch=5&chains=4&sweeps=1&temperatures=2&check=0"+
		"&validation=0.9")
	p.lost["digits.zip"] = true
	p.train("train", "")
	p.until("an answer", func() bool { return p.controller.training.Facts().ErrorText != "" })
	if p.controller.training.Facts().Begun || !strings.Contains(p.controller.training.Facts().ErrorText, "digits.zip") {
		t.Errorf("without a result it says %q", p.controller.training.Facts().ErrorText)
	}
	p.lost = nil
	p.train("train", "")
	p.trainedTo(state.TrainDone)
	curves := p.curves
	if f := p.controller.training.Facts(); f.Columns != 784 || f.Train+f.Test < 500 {
		t.Errorf("%d and %d rows in %d columns", f.Train, f.Test, f.Columns)
	}
	if p.controller.Open(state.DefaultLink); p.curves == curves {
		t.Error("the picture has lost the training")
	}
}

// A training that diverges shows an error, and the previous model stays in use.
func TestTrainingDiverges(t *testing.T) {
	p := trainPage(t, strings.Replace(trainLink, "rate=0.2", "rate=100&init=0.1&decay=0&last=1", 1))
	p.train("train", "")
	p.trainedTo(state.TrainDone)
	if why := p.controller.training.Facts().ErrorText; !strings.Contains(why, "ower the learning rate") {
		t.Errorf("it says %q", why)
	}
}

// An embedded training begins without its form, and does not change the training that the browser stores for the
// visitor.
func TestEmbeddedTraining(t *testing.T) {
	p := newPage(t, 2)
	p.Training = []byte("the visitor's")
	p.controller.Start(state.BrowserPage{Link: trainLink + "&view.embed=1"})
	p.trainedTo(state.TrainDone)
	if p.view.Sheet != "" || scene.On(p.controller.Outline()) != scene.Training {
		t.Errorf("sheet %q, scene %s", p.view.Sheet, scene.On(p.controller.Outline()).Name)
	}
	if string(p.Training) != "the visitor's" {
		t.Error("the visitor's own training is overwritten")
	}
}
