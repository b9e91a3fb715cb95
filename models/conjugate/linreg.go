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

// LinregKind is the kind of Bayesian linear regressions.
var LinregKind = models.Kind{Name: "linreg", Label: "linear regression", Title: "Evidence in closed form",
	Traits: traits(models.Coefficients), Params: params, Reader: modelfile.Reader[models.File]{Fields: readLinreg},
	Entries: []models.Entry{
		twelvePoints("linreg-line", 2, "A line through twelve points: intercept and slope, with a wide normal prior."),
		twelvePoints("linreg-level", 1, "The twelve points of linreg-line, about one level: no slope."),
		twelvePoints("linreg-bend", 3, "The twelve points of linreg-line, about a parabola: level, slope and bend.")},
}

// twelvePoints returns a built-in regression of the same twelve points on 1, x, ..., x^(d-1).
func twelvePoints(name string, d int, about string) models.Entry {
	return models.Entry{Name: name, Truth: "closed form", About: about, Data: "points",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			p := LinregParams{D: d, S2: .25, T2: 4}
			for i, y := range [...]float64{-1.62, -.97, -1.26, -.31, -.68, .33, .12, .94, .41, 1.36, 1.07, 1.88} {
				x, power := float64(2*i-11)/6, 1.
				for range d {
					p.X = append(p.X, power)
					power = num.Mul(power, x)
				}
				p.Y = append(p.Y, y)
			}
			return p, nil
		}}
}

// LinregParams is a linear regression with D coefficients theta: theta ~ N(0, T2 I), Y ~ N(X theta, S2 I). X is stored
// by rows.
type LinregParams struct {
	D        int
	X, Y     []float64
	S2, T2   float64
	readNote error // phrase about fields that were not read, or nil
}

// Kind returns LinregKind.
func (p LinregParams) Kind() *models.Kind { return &LinregKind }

// Largest numbers of columns and rows of X.
const (
	maxCoefficients = 100
	maxLinregRows   = 100000
)

// unsupportedLinreg are fields of other formats that would change the model. A file with such a field is rejected with
// the help, unless the value is one of Harmless.
var unsupportedLinreg = []modelfile.Unsupported{
	{Names: []string{"intercept", "fitintercept", "bias", "constant"}, Harmless: []any{0., false},
		Help: problem.New("no column of ones is added; put it into X")},
	{Names: []string{"priormean", "m0", "mu0", "betamean"}, Harmless: []any{0.}, Help: linregPriorHelp},
	{Names: []string{"prior", "priorsd", "priorvar", "priorcov", "priorprecision", "v0", "s0", "cov", "lambda", "alpha",
		"tau", "tau2", "precision", "g"}, Help: linregPriorHelp},
	{Names: []string{"sigma", "sigma2", "noise", "noisesd", "noisevar", "variance", "a0", "b0"},
		Help: problem.New("s2 is the known variance of y about X theta")},
	{Names: []string{"weights", "sampleweight", "sampleweights", "w"}, Harmless: []any{1.},
		Help: problem.New("all data count alike")},
	{Names: []string{"family", "link", "likelihood", "distribution"}, Harmless: []any{"normal", "gaussian", "identity"},
		Help: problem.New("y is normal about X theta")},
	{Names: []string{"offset"}, Harmless: []any{0.}, Help: problem.New("y is normal about X theta")},
	{Names: []string{"group", "groups", "random", "z"}, Help: problem.New("rows belong to no groups")},
}

// linregPriorHelp is the help text for fields of other priors.
var linregPriorHelp = problem.New("the prior of each coefficient is N(0, t2)")

// readLinreg reads a JSON file. Errors name the field and the range of its values.
func readLinreg(f *modelfile.Fields) (models.File, error) {
	f.RejectUnsupported("linreg", unsupportedLinreg)
	rows := modelfile.Get(f, "X", json.Value.Table)
	p := LinregParams{Y: modelfile.Get(f, "y", json.Value.Numbers)}
	p.S2 = modelfile.GetRequired(f, "linreg", "s2", json.Value.Number, 1e-9, 1e9)
	p.T2 = modelfile.GetRequired(f, "linreg", "t2", json.Value.Number, 1e-9, 1e9)
	p.readNote = f.Unread()
	if f.Err != nil {
		return nil, f.Err
	}
	var err error
	if p.X, p.D, err = modelfile.Flat("linreg", "X", rows); err != nil {
		return nil, err
	}
	if p.D > maxCoefficients || len(rows) > maxLinregRows {
		return nil, problem.New("linreg file: X has %d rows and %d columns; at most %d and %d are read", len(rows), p.D,
			maxLinregRows, maxCoefficients)
	}
	if err := modelfile.Length("linreg", "y", p.Y, len(rows)); err != nil {
		return nil, err
	}
	if err := modelfile.WithinRows("linreg", "X", -1e6, 1e6, p.D, p.X); err != nil {
		return nil, err
	}
	if err := modelfile.Within("linreg", "y", -1e6, 1e6, p.Y...); err != nil {
		return nil, err
	}
	return p, nil
}

// linreg is the model with its posterior. The log of prior x likelihood is quadratic, so with A = X'X/s2 + I/t2
//
//	log f(theta) = logPeak - (theta - mean)' A (theta - mean) / 2,
//
// and the posterior is N(mean, A^-1).
type linreg struct {
	LinregParams
	mean, a, chol []float64 // posterior mean, A and its Cholesky factor
	logPeak       float64   // log f at the mean
	log0          float64   // log prior at 0
}

