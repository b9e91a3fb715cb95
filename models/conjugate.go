package models

import (
	"encoding/binary"
	"math"

	"logzlab/core/json"
	"logzlab/core/modelfile"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/rng"
	"logzlab/core/spec"
)

// posterior is prior x likelihood of a conjugate pair, so that every power posterior has its constant in closed form.
type posterior interface {
	// density has the prior, normalised, as base, and prior x likelihood as target, with exact draws of both.
	density() Density
	// logZ is the log of the integral of prior x likelihood^beta, in nats.
	logZ(beta float64) float64
	// cost is the time of a log density and of its gradient.
	cost() float64
	// hills are where the prior and the posterior lie, in as many coordinates as they have.
	hills() (prior, post Hill)
}

// Conjugate is a Bayesian model with conjugate prior on the path prior x likelihood^beta (power posteriors,
// [Friel2014]), whose log Z, the log evidence at beta = 1, is known along the whole path. A pilot finds its steps.
type Conjugate struct {
	*Space
	p     posterior
	truth Truth
}

// conjugateTraits are those of their kinds: a posterior has one mode in the coordinates used here.
func conjugateTraits(a Axes) Traits {
	return Traits{Look: Points, Axes: a, OneMode: true, QuickLadder: true}
}

// conjugateParams choose the kernel.
var conjugateParams = []spec.Param{
	{Name: "moves", Type: "int", Default: "2", Min: 1, Max: 10000, For: spec.Moves,
		Help: "Transitions in one sweep."},
	{Name: "proposal", Type: "choice", Default: "hmc", Choices: []string{"hmc", "hmc_tuned", "mh"}, For: spec.Moves,
		Help: mixtureProposal},
	ParamLeaps.When("proposal", "hmc", "hmc_tuned"),
}

func newConjugate(info Info, p posterior, v spec.Values) (Model, error) {
	k := Kernel{Name: "hmc", Moves: 2, Leaps: v.Int("leaps")}
	if v["proposal"] != "" {
		k.Name = v["proposal"]
	}
	if v["moves"] != "" {
		k.Moves = v.Int("moves")
	}
	s, err := NewSpace(info, p.density(), k)
	if err != nil {
		return nil, err
	}
	return &Conjugate{s, p, Truth{p.logZ(1), "closed form"}}, nil
}

// Truth is the log evidence.
func (m *Conjugate) Truth() *Truth { return &m.truth }

// LadderLogZ is log of the integral of prior x likelihood^beta.
func (m *Conjugate) LadderLogZ(betas []float64) ([]float64, error) {
	out := make([]float64, len(betas))
	for k, beta := range betas {
		out[k] = m.p.logZ(beta)
	}
	return out, nil
}

// Flat is the model itself where it has two dimensions.
func (m *Conjugate) Flat() (Flat, func(beta float64) float64) {
	if m.d.Dim != 2 {
		return nil, nil
	}
	return m, func(float64) float64 { return 0 }
}

// Hills are the posterior, and the prior.
func (m *Conjugate) Hills() ([]Hill, Hill) {
	prior, post := m.p.hills()
	return []Hill{post}, prior
}

// Cost counts the gradients of Hamiltonian transitions.
func (m *Conjugate) Cost() Cost {
	c := pointsCost(m.d.Dim, m.k.Moves, m.p.cost())
	c.Sweep = m.sweepCost(c.Sweep, m.p.cost(), m.p.cost())
	return c
}

// need reads a number that a file of a kind must have, from lo to hi.
func need[T int | float64](f *modelfile.Fields, kind, name string, read func(json.Value) (T, error), lo, hi T) T {
	x := modelfile.Maybe(f, name, read)
	switch {
	case f.Err != nil:
	case x == nil:
		f.Err = problem.New("%s file: %s is missing; it must be a number between %v and %v", kind, name, lo, hi)
	case !(*x >= lo && *x <= hi):
		f.Err = problem.New("%s file: %s = %v must be between %v and %v", kind, name, *x, lo, hi)
	default:
		return *x
	}
	return 0
}

// dataID tells data apart by their bits. kind is what their probability is a density of, or a mass: only of one kind
// are they the same data.
func dataID(kind string, y ...float64) string {
	b := []byte(kind)
	for _, v := range y {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v+0)) // no minus zero
	}
	return modelfile.ID(b)
}

// Kinds of data.
const (
	dataNumbers = "numbers" // with a density
	dataLabels  = "labels"  // 0 or 1 each
	dataCounts  = "counts"
)

// logGammaDraw is the log of a draw from the gamma distribution with a shape and scale 1 ([Marsaglia2000]). For shapes
// below 1 it is log(G U^(1/shape)), G of shape + 1, which does not underflow.
func logGammaDraw(s *rng.Stream, shape float64) float64 {
	boost := 0.0
	if shape < 1 {
		boost = num.Log(s.Float64()) / shape
		shape++
	}
	d := shape - 1./3
	c := 1 / math.Sqrt(num.Mul(9, d))
	for {
		x := s.Norm()
		v := 1 + num.Mul(c, x)
		if v <= 0 {
			continue
		}
		logV := num.Mul(3, num.Log(v))
		v = num.Mul(v, v*v)
		if num.Log(s.Float64()) < float64(num.Mul(x, x)/2)+num.Mul(d, 1-v+logV) {
			return num.Log(d) + logV + boost
		}
	}
}
