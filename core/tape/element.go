package tape

import (
	"math"

	"logzlab/core/num"
)

// unary are operations of one argument: the function, and its derivative at x where the result is y.
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
	Softplus: {num.Softplus, func(x, _ float64) float64 { return num.Sigmoid(x) }},
	Sigmoid:  {num.Sigmoid, func(_, y float64) float64 { return num.Mul(y, 1-y) }},
	LogGamma: {num.LogGamma, nil},
	Erf:      {num.Erf, func(x, _ float64) float64 { return bell(x) }},
	Erfc:     {num.Erfc, func(x, _ float64) float64 { return -bell(x) }},
	Phi:      {num.Phi, func(x, _ float64) float64 { return normal(x) }},
	LogPhi: {num.LogPhi, func(x, y float64) float64 {
		return num.Exp(-num.Mul(.5, num.Mul(x, x)+num.Log2Pi) - y)
	}},
	PhiInv: {num.PhiInv, func(_, y float64) float64 { return 1 / normal(y) }},
	Floor:  {math.Floor, func(_, _ float64) float64 { return 0 }},
	Ceil:   {math.Ceil, func(_, _ float64) float64 { return 0 }},
	Step: {func(x float64) float64 {
		if x >= 0 {
			return 1
		}
		return 0
	}, func(_, _ float64) float64 { return 0 }},
}

// bell is the derivative of erf, and normal the density of a normal variable.
func bell(x float64) float64   { return 2 / math.Sqrt(math.Pi) * num.Exp(-num.Mul(x, x)) }
func normal(x float64) float64 { return num.Exp(-num.Mul(.5, num.Mul(x, x)+num.Log2Pi)) }

func sign(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return 0
}

// forward does an operation by element; what is missing of a, b and c is nil.
func forward(code Code, out, a, b, c []float64) {
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
		several(code, out, a, b, c)
	}
}

// several does the rarer operations of two and three arguments.
func several(code Code, out, a, b, c []float64) {
	for i, x := range a {
		switch y := b[i]; code {
		case Pow:
			out[i] = num.Pow(x, y)
		case Min:
			out[i] = min(x, y)
		case Max:
			out[i] = max(x, y)
		case LogAddExp:
			out[i] = num.LogAddExp(x, y)
		}
	}
}

// slope adds to da, db and dc, where they are not nil, what dout means for a, b and c.
func slope(code Code, out, dout, a, b, c, da, db, dc []float64) {
	if code < Add {
		slope1(code, out, dout, a, da)
		return
	}
	for i, g := range dout {
		if g == 0 { // also where a derivative is infinite
			continue
		}
		x, y := a[i], b[i]
		var dx, dy float64
		switch code {
		case Add:
			dx, dy = 1, 1
		case Sub:
			dx, dy = 1, -1
		case Mul:
			dx, dy = y, x
		case Div:
			dx = 1 / y
			dy = -out[i] / y
		case Pow:
			dx, dy = powSlope(x, y, out[i])
		case Min, Max:
			dx = num.Mul(.5, 1+sign(x-y))
			if code == Min {
				dx = 1 - dx
			}
			dy = 1 - dx
		case LogAddExp:
			dx, dy = num.Exp(x-out[i]), num.Exp(y-out[i])
		}
		if da != nil {
			da[i] += float64(g * dx)
		}
		if db != nil {
			db[i] += float64(g * dy)
		}
	}
}

// slope1 is slope for one argument.
func slope1(code Code, out, dout, a, da []float64) {
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
			da[i] += float64(g * num.Sigmoid(a[i]))
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

// powSlope are the derivatives of z = x^y.
func powSlope(x, y, z float64) (dx, dy float64) {
	if x == 0 {
		if y > 1 {
			return 0, 0
		}
		return num.Mul(y, num.Pow(x, y-1)), 0
	}
	return num.Mul(y, z/x), num.Mul(z, num.Log(x))
}
