package rbm

import (
	"slices"

	"logzlab/core/diag"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/problem"
	"logzlab/core/spec"
)

// The orientation of W follows from the lengths of the biases unless W is square. For a square W the array names
// identify the program that wrote the file; otherwise W is taken as visible x hidden. FlagDirectionGuessed is set in
// this case, and if two programs use the same names.

// FlagDirectionGuessed reports that the orientation of a square W was guessed.
var FlagDirectionGuessed = diag.NewFlag("direction_guessed",
	"W is square, and the names of the arrays do not show whether its rows or its columns are the visible units; "+
		"transpose = yes transposes it.")

// direction is the orientation of W in the files of a program, which is identified by its array names; an empty name
// matches any.
type direction struct {
	w, visible, hidden string
	hiddenRows         bool // rows of W are hidden units
	ambiguous          bool // another program uses the same names for the other orientation
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

// directionOf reports whether a square W has a row for each hidden unit, and whether its names determine that.
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

// paramTranspose is the parameter that transposes a square W.
var paramTranspose = spec.Param{Name: "transpose", Type: "choice", Default: "no", Choices: []string{"no", "yes"},
	Target: true, Help: "Whether to transpose a square W in a file of your own (flag direction_guessed)."}

// paramPath is a parameter with a single choice. It is kept because existing links to users' files contain it.
var paramPath = spec.Param{Name: "path", Type: "choice", Default: "geometric", Choices: []string{"geometric"},
	For: spec.Moves, Help: "The path between base and target: their weighted geometric mean."}

// transposed applies the parameter transpose.
func (p Params) transposed(transpose string, m *meter.Meter) (Params, error) {
	if transpose != "yes" {
		return p, nil
	}
	if p.M != p.J {
		return p, problem.New("transpose = yes turns a square W; this one is %d x %d, and its biases fit it one way only",
			p.M, p.J)
	}
	if err := m.Take(float64(8*len(p.W)), problem.New("an RBM of %d x %d units", p.M, p.J),
		problem.New("give a smaller model")); err != nil { // both copies are kept
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
