package conjugate

import (
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// posterior is the product prior x likelihood of a conjugate pair, for which prior x likelihood^beta has a normalising
// constant in closed form at every beta.
type posterior interface {
	// density returns the normalised prior as base and prior x likelihood as target, with exact draws of both.
	density() density.Density
	// logZ returns the log of the integral of prior x likelihood^beta, in nats.
	logZ(beta float64) float64
	// cost returns the time of a log density, or of its gradient, in nanoseconds.
	cost() float64
	// components returns the prior and the posterior with their means and standard deviations in all coordinates.
	components() (prior, post models.Component)
}

// Model is a Bayesian model with conjugate prior on the path prior x likelihood^beta (power posteriors, [Friel2014]).
// log Z(beta) is known along the whole path; at beta = 1 it is the log evidence. A tuning run finds the steps of the
// kernel.
type Model struct {
	*density.Space
	p     posterior // conjugate pair
	truth models.Truth
}

// traits returns the traits of the kinds of this package. In the coordinates used here every posterior is unimodal.
func traits(a models.Axes) models.Traits {
	return models.Traits{Look: models.Points, Axes: a, Unimodal: true, FastLadderLogZ: true,
		Use: spec.Fits}
}

// params are the parameters of all kinds of this package.
var params = []spec.Param{
	{Name: "moves", Type: "int", Default: "2", Min: 1, Max: 10000, For: spec.Moves,
		Help: "Transitions in one sweep."},
	{Name: "proposal", Type: "choice", Default: "hmc", Choices: []string{"hmc", "hmc_tuned", "mh"}, For: spec.Moves,
		Help: density.ProposalHelp},
	density.ParamLeaps.When("proposal", "hmc", "hmc_tuned"),
}

// newModel returns the model of a conjugate pair for the parameters v.
func newModel(info models.Info, p posterior, v spec.Values) (models.Model, error) {
	k := density.Kernel{Name: "hmc", Moves: 2}
	v.Fill(&k)
	d := p.density()
	d.Unimodal = true
	s, err := density.New(info, d, k)
	if err != nil {
		return nil, err
	}
	return &Model{s, p, models.Truth{LogZ: p.logZ(1), Source: "closed form"}}, nil
}

// Capabilities returns those of density.Space, with exact values and, in two dimensions, the plane of pictures.
func (m *Model) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Exact.Truth, c.Exact.LadderLogZ, c.Cost = m.Truth, m.LadderLogZ, m.Cost
	if m.Info().Dim == 2 {
		c.Picture.Plane = m.plane
	}
	return c
}

// Truth returns the log evidence.
func (m *Model) Truth() *models.Truth { return &m.truth }

// LadderLogZ returns the log of the integral of prior x likelihood^beta at every beta, in nats.
func (m *Model) LadderLogZ(betas []float64) ([]float64, error) {
	out := make([]float64, len(betas))
	for k, beta := range betas {
		out[k] = m.p.logZ(beta)
	}
	return out, nil
}

// plane returns the model itself, which has two dimensions; there are no orthogonal directions, so their log Z is 0.
func (m *Model) plane() (models.PlaneModel, func(beta float64) float64) {
	return m, func(float64) float64 { return 0 }
}

// Components returns the posterior as target and the prior as base.
func (m *Model) Components() ([]models.Component, models.Component) {
	prior, post := m.p.components()
	return []models.Component{post}, prior
}

// Cost returns the memory and time of rows, with the gradients of Hamiltonian transitions.
func (m *Model) Cost() models.Cost {
	c := models.PointsCost(m.Info().Dim, m.Kernel().Moves, m.p.cost())
	c.Sweep = m.SweepCost(c.Sweep, m.p.cost(), m.p.cost())
	return c
}
