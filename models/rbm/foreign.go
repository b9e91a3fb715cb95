package rbm

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/problem"
)

// Files of other programs may describe models with more parts than the weights and biases of binary units, for example
// Gaussian units or a second layer. Such parts change log Z, so a file that contains one of their names is refused,
// whatever its values. Arrays without influence on the model, such as training data or momenta, are ignored.

// namedValue is an array or a field of a file.
type namedValue struct {
	name string
	// read returns the number of values, the first value, and the text if the value is a text.
	read func() (count int, first float64, text string)
}

// rejectForeignArrays returns an error if a file of arrays contains more than an RBM.
func rejectForeignArrays(a *modelfile.Arrays) error {
	if err := rejectSeveralWeights(a.Names()); err != nil {
		return err
	}
	for i, name := range a.Names() {
		if err := checkName(namedValue{name, func() (int, float64, string) {
			count, first := a.Peek(i)
			return count, first, ""
		}}); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.Notes)) {
		if err := checkName(namedValue{name, func() (int, float64, string) { return 0, 0, a.Notes[name] }}); err != nil {
			return err
		}
	}
	return nil
}

// rejectForeignFields returns an error if a JSON object contains more than an RBM. The object's field names have the
// prefix prefix, for example "config."; objects that describe the kind of units or settings are searched as well.
func rejectForeignFields(o json.Object, prefix string) error {
	f := &modelfile.Fields{Object: o, Prefix: prefix}
	if f.RejectUnsupported("rbm", refusedFields); f.Err != nil {
		return f.Err
	}
	names := slices.Sorted(maps.Keys(o))
	lists := slices.DeleteFunc(slices.Clone(names), func(name string) bool { n, _ := o[name].Count(); return n == 0 })
	if err := rejectSeveralWeights(lists); err != nil {
		return err
	}
	for _, name := range names {
		v := o[name]
		if v.IsNull() {
			continue
		}
		describesUnits := isType(plainName(name)) || setting.Matches(name)
		if inner, err := v.Object(); err == nil && describesUnits && strings.Count(prefix, ".") < 4 {
			if err := rejectForeignFields(inner, prefix+name+"."); err != nil {
				return err
			}
			continue
		}
		if err := checkName(namedValue{prefix + name, func() (int, float64, string) { return valueOf(v) }}); err != nil {
			return err
		}
	}
	return nil
}

