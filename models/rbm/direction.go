package rbm

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/meter"
	"logzlab/core/modelfile"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// Which way W stands: the biases say so, but for a square W. Then programs that are known by the names of their arrays
// do; else W is taken as visible x hidden, with FlagDirectionGuessed.

// FlagDirectionGuessed says that nothing told the rows of a square W from its columns.
var FlagDirectionGuessed = diag.NewFlag("direction_guessed",
	"W is square, and its names do not say whether its rows or its columns are the visible units. It was read as "+
		"visible x hidden; transpose = yes turns it.")

// direction is how a program writes W, known by the names of its arrays; an empty name may be any.
type direction struct {
	w, visible, hidden string
	byHidden           bool // a row for each hidden unit
}

var directions = []direction{
	{"components_", "", "", true}, // scikit-learn
	{"weight", "", "", true},      // a layer of PyTorch
	{"am_weights", "", "", true},  // QuCumber
	{"weights", "visible_bias", "hidden_bias", true},
	{"W", "v_bias", "h_bias", true},  // PyTorch
	{"weight_matrix", "", "", false}, // rbms
	{"W", "c_visible", "b_hidden", false},
}

// directionOf reports whether a square W has a row for each hidden unit, and whether its names say so.
func directionOf(w, visible, hidden *modelfile.Array) (byHidden, known bool) {
	fits := func(want string, x *modelfile.Array) bool { return want == "" || want == lastName(x) }
	i := slices.IndexFunc(directions, func(d direction) bool {
		return fits(d.w, w) && fits(d.visible, visible) && fits(d.hidden, hidden)
	})
	if i < 0 {
		return false, false
	}
	return directions[i].byHidden, true
}

// paramTranspose turns a square W.
var paramTranspose = spec.Param{Name: "transpose", Type: "choice", Default: "no", Choices: []string{"no", "yes"},
	Target: true, Help: "Whether a square W in a file of your own is turned round from how it was read " +
		"(flag direction_guessed)."}

// turned is the machine with the value of the parameter transpose.
func (p Params) turned(transpose string, m *meter.Meter) (Params, error) {
	if transpose != "yes" {
		return p, nil
	}
	if p.M != p.J {
		return p, problem.New("transpose = yes turns a square W; this one is %d x %d, and its biases fit it one way only",
			p.M, p.J)
	}
	if err := m.Take(float64(8*len(p.W)), problem.New("a machine of %d x %d units", p.M, p.J),
		problem.New("give a smaller model")); err != nil { // both stay
		return p, err
	}
	var err error
	if p.W, err = modelfile.Transposed(p.W, p.M, p.J, m); err == nil && p.read != nil {
		r := *p.read
		r.transposed, r.guessed = !r.transposed, false
		p.read = &r
	}
	return p, err
}
