package tape

import (
	"math"

	"logzlab/core/num"
)

// unary are the operations with one argument: the function, and its derivative at x with y the result.
var unary = [Add]struct {
	f func(x float64) float64
	d func(x, y float64) float64
}{
	Neg:      {func(x float64) float64 { return -x }, func(_, _ float64) float64 { return -1 }},
	Abs:      {math.Abs, func(x, _ float64) float64 { return sign(x) }},
	Square:   {func(x float64) float64 { return num.Mul(x, x) }, func(x, _ float64) float64 { return 2 * x }},
	Sqrt:     {math.Sqrt, func(_, y float64) float64 { return .5 / y }},
	Inv:      {func(x float64) float64 { return 1 / x }, func(_, y float64) float64 { return -num.Mul(y, y) }},
	Exp:      {num.Exp, func(_, y float64) float64 { return y }},
	Expm1:    {num.Expm1, func(_, y float64) float64 { return y + 1 }},
	Log:      {num.Log, func(x, _ float64) float64 { return 1 / x }},
	Log1p:    {num.Log1p, func(x, _ float64) float64 { return 1 / (1 + x) }},
	Log1m:    {func(x float64) float64 { return num.Log1p(-x) }, func(x, _ float64) float64 { return -1 / (1 - x) }},
	Softplus: {num.Softplus, func(x, y float64) float64 { return num.Exp(x - y) }},
	Sigmoid:  {num.Sigmoid, func(_, y float64) float64 { return num.Mul(y, 1-y) }},
	Log1mExp: {num.Log1mExp, func(x, _ float64) float64 { return -1 / num.Expm1(-x) }},
	Cbrt:     {num.Cbrt, func(_, y float64) float64 { return 1 / (3 * num.Mul(y, y)) }},
	Sin:      {num.Sin, func(x, _ float64) float64 { return num.Cos(x) }},
	Cos:      {num.Cos, func(x, _ float64) float64 { return -num.Sin(x) }},
	Tan:      {num.Tan, func(_, y float64) float64 { return 1 + num.Mul(y, y) }},
	Asin:     {num.Asin, func(x, _ float64) float64 { return 1 / math.Sqrt(num.Mul(1-x, 1+x)) }},
	Acos:     {num.Acos, func(x, _ float64) float64 { return -1 / math.Sqrt(num.Mul(1-x, 1+x)) }},
	Atan:     {num.Atan, func(x, _ float64) float64 { return 1 / (1 + num.Mul(x, x)) }},
	Sinh:     {num.Sinh, func(x, _ float64) float64 { return num.Cosh(x) }},
	Cosh:     {num.Cosh, func(x, _ float64) float64 { return num.Sinh(x) }},
	Tanh:     {num.Tanh, func(_, y float64) float64 { return num.Mul(1-y, 1+y) }},
	LogGamma: {num.LogGamma, func(x, _ float64) float64 { return num.Digamma(x) }},
	Digamma:  {num.Digamma, func(x, _ float64) float64 { return num.Trigamma(x) }},
	Trigamma: {num.Trigamma, func(x, _ float64) float64 { return num.Tetragamma(x) }},
	Erf:      {num.Erf, func(x, _ float64) float64 { return erfDerivative(x) }},
	Erfc:     {num.Erfc, func(x, _ float64) float64 { return -erfDerivative(x) }},
	Phi:      {num.Phi, func(x, _ float64) float64 { return normalDensity(x) }},
	LogPhi:   {num.LogPhi, func(x, _ float64) float64 { return num.Mills(x) }},
	PhiInv:   {num.PhiInv, func(_, y float64) float64 { return 1 / normalDensity(y) }},
	Floor:    {math.Floor, func(_, _ float64) float64 { return 0 }},
	Ceil:     {math.Ceil, func(_, _ float64) float64 { return 0 }},
	Step: {func(x float64) float64 {
		if x >= 0 {
			return 1
		}
		return 0
	}, func(_, _ float64) float64 { return 0 }},
}

// erfDerivative is the derivative of erf, normalDensity the standard normal density.
func erfDerivative(x float64) float64 { return 2 / math.Sqrt(math.Pi) * num.Exp(-num.Mul(x, x)) }
func normalDensity(x float64) float64 { return num.Exp(-num.Mul(.5, num.Mul(x, x)+num.Log2Pi)) }

// sign returns 1, 0 or -1.
func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// forwardElementwise computes an elementwise operation; missing arguments are nil.
func forwardElementwise(code Code, out, a, b, c []float64) {
	a = a[:len(out)]
	if code >= Add {
		b = b[:len(out)]
	}
	switch code {
	case Copy:
		copy(out, a)
	case Add:
		for i := range out {
			out[i] = a[i] + b[i]
		}
	case Sub:
		for i := range out {
			out[i] = a[i] - b[i]
		}
	case Mul:
		for i := range out {
			out[i] = float64(a[i] * b[i])
		}
	case Div:
		for i := range out {
			out[i] = a[i] / b[i]
		}
	case Square:
		for i, x := range a {
			out[i] = float64(x * x)
		}

	// Functions of package num, and rarer operations.
	case Exp:
		for i, x := range a {
			out[i] = num.Exp(x)
		}
	case Softplus:
		for i, x := range a {
			out[i] = num.Softplus(x)
		}
	default:
		if code < Add {
			f := unary[code].f
			for i, x := range a {
				out[i] = f(x)
			}
			return
		}
		forwardRare(code, out, a, b, c)
	}
}

