package gpc

import (
	"cmp"
	"fmt"
	"math"

	"logzlab/core/files/csv"
	"logzlab/core/files/json"
	"logzlab/core/files/modelfile"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
	"logzlab/models/density"
)

// Kind is the kind of Gaussian-process classifiers. Their posterior is log-concave.
var Kind = models.Kind{Name: "gpc", Label: "GPC", Title: "Gaussian-process classifiers",
	Traits: models.Traits{Look: models.Functions, Unimodal: true, HasSequence: true},
	Reader: modelfile.Reader[models.File]{Fields: readGPC, Table: readGPCTable},
	Params: []spec.Param{
		{Name: "kernel", Target: true, Type: "choice", Default: "file", Choices: []string{"file", "rbf", "ou"},
			Help: "Covariance function: of the model's file (rbf if it has none), squared exponential (rbf) or " +
				"Ornstein-Uhlenbeck (ou)."},
		{Name: "amplitude", Target: true, Type: "float", Default: "0", Min: 0, Max: maxAmplitude,
			Help: "Prior standard deviation of the latent function; 0 means the value of the model's file, or 1."},
		{Name: "length", Target: true, Type: "float", Default: "0", Min: 0, Max: 1e9,
			Help: "Length scale of the latent function; 0 means the value of the model's file, or the root mean square " +
				"distance of the data."},
		{Name: "likelihood", Target: true, Type: "choice", Default: "file", Choices: []string{"file", Probit, Logistic},
			Help: "Likelihood of a label: of the model's file (probit if it has none), probit or logistic. The logistic " +
				"one allows only tempering, from the prior."},
		{Name: "sampler", Type: "choice", Default: "hmc", Choices: []string{"hmc", "ess", "hmc_plain", "rmhmc"},
			For: spec.Moves,
			Help: "Kernel of tempered runs: whitened Hamiltonian (hmc), elliptical slice (ess), Hamiltonian in the " +
				"latent values (hmc_plain) or Riemannian (rmhmc, whose time grows with the cube of the number of data)."},
		spec.Param{Name: "gibbs", Type: "choice", Default: "z", Choices: []string{"z", "x"}, For: spec.Forms,
			Help: "Values that a sweep of rm and arm updates, one label after the other: latent values with noise, by slice " +
				"sampling (z), or latent values without noise, by exact draws (x), which mixes slowly if K is small or nearly " +
				"singular."}.
			Unless("likelihood", Logistic),
		{Name: "base", Type: "choice", Default: "prior", Choices: []string{"prior", "ep"}, For: spec.Bridges,
			Help: "Base of tempered runs: the prior, or the Gaussian found by expectation propagation (ep)."},
		spec.Param{Name: "eps", Type: "float", Default: "0", Min: 0, Max: 100, For: spec.Moves,
			Help: "Step of the Hamiltonian samplers; 0 means the sampler's default."}.Unless("sampler", "ess"),
		density.ParamLeaps.Unless("sampler", "ess"),
		{Name: "order", Type: "choice", Default: "natural", Choices: []string{"natural", "random"},
			Help: "Order in which data are added: the given one (natural) or a fixed random one."},
	},
	Entries: []models.Entry{
		{Name: "gpc-1d", About: "A Gaussian process that classifies 30 points on a line: smooth random functions, " +
			"conditioned on one label after the other.",
			Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return *lineData("rbf", 1), nil }},
		{Name: "gpc-ou", Truth: "quadrature", About: "The same 30 points under rough random functions " +
			"(Ornstein-Uhlenbeck), whose exact log Z is known after every label.",
			Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return *ouData(), nil }},
		{Name: "gpc-2d", About: "A Gaussian process that classifies 60 points in two interlocking half rings.",
			Make: func(func(string) ([]byte, error), *meter.Meter) (models.File, error) { return *moonData(), nil }},
		{Name: "gpc-mnist35", About: "A Gaussian process that tells 100 handwritten threes from 100 fives (MNIST, " +
			"averaged to 16 x 16).",
			Files: []string{mnistFile}, Make: loadPictures},
	},
}

// Kind returns the kind gpc.
func (g Params) Kind() *models.Kind { return &Kind }

