package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Generator emits draws from a family on a tape, as functions of standard normal variables z.
type Generator struct {
	// NumNormals returns the number of normal variables for a draw with parameters p (NaN if unknown); 0 if no draw can
	// be made.
	NumNormals func(p []float64) int
	// Draw returns a draw with parameters p, made from NumNormals variables z.
	Draw func(b *tape.Builder, z, p []tape.Scalar) tape.Scalar
	// Centre is the index of the parameter around which the density is symmetric, Low and High are the indices of the
	// parameters that bound the draws; -1 if there is none.
	Centre, Low, High int
	// Positive is true if draws are positive, BelowOne if they are below 1.
	Positive, BelowOne bool
}

// GeneratorOf returns the generator of the family with a name; nil if there is none.
func GeneratorOf(name string) *Generator {
	g, ok := generators[name]
	if !ok {
		return nil
	}
	return &g
}

// maxShape is the largest shape of a gamma variable; a shape s needs 2 s normal variables.
const maxShape = 50

// numSquares returns 2 shape, the number of squared standard normal variables whose half sum is a gamma variable of
// that shape, or 0 if the shape is not a multiple of 1/2 or exceeds maxShape.
func numSquares(shape float64) int {
	if n := num.Mul(2, shape); n == math.Trunc(n) && n >= 1 && n <= 2*maxShape {
		return int(n)
	}
	return 0
}

// fixedNormals is NumNormals for a fixed number.
func fixedNormals(n int) func([]float64) int { return func([]float64) int { return n } }

// gammaNormals is NumNormals for draws that use a gamma variable of shape s p[i] and a number others of further normal
// variables.
func gammaNormals(i int, s float64, others int) func([]float64) int {
	return func(p []float64) int {
		if n := numSquares(num.Mul(s, p[i])); n > 0 {
			return n + others
		}
		return 0
	}
}

// draws provides scalar arithmetic and random variables on a Builder.
type draws struct{ *tape.Builder }

func (d draws) mul(x, y tape.Scalar) tape.Scalar { return d.Do(tape.Mul, x, y) }
func (d draws) div(x, y tape.Scalar) tape.Scalar { return d.Do(tape.Div, x, y) }
func (d draws) add(x, y tape.Scalar) tape.Scalar { return d.Do(tape.Add, x, y) }
func (d draws) exp(x tape.Scalar) tape.Scalar    { return d.Do(tape.Exp, x) }
func (d draws) log(x tape.Scalar) tape.Scalar    { return d.Do(tape.Log, x) }

// locationScale is mu + sigma z.
func (d draws) locationScale(mu, sigma, z tape.Scalar) tape.Scalar { return d.add(mu, d.mul(sigma, z)) }

// gamma returns a gamma variable with rate 1 and shape len(z)/2.
func (d draws) gamma(z []tape.Scalar) tape.Scalar { return d.mul(tape.Const(.5), d.Dot(z, z)) }

// ratio returns the ratio of two exponential variables, whose log has a logistic distribution.
func (d draws) ratio(z []tape.Scalar) tape.Scalar { return d.div(d.gamma(z[:2]), d.gamma(z[2:4])) }

// power returns x^to for x > 0.
func (d draws) power(x, to tape.Scalar) tape.Scalar { return d.exp(d.mul(to, d.log(x))) }

func (d draws) inv(x tape.Scalar) tape.Scalar { return d.Do(tape.Inv, x) }

// drawFunc converts a formula to Generator.Draw.
func drawFunc(f func(d draws, z, p []tape.Scalar) tape.Scalar) func(b *tape.Builder, z, p []tape.Scalar) tape.Scalar {
	return func(b *tape.Builder, z, p []tape.Scalar) tape.Scalar { return f(draws{b}, z, p) }
}

// symmetricAround returns the generator of a family that is symmetric around parameter centre, unbounded that of a
// family on all reals, and positive that of a family of positive variables. numNormals is Generator.NumNormals.
func symmetricAround(numNormals func([]float64) int, centre int, f func(d draws, z, p []tape.Scalar) tape.Scalar) Generator {
	return Generator{NumNormals: numNormals, Draw: drawFunc(f), Centre: centre, Low: -1, High: -1}
}

func unbounded(n int, f func(d draws, z, p []tape.Scalar) tape.Scalar) Generator {
	return Generator{NumNormals: fixedNormals(n), Draw: drawFunc(f), Centre: -1, Low: -1, High: -1}
}

func positive(numNormals func([]float64) int, f func(d draws, z, p []tape.Scalar) tape.Scalar) Generator {
	return Generator{NumNormals: numNormals, Draw: drawFunc(f), Centre: -1, Low: -1, High: -1, Positive: true}
}

