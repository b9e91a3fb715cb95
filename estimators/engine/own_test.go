package engine_test

import (
	"math"
	"slices"
	"testing"

	corejson "logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/num/stats"
	"logzlab/core/spec"
	"logzlab/core/wire"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/density"
)

// cumulant is a method of the program's own. It reads the run of ais: log E[exp(w)] is the mean of the log weights w
// plus half their variance if the weights are log-normal.
var cumulant = estimators.Info{Name: "cumulant", Label: "Cumulant", Short: "two cumulants",
	About: "The mean of the log weights of an annealing run and half their variance.",
	Path:  estimators.Tempered, Provenance: estimators.FromBase | estimators.ThroughRungs, Params: anneal.Run.Params,
	Reads: &anneal.Reader{Read: func(a *anneal.Record, _ spec.Values) *estimators.Result {
		works := a.Works(len(a.Betas) - 1)
		mean, variance := stats.MeanVar(works)
		n := float64(len(works))
		return &estimators.Result{LogZ: a.Model.LogZ0() + mean + variance/2, Bias: "either",
			SE: math.Sqrt(variance/n + variance*variance/(2*(n-1))), SEMethod: estimators.SEDelta}
	}},
}

// peaks is a kind of model of the program's own, and the contents of a file of this kind: a product of
// exp(-|x_i|/width_i) on R^n from N(0, 9). log Z is the sum of log(2 width_i).
type peaks struct{ widths []float64 }

var peaksKind = models.Kind{Name: "peaks", Label: "Peaks", Title: "Peaks",
	Reader: modelfile.Reader[models.File]{Fields: func(f *modelfile.Fields) (models.File, error) {
		p := peaks{modelfile.Get(f, "widths", corejson.Value.Numbers)}
		if f.Err == nil {
			f.Err = modelfile.Within("peaks", "widths", .1, 10, p.widths...)
		}
		return p, f.Err
	}}}

func (peaks) Kind() *models.Kind { return &peaksKind }

func (p peaks) Open(name, about string, _ spec.Values, _ *meter.Meter) (models.Model, error) {
	const base = 3 // standard deviation
	space, err := density.New(models.Info{Name: name, Kind: peaksKind.Name, About: about}, density.Density{
		Dim: len(p.widths),
		LogBase: func(x []float64) (sum float64) {
			for _, v := range x {
				sum -= num.Mul(v, v)/(2*base*base) + num.Log(base*base*2*math.Pi)/2
			}
			return sum
		},
		LogF: func(x []float64) (sum float64) {
			for i, v := range x {
				sum -= math.Abs(v) / p.widths[i]
			}
			return sum
		},
		DrawBase: func(s *rng.Stream, x []float64) {
			for i := range x {
				x[i] = base * s.Norm()
			}
		},
	}, density.Kernel{Name: "slice"})
	return peaksModel{space, p.widths}, err
}

type peaksModel struct {
	*density.Space
	widths []float64
}

// Capabilities are those of a density, and a known log Z.
func (m peaksModel) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Exact.Truth = m.Truth
	return c
}

// Truth returns the exact log Z.
func (m peaksModel) Truth() *models.Truth {
	t := &models.Truth{Source: "closed form"}
	for _, w := range m.widths {
		t.LogZ += num.Log(2 * w)
	}
	return t
}

// TestOwnWorker: a worker that knows the method and the kind computes a unit of the job; one that does not reports
// which is unknown.
func TestOwnWorker(t *testing.T) {
	names := catalog.Names{Methods: []estimators.Info{cumulant}, Kinds: models.Kinds{&peaksKind}}
	data := []byte(`{"kind": "peaks", "widths": [0.5, 1, 2]}`)
	link := "v=1&model=" + modelfile.ID(data) + "&method=cumulant&cumulant.chains=8&cumulant.temperatures=5"
	s, err := spec.ParseLink(link, names)
	if err != nil {
		t.Fatal(err)
	}
	file, err := names.Kinds.ReadFile(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	model, err := engine.Source{File: file, Names: names}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := engine.NewJob(s, model, engine.Options{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	unit := slices.Concat(job.Message(job.Take(), 1, false, false)...)
	sent := wire.Writer{B: []byte{engine.MsgFile}}
	sent.String(engine.OwnFile)
	sent.Bytes(data)

	for _, known := range []bool{true, false} {
		w := engine.NewWorker()
		if known {
			w.Names = names
		}
		for _, message := range [][]byte{sent.B, unit} {
			if _, err := w.Control(message); err != nil {
				t.Fatal(err)
			}
		}
		running, err := w.Start(nil)
		if !known {
			if err == nil {
				t.Error("a worker without the method opened its unit")
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for range running.Frames {
		}
		if running.Unit.Partial == nil || running.Method() != "cumulant" {
			t.Errorf("the unit of %q left %d bytes", running.Method(), len(running.Unit.Partial))
		}
	}
}

// TestOwnNames: lookups of methods and kinds find those of the program. cumulant shares the run of ais, a model's
// parameters are those of its kind, and a list has both.
func TestOwnNames(t *testing.T) {
	scale := spec.Param{Name: "scale", Type: "float", Default: "1", Min: 0, Max: 2, Help: "Factor of all widths."}
	kind := peaksKind
	kind.Params = []spec.Param{scale}
	kind.Entries = []models.Entry{{Name: "peaks3", About: "Three widths.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			return peaks{[]float64{.5, 1, 2}}, nil
		}}}
	names := catalog.Names{Methods: append(slices.Clone(catalog.Methods), cumulant),
		Kinds: append(slices.Clone(catalog.Kinds), &kind)}
	s, err := spec.ParseLink("v=1&model=peaks3&scale=2&method=ais,cumulant,rts&ais.temperatures=50"+
		"&cumulant.temperatures=50&rts.sweeps=100", names)
	if err != nil {
		t.Fatal(err)
	}

	// Shared runs, and keys of models.
	if got := engine.SameRun(s, names, "cumulant"); !slices.Equal(got, []string{"ais", "cumulant"}) {
		t.Errorf("cumulant shares a run with %v", got)
	}
	if key := engine.ModelKey(s, names); key != "peaks3&scale=2" {
		t.Errorf("the model's key is %s", key)
	}

	// The job and its reports.
	model, err := engine.Source{Names: names}.Open(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	job, err := engine.NewJob(s, model, engine.Options{Names: names})
	if err != nil {
		t.Fatal(err)
	}
	if !job.SameRun("ais", "cumulant") || job.SameRun("ais", "rts") {
		t.Error("ais and cumulant do not share a run, or ais and rts do")
	}
	if err := engine.Run(t.Context(), job, 1, nil); err != nil {
		t.Fatal(err)
	}
	truth := models.TruthOf(model).LogZ
	for _, r := range report.New(job).All(0) {
		if !(math.Abs(float64(r.LogZ)-truth) < 5*float64(r.SE)) || r.Verdict == nil || r.Hash == "" {
			t.Errorf("%s: log Z = %v +- %v, exact %v, %+v", r.Method, r.LogZ, r.SE, truth, r.Verdict)
		}
	}

	// Lists.
	list := report.List(names)
	if m := list.Models[len(list.Models)-1]; m.Name != "peaks3" || m.Kind != "peaks" || m.Params[0].Name != "scale" {
		t.Errorf("the last model listed is %+v", m)
	}
	if m := list.Methods[len(list.Methods)-1]; m.Name != "cumulant" {
		t.Errorf("the last method listed is %s", m.Name)
	}
}