// valueOf implements namedValue.read for a JSON value. The text of a list of fewer than 1000 texts is its distinct
// texts, joined by commas.
func valueOf(v json.Value) (count int, first float64, text string) {
	if x, err := v.Number(); err == nil {
		return 1, x, ""
	}
	if x, err := v.Bool(); err == nil {
		if x {
			first = 1
		}
		return 1, first, ""
	}
	if text, err := v.Text(); err == nil {
		return 0, 0, text
	}
	count, _ = v.Count()
	if count < 1000 {
		list, _ := v.List()
		var all []string
		for _, x := range list {
			if s, err := x.Text(); err == nil && !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
		text = strings.Join(all, ", ")
	}
	return count, 0, text
}

// rejectSeveralWeights returns an error if there are two matrices of weights.
func rejectSeveralWeights(names []string) error {
	var matrices []string
	for _, name := range names {
		last := name[strings.LastIndexByte(name, '.')+1:]
		bare := strings.TrimRight(last, "0123456789")
		for _, list := range arrayParts[0].names[:1] {
			if slices.Contains(list, last) || slices.Contains(list, strings.TrimSuffix(bare, "_")) && bare != last {
				matrices = append(matrices, name)
			}
		}
	}
	if len(matrices) < 2 {
		return nil
	}
	return problem.New("rbm file: it has several matrices of weights (%s); deep models are not read, so save one layer "+
		"alone, as W, c_visible and b_hidden, if its own log Z is wanted", strings.Join(matrices, ", "))
}

// checkName returns an error if x extends the model beyond an RBM of binary units.
func checkName(x namedValue) error {
	n := plainName(x.name)
	switch {
	case isScale(x.name, n):
		return problem.New("rbm file: %s is the scale of Gaussian units; only binary units (0 or 1) can be read, and a "+
			"scale of 1 does not make them binary. Train binary units, or leave %s out if the model does not use it",
			x.name, x.name)
	case isType(n), strings.Contains(n, "gaussian"):
		return checkUnitType(x)
	case isSecondLayer(n):
		return problem.New("rbm file: %s is of a second layer; deep models are not read, so save one layer alone, as W, "+
			"c_visible and b_hidden, if its own log Z is wanted", x.name)
	case slices.Contains(offsets, n):
		return problem.New("rbm file: %s is an offset of a centred RBM; take the offsets into the biases, c_visible = "+
			"bv - W oh and b_hidden = bh - W' ov, and leave them out. log Z was less by ov.bv + oh.bh - ov'W oh", x.name)
	case slices.Contains(couplings, n) || (slices.Contains(sizeNames, n) || bare(x.name) == "V") && hasSeveral(x):
		return problem.New("rbm file: %s stands for couplings or fields that an RBM does not have, as those within a layer, "+
			"of spins, of labels or of the past; only W and a bias for each unit are read. Leave %s out if it is something "+
			"else", x.name, x.name)
	case slices.Contains(temperatures, n) || bare(x.name) == "T":
		if count, beta, _ := x.read(); count == 1 && beta != 1 {
			return problem.New("rbm file: %s = %v is a temperature; multiply W and both biases by the inverse temperature, and "+
				"leave %s out", x.name, beta, x.name)
		}
	}
	return nil
}

// hasSeveral reports whether x has more than one value.
func hasSeveral(x namedValue) bool {
	count, _, _ := x.read()
	return count > 1
}

// bare returns the last part of a dotted name; plainName also normalises that part (modelfile.PlainName).
func bare(name string) string      { return name[strings.LastIndexByte(name, '.')+1:] }
func plainName(name string) string { return modelfile.PlainName(bare(name)) }

// refusedFields are refused in JSON only; arrays of these names may be samples.
var (
	refusedFields = []modelfile.Unsupported{
		{Names: []string{"spin", "spins", "values", "states", "statespace", "encoding", "support", "domain", "alphabet"},
			Harmless: []any{0., 1., false, "binary", "bernoulli", "01", "0/1", "bool"}, Help: onlyBinary},
		{Names: []string{"levels", "nlevels", "nstates", "numstates"}, Harmless: []any{2.}, Help: onlyBinary},
	}
	setting = modelfile.Unsupported{Names: []string{"*config", "params", "*parameters", "*hyperparameters", "hparams",
		"*settings", "*options", "layers", "architecture", "arch"}}
	onlyBinary = problem.New("only binary units (0 or 1) can be read")
)

// Normalised names. Names in sizeNames are refused only for lists: a single number may count units.
var (
	scales = []string{"std", "stds", "stdev", "stddev", "sd", "sds", "var", "vars", "variance", "variances", "logvar",
		"precision", "precisions", "gamma", "fstd", "scale", "scales"}
	offsets = []string{"ov", "oh", "offset", "offsets", "offsetv", "offseth", "voffset", "hoffset", "visibleoffset",
		"visibleoffsets", "hiddenoffset", "hiddenoffsets"}
	layerWords = []string{"v", "vis", "visible", "h", "hid", "hidden", "log", "inv", "x", "unit", "units", "layer",
		"noise"}
	couplings = []string{"h", "l3", "jij", "coupling", "couplings", "couplingmatrix", "interactions", "field", "fields",
		"externalfield", "visvis", "hidhid", "wvv", "whh", "lateral", "lateralweights", "wuh", "wuv", "wuu", "weightsu",
		"auxbias", "wmask", "weightmask", "wscale",
		"weightscale", "energyoffset", "logoffset", "labhid", "labbiases", "hidlab", "wclass"}
	sizeNames        = []string{"j", "u", "l"}
	temperatures     = []string{"temperature", "temp", "inversetemperature", "invtemp", "beta"}
	secondLayerNames = []string{"hidpen", "penbias", "penrec", "pengen", "pentop", "hidtop", "topbias", "toprec", "hidgenbias",
		"labpen", "labtop"}
	layerNames = []string{"w", "weights", "weight", "vishid", "hidden", "hid", "h", "layer", "rbm", "hiddenbias",
		"hiddenbiases", "hbias", "hidbiases", "hb", "bh", "bhid", "bhidden"}
)

// isScale reports whether a name denotes the width of Gaussian units: it contains sigma, or a word of scales and
// otherwise only words of layerWords. plain is the normalised name.
func isScale(name, plain string) bool {
	if strings.Contains(plain, "sigma") || strings.Contains(plain, "σ") {
		return !strings.Contains(plain, "sigmoid")
	}
	words := strings.FieldsFunc(strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]), func(r rune) bool {
		return strings.ContainsRune("_- ", r)
	})
	found := false
	for _, word := range words {
		scale := slices.Contains(scales, strings.TrimRight(word, "23"))
		if found = found || scale; !scale && !slices.Contains(layerWords, word) {
			return false
		}
	}
	return found
}

