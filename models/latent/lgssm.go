package latent

import (
	"errors"
	"math"
	"slices"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/lazy"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/kernel"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// LGSSMKind is the kind of linear-Gaussian state-space models.
var LGSSMKind = models.Kind{Name: "lgssm", Label: "linear state-space model",
	Title: "Evidence from estimated likelihoods",
	Traits: models.Traits{Look: models.Points, Axes: models.TwoVariances, Unimodal: true, EstimatesLikelihood: true,
		Use: spec.Fits},
	Params: []spec.Param{
		{Name: "likelihood", Type: "choice", Default: "kalman", Choices: []string{"kalman", "filter"}, For: spec.Bridges,
			Help: "How the hidden states are summed out: exactly (kalman), or by particles (filter)."},
		paramInner.When("likelihood", "filter"), paramMoves},
	Reader: modelfile.Reader[models.File]{Fields: readLGSSM},
	Entries: []models.Entry{{Name: "lgssm-40", Truth: "quadrature",
		About: "Forty noisy measurements of a quantity that varies around zero: how large is the noise, and how large the " +
			"variation?",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return simulatedLGSSM(40), nil }}},
}

// LGSSMParams is observations Y of a hidden state:
//
//	x_1 ~ N(0, q/(1-phi^2)), x_t = phi x_{t-1} + N(0, q), y_t = x_t + N(0, r).
//
// The coordinates of the posterior are log q and log r, with standard normal priors; phi is known.
type LGSSMParams struct {
	Y        []float64
	Phi      float64
	readNote error // phrase about fields that were not read, or nil
}

// Kind returns LGSSMKind.
func (p LGSSMParams) Kind() *models.Kind { return &LGSSMKind }

// unsupportedLGSSM are fields of other formats that would change the model. A file with such a field is rejected with
// the help, unless the value is one of Harmless.
var unsupportedLGSSM = []modelfile.Unsupported{
	{Names: []string{"q", "r", "qvar", "rvar", "sigma", "sigma2", "noise", "prior", "priors", "priormean", "priorsd"},
		Help: problem.New("the variances q and r are unknown, with log q, log r ~ N(0, 1)")},
	{Names: []string{"a", "f", "c", "h", "transition", "observation"}, Harmless: []any{1.}, Help: oneStateHelp},
	{Names: []string{"b", "d", "u", "x", "xs", "covariates", "inputs", "exog", "mean", "mu", "drift", "offset", "trend"},
		Harmless: []any{0.}, Help: oneStateHelp},
	{Names: []string{"x0", "m0", "p0", "v0", "initialmean", "initialvariance", "initialsd"},
		Help: problem.New("the first state is stationary: x_1 ~ N(0, q/(1 - phi^2))")},
	{Names: []string{"nu", "df", "likelihood", "distribution"}, Harmless: []any{"normal", "gaussian"}, Help: oneStateHelp},
}

// oneStateHelp is the help text for fields of more general state-space models.
var oneStateHelp = problem.New("there is one state: x_t = phi x_{t-1} + N(0, q), y_t = x_t + N(0, r)")

// readLGSSM reads a JSON file.
func readLGSSM(f *modelfile.Fields) (models.File, error) {
	f.RejectUnsupported("lgssm", unsupportedLGSSM)
	p := LGSSMParams{Y: readSeries(f, "lgssm"), Phi: modelfile.GetRequired(f, "lgssm", "phi", json.Value.Number, -.9999, .9999)}
	p.readNote = f.Unread()
	if f.Err != nil {
		return nil, f.Err
	}
	return p, nil
}

// Kalman is a linear-Gaussian state-space model with its exact likelihood.
type Kalman struct {
	*density.Space
	p    LGSSMParams
	grid lazy.Value[*evidenceGrid]
}

