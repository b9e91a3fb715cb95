package page

import (
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/models/mixture"
	"logzlab/wasm/page/state"
)

// countedFile is a mixture that counts how often its model is made.
type countedFile struct {
	mixture.GaussianParams
	kind *models.Kind
	made *int
}

func (f countedFile) Kind() *models.Kind { return f.kind }

func (f countedFile) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	*f.made++
	return f.GaussianParams.Open(name, about, v, w)
}

// TestModelIsMadeOnce: the check of an own file and its run share one model, and the next run makes another one only
// where it is another one.
func TestModelIsMadeOnce(t *testing.T) {
	read, made := 0, 0
	kind := &models.Kind{Name: "counted", Params: catalog.Kinds.Of("gmm").Params}
	file := countedFile{kind: kind, made: &made, GaussianParams: mixture.GaussianParams{D: 1, BaseSD: 1,
		Weights: []float64{1}, SDs: []float64{1}, Means: [][]float64{{0}}}}
	take := func() (models.File, error) { read++; return file, nil }
	kind.Reader = modelfile.Reader[models.File]{Fields: func(*modelfile.Fields) (models.File, error) { return take() }}
	kind.Entries = []models.Entry{{Name: "counted",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return take() }}}
	catalog.Kinds = append(catalog.Kinds, kind)
	t.Cleanup(func() { catalog.Kinds = catalog.Kinds[:len(catalog.Kinds)-1] })

	p := newPage(t, 1)
	p.lanes[1].silent = true // it would make the model too
	data := []byte(`{"kind": "counted"}`)
	for _, step := range []struct {
		what string
		do   func()
		want int // made so far
	}{
		{"an own file", func() { p.controller.Open("v=1&model=mixture2&method=ais"); p.controller.File("a.json", data, 1) }, 1},
		{"run again", func() { p.controller.Event(state.Event{Name: "restart"}) }, 1},
		{"another seed", func() { p.controller.Event(state.Event{Name: "new-seed"}) }, 1},
		{"another method", func() {
			p.controller.Event(state.Event{Name: "method", Value: "rts", On: true})
			p.controller.Event(state.Event{Name: "run"})
		}, 1},
		{"a link about the file", func() { p.controller.Open("v=1&model=" + modelfile.ID(data) + "&method=ais") }, 1},
		{"with another parameter", func() {
			p.controller.Event(state.Event{Name: "param", Key: "moves", Value: "7"})
			p.controller.run()
		}, 2},
		{"the file under another name", func() { p.controller.File("b.json", data, 2) }, 3},
		{"a bundled model", func() { p.controller.Open("v=1&model=counted&method=ais") }, 4},
		{"with another seed", func() { p.controller.Open("v=1&model=counted&method=ais&seed=2") }, 4},
	} {
		if step.do(); made != step.want || p.controller.State() != runstate.Running {
			t.Fatalf("%s: %d models made, want %d; state %s, message %+v", step.what, made, step.want, p.controller.State(),
				p.controller.Problem)
		}
	}
	if read != 3 { // twice the own file, once the bundled one
		t.Errorf("files read %d times", read)
	}
	if name := p.controller.Job.Model.Info().Name; name != "counted" {
		t.Errorf("the model is %s", name)
	}

	// An own file about which a link has settings.
	p = newPage(t, 1)
	p.lanes[1].silent = true
	made = 0
	p.controller.Open("v=1&model=" + modelfile.ID(data) + "&method=ais&moves=7")
	if p.controller.File("a.json", data, 1); made != 1 || p.controller.State() != runstate.Running {
		t.Errorf("after a link: %d models made, state %s", made, p.controller.State())
	}
}
