package stan

import "strings"

// base is what an array is made of.
type base uint8

const (
	noType base = iota // of functions without a value
	intType
	realType
	vectorType
	rowType
	matrixType
	anyType  // of what is not offered here
	textType // of a literal in print
)

// typ is the type of an expression.
type typ struct {
	base  base
	depth uint8 // of arrays
}

var baseNames = [...]string{"void", "int", "real", "vector", "row_vector", "matrix", "any type", "text"}

func (t typ) String() string {
	if t.depth == 0 {
		return baseNames[t.base]
	}
	return "array[" + strings.Repeat(",", int(t.depth)-1) + "] " + baseNames[t.base]
}

// scalar reports whether it is a number.
func (t typ) scalar() bool { return t.depth == 0 && (t.base == intType || t.base == realType) }

// whole reports whether it is one whole number.
func (t typ) whole() bool { return t == typ{base: intType} }

// any reports whether nothing is known of it.
func (t typ) any() bool { return t.base == anyType }

// real is the type with real numbers in place of whole ones.
func (t typ) real() typ {
	if t.base == intType {
		t.base = realType
	}
	return t
}

// inner is the number of sizes below the arrays.
func (t typ) inner() int {
	switch t.base {
	case vectorType, rowType:
		return 1
	case matrixType:
		return 2
	}
	return 0
}

// ranks is the number of sizes.
func (t typ) ranks() int { return int(t.depth) + t.inner() }

// element is the type of an element, ok is false for numbers.
func (t typ) element() (typ, bool) {
	switch {
	case t.any():
		return t, true
	case t.depth > 0:
		t.depth--
		return t, true
	case t.base == vectorType || t.base == rowType:
		return typ{base: realType}, true
	case t.base == matrixType:
		return typ{base: rowType}, true
	}
	return t, false
}

// takes reports whether a value of another type may stand where this one is wanted.
func (t typ) takes(other typ) bool {
	return t == other || t.any() || other.any() || t.base == realType && t == other.real()
}

// shape is a declared type.
type shape uint8

const (
	plainShape shape = iota
	simplexShape
	unitShape
	orderedShape
	positiveShape
	corrShape
	covShape
	corrFactorShape
	covFactorShape
	sumToZeroShape
	rowSimplexShape    // each row of a matrix is a simplex
	columnSimplexShape // each column
)

// declared are the words that begin a declaration.
var declared = map[string]struct {
	base  base
	shape shape
	sizes int // at most
}{
	"int": {intType, plainShape, 0}, "real": {realType, plainShape, 0}, "vector": {vectorType, plainShape, 1},
	"row_vector": {rowType, plainShape, 1}, "matrix": {matrixType, plainShape, 2},
	"simplex": {vectorType, simplexShape, 1}, "unit_vector": {vectorType, unitShape, 1},
	"ordered": {vectorType, orderedShape, 1}, "positive_ordered": {vectorType, positiveShape, 1},
	"corr_matrix": {matrixType, corrShape, 1}, "cov_matrix": {matrixType, covShape, 1},
	"cholesky_factor_corr": {matrixType, corrFactorShape, 1}, "cholesky_factor_cov": {matrixType, covFactorShape, 2},
	"sum_to_zero_vector": {vectorType, sumToZeroShape, 1}, "row_stochastic_matrix": {matrixType, rowSimplexShape, 2},
	"column_stochastic_matrix": {matrixType, columnSimplexShape, 2},
}

// notOffered are types of Stan that are refused by name.
var notOffered = map[string]bool{"complex": true, "complex_vector": true, "complex_row_vector": true,
	"complex_matrix": true, "tuple": true, "sum_to_zero_matrix": true}

// keywords cannot be names of variables.
var keywords = map[string]bool{"for": true, "in": true, "while": true, "if": true, "else": true, "return": true,
	"break": true, "continue": true, "target": true, "true": true, "false": true, "functions": true, "data": true,
	"parameters": true, "model": true, "generated": true, "quantities": true, "transformed": true, "void": true,
	"array": true, "lower": false, "upper": false, "offset": false, "multiplier": false, "print": true, "reject": true,
	"profile": true}
