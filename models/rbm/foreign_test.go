package rbm

import (
	"slices"
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/models"
)

// TestForeignParts checks that arrays and JSON fields whose names indicate more than an RBM of binary units are
// refused, and that other unknown names are ignored.
func TestForeignParts(t *testing.T) {
	vector := npy("<f8", false, []float64{1, 1, 1}, 3)
	matrix := npy("<f8", false, w32, 3, 2)
	for name, wantError := range map[string]string{
		"sigma": "scale of Gaussian units", "log_sigma": "scale of Gaussian", "rbm.v_std": "scale of Gaussian",
		"sigma_sq": "scale of Gaussian", "logSigma": "scale of Gaussian", "visible.gamma": "scale of Gaussian",
		"hidpen": "of a second layer", "penbiases": "of a second layer", "W2": "matrices of weights (W, W2)",
		"hid2": "of a second layer", "hid_bias_2": "", "hbias2": "of a second layer", "hidden2.weight": "several matrices",
		"layers.1.weight": "several matrices of weights (W, layers.1.weight)", "rbm.1.W": "several matrices of weights",
		"J": "couplings or fields", "h": "couplings or fields", "L3": "couplings or fields", "U": "couplings or fields",
		"visvis": "couplings or fields", "oh": "offset of a centred RBM", "visible_offsets": "offset of a centred",
		"V": "couplings or fields", "W_mask": "couplings", "energy_offset": "couplings", "states": "", "v": "",
		"beta": "", "visible_type": "describes the kind of units", "visible": "", "hidden": "", "n_hidden": "", "sigmoid": "",
		"vishidinc": "", "train": "", "data": "", "epochs": "", "loss": "", "m_adam": "",
	} {
		data := vector
		if strings.ContainsAny(name, "WJU") || name == "hidpen" || strings.HasSuffix(name, "weight") {
			data = matrix
		}
		f, err := kinds.ReadFile(npz(nil, append(npyMembers(), member{name + ".npy", data})...), nil)
		checkError(t, name, f, err, wantError)
	}
	number := npy("<f8", false, []float64{2}, 1)
	for name, wantError := range map[string]string{"J": "", "U": "", "units": "", "beta": "beta = 2 is a temperature",
		"inverse_temperature": "is a temperature"} {
		f, err := kinds.ReadFile(npz(nil, append(npyMembers(), member{name + ".npy", number})...), nil)
		checkError(t, name+" of one number", f, err, wantError)
	}
	for field, wantError := range map[string]string{
		`"visible_type":"gaussian"`: `visible_type is "gaussian"`, `"visible_type":"binary"`: "",
		`"sigma":[1,1,1]`: "sigma is the scale", `"type":"GBRBM"`: `type is "GBRBM"`, `"type":"rbm"`: "",
		`"units":["binary","gaussian"]`: "gaussian", `"visible_units":784`: "", `"unit_types":{"hidden":"relu"}`: "hidden",
		`"visible":{"n":3,"type":"Bernoulli"}`: "", `"hidden":{"type":"Potts"}`: `hidden.type is "Potts"`,
		`"hidden_unit":"NReLU"`: "NReLU", `"gaussian":true`: "gaussian", `"gaussian":false`: "", `"model":"sklearn"`: "",
		`"model":"Ising-Ising"`: "Ising", `"h":[1,2,3]`: "couplings", `"h":0.3`: "couplings", `"J":[[0,1],[1,0]]`: "J stands",
		`"J":1`: "", `"L3":2`: "L3", `"W2":[[1]]`: "several matrices of weights (W, W2)", `"hidpen":[[1]]`: "second layer",
		`"beta":0.5`: "beta = 0.5", `"beta":1`: "", `"temperature":2`: "temperature", `"note":"not Gaussian"`: "",
		`"T":2`: "T = 2 is a temperature", `"T":1`: "", `"t":7`: "", `"spin":true`: "only binary", `"spin":false`: "",
		`"values":[-1,1]`: "only binary", `"states":[0,1]`: "", `"encoding":"pm1"`: "only binary", `"encoding":"0/1"`: "",
		`"W_scale":0.1`: "couplings", `"n_levels":3`: "only binary", `"activation":"relu"`: `activation is "relu"`,
		`"activation":"sigmoid"`: "", `"architecture":{"visible":"gaussian"}`: `architecture.visible is "gaussian"`,
		`"model_config":{"unit_type":"gaussian"}`: `model_config.unit_type is "gaussian"`,
		`"train_config":{"T":2}`:                  "train_config.T = 2", `"V":[[0,1],[1,0]]`: "V stands for couplings",
	} {
		f, err := kinds.ReadFile([]byte(strings.Replace(goodRBM, `"p1"`, field+`,"p1"`, 1)), nil)
		checkError(t, field, f, err, wantError)
	}
}

