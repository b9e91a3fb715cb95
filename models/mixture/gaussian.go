package mixture

import (
	"fmt"
	"math"
	"slices"

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
// on the geometric path from p1 = N(0, s0^2 I). Its kernel is random-walk
// Metropolis-Hastings, Moves steps a sweep, with the step
// 2.38/sqrt(d) (beta/s^2 + (1-beta)/s0^2)^(-1/2), s^2 = sum_j w_j s_j^2; or, as in the
// paper, Hamiltonian Monte Carlo, with step sizes and numbers of steps that a tuning run finds (Space).
type Gaussian struct {
	*density.Space
	f      GaussianParams
	logw   []float64 // log w_j - d log s_j - (d/2) log 2pi + logC
	log0   float64   // -d log s0 - (d/2) log 2pi
	meanSS float64   // sum_j w_j s_j^2
}

// NewGaussian makes a mixture with a kernel: mh, hmc or hmc_tuned.
func NewGaussian(f GaussianParams, k density.Kernel) (*Gaussian, error) {
	return newGaussian(models.Info{Kind: GaussianKind.Name}, f, k)
}

func newGaussian(info models.Info, f GaussianParams, k density.Kernel) (*Gaussian, error) {
	if k.Moves < 1 {
		return nil, fmt.Errorf("gmm: moves = %d must be at least 1", k.Moves)
	}
	m := &Gaussian{f: f, logw: make([]float64, len(f.Weights))}
	half := num.Mul(float64(f.D), 0.5*num.Log2Pi)
	for j, w := range f.Weights {
		m.logw[j] = num.Log(w) - num.Mul(float64(f.D), num.Log(f.SDs[j])) - half + f.LogC
		m.meanSS += num.Mul(w, f.SDs[j]*f.SDs[j])
	}
	m.log0 = -num.Mul(float64(f.D), num.Log(f.BaseSD)) - half
	if k.Name != "hmc" && k.Name != "hmc_tuned" {
		k.Step = m.step
	}
	var err error
	m.Space, err = density.New(info, density.Density{Dim: f.D, LogBase: m.logBase, LogF: m.logF, SlopeBase: m.slopeBase,
		Slope: m.slope, DrawBase: m.drawBase, DrawTarget: m.drawTarget, Centred: true, Plane: hillPlane(f.Means)}, k)
	return m, err
}

// manyDimensions is the dimension from which on tuned Hamiltonian Monte Carlo is used in place of a random walk, which
// takes about as many sweeps as there are dimensions to forget where it was.
const manyDimensions = 16

// Faster moves by tuned Hamiltonian Monte Carlo in place of a random walk where there are many dimensions.
func (m *Gaussian) Faster() models.Model {
	if m.f.D < manyDimensions || m.Kernel().Name != "mh" {
		return m
	}
	fast, err := newGaussian(m.Info(), m.f, density.Kernel{Name: "hmc_tuned", Moves: m.Kernel().Moves})
	if err != nil {
		return m
	}
	return fast
}

// Capabilities adds the exact log Z along the path to those of density.Space.
func (m *Gaussian) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Exact.Truth, c.Exact.LadderLogZ = m.Truth, m.LadderLogZ
	c.Bounds.Floor, c.Kernel.Faster, c.Picture.Plane, c.Cost = m.Floor, m.Faster, m.plane, m.Cost
	return c
}

// Truth is logC, by construction.
func (m *Gaussian) Truth() *models.Truth { return &models.Truth{LogZ: m.f.LogC, Source: "closed form"} }

// Hills are the components, and the base.
func (m *Gaussian) Components() (hills []models.Component, base models.Component) {
	for j, w := range m.f.Weights {
		hills = append(hills, models.Component{Mean: m.f.Means[j], SD: corner(m.f.D, m.f.SDs[j]), Weight: w})
	}
	return hills, models.Component{Mean: corner(m.f.D, 0), SD: corner(m.f.D, m.f.BaseSD), Weight: 1}
}

// hillPlane are two directions that the hills are seen along in more than two dimensions: the span of the first means,
// and if that is a line, a direction across it.
func hillPlane(means [][]float64) [][]float64 {
	d := len(means[0])
	if d <= 2 {
		return nil
	}
	across := [][]float64{make([]float64, d), make([]float64, d)}
	across[0][0], across[1][1] = 1, 1
	return span(slices.Concat(means, across), 2)
}

