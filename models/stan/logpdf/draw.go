package logpdf

import (
	"math"

	"logzlab/core/num"
	"logzlab/models/stan/tape"
)

// Generator writes draws of a family on a tape, made of standard normal variables z alone.
type Generator struct {
	// Needs is the number of normal variables of a draw with parameters p, NaN where not known; 0: no draw can be made.
	Needs func(p []float64) int
	// Draw is a draw.
	Draw func(b *tape.Builder, z, p []tape.Scalar) tape.Scalar
	// Centre is the place of the parameter around which the density is symmetric; -1: none. Low and High are the places
	// of the parameters that bound the draws.
	Centre, Low, High int
	// Positive says that draws are positive, Within that they are below 1.
	Positive, Within bool
}

// GeneratorOf is the generator of the family with a name; nil where there is none.
func GeneratorOf(name string) *Generator {
	g, ok := generators[name]
	if !ok {
		return nil
	}
	return &g
}

// mostShape is the largest shape of a gamma variable: it takes twice as many normal ones.
const mostShape = 50

// halves is how many squares of normal variables make a gamma variable of a shape, 0 where that is no multiple of 1/2.
func halves(shape float64) int {
	if n := num.Mul(2, shape); n == math.Trunc(n) && n >= 1 && n <= 2*mostShape {
		return int(n)
	}
	return 0
}

func always(n int) func([]float64) int { return func([]float64) int { return n } }

// shaped is Needs of draws that take a gamma variable of the shape s p[i], and others.
func shaped(i int, s float64, others int) func([]float64) int {
	return func(p []float64) int {
		if n := halves(num.Mul(s, p[i])); n > 0 {
			return n + others
		}
		return 0
	}
}

// draws are formulas of one element.
type draws struct{ *tape.Builder }

func (d draws) mul(x, y tape.Scalar) tape.Scalar { return d.Do(tape.Mul, x, y) }
func (d draws) div(x, y tape.Scalar) tape.Scalar { return d.Do(tape.Div, x, y) }
func (d draws) add(x, y tape.Scalar) tape.Scalar { return d.Do(tape.Add, x, y) }
func (d draws) exp(x tape.Scalar) tape.Scalar    { return d.Do(tape.Exp, x) }
func (d draws) log(x tape.Scalar) tape.Scalar    { return d.Do(tape.Log, x) }

// at is mu + sigma z.
func (d draws) at(mu, sigma, z tape.Scalar) tape.Scalar { return d.add(mu, d.mul(sigma, z)) }

// gamma has rate 1.
func (d draws) gamma(z []tape.Scalar) tape.Scalar { return d.mul(tape.Const(.5), d.Dot(z, z)) }

// ratio is a power of the ratio of two exponential variables, which has a logistic log.
func (d draws) ratio(z []tape.Scalar) tape.Scalar { return d.div(d.gamma(z[:2]), d.gamma(z[2:4])) }

func (d draws) power(x, to tape.Scalar) tape.Scalar { return d.exp(d.mul(to, d.log(x))) }

func (d draws) inv(x tape.Scalar) tape.Scalar { return d.Do(tape.Inv, x) }

// formula of draws.
func drawn(f func(d draws, z, p []tape.Scalar) tape.Scalar) func(b *tape.Builder, z, p []tape.Scalar) tape.Scalar {
	return func(b *tape.Builder, z, p []tape.Scalar) tape.Scalar { return f(draws{b}, z, p) }
}

func around(needs func([]float64) int, centre int, f func(d draws, z, p []tape.Scalar) tape.Scalar) Generator {
	return Generator{Needs: needs, Draw: drawn(f), Centre: centre, Low: -1, High: -1}
}

func unbounded(n int, f func(d draws, z, p []tape.Scalar) tape.Scalar) Generator {
	return Generator{Needs: always(n), Draw: drawn(f), Centre: -1, Low: -1, High: -1}
}

func positive(needs func([]float64) int, f func(d draws, z, p []tape.Scalar) tape.Scalar) Generator {
	return Generator{Needs: needs, Draw: drawn(f), Centre: -1, Low: -1, High: -1, Positive: true}
}

