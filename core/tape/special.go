package tape

import (
	"math"

	"logzlab/core/num"
)

func init() {
	type f1 = func(x float64) float64
	type d1 = func(x, y float64) float64
	for code, f := range map[Code]struct {
		f f1
		d d1
	}{
		Cbrt:     {num.Cbrt, func(x, y float64) float64 { return y / (3 * x) }},
		Log1mExp: {num.Log1mExp, func(x, _ float64) float64 { return -1 / num.Expm1(-x) }},
		Sin:      {num.Sin, func(x, _ float64) float64 { return num.Cos(x) }},
		Cos:      {num.Cos, func(x, _ float64) float64 { return -num.Sin(x) }},
		Tan:      {num.Tan, func(_, y float64) float64 { return 1 + num.Mul(y, y) }},
		Asin:     {num.Asin, func(x, _ float64) float64 { return 1 / math.Sqrt((1-x)*(1+x)) }},
		Acos:     {num.Acos, func(x, _ float64) float64 { return -1 / math.Sqrt((1-x)*(1+x)) }},
		Atan:     {num.Atan, func(x, _ float64) float64 { return 1 / (1 + num.Mul(x, x)) }},
		Sinh:     {num.Sinh, func(x, _ float64) float64 { return num.Cosh(x) }},
		Cosh:     {num.Cosh, func(x, _ float64) float64 { return num.Sinh(x) }},
		Tanh:     {num.Tanh, func(_, y float64) float64 { return (1 - y) * (1 + y) }},
		LogGamma: {num.LogGamma, func(x, _ float64) float64 { return num.Digamma(x) }},
		Digamma:  {num.Digamma, func(x, _ float64) float64 { return num.Trigamma(x) }},
		Trigamma: {num.Trigamma, func(x, _ float64) float64 { return num.Tetragamma(x) }},
		LogPhi:   {num.LogPhi, func(x, _ float64) float64 { return num.Mills(x) }},
	} {
		unary[code].f, unary[code].d = f.f, f.d
	}
}

// special does what core/num has of two and three arguments.
func special(code Code, x, y, z float64) float64 {
	switch code {
	case Atan2:
		return num.Atan2(x, y)
	case LogSubExp:
		return num.LogSubExp(x, y)
	case GammaP:
		return num.GammaP(x, y)
	case GammaQ:
		return num.GammaQ(x, y)
	}
	return num.BetaInc(x, y, z)
}

// specialSlope are the derivatives of special.
func specialSlope(code Code, x, y, z float64) (dx, dy, dz float64) {
	switch code {
	case Atan2:
		r := num.Mul(x, x) + num.Mul(y, y)
		return y / r, -x / r, 0
	case LogSubExp:
		e := num.Expm1(y - x) // e^x/(e^x - e^y) is -1/e
		return -1 / e, 1 + 1/e, 0
	case GammaP:
		dx, dy = num.GammaPSlopes(x, y)
		return dx, dy, 0
	case GammaQ:
		dx, dy = num.GammaPSlopes(x, y)
		return -dx, -dy, 0
	}
	return num.BetaIncSlopes(x, y, z)
}