// Open makes the classifier.
func (g Params) Open(name, about string, v spec.Values, w *meter.Meter) (models.Model, error) {
	m, err := New(g, v, w)
	if err != nil {
		return nil, err
	}
	m.info.Name, m.info.About, m.info.Understood = name, about, g.describe(m)
	return m, nil
}

// settings are the values of the parameters of Kind. Empty and zero values, and "file", mean the value in the model
// file.
type settings struct {
	Kernel     string  `param:"kernel"`
	Amplitude  float64 `param:"amplitude"`
	Length     float64 `param:"length"`
	Likelihood string  `param:"likelihood"`
	Order      string  `param:"order"`
	Base       string  `param:"base"`
	Gibbs      string  `param:"gibbs"`
	Sampler    string  `param:"sampler"`
	Eps        float64 `param:"eps"`
	Leaps      int     `param:"leaps"`
}

// likelihood returns the likelihood that the parameters set, or else that of the file, or else probit.
func likelihood(f Params, set settings) string {
	if name := set.Likelihood; name != "" && name != "file" {
		return name
	}
	return cmp.Or(f.Likelihood, Probit)
}

// describe returns a translatable phrase about the data, the kernel and the likelihood of m.
func (g Params) describe(m *Classifier) error {
	k, link := m.data.kernel, problem.New("probit link")
	if m.logistic {
		link = problem.New("logistic link")
	}
	data, kernel := problem.New("%d data", g.N), problem.New("covariance K of the file")
	if g.X != nil {
		data = problem.New("%d data with %d features", g.N, g.D)
	}
	if k.Name != "" {
		kernel = problem.New("kernel %s, amplitude %.4g, length %.4g", k.Name, k.Amplitude, k.Length)
	}
	return models.JoinPhrases(data, g.ReadNote, kernel, link)
}

// Params are the data of a Gaussian-process classification: N labels, and either their prior covariance K or inputs X
// with a kernel. If a file gives both, K is the model and X is used for pictures only.
type Params struct {
	N, D   int
	Y      []float64 // labels, -1 or 1
	K      []float64 // N x N, symmetric, by rows; nil if it is computed from X
	X      []float64 // N x D, by rows; nil if only K is given
	Kernel Covariance

	Likelihood string // Probit or Logistic; "" means probit

	W, H int // inputs of bundled data are pictures: W x H cells from -1 to 1

	// ReadNote is a phrase about the columns of a table or about fields that were not read; nil if there is none.
	ReadNote error

	// KnownLogZ are the exact log Z_1..log Z_N in nats for this kernel and this order of the data; nil if unknown.
	// KnownSource is their source.
	KnownLogZ   []float64
	KnownSource string
}

// Covariance is a covariance function of the distance r of two inputs: Amplitude^2 exp(-r^2 / (2 Length^2)) if Name is
// rbf, Amplitude^2 exp(-r / Length) if it is ou. What the file lacks is "" or 0.
type Covariance struct {
	Name      string
	Amplitude float64
	Length    float64
}

// Limits of a classification.
const (
	MaxData      = csv.MaxRows // the inverse of the covariance needs N^2 numbers and N^3 operations
	maxAmplitude = 1e4
)

// unsupportedFields are fields of other classifiers that would change the model, unsupportedKernelFields those of other
// kernels. A file with such a field is rejected with the help, unless the value is one of Harmless.
var (
	unsupportedFields = []modelfile.Unsupported{
		{Names: []string{"link", "linkfunction", "inverselink"}, Harmless: []any{"probit"},
			Help: problem.New("write it into likelihood, which is probit or logistic")},
		{Names: []string{"amplitude", "length", "lengthscale", "lengthscales", "variance", "sigmaf", "outputscale", "nu",
			"ard"}, Help: problem.New("write it into kernel, which has name, amplitude and length")},
		{Names: []string{"mean", "meanfunction", "offset", "bias", "intercept"}, Harmless: []any{0., "zero", false},
			Help: problem.New("the prior mean of the latent function is 0")},
		{Names: []string{"noise", "noisevariance", "noisesd", "nugget", "alpha"}, Harmless: []any{0.},
			Help: problem.New("the only noise of labels is that of the likelihood; add a variance to the diagonal of K")},
		{Names: []string{"weights", "sampleweight", "sampleweights"}, Harmless: []any{1.},
			Help: problem.New("all data count alike")},
		{Names: []string{"z", "inducing", "inducingpoints"}, Help: problem.New("the covariance of all data is used")},
	}
	unsupportedKernelFields = []modelfile.Unsupported{
		{Names: []string{"lengthscale", "lengthscales", "lengths", "ls", "ell", "scale", "ard", "variance", "sigma", "sigmaf",
			"outputscale", "nu", "alpha", "p", "period", "noise", "constant", "white", "kernels", "terms", "sum", "product"},
			Help: problem.New("a kernel has name (rbf or ou), amplitude, a standard deviation, and length; give the " +
				"covariance of another one as K")},
	}
)