var generators = map[string]Generator{
	"normal":     symmetricAround(fixedNormals(1), 0, func(d draws, z, p []tape.Scalar) tape.Scalar { return d.locationScale(p[0], p[1], z[0]) }),
	"std_normal": unbounded(1, func(_ draws, z, _ []tape.Scalar) tape.Scalar { return z[0] }),
	"cauchy": symmetricAround(fixedNormals(2), 0, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.locationScale(p[0], p[1], d.div(z[0], z[1]))
	}),
	"student_t": symmetricAround(gammaNormals(0, .5, 1), 1, func(d draws, z, p []tape.Scalar) tape.Scalar {
		spread := d.Do(tape.Sqrt, d.div(d.mul(tape.Const(2), d.gamma(z[1:])), p[0]))
		return d.locationScale(p[1], p[2], d.div(z[0], spread))
	}),
	"logistic": symmetricAround(fixedNormals(4), 0, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.locationScale(p[0], p[1], d.log(d.ratio(z)))
	}),
	"double_exponential": symmetricAround(fixedNormals(4), 0, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.locationScale(p[0], p[1], d.Do(tape.Sub, d.gamma(z[:2]), d.gamma(z[2:])))
	}),
	"gumbel": unbounded(2, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.Do(tape.Sub, p[0], d.mul(p[1], d.log(d.gamma(z))))
	}),
	"uniform": {NumNormals: fixedNormals(4), Centre: -1, Low: 0, High: 1, Draw: drawFunc(func(d draws, z, p []tape.Scalar) tape.Scalar {
		a, b := d.gamma(z[:2]), d.gamma(z[2:])
		return d.div(d.add(d.mul(a, p[0]), d.mul(b, p[1])), d.add(a, b))
	})},
	"lognormal": positive(fixedNormals(1), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.exp(d.locationScale(p[0], p[1], z[0]))
	}),
	"loglogistic": positive(fixedNormals(4), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[0], d.power(d.ratio(z), d.inv(p[1])))
	}),
	"gamma": positive(gammaNormals(0, 1, 0), func(d draws, z, p []tape.Scalar) tape.Scalar { return d.div(d.gamma(z), p[1]) }),
	"inv_gamma": positive(gammaNormals(0, 1, 0), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.div(p[1], d.gamma(z))
	}),
	"chi_square": positive(gammaNormals(0, .5, 0), func(d draws, z, _ []tape.Scalar) tape.Scalar {
		return d.mul(tape.Const(2), d.gamma(z))
	}),
	"inv_chi_square": positive(gammaNormals(0, .5, 0), func(d draws, z, _ []tape.Scalar) tape.Scalar {
		return d.div(tape.Const(.5), d.gamma(z))
	}),
	"scaled_inv_chi_square": positive(gammaNormals(0, .5, 0), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.div(d.mul(d.mul(p[0], tape.Const(.5)), d.Do(tape.Square, p[1])), d.gamma(z))
	}),
	"exponential": positive(fixedNormals(2), func(d draws, z, p []tape.Scalar) tape.Scalar { return d.div(d.gamma(z), p[0]) }),
	"weibull": positive(fixedNormals(2), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[1], d.power(d.gamma(z), d.inv(p[0])))
	}),
	"frechet": positive(fixedNormals(2), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[1], d.power(d.gamma(z), d.Do(tape.Neg, d.inv(p[0]))))
	}),
	"rayleigh": positive(fixedNormals(2), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[0], d.Do(tape.Sqrt, d.Dot(z, z)))
	}),
	"beta": {Centre: -1, Low: -1, High: -1, Positive: true, BelowOne: true,
		NumNormals: func(p []float64) int {
			if a, b := numSquares(p[0]), numSquares(p[1]); a > 0 && b > 0 {
				return a + b
			}
			return 0
		},
		Draw: drawFunc(func(d draws, z, p []tape.Scalar) tape.Scalar {
			first, _ := p[0].Const()
			a := d.gamma(z[:numSquares(first)])
			return d.div(a, d.add(a, d.gamma(z[numSquares(first):])))
		})},
}

// GammaNormals returns the number of normal variables for GammaDraw with a shape; 0 if no draw can be made.
func GammaNormals(shape float64) int { return numSquares(shape) }

// GammaDraw returns the gamma variable of rate 1 made from normal variables z.
func GammaDraw(b *tape.Builder, z []tape.Scalar) tape.Scalar { return draws{b}.gamma(z) }
