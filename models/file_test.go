package models_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"logzlab/core/files/modelfile"
	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/internal/bound"
	"logzlab/internal/labtest"
	"logzlab/models"
	"logzlab/models/gpc"
	"logzlab/models/ising"
	"logzlab/models/mixture"
	"logzlab/models/rbm"
)

const (
	goodRBM   = `{"kind":"rbm","W":[[1,2],[3,-4.5],[0,1e-3]],"c_visible":[1,2,3],"b_hidden":[-1,0.5],"p1":[0,0.5,1]}`
	goodGMM   = `{"kind":"gmm","d":2,"base_sd":3,"logC":-2,"weights":[0.25,0.75],"means":[[0,1],[2,3]],"sds":[1,2]}`
	goodIsing = `{"kind":"ising","L1":4,"L2":3,"periodic":false}`
)

func TestReadFileJSON(t *testing.T) {
	beta := 0.3
	for _, c := range []struct {
		text string
		want models.File
	}{
		{goodRBM, rbm.Params{M: 3, J: 2, W: []float64{1, 2, 3, -4.5, 0, 1e-3}, C: []float64{1, 2, 3},
			B:  []float64{-1, .5},
			P1: []float64{0, .5, 1}}},
		{"\ufeff \n" + strings.Replace(goodRBM, `,"p1":[0,0.5,1]`, "", 1),
			rbm.Params{M: 3, J: 2, W: []float64{1, 2, 3, -4.5, 0, 1e-3}, C: []float64{1, 2, 3}, B: []float64{-1, .5}}},
		{strings.Replace(goodRBM, "[0,0.5,1]", "null", 1),
			rbm.Params{M: 3, J: 2, W: []float64{1, 2, 3, -4.5, 0, 1e-3}, C: []float64{1, 2, 3}, B: []float64{-1, .5}}},
		{goodGMM, mixture.GaussianParams{D: 2, BaseSD: 3, LogC: -2, Weights: []float64{.25, .75}, Means: [][]float64{{0, 1},
			{2, 3}},
			SDs: []float64{1, 2}}},
		{goodIsing, ising.Params{L1: 4, L2: 3, J: 1}},
		{`{"kind":"ising","L1":1,"L2":3,"periodic":true,"J":-2,"beta":0.3,"label":"x"}`,
			ising.Params{L1: 1, L2: 3, Periodic: true, J: -2, Beta: &beta}},
	} {
		m, err := catalog.Kinds.ReadFile([]byte(c.text), nil)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if !reflect.DeepEqual(m, c.want) {
			t.Errorf("%s: %+v, want %+v", c.text, m, c.want)
		}
	}
}

