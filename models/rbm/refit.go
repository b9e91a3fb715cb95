package rbm

import (
	"math"

	"logzlab/core/num"
	"logzlab/models"
)

// refitPrior is the weight of the previous base rates in fitted ones, as a number of rows. It keeps fitted rates away
// from 0 and 1: samples may miss modes, and a unit that is constant in all samples may vary in other modes.
const refitPrior = 20

// canRefit reports whether Refit is offered: the start must use base rates, and the base must not be fitted already.
func (m *Model) canRefit() bool {
	return !m.fitted && m.start != StartBiases && m.start != StartUniform
}

// Refit returns the model with base rates (on_i + 20 p1_i)/(n + 20), where unit i is on in on_i of n rows. p1 is
// clipped to [.05, .95] in this formula, because a unit that is off in all data may be on in modes that the rows do not
// cover.
func (m *Model) Refit(on []float64, n int) models.Model {
	return m.withBaseLogits(func(i int) float64 {
		p1 := clipped(num.Sigmoid(num.Mul(float64(m.baseLogits[i]), m.unit)))
		return num.Logit((on[i] + num.Mul(refitPrior, p1)) / float64(n+refitPrior))
	})
}

// Uniform returns the model with base rates of 1/2: the base is uniform.
func (m *Model) Uniform() models.Model { return m.withBaseLogits(func(int) float64 { return 0 }) }

// withBaseLogits returns the model with the base rates whose logits are logit(i).
func (m *Model) withBaseLogits(logit func(i int) float64) *Model {
	q := &Model{info: m.info, M: m.M, J: m.J, Joint: m.Joint, unit: m.unit, w: m.w, b: m.b, c: m.c,
		truth: m.truth, data: m.data, order: m.order, rates: m.rates,
		start: m.start, baseSource: m.baseSource, fitted: true}
	net := *m.net
	q.net = &net
	q.setBase(logit)
	return q
}

// setBase sets the base to the logits, rounded to multiples of 2^-s.
func (m *Model) setBase(logit func(i int) float64) {
	m.baseLogits, m.net.Base, m.logNorm = make([]int32, m.M), make([]float32, m.M), 0
	_, s := math.Frexp(m.unit)
	for i := range m.baseLogits {
		quantise(m.baseLogits[i:i+1], []float64{logit(i)}, 1-s, 0)
		x := num.Mul(float64(m.baseLogits[i]), m.unit)
		m.net.Base[i] = float32(x)
		m.logNorm -= num.Softplus(x)
	}
	m.net.G = m.baseLogits
}

// RowCapabilities returns all capabilities of rows except Points and Estimate.
func (p *population) RowCapabilities() models.RowCapabilities {
	return models.RowCapabilities{Slopes: p, Data: p, DrawTarget: p.DrawTarget, AddMoments: p.AddMoments, RefitSums: p.RefitSums,
		FlipUnits: p.FlipUnits}
}

// AddMoments adds the visible units of row r to sum, and their squares to squares, with a weight.
func (p *population) AddMoments(sum, squares []float64, r int, weight float64) {
	v, _, _, _ := p.Row(r)
	for i, x := range v {
		if x > 0 {
			sum[i] += weight
			squares[i] += weight
		}
	}
}

// RefitSums returns, for each visible unit, the number of rows in which it is on.
func (p *population) RefitSums() []float64 {
	on := make([]float64, p.m.M)
	for r := range p.LinC {
		v, _, _, _ := p.Row(r)
		for i, x := range v {
			on[i] += float64(x)
		}
	}
	return on
}
