package rbm

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
	"logzlab/models"
)

// arrayPart is a part of an RBM and its names in files: this lab's name, then the names of other programs, of which a
// file may have one. Single letters are tried last, because they may mean something else in a file that has longer
// names. A prefix before a point, as in rbm.W, is ignored.
type arrayPart struct {
	label string
	names [][]string
}

var arrayParts = []arrayPart{
	{"weights", [][]string{{"W", "weights", "weight", "components_", "vishid", "weight_matrix", "am_weights"}, {"w"}}},
	{"visible biases", [][]string{{"c_visible", "intercept_visible_", "visbiases", "vbias", "v_bias",
		"am_visible_bias", "vb", "bv", "b_v", "bvis", "visible_bias", "visible_biases"}, {"a", "c"}}},
	{"hidden biases", [][]string{{"b_hidden", "intercept_hidden_", "hidbiases", "hidrecbiases", "hbias", "h_bias",
		"am_hidden_bias", "hb", "bh", "b_h", "bhid", "hidden_bias", "hidden_biases"}, {"b"}}},
}

// renameHint returns an error if a JSON file has parts under the names of other programs, or biases under two names;
// otherwise nil.
func renameHint(o json.Object) error {
	var pairs []string
	for i, part := range arrayParts {
		own := part.names[0][0]
		for _, other := range part.names[0][1:] {
			switch {
			case o[other].IsNull():
			case o[own].IsNull():
				pairs = append(pairs, other+" = "+own)
			case i > 0: // "weights" may be weights of rows
				return problem.New("model file: the %s are given twice (%s and %s); leave one out", part.label, own, other)
			}
		}
	}
	if pairs == nil {
		return nil
	}
	return problem.New("rbm file: in JSON, other names are used: %s; rename them, and if a row of the weights belongs to "+
		"a hidden unit, as in PyTorch and scikit-learn, give their transpose, W.T", strings.Join(pairs, ", "))
}

// lastName returns the name of an array without the prefix before a point.
func lastName(x *modelfile.Array) string { return x.Name[strings.LastIndexByte(x.Name, '.')+1:] }

// readRBMArrays reads weights and biases under the names of arrayParts, and optionally p1, order and provenance.json.
// The lengths of the biases determine the orientation of W.
func readRBMArrays(a *modelfile.Arrays) (models.File, error) {
	if err := rejectForeignArrays(a); err != nil {
		return nil, err
	}
	var found [3]*modelfile.Array
	for i, part := range arrayParts {
		x, err := a.Array(part.label, part.names...)
		if err != nil {
			return nil, err
		}
		if x == nil && i > 0 {
			return nil, problem.New("%w. An RBM without these biases has zeros: add them, as many as it has units",
				missingError(part, a.Names()))
		}
		if x == nil {
			return nil, missingError(part, a.Names())
		}
		if found[i] = x; i > 0 && len(x.Data) > 0 && len(x.Data) != slices.Max(append(x.Shape, 1)) {
			return nil, problem.New("rbm file: %s is no list: it has the shape %v", x.Name, x.Shape)
		}
	}

	// The lengths of the biases determine the orientation of W; if both layers have the same size, the names of the
	// arrays do.
	w, visible, hidden := found[0], found[1], found[2]
	if len(w.Shape) != 2 {
		return nil, problem.New("rbm file: %s has %d dimensions; weights must be a matrix", w.Name, len(w.Shape))
	}
	r := Params{M: w.Shape[0], J: w.Shape[1], W: w.Data}
	fits := func(rows, columns int) bool { return len(visible.Data) == rows && len(hidden.Data) == columns }
	fitsAsGiven, fitsTransposed := fits(r.M, r.J), fits(r.J, r.M)
	transpose, guessed := fitsTransposed, false
	if fitsTransposed && fitsAsGiven {
		var determined bool
		transpose, determined = directionOf(w, visible, hidden)
		guessed = !determined && r.M > 1
	} else if transpose && lastName(visible) == "c" && lastName(hidden) == "b" { // some write b for visible biases
		visible, hidden, transpose = hidden, visible, false
	}
	r.C, r.B, r.read = visible.Data, hidden.Data, &reading{w.Name, visible.Name, hidden.Name, transpose, guessed}
	if transpose {
		var err error
		if r.W, err = modelfile.Transposed(r.W, r.M, r.J, a.Meter); err != nil {
			return nil, err
		}
		r.M, r.J = r.J, r.M
	}

	// Optional arrays.
	p1, err := a.Array("base rates", []string{"p1"})
	if err != nil {
		return nil, err
	}
	if p1 != nil {
		r.P1 = p1.Data
	}
	if r.Means, r.Rows, err = readMeans(a); err != nil {
		return nil, err
	}
	order, err := a.Array("orders", []string{"order"})
	if err != nil {
		return nil, err
	}
	if order != nil {
		r.VarianceOrder = asOrder(order.Data, r.M)
	}
	if r.Provenance, err = a.Bytes("provenance.json"); err != nil {
		return nil, err
	}
	r.unread = a.Unread()
	return r.checked()
}

