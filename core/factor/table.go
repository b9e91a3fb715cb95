package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// A table is a factor or a message while variables are summed out. Its numbers are kept by themselves where they are
// close enough together that products and sums of them neither overflow nor underflow, which is fast, else as logs.
// Their largest one is some 1 (0 as a log), and a factor common to all is kept apart.

// table has its variables in the reverse of the order in which they are summed out, so the next one is the fastest.
type table struct {
	on     []int
	v      []float64
	scale  float64 // log of the common factor
	logs   bool
	spread float64 // log of the largest over the smallest number that is not 0
}

// farApart is the spread in nats from which on numbers are kept as logs: e^-600 times e^-80 can be told from 0.
const farApart = 600

// of makes a table of a factor; place is where each variable stands in the order.
func (g *Graph) of(f Factor, place []int) table {
	on := slices.Clone(f.On)
	slices.SortFunc(on, func(a, b int) int { return place[b] - place[a] })
	t := table{on: on, v: g.Reordered(f, on), logs: true}
	t.normalise()
	return t
}

// advance counts x up, the last variable first, and returns by how much an index of these strides grows.
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

// zero reports whether all numbers are 0.
func (t *table) zero() bool { return isZero(t.scale) }

// normalise takes the largest number out of the table, measures the spread, and changes to numbers or to logs where the
// spread asks for it.
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

	// The spread of the numbers above zero.
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

// toLogs changes from numbers to logs.
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
