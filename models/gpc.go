package models

import (
	"math"
	"slices"
	"sync"

	"logzlab/core/diag"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/rng"
	"logzlab/core/spec"
)

// Flags that this file sets.
var (
	FlagKernelGuessed = diag.NewFlag("kernel_guessed",
		"The data name no length scale, so their root mean square distance was taken; it stands in the diagnostics.")
	FlagEPDiverged = diag.NewFlag("ep_diverged",
		"Expectation propagation did not settle, so its log Z is not quoted.")
)

// GPC is Gaussian-process classification with the probit likelihood ([ARM] section 4),
//
//	Z = integral of prod_i Phi(y_i x_i) N(x; 0, K) dx = P(y_i z_i > 0 for all i), z ~ N(0, K + I),
//
// y_i = -1 or 1. As a sequence it takes the data one by one: p_n is N(0, K + I) of
// the first n data, restricted to the orthant of their labels (eq. 10), so Z_n =
// p(y_1, ..., y_n). As a path it tempers the likelihood of the latent x (gpc_path.go).
type GPC struct {
	info Info
	n    int
	y    []float64 // labels
	k    []float64 // N x N prior covariance
	data inputs
	path *gpcPath

	epOnce sync.Once
	fit    *epFit    // EP's, made once
	know   []float64 // log Z_n, NaN where it is not known
	from   string    // where log Z_N is known from

	mu        sync.Mutex
	l         []float64 // rows of the Cholesky factor of K + I, the first ready of them
	ready     int
	base, tip *basis // those that sequences were last loaded at, and grown to
}

// inputs are what the labels belong to; x is nil when only K is known.
type inputs struct {
	x      []float64
	d      int
	kernel Covariance // Name is "" when only K is known
	w, h   int        // inputs are pictures of w x h cells from -1 to 1; 0 when not
}

// covariance is the kernel at two points.
func (in *inputs) covariance(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		d := v - b[i]
		s += float64(d * d)
	}
	k := in.kernel
	if k.Name == "ou" {
		s = math.Sqrt(s) / k.Length
	} else {
		s /= 2 * float64(k.Length*k.Length)
	}
	return float64(float64(k.Amplitude*k.Amplitude) * num.Exp(-s))
}

func (in *inputs) row(i int) []float64 { return in.x[i*in.d : (i+1)*in.d] }

// typical is the root mean square distance of two data, the length scale of a
// kernel that has none; 1 when all data are equal.
func (in *inputs) typical() float64 {
	n := len(in.x) / in.d
	sum := 0.0
	for k := range in.d {
		mean := 0.0
		for i := range n {
			mean += in.x[i*in.d+k]
		}
		mean /= float64(n)
		for i := range n {
			d := in.x[i*in.d+k] - mean
			sum += float64(d * d)
		}
	}
	if !(sum > 0) || n < 2 {
		return 1
	}
	return math.Sqrt(2 * sum / float64(n-1))
}

// NewGPC makes a classifier. The parameters v are those of Params("gpc"); empty
// and zero ones leave what the file says.
func NewGPC(f GPCParams, v spec.Values) (*GPC, error) {
	in := inputs{x: f.X, d: f.D, kernel: f.Kernel, w: f.W, h: f.H}
	m := &GPC{info: Info{Kind: "gpc"}}
	y, k := f.Y, f.K
	if name := v["kernel"]; name != "" && name != "file" {
		in.kernel.Name = name
	}
	if a := v.Float("amplitude"); a > 0 {
		in.kernel.Amplitude = a
	}
	if l := v.Float("length"); l > 0 {
		if l < 1e-9 {
			return nil, problem.New("gpc: length = %v must be 0 or at least 1e-9", l)
		}
		in.kernel.Length = l
	}
	switch changed := in.kernel != f.Kernel; {
	case k != nil && changed:
		return nil, problem.New(
			"gpc: the file gives the covariance K itself, so kernel, amplitude and length have no effect; leave them out")
	case k != nil: // pictures interpolate with a kernel only where it is the model's
		in.kernel = Covariance{}
	default:
		if in.kernel.Name == "" {
			in.kernel.Name = "rbf"
		}
		if in.kernel.Amplitude == 0 {
			in.kernel.Amplitude = 1
		}
		if in.kernel.Length == 0 {
			in.kernel.Length = in.typical()
			m.info.Flags = append(m.info.Flags, FlagKernelGuessed)
		}
		m.info.Diagnostics = map[diag.Number]float64{DiagAmplitude: in.kernel.Amplitude, DiagLength: in.kernel.Length}
	}
	n := f.N
	if v["order"] == "random" {
		s := rng.NewKey(0, "order", n).Stream(0, 0, 0)
		order := permutation(&s, n)
		y, in.x, k = slices.Clone(y), slices.Clone(in.x), slices.Clone(k)
		for i, j := range order {
			y[i] = f.Y[j]
			if in.x != nil {
				copy(in.x[i*f.D:], f.X[int(j)*f.D:int(j+1)*f.D])
			}
			if k != nil {
				for t, u := range order {
					k[i*n+t] = f.K[int(j)*n+int(u)]
				}
			}
		}
	}
	if k == nil {
		k = make([]float64, n*n)
		for i := range n {
			for j := range i + 1 {
				k[i*n+j] = in.covariance(in.row(i), in.row(j))
				k[j*n+i] = k[i*n+j]
			}
		}
	}
	m.n, m.y, m.k, m.data = n, y, k, in
	m.info.Dim = n
	if m.know, m.from = m.closedForms(); f.Known != nil && in.kernel == f.Kernel && v["order"] != "random" {
		m.know, m.from = f.Known, f.KnownFrom
	}
	var err error
	m.path, err = newGPCPath(m, v, f.K != nil)
	return m, err
}

