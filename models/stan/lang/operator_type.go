package lang

// BinaryType is the type of an operator's value; ok is false where it does not go with its sides.
func BinaryType(op string, a, b Type) (t Type, ok bool) {
	if a.Any() || b.Any() {
		return Type{Base: AnyType}, true
	}
	if a.Depth > 0 || b.Depth > 0 || a.Base == TextType || b.Base == TextType || a.Base == NoType || b.Base == NoType ||
		a.Base == TupleType || b.Base == TupleType {
		return t, false
	}

	// Numbers, or whole numbers, on both sides.
	both := a.Scalar() && b.Scalar()
	ints := a.Whole() && b.Whole()
	number := Type{Base: RealType}
	if ints {
		number.Base = IntType
	}
	switch op {
	case "%", "%/%":
		return number, ints
	case "==", "!=", "<", "<=", ">", ">=", "&&", "||":
		return Type{Base: IntType}, both
	case "^", ".^":
		if both {
			return Type{Base: RealType}, true
		}
		return wider(a, b)
	case "+", "-", ".*", "./":
		if both {
			return number, true
		}
		return wider(a, b)

	// Products and quotients of matrices.
	case "*":
		if t, ok := products[[2]Base{a.Base, b.Base}]; ok {
			return Type{Base: t}, true
		}
		if both {
			return number, true
		}
		t, ok := wider(a, b)
		return t, ok && a != b
	case "/":
		if both {
			return number, true
		}
		if b.Scalar() {
			return a, true
		}
		return a, (a.Base == RowType || a.Base == MatrixType) && b.Base == MatrixType
	case "\\":
		return b, (b.Base == VectorType || b.Base == MatrixType) && a.Base == MatrixType
	}
	return t, false
}

// products are those of vectors and matrices.
var products = map[[2]Base]Base{{VectorType, RowType}: MatrixType, {RowType, VectorType}: RealType,
	{MatrixType, VectorType}: VectorType, {RowType, MatrixType}: RowType, {MatrixType, MatrixType}: MatrixType}

// wider is the container of two, where the other is a number or has the same type.
func wider(a, b Type) (Type, bool) {
	switch {
	case a == b:
		return a, true
	case a.Scalar():
		return b, true
	case b.Scalar():
		return a, true
	}
	return a, false
}
