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
	"logzlab/models/latent"
)

// NIGKind is the kind of normal data with unknown mean and variance (normal-inverse-gamma prior).
var NIGKind = models.Kind{Name: "nig", Label: "normal data", Title: "Evidence in closed form",
	Traits: traits(models.MeanVariance), Params: params, Reader: modelfile.Reader[models.File]{Fields: readNIG},
	Entries: []models.Entry{{Name: "nig-12", Truth: "closed form",
		About: "Twelve measurements of which neither the mean nor the variance is known.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			return NIGParams{Y: []float64{1.3, .4, 2.6, 1.9, -.2, 1.1, 3.4, .8, 1.6, 2.2, .1, 1.5}, K0: .5, A0: 2, B0: 2}, nil
		}}, {Name: "nig-60", Truth: "closed form", Data: "returns",
		About: "The sixty returns of sv-60, with the same volatility every day.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			return NIGParams{Y: latent.SimulatedReturns(60), K0: 100, A0: 1, B0: 1}, nil
		}}},
}

// NIGParams are data Y ~ N(mu, s2), mu ~ N(M0, s2/K0), 1/s2 ~ Gamma(A0, rate B0).
type NIGParams struct {
	Y              []float64
	M0, K0, A0, B0 float64
	readNote       error // phrase about fields that were not read, or nil
}

// Kind returns NIGKind.
func (p NIGParams) Kind() *models.Kind { return &NIGKind }

// unsupportedNIG are fields of other formats that would change the model. A file with such a field is rejected with the
// help, unless the value is one of Harmless.
var unsupportedNIG = []modelfile.Unsupported{
	{Names: []string{"x", "xs", "covariates", "features", "predictors"},
		Help: problem.New("all data have one mean; the kind linreg has covariates")},
	{Names: []string{"sigma", "sigma2", "s2", "variance", "sd", "noise"},
		Help: problem.New("the variance is unknown: 1/s2 ~ Gamma(a0, rate b0)")},
	{Names: []string{"prior", "mu0", "kappa0", "lambda0", "v0", "alpha0", "beta0", "nu0", "sigma02"},
		Help: problem.New("the prior is written m0, k0, a0 and b0")},
	{Names: []string{"weights", "w"}, Harmless: []any{1.}, Help: problem.New("all data count alike")},
	{Names: []string{"likelihood", "family", "distribution", "nu", "df"}, Harmless: []any{"normal", "gaussian"},
		Help: problem.New("data are normal")},
	{Names: []string{"group", "groups"}, Help: problem.New("all data have one mean")},
}

// readNIG reads a JSON file. Errors name the field and the range of its values.
func readNIG(f *modelfile.Fields) (models.File, error) {
	const kind = "nig"
	f.RejectUnsupported(kind, unsupportedNIG)
	number := json.Value.Number
	p := NIGParams{Y: modelfile.Get(f, "y", json.Value.Numbers), M0: modelfile.GetRequired(f, kind, "m0", number, -1e6, 1e6),
		K0: modelfile.GetRequired(f, kind, "k0", number, 1e-6, 1e6), A0: modelfile.GetRequired(f, kind, "a0", number, .1, 1e6),
		B0: modelfile.GetRequired(f, kind, "b0", number, 1e-9, 1e9)}
	p.readNote = f.Unread()
	if f.Err == nil && (len(p.Y) < 1 || len(p.Y) > 1000000) {
		f.Err = problem.New("%s file: y has %d values; there must be between 1 and %d", kind, len(p.Y), 1000000)
	}
	if f.Err == nil {
		f.Err = modelfile.Within(kind, "y", -1e6, 1e6, p.Y...)
	}
	if f.Err != nil {
		return nil, f.Err
	}
	return p, nil
}

// normalGamma is a normal-inverse-gamma distribution of (mu, s2): mu ~ N(m, s2/k), 1/s2 ~ Gamma(a, rate b). The
// coordinates of the model are mu and t = log s2, in which the density has the additional factor s2.
type normalGamma struct{ m, k, a, b float64 }

// nig is the model: a normalGamma prior, and n data with their mean and their sum of squared deviations from it.
type nig struct {
	prior            normalGamma
	n, mean, squares float64
}