// checkError checks that err contains wantError, or that there is no error if wantError is empty.
func checkError(t *testing.T, name string, f models.File, err error, wantError string) {
	t.Helper()
	switch {
	case wantError == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case wantError != "" && (err == nil || f != nil || !strings.Contains(err.Error(), wantError)):
		t.Errorf("%s: error %v, want one that contains %q", name, err, wantError)
	}
}

// TestNoBiases checks that the error for missing biases says to give zeros.
func TestNoBiases(t *testing.T) {
	_, err := kinds.ReadFile(npz(nil, npyMembers()[:1]...), nil)
	checkError(t, "W alone", nil, err, "An RBM without these biases has zeros")
	_, err = kinds.ReadFile([]byte(`{"kind":"rbm","W":[[1,2]]}`), nil)
	checkError(t, "W alone, JSON", nil, err, "without these has zeros")
}

// TestSquareW checks that the orientation of a square W follows from array names that are typical of the program that
// wrote the file. For other names the orientation is a guess: a flag reports it, and transpose = yes reverses it.
func TestSquareW(t *testing.T) {
	square, turned := []float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}
	for _, c := range []struct {
		w, visible, hidden string
		want               []float64
		guessed            bool
	}{
		{"W", "v_bias", "h_bias", turned, false}, {"rbm.W", "rbm.v_bias", "rbm.h_bias", turned, false},
		{"weights", "visible_bias", "hidden_bias", turned, true}, {"am_weights", "am_visible_bias", "am_hidden_bias", turned,
			false}, {"weight", "vb", "hb", turned, false}, {"components_", "intercept_visible_", "intercept_hidden_", turned,
			false}, {"weight_matrix", "vbias", "hbias", square, false}, {"W", "c_visible", "b_hidden", square, false},
		{"W", "a", "b", square, true}, {"vishid", "visbiases", "hidbiases", square, true},
		{"weights", "v_bias", "h_bias", square, true}, {"W", "v_bias", "hb", square, true}, {"w", "c", "b", square, true},
	} {
		f, err := kinds.ReadFile(npz(nil, member{c.w + ".npy", npy("<f8", false, square, 2, 2)},
			member{c.visible + ".npy", npy("<f8", false, []float64{5, 6}, 2)},
			member{c.hidden + ".npy", npy("<f8", false, b2, 2)}), nil)
		if err != nil {
			t.Errorf("%v: %v", c, err)
			continue
		}
		p := f.(Params)
		if !slices.Equal(p.W, c.want) || strings.Contains(p.Summary().Error(), "transpose = yes") != c.guessed {
			t.Errorf("%v: %v, %v", c, p.W, p.Summary())
		}
		for value, want := range map[string][]float64{"no": c.want, "yes": {1, 5 - c.want[1], 5 - c.want[2], 4}} {
			q, err := p.transposed(value, nil)
			if err != nil || !slices.Equal(q.W, want) {
				t.Errorf("%v, transpose = %s: %v, %v", c, value, q.W, err)
			}
			m, err := models.FromFile("own", f, spec.Values{"transpose": value}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Contains(m.Info().Flags, FlagDirectionGuessed); got != (c.guessed && value == "no") {
				t.Errorf("%v, transpose = %s: flags %v", c, value, m.Info().Flags)
			}
		}
	}
	f, _ := kinds.ReadFile([]byte(goodRBM), nil)
	_, err := models.FromFile("own", f, spec.Values{"transpose": "yes"}, nil)
	checkError(t, "3 x 2", nil, err, "this one is 3 x 2")
}