// Open makes the model for the parameters v, with the exact likelihood or its estimate by a particle filter.
func (p LGSSMParams) Open(name, about string, v spec.Values, _ *meter.Meter) (models.Model, error) {
	info := models.Info{Name: name, Kind: LGSSMKind.Name, About: about, Data: models.DataID(models.DataNumbers, p.Y...),
		Understood: models.JoinPhrases(problem.New("%d data; phi = %v; priors log q, log r ~ N(0, 1)", len(p.Y), p.Phi), p.readNote)}
	prior := normalPrior(make([]float64, 2), []float64{1, 1})
	prior.Names = []string{"log q", "log r"}

	m := &Kalman{p: p}
	y := series{y: p.Y, data: p.Y, weigh: observationWeights, dynamics: func(x []float64) kernel.Autoregression {
		sd := num.Exp(x[0] / 2)
		return kernel.Autoregression{Phi: p.Phi, SD: sd, First: sd / math.Sqrt(1-num.Mul(p.Phi, p.Phi))}
	}, exactMeans: func(x, data []float64) (means []float64) {
		LGSSMParams{Y: data, Phi: p.Phi}.filter(x, func(mean float64) { means = append(means, mean) })
		return means
	}}

	// Likelihood by a particle filter.
	var set struct {
		Likelihood string `param:"likelihood"`
		Moves      int    `param:"moves"`
	}
	v.Fill(&set)
	if set.Likelihood == "filter" {
		fam := withFilter(prior, y)
		fam.truth = m.Truth()
		return newModel(info, fam, v)
	}

	// Exact likelihood.
	d := prior
	d.Centred, d.Unimodal = true, true
	d.RunFilter = func(round uint32, x []float64) (*frame.Flow, float64) {
		return y.flow(round, x, minFlowParticles, m.time())
	}
	d.LogF = func(x []float64) float64 {
		meter.Pulse(m.time())
		return prior.LogBase(x) + p.logLik(x)
	}
	var err error
	m.Space, err = density.New(info, d, density.Kernel{Name: "mh", Moves: max(set.Moves, 1)})
	return m, err
}

// observationWeights returns a function that sets w[i] to log N(y; x[i], r), r = e^theta[1], for kernel.Filter.Weigh.
func observationWeights(theta []float64) func(y float64, x, w []float64) {
	constant, half := -float64((num.Log2Pi+theta[1])/2), .5*num.Exp(-theta[1])
	return func(y float64, x, w []float64) {
		for i, v := range x {
			w[i] = constant - num.Mul(half, (y-v)*(y-v))
		}
	}
}

// logLik returns the exact log likelihood at (log q, log r).
func (p LGSSMParams) logLik(theta []float64) float64 { return p.filter(theta, nil) }

// filter runs the Kalman filter ([Kalman1960]) at theta = (log q, log r) and returns the log likelihood in nats. If
// report is not nil, it is called with the mean of each state given the data up to its time.
func (p LGSSMParams) filter(theta []float64, report func(mean float64)) float64 {
	q, r := num.Exp(theta[0]), num.Exp(theta[1])
	phi2 := num.Mul(p.Phi, p.Phi)
	mean, v, sum := 0.0, q/(1-phi2), 0.0
	for _, y := range p.Y {
		s, e := v+r, y-mean
		sum += num.Log2Pi + num.Log(s) + num.Mul(e, e)/s
		mean += num.Mul(v/s, e)
		if report != nil {
			report(mean)
		}
		mean = num.Mul(p.Phi, mean)
		v = num.Mul(phi2, v/s*r) + q
	}
	return -float64(sum / 2)
}

// time returns the time of a log likelihood, in nanoseconds.
func (m *Kalman) time() float64 { return 40 * float64(len(m.p.Y)) }

// Capabilities returns those of the Space, and the exact log Z along the path.
func (m *Kalman) Capabilities() models.Capabilities {
	c := m.Space.Capabilities()
	c.Exact.Truth, c.Exact.LadderLogZ, c.Cost = m.Truth, m.LadderLogZ, m.Cost
	return c
}

// Cost returns the memory and time of rows; the time is proportional to the number of data.
func (m *Kalman) Cost() models.Cost { return models.PointsCost(2, m.Kernel().Moves, m.time()) }

// Quadrature on a grid over (log q, log r), for at most maxGridData data: posteriors of longer series may be narrower
// than a step of the grid. The grid extends at least gridHalf points, gridStep apart, to each side of 0 along each
// axis. For large or small data the posterior is far from 0. Therefore every scanStep-th point is scanned up to
// scanReach points from 0, and the grid is extended by scanMargin points beyond those whose log posterior is less than
// scanDepth nats below the largest one. At the edge of the grid the log posterior must be at least edgeDepth nats below
// its maximum.
const (
	gridHalf, gridStep, maxGridData = 60, .125, 100
	scanReach, scanStep, scanDepth  = 640, 16, 25.
	scanMargin                      = 3 * scanStep
	edgeDepth                       = 20.
)

