package latent

import (
	"math"
	"slices"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// SVKind is the kind of stochastic volatility models.
var SVKind = models.Kind{Name: "sv", Label: "stochastic volatility", Title: "Evidence from estimated likelihoods",
	Traits: models.Traits{Look: models.Points, Axes: models.Volatility, Unimodal: true, EstimatesLikelihood: true,
		Use: spec.Fits},
	Params: []spec.Param{paramInner, paramMoves},
	Own:    []spec.Param{paramUnit},
	Reader: modelfile.Reader[models.File]{Fields: readSV, Columns: readReturns},
	Entries: []models.Entry{{Name: "sv-60", Truth: "quadrature", Data: "returns",
		About: "Sixty simulated returns of a price with stochastic volatility: how volatile a day is must be inferred.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			p := simulatedSV(60)
			p.KnownLogZ = sv60LogZ
			return p, nil
		}}, {Name: "sv-pound", Files: []string{poundDollarFile},
		About: "945 daily returns of the pound in dollars, October 1981 to June 1985: a classic of stochastic volatility.",
		Make: func(load func(string) ([]byte, error), m *meter.Meter) (models.File, error) {
			b, err := load(poundDollarFile)
			if err != nil {
				return nil, err
			}
			return modelfile.Read(b, []modelfile.Reader[models.File]{{Kind: "sv", Columns: readReturns}}, m)
		}}},
}

// poundDollarFile has the returns 100 (log p_t - log p_{t-1}) of the daily rates p of [Kim1998], 1 October 1981 to 28
// June 1985, with six decimals. They are centred, as in the paper.
const poundDollarFile = "pound-dollar.csv"

// sv60LogZ is the log evidence of sv-60 in nats, by quadrature (TestLatentTruth).
const sv60LogZ = -55.695545

// SVParams is returns Y with stochastic log volatility h:
//
//	y_t = exp(h_t/2) e_t, h_1 ~ N(mu, s2/(1-phi^2)), h_t = mu + phi (h_{t-1} - mu) + sqrt(s2) n_t,
//
// with standard normal e_t and n_t. The coordinates of the posterior are (mu, artanh phi, log s2). They have
// independent normal priors of mean PriorMean and standard deviation PriorSD. If both are nil, the priors are those of
// [Kim1998]: mu ~ N(0, 10), where 10 is the variance, (phi+1)/2 ~ Beta(20, 1.5), s2 ~ inverse gamma(2.5, 0.025).
type SVParams struct {
	Y                  []float64
	PriorMean, PriorSD []float64
	KnownLogZ          float64 // exact log evidence of built-in models in nats; otherwise 0

	Unit     string // unit of Y, one of the unit constants; "" if unknown
	readNote error  // phrase about the columns of a table, or about fields that were not read; or nil
}

// Kind returns SVKind.
func (p SVParams) Kind() *models.Kind { return &SVKind }

// maxSeries is the largest number of data in a series.
const maxSeries = 20000

// readSeries returns the field y of a file, a series. It sets f.Err if the field is missing or out of range.
func readSeries(f *modelfile.Fields, kind string) []float64 {
	y := modelfile.Get(f, "y", json.Value.Numbers)
	switch {
	case f.Err != nil:
	case len(y) < 1 || len(y) > maxSeries:
		f.Err = problem.New("%s file: y has %d values; there must be between 1 and %d", kind, len(y), maxSeries)
	default:
		f.Err = modelfile.Within(kind, "y", -1e6, 1e6, y...)
	}
	return y
}

// unsupportedSV are fields of other formats that would change the model. A file with such a field is rejected with the
// help, unless the value is one of Harmless.
var unsupportedSV = []modelfile.Unsupported{
	{Names: []string{"mu", "phi", "sigma", "sigma2", "s2", "h0", "prior", "priors"},
		Help: problem.New("level, persistence and variance are unknown; prior_mean and prior_sd are their priors")},
	{Names: []string{"rho", "leverage", "jumps", "jump"}, Harmless: []any{0., false},
		Help: problem.New("volatility does not depend on returns and has no jumps")},
	{Names: []string{"nu", "df", "likelihood", "distribution", "errors"}, Harmless: []any{"normal", "gaussian"},
		Help: problem.New("returns are normal, given their volatility")},
	{Names: []string{"mean", "drift", "constant"}, Harmless: []any{0.},
		Help: problem.New("returns have the mean 0; subtract the mean from y")},
	{Names: []string{"x", "xs", "covariates", "regressors", "exog", "ar", "garch"},
		Help: problem.New("the returns are the only data")},
}

// readSV reads a JSON file. If it gives only one of prior_mean and prior_sd, the other one has a default.
func readSV(f *modelfile.Fields) (models.File, error) {
	f.RejectUnsupported("sv", unsupportedSV)
	p := SVParams{Y: readSeries(f, "sv")}
	p.PriorMean = modelfile.Get(f, "prior_mean", json.Value.Numbers)
	p.PriorSD = modelfile.Get(f, "prior_sd", json.Value.Numbers)
	p.readNote = f.Unread()
	if f.Err == nil && (p.PriorMean != nil || p.PriorSD != nil) {
		if p.PriorMean == nil {
			p.PriorMean = []float64{0, 1.5, -2}
		}
		if p.PriorSD == nil {
			p.PriorSD = []float64{1, .5, .7}
		}
		for name, x := range map[string][]float64{"prior_mean": p.PriorMean, "prior_sd": p.PriorSD} {
			if err := modelfile.Length("sv", name, x, 3); err != nil {
				return nil, err
			}
		}
		if f.Err = modelfile.Within("sv", "prior_mean", -1e3, 1e3, p.PriorMean...); f.Err == nil {
			f.Err = modelfile.Within("sv", "prior_sd", 1e-6, 1e3, p.PriorSD...)
		}
	}
	if f.Err != nil {
		return nil, f.Err
	}
	if err := p.checkVaries(); err != nil {
		return nil, err
	}
	return p, nil
}

