package lang

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// Numbers are what most functions of elements take and give.
type Numbers = []tape.Scalar

// coded is a function that is one operation of the tape.
func coded(names string, c tape.Code) Builtin {
	return Builtin{names: names, Takes: "E:E", Each: func(b *tape.Builder, x ...Numbers) Numbers {
		return b.Map(c, x[0])
	}}
}

// unary is a function of one number.
func unary(names string, f func(b *tape.Builder, x Numbers) Numbers) Builtin {
	return Builtin{names: names, Takes: "E:E", Each: func(b *tape.Builder, x ...Numbers) Numbers { return f(b, x[0]) }}
}

// pair is a function of two numbers.
func pair(names string, f func(b *tape.Builder, x, y Numbers) Numbers) Builtin {
	return Builtin{names: names, Takes: "EE:E", Each: func(b *tape.Builder, x ...Numbers) Numbers {
		return f(b, x[0], x[1])
	}}
}

func codedPair(names string, c tape.Code) Builtin {
	return pair(names, func(b *tape.Builder, x, y Numbers) Numbers { return b.Map(c, x, y) })
}

func Constant(v float64) Numbers { return tape.Consts(v) }

func scale(b *tape.Builder, x Numbers, by float64) Numbers { return b.Map(tape.Mul, x, Constant(by)) }

