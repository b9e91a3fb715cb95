package kernel

import (
	"math"

	"logzlab/core/num"
)

// Tempering is what tempering chains do between two sweeps with the log densities of
// len(U) rows, those of the states, at len(Y) rungs each:
//
//	Q_k = e^(X_k - Y_k - top),  top the largest X_k - Y_k of the row,
//
// is proportional to the chance of rung k ([RTS] eq. 7, Y = log Zhat - log r). Below e^-700 it is 0.
type Tempering struct {
	X, Q []float64   // rows x rungs; Step takes Y from X
	Y    []float64   // of each rung
	Top  []float64   // out, of each row
	Sum  []float64   // out, of each row: the sum of Q
	U    []float64   // of each row: a uniform number in (0, 1)
	Rung []int32     // out, of each row: k with probability Q_k / Sum
	C    [][]float64 // of each row: Q / Sum is added to it; nil: of none
	// Faint is out, of each row with C: whether Q is 0 at a rung where C is so small that
	// what Q stands for would count.
	Faint []bool
}

// NewTempering has room for rows that share y, and reads their densities from x.
func NewTempering(x, y []float64) *Tempering {
	rows := len(x) / len(y)
	return &Tempering{X: x, Q: make([]float64, len(x)), Y: y, Top: make([]float64, rows), Sum: make([]float64, rows), U: make([]float64, rows),
		Rung: make([]int32, rows), Faint: make([]bool, rows)}
}

const (
	faintLog = -700.
	faintSum = 1e-287 // e^-700 2^54 is 2e-288
)

// temperingMachine does Step with the bits of the Go code.
type temperingMachine interface{ step(t *Tempering) }

// tempering gives the machine; nil or giving nil where there is none. A platform
// that has one sets it.
var tempering func() temperingMachine

// Step does it.
func (t *Tempering) Step() {
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
	}
}

// subtractGo takes y from x and returns the largest of what is left.
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

// conditionalsGo writes the exponentials of x - top to q and adds number k to sum
// k mod 4.
func conditionalsGo(x, q []float64, top float64, sums *[4]float64) {
	for k := range x {
		q[k] = 0
		if d := x[k] - top; !(d < faintLog) {
			q[k] = num.Exp(d)
		}
		sums[k&3] += q[k]
	}
}

// countGo adds q/sum to c and reports whether Tempering.Faint.
func countGo(c, q []float64, inverse float64) (faint bool) {
	for k, e := range q {
		c[k] += float64(e * inverse)
		if e == 0 && c[k] < faintSum {
			faint = true
		}
	}
	return faint
}

// pick is the first k with u < q_0 + ... + q_k, or the last one, as u may be rounded
// up to the whole sum. Four are passed over at a time.
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
