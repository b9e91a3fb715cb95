package rbm

import (
	"slices"

	"logzlab/core/num"
	"logzlab/models"
)

// Choices of the base, that is, of the probabilities p1 of the visible units. Unit i is on in n_i of the N rows of the
// training data. If a file has p1 and no means of the data, p1 replaces n_i/N.
const (
	StartRates    = "rates"    // (n_i + 1/2)/(N + 1)
	StartSmoothed = "smoothed" // (n_i/N + .05)/1.05, as in the code of [Salakhutdinov2008]
	StartClipped  = "clipped"  // n_i/N within [.05, .95]
	StartBiases   = "biases"   // the logistic of the visible biases
	StartUniform  = "uniform"  // 1/2
	StartFitted   = "fitted"   // fitted to approximate samples of the target (Refit), which start from the default
)

// Starts lists the choices, the default first.
var Starts = []string{StartClipped, StartRates, StartSmoothed, StartBiases, StartUniform, StartFitted}

// Rates are kept away from 0 and 1 by 1/(2 maxRows) if N is known, otherwise by minRate. The fixed-point format can
// represent the logits of such rates (maxShift).
const (
	minRate = 1e-5
	maxRows = 1e6
)

// BaseRates returns the base rates of a choice of Starts other than biases: means are n_i/N, rows is N, or 0 if
// unknown. The choice "" is the default.
func BaseRates(start string, means []float64, rows int) []float64 {
	p, lowest := slices.Clone(means), minRate
	if rows > 0 {
		lowest = .5 / maxRows
	}
	for i, x := range p {
		switch start {
		case StartRates:
			if rows > 0 {
				x = (num.Mul(x, float64(rows)) + .5) / float64(rows+1)
			}
			p[i] = min(max(x, lowest), 1-lowest)
		case StartSmoothed:
			p[i] = min((x+.05)/1.05, 1-minRate)
		case StartUniform:
			p[i] = .5
		default:
			p[i] = clipped(x)
		}
	}
	return p
}

// clipped returns the rate within [.05, .95].
func clipped(rate float64) float64 { return min(max(rate, .05), .95) }

// baseLogits returns the function that computes the logit of a visible unit in the base of p.
func (p *Params) baseLogits() func(i int) float64 {
	if p.Start == StartBiases {
		return func(i int) float64 { return p.C[i] }
	}
	rates := BaseRates(p.Start, p.P1, 0)
	if raw := p.Start == StartRates || p.Start == StartSmoothed; raw && p.Means != nil {
		rates = BaseRates(p.Start, p.Means, p.Rows)
	}
	return func(i int) float64 { return num.Logit(rates[i]) }
}

// WithStart returns the model with another choice of Starts, on the geometric path with hidden units summed out. With
// StartFitted it has the default base, which the caller should fit.
func (m *Model) WithStart(start string) models.Model {
	p := *m.baseSource
	p.Start = start
	q := m.withBaseLogits(p.baseLogits())
	q.Joint, q.start, q.fitted = false, start, false
	return q
}
