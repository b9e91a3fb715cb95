package lang

// BinaryType returns the result type of a binary operator. ok is false if it does not apply to the types.
func BinaryType(op string, a, b Type) (t Type, ok bool) {
	if a.IsUnsupported() || b.IsUnsupported() {
		return Type{Base: UnsupportedType}, true
	}
	if a.Depth > 0 || b.Depth > 0 || a.Base == StringType || b.Base == StringType || a.Base == VoidType || b.Base == VoidType ||
		a.Base == TupleType || b.Base == TupleType {
		return t, false
	}

	// Operators on numbers, and elementwise operators.
	areScalars := a.IsScalar() && b.IsScalar()
	ints := a.IsInt() && b.IsInt()
	number := Type{Base: RealType}
	if ints {
		number.Base = IntType
	}
	switch op {
	case "%", "%/%":
		return number, ints
	case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
		return Type{Base: IntType}, areScalars
	case "^", ".^":
		if areScalars {
			return Type{Base: RealType}, true
		}
		return commonContainer(a, b)
	case "+", "-", ".*", "./":
		if areScalars {
			return number, true
		}
		return commonContainer(a, b)

	// Products and quotients of matrices.
	case "*":
		if t, ok := matrixProductTypes[[2]Base{a.Base, b.Base}]; ok {
			return Type{Base: t}, true
		}
		if areScalars {
			return number, true
		}
		t, ok := commonContainer(a, b)
		return t, ok && a != b
	case "/":
		if areScalars {
			return number, true
		}
		if b.IsScalar() {
			return a, true
		}
		return a, (a.Base == RowVectorType || a.Base == MatrixType) && b.Base == MatrixType
	case "\\":
		return b, (b.Base == VectorType || b.Base == MatrixType) && a.Base == MatrixType
	}
	return t, false
}

// matrixProductTypes holds the result types of products of vectors and matrices.
var matrixProductTypes = map[[2]Base]Base{{VectorType, RowVectorType}: MatrixType, {RowVectorType, VectorType}: RealType,
	{MatrixType, VectorType}: VectorType, {RowVectorType, MatrixType}: RowVectorType, {MatrixType, MatrixType}: MatrixType}

// commonContainer returns the type of the result if one side is a scalar or both types are equal.
func commonContainer(a, b Type) (Type, bool) {
	switch {
	case a == b:
		return a, true
	case a.IsScalar():
		return b, true
	case b.IsScalar():
		return a, true
	}
	return a, false
}