// Each invalid file gives an error that names the fault and its place.
func TestReadFileRejectsInvalidJSON(t *testing.T) {
	rbm := func(old, new string) string { return strings.Replace(goodRBM, old, new, 1) }
	gmm := func(old, new string) string { return strings.Replace(goodGMM, old, new, 1) }
	ising := func(old, new string) string { return strings.Replace(goodIsing, old, new, 1) }
	for _, c := range [][2]string{
		{"", "empty"}, {" \n", "empty"}, {"[1,2]", "line 1: it is a list of JSON"}, {"W = 3", "neither"},
		{"{", "not valid JSON"}, {goodRBM + "x", "not valid JSON"}, {goodRBM[:60], "not valid JSON"},
		{"{}", `"kind" is missing`}, {`{"kind":3}`, "kind: 3 is not a text"}, {`{"kind":"dbm"}`, `unknown kind "dbm"`},
		{`{"kind":"RBM"}`, "unknown kind"},
		// Fields whose names differ by capitals only would be ignored in silence.
		{`{"Kind":"rbm"}`, "the field Kind must be written kind"}, {rbm(`"p1"`, `"P1"`), "the field P1 must be written p1"},
		{rbm(`"W"`, `"w"`), "the field w must be written W"}, {ising("}", `,"Beta":0.1}`), "Beta must be written beta"},
		{`{"kind":"gpc","y":[1],"x":[1]}`, "the field x must be written X"},
		{`{"kind":"gpc","y":[1],"X":[1],"kernel":{"Name":"ou"}}`, "the field kernel.Name must be written kernel.name"},

		{rbm(`"W":[[1,2],[3,-4.5],[0,1e-3]],`, ""), "W is missing"},
		{rbm(`"W"`, `"weight"`), "weight = W; rename them, and if a row"},
		{rbm(`"b_hidden"`, `"h_bias"`), "h_bias = b_hidden; rename"},
		{rbm(`[[1,2],[3,-4.5],[0,1e-3]]`, "[]"), "W is missing or has no rows"},
		{rbm(`[[1,2],[3,-4.5],[0,1e-3]]`, "[[],[],[]]"), "at least one visible and one hidden unit"},
		{rbm(`[3,-4.5]`, "[3]"), "W is ragged: row 1 has 1 columns, row 0 has 2"},
		{rbm(`-4.5`, `"NaN"`), `W: row 1: entry 1: "NaN" is not a number`}, {rbm(`-4.5`, "NaN"), "not valid JSON"},
		{rbm(`-4.5`, "Infinity"), "not valid JSON"},
		{rbm(`-4.5`, "1e999"), "1e999"}, {rbm(`-4.5`, "null"), "null"}, {rbm(`[3,-4.5]`, "null"), "null"},
		{rbm(`-4.5`, "[1]"), "[1] is not a number"},
		{rbm(`"c_visible":[1,2,3],`, ""), "c_visible is missing; it has a bias for each of W's 3 rows (the"},
		{rbm(`"c_visible":[1,2,3]`, `"c_visible":[1,null,3]`), "null"},
		{rbm(`"c_visible":[1,2,3]`, `"c_visible":[1,2]`), "c_visible has 2 values"},
		{rbm(`[-1,0.5]`, "[-1]"), "b_hidden has 1 values, W has 2 columns"},
		{rbm(`[0,0.5,1]`, "[0,0.5]"), "p1 has 2 values"}, {rbm(`[0,0.5,1]`, "[]"), "p1 has 0 values"},
		{rbm(`[0,0.5,1]`, "[0,-0.5,1]"), "p1[1] = -0.5 is not a probability"}, {rbm(`[0,0.5,1]`, "[0,0.5,1.5]"), "p1[2]"},

		{gmm(`"d":2,`, ""), "d = 0"}, {gmm(`"d":2`, `"d":3`), "means[0] has 2 coordinates, d = 3"},
		{gmm(`"d":2`, `"d":2.5`), "d: 2.5 is not a whole number"},
		{gmm(`"d":2`, `"d":1001`), "d = 1001"},
		{gmm(`"base_sd":3,`, ""), "base_sd is missing"}, {gmm(`"base_sd":3`, `"base_sd":0`), "base_sd = 0"},
		{gmm(`"base_sd":3`, `"base_sd":-1`), "base_sd"},
		{gmm(`"logC":-2,`, ""), "logC is missing"},
		{gmm(`"logC":-2`, `"logC":1e300`), "logC = 1e+300 must be between -1e6 and 1e6"},
		{gmm(`[0.25,0.75]`, "[]"), "0 weights"}, {gmm(`[0.25,0.75]`, "[0.25,0.25]"), "weights sum to 0.5"},
		{gmm(`[0.25,0.75]`, "[0,1]"), "weights[0] = 0"}, {gmm(`[0.25,0.75]`, "[-0.5,1.5]"), "weights[0]"},
		{gmm(`[0.25,0.75]`, "[1]"), "1 weights, 2 means"},
		{gmm(`[2,3]`, "[2]"), "means[1] has 1 coordinates"},
		{gmm(`[2,3]`, "[2,1e9]"), "means[1][1] = 1e+09 must be between -1e6"},
		{gmm(`[2,3]`, "[2,null]"), "null"},
		{gmm(`"sds":[1,2]`, `"sds":[1,0]`), "sds[1] = 0"}, {gmm(`"sds":[1,2]`, `"sds":[1]`), "1 sds"},

		{ising(`"L1":4,`, ""), "0 x 3 spins"}, {ising(`"L1":4`, `"L1":-4`), "-4 x 3"},
		{ising(`"L1":4`, `"L1":1025`), "1025 x 3"},
		{strings.NewReplacer(`:4`, `:1024`, `:3`, `:1024`).Replace(goodIsing), "at most 65536"},
		{ising(`"periodic":false`, `"periodic":1`), "periodic: 1 is neither true nor false"},
		{ising(`,"periodic":false`, ""), "periodic is missing"},
		{ising(`"L1"`, `"L1x":1,"l1"`), "the field l1 must be written L1"},
		{ising(`,"periodic"`, `,"perodic":true,"x"`), "the field perodic must be written periodic"},
		{ising(`,"periodic"`, `,"preiodic":true,"x"`), "the field preiodic must be written periodic"},
		{ising(`,"periodic"`, `,"Periodic":true,"periodic"`), "the field Periodic must be written periodic"},
		{ising("}", `,"J":1e9}`), "J = 1e+09 must be between -100 and 100"},
		{ising("}", `,"beta":-1e3}`), "beta = -1000 must be between -100 and 100"},
		{ising("}", `,"beta":1e999}`), "1e999"},
	} {
		m, err := catalog.Kinds.ReadFile([]byte(c[0]), nil)
		if err == nil {
			t.Errorf("%s is accepted as %s", c[0], m.Kind().Name)
		} else if m != nil || !strings.Contains(err.Error(), c[1]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %q, want one line that contains %q", c[0], err, c[1])
		}
	}
}

