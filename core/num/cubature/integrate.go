package cubature

import (
	"math"

	"logzlab/core/num"
)

// MaxDim is the largest number of coordinates.
const MaxDim = 3

// Options specify where the mass may be, and the accuracy. The zero value uses defaults.
type Options struct {
	// Mean and Root define coordinates in which the density is approximately isotropic: x = Mean + Root z, Root lower
	// triangular, by rows. nil: 0 and the unit matrix.
	Mean, Root []float64
	// Places are points x with mass near them, in addition to those found on grids.
	Places [][]float64
	// Tol is the required error in nats; 0: Tol(d). MaxEvals is the largest total number of evaluations; 0: MaxEvals(d).
	Tol      float64
	MaxEvals int
	// Going, which may be nil, is called every few hundred evaluations with their number; false stops the computation.
	Going func(evals int) bool
}

// Result is an integral.
type Result struct {
	// LogZ is the log of the integral, and Err the estimate of its error in nats: the difference of two computations plus
	// the smaller of their error estimates.
	LogZ, Err float64
	Evals     int
	// Converged reports that Err is at most the tolerance, and that there is no sign of mass beyond the range of
	// floating-point numbers.
	Converged bool
	// Diverges reports that the integral seems to be infinite: much of the mass is beyond |x| of about 1e140, or at x
	// where e^x overflows.
	Diverges bool
	// Stopped reports that Going stopped the computation.
	Stopped bool
}

// Defaults by dimension: the tolerance in nats, and the largest number of evaluations.
var (
	defaultTol      = [MaxDim + 1]float64{0, 1e-6, 1e-4, 1e-3}
	defaultMaxEvals = [MaxDim + 1]int{0, 400e3, 2e6, 4e6}
)

// Tol returns the default tolerance in d dimensions, in nats.
func Tol(d int) float64 { return defaultTol[d] }

// MaxEvals returns the default largest number of evaluations in d dimensions.
func MaxEvals(d int) int { return defaultMaxEvals[d] }

// pass has the parameters in which computations differ. They alternate.
type pass struct {
	scale      float64 // of z = shift + scale sinh t
	shift      float64 // of z; breakpoints of t are 1 + shift/2 times as far out
	gridFactor float64 // of the points of grids along each coordinate
}

var passes = [2]pass{{scale: 1.5, shift: 0, gridFactor: 1}, {scale: 2, shift: .13, gridFactor: 1.09}}

// maxComputations is the largest number of computations if consecutive ones do not agree.
const maxComputations = 6

// Integrate returns the integral of exp(logF) over R^d. logF may be NaN or infinite, which counts as a density of 0. It
// must not keep x.
func Integrate(d int, logF func(x []float64) float64, o Options) Result {
	if d < 1 || d > MaxDim {
		panic("cubature: one to three dimensions")
	}
	if o.Tol <= 0 {
		o.Tol = defaultTol[d]
	}
	if o.MaxEvals <= 0 {
		o.MaxEvals = defaultMaxEvals[d]
	}

	// Each computation starts from the hills and the cells of the previous one.
	var out Result
	var last [2]outcome
	var before *integral
	for k := range maxComputations {
		p := passes[k%2]
		in := &integral{d: d, logF: logF, x: make([]float64, d), tol: o.Tol / 10, going: o.Going, evalsBefore: out.Evals,
			maxEvals: (o.MaxEvals - out.Evals) / max(2-k, 1)}
		in.integrate(&o, p, before)
		outcome := in.result()
		out.Evals += in.evals
		if out.Stopped, out.Diverges = in.stopped, outcome.diverges; out.Stopped || out.Diverges {
			out.LogZ, out.Err = outcome.logZ, math.Inf(1)
			return out
		}
		last[k%2] = outcome
		if k > 0 {
			out.judge(&last, o.Tol)
			if out.Converged || outcome.err > o.Tol || out.Evals+in.evals > o.MaxEvals {
				break
			}
		}
		before = in
	}
	return out
}

// judge combines two computations: the estimate with the smaller error, and that error plus the difference of both.
func (r *Result) judge(of *[2]outcome, tol float64) {
	a, b := &of[0], &of[1]
	if b.err < a.err {
		a, b = b, a
	}
	if r.LogZ, r.Err = a.logZ, math.Abs(a.logZ-b.logZ)+a.err; math.IsInf(a.logZ, -1) || !num.NotNaN(r.Err) {
		r.Err = math.Inf(1)
	}
	r.Converged = r.Err <= tol && !a.truncated && !b.truncated
}
