package tape

// Code is what an operation computes.
type Code uint8

// Operations by element. Arguments of one element go with each element of the others.
const (
	Copy Code = iota // x; of a list of elements from anywhere: see Builder.Gather
	// One argument.
	Neg
	Abs
	Square
	Sqrt
	Cbrt
	Inv // 1/x
	Exp
	Expm1
	Log
	Log1p
	Log1m    // log(1 - x)
	Log1mExp // log(1 - e^x), x < 0
	Softplus // log(1 + e^x)
	Sigmoid  // 1/(1 + e^-x)
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	LogGamma
	Digamma
	Trigamma
	Erf
	Erfc
	Phi    // of a normal variable: P(X < x)
	LogPhi // its log
	PhiInv
	Floor // of no slope, as the next two
	Ceil
	Step // 1 where x >= 0, else 0

	// Two arguments.
	Add
	Sub
	Mul
	Div
	Pow
	Min
	Max
	Atan2
	LogAddExp // log(e^x + e^y)
	LogSubExp // log(e^x - e^y), x > y
	GammaP    // regularised lower incomplete gamma function of shape a at x
	GammaQ    // the upper one, 1 - GammaP
	LogBessel // log I_n(x) of a whole constant n at x > 0

	// Three arguments.
	BetaP // regularised incomplete beta function of a, b at x

	// Operations on vectors and matrices, by rows.
	Sum       // of all elements
	LogSumExp // log of the sum of e^x
	Dot       // sum of products
	MatMul    // A B, of P x Q and Q x R
	Cholesky  // the lower factor L of a positive definite A, of P x P, of which the lower triangle is read
	Solve     // L^-1 B, L lower of P x P, B of P x R
	SolveT    // L^-T B

	Select   // of a, b and c, by element: b where a is not 0, else c
	numCodes // their number
)

// arity is the number of arguments by code.
func (c Code) arity() int {
	switch {
	case c == Solve || c == SolveT || c == MatMul || c == Dot || c >= Add && c < BetaP:
		return 2
	case c == BetaP || c == Select:
		return 3
	}
	return 1
}

// byElement reports whether the operation is done element by element.
func (c Code) elementwise() bool { return c < Sum || c == Select }
