package mixture

import (
	"math"

	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/frame"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// GaussianKind is the kind of Gaussian mixtures.
var GaussianKind = models.Kind{Name: "gmm", Label: "GMM", Title: "Gaussian mixtures",
	Traits: models.Traits{Look: models.Points},
	Reader: modelfile.Reader[models.File]{Fields: readGaussian},
	Params: []spec.Param{
		{Name: "moves", Type: "int", Default: "4", Min: 1, Max: 10000, For: spec.Moves,
			Help: "Metropolis-Hastings steps in one sweep."},
		{Name: "proposal", Type: "choice", Default: "mh", Choices: []string{"mh", "hmc", "hmc_tuned"}, For: spec.Moves,
			Help: density.ProposalHelp},
		density.ParamLeaps.When("proposal", "hmc", "hmc_tuned"),
		paramHills,
	},
	Entries: []models.Entry{
		gaussianEntry("mixture2", "Three hills of unequal mass in the plane; the base is one wide hill.",
			GaussianParams{D: 2, BaseSD: 4, LogC: 3, Weights: []float64{.5, .3, .2},
				Means: [][]float64{{-3.5, -1.5}, {3, 2.5}, {2.5, -3}}, SDs: []float64{.9, .6, .4}}),
		gaussianEntry("mixture10", "Two narrow Gaussians, seven standard deviations apart, in ten dimensions.",
			GaussianParams{D: 10, BaseSD: 3, LogC: 2.5, Weights: []float64{.5, .5},
				Means: [][]float64{repeated(10, 1.1067971810589328), repeated(10, -1.1067971810589328)}, SDs: []float64{1, 1}}),
	},
}

// paramHills replaces the components of a mixture in the plane.
var paramHills = spec.Param{Name: "hills", Type: "string", Target: true, Check: func(s string) (string, error) {
	hills, err := frame.ReadHills(s)
	return frame.HillsText(hills), err
}, Help: "Hills in the plane instead of those of the model, X_Y_SD_MASS each, separated by ~, for example " +
	"-3_1_0.9_10~2_2_0.5_4. log Z is the log of their total mass."}

// setHills replaces the components by hills, whose total mass is Z.
func (p *GaussianParams) setHills(hills []frame.Hill) {
	total := 0.
	for _, h := range hills {
		total += h.Mass
	}
	p.LogC, p.Weights, p.SDs, p.Means = num.Log(total), nil, nil, nil
	for _, h := range hills {
		p.Weights, p.SDs = append(p.Weights, h.Mass/total), append(p.SDs, h.SD)
		p.Means = append(p.Means, []float64{h.X, h.Y})
	}
}

// hills returns the components of a mixture in the plane as hills; nil in other dimensions.
func (p *GaussianParams) hills() (hills []frame.Hill) {
	if p.D != 2 {
		return nil
	}
	for j, w := range p.Weights {
		hills = append(hills, frame.Hill{X: p.Means[j][0], Y: p.Means[j][1], SD: p.SDs[j], Mass: num.Mul(w, num.Exp(p.LogC))})
	}
	return hills
}

// gaussianEntry returns a built-in mixture.
func gaussianEntry(name, about string, p GaussianParams) models.Entry {
	return models.Entry{Name: name, Truth: "closed form", About: about,
		Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return p, nil }}
}

// repeated returns the vector (x, ..., x) of length d. The means of mixture10 have x = 3.5/sqrt(10) =
// 1.1067971810589328.
func repeated(d int, x float64) []float64 {
	out := make([]float64, d)
	for i := range out {
		out[i] = x
	}
	return out
}

// GaussianParams is a Gaussian mixture: base N(0, BaseSD^2 I) in D dimensions, target exp(LogC) sum_j Weights_j
// N(Means_j, SDs_j^2 I).
type GaussianParams struct {
	D            int
	BaseSD, LogC float64
	Weights, SDs []float64
	Means        [][]float64
	readNote     error // phrase about fields that were not read, or nil
}

// Kind returns GaussianKind.
func (p GaussianParams) Kind() *models.Kind { return &GaussianKind }

// Open makes the mixture with the kernel of the parameters v.
func (p GaussianParams) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	info := models.Info{Name: name, Kind: GaussianKind.Name, About: about,
		Understood: models.JoinPhrases(problem.New("%d round normal components in %d dimensions; base N(0, %v^2 I); log Z = "+
			"logC = %v", len(p.Weights), p.D, p.BaseSD, p.LogC), p.readNote)}
	var k density.Kernel
	v.Fill(&k)
	if text := v["hills"]; text != "" {
		hills, err := frame.ReadHills(text)
		if err != nil {
			return nil, err
		}
		if p.D != 2 {
			return nil, problem.New("hills are in the plane, and %s has %d dimensions; leave hills out", name, p.D)
		}
		p.setHills(hills)
		info.Understood = problem.New("%d hills in the plane; base N(0, %v^2 I); log Z = %v, the log of the total mass",
			len(hills), p.BaseSD, p.LogC)
	}
	m, err := newGaussian(info, p, k)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// unsupportedGaussian are fields of other formats that would change the model. A file with such a field is rejected