// forwardRare computes the rarer operations with two and three arguments.
func forwardRare(code Code, out, a, b, c []float64) {
	for i, x := range a {
		switch y := b[i]; code {
		case Pow:
			out[i] = num.Pow(x, y)
		case Min:
			out[i] = min(x, y)
		case Max:
			out[i] = max(x, y)
		case Atan2:
			out[i] = num.Atan2(x, y)
		case LogAddExp:
			out[i] = num.LogAddExp(x, y)
		case LogSubExp:
			out[i] = num.LogSubExp(x, y)
		case GammaP:
			out[i] = num.GammaP(x, y)
		case GammaQ:
			out[i] = num.GammaQ(x, y)
		case BetaP:
			out[i] = num.BetaInc(x, y, c[i])
		case LogBessel:
			out[i] = num.LogBessel(int(x), y)
		case Select:
			if out[i] = c[i]; x != 0 {
				out[i] = y
			}
		}
	}
}

// backwardElementwise adds to the adjoints da, db and dc, unless they are nil, the contributions of the adjoint dout of
// the result.
func backwardElementwise(code Code, out, dout, a, b, c, da, db, dc []float64) {
	switch {
	case code < Add:
		backwardUnary(code, out, dout, a, da)
		return
	case code == Mul:
		backwardProduct(dout, b, da)
		backwardProduct(dout, a, db)
		return
	case code == Add:
		backwardSum(dout, da, db, 1)
		return
	case code == Sub:
		backwardSum(dout, da, db, -1)
		return
	}

	// Other operations, element by element.
	for i, g := range dout {
		if g == 0 { // contributes 0 even if a derivative is infinite
			continue
		}
		var dx, dy, dz float64
		switch {
		case code == BetaP:
			dx, dy, dz = num.BetaIncSlopes(a[i], b[i], c[i])
		case code != Select:
			dx, dy = partials2(code, a[i], b[i], out[i])
		case a[i] != 0:
			dy = 1
		default:
			dz = 1
		}

		if da != nil {
			da[i] += float64(g * dx)
		}
		if db != nil {
			db[i] += float64(g * dy)
		}
		if dc != nil {
			dc[i] += float64(g * dz)
		}
	}
}

// backwardProduct adds dout times b to da, unless da is nil.
func backwardProduct(dout, b, da []float64) {
	if da == nil {
		return
	}
	b, da = b[:len(dout)], da[:len(dout)]
	for i, g := range dout {
		if g != 0 {
			da[i] += float64(g * b[i])
		}
	}
}

// backwardSum adds dout to da and sign times dout to db, unless they are nil. It goes element by element because da and
// db may overlap, and the order of additions matters.
func backwardSum(dout, da, db []float64, sign float64) {
	switch {
	case db == nil:
		da = da[:len(dout)]
		for i, g := range dout {
			da[i] += g
		}
	case da == nil:
		db = db[:len(dout)]
		for i, g := range dout {
			db[i] += float64(g * sign)
		}
	default:
		da, db = da[:len(dout)], db[:len(dout)]
		for i, g := range dout {
			da[i] += g
			db[i] += float64(g * sign)
		}
	}
}

// partials2 returns the partial derivatives of an operation with two arguments and the result z.
func partials2(code Code, x, y, z float64) (dx, dy float64) {
	switch code {
	case Div:
		return 1 / y, -z / y
	case Pow:
		return powPartials(x, y, z)
	case Min:
		return num.Mul(.5, 1-sign(x-y)), num.Mul(.5, 1+sign(x-y))
	case Max:
		return num.Mul(.5, 1+sign(x-y)), num.Mul(.5, 1-sign(x-y))
	case Atan2:
		q := num.Mul(x, x) + num.Mul(y, y)
		return y / q, -x / q
	case LogSubExp:
		return num.Exp(x - z), -num.Exp(y - z)
	case GammaP:
		return num.GammaPSlopes(x, y)
	case GammaQ:
		da, dx := num.GammaPSlopes(x, y)
		return -da, -dx
	case LogBessel:
		return 0, num.LogBesselSlope(int(x), y)
	}
	return num.Exp(x - z), num.Exp(y - z) // LogAddExp
}

// backwardUnary is backwardElementwise for one argument.
func backwardUnary(code Code, out, dout, a, da []float64) {
	da, out, a = da[:len(dout)], out[:len(dout)], a[:len(dout)]
	switch code {
	case Copy:
		for i, g := range dout {
			da[i] += g
		}
	case Square:
		for i, g := range dout {
			da[i] += float64(g * (2 * a[i]))
		}
	case Exp:
		for i, g := range dout {
			da[i] += float64(g * out[i])
		}
	case Softplus:
		for i, g := range dout {
			da[i] += float64(g * num.Exp(a[i]-out[i]))
		}
	default:
		d := unary[code].d
		for i, g := range dout {
			if g != 0 {
				da[i] += float64(g * d(a[i], out[i]))
			}
		}
	}
}

// powPartials returns the partial derivatives of z = x^y.
func powPartials(x, y, z float64) (dx, dy float64) {
	if x == 0 {
		if y > 1 {
			return 0, 0
		}
		return num.Mul(y, num.Pow(x, y-1)), 0
	}
	return num.Mul(y, z/x), num.Mul(z, num.Log(x))
}
