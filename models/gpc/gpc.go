package gpc

import (
	"math"
	"slices"
	"sync"

	"logzlab/core/diag"
	"logzlab/core/lazy"
	"logzlab/core/meter"
	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/core/spec"
	"logzlab/models"
)

// Flags of classifiers.
var (
	FlagKernelGuessed = diag.NewFlag("kernel_guessed",
		"The file gives no length scale, so the root mean square distance of the data was taken; see the diagnostics.")
	flagEPDiverged = diag.NewFlag("ep_diverged",
		"Expectation propagation did not converge, so its log Z is not quoted.")
)

// Diagnostics of classifiers.
const (
	diagAmplitude diag.Number = "amplitude" // of the covariance function
	diagLength    diag.Number = "length"    // of the covariance function
	DiagLogZEP    diag.Number = "logz_ep"   // log Z by expectation propagation

	DiagLogZCorrected diag.Number = "logz_ep_corrected" // with the second-order correction
)

// Classifier is Gaussian-process classification,
//
//	Z = integral of prod_i p(y_i x_i) N(x; 0, K) dx,
//
// with labels y_i = -1 or 1 and p probit or logistic. With the probit likelihood ([ARM] section 4),
//
//	Z = P(y_i z_i > 0 for all i), z ~ N(0, K + I).
//
// As a sequence it adds one datum after another: p_n is N(0, K + I) of the first n data, restricted to the orthant of
// their labels (eq. 10), so Z_n = p(y_1, ..., y_n). As a path it tempers the likelihood of the latent x (path.go).
type Classifier struct {
	info models.Info
	n    int
	y    []float64 // labels
	k    []float64 // N x N prior covariance
	data inputs
	path *temperedPath

	logistic  bool // otherwise probit
	noiseless bool // the sequence has latent values x (gibbs = x), otherwise z = x + noise

	fit       lazy.Value[*epFit] // result of ep or boundSites
	knownLogZ []float64          // log Z_n, NaN where unknown
	knownFrom string             // source of log Z_N

	mu        sync.Mutex
	l         []float64 // first rows of the Cholesky factor of K + I, or of K with gibbs = x
	ready     int       // number of rows of l computed
	base, tip *basis    // last stage loaded, and last stage reached by next
}

// inputs are the points at which labels were observed; x is nil if only K is known.
type inputs struct {
	x      []float64
	d      int
	kernel Covariance // Name is "" if only K is known
	w, h   int        // inputs are pictures of w x h cells from -1 to 1; otherwise 0
}

// covariance returns the kernel at two points.
func (in *inputs) covariance(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		d := v - b[i]
		s += num.Mul(d, d)
	}
	k := in.kernel
	if k.Name == "ou" {
		s = math.Sqrt(s) / k.Length
	} else {
		s /= 2 * num.Mul(k.Length, k.Length)
	}
	return num.Mul(k.Amplitude*k.Amplitude, num.Exp(-s))
}

func (in *inputs) row(i int) []float64 { return in.x[i*in.d : (i+1)*in.d] }

// rmsDistance returns the root mean square distance of two data, the default length scale; 1 if all data are equal.
func (in *inputs) rmsDistance() float64 {
	n := len(in.x) / in.d
	sum := 0.0
	for k := range in.d {
		meter.Pulse(8 * float64(n))
		mean := 0.0
		for i := range n {
			mean += in.x[i*in.d+k]
		}
		mean /= float64(n)
		for i := range n {
			d := in.x[i*in.d+k] - mean
			sum += num.Mul(d, d)
		}
	}
	if !(sum > 0) || n < 2 {
		return 1
	}
	return math.Sqrt(2 * sum / float64(n-1))
}

// labelsID returns the ID of labels -1 and 1.
func labelsID(y []float64) string {
	labels := make([]float64, len(y))
	for i, v := range y {
		labels[i] = (v + 1) / 2
	}
	return models.DataID(models.DataLabels, labels...)
}