// elementFunctions work by element.
var elementFunctions = []Builtin{
	coded("exp", tape.Exp), coded("expm1", tape.Expm1), coded("log", tape.Log), coded("log1p", tape.Log1p),
	coded("log1m", tape.Log1m), coded("log1m_exp", tape.Log1mExp), coded("log1p_exp", tape.Softplus),
	coded("sqrt", tape.Sqrt), coded("cbrt", tape.Cbrt), coded("square", tape.Square), coded("inv", tape.Inv),
	coded("inv_logit", tape.Sigmoid), coded("sin", tape.Sin), coded("cos", tape.Cos), coded("tan", tape.Tan),
	coded("asin", tape.Asin), coded("acos", tape.Acos), coded("atan", tape.Atan), coded("sinh", tape.Sinh),
	coded("cosh", tape.Cosh), coded("tanh", tape.Tanh), coded("lgamma", tape.LogGamma), coded("digamma", tape.Digamma),
	coded("trigamma", tape.Trigamma), coded("erf", tape.Erf), coded("erfc", tape.Erfc), coded("Phi", tape.Phi),
	coded("inv_Phi std_normal_qf", tape.PhiInv), coded("fabs", tape.Abs),
	coded("floor", tape.Floor), coded("ceil", tape.Ceil), coded("step", tape.Step),
	{names: "abs", TypeOf: func(args []Type) (Type, bool) {
		return Signature("E:=", args)
	}, Each: func(b *tape.Builder, x ...Numbers) Numbers { return b.Map(tape.Abs, x[0]) }},
	unary("exp2", func(b *tape.Builder, x Numbers) Numbers { return b.Map(tape.Exp, scale(b, x, math.Ln2)) }),
	logTo("log10", math.Ln10), logTo("log2", math.Ln2),
	unary("inv_sqrt", func(b *tape.Builder, x Numbers) Numbers { return b.Map(tape.Inv, b.Map(tape.Sqrt, x)) }),
	unary("inv_square", func(b *tape.Builder, x Numbers) Numbers { return b.Map(tape.Inv, b.Map(tape.Square, x)) }),
	unary("logit", func(b *tape.Builder, x Numbers) Numbers {
		return b.Map(tape.Sub, b.Map(tape.Log, x), b.Map(tape.Log1m, x))
	}),
	unary("log_inv_logit", func(b *tape.Builder, x Numbers) Numbers { return logSigmoid(b, x) }),
	unary("log1m_inv_logit", func(b *tape.Builder, x Numbers) Numbers {
		return b.Map(tape.Neg, b.Map(tape.Softplus, x))
	}),
	unary("inv_cloglog", func(b *tape.Builder, x Numbers) Numbers {
		return b.Map(tape.Neg, b.Map(tape.Expm1, b.Map(tape.Neg, b.Map(tape.Exp, x))))
	}),
	unary("Phi_approx", func(b *tape.Builder, x Numbers) Numbers {
		cube := b.Map(tape.Mul, x, b.Map(tape.Square, x))
		return b.Map(tape.Sigmoid, b.Map(tape.Add, scale(b, cube, 0.07056), scale(b, x, 1.5976)))
	}),
	unary("inv_erfc", func(b *tape.Builder, x Numbers) Numbers {
		return scale(b, b.Map(tape.PhiInv, scale(b, x, .5)), -math.Sqrt2/2)
	}),
	unary("tgamma", func(b *tape.Builder, x Numbers) Numbers { return b.Map(tape.Exp, b.Map(tape.LogGamma, x)) }),
	unary("asinh", func(b *tape.Builder, x Numbers) Numbers { // sign(x) log1p(|x| + x^2/(1 + sqrt(1 + x^2)))
		size, sq := b.Map(tape.Abs, x), b.Map(tape.Square, x)
		root := b.Map(tape.Sqrt, b.Map(tape.Add, sq, Constant(1)))
		more := b.Map(tape.Div, sq, b.Map(tape.Add, root, Constant(1)))
		return b.Map(tape.Mul, signOf(b, x), b.Map(tape.Log1p, b.Map(tape.Add, size, more)))
	}),
	unary("acosh", func(b *tape.Builder, x Numbers) Numbers {
		root := b.Map(tape.Sqrt, b.Map(tape.Sub, b.Map(tape.Square, x), Constant(1)))
		return b.Map(tape.Log, b.Map(tape.Add, x, root))
	}),
	unary("atanh", func(b *tape.Builder, x Numbers) Numbers {
		return scale(b, b.Map(tape.Sub, b.Map(tape.Log1p, x), b.Map(tape.Log1m, x)), .5)
	}),
	unary("round", func(b *tape.Builder, x Numbers) Numbers {
		whole := b.Map(tape.Floor, b.Map(tape.Add, b.Map(tape.Abs, x), Constant(.5)))
		return b.Map(tape.Mul, signOf(b, x), whole)
	}),
	unary("trunc", func(b *tape.Builder, x Numbers) Numbers { return trunc(b, x) }),
	{names: "pow", Takes: "EE:E", Each: power},
	codedPair("fmin", tape.Min), codedPair("fmax", tape.Max), codedPair("atan2", tape.Atan2),
	codedPair("log_diff_exp", tape.LogSubExp), codedPair("gamma_p", tape.GammaP), codedPair("gamma_q", tape.GammaQ),
	pair("fdim", func(b *tape.Builder, x, y Numbers) Numbers {
		return b.Map(tape.Max, b.Map(tape.Sub, x, y), Constant(0))
	}),
	pair("fmod", func(b *tape.Builder, x, y Numbers) Numbers {
		return b.Map(tape.Sub, x, b.Map(tape.Mul, y, trunc(b, b.Map(tape.Div, x, y))))
	}),
	pair("hypot", func(b *tape.Builder, x, y Numbers) Numbers {
		return b.Map(tape.Sqrt, b.Map(tape.Add, b.Map(tape.Square, x), b.Map(tape.Square, y)))
	}),
	pair("multiply_log lmultiply", func(b *tape.Builder, x, y Numbers) Numbers {
		if c, ok := y[0].Const(); tape.AllConst(x...) && ok && len(y) == 1 && c == 0 { // 0 log 0 is 0
			return b.Map(tape.Mul, x, b.Map(tape.Log, b.Map(tape.Max, y, Constant(math.SmallestNonzeroFloat64))))
		}
		return b.Map(tape.Mul, x, b.Map(tape.Log, y))
	}),
	unary("std_normal_log_qf", func(b *tape.Builder, x Numbers) Numbers { return b.Map(tape.PhiInv, b.Map(tape.Exp, x)) }),
	pair("owens_t", func(b *tape.Builder, x, y Numbers) Numbers { return logpdf.OwensT(b, x, y) }),
	pair("lbeta", logBeta),
	pair("beta", func(b *tape.Builder, x, y Numbers) Numbers { return b.Map(tape.Exp, logBeta(b, x, y)) }),
	pair("lchoose binomial_coefficient_log", logChoose),
	pair("log_falling_factorial", func(b *tape.Builder, x, n Numbers) Numbers {
		down := b.Map(tape.Sub, b.Map(tape.Add, x, Constant(1)), n)
		return b.Map(tape.Sub, b.Map(tape.LogGamma, b.Map(tape.Add, x, Constant(1))), b.Map(tape.LogGamma, down))
	}),
	pair("log_rising_factorial", func(b *tape.Builder, x, n Numbers) Numbers {
		return b.Map(tape.Sub, b.Map(tape.LogGamma, b.Map(tape.Add, x, n)), b.Map(tape.LogGamma, x))
	}),
	{names: "ldexp", own: wholeAt(1), TypeOf: withInts(1), Each: func(b *tape.Builder, x ...Numbers) Numbers {
		return b.Map(tape.Mul, x[0], b.Map(tape.Exp, scale(b, x[1], math.Ln2)))
	}},
	pair("log_inv_logit_diff", func(b *tape.Builder, x, y Numbers) Numbers {
		return b.Map(tape.LogSubExp, logSigmoid(b, x), logSigmoid(b, y))
	}),
	{names: "fma", own: scalars, Takes: "EEE:E", Each: func(b *tape.Builder, x ...Numbers) Numbers {
		return b.Map(tape.Add, b.Map(tape.Mul, x[0], x[1]), x[2])
	}},
	{names: "inc_beta", own: scalars, Takes: "EEE:E", Each: func(b *tape.Builder, x ...Numbers) Numbers {
		return b.Map(tape.BetaP, x...)
	}},
}

