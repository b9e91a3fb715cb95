package latent

import (
	"slices"

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

// GLMMKind is the kind of logistic regressions with a random intercept for each group.
var GLMMKind = models.Kind{Name: "glmm", Label: "mixed logistic regression",
	Title: "Evidence from estimated likelihoods",
	Traits: models.Traits{Look: models.Points, Axes: models.Coefficients, Unimodal: true, EstimatesLikelihood: true,
		Use: spec.Fits},
	Params: []spec.Param{
		{Name: "latent", Type: "choice", Default: "laplace", Choices: []string{"laplace", "prior"}, For: spec.Bridges,
			Help: "Where the intercepts of groups are drawn from: a t distribution around their mode (laplace), or " +
				"their prior."},
		paramInner, paramMoves},
	Reader: modelfile.Reader[models.File]{Fields: readGLMM, Columns: readGroups},
	Entries: []models.Entry{{Name: "glmm-wards", Truth: "quadrature",
		About: "Who recovers? Twelve simulated wards with six patients each: a treatment, and wards that differ.",
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) {
			p := simulatedGLMM(12, 6)
			p.KnownLogZ = glmmWardsLogZ
			return p, nil
		}}},
}

// glmmWardsLogZ is the log evidence of glmm-wards in nats, by quadrature (TestLatentTruth).
const glmmWardsLogZ = -48.9894385203

// GLMMParams is grouped data with the model y_ij ~ Bernoulli(sigma(b_0 + b'x_ij + u_i)), u_i ~ N(0, e^psi), where sigma
// is the logistic function. The coordinates of the posterior are (b_0, b, psi), with priors N(0, PriorSD^2) of b_0 and
// of each element of b, and N(PsiMean, PsiSD^2) of psi.
type GLMMParams struct {
	P                       int         // number of covariates
	X, Y                    [][]float64 // covariates (by rows) and outcomes of each group
	PriorSD, PsiMean, PsiSD float64
	KnownLogZ               float64 // exact log evidence of built-in models in nats; otherwise 0

	labels   []float64 // y in the order of the table, for DataID; nil means the order of the groups
	readNote error     // phrase about the columns of a table, or about fields that were not read; or nil
}

// Kind returns GLMMKind.
func (p GLMMParams) Kind() *models.Kind { return &GLMMKind }

// maxGLMMData is the largest number of data in all groups.
const maxGLMMData = 100000

// unsupportedGLMM are fields of other formats that would change the model. A file with such a field is rejected with
// the help, unless the value is one of Harmless.
var unsupportedGLMM = []modelfile.Unsupported{
	{Names: []string{"family", "link", "likelihood", "distribution"}, Harmless: []any{"binomial", "bernoulli", "logit",
		"logistic"}, Help: problem.New("y is 0 or 1, with the logistic link")},
	{Names: []string{"n", "trials", "ntrials", "size"}, Harmless: []any{1.},
		Help: problem.New("each datum is one trial; write k of n as k ones and n - k zeros")},
	{Names: []string{"weights", "sampleweight", "sampleweights"}, Harmless: []any{1.},
		Help: problem.New("all data count alike")},
	{Names: []string{"offset", "offsets"}, Harmless: []any{0.}, Help: problem.New("there is no offset; make it a covariate")},
	{Names: []string{"slopes", "randomslopes", "z", "random", "rho"}, Harmless: []any{0., false},
		Help: problem.New("only the intercept differs between groups")},
	{Names: []string{"intercept", "fitintercept"}, Harmless: []any{1., true}, Help: problem.New("there is an intercept b0")},
	{Names: []string{"priormean", "bmean", "m0"}, Harmless: []any{0.}, Help: glmmPriorHelp},
	{Names: []string{"prior", "priorvar", "priorcov", "psi", "psiprior", "psivar", "sigma", "tau", "groupsd", "usd"},
		Help: glmmPriorHelp},
}

// glmmPriorHelp is the help text for fields of other priors.
var glmmPriorHelp = problem.New("the priors are b ~ N(0, prior_sd^2) and psi ~ N(psi_mean, psi_sd^2), psi the log of " +
	"the variance between groups")

