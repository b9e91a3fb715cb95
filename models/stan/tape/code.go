package tape

// Code identifies an operation.
type Code uint8

// Elementwise operations. An argument with one element is used for every element of the others.
const (
	Copy Code = iota // x; or values gathered from any slots, see Builder.Gather
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
	Phi    // standard normal distribution function
	LogPhi // its log
	PhiInv
	Floor // derivative 0, also of the next two
	Ceil
	Step // 1 if x >= 0, else 0

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
	GammaP    // regularised lower incomplete gamma function with shape a at x
	GammaQ    // regularised upper incomplete gamma function, 1 - GammaP
	LogBessel // log I_n(x) for a constant integer n and x > 0

	// Three arguments.
	BetaP // regularised incomplete beta function with parameters a, b at x

	// Operations on vectors and matrices stored by rows.
	Sum       // of all elements
	LogSumExp // log of the sum of e^x
	Dot       // sum of products
	MatMul    // A B, with A of size P x Q and B of size Q x R
	Cholesky  // lower Cholesky factor L of a positive definite A of size P x P; only the lower triangle of A is read
	Solve     // L^-1 B, with L lower triangular of size P x P and B of size P x R
	SolveT    // L^-T B

	Select   // elementwise: b if a is not 0, else c
	numCodes // number of codes
)

// arity returns the number of arguments.
func (c Code) arity() int {
	switch {
	case c == Solve || c == SolveT || c == MatMul || c == Dot || c >= Add && c < BetaP:
		return 2
	case c == BetaP || c == Select:
		return 3
	}
	return 1
}

// elementwise reports whether the operation acts element by element.
func (c Code) elementwise() bool { return c < Sum || c == Select }
