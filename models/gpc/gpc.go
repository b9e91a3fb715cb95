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

// Flags that results of classifiers may carry.
var (
	FlagKernelGuessed = diag.NewFlag("kernel_guessed",
		"The file gives no length scale, so the root mean square distance of the data was taken; see the diagnostics.")
	flagEPDiverged = diag.NewFlag("ep_diverged",
		"Expectation propagation did not converge, so its log Z is not quoted.")
)

// Diagnostics of classifiers.
const (
	diagAmplitude diag.Number = "amplitude" // amplitude of the covariance function in use
	diagLength    diag.Number = "length"    // its length scale, in the unit of the inputs
	DiagLogZEP    diag.Number = "logz_ep"   // log Z by expectation propagation, in nats

	DiagLogZCorrected diag.Number = "logz_ep_corrected" // the same with its second-order correction
)

// Classifier is Gaussian-process classification of N data. Its normalising constant is
//
//	Z = integral of prod_i p(y_i x_i) N(x; 0, K) dx,
//
// with latent values x, labels y_i = -1 or 1, and the probit or logistic function p. With the probit likelihood ([ARM]
// section 4),
//
//	Z = P(y_i z_i > 0 for all i), z ~ N(0, K + I).
//
// As a models.Sequence it adds one datum after another: f_n is the density of N(0, K + I) of the first n data,
// restricted to the orthant where the signs of z are the labels (eq. 10), so Z_n = p(y_1, ..., y_n). As a path of
// densities it tempers the likelihood of x (temperedPath).
type Classifier struct {
	info models.Info
	n    int
	y    []float64 // labels
	k    []float64 // prior covariance K, N x N by rows
	data inputs
	path *temperedPath

	logistic  bool // the likelihood is logistic; otherwise probit
	noiseless bool // gibbs = x: particles hold latent values x; otherwise z = x + noise

	fit         lazy.Value[*siteFit] // result of fitEP (probit) or fitBound (logistic)
	knownLogZ   []float64            // log Z_n for n = 1..N, in nats; NaN where unknown
	knownSource string               // source of log Z_N, as in models.Truth

	mu                        sync.Mutex // guards the fields below
	l                         []float64  // first rows of the Cholesky factor of K + I, or of K with gibbs = x
	factorRows                int        // number of rows of l that are computed
	loadedStage, reachedStage *basis     // last stage returned by stage, and last one returned by next
}

// inputs are the points at which labels were observed, and their covariance function.
type inputs struct {
	x      []float64  // N x d, by rows; nil if only K is known
	d      int        // dimension of a point
	kernel Covariance // covariance function; its Name is "" if only K is known
	w, h   int        // if points are pictures: w x h cells from -1 to 1; otherwise 0
}

// covariance returns the prior covariance of the latent function at the points a and b.
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

// row returns point i.
func (in *inputs) row(i int) []float64 { return in.x[i*in.d : (i+1)*in.d] }

// rmsDistance returns the root mean square distance of two points, which is the default length scale. If all points are
// equal, it returns 1.
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

// labelsID returns the ID of the data (models.DataID) for labels -1 and 1.
func labelsID(y []float64) string {
	labels := make([]float64, len(y))
	for i, v := range y {
		labels[i] = (v + 1) / 2
	}
	return models.DataID(models.DataLabels, labels...)
}

// New makes a classifier from the data f and the values v of the parameters of Kind; empty and zero values mean the
// settings of f. The meter w, which may be nil, counts memory and time and stops New if they exceed their limits.
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
	isShuffled := set.Order == "random"
	if err := w.Take(bytesOf(f, isShuffled, set.Base == "ep"), problem.New("a classifier of %d data", f.N),
		problem.New("give fewer data")); err != nil {
		return nil, err
	}
	if isShuffled {
		m.permute(f)
	}

	// Covariance, and known values of log Z.
	if m.k == nil {
		var err error
		if m.k, err = m.data.gram(m.n, w); err != nil {
			return nil, err
		}
	}
	if m.knownLogZ, m.knownSource = m.closedForms(); f.KnownLogZ != nil && m.data.kernel == f.Kernel && !isShuffled && !m.logistic {
		m.knownLogZ, m.knownSource = f.KnownLogZ, f.KnownSource
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

// apply overrides the name and the numbers of the kernel by the parameters that are set.
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

// fillDefaults sets what is missing of the kernel: squared exponential (rbf), amplitude 1, length rmsDistance. It
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

// gram returns the n x n covariance matrix of the points, by rows.
func (in *inputs) gram(n int, w *meter.Meter) ([]float64, error) {
	opsPerEntry := float64(in.d) + 20 // operations
	w.Expect(opsPerEntry * float64(n) * float64(n) / 2)
	k := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			if err := w.Did(opsPerEntry); err != nil {
				return nil, err
			}
			k[i*n+j] = in.covariance(in.row(i), in.row(j))
			k[j*n+i] = k[i*n+j]
		}
	}
	return k, nil
}

