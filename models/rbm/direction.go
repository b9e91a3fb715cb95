package rbm

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// Which way W stands: the biases say so, but for a square W. Then programs that are known by the names of their arrays
// do; else W is taken as visible x hidden. FlagDirectionGuessed says that, and where two programs have the same names.

// FlagDirectionGuessed says that nothing told the rows of a square W from its columns.
var FlagDirectionGuessed = diag.NewFlag("direction_guessed",
	"W is square, and its names do not say whether its rows or its columns are the visible units; transpose = yes turns "+
		"it.")

// direction is how a program writes W, known by the names of its arrays; an empty name may be any.
type direction struct {
	w, visible, hidden string
	hiddenRows         bool // a row for each hidden unit
	ambiguous          bool // by another program, which has the rows for visible units
}

var directions = []direction{
	{"components_", "", "", true, false},                   // scikit-learn
	{"weight", "", "", true, false},                        // a layer of PyTorch
	{"am_weights", "", "", true, false},                    // QuCumber
	{"weights", "visible_bias", "hidden_bias", true, true}, // QuCumber; pytorch-rbm of G. Bianconi the other way
	{"W", "v_bias", "h_bias", true, false},                 // PyTorch
	{"weight_matrix", "", "", false, false},                // rbms
	{"W", "c_visible", "b_hidden", false, false},
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
	return directions[i].hiddenRows, !directions[i].ambiguous
}

// paramTranspose turns a square W.
var paramTranspose = spec.Param{Name: "transpose", Type: "choice", Default: "no", Choices: []string{"no", "yes"},
	Target: true, Help: "Whether a square W in a file of your own is turned round from how it was read " +
		"(flag direction_guessed)."}

// paramPath has the one path that there is. Links about files of one's own name every parameter, and older ones name it.
var paramPath = spec.Param{Name: "path", Type: "choice", Default: "geometric", Choices: []string{"geometric"},
	For: spec.Moves, Help: "The path between base and target: their weighted geometric mean."}

// turned is the machine with the value of the parameter transpose.
func (p Params) transposed(transpose string, m *meter.Meter) (Params, error) {
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