// permutation is a random order of 0..n-1 (Fisher and Yates).
func permutation(s *rng.Stream, n int) []int32 {
	p := make([]int32, n)
	shuffle(s, p)
	return p
}

func shuffle(s *rng.Stream, p []int32) {
	for i := range p {
		j := s.Intn(i + 1)
		p[i] = p[j]
		p[j] = int32(i)
	}
}

func (m *GPC) Info() Info     { return m.info }
func (m *GPC) LogZ0() float64 { return 0 }

// Truth is known in closed form for up to three data and for independent ones, and
// for gpc-ou.
func (m *GPC) Truth() *Truth {
	if z := m.know[m.n-1]; !math.IsNaN(z) {
		return &Truth{z, m.from}
	}
	return nil
}

// fitEP is what EP finds.
func (m *GPC) fitEP() *epFit {
	m.epOnce.Do(func() { m.fit = m.ep() })
	return m.fit
}

// maxDiagnosed is the largest number of data for which results include EP's log Z; there it
// takes a fifth of a second.
const maxDiagnosed = 200

// Diagnose quotes EP's approximation of log Z, which may be off either way.
func (m *GPC) Diagnose() (map[diag.Number]float64, []diag.Flag) {
	if m.n > maxDiagnosed {
		return nil, nil
	}
	e := m.fitEP()
	if !e.converged {
		return nil, []diag.Flag{FlagEPDiverged}
	}
	return map[diag.Number]float64{DiagLogZEP: e.logZ}, nil
}

// StageLogZ is log p(y_1..y_n), n = 1..N.
func (m *GPC) StageLogZ() []float64 { return m.know }

// closedForms are log Z_n of the first three data, of all where the data are
// independent. With r_ij = y_i y_j times the correlation of z_i and z_j,
//
//	Z_1 = 1/2, Z_2 = 1/4 + asin(r_12) / 2pi, Z_3 = 1/8 + (asin r_12 + asin r_13 + asin r_23) / 4pi.
func (m *GPC) closedForms() ([]float64, string) {
	know := make([]float64, m.n)
	independent := true
	for i := range m.n {
		for _, k := range m.k[i*m.n : i*m.n+i] {
			independent = independent && k == 0
		}
		know[i] = math.NaN()
		if independent {
			know[i] = -float64(float64(i+1) * math.Ln2)
		}
	}
	arc := func(i, j int) float64 {
		s := math.Sqrt(float64((m.k[i*m.n+i] + 1) * (m.k[j*m.n+j] + 1)))
		return asin(float64(float64(m.y[i]*m.y[j])*m.k[i*m.n+j]) / s)
	}
	if m.n > 1 && !independent {
		know[1] = num.Log(0.25 + arc(0, 1)/(2*math.Pi))
		if m.n > 2 {
			know[2] = num.Log(0.125 + (arc(0, 1)+arc(0, 2)+arc(1, 2))/(4*math.Pi))
		}
	}
	return know, "closed form"
}

// asin is the arc sine, |x| < 1, with the same bits everywhere: the angle is
// halved until the series of the arc tangent converges fast.
func asin(x float64) float64 {
	t := x / (1 + math.Sqrt(float64((1-x)*(1+x)))) // tan of half the angle
	for range 4 {
		t /= 1 + math.Sqrt(1+float64(t*t))
	}
	s, p := 0.0, 1.0
	for i := 1; i < 16; i += 2 { // t < 0.05
		s += p / float64(i)
		p *= -float64(t * t)
	}
	return float64(float64(32*t) * s)
}