// with the help, unless the value is one of Harmless.
var unsupportedGaussian = []modelfile.Unsupported{
	{Names: []string{"cov", "covs", "covariance", "covariances", "sigma", "sigmas", "chol", "chols", "cholesky",
		"precision", "precisions", "rotation", "correlation"}, Help: problem.New("components are round: N(mean, sd^2 I)")},
	{Names: []string{"base", "basemean", "basemeans", "basecov"}, Harmless: []any{0.},
		Help: problem.New("the base is N(0, base_sd^2 I)")},
	{Names: []string{"nu", "df", "dof", "distribution", "family"}, Harmless: []any{"normal", "gaussian"},
		Help: problem.New("components are normal")},
	{Names: []string{"beta", "temperature", "t"}, Harmless: []any{1.}, Help: temperatureHelp},
	{Names: []string{"x", "xs", "y", "samples"}, Help: noDataHelp}, unsupportedWeights,
}

// Help texts for unsupported fields of both kinds of mixtures.
var (
	temperatureHelp = problem.New("the target is the mixture itself, at the temperature 1")
	noDataHelp      = problem.New("the mixture is the target itself; no data enter")

	unsupportedWeights = modelfile.Unsupported{Names: []string{"pi", "pis", "mixing", "*proportions", "*coefficients", "alpha"},
		Help: problem.New("write the weights of the components as weights")}
)

// readGaussian reads a JSON file. Errors name the field and the range of its values.
func readGaussian(f *modelfile.Fields) (models.File, error) {
	f.RejectUnsupported("gmm", unsupportedGaussian)
	g := GaussianParams{D: modelfile.Get(f, "d", json.Value.Int)}
	base, logC := modelfile.GetOptional(f, "base_sd", json.Value.Number), modelfile.GetOptional(f, "logC", json.Value.Number)
	g.Weights, g.SDs = modelfile.Get(f, "weights", json.Value.Numbers), modelfile.Get(f, "sds", json.Value.Numbers)
	g.Means = modelfile.Get(f, "means", json.Value.Table)
	g.readNote = f.Unread()
	if f.Err != nil {
		return nil, f.Err
	}
	if base == nil {
		return nil, problem.New("gmm file: base_sd is missing; it is the standard deviation of the base N(0, base_sd^2 I)")
	}
	if logC == nil {
		return nil, problem.New("gmm file: logC is missing; it is the log of the factor of the mixture, which is log Z")
	}

	// Check sizes and single numbers.
	g.BaseSD, g.LogC = *base, *logC
	n := len(g.Weights)
	switch {
	case g.D < 1 || g.D > 1000:
		return nil, problem.New("gmm file: d = %d must be between 1 and 1000", g.D)
	case n < 1 || n > 10000:
		return nil, problem.New("gmm file: %d weights; there must be between 1 and 10000", n)
	case len(g.Means) != n || len(g.SDs) != n:
		return nil, problem.New("gmm file: %d weights, %d means, %d sds; they must be as many", n, len(g.Means), len(g.SDs))
	case !(g.BaseSD >= 1e-6 && g.BaseSD <= 1e6):
		return nil, problem.New("gmm file: base_sd = %v must be between 1e-6 and 1e6", g.BaseSD)
	case !(math.Abs(g.LogC) <= 1e6):
		return nil, problem.New("gmm file: logC = %v must be between -1e6 and 1e6", g.LogC)
	}

	// Check each component.
	sum := 0.0
	for j := range g.Weights {
		if !(g.Weights[j] > 0 && g.Weights[j] <= 1) {
			return nil, problem.New("gmm file: weights[%d] = %v must be in (0, 1]", j, g.Weights[j])
		}
		sum += g.Weights[j]
		if !(g.SDs[j] >= 1e-6 && g.SDs[j] <= 1e6) {
			return nil, problem.New("gmm file: sds[%d] = %v must be between 1e-6 and 1e6", j, g.SDs[j])
		}
		if len(g.Means[j]) != g.D {
			return nil, problem.New("gmm file: means[%d] has %d coordinates, d = %d", j, len(g.Means[j]), g.D)
		}
		for i, x := range g.Means[j] {
			if !(math.Abs(x) < 1e6) {
				return nil, problem.New("gmm file: means[%d][%d] = %v must be between -1e6 and 1e6", j, i, x)
			}
			if math.Abs(x) > 1e6*min(g.SDs[j], g.BaseSD) {
				return nil, problem.New(
					"gmm file: means[%d][%d] = %v is more than a million standard deviations away; no arithmetic resolves that",
					j, i, x)
			}
		}
	}
	if math.Abs(sum-1) > 1e-6 {
		return nil, problem.New("gmm file: weights sum to %v, not 1", sum)
	}
	return g, nil
}