// plane is the marginal of the path in the plane of the hills. It is a mixture where the means lie in that plane and the
// hills are equally wide: then every f_beta is a product of a density in the plane and a Gaussian across it, for which
// log Z(beta) is (d-2) ((beta-1) log s0 - beta log s - log(beta/s^2 + (1-beta)/s0^2)/2).
func (m *Gaussian) plane() (models.PlaneModel, func(beta float64) float64) {
	f := m.f
	if f.D == 2 {
		return m, func(float64) float64 { return 0 }
	}
	plane, s := hillPlane(f.Means), f.SDs[0]
	if plane == nil || len(span(f.Means, 3)) > 2 || slices.Max(f.SDs) != slices.Min(f.SDs) {
		return nil, nil
	}
	f.D, f.Means = 2, nil
	for _, mean := range m.f.Means {
		f.Means = append(f.Means, []float64{num.Dot(plane[0], mean), num.Dot(plane[1], mean)})
	}
	flat, err := NewGaussian(f, density.Kernel{Moves: 1})
	if err != nil {
		return nil, nil
	}
	return flat, func(beta float64) float64 {
		precision := beta/num.Mul(s, s) + (1-beta)/num.Mul(f.BaseSD, f.BaseSD)
		return num.Mul(float64(m.f.D-2), num.Mul(beta-1, num.Log(f.BaseSD))-num.Mul(beta, num.Log(s))-
			float64(num.Log(precision)/2))
	}
}

// step is the random walk's.
func (m *Gaussian) step(beta float64) float64 {
	prec := beta/m.meanSS + (1-beta)/num.Mul(m.f.BaseSD, m.f.BaseSD)
	return 2.38 / math.Sqrt(num.Mul(float64(m.f.D), prec))
}

func (m *Gaussian) logBase(x []float64) float64 {
	rr := 0.0
	for _, v := range x {
		rr += num.Mul(v, v)
	}
	return m.log0 - rr/num.Mul(2, num.Mul(m.f.BaseSD, m.f.BaseSD))
}

func (m *Gaussian) slopeBase(x, out []float64) {
	for i, v := range x {
		out[i] = -v / num.Mul(m.f.BaseSD, m.f.BaseSD)
	}
}

// onStack is the number of components whose densities need no memory of the heap.
const onStack = 8

// terms are the log densities of the components, in room if they fit.
func (m *Gaussian) terms(x, room []float64) []float64 {
	if len(m.logw) > len(room) {
		room = make([]float64, len(m.logw))
	}
	meter.Pulse(float64(len(m.logw)) * float64(len(x)+20))
	for j, mean := range m.f.Means {
		q := 0.0
		for i, v := range x {
			d := v - mean[i]
			q += num.Mul(d, d)
		}
		room[j] = m.logw[j] - q/num.Mul(2, num.Mul(m.f.SDs[j], m.f.SDs[j]))
	}
	return room[:len(m.logw)]
}

func (m *Gaussian) logF(x []float64) float64 {
	var room [onStack]float64
	return num.LogSumExp(m.terms(x, room[:]))
}

// slope is sum_j r_j (m_j - x) / s_j^2, r_j the share of component j at x.
func (m *Gaussian) slope(x, out []float64) {
	var room [onStack]float64
	terms := m.terms(x, room[:])
	whole := num.LogSumExp(terms)
	clear(out)
	for j, t := range terms {
		pull := num.Exp(t-whole) / num.Mul(m.f.SDs[j], m.f.SDs[j])
		for i, v := range x {
			out[i] += num.Mul(pull, m.f.Means[j][i]-v)
		}
	}
}

func (m *Gaussian) drawBase(s *rng.Stream, x []float64) {
	for i := range x {
		x[i] = num.Mul(m.f.BaseSD, s.Norm())
	}
}

func (m *Gaussian) drawTarget(s *rng.Stream, x []float64) {
	u, j := s.Float64(), 0
	for ; j < len(m.f.Weights)-1 && u >= m.f.Weights[j]; j++ {
		u -= m.f.Weights[j]
	}
	for i := range x {
		x[i] = m.f.Means[j][i] + num.Mul(m.f.SDs[j], s.Norm())
	}
}

// Floor is log f's heaviest component: f is at least that everywhere.
func (m *Gaussian) Floor(func() bool) (float64, string) {
	best := 0.0
	for _, w := range m.f.Weights {
		best = max(best, w)
	}
	return m.f.LogC + num.Log(best), models.FloorComponent
}
