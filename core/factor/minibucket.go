package factor

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// Weighted mini-buckets ([Liu2011]). The bucket of a variable x has the tables that are summed over x. If their joint
// table would be too large, the bucket is partitioned into R mini-buckets with joint tables J_r, each of which is
// summed separately. With weights w = 1/R, the product of the messages
//	 m_r(s) = (sum over x of J_r(s, x)^(1/w))^w
// is an upper bound of the sum of the product (Hölder's inequality), so elimination gives an upper bound of log Z.
// Before the sums, the marginals over x of the powers J_r^(1/w) are replaced by their geometric mean, which does not
// change the product and tightens the bound ([Liu2011] section 4).

// Effort limits the work of bounds: tables have at most Entries entries each and at most Bytes bytes in total.
type Effort struct{ Entries, Bytes float64 }

// Buckets determines an elimination order and how tables are assigned to mini-buckets. With LateFirst, tables that
// contain late variables of the order are assigned first, so that the last mini-buckets have the variables that are
// eliminated next: on a square lattice this leaves table entries for couplings, on dense graphs it loosens the bounds.
type Buckets struct {
	Order     []int
	LateFirst bool
}

// MiniBuckets returns an upper bound of log Z in nats by tables of limited size; it equals log Z if no bucket is
// partitioned. The sampler draws states from these tables, approximately from the target. ok is false if shouldContinue
// stopped the computation or the tables took more than limit.Bytes.
func (g *Graph) MiniBuckets(b Buckets, limit Effort, shouldContinue func() bool) (bound float64, s *Sampler, ok bool) {
	e := newElimination(g, Plan{Order: b.Order}, shouldContinue)
	s = &Sampler{g: g, order: b.Order}
	permanentBytes := 0.0
	for _, v := range b.Order {
		groups := e.partition(v, b.LateFirst, limit.Entries)
		permanent, temporary := e.bytes(groups)
		if permanentBytes += permanent; permanentBytes+temporary > limit.Bytes {
			return math.NaN(), nil, false
		}
		messages, ok := e.messages(groups, v)
		if !ok {
			return math.NaN(), nil, false
		}
		for _, t := range messages {
			e.put(t)
		}
		s.append(e, slices.Concat(groups...))
	}
	s.LogZ = e.logZ
	return e.logZ, s, true
}

// partition divides the bucket of v into mini-buckets whose joint tables have at most entries entries.
func (e *elimination) partition(v int, lateFirst bool, entries float64) (out [][]table) {
	if lateFirst {
		t := e.buckets[v]
		sort.SliceStable(t, func(i, j int) bool { return e.position[t[i].vars[0]] > e.position[t[j].vars[0]] })
	}
	var jointVars [][]int
next:
	for _, t := range e.mergeSmall(v, entries) {
		for i := range out {
			if joined := e.union(jointVars[i], t.vars); e.g.Entries(joined) <= entries {
				out[i], jointVars[i] = append(out[i], t), joined
				continue next
			}
		}
		out, jointVars = append(out, []table{t}), append(jointVars, t.vars)
	}
	e.buckets[v] = nil
	return out
}

// BestBuckets returns the candidate whose upper bound, by tables of firstEntries entries, is lowest; usually its bound
// by larger tables is lowest, too. The candidates are the order of the plan p, breadth-first order (tightest on
// lattices) and, unless the graph is large, the greedy orders by min-fill and min-weight. If shouldContinue stops the
// search, it returns the candidate with the lowest bound so far.
func (g *Graph) BestBuckets(p Plan, shouldContinue func() bool) Buckets {
	adj := g.neighbours()
	planOrder := slices.Concat(p.Order, p.Cutset)
	candidates := []Buckets{{planOrder, false}, {planOrder, true}, {g.breadthFirstOrder(adj), true}}
	if len(g.States) <= largeGraph {
		candidates = append(candidates, Buckets{g.greedy(adj, leastFill, 0), true}, Buckets{g.greedy(adj, leastEntries, 0), true})
	}
	best, leastBound := candidates[0], math.Inf(1)
	for _, b := range candidates {
		bound, _, ok := g.MiniBuckets(b, Effort{firstEntries, math.Inf(1)}, shouldContinue)
		if !ok {
			break
		}
		if bound < leastBound {
			best, leastBound = b, bound
		}
	}
	return best
}

// bytes returns the permanent memory of the tables of mini-buckets, which a Sampler keeps, and the temporary memory of
// their sums: the joint table of each mini-bucket, its logs and its message.
func (e *elimination) bytes(groups [][]table) (permanent, temporary float64) {
	for _, tables := range groups {
		var jointVars []int
		for _, t := range tables {
			permanent += num.Mul(8, float64(len(t.v)))
			jointVars = e.union(jointVars, t.vars)
		}
		if len(groups) > 1 {
			temporary += num.Mul(24, e.g.Entries(jointVars))
		}
	}
	return permanent, temporary
}

// messages computes the messages of the mini-buckets of v. The message of a single mini-bucket is the exact sum over v.
func (e *elimination) messages(groups [][]table, v int) (messages []table, ok bool) {
	switch len(groups) {
	case 0:
		e.logZ += num.Log(float64(e.g.States[v]))
		return nil, true
	case 1:
		message, ok := e.sum(groups[0], v)
		return []table{message}, ok
	}
	return e.boundMessages(groups)
}

// boundMessages returns the messages of two or more mini-buckets; their product is an upper bound of the sum over the
// last variable.
func (e *elimination) boundMessages(groups [][]table) (messages []table, ok bool) {
	w := 1 / float64(len(groups))
	n := e.g.States[groups[0][0].vars[len(groups[0][0].vars)-1]]
	joint, marginals := make([]table, len(groups)), make([][]float64, len(groups))
	mean := make([]float64, n)

	// The log of J_r^(1/w), its marginal over x, and the mean of the marginals.
	for r, tables := range groups {
		j := tables[0]
		for _, t := range tables[1:] {
			j = e.product(e.union(j.vars, t.vars), j, t)
		}
		j.toLogs()
		j.v = slices.Clone(j.v)
		for i := range j.v {
			j.v[i] /= w
		}
		j.spread /= w
		joint[r], marginals[r] = j, j.logMarginal(n)
		for x := range mean {
			mean[x] += num.Mul(w, marginals[r][x])
		}
		if !e.shouldContinueAfter(len(j.v)) {
			return nil, false
		}
	}

	// Replace each marginal by the mean and sum.
	for r, j := range joint {
		m := table{vars: j.vars[:len(j.vars)-1], v: make([]float64, len(j.v)/n), scale: j.scale, logs: true}
		term := make([]float64, n)
		for i := range m.v {
			for x := range term {
				term[x] = math.Inf(-1) // a mini-bucket excludes x
				if !isZero(mean[x]) {
					term[x] = j.v[i*n+x] + mean[x] - marginals[r][x]
				}
			}
			m.v[i] = num.Mul(w, num.LogSumExp(term))
		}
		m.normalise()
		messages = append(messages, m)
	}
	return messages, true
}

// logMarginal returns the log marginal of a table of logs over its last variable, which has n states.
func (t *table) logMarginal(n int) []float64 {
	top, sum := make([]float64, n), make([]float64, n)
	for x := range top {
		top[x] = math.Inf(-1)
	}
	for i, l := range t.v {
		top[i%n] = max(top[i%n], l)
	}
	for i, l := range t.v {
		if x := i % n; !isZero(top[x]) {
			sum[x] += num.Exp(l - top[x])
		}
	}
	for x := range sum {
		top[x] += num.Log(sum[x])
	}
	return top
}