// errNoGrid is the error of LadderLogZ if the grid does not cover the posterior, or is too coarse for it.
var errNoGrid = errors.New("lgssm: no quadrature for long series, or far from the prior")

// gridValue is the log prior and the log likelihood at a point of the grid.
type gridValue struct{ prior, likelihood float64 }

// evidenceGrid has the values at a rectangle of points, from lo to hi along each axis in steps of gridStep.
type evidenceGrid struct {
	lo, hi [2]int
	values []gridValue
}

// grid computes the values on the grid.
func (p LGSSMParams) grid() *evidenceGrid {
	prior := normalPrior(make([]float64, 2), []float64{1, 1})
	value := func(i, j int) gridValue {
		x := []float64{gridStep * float64(i), gridStep * float64(j)}
		meter.Pulse(40 * float64(len(p.Y)))
		return gridValue{prior.LogBase(x), p.logLik(x)}
	}
	g := &evidenceGrid{lo: [2]int{-gridHalf, -gridHalf}, hi: [2]int{gridHalf, gridHalf}}

	// Scan widely spaced points for the mass.
	var scanned []float64
	for i := -scanReach; i <= scanReach; i += scanStep {
		for j := -scanReach; j <= scanReach; j += scanStep {
			v := value(i, j)
			scanned = append(scanned, v.prior+v.likelihood)
		}
	}
	best, side := slices.Max(scanned), 2*scanReach/scanStep+1
	for k, x := range scanned {
		if x < best-scanDepth {
			continue
		}
		for axis, i := range [2]int{k/side*scanStep - scanReach, k%side*scanStep - scanReach} {
			if i < g.lo[axis] {
				g.lo[axis] = i - scanMargin
			} else if i > g.hi[axis] {
				g.hi[axis] = i + scanMargin
			}
		}
	}

	// Evaluate the grid.
	for i := g.lo[0]; i <= g.hi[0]; i++ {
		for j := g.lo[1]; j <= g.hi[1]; j++ {
			g.values = append(g.values, value(i, j))
		}
	}
	return g
}

// logZ returns the log of the integral of prior x likelihood^beta by the trapezoid rule. The error of this rule falls
// exponentially with 1/step for a smooth density that vanishes at the edge of the grid. ok is false if it does not
// vanish there.
func (g *evidenceGrid) logZ(beta float64) (z float64, ok bool) {
	terms, width := make([]float64, len(g.values)), g.hi[1]-g.lo[1]+1
	edge := math.Inf(-1)
	for k, v := range g.values {
		terms[k] = v.prior + num.Mul(beta, v.likelihood)
		if i, j := k/width, k%width; i == 0 || j == 0 || j == width-1 || k >= len(terms)-width {
			edge = max(edge, terms[k])
		}
	}
	return num.LogSumExp(terms) + 2*num.Log(gridStep), edge < slices.Max(terms)-edgeDepth
}

// LadderLogZ returns the log of the integral of prior x likelihood^beta at each beta, or an error for long series and
// for posteriors outside the grid.
func (m *Kalman) LadderLogZ(betas []float64) ([]float64, error) {
	if len(m.p.Y) > maxGridData {
		return nil, errNoGrid
	}
	grid, out := m.grid.Get(m.p.grid), make([]float64, len(betas))
	for k, beta := range betas {
		var ok bool
		if out[k], ok = grid.logZ(beta); !ok {
			return nil, errNoGrid
		}
	}
	return out, nil
}

// Truth returns the log evidence, or nil if LadderLogZ fails.
func (m *Kalman) Truth() *models.Truth {
	z, err := m.LadderLogZ([]float64{1})
	if err != nil {
		return nil
	}
	return &models.Truth{LogZ: z[0], Source: "quadrature"}
}

// simulatedLGSSM returns n observations simulated with phi = 0.9, q = 0.5 and r = 1.
func simulatedLGSSM(n int) LGSSMParams {
	s := rng.NewKey(20, "lgssm", n).Stream(0, 0, 0)
	p := LGSSMParams{Phi: .9}
	x := num.Mul(math.Sqrt(.5/(1-.9*.9)), s.Norm())
	for range n {
		p.Y = append(p.Y, num.Hundredths(x+s.Norm()))
		x = num.Mul(.9, x) + num.Mul(math.Sqrt(.5), s.Norm())
	}
	return p
}