// basis is what all particles of stage n share.
type basis struct {
	n int
	s []float64 // n x n: S = (K+I)^-1 of the first n data
	// The next datum, n < N: z_{n+1} given z is N(a'z, sd^2).
	a  []float64
	sd float64
}

// atOnce data are added to S in one pass over it.
const atOnce = 4

// extend is stage n from b, nil for stage 0. A datum adds r r' to S, with zeros
// around what was there and r = (-a, 1) / sd ([ARM] A.3). The vectors a come from the
// triangular factor of K+I and not from S, so rounding errors do not accumulate and S need
// not be recomputed from time to time.
func (m *GPC) extend(b *basis, n int) *basis {
	c := &basis{n: n, s: make([]float64, n*n)}
	from := 0
	if b != nil {
		from = b.n
		for i := range from {
			copy(c.s[i*n:], b.s[i*from:(i+1)*from])
		}
	}
	for k := from; k < n; k += atOnce {
		rs := m.ahead(k, min(k+atOnce, n))
		for i := range min(k+atOnce, n) { // the lower triangle
			row := c.s[i*n : i*n+i+1]
			if len(rs) < atOnce {
				for _, r := range rs {
					axpy(r[i], r[:i+1], row)
				}
				continue
			}
			r0, r1, r2, r3 := rs[0], rs[1], rs[2], rs[3]
			a0, a1, a2, a3 := r0[i], r1[i], r2[i], r3[i]
			r0, r1, r2, r3 = r0[:len(row)], r1[:len(row)], r2[:len(row)], r3[:len(row)]
			for j, s := range row {
				s += float64(a0 * r0[j])
				s += float64(a1 * r1[j])
				s += float64(a2 * r2[j])
				row[j] = s + float64(a3*r3[j])
			}
		}
	}
	for i := range n {
		for j := range i {
			c.s[j*n+i] = c.s[i*n+j]
		}
	}
	if n < m.n {
		r := m.ahead(n, n+1)[0]
		c.sd = 1 / r[n]
		c.a = r[:n]
		for i := range c.a {
			c.a[i] *= -c.sd
		}
	}
	return c
}

// ahead are the vectors r of data lo..hi-1, each with zeros to length hi. With row n
// of the factor L of K+I, l = L^-1 K_{[n],n} and sd its end, a = L'^-1 l.
func (m *GPC) ahead(lo, hi int) [][]float64 {
	m.factor(hi)
	var out [][]float64
	for k := lo; k < hi; k++ {
		r := make([]float64, hi)
		sd := m.l[k*m.n+k]
		for i, l := range m.l[k*m.n : k*m.n+k] {
			r[i] = -l / sd
		}
		r[k] = 1 / sd
		out = append(out, r)
	}
	for i := hi - 2; i >= 0; i-- { // L' from its last row up, all vectors at once
		row := m.l[i*m.n : i*m.n+i+1]
		for k, r := range out {
			if i < lo+k {
				r[i] /= row[i]
				axpy(-r[i], row[:i], r)
			}
		}
	}
	return out
}

// factor makes the first n rows of the Cholesky factor of K + I.
func (m *GPC) factor(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.l == nil {
		m.l = make([]float64, m.n*m.n)
	}
	for ; m.ready < n; m.ready++ {
		i := m.ready
		copy(m.l[i*m.n:], m.k[i*m.n:i*m.n+i+1])
		m.l[i*m.n+i]++
		// The pivot is the variance of z given its predecessors, at least that of the
		// noise: 1.
		m.l[i*m.n+i] = math.Sqrt(max(num.CholeskyRow(m.l, m.n, i), 1))
	}
}

// at is stage n. Particles of many lanes are loaded at the same few stages, so the
// last one loaded and the last one grown to are kept.
func (m *GPC) at(n int) *basis {
	if n == 1 {
		return m.extend(nil, 1)
	}
	m.mu.Lock()
	b := m.base
	if t := m.tip; t != nil && t.n <= n && (b == nil || b.n > n || t.n > b.n) {
		b = t
	}
	m.mu.Unlock()
	if b != nil && b.n > n {
		b = nil
	}
	if b == nil || b.n < n {
		b = m.extend(b, n)
	}
	m.mu.Lock()
	m.base = b
	m.mu.Unlock()
	return b
}

// grow is the stage after b.
func (m *GPC) grow(b *basis) *basis {
	m.mu.Lock()
	c := m.tip
	m.mu.Unlock()
	if c == nil || c.n != b.n+1 {
		c = m.extend(b, b.n+1)
		m.mu.Lock()
		m.tip = c
		m.mu.Unlock()
	}
	return c
}