// isSecondLayer reports whether a normalised name belongs to a second layer.
func isSecondLayer(n string) bool {
	if slices.ContainsFunc(secondLayerNames, func(part string) bool { return strings.Contains(n, part) }) {
		return true
	}
	for _, layer := range layerNames {
		rest, ok := strings.CutPrefix(n, layer)
		after := strings.TrimLeft(rest, "0123456789")
		k, err := strconv.Atoi(rest[:len(rest)-len(after)])
		if ok && err == nil && 2 <= k && k <= 99 && (after == "" || strings.Contains(after, "bias") ||
			strings.Contains(after, "weight") || after == "w" || after == "b") {
			return true
		}
	}
	return false
}

// Words for kinds of units. Names in ambiguousTypeNames may also describe a program or data, so their values are
// refused only if they name other units.
var (
	typeWords = []string{"type", "types", "unit", "units", "unittype", "unittypes", "layer", "layertype", "kind", "dist",
		"distribution", "activation", "family", "nonlinearity", ""}
	ambiguousTypeNames = []string{"type", "modeltype", "rbmtype", "model", "rbm", "variant", "layertype", "family", "machine",
		"architecture", "arch", "activation", "activations", "activationfunction", "nonlinearity"}
	binaryWords    = []string{"binary", "bernoulli", "bin", "bern", "sigmoid", "logistic", "rbm", "bbrbm"}
	nonBinaryWords = []string{"gauss", "grbm", "gbrbm", "bgrbm", "normal", "linear", "real", "continuous", "relu", "softplus",
		"softmax", "potts", "categorical", "multinomial", "poisson", "count", "exponential", "spin", "ising", "iirbm", "tanh",
		"bipolar", "truncated", "deep", "dbm", "dbn", "conditional", "centered", "centred", "replicated"}
)

// isType reports whether a normalised name describes the kind of units.
func isType(n string) bool {
	if slices.Contains(ambiguousTypeNames, n) || n == "unit" || n == "units" || n == "unittype" || n == "unittypes" {
		return true
	}
	for _, layer := range []string{"visible", "vis", "hidden", "hid", "v", "h"} {
		if rest, ok := strings.CutPrefix(n, layer); ok && slices.Contains(typeWords, rest) && len(n) > 1 {
			return true
		}
	}
	return false
}

// checkUnitType returns an error if x states that units are not binary. Numbers under names of layers are sizes or
// samples.
func checkUnitType(x namedValue) error {
	count, first, text := x.read()
	n := plainName(x.name)
	if text == "" {
		if count == 1 && first == 0 && strings.Contains(n, "gaussian") {
			return nil
		}
		if count > 0 && !strings.Contains(n, "gaussian") && !strings.Contains(n, "type") && !strings.Contains(n, "dist") {
			return nil
		}
		if count == 0 && slices.Contains(ambiguousTypeNames, n) && n != "rbmtype" && n != "modeltype" && n != "type" {
			return nil
		}
		return problem.New("rbm file: %s describes the kind of units in a form that cannot be read; only binary "+
			"units (0 or 1) are supported: leave %s out if both layers are binary", x.name, x.name)
	}
	lower := strings.ToLower(text)
	words := strings.FieldsFunc(lower, func(r rune) bool { return strings.ContainsRune(" ,;-_/", r) })
	hasNonBinaryWord := slices.ContainsFunc(nonBinaryWords, func(word string) bool { return strings.Contains(lower, word) })
	hasOnlyBinaryWords := !slices.ContainsFunc(words, func(word string) bool { return !slices.Contains(binaryWords, word) })
	if hasOnlyBinaryWords || !hasNonBinaryWord && slices.Contains(ambiguousTypeNames, n) {
		return nil
	}
	return problem.New("rbm file: %s is %q; only binary units (0 or 1) can be read, in both layers. Train binary units, "+
		"or leave %s out if the model does not use it", x.name, text, x.name)
}
