package stan

import (
	"math"

	"logzlab/core/tape"
)

type family struct {
	Name     string
	Discrete bool
	Params   int
	Log      func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar
	LogCDF   func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar
	LogCCDF  func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar
	Check    func(y float64, p []float64) error
}

func zOf(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) numbers {
	return b.Map(tape.Div, b.Map(tape.Sub, y, p[0]), p[1])
}

var families = []family{
	{Name: "normal", Params: 2, Log: func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		half := scale(b, b.Map(tape.Square, zOf(b, y, p...)), -.5)
		return b.Map(tape.Sub, b.Map(tape.Sub, half, b.Map(tape.Log, p[1])), constant(.5*(math.Ln2+logPi)))
	}, LogCDF: func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		return b.Map(tape.LogPhi, zOf(b, y, p...))
	}, LogCCDF: func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		return b.Map(tape.LogPhi, b.Map(tape.Neg, zOf(b, y, p...)))
	}},
	{Name: "bernoulli_logit", Params: 1, Discrete: true, Log: func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		return b.Map(tape.Sub, b.Map(tape.Mul, y, p[0]), b.Map(tape.Softplus, p[0]))
	}},
}
