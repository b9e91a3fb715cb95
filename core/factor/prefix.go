package factor

import (
	"math"

	"logzlab/core/num"
)

// PrefixLogZ sums at most prefixWork entries, which takes some tenths of a second, in tables of at most prefixTable
// entries.
const (
	prefixWork  = 1 << 26
	prefixTable = 1 << 22
)

// PrefixLogZ returns log Z_n in nats for n = 1, ..., len(order), where Z_n sums the product of the factors whose
// variables are all among the first n of the order. A joint table of the variables that later factors contain is
// carried from n to n+1. It returns nil if a limit (prefixWork, prefixTable) is exceeded or shouldContinue stopped the
// computation.
func (g *Graph) PrefixLogZ(order []int, shouldContinue func() bool) (out []float64) {
	// The position of each variable, and the position at which its last factor is complete.
	position, lastUse := make([]int, len(order)), make([]int, len(order))
	for n, v := range order {
		position[v], lastUse[v] = n, n
	}
	complete := make([][]Factor, len(order))
	logZ := 0.0
	for _, f := range g.Factors {
		last := -1
		for _, v := range f.Vars {
			last = max(last, position[v])
		}
		if last < 0 {
			logZ += f.Table[0]
			continue
		}
		complete[last] = append(complete[last], f)
		for _, v := range f.Vars {
			lastUse[v] = max(lastUse[v], last)
		}
	}

	// Check the limits and list the order of sums.
	leaving := make([][]int, len(order))
	for _, v := range order {
		leaving[lastUse[v]] = append(leaving[lastUse[v]], v)
	}
	sums, work, entries := Plan{}, 0.0, 1.0
	for n, v := range order {
		entries = num.Mul(entries, float64(g.States[v]))
		if work += entries; work > prefixWork || entries > prefixTable {
			return nil
		}
		for _, u := range leaving[n] {
			entries /= float64(g.States[u])
		}
		sums.Order = append(sums.Order, leaving[n]...)
	}

	// Each variable is added to the joint table with the factors that it completes, and is summed out after its last
	// factor.
	e := newElimination(&Graph{States: g.States}, sums, shouldContinue)
	joint, ok := table{v: []float64{1}}, true
	out = make([]float64, len(order))
	for n, v := range order {
		entering := table{vars: []int{v}, v: make([]float64, g.States[v]), logs: true}
		for _, f := range complete[n] {
			t := g.newTable(f, e.position)
			entering = e.product(e.union(entering.vars, t.vars), entering, t)
		}
		toSum := leaving[n]
		if len(toSum) > 0 && joint.endsWith(toSum[0]) && entering.endsWith(toSum[0]) { // faster than their product
			if joint, ok = e.sum([]table{joint, entering}, toSum[0]); !ok {
				return nil
			}
			toSum = toSum[1:]
		} else {
			joint = e.product(e.union(joint.vars, entering.vars), joint, entering)
		}
		for _, u := range toSum {
			if joint, ok = e.sum([]table{joint}, u); !ok {
				return nil
			}
		}
		out[n] = logZ + joint.logSum()
	}
	return out
}

// endsWith reports whether v is the last variable of the table, the one that can be summed out next.
func (t *table) endsWith(v int) bool { return len(t.vars) > 0 && t.vars[len(t.vars)-1] == v }

// logSum returns the log of the sum of all entries, including the scale.
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
