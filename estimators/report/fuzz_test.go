package report

import (
	"bytes"
	"context"
	"math"
	"testing"

	"logzlab/core/meter"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/estimators/engine"
	"logzlab/internal/bound"
	"logzlab/models"
)

// FuzzFile opens any bytes as a model file, with the limits of the page, and runs a small experiment on the model:
// either a non-empty error, or reports without NaN whose hash a second run repeats.
func FuzzFile(f *testing.F) {
	for _, s := range []string{
		`{"kind":"rbm","W":[[0.5,-1],[2,0.25],[0,1]],"c_visible":[0,1,-1],"b_hidden":[0.5,0],"p1":[0.5,0.5,0.5]}`,
		`{"kind":"gmm","d":1,"base_sd":3,"logC":2,"weights":[0.5,0.5],"means":[[-1],[1]],"sds":[1,0.5]}`,
		`{"kind":"bmm","weights":[3,1],"probabilities":[[0.9,0.2],[0.1,0.6]],"logC":0.5}`,
		`{"kind":"ising","L1":3,"L2":3,"periodic":true,"J":1,"beta":0.4}`,
		`{"kind":"gpc","y":[1,-1,1],"X":[[0],[1],[2]],"kernel":{"name":"rbf","amplitude":1,"length":1}}`,
		"a,b,label\n1,2,0\n2,3,1\n0.5,1,1\n", "1;2,5;-1\n2;3,25;1\n",
	} {
		f.Add([]byte(s), uint8(0))
	}
	s, methods := &spec.Spec{}, catalog.Names{}.MethodNames()
	f.Fuzz(func(t *testing.T, b []byte, which uint8) {
		defer bound.Check(t)()
		m := &meter.Meter{Limit: 1.5e9}
		file, err := catalog.Kinds.ReadFile(b, m)
		if err != nil {
			if len(err.Error()) < 10 {
				t.Errorf("it says only %q", err)
			}
			return
		}
		model, err := models.FromFile("own", file, s.Values(file.Kind().Params, ""), m)
		if err != nil || model.Info().Dim > 400 {
			return
		}
		method := methods[int(which)%len(methods)]
		run := func(workers int) []byte {
			s, err := spec.ParseLink("v=1&model=file:000000000000&method="+method, catalog.Names{})
			if err != nil {
				t.Fatal(err)
			}
			params, _ := catalog.Names{}.MethodParams(method)
			for _, p := range params {
				if low := map[string]string{"particles": "7", "islands": "2", "temperatures": "5", "sweeps": "8", "chains": "4",
					"moves": "1", "init_rounds": "1", "init_sweeps": "3", "burn_in": "2"}[p.Name]; low != "" {
					if err := s.PutKey(catalog.Names{}, method+"."+p.Name, low); err != nil {
						t.Fatal(err)
					}
				}
			}
			reports, err := RunSpec(context.Background(), s, model, engine.Options{}, workers)
			if err != nil {
				return []byte(err.Error())
			}
			reports[0].Cost.Seconds = 0
			if r := reports[0]; math.IsInf(float64(r.LogZ), 0) {
				t.Errorf("%s: log Z is %v", method, r.LogZ)
			}
			return Encode(reports)
		}
		first := run(1)
		if bytes.Contains(first, []byte("NaN")) || bytes.Contains(first, []byte("internal error")) {
			t.Errorf("%s: %s", method, first)
		}
		if again := run(3); !bytes.Equal(first, again) {
			t.Errorf("%s: with one worker\n%s\nwith three\n%s", method, first, again)
		}
	})
}