// Fields that would change the model in other programs are rejected by name, in all spellings, by every kind that does
// not have them. They are accepted with values that change nothing; fields that only describe a model are always
// accepted.
func TestUnsupportedFieldsAreRejected(t *testing.T) {
	good := map[string]string{"ising": goodIsing, "gmm": goodGMM, "gpc": goodGPC, "rbm": goodRBM,
		"graph":     `{"kind":"graph","states":[2,2],"factors":[{"on":[0,1],"table":[2,1,1,2]}]}`,
		"bmm":       `{"kind":"bmm","weights":[3,1],"probabilities":[[0.9,0.2],[0.1,0.6]]}`,
		"linreg":    `{"kind":"linreg","X":[[1,-1],[1,0.5],[1,2]],"y":[0.5,1,2],"s2":0.5,"t2":4}`,
		"betabinom": `{"kind":"betabinom","a":2,"b":3,"k":17,"n":25}`,
		"nig":       `{"kind":"nig","y":[1,2.5,-0.5],"m0":0,"k0":0.5,"a0":2,"b0":2}`,
		"glmm":      `{"kind":"glmm","x":[[0,1]],"y":[[0,1]],"prior_sd":2,"psi_mean":0,"psi_sd":1}`,
		"sv":        `{"kind":"sv","y":[0.5,-1.2,0.1]}`,
		"lgssm":     `{"kind":"lgssm","y":[0.5,-1.2,0.1],"phi":0.9}`}
	with := func(kind, field string) error {
		_, err := catalog.Kinds.ReadFile([]byte(good[kind][:len(good[kind])-1]+","+field+"}"), nil)
		return err
	}
	for kind := range good {
		for _, field := range []string{`"name":"mine"`, `"comment":"h = 0.3"`, `"source":null`, `"id":7`,
			`"date":"2024-01-01"`, `"version":[1,2]`, `"truth":{"logz":1}`} {
			if err := with(kind, field); err != nil {
				t.Errorf("%s with %s: %v", kind, field, err)
			}
		}
	}
	for field, kinds := range map[string]string{
		`"h":0.3`: "ising", `"external_field":[0.1,0,0]`: "ising", `"L3":2`: "ising", `"Jx":2`: "ising", `"dim":3`: "ising",
		`"couplings":[[0,1],[1,0]]`: "ising", `"temperature":2.3`: "ising gmm bmm graph", `"lattice":"triangular"`: "ising",
		`"evidence":{"0":1}`: "graph", `"observed":[1]`: "graph", `"base":"log10"`: "graph", `"W":[[1]]`: "graph",
		`"factor_weights":[3]`: "graph", `"zero_inflation":0.1`: "betabinom nig linreg", `"truncation":[0,3]`: "nig sv rbm",
		`"W_mask":[[1,0]]`: "rbm graph", `"energy_offset":3`: "rbm ising graph bmm", `"pi":[0.2,0.8]`: "bmm gmm",
		`"h_ext":0.3`: "ising", `"staggered_field":0.5`: "ising", `"size":[3,3,3]`: "ising", `"L":4`: "ising",
		`"neighbours":8`: "ising", `"model":"potts"`: "ising",

		`"likelihood":"poisson"`: "linreg nig glmm sv lgssm", `"inverse_link":"logistic"`: "gpc",
		`"weights":[1,2,1]`: "linreg nig glmm gpc",
		`"length-scale":2`:  "gpc", `"Noise":0.1`: "gpc linreg nig lgssm", `"covs":[[[2]]]`: "gmm",
		`"sigma":2`: "linreg nig glmm sv lgssm gmm", `"prior":"flat"`: "linreg betabinom nig glmm sv lgssm",
		`"fit_intercept":true`: "linreg",
		`"prior_mean":1`:       "linreg glmm lgssm", `"mu":0.5`: "sv lgssm betabinom", `"trials":[2,3]`: "glmm",
		`"rho":-0.3`: "sv",
		`"offset":1`: "glmm linreg gpc", `"x0":0`: "lgssm", `"leverage":true`: "sv", `"df":5`: "nig sv gmm lgssm",
	} {
		name := strings.Trim(field[:strings.Index(field, ":")], `"`)
		for _, kind := range strings.Fields(kinds) {
			if err := with(kind, field); err == nil || !strings.Contains(err.Error(), kind+" file: the field "+name) {
				t.Errorf("%s with %s: %v", kind, field, err)
			}
		}
	}
	for field, kinds := range map[string]string{
		`"h":0`: "ising graph", `"h":[0,0]`: "ising", `"beta":1`: "graph", `"model":"Ising"`: "ising",
		`"L3":1`: "ising", `"couplings":[]`: "ising", `"states":2`: "ising",
		`"spins":[-1,1]`: "ising", `"lattice":"Square"`: "ising", `"likelihood":"normal"`: "linreg nig sv lgssm",
		`"likelihood":"probit","link":"probit"`: "gpc", `"link":"logit"`: "glmm", `"weights":[1,1,1]`: "linreg nig glmm",
		`"rho":0`: "sv betabinom", `"offset":null`: "glmm", `"temperature":1`: "gmm bmm",
	} {
		for _, kind := range strings.Fields(kinds) {
			if err := with(kind, field); err != nil {
				t.Errorf("%s with %s: %v", kind, field, err)
			}
		}
	}
	for kind, text := range good {
		for field, says := range map[string]string{`"note":"x"`: "",
			`"tension":2,"_aux":{"a":1}`: "not read: _aux, tension", `"time":[1,2]`: "not read: time",
			`"names":["a"],"V":3`: "not read: V"} {
			f, err := catalog.Kinds.ReadFile([]byte(text[:len(text)-1]+","+field+"}"), nil)
			if err != nil {
				t.Fatal(err)
			}
			m, err := models.FromFile("own", f, (&spec.Spec{}).Values(f.Kind().OwnParams(), ""), nil)
			if err != nil {
				t.Fatal(err)
			}
			got := m.Info().Understood.Error()
			if !strings.Contains(got, says) || says == "" && strings.Contains(got, "not read") {
				t.Errorf("%s with %s: %s", kind, field, got)
			}
		}
	}
	for text, says := range map[string]string{
		strings.Replace(goodGPC, `"length":3`, `"length":3,"nu":1.5`, 1):             "the field kernel.nu is not read",
		`{"kind":"graph","states":[2],"factors":[{"on":[0],"log":[2,1],"base":10}]}`: "factors[0].base is not read",
		`{"kind":"ising","L1":2,"L2":2,"periodic":false,"J":[[0,1,1,0],[1,0,0,1],[1,0,0,1],[0,1,1,0]]}`: "J is a list: all " +
			"neighbours have the same",
	} {
		if _, err := catalog.Kinds.ReadFile([]byte(text), nil); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: error %v, want one that contains %q", text, err, says)
		}
	}
}

