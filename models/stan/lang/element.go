package lang

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// Scalars is a list of numbers of a tape.
type Scalars = []tape.Scalar

// opFunction returns an elementwise function that is one operation of the tape.
func opFunction(names string, c tape.Code) Builtin {
	return Builtin{names: names, Signatures: "E:E", Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		return b.Map(c, x[0])
	}}
}

// unaryFunction returns an elementwise function of one argument.
func unaryFunction(names string, f func(b *tape.Builder, x Scalars) Scalars) Builtin {
	return Builtin{names: names, Signatures: "E:E", Elementwise: func(b *tape.Builder, x ...Scalars) Scalars { return f(b, x[0]) }}
}

// binaryFunction returns an elementwise function of two arguments.
func binaryFunction(names string, f func(b *tape.Builder, x, y Scalars) Scalars) Builtin {
	return Builtin{names: names, Signatures: "EE:E", Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		return f(b, x[0], x[1])
	}}
}

// binaryOpFunction returns an elementwise function of two arguments that is one operation of the tape.
func binaryOpFunction(names string, c tape.Code) Builtin {
	return binaryFunction(names, func(b *tape.Builder, x, y Scalars) Scalars { return b.Map(c, x, y) })
}

// Constant returns a list of one constant.
func Constant(v float64) Scalars { return tape.Consts(v) }

// scale returns x times by.
func scale(b *tape.Builder, x Scalars, by float64) Scalars { return b.Map(tape.Mul, x, Constant(by)) }

