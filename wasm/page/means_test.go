package page

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// smallMachine is a file of an RBM of 36 x 12 units, a picture of 6 x 6.
func smallMachine(t *testing.T) []byte {
	m := map[string]any{"kind": "rbm"}
	var w [36][12]float64
	var c, p1, b []float64
	for i := range w {
		for j := range w[i] {
			w[i][j] = 1.5 * math.Sin(float64(13*i+7*j+1))
		}
		c, p1 = append(c, math.Cos(float64(5*i))-.5), append(p1, .4)
	}
	for j := range 12 {
		b = append(b, -1+float64(j%3)/2)
	}
	m["W"], m["c_visible"], m["b_hidden"], m["p1"] = w, c, b, p1
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestMeansScene: after a run the picture has the means of all rungs and of the target alone, and, once they have been
// added up, the exact ones, to which those of all rungs are nearer. The result is the same as with another scene, and a
// fixed pixel is what it is fixed to.
func TestMeansScene(t *testing.T) {
	data := smallMachine(t)
	link := "v=1&model=" + modelfile.ID(data) + "&method=rts&rts.chains=40&rts.sweeps=400&rts.temperatures=20&seed=3"
	for _, clamp := range []string{"", "&clamp=7i3-20p"} {
		hash := map[string]string{}
		for _, name := range []string{"units", "means"} {
			p := newPage(t, 2)
			p.controller.Start(state.BrowserPage{Link: link + clamp + "&view.scene=" + name, Base: "https://lab.example/"})
			p.controller.File("mine.json", data, 1)
			p.controller.Event(state.Event{Name: "picture", Value: "ready"})
			hash[name] = p.finish()
			p.controller.Tick()
			if p.show(); name == "units" {
				if p.controller.Snapshot().Means != nil {
					t.Error("exact means are added up though nobody looks")
				}
				continue
			}
			p.until("the exact means", func() bool { return p.controller.Snapshot().Means != nil })
			p.show()
			f, err := frame.Decode(p.controller.curves.Sent)
			if err != nil || f.Means == nil || len(f.Means.Exact) != 36 {
				t.Fatalf("clamp %q: the picture knows no means, or no exact ones, %v", clamp, err)
			}
			m, all, alone := f.Means, 0.0, 0.0
			for k := range 36 {
				fixed := clamp != "" && (k >= 7 && k < 10 || k == 20)
				if fixed == num.NotNaN(float64(m.AllSE[k])) || fixed && (m.All[k] != m.Exact[k] || m.Target[k] != m.All[k] ||
					(m.All[k] == 1) != (k < 10)) {
					t.Errorf("unit %d: %g +- %g, exact %g", k, m.All[k], m.AllSE[k], m.Exact[k])
				}
				all += math.Pow(float64(m.All[k]-m.Exact[k]), 2)
				alone += math.Pow(float64(m.Target[k]-m.Exact[k]), 2)
			}
			t.Logf("mean squared errors %.2g and %.2g", all/36, alone/36)
			if !(all < alone && alone/36 < .003) { // catches units that stand in the wrong place
				t.Errorf("squared errors %g from all rungs, %g at the target", all/36, alone/36)
			}
			p.controller.Event(state.Event{Name: "sheet", Value: "table"})
			p.show()
			if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, "All rungs") || strings.Count(sheet, "<tr") < 30 {
				t.Errorf("the table has %d rows", strings.Count(sheet, "<tr"))
			}
		}
		if hash["units"] != hash["means"] || hash["means"] == "" {
			t.Errorf("hashes %v", hash)
		}
	}
}

// TestNoMeansSceneForOtherMethods: other methods and models have no such scene, and of a mixture the means are a closed form.
func TestNoMeansSceneForOtherMethods(t *testing.T) {
	for link, want := range map[string]string{
		"v=1&model=rbm-pcd-20&method=ais&ais.chains=4&ais.temperatures=5&view.scene=means": "units",
		"v=1&model=ising16&method=rts&rts.chains=4&rts.temperatures=5&view.scene=means":    "units",
		"v=1&model=bmm-digits&method=rts&rts.chains=9&rts.temperatures=5&view.scene=means": "means",
	} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/"})
		p.finish()
		p.controller.Tick()
		if got := scene.On(p.controller.Outline()).Name; got != want {
			t.Errorf("%s opens %s, want %s", link, got, want)
		}
		if known := p.controller.Snapshot().Means != nil; known != (want == "means") {
			t.Errorf("%s: exact means are known: %v", link, known)
		}
	}
}