// New makes a classifier. v has values of the parameters of Kind; empty and zero values mean the settings of the file.
// The meter, which may be nil, watches memory and time.
func New(f Params, v spec.Values, w *meter.Meter) (*Classifier, error) {
	var set settings
	v.Fill(&set)
	m := &Classifier{info: models.Info{Kind: "gpc", Dim: f.N, Data: labelsID(f.Y)}, n: f.N, y: f.Y, k: f.K,
		data: inputs{x: f.X, d: f.D, kernel: f.Kernel, w: f.W, h: f.H}}
	m.logistic, m.noiseless = likelihood(f, set) == Logistic, set.Gibbs == "x"
	if err := m.data.apply(set); err != nil {
		return nil, err
	}
	switch {
	case f.K != nil && m.data.kernel != f.Kernel:
		return nil, problem.New(
			"gpc: the file gives the covariance K itself, so kernel, amplitude and length have no effect; leave them out")
	case f.K != nil: // pictures may interpolate only with the model's own kernel
		m.data.kernel = Covariance{}
	default:
		if m.data.fillDefaults() {
			m.info.Flags = append(m.info.Flags, FlagKernelGuessed)
		}
		kernel := m.data.kernel
		m.info.Diagnostics = map[diag.Number]float64{diagAmplitude: kernel.Amplitude, diagLength: kernel.Length}
	}

	// Memory, and order of the data.
	mixed := set.Order == "random"
	if err := w.Take(bytesOf(f, mixed, set.Base == "ep"), problem.New("a classifier of %d data", f.N),
		problem.New("give fewer data")); err != nil {
		return nil, err
	}
	if mixed {
		m.permute(f)
	}

	// Covariance, and known values of log Z.
	if m.k == nil {
		var err error
		if m.k, err = m.data.gram(m.n, w); err != nil {
			return nil, err
		}
	}
	if m.knownLogZ, m.knownFrom = m.closedForms(); f.Known != nil && m.data.kernel == f.Kernel && !mixed && !m.logistic {
		m.knownLogZ, m.knownFrom = f.Known, f.KnownFrom
	}
	var err error
	if m.path, err = newPath(m, set, f.K != nil); err != nil {
		return nil, err
	}
	if m.noiseless && !slices.ContainsFunc(m.k, func(x float64) bool { return x != 0 }) {
		return nil, problem.New("gpc: the covariance K is 0, so the latent values cannot move; leave out gibbs = x")
	}
	return m, nil
}

// apply sets the kernel's name and numbers to the parameters that are given.
func (in *inputs) apply(set settings) error {
	if name := set.Kernel; name != "" && name != "file" {
		in.kernel.Name = name
	}
	if a := set.Amplitude; a > 0 {
		in.kernel.Amplitude = a
	}
	if l := set.Length; l > 0 {
		if l < 1e-9 {
			return problem.New("gpc: length = %v must be 0 or at least 1e-9", l)
		}
		in.kernel.Length = l
	}
	return nil
}

// fillDefaults fills in missing settings of the kernel: squared exponential, amplitude 1 and the length rmsDistance. It
// reports whether the length was missing.
func (in *inputs) fillDefaults() (guessed bool) {
	if in.kernel.Name == "" {
		in.kernel.Name = "rbf"
	}
	if in.kernel.Amplitude == 0 {
		in.kernel.Amplitude = 1
	}
	if guessed = in.kernel.Length == 0; guessed {
		in.kernel.Length = in.rmsDistance()
	}
	return guessed
}

// gram returns the covariance matrix of n inputs.
func (in *inputs) gram(n int, w *meter.Meter) ([]float64, error) {
	each := float64(in.d) + 20 // operations
	w.Expect(each * float64(n) * float64(n) / 2)
	k := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			if err := w.Did(each); err != nil {
				return nil, err
			}
			k[i*n+j] = in.covariance(in.row(i), in.row(j))
			k[j*n+i] = k[i*n+j]
		}
	}
	return k, nil
}

// permute puts the data of f into a random order that is the same for every seed.
func (m *Classifier) permute(f Params) {
	n := m.n
	s := rng.NewKey(0, "order", n).Stream(0, 0, 0)
	order := permutation(&s, n)
	m.y, m.data.x, m.k = slices.Clone(f.Y), slices.Clone(f.X), slices.Clone(f.K)
	for i, j := range order {
		m.y[i] = f.Y[j]
		if f.X != nil {
			copy(m.data.x[i*f.D:], f.X[int(j)*f.D:int(j+1)*f.D])
		}
		if f.K != nil {
			for t, u := range order {
				m.k[i*n+t] = f.K[int(j)*n+int(u)]
			}
		}
	}
}

// permutation returns a random permutation of 0..n-1.
func permutation(s *rng.Stream, n int) []int32 {
	p := make([]int32, n)
	shuffle(s, p)
	return p
}

// shuffle sets p to a random permutation (Fisher and Yates).
func shuffle(s *rng.Stream, p []int32) {
	for i := range p {
		j := s.Intn(i + 1)
		p[i] = p[j]
		p[j] = int32(i)
	}
}

