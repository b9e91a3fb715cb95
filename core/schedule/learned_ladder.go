package schedule

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
)

// gms13Parts is the number of intervals between knots in the schedules gms13 and gms13-marginal.
const gms13Parts = 9

// ladder returns the ladder of k temperatures of a schedule that needs a pilot. p may be nil, which is an error.
func (p *PathStats) ladder(schedule parsed, k int) ([]float64, error) {
	if p == nil || schedule.name == "adaptive" && len(p.Steps) == 0 {
		return nil, problem.New("schedule %s: its ladder is known after a pilot", schedule.name)
	}
	switch schedule.name {
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
	if schedule.name == "friction" {
		return Optimal(p.Betas, p.Friction(), k), nil
	}
	b := Optimal(p.Betas, p.Var, k)
	switch {
	case schedule.name == "varopt-eta":
		return Decelerate(b, schedule.x)
	case math.IsInf(schedule.x, 1):
		return b, nil
	}
	return Decelerate(b, schedule.x/float64(k-1))
}

// momentsLadder is Moments with gms13Parts + 1 evenly spaced knots and as means the values of y there; y is given at
// the knots of p and increases along the path. Within the first interval y may decrease, because steps of the pilot
// from 1e-11 on are below the single precision of a kernel; the first mean is then the lowest value in the interval.
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

// varianceIntegral returns the integral of g from 0 to each knot, which equals the increase of the mean if nothing is
// summed out. With hidden variables summed out, the symmetric divergence of neighbouring knots is the distance of the
// knots times the increase of this integral, to second order in the distance.
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