// elementFunctions are the elementwise functions.
var elementFunctions = []Builtin{
	opFunction("exp", tape.Exp), opFunction("expm1", tape.Expm1), opFunction("log", tape.Log), opFunction("log1p", tape.Log1p),
	opFunction("log1m", tape.Log1m), opFunction("log1m_exp", tape.Log1mExp), opFunction("log1p_exp", tape.Softplus),
	opFunction("sqrt", tape.Sqrt), opFunction("cbrt", tape.Cbrt), opFunction("square", tape.Square), opFunction("inv", tape.Inv),
	opFunction("inv_logit", tape.Sigmoid), opFunction("sin", tape.Sin), opFunction("cos", tape.Cos), opFunction("tan", tape.Tan),
	opFunction("asin", tape.Asin), opFunction("acos", tape.Acos), opFunction("atan", tape.Atan), opFunction("sinh", tape.Sinh),
	opFunction("cosh", tape.Cosh), opFunction("tanh", tape.Tanh), opFunction("lgamma", tape.LogGamma), opFunction("digamma", tape.Digamma),
	opFunction("trigamma", tape.Trigamma), opFunction("erf", tape.Erf), opFunction("erfc", tape.Erfc), opFunction("Phi", tape.Phi),
	opFunction("inv_Phi std_normal_qf", tape.PhiInv), opFunction("fabs", tape.Abs),
	opFunction("floor", tape.Floor), opFunction("ceil", tape.Ceil), opFunction("step", tape.Step),
	{names: "abs", TypeRule: func(args []Type) (Type, bool) {
		return MatchSignature("E:=", args)
	}, Elementwise: func(b *tape.Builder, x ...Scalars) Scalars { return b.Map(tape.Abs, x[0]) }},
	unaryFunction("exp2", func(b *tape.Builder, x Scalars) Scalars { return b.Map(tape.Exp, scale(b, x, math.Ln2)) }),
	logTo("log10", math.Ln10), logTo("log2", math.Ln2),
	unaryFunction("inv_sqrt", func(b *tape.Builder, x Scalars) Scalars { return b.Map(tape.Inv, b.Map(tape.Sqrt, x)) }),
	unaryFunction("inv_square", func(b *tape.Builder, x Scalars) Scalars { return b.Map(tape.Inv, b.Map(tape.Square, x)) }),
	unaryFunction("logit", func(b *tape.Builder, x Scalars) Scalars {
		return b.Map(tape.Sub, b.Map(tape.Log, x), b.Map(tape.Log1m, x))
	}),
	unaryFunction("log_inv_logit", func(b *tape.Builder, x Scalars) Scalars { return logSigmoid(b, x) }),
	unaryFunction("log1m_inv_logit", func(b *tape.Builder, x Scalars) Scalars {
		return b.Map(tape.Neg, b.Map(tape.Softplus, x))
	}),
	unaryFunction("inv_cloglog", func(b *tape.Builder, x Scalars) Scalars {
		return b.Map(tape.Neg, b.Map(tape.Expm1, b.Map(tape.Neg, b.Map(tape.Exp, x))))
	}),
	unaryFunction("Phi_approx", func(b *tape.Builder, x Scalars) Scalars {
		cube := b.Map(tape.Mul, x, b.Map(tape.Square, x))
		return b.Map(tape.Sigmoid, b.Map(tape.Add, scale(b, cube, 0.07056), scale(b, x, 1.5976)))
	}),
	unaryFunction("inv_erfc", func(b *tape.Builder, x Scalars) Scalars {
		return scale(b, b.Map(tape.PhiInv, scale(b, x, .5)), -math.Sqrt2/2)
	}),
	unaryFunction("tgamma", func(b *tape.Builder, x Scalars) Scalars { return b.Map(tape.Exp, b.Map(tape.LogGamma, x)) }),
	unaryFunction("asinh", func(b *tape.Builder, x Scalars) Scalars { // sign(x) log1p(|x| + x^2/(1 + sqrt(1 + x^2)))
		size, sq := b.Map(tape.Abs, x), b.Map(tape.Square, x)
		root := b.Map(tape.Sqrt, b.Map(tape.Add, sq, Constant(1)))
		increment := b.Map(tape.Div, sq, b.Map(tape.Add, root, Constant(1)))
		return b.Map(tape.Mul, signOf(b, x), b.Map(tape.Log1p, b.Map(tape.Add, size, increment)))
	}),
	unaryFunction("acosh", func(b *tape.Builder, x Scalars) Scalars {
		root := b.Map(tape.Sqrt, b.Map(tape.Sub, b.Map(tape.Square, x), Constant(1)))
		return b.Map(tape.Log, b.Map(tape.Add, x, root))
	}),
	unaryFunction("atanh", func(b *tape.Builder, x Scalars) Scalars {
		return scale(b, b.Map(tape.Sub, b.Map(tape.Log1p, x), b.Map(tape.Log1m, x)), .5)
	}),
	unaryFunction("round", func(b *tape.Builder, x Scalars) Scalars {
		rounded := b.Map(tape.Floor, b.Map(tape.Add, b.Map(tape.Abs, x), Constant(.5)))
		return b.Map(tape.Mul, signOf(b, x), rounded)
	}),
	unaryFunction("trunc", func(b *tape.Builder, x Scalars) Scalars { return trunc(b, x) }),
	{names: "pow", Signatures: "EE:E", Elementwise: power},
	binaryOpFunction("fmin", tape.Min), binaryOpFunction("fmax", tape.Max), binaryOpFunction("atan2", tape.Atan2),
	binaryOpFunction("log_diff_exp", tape.LogSubExp), binaryOpFunction("gamma_p", tape.GammaP), binaryOpFunction("gamma_q", tape.GammaQ),
	binaryFunction("fdim", func(b *tape.Builder, x, y Scalars) Scalars {
		return b.Map(tape.Max, b.Map(tape.Sub, x, y), Constant(0))
	}),
	binaryFunction("fmod", func(b *tape.Builder, x, y Scalars) Scalars {
		return b.Map(tape.Sub, x, b.Map(tape.Mul, y, trunc(b, b.Map(tape.Div, x, y))))
	}),
	binaryFunction("hypot", func(b *tape.Builder, x, y Scalars) Scalars {
		return b.Map(tape.Sqrt, b.Map(tape.Add, b.Map(tape.Square, x), b.Map(tape.Square, y)))
	}),
	binaryFunction("multiply_log lmultiply", func(b *tape.Builder, x, y Scalars) Scalars {
		if c, ok := y[0].Const(); tape.AllConst(x...) && ok && len(y) == 1 && c == 0 { // 0 log 0 is 0
			return b.Map(tape.Mul, x, b.Map(tape.Log, b.Map(tape.Max, y, Constant(math.SmallestNonzeroFloat64))))
		}
		return b.Map(tape.Mul, x, b.Map(tape.Log, y))
	}),
	unaryFunction("std_normal_log_qf", func(b *tape.Builder, x Scalars) Scalars { return b.Map(tape.PhiInv, b.Map(tape.Exp, x)) }),
	binaryFunction("owens_t", func(b *tape.Builder, x, y Scalars) Scalars { return logpdf.OwensT(b, x, y) }),
	binaryFunction("lbeta", logBeta),
	binaryFunction("beta", func(b *tape.Builder, x, y Scalars) Scalars { return b.Map(tape.Exp, logBeta(b, x, y)) }),
	binaryFunction("lchoose binomial_coefficient_log", logChoose),
	binaryFunction("log_falling_factorial", func(b *tape.Builder, x, n Scalars) Scalars {
		down := b.Map(tape.Sub, b.Map(tape.Add, x, Constant(1)), n)
		return b.Map(tape.Sub, b.Map(tape.LogGamma, b.Map(tape.Add, x, Constant(1))), b.Map(tape.LogGamma, down))
	}),
	binaryFunction("log_rising_factorial", func(b *tape.Builder, x, n Scalars) Scalars {
		return b.Map(tape.Sub, b.Map(tape.LogGamma, b.Map(tape.Add, x, n)), b.Map(tape.LogGamma, x))
	}),
	{names: "ldexp", reservedFor: intAt(1), TypeRule: intAndReals(1), Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		return b.Map(tape.Mul, x[0], b.Map(tape.Exp, scale(b, x[1], math.Ln2)))
	}},
	binaryFunction("log_inv_logit_diff", func(b *tape.Builder, x, y Scalars) Scalars {
		return b.Map(tape.LogSubExp, logSigmoid(b, x), logSigmoid(b, y))
	}),
	{names: "fma", reservedFor: allScalars, Signatures: "EEE:E", Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		return b.Map(tape.Add, b.Map(tape.Mul, x[0], x[1]), x[2])
	}},
	{names: "inc_beta", reservedFor: allScalars, Signatures: "EEE:E", Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		return b.Map(tape.BetaP, x...)
	}},
}

