package mixture

import (
	"fmt"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/models"
	"logzlab/models/density"
)

// Gaussian is a Gaussian mixture with a known normalising constant ([RTS] sec. 4.1),
//
//	f(x) = exp(logC) sum_j w_j N(x; m_j, s_j^2 I),  log Z = logC,
//
// on the geometric path from the base N(0, s0^2 I). The kernel is random-walk Metropolis-Hastings with Moves steps in a
// sweep, whose proposals have the standard deviation 2.38/sqrt(d) (beta/s^2 + (1-beta)/s0^2)^(-1/2), s^2 = sum_j w_j
// s_j^2; or, as in [RTS], Hamiltonian Monte Carlo, with step sizes and numbers of steps from a tuning run
// (density.Space).
type Gaussian struct {
	*density.Space
	f            GaussianParams
	logWeights   []float64 // log w_j - d log s_j - (d/2) log 2pi + logC
	logBaseNorm  float64   // -d log s0 - (d/2) log 2pi
	meanVariance float64   // sum_j w_j s_j^2
}

// NewGaussian makes a mixture with the kernel mh, hmc or hmc_tuned.
func NewGaussian(f GaussianParams, k density.Kernel) (*Gaussian, error) {
	return newGaussian(models.Info{Kind: GaussianKind.Name}, f, k)
}

// newGaussian is NewGaussian with a description of the model.
func newGaussian(info models.Info, f GaussianParams, k density.Kernel) (*Gaussian, error) {
	if k.Moves < 1 {
		return nil, fmt.Errorf("gmm: moves = %d must be at least 1", k.Moves)
	}
	m := &Gaussian{f: f, logWeights: make([]float64, len(f.Weights))}
	half := num.Mul(float64(f.D), 0.5*num.Log2Pi)
	for j, w := range f.Weights {
		m.logWeights[j] = num.Log(w) - num.Mul(float64(f.D), num.Log(f.SDs[j])) - half + f.LogC
		m.meanVariance += num.Mul(w, f.SDs[j]*f.SDs[j])
	}
	m.logBaseNorm = -num.Mul(float64(f.D), num.Log(f.BaseSD)) - half
	if k.Name != "hmc" && k.Name != "hmc_tuned" {
		k.Step = m.step
	}
	var err error
	m.Space, err = density.New(info, density.Density{Dim: f.D, LogBase: m.logBase, LogF: m.logF, GradBase: m.gradBase,
		Grad: m.grad, DrawBase: m.drawBase, DrawTarget: m.drawTarget, Centred: true, Plane: meanPlane(f.Means)}, k)
	return m, err
}

// minHMCDims is the dimension from which on Faster replaces a random walk by tuned Hamiltonian Monte Carlo. The
// autocorrelation time of a random walk is about as many sweeps as there are dimensions.
const minHMCDims = 16

// Faster returns the mixture with tuned Hamiltonian Monte Carlo if it has many dimensions and a random walk as kernel,
// otherwise the mixture itself.
func (m *Gaussian) Faster() models.Model {
	if m.f.D < minHMCDims || m.Kernel().Name != "mh" {
		return m
	}
	faster, err := newGaussian(m.Info(), m.f, density.Kernel{Name: "hmc_tuned", Moves: m.Kernel().Moves})
	if err != nil {
		return m
	}
	return faster
}

// Capabilities returns those of density.Space, with exact values, a lower bound, a faster kernel and the plane of
// pictures.
func (m *Gaussian) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Exact.Truth, c.Exact.LadderLogZ = m.Truth, m.LadderLogZ
	c.Bounds.Floor, c.Kernel.Faster, c.Picture.Plane, c.Cost = m.Floor, m.Faster, m.plane, m.Cost
	if hills := m.f.hills(); hills != nil {
		if _, err := frame.ReadHills(frame.HillsText(hills)); err == nil { // within the limits of the parameter
			c.Picture.Hills = m.f.hills
		}
	}
	return c
}

// Truth returns log Z, which is logC.
func (m *Gaussian) Truth() *models.Truth { return &models.Truth{LogZ: m.f.LogC, Source: "closed form"} }

// Components returns the components of the mixture, and the base as one component.
func (m *Gaussian) Components() (target []models.Component, base models.Component) {
	for j, w := range m.f.Weights {
		target = append(target, models.Component{Mean: m.f.Means[j], SD: repeated(m.f.D, m.f.SDs[j]), Weight: w})
	}
	return target, models.Component{Mean: repeated(m.f.D, 0), SD: repeated(m.f.D, m.f.BaseSD), Weight: 1}
}

// meanPlane returns two orthonormal directions onto which pictures of more than two dimensions are projected: a basis
// of the span of the first means, completed by a coordinate direction if this span is a line. It returns nil for at
// most two dimensions.
func meanPlane(means [][]float64) [][]float64 {
	d := len(means[0])
	if d <= 2 {
		return nil
	}
	axes := [][]float64{make([]float64, d), make([]float64, d)}
	axes[0][0], axes[1][1] = 1, 1
	return span(slices.Concat(means, axes), 2)
}