// checkVaries returns an error if all returns are equal, because the posterior of the volatility then depends on the
// prior alone.
func (p SVParams) checkVaries() error {
	for _, y := range p.Y {
		if y != p.Y[0] || len(p.Y) == 1 && y != 0 {
			return nil
		}
	}
	return problem.New("sv file: all %d returns are %v; they must vary", len(p.Y), p.Y[0])
}

// Open makes the model for the parameters v.
func (p SVParams) Open(name, about string, v spec.Values, _ *meter.Meter) (models.Model, error) {
	var set struct {
		Unit string `param:"unit"`
	}
	v.Fill(&set)
	unit, err := p.toPercent(set.Unit)
	if err != nil {
		return nil, err
	}
	prior, priorNote := kimPrior(), problem.New("prior of Kim, Shephard and Chib")
	if p.PriorMean != nil {
		prior = normalPrior(p.PriorMean, p.PriorSD)
		priorNote = problem.New("prior N(%v, %v^2) of mu, artanh phi and log s2", p.PriorMean, p.PriorSD)
	}
	squares := make([]float64, len(p.Y))
	for t, y := range p.Y {
		squares[t] = num.Mul(y, y)
	}
	prior.Names = []string{"\u03bc", "artanh \u03c6", "log \u03c3\u00b2"}
	fam := withFilter(prior, series{y: p.Y, data: squares, outliers: outliers(squares),
		dynamics: func(x []float64) kernel.Autoregression { return stationary(x[0], x[1], num.Exp(x[2]/2)) }})
	if p.KnownLogZ != 0 {
		fam.truth = &models.Truth{LogZ: p.KnownLogZ, Source: "quadrature"}
	}
	return newModel(models.Info{Name: name, Kind: SVKind.Name, About: about, Data: models.DataID(models.DataNumbers,
		p.Y...), Understood: models.JoinPhrases(problem.New("%d returns", len(p.Y)), p.readNote, unit, priorNote)}, fam, v)
}

// outlierRatio is the ratio to the median square from which on the square of a return is an outlier: the return is then
// more than ten times a typical one. The largest of 2,000 normal returns is about six times a typical one.
const outlierRatio = 100

// outliers marks the squares that are outliers; nil if there are none.
func outliers(squares []float64) (out []bool) {
	sorted := slices.Clone(squares)
	slices.Sort(sorted)
	limit := outlierRatio * sorted[len(sorted)/2]
	for t, x := range squares {
		if x > limit && limit > 0 {
			if out == nil {
				out = make([]bool, len(squares))
			}
			out[t] = true
		}
	}
	return out
}

// kimPrior returns the prior of [Kim1998] in the coordinates of SVParams. With u = (1+phi)/2, logit u = 2 artanh phi,
// so the density of artanh phi is the density of u times 2 u (1-u); the density of log s2 is that of s2 times s2.
func kimPrior() density.Density {
	const a, b, shape, scale, width = 20, 1.5, 2.5, .025, 10
	constant := num.Log(2) - num.LogBeta(a, b) + num.Mul(shape, num.Log(scale)) - num.LogGamma(shape) -
		float64((num.Log2Pi+num.Log(width))/2)
	return density.Density{Dim: 3, LogBase: func(x []float64) float64 {
		return constant - num.Mul(a, num.Softplus(-2*x[1])) - num.Mul(b, num.Softplus(2*x[1])) -
			num.Mul(shape, x[2]) - num.Mul(scale, num.Exp(-x[2])) - num.Mul(x[0], x[0])/(2*width)
	}, DrawBase: func(s *rng.Stream, x []float64) {
		x[0] = num.Mul(math.Sqrt(width), s.Norm())
		x[1] = float64((s.LogGamma(a) - s.LogGamma(b)) / 2)
		x[2] = num.Log(scale) - s.LogGamma(shape)
	}}
}

// SimulatedReturns returns n simulated returns; for n = 60 they are the data of sv-60.
func SimulatedReturns(n int) []float64 { return simulatedSV(n).Y }

// simulatedSV returns n returns in percent with two decimals, simulated with mu = -0.5, phi = 0.95 and s2 = 0.08.
func simulatedSV(n int) SVParams {
	s := rng.NewKey(20, "sv", n).Stream(0, 0, 0)
	a := kernel.Autoregression{Centre: -.5, Phi: .95, SD: math.Sqrt(.08), First: math.Sqrt(.08 / (1 - .95*.95))}
	h := a.Centre + num.Mul(a.First, s.Norm())
	var p SVParams
	for range n {
		p.Y = append(p.Y, num.Hundredths(num.Mul(num.Exp(h/2), s.Norm())))
		h = a.Centre + num.Mul(a.Phi, h-a.Centre) + num.Mul(a.SD, s.Norm())
	}
	return p
}