// logTo is the log of a base, whose own log is ln; without an argument it is ln.
func logTo(names string, ln float64) Builtin {
	return Builtin{names: names, Takes: ":r E:E", Each: func(b *tape.Builder, x ...Numbers) Numbers {
		if len(x) == 0 {
			return Constant(ln)
		}
		return b.Map(tape.Div, b.Map(tape.Log, x[0]), Constant(ln))
	}}
}

// signOf is -1 below 0, else 1.
func signOf(b *tape.Builder, x Numbers) Numbers {
	return b.Map(tape.Sub, scale(b, b.Map(tape.Step, x), 2), Constant(1))
}

// trunc is x rounded towards 0.
func trunc(b *tape.Builder, x Numbers) Numbers {
	return b.Map(tape.Mul, signOf(b, x), b.Map(tape.Floor, b.Map(tape.Abs, x)))
}

func logSigmoid(b *tape.Builder, x Numbers) Numbers {
	return b.Map(tape.Neg, b.Map(tape.Softplus, b.Map(tape.Neg, x)))
}

// logBeta is log B(x, y).
func logBeta(b *tape.Builder, x, y Numbers) Numbers {
	sum := b.Map(tape.Add, b.Map(tape.LogGamma, x), b.Map(tape.LogGamma, y))
	return b.Map(tape.Sub, sum, b.Map(tape.LogGamma, b.Map(tape.Add, x, y)))
}

// logChoose is the log of n over k.
func logChoose(b *tape.Builder, n, k Numbers) Numbers {
	more := func(x Numbers) Numbers { return b.Map(tape.LogGamma, b.Map(tape.Add, x, Constant(1))) }
	return b.Map(tape.Sub, b.Map(tape.Sub, more(n), more(k)), more(b.Map(tape.Sub, n, k)))
}

// logPi is log(pi).
var logPi = num.Log(math.Pi)

func ElementOf(x Numbers, i int) Numbers {
	if len(x) > 1 {
		return x[i : i+1]
	}
	return x
}