// JSON numbers are read without loss of a bit.
func TestJSONRoundTrip(t *testing.T) {
	x := []float64{math.Pi, -1e-308, math.SmallestNonzeroFloat64, math.MaxFloat64, 1. / 3, math.Copysign(0, -1), 5e300}
	text := fmt.Sprintf(`{"kind":"rbm","W":[[%v],[%v],[%v],[%v],[%v],[%v],[%v]],"c_visible":[0,0,0,0,0,0,0],`+
		`"b_hidden":[0]}`,
		x[0], x[1], x[2], x[3], x[4], x[5], x[6])
	m, err := catalog.Kinds.ReadFile([]byte(text), nil)
	if err != nil || !reflect.DeepEqual(m.(rbm.Params).W, x) {
		t.Errorf("%v, %v, want %v", m, err, x)
	}
}

func TestFileID(t *testing.T) {
	// SHA-256 of "abc" is ba7816bf 8f01cfea 4141 ... (FIPS 180-2, B.1).
	if got := modelfile.ID([]byte("abc")); got != "file:ba7816bf8f01" || !spec.IsFile(got) {
		t.Errorf("ID(abc) = %s", got)
	}
}

// Arbitrary bytes give an error, or a file with consistent shapes.
func FuzzReadFile(f *testing.F) {
	for _, s := range []string{goodRBM, goodGMM, goodIsing, `{"kind":"rbm","W":[[null]]}`} {
		f.Add([]byte(s))
	}
	for _, name := range []string{"sklearn.npz", "theano.npz"} { // stored, and compressed
		b, err := os.ReadFile(filepath.Join(labtest.Root(f), "models/testdata/field", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		m, err := catalog.Kinds.ReadFile(b, nil)
		if err != nil {
			if m != nil {
				t.Error("ReadFile returns both a file and an error")
			}
			return
		}
		if r, ok := m.(rbm.Params); ok && (r.M < 1 || r.J < 1 || len(r.W) != r.M*r.J || len(r.C) != r.M ||
			len(r.B) != r.J ||
			r.P1 != nil && len(r.P1) != r.M) {
			t.Errorf("rbm of %d x %d with %d weights", r.M, r.J, len(r.W))
		}
		if g, ok := m.(mixture.GaussianParams); ok && (len(g.Means) != len(g.Weights) || len(g.SDs) != len(g.Weights)) {
			t.Errorf("gmm %+v", g)
		}
	})
}

// Errors in fields and entries name their line if there are several lines.
func TestErrorsNameTheLine(t *testing.T) {
	const coin = "{\"kind\": \"betabinom\",\n\"a\": 1, \"b\": 1, "
	for text, want := range map[string]string{
		"\n{\n\"kind\": \"linreg\",\n\"X\": [[1],\n[2]], \"s2\": 1, \"t2\": 1,\n" +
			"\"y\": [1]}": "must have 2 (line 6)",
		coin + "\"n\": 10,\n\"k\": 12}": "more than n = 10 trials (line 3)",
		coin + "\"k\": 1,\n\"N\": 10}":  "the field N must be written n (line 3)",
		"{\"kind\": \"glmm\",\n\"prior_sd\": 2, \"psi_mean\": 0, \"psi_sd\": 1, \"x\": [[1, 2]],\n" +
			"\"y\": [[0, 2]]}": "y[0][1] = 2 must be 0 or 1 (line 3)",
		"{\"kind\": \"graph\", \"states\": [2, 3],\n\"factors\": [{\"on\": [0],\n\"table\": [1, 1]}, {\"on\": [0, 1],\n" +
			"\"table\": [1, 2, 3,\n4, 5, -6]}]}": "factors[1].table[5] = -6 is negative (line 5)",
		"{\"kind\": \"rbm\",\n\"W\": [[1, 2],\n[3, \"x\"]],\n\"b\": [0, 0], \"c\": [0, 0]}": "\"x\" is not a number (line 3)",
	} {
		if _, err := catalog.Kinds.ReadFile([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", text, err, want)
		}
	}
}

const goodGPC = `{"kind":"gpc","X":[[0,1],[2,3],[4,5]],"y":[1,-1,1],"kernel":{"name":"ou","amplitude":2,"length":3}}`

func TestReadGPCFile(t *testing.T) {
	x := []float64{0, 1, 2, 3, 4, 5}
	y := []float64{1, -1, 1}
	for _, c := range []struct {
		text string
		want gpc.Params
	}{
		{goodGPC, gpc.Params{N: 3, D: 2, Y: y, X: x, Kernel: gpc.Covariance{Name: "ou", Amplitude: 2, Length: 3}}},
		{`{"kind":"gpc","X":[1,2],"y":[1,1],"likelihood":"logistic"}`,
			gpc.Params{N: 2, D: 1, Y: []float64{1, 1}, X: []float64{1, 2}, Likelihood: gpc.Logistic}},
		{`{"kind":"gpc","X":[1,2],"y":[0,0]}`, gpc.Params{N: 2, D: 1, Y: []float64{-1, -1}, X: []float64{1, 2}}},
		{`{"kind":"gpc","X":[1,2],"y":[1,1],"kernel":{"name":"rbf"}}`,
			gpc.Params{N: 2, D: 1, Y: []float64{1, 1}, X: []float64{1, 2}, Kernel: gpc.Covariance{Name: "rbf"}}},
		{`{"kind":"gpc","X":null,"K":[[2]],"y":[0]}`, gpc.Params{N: 1, Y: []float64{-1}, K: []float64{2}}},
		{`{"kind":"gpc","K":[[2,1],[1.000000000001,2]],"y":[-1,1]}`,
			gpc.Params{N: 2, Y: []float64{-1, 1}, K: []float64{2, 1.0000000000005, 1.0000000000005, 2}}},
		{"a,b,label\n0,1,1\n2,3,0\n\n4,5,1\n", gpc.Params{N: 3, D: 2, Y: y, X: x}},
		{"\ufeff0;1;1\r\n2;3;-1\r\n4;5;1", gpc.Params{N: 3, D: 2, Y: y, X: x}},
		{"0\t1\t1\n", gpc.Params{N: 1, D: 2, Y: []float64{1}, X: []float64{0, 1}}},
		{"\"x\",\"y\"\n\"1.5\",\"0\"\n", gpc.Params{N: 1, D: 1, Y: []float64{-1}, X: []float64{1.5}}},
	} {
		m, err := catalog.Kinds.ReadFile([]byte(c.text), nil)
		if g, ok := m.(gpc.Params); ok {
			g.ReadNote = nil // see TestTableDescriptions
			m = g
		}
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
		} else if !reflect.DeepEqual(m, models.File(c.want)) {
			t.Errorf("%s: %+v, want %+v", c.text, m, c.want)
		}
	}
}

// Each invalid classification file gives an error that names the fault and its place.
func TestReadGPCFileRejectsInvalid(t *testing.T) {
	good := func(old, new string) string { return strings.Replace(goodGPC, old, new, 1) }
	many := "x,y\n" + strings.Repeat("1,1\n", gpc.MaxData+1)
	for _, c := range [][2]string{
		{`{"kind":"gpc","y":[1]}`, "K and X are both missing"},
		{`{"kind":"gpc","X":[1],"y":[1],"likelihood":"poisson"}`, `likelihood = "poisson" must be`},
		{`{"kind":"gpc","X":[],"y":[]}`, "no data"},
		{good("[1,-1,1]", "[1,-1]"), "X has 3 rows, y has 2"}, {good("[1,-1,1]", "[1,-1,2]"), "y[2] = 2: labels must be"},
		{good("[1,-1,1]", "[1,-1,0]"), "y[2] = 0, but y[1] = -1: labels"}, {good("[1,-1,1]", "[1,0.5,0]"), "y[1] = 0.5"},
		{good("[1,-1,1]", "[1,null,0]"), "null"},
		{good("[2,3]", "[2]"), "ragged: row 1 has 1 columns"}, {good("[2,3]", "[2,null]"), "null"},
		{good("[2,3]", "[2,1e10]"), "X[1][1] = 1e+10"},
		{good("[[0,1],[2,3],[4,5]]", "[[],[],[]]"), "no columns"}, {good("[[0,1],[2,3],[4,5]]", `"abc"`), "X:"},
		{good("3}", "NaN}"), "not valid JSON"},
		{good("\"ou\"", "\"matern\""), "kernel.name = \"matern\""}, {good("e\":2", "e\":-2"), "amplitude = -2"},
		{good("e\":2", "e\":1e5"), "amplitude = 100000"}, {good("h\":3", "h\":0"), "length = 0"},
		{`{"kind":"gpc","K":[[1,0]],"y":[1,1]}`, "K has 1 rows"},
		{`{"kind":"gpc","K":[[1,0],[0]],"y":[1,1]}`, "K is ragged: row 1"},
		{`{"kind":"gpc","K":[[1,0.5],[0.25,1]],"y":[1,1]}`, "not symmetric: K[1][0] = 0.25"},
		{`{"kind":"gpc","K":[[-1]],"y":[1]}`, "variance cannot be negative"},
		{`{"kind":"gpc","K":[[1e8,0,0],[0,1,0.05],[0,-0.04,1]],"y":[1,1,1]}`, "not symmetric: K[2][1] = -0.04"},
		{`{"kind":"gpc","K":[[1,1e9],[1e9,1]],"y":[1,1]}`, "K[0][1] = 1e+09"},
		{"x,y\n", "it has only names (x, y)"}, {"x,y\n1,nan\n", "line 2, column 2"},
		{"1,2,1\n1,1\n", "line 2 has 2, line 1 has 3"},
		{"1,2,1\n1,a,1\n", `line 2, column 2: "a"`},
		{"1,oops,1\n2,3,1\n", `line 1, column 2: "oops"`}, {"1,inf,1\n", "line 1, column 2"},
		{"1,2,3\n", "label of line 1 = 3"}, {"1,1\n2,\n", "column 2: the value is missing"},
		{"1,2e9,1\n", "line 1, column 2 = 2e+09"}, {many, "limit of 2000"}, {"x,y\n1,1\n2\n", "line 3 has 1, line 1 has 2"},
	} {
		m, err := catalog.Kinds.ReadFile([]byte(c[0]), nil)
		if err == nil {
			t.Errorf("%.60s: read as %+v", c[0], m)
		} else if !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%.60s: %q does not say %q", c[0], err, c[1])
		}
	}
}

// The readers do not panic on arbitrary bytes, and accepted files are complete.
func FuzzGPC(f *testing.F) {
	for _, s := range []string{goodGPC, `{"kind":"gpc","K":[[2,1],[1,2]],"y":[0,1]}`, "a,b\n1,0\n2,1\n", "1;2;-1\n",
		"\"1\"\t1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		defer bound.Check(t)()
		m, err := catalog.Kinds.ReadFile(b, nil)
		g, ok := m.(gpc.Params)
		if err != nil || !ok {
			return
		}
		if g.N < 1 || len(g.Y) != g.N || len(g.X) != g.N*g.D || g.X == nil && len(g.K) != g.N*g.N {
			t.Errorf("%q: read as %+v", b, g)
		}
		for _, y := range g.Y {
			if y != 1 && y != -1 {
				t.Errorf("%q: label %v", b, y)
			}
		}
		for _, x := range append(g.X, g.K...) {
			if !(math.Abs(x) <= 1e9) {
				t.Errorf("%q: %v", b, x)
			}
		}
	})
}