// Open makes the model for the parameters v.
func (p NIGParams) Open(name, about string, v spec.Values, _ *meter.Meter) (models.Model, error) {
	m := &nig{prior: normalGamma{p.M0, p.K0, p.A0, p.B0}, n: float64(len(p.Y))}
	for _, y := range p.Y {
		m.mean += y / m.n
	}
	for _, y := range p.Y {
		m.squares += num.Mul(y-m.mean, y-m.mean)
	}
	info := models.Info{Name: name, Kind: NIGKind.Name, About: about, Data: models.DataID(models.DataNumbers, p.Y...),
		Understood: models.JoinPhrases(problem.New("%d data, mean %.4g; prior 1/s2 ~ Gamma(%v, rate %v), mu ~ N(%v, s2/%v)",
			len(p.Y), m.mean, p.A0, p.B0, p.M0, p.K0), p.readNote)}
	return newModel(info, m, v)
}

// powerPosterior returns the distribution proportional to prior x likelihood^beta. It is the posterior given beta n
// data with the same mean and the same mean squared deviation.
func (m *nig) powerPosterior(beta float64) normalGamma {
	q, n := m.prior, num.Mul(beta, m.n)
	k, meanShift := q.k+n, m.mean-q.m
	squares := num.Mul(beta, m.squares) + num.Mul(float64(q.k*n/k), meanShift*meanShift)
	return normalGamma{q.m + num.Mul(n, meanShift)/k, k, q.a + float64(n/2), q.b + float64(squares/2)}
}

// logNorm returns the log of the integral of s2^-(a+3/2) exp(-(2b + k (mu-m)^2) / 2 s2) over mu and s2.
func (q normalGamma) logNorm() float64 {
	return float64((num.Log2Pi-num.Log(q.k))/2) + num.LogGamma(q.a) - num.Mul(q.a, num.Log(q.b))
}

// functions returns the log of the integrand of logNorm in the coordinates (mu, t), plus a constant; its gradient; and
// draws.
func (q normalGamma) functions(constant float64) (log func(x []float64) float64, slope func(x, out []float64),
	draw func(s *rng.Stream, x []float64)) {
	rate := func(mu float64) float64 { return q.b + num.Mul(float64(q.k/2), (mu-q.m)*(mu-q.m)) }
	return func(x []float64) float64 {
			return constant - num.Mul(q.a+.5, x[1]) - num.Mul(num.Exp(-x[1]), rate(x[0]))
		}, func(x, out []float64) {
			precision := num.Exp(-x[1])
			out[0] = -num.Mul(precision, q.k*(x[0]-q.m))
			out[1] = num.Mul(precision, rate(x[0])) - q.a - .5
		}, func(s *rng.Stream, x []float64) {
			x[1] = num.Log(q.b) - s.LogGamma(q.a)
			x[0] = q.m + num.Mul(num.Exp(x[1]/2), s.Norm())/math.Sqrt(q.k)
		}
}

// density implements posterior.
func (m *nig) density() density.Density {
	d := density.Density{Dim: 2, Names: []string{"\u03bc", "log \u03c3\u00b2"}}
	constant := -m.prior.logNorm()
	d.LogBase, d.GradBase, d.DrawBase = m.prior.functions(constant)
	d.LogF, d.Grad, d.DrawTarget = m.powerPosterior(1).functions(constant - num.Mul(m.n/2, num.Log2Pi))
	return d
}

// logZ returns log Z(beta) in nats: the difference of logNorm for powerPosterior and prior, minus (beta n/2) log 2 pi
// from the likelihood.
func (m *nig) logZ(beta float64) float64 {
	return m.powerPosterior(beta).logNorm() - m.prior.logNorm() - num.Mul(beta*m.n/2, num.Log2Pi)
}

// cost implements posterior.
func (m *nig) cost() float64 { return 30 }

// components returns the modes of mu and t with approximate standard deviations.
func (m *nig) components() (prior, post models.Component) {
	component := func(q normalGamma) models.Component {
		s2 := q.b / q.a
		return models.Component{Mean: []float64{q.m, num.Log(s2)}, SD: []float64{math.Sqrt(s2 / q.k), 1 / math.Sqrt(q.a)},
			Weight: 1}
	}
	return component(m.prior), component(m.powerPosterior(1))
}