// Open makes the regression for the parameters v. The meter w, which may be nil, limits the time.
func (p LinregParams) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	d, n := p.D, len(p.Y)
	m := &linreg{LinregParams: p, a: make([]float64, d*d), mean: make([]float64, d)}
	for r, y := range p.Y {
		x := p.X[r*d : (r+1)*d]
		for i, xi := range x {
			num.Axpy(xi/p.S2, x, m.a[i*d:(i+1)*d])
		}
		num.Axpy(y/p.S2, x, m.mean)
		if err := w.Did(float64(d * d)); err != nil {
			return nil, err
		}
	}
	for i := range d {
		m.a[i*d+i] += 1 / p.T2
	}

	// Posterior precision, its Cholesky factor, and mean.
	m.chol = append(m.chol, m.a...)
	isRegular := num.Cholesky(m.chol, d, nil)
	for i := range d { // the pivot, relative to A_ii, is the share of column i that earlier columns do not explain
		isRegular = isRegular && num.Mul(m.chol[i*d+i], m.chol[i*d+i]) > num.Mul(1e-10, m.a[i*d+i])
	}
	if !isRegular {
		return nil, problem.New("linreg file: columns of X are nearly sums of others, and t2 is too large to tell them apart")
	}
	num.SolveLower(m.chol, d, m.mean)
	num.SolveUpperT(m.chol, d, m.mean)

	// Log densities of prior and posterior at their modes.
	m.log0 = -num.Mul(float64(d)/2, num.Log2Pi+num.Log(p.T2))
	squares := 0.0
	for r, y := range p.Y {
		e := y - num.Dot(p.X[r*d:(r+1)*d], m.mean)
		squares += num.Mul(e, e)
	}
	m.logPeak = m.logPrior(m.mean) - squares/num.Mul(2, p.S2) - num.Mul(float64(n)/2, num.Log2Pi+num.Log(p.S2))
	info := models.Info{Name: name, Kind: LinregKind.Name, About: about, Data: models.DataID(models.DataNumbers, p.Y...),
		Understood: models.JoinPhrases(problem.New("%d rows, %d coefficients and no other intercept; y with the known variance "+
			"%v; prior N(0, %v) of each coefficient", n, d, p.S2, p.T2), p.readNote)}
	return newModel(info, m, v)
}

// logPrior returns the log prior density at x.
func (m *linreg) logPrior(x []float64) float64 { return m.log0 - num.Dot(x, x)/num.Mul(2, m.T2) }

// logF returns the log of prior x likelihood at x.
func (m *linreg) logF(x []float64) float64 {
	meter.Pulse(m.cost())
	q := 0.0
	for i, v := range x {
		s := 0.0
		for j, a := range m.a[i*m.D : (i+1)*m.D] {
			s += num.Mul(a, x[j]-m.mean[j])
		}
		q += num.Mul(s, v-m.mean[i])
	}
	return m.logPeak - float64(q/2)
}

// density implements posterior.
func (m *linreg) density() density.Density {
	return density.Density{Dim: m.D, Names: density.NumberedNames("\u03b8", 1, m.D), Centred: true, LogBase: m.logPrior,
		LogF: m.logF,
		GradBase: func(x, out []float64) {
			for i, v := range x {
				out[i] = -v / m.T2
			}
		},
		Grad: func(x, out []float64) {
			meter.Pulse(m.cost())
			for i := range x {
				s := 0.0
				for j, a := range m.a[i*m.D : (i+1)*m.D] {
					s += num.Mul(a, m.mean[j]-x[j])
				}
				out[i] = s
			}
		},
		DrawBase: func(s *rng.Stream, x []float64) {
			for i := range x {
				x[i] = num.Mul(math.Sqrt(m.T2), s.Norm())
			}
		},
		DrawTarget: func(s *rng.Stream, x []float64) {
			s.Norms(x)
			num.SolveUpperT(m.chol, m.D, x)
			num.Axpy(1, m.mean, x)
		}}
}

// logZ returns log f_beta at its mode + (d/2) log 2 pi - log|A_beta|/2 in nats, where A_beta = beta X'X/s2 + I/t2 =
// beta A + (1-beta) I/t2 and the mode is A_beta^-1 beta A mean.
func (m *linreg) logZ(beta float64) float64 {
	d := m.D
	a, mode := make([]float64, d*d), make([]float64, d)
	for i := range d {
		row := m.a[i*d : (i+1)*d]
		mode[i] = num.Mul(beta, num.Dot(row, m.mean))
		num.Axpy(beta, row, a[i*d:(i+1)*d])
		a[i*d+i] += (1 - beta) / m.T2
	}
	if !num.Cholesky(a, d, nil) {
		return math.NaN()
	}
	num.SolveLower(a, d, mode)
	num.SolveUpperT(a, d, mode)
	return num.Mul(1-beta, m.logPrior(mode)) + num.Mul(beta, m.logF(mode)) + num.Mul(float64(d)/2, num.Log2Pi) -
		float64(num.CholLogDet(a, d)/2)
}

// cost implements posterior.
func (m *linreg) cost() float64 { return float64(m.D*m.D) + 10 }

// components returns prior and posterior. The posterior standard deviations are sqrt(diag A^-1), which are the norms of
// the columns of L^-1 if A = L L'.
func (m *linreg) components() (prior, post models.Component) {
	prior, post = models.Component{Mean: make([]float64, m.D), Weight: 1}, models.Component{Mean: m.mean, Weight: 1}
	for i := range m.D {
		e := make([]float64, m.D)
		e[i] = 1
		num.SolveLower(m.chol, m.D, e)
		prior.SD, post.SD = append(prior.SD, math.Sqrt(m.T2)), append(post.SD, math.Sqrt(num.Dot(e, e)))
	}
	return prior, post
}
