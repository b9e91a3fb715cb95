package kernel

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// Tempering is the step of tempering chains between two sweeps. From the log densities X of len(U) states at len(Y)
// rungs it computes
//
//	Q_k = e^(X_k - Y_k - top),  top the largest X_k - Y_k of the row,
//
// which is proportional to the probability of rung k ([RTS] eq. 7 with Y = log Zhat - log r), and draws a rung. Below
// e^-700, Q_k is 0.
//
// With From, the rung is reflected instead of drawn. The rungs divide [0, Sum) into intervals of length Q_k; a uniform
// point in the interval of the row's rung is reflected about the middle, and the new rung is the one with the reflected
// point. If rungs have the probabilities Q_k / Sum before, they have them afterwards, since the point is uniform on [0,
// Sum). This is the limit of ordered overrelaxation ([Neal1998]) for many values: chains show less random-walk
// behaviour than with drawn rungs.
type Tempering struct {
	X, Q []float64   // rows x rungs; Step subtracts Y from X
	Y    []float64   // by rung
	Top  []float64   // result, by row
	Sum  []float64   // result, by row: the sum of Q
	U    []float64   // by row: a uniform number in (0, 1)
	Rung []int32     // result, by row: k with probability Q_k / Sum
	From []int32     // by row: the rung to reflect; nil if rungs are drawn
	C    [][]float64 // by row: accumulates Q / Sum; may be nil
	D    [][]float64 // a second accumulator, as C
	// Faint is a result for each row with C: some Q_k was set to 0 although C_k is so small that the term would have
	// changed it.
	Faint []bool
}

// NewTempering returns memory for rows that share y, with densities x.
func NewTempering(x, y []float64) *Tempering {
	rows := len(x) / len(y)
	return &Tempering{X: x, Q: make([]float64, len(x)), Y: y, Top: make([]float64, rows), Sum: make([]float64, rows),
		U:    make([]float64, rows),
		Rung: make([]int32, rows), Faint: make([]bool, rows)}
}

const (
	faintLog = -700.
	faintSum = 1e-287 // e^-700 2^54 is 2e-288
)

// temperingAccelerator computes Step with the bits of the Go code.
type temperingAccelerator interface{ step(t *Tempering) }

// tempering returns the temperingAccelerator. It is nil, or returns nil, on platforms without one.
var tempering func() temperingAccelerator

// Step sets Q, Top, Sum, Rung and Faint from X, Y and U, and adds to C and D; X becomes X - Y.
func (t *Tempering) Step() {
	t.draw()
	n := len(t.Y)
	for r, k := range t.From {
		t.Rung[r] = int32(mirror(t.Q[r*n:(r+1)*n], int(k), t.U[r]))
	}
}

// draw is Step without From.
func (t *Tempering) draw() {
	if tempering != nil && !PureGo {
		if m := tempering(); m != nil && len(t.X) > 0 {
			m.step(t)
			return
		}
	}
	n := len(t.Y)
	for r, u := range t.U {
		x, q := t.X[r*n:(r+1)*n], t.Q[r*n:(r+1)*n]
		t.Top[r] = subtract(x, t.Y)
		t.Sum[r] = conditionals(x, q, t.Top[r])
		t.Rung[r] = int32(pick(q, float64(u*t.Sum[r])))
		if t.C != nil {
			t.Faint[r] = count(t.C[r][:n], q, 1/t.Sum[r])
		}
		if t.D != nil {
			count(t.D[r][:n], q, 1/t.Sum[r])
		}
	}
}

// subtractGo subtracts y from x and returns the largest difference.
func subtractGo(x, y []float64) (top float64) {
	top = math.Inf(-1)
	for k, z := range y[:len(x)] {
		x[k] -= z
		if x[k] > top {
			top = x[k]
		}
	}
	return top
}

// conditionalsGo sets q_k = exp(x_k - top), and adds q_k to sums[k mod 4], in the order of the SIMD code.
func conditionalsGo(x, q []float64, top float64, sums *[4]float64) {
	for k := range x {
		q[k] = 0
		if d := x[k] - top; !(d < faintLog) {
			q[k] = num.Exp(d)
		}
		sums[k&3] += q[k]
	}
}

// countGo adds q/sum to c and returns Tempering.Faint.
func countGo(c, q []float64, inverse float64) (faint bool) {
	for k, e := range q {
		c[k] += float64(e * inverse)
		if e == 0 && c[k] < faintSum {
			faint = true
		}
	}
	return faint
}

// mirror returns the rung that contains the reflection of a point of rung k, u of its interval. Rungs without mass are
// skipped, also if rounding makes the point equal to the whole sum.
func mirror(q []float64, k int, u float64) int {
	place := float64(u * q[k])
	for _, x := range q[:k] {
		place += x
	}
	for l, x := range slices.Backward(q) {
		if x == 0 {
			continue
		}
		if k = l; place < x {
			break
		}
		place -= x
	}
	return k
}

// pick returns the first k with u < q_0 + ... + q_k, or the last rung, since rounding may make u equal to the whole
// sum. It skips four rungs at a time.
func pick(q []float64, u float64) int {
	k, sum := 0, 0.0
	for ; k+4 <= len(q); k += 4 {
		s := sum + ((q[k] + q[k+1]) + (q[k+2] + q[k+3]))
		if u < s {
			break
		}
		sum = s
	}
	for ; k < len(q)-1; k++ {
		if sum += q[k]; u < sum {
			return k
		}
	}
	return len(q) - 1
}
