package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// A table is a factor or a message of an elimination. It stores values, which is fast, if products and sums of them
// neither overflow nor underflow; otherwise it stores their logs. The largest value is about 1 (log 0); the common
// factor is stored separately.

// table has its variables in reverse elimination order: the index of the variable to be eliminated next varies fastest.
type table struct {
	vars   []int
	v      []float64
	scale  float64 // log of the common factor
	logs   bool
	spread float64 // log of the ratio of the largest to the smallest positive value
}

// maxSpread is the spread in nats from which on a table stores logs: e^-600 times e^-80 does not underflow.
const maxSpread = 600

// newTable makes a table of a factor; place[v] is the position of v in the elimination order.
func (g *Graph) newTable(f Factor, position []int) table {
	vars := slices.Clone(f.Vars)
	slices.SortFunc(vars, func(a, b int) int { return position[b] - position[a] })
	t := table{vars: vars, v: g.Reordered(f, vars), logs: true}
	t.normalise()
	return t
}

// advance moves x to the next joint state, the last variable fastest, and returns the change of the index into a table
// with these strides.
func (g *Graph) advance(vars, x, stride []int) (change int) {
	for i := len(vars) - 1; i >= 0; i-- {
		change += stride[i]
		if x[i]++; x[i] < g.States[vars[i]] {
			break
		}
		change -= stride[i] * x[i]
		x[i] = 0
	}
	return change
}

// zero reports whether all entries are zero.
func (t *table) zero() bool { return isZero(t.scale) }

// normalise moves the largest value into scale, updates spread, and switches between values and logs if the spread
// requires it.
func (t *table) normalise() {
	if t.logs {
		t.normaliseLogs()
		if t.spread < maxSpread {
			for i, x := range t.v {
				t.v[i] = num.Exp(x)
			}
			t.logs = false
		}
		return
	}

	low, high := math.Inf(1), 0.0
	for _, x := range t.v {
		high = max(high, x)
		if x > 0 {
			low = min(low, x)
		}
	}
	if high == 0 {
		t.scale, t.spread = math.Inf(-1), 0
		return
	}

	// Scaling by a power of two is exact.
	_, power := math.Frexp(high)
	factor := math.Ldexp(1, -power)
	for i := range t.v {
		t.v[i] *= factor
	}
	t.scale += num.Mul(float64(power), math.Ln2)
	t.spread = num.Log(high) - num.Log(low)
	if t.spread >= maxSpread {
		t.toLogs()
	}
}

func (t *table) normaliseLogs() {
	low, high := math.Inf(1), math.Inf(-1)
	for _, x := range t.v {
		high = max(high, x)
		if !isZero(x) {
			low = min(low, x)
		}
	}
	if isZero(high) {
		t.scale, t.spread = math.Inf(-1), 0
		return
	}
	for i := range t.v {
		t.v[i] -= high
	}
	t.scale += high
	t.spread = high - low
}

// toLogs replaces values by their logs.
func (t *table) toLogs() {
	if t.logs {
		return
	}
	t.v = slices.Clone(t.v) // others may share them
	for i, x := range t.v {
		t.v[i] = num.Log(x)
	}
	t.logs = true
}