var generators = map[string]Generator{
	"normal":     around(always(1), 0, func(d draws, z, p []tape.Scalar) tape.Scalar { return d.at(p[0], p[1], z[0]) }),
	"std_normal": unbounded(1, func(_ draws, z, _ []tape.Scalar) tape.Scalar { return z[0] }),
	"cauchy": around(always(2), 0, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.at(p[0], p[1], d.div(z[0], z[1]))
	}),
	"student_t": around(shaped(0, .5, 1), 1, func(d draws, z, p []tape.Scalar) tape.Scalar {
		spread := d.Do(tape.Sqrt, d.div(d.mul(tape.Const(2), d.gamma(z[1:])), p[0]))
		return d.at(p[1], p[2], d.div(z[0], spread))
	}),
	"logistic": around(always(4), 0, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.at(p[0], p[1], d.log(d.ratio(z)))
	}),
	"double_exponential": around(always(4), 0, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.at(p[0], p[1], d.Do(tape.Sub, d.gamma(z[:2]), d.gamma(z[2:])))
	}),
	"gumbel": unbounded(2, func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.Do(tape.Sub, p[0], d.mul(p[1], d.log(d.gamma(z))))
	}),
	"uniform": {Needs: always(4), Centre: -1, Low: 0, High: 1, Draw: drawn(func(d draws, z, p []tape.Scalar) tape.Scalar {
		a, b := d.gamma(z[:2]), d.gamma(z[2:])
		return d.div(d.add(d.mul(a, p[0]), d.mul(b, p[1])), d.add(a, b))
	})},
	"lognormal": positive(always(1), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.exp(d.at(p[0], p[1], z[0]))
	}),
	"loglogistic": positive(always(4), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[0], d.power(d.ratio(z), d.inv(p[1])))
	}),
	"gamma": positive(shaped(0, 1, 0), func(d draws, z, p []tape.Scalar) tape.Scalar { return d.div(d.gamma(z), p[1]) }),
	"inv_gamma": positive(shaped(0, 1, 0), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.div(p[1], d.gamma(z))
	}),
	"chi_square": positive(shaped(0, .5, 0), func(d draws, z, _ []tape.Scalar) tape.Scalar {
		return d.mul(tape.Const(2), d.gamma(z))
	}),
	"inv_chi_square": positive(shaped(0, .5, 0), func(d draws, z, _ []tape.Scalar) tape.Scalar {
		return d.div(tape.Const(.5), d.gamma(z))
	}),
	"scaled_inv_chi_square": positive(shaped(0, .5, 0), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.div(d.mul(d.mul(p[0], tape.Const(.5)), d.Do(tape.Square, p[1])), d.gamma(z))
	}),
	"exponential": positive(always(2), func(d draws, z, p []tape.Scalar) tape.Scalar { return d.div(d.gamma(z), p[0]) }),
	"weibull": positive(always(2), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[1], d.power(d.gamma(z), d.inv(p[0])))
	}),
	"frechet": positive(always(2), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[1], d.power(d.gamma(z), d.Do(tape.Neg, d.inv(p[0]))))
	}),
	"rayleigh": positive(always(2), func(d draws, z, p []tape.Scalar) tape.Scalar {
		return d.mul(p[0], d.Do(tape.Sqrt, d.Dot(z, z)))
	}),
	"beta": {Centre: -1, Low: -1, High: -1, Positive: true, Within: true,
		Needs: func(p []float64) int {
			if a, b := halves(p[0]), halves(p[1]); a > 0 && b > 0 {
				return a + b
			}
			return 0
		},
		Draw: drawn(func(d draws, z, p []tape.Scalar) tape.Scalar {
			first, _ := p[0].Const()
			a := d.gamma(z[:halves(first)])
			return d.div(a, d.add(a, d.gamma(z[halves(first):])))
		})},
}

// GammaNeeds is how many normal variables GammaDraw takes for a gamma variable of a shape; 0: none can be made.
func GammaNeeds(shape float64) int { return halves(shape) }

// GammaDraw is the gamma variable, of rate 1, made of normal variables z.
func GammaDraw(b *tape.Builder, z []tape.Scalar) tape.Scalar { return draws{b}.gamma(z) }