// Capabilities returns exact values, a lower bound and the sequence over data. With the logistic likelihood there is no
// sequence: the latent values of n data have no distribution restricted to an orthant ([ARM] eq. 10).
func (m *Classifier) Capabilities() models.Capabilities {
	c := models.Capabilities{Cost: m.Cost, Diagnose: m.Diagnose}
	c.Exact.Truth, c.Bounds.Floor = m.Truth, m.Floor
	if m.logistic {
		c.GrowingSpaces.NoSequence = problem.New("likelihood = logistic cannot be formed datum by datum; choose ais, rts or " +
			"auto, or likelihood = probit")
		return c
	}
	c.GrowingSpaces = models.GrowingSpaces{Sequence: m, StageCost: m.StageCost}
	return c
}

// Info returns the description of the model.
func (m *Classifier) Info() models.Info { return m.info }

// LogZ0 returns 0, because the base is normalised.
func (m *Classifier) LogZ0() float64 { return 0 }

// Truth returns log Z if it is known: in closed form for up to three data and for independent ones, and for gpc-ou.
func (m *Classifier) Truth() *models.Truth {
	if z := m.knownLogZ[m.n-1]; num.NotNaN(z) {
		return &models.Truth{LogZ: z, Source: m.knownFrom}
	}
	return nil
}

// sites returns the fitted normal distribution.
func (m *Classifier) sites() *epFit {
	if m.logistic {
		return m.fit.Get(m.boundSites)
	}
	return m.fit.Get(m.ep)
}

// maxDiagnosedData is the largest number of data for which results include log Z by expectation propagation even if no
// run starts from it; it then takes a fifth of a second.
const maxDiagnosedData = 200

// Diagnose returns log Z by expectation propagation and with its second-order correction. Neither is a bound.
func (m *Classifier) Diagnose() (map[diag.Number]float64, []diag.Flag) {
	if m.logistic || m.n > maxDiagnosedData && m.path.ep == nil {
		return nil, nil
	}
	e := m.sites()
	if !e.converged {
		return nil, []diag.Flag{flagEPDiverged}
	}
	return map[diag.Number]float64{DiagLogZEP: e.logZ, DiagLogZCorrected: e.logZ + e.correction}, nil
}

// StageLogZ returns log p(y_1..y_n), n = 1..N, NaN where unknown.
func (m *Classifier) StageLogZ() []float64 { return m.knownLogZ }

// closedForms returns log Z_n for n <= 3, and for all n if the data are independent. With the probit likelihood and
// r_ij = y_i y_j times the correlation of z_i and z_j,
//
//	Z_1 = 1/2, Z_2 = 1/4 + asin(r_12) / 2pi, Z_3 = 1/8 + (asin r_12 + asin r_13 + asin r_23) / 4pi.
func (m *Classifier) closedForms() ([]float64, string) {
	know := make([]float64, m.n)
	independent := true
	for i := range m.n {
		for _, k := range m.k[i*m.n : i*m.n+i] {
			independent = independent && k == 0
		}
		know[i] = math.NaN()
		if independent {
			know[i] = -num.Mul(float64(i+1), math.Ln2)
		}
	}
	arc := func(i, j int) float64 {
		s := math.Sqrt(num.Mul(m.k[i*m.n+i]+1, m.k[j*m.n+j]+1))
		return asin(num.Mul(m.y[i]*m.y[j], m.k[i*m.n+j]) / s)
	}
	if m.n > 1 && !independent && !m.logistic {
		know[1] = num.Log(0.25 + arc(0, 1)/(2*math.Pi))
		if m.n > 2 {
			know[2] = num.Log(0.125 + (arc(0, 1)+arc(0, 2)+arc(1, 2))/(4*math.Pi))
		}
	}
	return know, "closed form"
}

// asin returns the arc sine of |x| < 1, with the same bits on all platforms: the angle is halved until the series of
// the arc tangent converges fast.
func asin(x float64) float64 {
	t := x / (1 + math.Sqrt(num.Mul(1-x, 1+x))) // tan of half the angle
	for range 4 {
		t /= 1 + math.Sqrt(1+num.Mul(t, t))
	}
	s, p := 0.0, 1.0
	for i := 1; i < 16; i += 2 { // t < 0.05
		s += p / float64(i)
		p *= -num.Mul(t, t)
	}
	return num.Mul(32*t, s)
}
