package cubature

import (
	"math"

	"logzlab/core/num"
)

// MaxDim is the largest number of coordinates.
const MaxDim = 3

// Options say where the mass may be and how exact the integral is to be. The zero value is that of nothing known.
type Options struct {
	// Mean and Root are the coordinates in which the density is about round: x = Mean + Root z, Root lower triangular, by
	// rows. nil: 0 and the unit matrix.
	Mean, Root []float64
	// Places are points x with mass around them. The scan finds others.
	Places [][]float64
	// Tol is the error that is aimed at, in nats; 0: 1e-6, 1e-4 and 1e-3 in one, two and three dimensions. MaxEvals is how
	// many evaluations may be made in all; 0: MaxEvals(d).
	Tol      float64
	MaxEvals int
	// Going, which may be nil, is called every few hundred evaluations with their number; false ends the work.
	Going func(evals int) bool
}

// Result is an integral.
type Result struct {
	// LogZ is the log of the integral, and Err a bound of its error by the difference of two computations and by their
	// error estimates, in nats.
	LogZ, Err float64
	Evals     int
	// Converged says that Err is at most the tolerance and that no mass was found that the numbers cut off.
	Converged bool
	// Diverges says that most of what was found is at the end of the numbers, beyond |x| of 1e140 or where e^x overflows.
	Diverges bool
	// Stopped says that Going ended the work.
	Stopped bool
}

// Tolerances in nats and evaluations where the caller sets none, for each dimension.
var (
	tols  = [MaxDim + 1]float64{0, 1e-6, 1e-4, 1e-3}
	evals = [MaxDim + 1]int{0, 400e3, 2e6, 4e6}
)

// Tol is the tolerance in d dimensions where a caller sets none, in nats.
func Tol(d int) float64 { return tols[d] }

// MaxEvals is how many evaluations Integrate makes at most in d dimensions, where a caller sets no number.
func MaxEvals(d int) int { return evals[d] }

// pass is what the two computations differ in.
type pass struct {
	scale float64 // of z
	shift float64 // of z, and of breakpoints of t as a share of their distance
	finer float64 // factor of the points of the scan in each coordinate
}

var passes = [2]pass{{scale: 1.5, shift: 0, finer: 1}, {scale: 2, shift: .13, finer: 1.09}}

// mostRounds is how many computations are made at most, where two do not agree.
const mostRounds = 6

// Integrate is the log of the integral of exp(logF) over R^d, d = len(mean) where it is given. logF may be NaN or
// infinite: NaN and both infinities count as a density of 0. It must not keep x.
func Integrate(d int, logF func(x []float64) float64, o Options) Result {
	if d < 1 || d > MaxDim {
		panic("cubature: one to three dimensions")
	}
	if o.Tol <= 0 {
		o.Tol = tols[d]
	}
	if o.MaxEvals <= 0 {
		o.MaxEvals = evals[d]
	}

	// Computations follow one another until two agree. Each knows the tops and the cells of the one before.
	var out Result
	var of [2]sum
	var before *integral
	for k := range mostRounds {
		p := passes[k%2]
		in := &integral{d: d, logF: logF, x: make([]float64, d), tol: o.Tol / 10, going: o.Going, before: out.Evals,
			most: (o.MaxEvals - out.Evals) / max(2-k, 1)}
		in.run(&o, p, before)
		now := in.result()
		out.Evals += in.evals
		if out.Stopped, out.Diverges = in.stopped, now.diverges; out.Stopped || out.Diverges {
			out.LogZ, out.Err = now.log, math.Inf(1)
			return out
		}
		of[k%2] = now
		if k > 0 {
			out.judge(&of, o.Tol)
			if out.Converged || now.err > o.Tol || out.Evals+in.evals > o.MaxEvals {
				break
			}
		}
		before = in
	}
	return out
}

// judge compares two computations.
func (r *Result) judge(of *[2]sum, tol float64) {
	a, b := &of[0], &of[1]
	if b.err < a.err {
		a, b = b, a
	}
	if r.LogZ, r.Err = a.log, math.Abs(a.log-b.log)+a.err; math.IsInf(a.log, -1) || !num.Known(r.Err) {
		r.Err = math.Inf(1)
	}
	r.Converged = r.Err <= tol && !a.cut && !b.cut
}
