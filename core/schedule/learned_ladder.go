package schedule

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// gms13Parts is the number of parts of the ladders of the schedules gms13.
const gms13Parts = 9

// ladder returns the ladder of k temperatures for a schedule that needs a pilot.
func (p *PathStats) ladder(of parsed, k int) ([]float64, error) {
	if p == nil || of.name == "adaptive" && len(p.Steps) == 0 {
		return nil, problem.New("schedule %s: its ladder is known after a pilot", of.name)
	}
	switch of.name {
	case "gms13":
		return p.momentsLadder(p.Mean, k)
	case "gms13-marginal":
		return p.momentsLadder(p.varianceIntegral(), k)
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

// momentsLadder is Moments for the values of y, which increases along the path, at the ends of even parts. If y
// decreases within the first part, the steps of the pilot's first knots, 1e-11 and more, were below the single
// precision of a kernel, and the part starts at the lowest value.
func (p *PathStats) momentsLadder(y []float64, k int) ([]float64, error) {
	knots, means := make([]float64, gms13Parts+1), make([]float64, gms13Parts+1)
	for i := range knots {
		knots[i] = float64(i) / gms13Parts
		means[i] = p.valueAt(y, knots[i])
	}
	for i := 0; p.Betas[i] < knots[1]; i++ {
		means[0] = min(means[0], y[i])
	}
	return Moments(knots, means, k)
}

// varianceIntegral returns the integral of g, which equals the increase of the mean if nothing is summed out. The
// symmetric divergence of neighbouring knots of the marginal path is the distance of the knots times this increase, to
// second order in the distance.
func (p *PathStats) varianceIntegral() []float64 {
	sum := make([]float64, len(p.Betas))
	for i := 1; i < len(sum); i++ {
		sum[i] = sum[i-1] + float64((p.Betas[i]-p.Betas[i-1])*(p.Var[i]+p.Var[i-1])/2)
	}
	return sum
}

// Friction returns Var times AutocorrTimes, or Var if these are unknown.
func (p *PathStats) Friction() []float64 {
	if p.AutocorrTimes == nil {
		return p.Var
	}
	out := make([]float64, len(p.Var))
	for k, g := range p.Var {
		out[k] = num.Mul(g, p.AutocorrTimes[k])
	}
	return out
}