// logTo returns the logarithm to a base whose natural log is ln; without argument the function is the constant ln.
func logTo(names string, ln float64) Builtin {
	return Builtin{names: names, Signatures: ":r E:E", Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		if len(x) == 0 {
			return Constant(ln)
		}
		return b.Map(tape.Div, b.Map(tape.Log, x[0]), Constant(ln))
	}}
}

// signOf emits -1 for x < 0, else 1.
func signOf(b *tape.Builder, x Scalars) Scalars {
	return b.Map(tape.Sub, scale(b, b.Map(tape.Step, x), 2), Constant(1))
}

// trunc emits x rounded towards 0.
func trunc(b *tape.Builder, x Scalars) Scalars {
	return b.Map(tape.Mul, signOf(b, x), b.Map(tape.Floor, b.Map(tape.Abs, x)))
}

// logSigmoid emits log(1/(1 + e^-x)).
func logSigmoid(b *tape.Builder, x Scalars) Scalars {
	return b.Map(tape.Neg, b.Map(tape.Softplus, b.Map(tape.Neg, x)))
}

// logBeta emits log B(x, y).
func logBeta(b *tape.Builder, x, y Scalars) Scalars {
	sum := b.Map(tape.Add, b.Map(tape.LogGamma, x), b.Map(tape.LogGamma, y))
	return b.Map(tape.Sub, sum, b.Map(tape.LogGamma, b.Map(tape.Add, x, y)))
}

// logChoose emits the log of the binomial coefficient.
func logChoose(b *tape.Builder, n, k Scalars) Scalars {
	logFactorial := func(x Scalars) Scalars { return b.Map(tape.LogGamma, b.Map(tape.Add, x, Constant(1))) }
	return b.Map(tape.Sub, b.Map(tape.Sub, logFactorial(n), logFactorial(k)), logFactorial(b.Map(tape.Sub, n, k)))
}

// logPi is log(pi).
var logPi = num.Log(math.Pi)

// ElementOf returns element i of x as a list; a list of one number is repeated.
func ElementOf(x Scalars, i int) Scalars {
	if len(x) > 1 {
		return x[i : i+1]
	}
	return x
}