// plane returns the marginal of the path in meanPlane, and log Z(beta) of the orthogonal directions. The marginal is a
// mixture if all means lie in that plane and all s_j are equal to s. Then every f_beta is the product of a density in
// the plane and a Gaussian orthogonal to it, with log Z(beta) = (d-2) ((beta-1) log s0 - beta log s - log(beta/s^2 +
// (1-beta)/s0^2)/2). In other cases plane returns nil.
func (m *Gaussian) plane() (models.PlaneModel, func(beta float64) float64) {
	f := m.f
	if f.D == 2 {
		return m, func(float64) float64 { return 0 }
	}
	plane, s := meanPlane(f.Means), f.SDs[0]
	if plane == nil || len(span(f.Means, 3)) > 2 || slices.Max(f.SDs) != slices.Min(f.SDs) {
		return nil, nil
	}
	f.D, f.Means = 2, nil
	for _, mean := range m.f.Means {
		f.Means = append(f.Means, []float64{num.Dot(plane[0], mean), num.Dot(plane[1], mean)})
	}
	planar, err := NewGaussian(f, density.Kernel{Moves: 1})
	if err != nil {
		return nil, nil
	}
	return planar, func(beta float64) float64 {
		precision := beta/num.Mul(s, s) + (1-beta)/num.Mul(f.BaseSD, f.BaseSD)
		return num.Mul(float64(m.f.D-2), num.Mul(beta-1, num.Log(f.BaseSD))-num.Mul(beta, num.Log(s))-
			float64(num.Log(precision)/2))
	}
}

// step returns the standard deviation of proposals of the random walk at beta.
func (m *Gaussian) step(beta float64) float64 {
	precision := beta/m.meanVariance + (1-beta)/num.Mul(m.f.BaseSD, m.f.BaseSD)
	return 2.38 / math.Sqrt(num.Mul(float64(m.f.D), precision))
}

// logBase returns the log density of the base at x.
func (m *Gaussian) logBase(x []float64) float64 {
	square := 0.0
	for _, v := range x {
		square += num.Mul(v, v)
	}
	return m.logBaseNorm - square/num.Mul(2, num.Mul(m.f.BaseSD, m.f.BaseSD))
}

// gradBase sets out to the gradient of logBase at x.
func (m *Gaussian) gradBase(x, out []float64) {
	for i, v := range x {
		out[i] = -v / num.Mul(m.f.BaseSD, m.f.BaseSD)
	}
}

// maxStackTerms is the number of components up to which a log density allocates no heap memory.
const maxStackTerms = 8

// logTerms returns the log of w_j N(x; m_j, s_j^2 I) exp(logC) for each component j, stored in buf if it is long
// enough.
func (m *Gaussian) logTerms(x, buf []float64) []float64 {
	if len(m.logWeights) > len(buf) {
		buf = make([]float64, len(m.logWeights))
	}
	meter.Pulse(float64(len(m.logWeights)) * float64(len(x)+20))
	for j, mean := range m.f.Means {
		q := 0.0
		for i, v := range x {
			d := v - mean[i]
			q += num.Mul(d, d)
		}
		buf[j] = m.logWeights[j] - q/num.Mul(2, num.Mul(m.f.SDs[j], m.f.SDs[j]))
	}
	return buf[:len(m.logWeights)]
}

// logF returns log f at x.
func (m *Gaussian) logF(x []float64) float64 {
	var buf [maxStackTerms]float64
	return num.LogSumExp(m.logTerms(x, buf[:]))
}

// grad sets out to the gradient of logF at x, sum_j r_j (m_j - x) / s_j^2, where r_j is the posterior probability of
// component j given x.
func (m *Gaussian) grad(x, out []float64) {
	var room [maxStackTerms]float64
	terms := m.logTerms(x, room[:])
	logSum := num.LogSumExp(terms)
	clear(out)
	for j, t := range terms {
		weight := num.Exp(t-logSum) / num.Mul(m.f.SDs[j], m.f.SDs[j])
		for i, v := range x {
			out[i] += num.Mul(weight, m.f.Means[j][i]-v)
		}
	}
}

// drawBase sets x to a sample of the base.
func (m *Gaussian) drawBase(s *rng.Stream, x []float64) {
	for i := range x {
		x[i] = num.Mul(m.f.BaseSD, s.Norm())
	}
}

// drawTarget sets x to a sample of the mixture.
func (m *Gaussian) drawTarget(s *rng.Stream, x []float64) {
	u, j := s.Float64(), 0
	for ; j < len(m.f.Weights)-1 && u >= m.f.Weights[j]; j++ {
		u -= m.f.Weights[j]
	}
	for i := range x {
		x[i] = m.f.Means[j][i] + num.Mul(m.f.SDs[j], s.Norm())
	}
}

// Floor returns the log Z of the heaviest component in nats, and its kind. It is a lower bound, because f is at least
// the density of this component everywhere.
func (m *Gaussian) Floor(func() bool) (float64, string) {
	best := 0.0
	for _, w := range m.f.Weights {
		best = max(best, w)
	}
	return m.f.LogC + num.Log(best), models.FloorComponent
}
