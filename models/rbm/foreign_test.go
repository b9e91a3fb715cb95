package rbm

import (
	"strings"
	"testing"

	"logzlab/models"
)

// What makes a machine more than an RBM of binary units is refused by its name, as arrays and as fields; what does not
// is ignored.
func TestForeignParts(t *testing.T) {
	one := npy("<f8", false, []float64{1, 1, 1}, 3)
	two := npy("<f8", false, w32, 3, 2)
	for name, says := range map[string]string{
		"sigma": "scale of Gaussian units", "log_sigma": "scale of Gaussian", "rbm.v_std": "scale of Gaussian",
		"sigma_sq": "scale of Gaussian", "logSigma": "scale of Gaussian", "visible.gamma": "scale of Gaussian",
		"hidpen": "of a second layer", "penbiases": "of a second layer", "W2": "matrices of weights (W, W2)",
		"hid2": "of a second layer", "hid_bias_2": "", "hbias2": "of a second layer", "hidden2.weight": "several matrices",
		"layers.1.weight": "several matrices of weights (W, layers.1.weight)", "rbm.1.W": "several matrices of weights",
		"J": "couplings or fields", "h": "couplings or fields", "L3": "couplings or fields", "U": "couplings or fields",
		"visvis": "couplings or fields", "oh": "offset of a centred machine", "visible_offsets": "offset of a centred",
		"beta": "", "visible_type": "of which kind units are", "visible": "", "hidden": "", "n_hidden": "", "sigmoid": "",
		"vishidinc": "", "train": "", "data": "", "epochs": "", "loss": "", "m_adam": "",
	} {
		data := one
		if strings.ContainsAny(name, "WJU") || name == "hidpen" || strings.HasSuffix(name, "weight") {
			data = two
		}
		f, err := kinds.ReadFile(npz(nil, append(npyMembers(), member{name + ".npy", data})...), nil)
		refused(t, name, f, err, says)
	}
	one = npy("<f8", false, []float64{2}, 1)
	for name, says := range map[string]string{"J": "", "U": "", "units": "", "beta": "beta = 2 is a temperature",
		"inverse_temperature": "is a temperature"} {
		f, err := kinds.ReadFile(npz(nil, append(npyMembers(), member{name + ".npy", one})...), nil)
		refused(t, name+" of one number", f, err, says)
	}
	for field, says := range map[string]string{
		`"visible_type":"gaussian"`: `visible_type is "gaussian"`, `"visible_type":"binary"`: "",
		`"sigma":[1,1,1]`: "sigma is the scale", `"type":"GBRBM"`: `type is "GBRBM"`, `"type":"rbm"`: "",
		`"units":["binary","gaussian"]`: "gaussian", `"visible_units":784`: "", `"unit_types":{"hidden":"relu"}`: "hidden",
		`"visible":{"n":3,"type":"Bernoulli"}`: "", `"hidden":{"type":"Potts"}`: `hidden.type is "Potts"`,
		`"hidden_unit":"NReLU"`: "NReLU", `"gaussian":true`: "gaussian", `"gaussian":false`: "", `"model":"sklearn"`: "",
		`"model":"Ising-Ising"`: "Ising", `"h":[1,2,3]`: "couplings", `"h":0.3`: "couplings", `"J":[[0,1],[1,0]]`: "J stands",
		`"J":1`: "", `"L3":2`: "L3", `"W2":[[1]]`: "several matrices of weights (W, W2)", `"hidpen":[[1]]`: "second layer",
		`"beta":0.5`: "beta = 0.5", `"beta":1`: "", `"temperature":2`: "temperature", `"note":"not Gaussian"`: "",
	} {
		f, err := kinds.ReadFile([]byte(strings.Replace(goodRBM, `"p1"`, field+`,"p1"`, 1)), nil)
		refused(t, field, f, err, says)
	}
}

func refused(t *testing.T, name string, f models.File, err error, says string) {
	t.Helper()
	switch {
	case says == "" && err != nil:
		t.Errorf("%s: %v", name, err)
	case says != "" && (err == nil || f != nil || !strings.Contains(err.Error(), says)):
		t.Errorf("%s: %v, does not say %q", name, err, says)
	}
}

// A machine without biases is told to give zeros.
func TestNoBiases(t *testing.T) {
	_, err := kinds.ReadFile(npz(nil, npyMembers()[:1]...), nil)
	refused(t, "W alone", nil, err, "A machine without these biases has zeros")
	_, err = kinds.ReadFile([]byte(`{"kind":"rbm","W":[[1,2]]}`), nil)
	refused(t, "W alone, JSON", nil, err, "without these has zeros")
}