// readMeans reads the means of the training data and their number of rows, which this lab writes.
func readMeans(a *modelfile.Arrays) ([]float64, int, error) {
	means, err := a.Array("means of the data", []string{"data_means"})
	if err != nil || means == nil {
		return nil, 0, err
	}
	rows, err := a.Array("number of rows of the data", []string{"data_rows"})
	if err != nil || rows == nil {
		return means.Data, 0, err
	}
	if len(rows.Data) != 1 || !(rows.Data[0] >= 1 && rows.Data[0] <= 1e9) {
		return nil, 0, problem.New("rbm file: data_rows must be one number, of the rows of the training data")
	}
	return means.Data, int(rows.Data[0]), nil
}

// missingError returns the error for a missing array, with the names looked for and the names found.
func missingError(part arrayPart, present []string) error {
	const maxNames = 20
	list := strings.Join(present[:min(len(present), maxNames)], ", ")
	if len(present) > maxNames {
		list += " ..."
	}
	if list == "" {
		list = "-"
	}
	return problem.New("rbm file: there is no array for the %s: it must be called %s; the file has %s", part.label,
		strings.Join(slices.Concat(part.names...), ", "), list)
}

// asOrder converts x to a permutation of 0..n-1; nil if x is not a permutation.
func asOrder(x []float64, n int) []int32 {
	if len(x) != n {
		return nil
	}
	out, seen := make([]int32, n), make([]bool, n)
	for i, x := range x {
		if !(x >= 0 && x < float64(n)) || x != math.Floor(x) || seen[int(x)] {
			return nil
		}
		out[i], seen[int(x)] = int32(x), true
	}
	return out
}

// reading describes how a user's file was read: the names of the arrays, and whether W was transposed.
type reading struct {
	w, visible, hidden string
	transposed         bool
	guessed            bool // the orientation of W was guessed
}

// Summary describes the file as it was read: sizes, array names, and ranges and means that reveal swapped biases or a
// transposed W. Its result is a translatable text, not a failure.
func (p Params) Summary() error {
	r := p.read
	if r == nil {
		r = &reading{w: "W", visible: "c_visible", hidden: "b_hidden"}
	}
	weights, base := problem.New("weights %s", r.w), problem.New("no base rates (p1)")
	if r.transposed {
		weights = problem.New("weights %s, transposed,", r.w)
	}
	if r.guessed {
		weights = problem.New("%w (a guess; transpose = yes turns them)", weights)
	}
	if p.P1 != nil {
		base = problem.New("base rates p1, mean %.3g", mean(p.P1))
	}
	if p.dataRows != nil {
		rows := problem.New("%d data rows, mean %.3g", len(p.dataRows.bits), mean(p.dataRows.mean))
		base = models.JoinPhrases(base, rows, p.dataRows.note)
	}
	return models.JoinPhrases(problem.New("%d visible and %d hidden units; %w from %.3g to %.3g; visible biases %s, mean "+
		"%.3g; hidden biases %s, mean %.3g; %w", p.M, p.J, weights, slices.Min(p.W), slices.Max(p.W), r.visible, mean(p.C),
		r.hidden, mean(p.B), base), p.unread)
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
