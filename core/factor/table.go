package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// A table is a factor or a message of an elimination. If its values are close enough together that their products and
// sums neither overflow nor underflow, it has the values, which is fast, otherwise their logs. The largest value is
// about 1 (log 0); a common factor is separate.

// table has its variables in the reverse of the order of elimination, so that the index of the next one varies fastest.
type table struct {
	on     []int
	v      []float64
	scale  float64 // log of the common factor
	logs   bool
	spread float64 // log of the ratio of the largest to the smallest positive value
}

// farApart is the spread in nats from which on a table has logs: e^-600 times e^-80 is still above underflow.
const farApart = 600

// of makes a table of a factor; place[v] is the place of v in the order of elimination.
func (g *Graph) of(f Factor, place []int) table {
	on := slices.Clone(f.On)
	slices.SortFunc(on, func(a, b int) int { return place[b] - place[a] })
	t := table{on: on, v: g.Reordered(f, on), logs: true}
	t.normalise()
	return t
}

// advance moves x to the next joint state, the last variable fastest, and returns the change of an index with these
// strides.
func (g *Graph) advance(on, x, stride []int) (by int) {
	for i := len(on) - 1; i >= 0; i-- {
		by += stride[i]
		if x[i]++; x[i] < g.States[on[i]] {
			break
		}
		by -= stride[i] * x[i]
		x[i] = 0
	}
	return by
}

// zero reports whether all values are 0.
func (t *table) zero() bool { return isZero(t.scale) }

// normalise moves the largest value into the scale, measures the spread, and changes between values and logs if the
// spread requires it.
func (t *table) normalise() {
	if t.logs {
		t.normaliseLogs()
		if t.spread < farApart {
			for i, x := range t.v {
				t.v[i] = num.Exp(x)
			}
			t.logs = false
		}
		return
	}

	// The spread of the positive values.
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

	// Scaling by a power of two rounds nothing.
	_, power := math.Frexp(high)
	by := math.Ldexp(1, -power)
	for i := range t.v {
		t.v[i] *= by
	}
	t.scale += num.Mul(float64(power), math.Ln2)
	t.spread = num.Log(high) - num.Log(low)
	if t.spread >= farApart {
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

// toLogs changes from values to logs.
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
