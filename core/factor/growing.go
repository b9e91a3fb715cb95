package factor

import (
	"math"

	"logzlab/core/num"
)

// Growing sums at most growingWork entries, some tenths of a second, in tables of at most growingTable entries.
const (
	growingWork  = 1 << 26
	growingTable = 1 << 22
)

// Growing is log Z_n in nats for n = 1 to all, where Z_n sums the product of the factors whose variables are all among
// the first n of an order. A joint table of the variables that later factors have is carried from n to n+1. It is nil
// if that takes too long or going ended the work.
func (g *Graph) Growing(order []int, going func() bool) (out []float64) {
	// The place of each variable in the order, and the place at which its last factor is complete.
	place, leaves := make([]int, len(order)), make([]int, len(order))
	for n, v := range order {
		place[v], leaves[v] = n, n
	}
	complete := make([][]Factor, len(order))
	logZ := 0.0
	for _, f := range g.Factors {
		last := -1
		for _, v := range f.On {
			last = max(last, place[v])
		}
		if last < 0 {
			logZ += f.Table[0]
			continue
		}
		complete[last] = append(complete[last], f)
		for _, v := range f.On {
			leaves[v] = max(leaves[v], last)
		}
	}

	// The work, and the order of sums.
	gone := make([][]int, len(order))
	for _, v := range order {
		gone[leaves[v]] = append(gone[leaves[v]], v)
	}
	sums, work, entries := Plan{}, 0.0, 1.0
	for n, v := range order {
		entries = num.Mul(entries, float64(g.States[v]))
		if work += entries; work > growingWork || entries > growingTable {
			return nil
		}
		for _, u := range gone[n] {
			entries /= float64(g.States[u])
		}
		sums.Order = append(sums.Order, gone[n]...)
	}

	// A variable enters with the factors that it completes, and is summed out after its last factor has entered.
	e := newElimination(&Graph{States: g.States}, sums, going)
	joint, ok := table{v: []float64{1}}, true
	out = make([]float64, len(order))
	for n, v := range order {
		come := table{on: []int{v}, v: make([]float64, g.States[v]), logs: true}
		for _, f := range complete[n] {
			t := g.of(f, e.place)
			come = e.product(e.union(come.on, t.on), come, t)
		}
		left := gone[n]
		if len(left) > 0 && joint.ends(left[0]) && come.ends(left[0]) { // faster than their product
			if joint, ok = e.sum([]table{joint, come}, left[0]); !ok {
				return nil
			}
			left = left[1:]
		} else {
			joint = e.product(e.union(joint.on, come.on), joint, come)
		}
		for _, u := range left {
			if joint, ok = e.sum([]table{joint}, u); !ok {
				return nil
			}
		}
		out[n] = logZ + joint.logSum()
	}
	return out
}

// ends reports whether v is the variable that is summed out next.
func (t *table) ends(v int) bool { return len(t.on) > 0 && t.on[len(t.on)-1] == v }

// logSum is the log of the sum of all entries, with the scale.
func (t *table) logSum() float64 {
	if t.zero() {
		return math.Inf(-1)
	}
	if t.logs {
		return t.scale + num.LogSumExp(t.v)
	}
	sum := 0.0
	for _, x := range t.v {
		sum += x
	}
	return t.scale + num.Log(sum)
}
