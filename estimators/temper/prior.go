package temper

import (
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/core/spec"
)

// prior holds log(K r_k) of every rung, where r_k is the share of samples that a run aims at for rung k ([RTS] eq. 4).
// A rung holds chains longer if r_k is larger. nil is the uniform prior, for which all are 0.
type prior []float64

var paramPrior = spec.Param{Name: "prior", Type: "string", Default: "uniform", Check: schedule.CanonicalPrior,
	Help: "Shares of its samples that the run aims at for each rung: " + schedule.PriorHelp + "."}

// levels returns log(Zhat_k/r_k) - log(Zhat_1/r_1) of all rungs: eqs 7 and 12 contain Zhat and r only as this quotient.
func (p prior) levels(zhat []float64) []float64 {
	if p == nil {
		return zhat
	}
	y := make([]float64, len(zhat))
	p.setLevels(y, zhat)
	return y
}

// setLevels sets y to the levels. For uniform r it does nothing, as y is zhat itself.
func (p prior) setLevels(y, zhat []float64) {
	for k, x := range p {
		y[k] = zhat[k] - (x - p[0])
	}
}

// over returns x/(K r_k).
func (p prior) over(k int, x float64) float64 {
	if p == nil {
		return x
	}
	return num.Mul(x, num.Exp(-p[k]))
}