// readGPC reads a JSON file: labels y, and K or X with a kernel. The error names the field and what it must be.
func readGPC(f *modelfile.Fields) (models.File, error) {
	f.RejectUnsupported("gpc", unsupportedFields)
	cov, y := modelfile.Get(f, "K", json.Value.Table), modelfile.Get(f, "y", json.Value.Numbers)
	kernel := &modelfile.Fields{Object: modelfile.Get(f, "kernel", json.Value.Object), Prefix: "kernel."}
	kernel.RejectUnsupported("gpc", unsupportedKernelFields)
	name := modelfile.Get(kernel, "name", json.Value.Text)
	amplitude := modelfile.GetOptional(kernel, "amplitude", json.Value.Number)
	length := modelfile.GetOptional(kernel, "length", json.Value.Number)
	likelihood := modelfile.Get(f, "likelihood", json.Value.Text)
	x := f.Value("X")
	readNote := models.JoinPhrases(f.Unread(), kernel.Unread())
	if err := cmp.Or(f.Err, kernel.Err); err != nil {
		return nil, err
	}

	g := &Params{N: len(y), Likelihood: likelihood, ReadNote: readNote}
	if likelihood != "" && likelihood != Probit && likelihood != Logistic {
		return nil, problem.New("gpc file: likelihood = %q must be \"probit\" or \"logistic\"", likelihood)
	}
	if cov == nil && x.IsNull() {
		return nil, problem.New(
			"gpc file: K and X are both missing; give the prior covariance K (N x N) or inputs X (N rows) with a kernel")
	}
	if err := g.setLabels(y, func(i int) any { return fmt.Sprintf("y[%d]", i) }); err != nil {
		return nil, err
	}

	// Covariance.
	if cov != nil {
		if len(cov) != g.N {
			return nil, problem.New("gpc file: K has %d rows, y has %d labels", len(cov), g.N)
		}
		for i, row := range cov {
			if len(row) != g.N {
				return nil, problem.New("gpc file: K is ragged: row %d has %d columns, there are %d labels", i, len(row), g.N)
			}
		}
		g.K = cov[0][:g.N*g.N]
		if err := g.checkSymmetric(); err != nil {
			return nil, err
		}
	}

	// Inputs.
	if !x.IsNull() {
		if err := f.Take("X"); err != nil {
			return nil, err
		}
		rows, err := inputRows(x)
		if err != nil {
			return nil, problem.New("gpc file: X: %v; it must be N rows of numbers, or N numbers", err)
		}
		if len(rows) != g.N {
			return nil, problem.New("gpc file: X has %d rows, y has %d labels", len(rows), g.N)
		}
		if err := g.setInputs(rows, func(i, j int) string { return fmt.Sprintf("X[%d][%d]", i, j) }); err != nil {
			return nil, err
		}
	}

	// Kernel.
	if kernel.Object != nil {
		g.Kernel.Name = name
		if err := g.Kernel.read(amplitude, length); err != nil {
			return nil, err
		}
	}
	return *g, nil
}

// read checks the name of the kernel and sets its amplitude and length, each nil if the file lacks it.
func (c *Covariance) read(amplitude, length *float64) error {
	if c.Name != "rbf" && c.Name != "ou" {
		return problem.New("gpc file: kernel.name = %q must be \"rbf\" or \"ou\"", c.Name)
	}
	if a := amplitude; a != nil {
		if !(*a > 0 && *a <= maxAmplitude) {
			return problem.New("gpc file: kernel.amplitude = %v must be above 0 and at most %v", *a, maxAmplitude)
		}
		c.Amplitude = *a
	}
	if l := length; l != nil {
		if !(*l >= 1e-9 && *l <= 1e9) {
			return problem.New("gpc file: kernel.length = %v must be between 1e-9 and 1e9", *l)
		}
		c.Length = *l
	}
	return nil
}

