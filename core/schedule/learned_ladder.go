package schedule

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// Parts of the ladders of the schedules gms13.
const parts = 9

// ladder is a ladder that follows from what a pilot found.
func (p *PathStats) ladder(of parsed, k int) ([]float64, error) {
	if p == nil || of.name == "adaptive" && len(p.Steps) == 0 {
		return nil, problem.New("schedule %s: its ladder is known after a pilot", of.name)
	}
	switch of.name {
	case "gms13":
		return p.byParts(p.Mean, k)
	case "gms13-marginal":
		return p.byParts(p.risen(), k)
	case "adaptive":
		rho := make([]float64, len(p.Steps))
		for i, d := range p.Steps {
			rho[i] = 1 / d
		}
		return Invert(p.Betas, rho, k), nil
	}
	if of.name == "friction" {
		return Optimal(p.Betas, p.Friction(), k), nil
	}
	b := Optimal(p.Betas, p.Var, k)
	switch {
	case of.name == "varopt-eta":
		return Decelerate(b, of.x)
	case math.IsInf(of.x, 1):
		return b, nil
	}
	return Decelerate(b, of.x/float64(k-1))
}

// byParts is Moments by the values of y at the ends of even parts. y rises along the path. Where it falls in the first
// part, the steps of the pilot's first knots, 1e-11 and more, were shorter than the single precision of a kernel tells
// apart, and the part begins at the lowest value.
func (p *PathStats) byParts(y []float64, k int) ([]float64, error) {
	knots, means := make([]float64, parts+1), make([]float64, parts+1)
	for i := range knots {
		knots[i] = float64(i) / parts
		means[i] = p.at(y, knots[i])
	}
	for i := 0; p.Betas[i] < knots[1]; i++ {
		means[0] = min(means[0], y[i])
	}
	return Moments(knots, means, k)
}

// risen is the integral of g, which rises as the means do where nothing is summed out. The symmetric divergence of
// neighbouring knots of the marginal path is the distance of the knots times its rise, to second order in the distance.
func (p *PathStats) risen() []float64 {
	sum := make([]float64, len(p.Betas))
	for i := 1; i < len(sum); i++ {
		sum[i] = sum[i-1] + float64((p.Betas[i]-p.Betas[i-1])*(p.Var[i]+p.Var[i-1])/2)
	}
	return sum
}

// Friction is Var times Lags where these are known.
func (p *PathStats) Friction() []float64 {
	if p.Lags == nil {
		return p.Var
	}
	out := make([]float64, len(p.Var))
	for k, g := range p.Var {
		out[k] = num.Mul(g, p.Lags[k])
	}
	return out
}