// readGLMM reads a JSON file.
func readGLMM(f *modelfile.Fields) (models.File, error) {
	const kind = "glmm"
	f.RejectUnsupported(kind, unsupportedGLMM)
	number := json.Value.Number
	p := GLMMParams{P: 1, X: modelfile.Get(f, "x", json.Value.Table), Y: modelfile.Get(f, "y", json.Value.Table),
		PriorSD: modelfile.GetRequired(f, kind, "prior_sd", number, 1e-6, 1e3), PsiMean: modelfile.GetRequired(f, kind, "psi_mean", number,
			-1e3, 1e3),
		PsiSD: modelfile.GetRequired(f, kind, "psi_sd", number, 1e-6, 1e3)}
	p.readNote = f.Unread()
	if f.Err != nil {
		return nil, f.Err
	}
	if len(p.X) != len(p.Y) {
		return nil, problem.New("glmm file: x has %d groups, y has %d; they must be as many", len(p.X), len(p.Y))
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	return p, nil
}

// check returns an error if the groups are not valid data.
func (p GLMMParams) check() error {
	n := 0
	for i, y := range p.Y {
		if n += len(y); len(y) == 0 {
			return problem.New("glmm file: group %d is empty; leave it out, or give its data", i)
		}
		if len(p.X[i]) != p.P*len(y) {
			return problem.New("glmm file: group %d has %d values of x and %d of y; they must be as many", i, len(p.X[i]),
				len(y))
		}
		for j, v := range y {
			if v != 0 && v != 1 {
				return problem.New("glmm file: y[%d][%d] = %v must be 0 or 1", i, j, v)
			}
		}
		if err := modelfile.Within("glmm", "x", -1e3, 1e3, p.X[i]...); err != nil {
			return err
		}
	}
	if n < 1 || n > maxGLMMData {
		return problem.New("glmm file: %d data in all groups; there must be between 1 and %d", n, maxGLMMData)
	}
	return nil
}

// Times in nanoseconds: for a group, for a draw in it, and for a datum. A datum takes glmmDatumTime for each draw; with
// laplace it also takes laplaceDatumTime once.
const (
	glmmGroupTime, glmmDrawTime, glmmDatumTime          = 60, 50, 3
	laplaceGroupTime, laplaceDrawTime, laplaceDatumTime = 120, 130, 100
)

// Open makes the model for the parameters v.
func (p GLMMParams) Open(name, about string, v spec.Values, _ *meter.Meter) (models.Model, error) {
	dim := p.P + 2
	mean, sd := make([]float64, dim), make([]float64, dim)
	for i := range sd {
		sd[i] = p.PriorSD
	}
	mean[dim-1], sd[dim-1] = p.PsiMean, p.PsiSD
	groups, data := float64(len(p.Y)), 0.
	for _, y := range p.Y {
		data += float64(len(y))
	}

	// Prior, and time of an estimate.
	var set struct {
		Latent string `param:"latent"`
	}
	v.Fill(&set)
	laplace := set.Latent != "prior"
	prior := normalPrior(mean, sd)
	prior.Names = append(density.NumberedNames("b", 0, dim-1), "\u03c8")
	fam := family{prior: prior, baseTime: num.Mul(glmmGroupTime, groups) + num.Mul(15, data),
		drawTime: num.Mul(glmmDrawTime, groups) + num.Mul(glmmDatumTime, data)}
	if laplace {
		fam.baseTime += num.Mul(laplaceGroupTime, groups) + num.Mul(laplaceDatumTime, data)
		fam.drawTime = num.Mul(laplaceDrawTime, groups) + num.Mul(glmmDatumTime, data)
	}

	fam.estimator = func(n int) models.Estimator {
		g, w := &glmmGroup{}, make([]float64, n)
		return pulse(func(s *rng.Stream, x []float64) float64 {
			sum, v := 0., interceptVariance(x[dim-1])
			for i, y := range p.Y {
				g.set(y, p.X[i], x[:dim-1])
				sum += g.estimate(s, v, laplace, w)
			}
			return sum
		}, fam.baseTime+num.Mul(fam.drawTime, float64(n)))
	}
	if p.KnownLogZ != 0 {
		fam.truth = &models.Truth{LogZ: p.KnownLogZ, Source: "quadrature"}
	}
	labels := p.labels
	if labels == nil {
		labels = slices.Concat(p.Y...)
	}
	info := models.Info{Name: name, Kind: GLMMKind.Name, About: about, Data: models.DataID(models.DataLabels, labels...),
		Understood: models.JoinPhrases(problem.New("%d data in %d groups, %d covariates and an intercept", len(labels), len(p.Y),
			p.P), p.readNote, problem.New("logistic link"), problem.New("priors b ~ N(0, %v^2), psi ~ N(%v, %v^2), psi the log of "+
			"the variance between groups", p.PriorSD, p.PsiMean, p.PsiSD))}
	return newModel(info, fam, v)
}

// simulatedGLMM returns groups of n patients, every other one treated, simulated with b = (-0.5, 1) and psi = 0.
func simulatedGLMM(groups, n int) GLMMParams {
	s := rng.NewKey(20, "glmm", groups).Stream(0, 0, 0)
	p := GLMMParams{P: 1, PriorSD: 2, PsiMean: 0, PsiSD: 1}
	for range groups {
		u := s.Norm()
		var x, y []float64
		for j := range n {
			x = append(x, float64(j%2))
			y = append(y, 0)
			if s.Float64() < num.Sigmoid(x[j]-.5+u) {
				y[j] = 1
			}
		}
		p.X, p.Y = append(p.X, x), append(p.Y, y)
	}
	return p
}
