package page

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	corejson "logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/models"
	"logzlab/models/density"
	"logzlab/wasm/page/state"
)

// tent is a kind of model that only this test knows: exp(height - |x|/width) on the line,
// from N(0, 4). log Z = height + log(2 width).
type tent struct{ height, width float64 }

var tentKind = models.Kind{Name: "tent", Label: "Tent", Title: "Tents", Traits: models.Traits{Look: models.Points},
	Params: []spec.Param{{Name: "peg", Type: "float", Default: "0", Min: 0, Max: 9, Help: "Added to the height."}},
	Reader: modelfile.Reader[models.File]{Fields: func(f *modelfile.Fields) (models.File, error) {
		t := tent{modelfile.Get(f, "height", corejson.Value.Number), modelfile.Get(f, "width", corejson.Value.Number)}
		if f.Err == nil {
			f.Err = modelfile.Within("tent", "width", .1, 10, t.width)
		}
		return t, f.Err
	}},
	Entries: []models.Entry{{Name: "tent1", Truth: "closed form", About: "A tent.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return tent{1, .5}, nil }}},
}

func (tent) Kind() *models.Kind { return &tentKind }

func (t tent) Open(name, about string, v spec.Values, _ *meter.Meter) (models.Model, error) {
	height := t.height + v.Float("peg")
	m, err := density.New(models.Info{Name: name, Kind: "tent", About: about}, density.Density{Dim: 1,
		LogBase:  func(x []float64) float64 { return -x[0]*x[0]/8 - num.Log(8*math.Pi)/2 },
		LogF:     func(x []float64) float64 { return height - math.Abs(x[0])/t.width },
		DrawBase: func(s *rng.Stream, x []float64) { x[0] = 2 * s.Norm() },
	}, density.Kernel{Name: "slice"})
	return tentModel{m, &models.Truth{LogZ: height + num.Log(2*t.width), Source: "closed form"}}, err
}

type tentModel struct {
	*density.Space
	truth *models.Truth
}

func (t tentModel) Capabilities() models.Capabilities {
	c := t.Space.Capabilities()
	c.Exact.Truth = func() *models.Truth { return t.truth }
	return c
}

// TestKindOfItsOwn: a kind is its Kind and a line in catalog.Kinds; the list, links, runs, reports, own files, the
// page, the table of results and the check of words take it up from there.
func TestKindOfItsOwn(t *testing.T) {
	catalog.Kinds = append(catalog.Kinds, &tentKind)
	t.Cleanup(func() { catalog.Kinds = catalog.Kinds[:len(catalog.Kinds)-1] })

	if b, err := json.Marshal(report.List(catalog.Names{})); err != nil || !strings.Contains(string(b),
		`"name":"tent1","kind":"tent"`) {
		t.Errorf("the list does not have it: %v", err)
	}
	if !slices.Contains((catalog.Names{}).ModelNames(), "tent1") {
		t.Error("the catalogue does not have it")
	}
	const methods = "&method=ais,rts,smc&ais.temperatures=20&peg=1.5&rts.sweeps=50&rts.temperatures=6&smc.islands=10" +
		"&smc.temperatures=20"
	link := "v=1&model=tent1" + methods
	if s, err := spec.ParseLink(link, catalog.Names{}); err != nil || s.Link() != link {
		t.Fatalf("the link reads as %+v, %v", s, err)
	}
	reports, err := report.RunLink(context.Background(), link, engine.Source{}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		z := float64(r.LogZ-r.Truth.LogZ) / float64(r.SE)
		if r.Truth.LogZ != 2.5 || !(math.Abs(z) < 4) || r.Spec.Params["peg"] != "1.5" {
			t.Errorf("%s: log Z %v +- %v, truth %+v, params %v", r.Method, r.LogZ, r.SE, r.Truth, r.Spec.Params)
		}
	}
	if _, err := report.RunLink(context.Background(), "v=1&model=tent1&method=arm", engine.Source{}, 1); err == nil ||
		!strings.Contains(err.Error(), "kind tent") {
		t.Errorf("formed step by step: %v", err)
	}

	b := []byte(`{"kind": "tent", "height": 1, "width": 0.5}`)
	f, err := catalog.Kinds.ReadFile(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := spec.ParseLink("v=1&model="+modelfile.ID(b)+"&method=ais&peg=1.5", catalog.Names{})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := (engine.Source{File: f}).Open(s, nil); err != nil || models.TruthOf(m).LogZ != 2.5 {
		t.Errorf("an own file opens as %v, %v", m, err)
	}
	if _, err := catalog.Kinds.ReadFile([]byte(`{"kind": "tent", "width": 99}`), nil); fmt.Sprint(err) !=
		"tent file: width[0] = 99 must be between 0.1 and 10" {
		t.Errorf("a bad file: %v", err)
	}

	p := newPage(t, 2)
	p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/"})
	hashes := strings.Fields(p.finish())
	if len(hashes) != 3 || hashes[0] != reports[0].Hash {
		t.Errorf("hashes %v on the page, %s by the command", hashes, reports[0].Hash)
	}
	if row := p.row("ais"); row.State != runstate.MethodDone || row.Cells["truth"].Value != "2.5" {
		t.Errorf("its row is %+v", row)
	}
	p.controller.File("mine.json", b, 1)
	p.finish()
	if row := p.row("ais"); row.State != runstate.MethodDone || row.Cells["truth"].Value != "1" {
		t.Errorf("of an own file the row is %+v", row)
	}
	p.controller.Open(link)
	p.show()
	all := ""
	for _, part := range p.parts {
		all += string(part)
	}
	for _, want := range []string{`<optgroup label="Tents">`, `value="tent1"`, "A tent.", `data-param="peg"`,
		"Added to the height."} {
		if !strings.Contains(all, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	missing := missingGerman(t)
	for _, want := range []string{"Tents", "A tent.", "Peg", "Added to the height."} {
		if !slices.Contains(missing, want) {
			t.Errorf("the check of words does not ask for %q", want)
		}
	}
}
