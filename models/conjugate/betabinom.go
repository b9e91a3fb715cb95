package conjugate

import (
	"math"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// BetabinomKind is the kind of beta-binomial models: coin throws with a beta prior.
var BetabinomKind = models.Kind{Name: "betabinom", Label: "beta-binomial", Title: "Evidence in closed form",
	Traits: traits(models.LogOdds), Params: params, Reader: modelfile.Reader[models.File]{Fields: readBetabinom},
	Entries: []models.Entry{{Name: "betabinom-coin", Truth: "closed form",
		About: "Fourteen heads in twenty throws of a coin that is probably nearly fair.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			return BetabinomParams{A: 3, B: 3, K: 14, N: 20}, nil
		}}},
}

// BetabinomParams is K successes in N trials with success probability p ~ Beta(A, B).
type BetabinomParams struct {
	A, B     float64
	K, N     int
	readNote error // phrase about fields that were not read, or nil
}

// Kind returns BetabinomKind.
func (p BetabinomParams) Kind() *models.Kind { return &BetabinomKind }

// unsupportedBetabinom are fields of other formats that would change the model. A file with such a field is rejected
// with the help, unless the value is one of Harmless.
var unsupportedBetabinom = []modelfile.Unsupported{
	{Names: []string{"alpha", "beta", "p", "p0", "theta", "mu", "prior", "phi", "overdispersion", "group", "groups",
		"weights", "w"}, Help: problem.New("the prior is Beta(a, b), and all data are k successes in n trials")},
	{Names: []string{"rho"}, Harmless: []any{0.}, Help: problem.New("trials are independent")},
}

// readBetabinom reads a JSON file. Errors name the field and the range of its values.
func readBetabinom(f *modelfile.Fields) (models.File, error) {
	const kind = "betabinom"
	f.RejectUnsupported(kind, unsupportedBetabinom)
	p := BetabinomParams{A: modelfile.GetRequired(f, kind, "a", json.Value.Number, 1e-3, 1e6),
		B: modelfile.GetRequired(f, kind, "b", json.Value.Number, 1e-3, 1e6),
		K: modelfile.GetRequired(f, kind, "k", json.Value.Int, 0, 1000000), N: modelfile.GetRequired(f, kind, "n", json.Value.Int, 1,
			1000000)}
	p.readNote = f.Unread()
	if f.Err == nil && p.K > p.N {
		f.Err = problem.New("betabinom file: k = %d successes are more than n = %d trials", p.K, p.N)
	}
	if f.Err != nil {
		return nil, f.Err
	}
	return p, nil
}

// betabinom is the model in the coordinate x = logit p. A density at p becomes a density at x by the factor dp/dx = p
// (1-p), and log p = -log(1 + e^-x).
type betabinom struct {
	a, b, k, failures float64 // parameters of the prior, successes k, and failures n - k
	logBinomial       float64 // log of the binomial coefficient
}

// Open makes the model for the parameters v.
func (p BetabinomParams) Open(name, about string, v spec.Values, _ *meter.Meter) (models.Model, error) {
	m := &betabinom{a: p.A, b: p.B, k: float64(p.K), failures: float64(p.N - p.K)}
	m.logBinomial = num.LogGamma(float64(p.N)+1) - num.LogGamma(m.k+1) - num.LogGamma(m.failures+1)
	info := models.Info{Name: name, Kind: BetabinomKind.Name, About: about, Data: models.DataID(models.DataCounts,
		float64(p.K), float64(p.N)), Understood: models.JoinPhrases(problem.New("%d successes in %d trials, in any order; prior "+
		"Beta(%v, %v)", p.K, p.N, p.A, p.B), p.readNote)}
	return newModel(info, m, v)
}

// density implements posterior.
func (m *betabinom) density() density.Density {
	// betaFunctions returns the log density, its derivative and draws for the density e^constant p^a (1-p)^b of x.
	betaFunctions := func(a, b, constant float64) (log func(x []float64) float64, slope func(x, out []float64),
		draw func(s *rng.Stream, x []float64)) {
		return func(x []float64) float64 {
				return constant - num.Mul(a, num.Softplus(-x[0])) - num.Mul(b, num.Softplus(x[0]))
			}, func(x, out []float64) { out[0] = a - num.Mul(a+b, num.Sigmoid(x[0])) },
			func(s *rng.Stream, x []float64) { x[0] = s.LogGamma(a) - s.LogGamma(b) }
	}
	d := density.Density{Dim: 1, Names: []string{"logit p"}}
	constant := -num.LogBeta(m.a, m.b)
	d.LogBase, d.GradBase, d.DrawBase = betaFunctions(m.a, m.b, constant)
	d.LogF, d.Grad, d.DrawTarget = betaFunctions(m.a+m.k, m.b+m.failures, constant+m.logBinomial)
	return d
}

// logZ returns log(C(n,k)^beta B(a + beta k, b + beta (n-k)) / B(a, b)) in nats.
func (m *betabinom) logZ(beta float64) float64 {
	return num.Mul(beta, m.logBinomial) + num.LogBeta(m.a+num.Mul(beta, m.k), m.b+num.Mul(beta, m.failures)) -
		num.LogBeta(m.a, m.b)
}

// cost implements posterior.
func (m *betabinom) cost() float64 { return 30 }

// components returns the modes of prior and posterior in x, with standard deviations approximated by the curvature
// there.
func (m *betabinom) components() (prior, post models.Component) {
	component := func(a, b float64) models.Component {
		return models.Component{Mean: []float64{num.Log(a) - num.Log(b)}, SD: []float64{math.Sqrt(1/a + 1/b)}, Weight: 1}
	}
	return component(m.a, m.b), component(m.a+m.k, m.b+m.failures)
}
