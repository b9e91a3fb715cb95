package lang

import (
	"slices"
	"strings"

	"logzlab/core/problem"
)

// Base is what an array is made of.
type Base uint8

const (
	VoidType Base = iota // of functions without a value
	IntType
	RealType
	VectorType
	RowVectorType
	MatrixType
	UnsupportedType // of what is not offered here
	StringType      // of a literal in print
	TupleType
)

// Type is the type of an expression.
type Type struct {
	Base  Base
	Depth uint8  // of arrays
	parts string // types of a tuple, see TupleOf
}

var baseNames = [...]string{"void", "int", "real", "vector", "row_vector", "matrix", "any type", "text", "tuple"}

func (t Type) String() string {
	name := baseNames[t.Base]
	if t.Base == TupleType {
		name += "(" + FormatTypes(t.Parts()) + ")"
	}
	if t.Depth == 0 {
		return name
	}
	return "array[" + strings.Repeat(",", int(t.Depth)-1) + "] " + name
}

// Scalar reports whether it is a number.
func (t Type) IsScalar() bool { return t.Depth == 0 && (t.Base == IntType || t.Base == RealType) }

// Whole reports whether it is one whole number.
func (t Type) IsInt() bool { return t == Type{Base: IntType} }

// Any reports whether nothing is known of it.
func (t Type) IsUnsupported() bool { return t.Base == UnsupportedType }

// Real is the type with real numbers in place of whole ones.
func (t Type) Promoted() Type {
	if t.Base == IntType {
		t.Base = RealType
	}
	return t
}

// inner is the number of sizes of a vector or matrix, below the arrays.
func (t Type) innerRank() int {
	switch t.Base {
	case VectorType, RowVectorType:
		return 1
	case MatrixType:
		return 2
	}
	return 0
}

// Ranks is the number of indices.
func (t Type) IndexCount() int { return int(t.Depth) + t.innerRank() }

// Element is the type of an element, ok is false for numbers.
func (t Type) Element() (Type, bool) {
	switch {
	case t.IsUnsupported():
		return t, true
	case t.Depth > 0:
		t.Depth--
		return t, true
	case t.Base == VectorType || t.Base == RowVectorType:
		return Type{Base: RealType}, true
	case t.Base == MatrixType:
		return Type{Base: RowVectorType}, true
	}
	return t, false
}

// Takes reports whether a value of another type may stand where this one is wanted.
func (t Type) Accepts(other Type) bool {
	if t.Base == TupleType && other.Base == TupleType && t.Depth == other.Depth {
		return slices.EqualFunc(t.Parts(), other.Parts(), Type.Accepts)
	}
	return t == other || t.IsUnsupported() || other.IsUnsupported() || t.Base == RealType && t == other.Promoted()
}

// MaxDepth is the most dimensions of an array.
const MaxDepth = 8

// CheckDepth refuses arrays of too many dimensions, at a byte of the program.
func CheckDepth(at, n int) {
	if n > MaxDepth {
		Fail(at, problem.New("arrays may have at most %d dimensions", MaxDepth))
	}
}