// permute copies the data of f in a random order, which depends on their number alone.
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

// Capabilities returns exact values, a lower bound and, for the probit likelihood, the sequence over data. With the
// logistic likelihood Z_n is not the probability of an orthant ([ARM] eq. 10), so there is no sequence.
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

// Truth returns the exact log Z: in closed form for up to three data and for independent data, by quadrature for
// gpc-ou. It returns nil if log Z is unknown.
func (m *Classifier) Truth() *models.Truth {
	if z := m.knownLogZ[m.n-1]; num.NotNaN(z) {
		return &models.Truth{LogZ: z, Source: m.knownSource}
	}
	return nil
}

// fitSites returns the normal approximation of the posterior, computed on first use.
func (m *Classifier) fitSites() *siteFit {
	if m.logistic {
		return m.fit.Get(m.fitBound)
	}
	return m.fit.Get(m.fitEP)
}

// maxDiagnosedData is the largest number of data for which every result includes log Z by expectation propagation,
// which takes up to 0.2 s. With base = ep there is no limit, because the fit is needed anyway.
const maxDiagnosedData = 200

// Diagnose returns log Z by expectation propagation, with and without its second-order correction. Neither number is a
// bound. If the fit did not converge, it returns a flag instead.
func (m *Classifier) Diagnose() (map[diag.Number]float64, []diag.Flag) {
	if m.logistic || m.n > maxDiagnosedData && m.path.ep == nil {
		return nil, nil
	}
	e := m.fitSites()
	if !e.converged {
		return nil, []diag.Flag{flagEPDiverged}
	}
	return map[diag.Number]float64{DiagLogZEP: e.logZ, DiagLogZCorrected: e.logZ + e.correction}, nil
}

// StageLogZ returns log Z_n = log p(y_1, ..., y_n) for n = 1..N in nats; NaN where it is unknown.
func (m *Classifier) StageLogZ() []float64 { return m.knownLogZ }

// closedForms returns log Z_n for n = 1..N, and its source. It is known for n <= 3 with the probit likelihood, and for
// all n if K is diagonal; other elements are NaN. With r_ij = y_i y_j times the correlation of z_i and z_j,
//
//	Z_1 = 1/2, Z_2 = 1/4 + asin(r_12) / 2pi, Z_3 = 1/8 + (asin r_12 + asin r_13 + asin r_23) / 4pi.
func (m *Classifier) closedForms() ([]float64, string) {
	logZ := make([]float64, m.n)
	independent := true
	for i := range m.n {
		for _, k := range m.k[i*m.n : i*m.n+i] {
			independent = independent && k == 0
		}
		logZ[i] = math.NaN()
		if independent {
			logZ[i] = -num.Mul(float64(i+1), math.Ln2)
		}
	}
	arc := func(i, j int) float64 {
		s := math.Sqrt(num.Mul(m.k[i*m.n+i]+1, m.k[j*m.n+j]+1))
		return asin(num.Mul(m.y[i]*m.y[j], m.k[i*m.n+j]) / s)
	}
	if m.n > 1 && !independent && !m.logistic {
		logZ[1] = num.Log(0.25 + arc(0, 1)/(2*math.Pi))
		if m.n > 2 {
			logZ[2] = num.Log(0.125 + (arc(0, 1)+arc(0, 2)+arc(1, 2))/(4*math.Pi))
		}
	}
	return logZ, "closed form"
}

// asin returns the arc sine of |x| < 1, with the same bits on all platforms: the angle is halved until the series of
// the arc tangent converges fast.
func asin(x float64) float64 {
	t := x / (1 + math.Sqrt(num.Mul(1-x, 1+x))) // tangent of half the angle
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