// inputRows returns the rows of a table, or of a list of numbers as a table with one column.
func inputRows(x json.Value) ([][]float64, error) {
	if x.Nested() {
		return x.Table()
	}
	flat, err := x.Numbers()
	if err != nil {
		return nil, err
	}
	var rows [][]float64
	for i := range flat {
		rows = append(rows, flat[i:i+1])
	}
	return rows, nil
}

// setLabels sets N and Y from labels that are -1 and 1, or 0 and 1. labelName(i) names label i in errors; it returns a
// text, or a problem if the name must be translated.
func (g *Params) setLabels(y []float64, labelName func(i int) any) error {
	if len(y) == 0 {
		return problem.New("gpc file: there are no data; give at least one label")
	}
	if len(y) > MaxData {
		return problem.New("gpc file: %d data are more than the limit of %d; give fewer", len(y), MaxData)
	}
	g.N = len(y)
	otherLabel, otherIndex := 2.0, 0 // the label of the other class, and its first index
	for i, v := range y {
		switch isLabel := v == -1 || v == 0 || v == 1; {
		case isLabel && v != 1 && otherLabel != 2 && v != otherLabel:
			return problem.New("gpc file: %s: labels must be -1 and 1, or 0 and 1",
				problem.New("%s = %v, but %s = %v", labelName(i), v, labelName(otherIndex), otherLabel))
		case !isLabel:
			return problem.New("gpc file: %s = %v: labels must be -1 and 1, or 0 and 1", labelName(i), v)
		}
		if v != 1 {
			if otherLabel == 2 {
				otherLabel, otherIndex = v, i
			}
			v = -1
		}
		g.Y = append(g.Y, v)
	}
	return nil
}

// setInputs sets D and X from a table with a row for each datum. cellName(i, j) names a cell in errors.
func (g *Params) setInputs(rows [][]float64, cellName func(i, j int) string) error {
	g.D = len(rows[0])
	if g.D == 0 {
		return problem.New("gpc file: the inputs have no columns; give at least one feature")
	}
	g.X = make([]float64, 0, len(rows)*g.D)
	for i, row := range rows {
		if len(row) != g.D {
			return problem.New("gpc file: the inputs are ragged: row %d has %d columns, row 0 has %d", i, len(row), g.D)
		}
		for j, x := range row {
			if !(math.Abs(x) <= 1e9) {
				return problem.New("gpc file: %s = %v must be a number of size at most %v", cellName(i, j), x, 1e9)
			}
		}
		g.X = append(g.X, row...)
	}
	return nil
}

// checkSymmetric returns an error if K is not symmetric, has a negative variance or an entry that is too large. It
// replaces K_ij and K_ji by their mean, because they may differ by rounding. It does not check the eigenvalues.
func (g *Params) checkSymmetric() error {
	n := g.N
	for i := range n {
		for j := range n {
			x := g.K[i*n+j]
			if !(math.Abs(x) <= maxAmplitude*maxAmplitude) {
				return problem.New("gpc file: %s = %v must be a number of size at most %v",
					fmt.Sprintf("K[%d][%d]", i, j), x, maxAmplitude*maxAmplitude)
			}
		}
	}
	for i := range n {
		if d := g.K[i*n+i]; d < 0 {
			return problem.New("gpc file: K[%d][%d] = %v: a variance cannot be negative", i, i, d)
		}
		for j := range i {
			a, b := g.K[i*n+j], g.K[j*n+i]
			// Rounding errors are about 1e-16 of the bound sqrt(K_ii K_jj) of a covariance.
			if math.Abs(a-b) > 1e-9*math.Sqrt(num.Mul(g.K[i*n+i], g.K[j*n+j])) {
				return problem.New("gpc file: K is not symmetric: K[%d][%d] = %v, K[%d][%d] = %v", i, j, a, j, i, b)
			}
			g.K[i*n+j] = a + num.Mul(0.5, b-a)
			g.K[j*n+i] = g.K[i*n+j]
		}
	}
	return nil
}
