package lang

import (
	"slices"
	"strings"

	"logzlab/core/problem"
)

// Base is the element type of an array.
type Base uint8

const (
	VoidType Base = iota // result of functions that return no value
	IntType
	RealType
	VectorType
	RowVectorType
	MatrixType
	UnsupportedType // type of an unsupported expression; it is accepted everywhere
	StringType      // a string in print
	TupleType
)

// Type is the type of an expression.
type Type struct {
	Base  Base
	Depth uint8  // number of array dimensions
	parts string // encoded types of the parts of a tuple, see TupleOf
}

var baseNames = [...]string{"void", "int", "real", "vector", "row_vector", "matrix", "any type", "text", "tuple"}

// String returns the type as it is written in Stan.
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

// IsScalar reports whether t is int or real.
func (t Type) IsScalar() bool { return t.Depth == 0 && (t.Base == IntType || t.Base == RealType) }

// IsInt reports whether t is int.
func (t Type) IsInt() bool { return t == Type{Base: IntType} }

// IsUnsupported reports whether t is the type of an unsupported expression.
func (t Type) IsUnsupported() bool { return t.Base == UnsupportedType }

// Promoted returns t with real in place of int.
func (t Type) Promoted() Type {
	if t.Base == IntType {
		t.Base = RealType
	}
	return t
}

// innerRank returns the number of sizes of the vector or matrix inside the arrays.
func (t Type) innerRank() int {
	switch t.Base {
	case VectorType, RowVectorType:
		return 1
	case MatrixType:
		return 2
	}
	return 0
}

// IndexCount returns the largest number of indices of a value of type t.
func (t Type) IndexCount() int { return int(t.Depth) + t.innerRank() }

// Element returns the type of x[i] for x of type t. ok is false for scalars.
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

// Accepts reports whether a value of type other can be used where t is required: types are equal up to the promotion of
// int to real.
func (t Type) Accepts(other Type) bool {
	if t.Base == TupleType && other.Base == TupleType && t.Depth == other.Depth {
		return slices.EqualFunc(t.Parts(), other.Parts(), Type.Accepts)
	}
	return t == other || t.IsUnsupported() || other.IsUnsupported() || t.Base == RealType && t == other.Promoted()
}

// MaxDepth is the largest number of dimensions of an array.
const MaxDepth = 8

// CheckDepth fails at position at if an array has more than MaxDepth dimensions.
func CheckDepth(at, n int) {
	if n > MaxDepth {
		Fail(at, problem.New("arrays may have at most %d dimensions", MaxDepth))
	}
}
