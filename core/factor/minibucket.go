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
//
//	m_r(s) = (sum over x of J_r(s, x)^(1/w))^w
//
// is an upper bound of the sum of the product (Hölder's inequality), so elimination ends at an upper bound of log Z.
// Before, the marginals over x of the powers J_r^(1/w) are replaced by their geometric mean, which leaves the product
// as it is and tightens the bound ([Liu2011] section 4).

// Effort limits the work of bounds: tables of at most Entries entries, and of at most Bytes bytes in total.
type Effort struct{ Entries, Bytes float64 }

// Buckets is an order of elimination, and how tables are assigned to mini-buckets. If Late, tables come first that have
// variables which are eliminated late, so that the last mini-buckets have those of variables eliminated next: on a
// square lattice this leaves room for couplings, while on dense graphs it makes bounds looser.
type Buckets struct {
	Order []int
	Late  bool
}

// MiniBuckets is an upper bound of log Z in nats by tables of limited size; it is log Z itself if no bucket is
// partitioned. The sampler draws states from these tables, approximately from the target. ok is false if going ended
// the work or the tables took more than most.Bytes.
func (g *Graph) MiniBuckets(b Buckets, most Effort, going func() bool) (bound float64, s *Sampler, ok bool) {
	e := newElimination(g, Plan{Order: b.Order}, going)
	s = &Sampler{g: g, order: b.Order}
	kept := 0.0
	for _, v := range b.Order {
		groups := e.groups(v, b.Late, most.Entries)
		stay, pass := e.bytes(groups)
		if kept += stay; kept+pass > most.Bytes {
			return math.NaN(), nil, false
		}
		messages, ok := e.send(groups, v)
		if !ok {
			return math.NaN(), nil, false
		}
		for _, t := range messages {
			e.put(t)
		}
		s.keep(e, slices.Concat(groups...))
	}
	s.LogZ = e.logZ
	return e.logZ, s, true
}

// groups partitions the bucket of v into mini-buckets whose joint tables have at most so many entries.
func (e *elimination) groups(v int, late bool, entries float64) (out [][]table) {
	if late {
		t := e.buckets[v]
		sort.SliceStable(t, func(i, j int) bool { return e.place[t[i].on[0]] > e.place[t[j].on[0]] })
	}
	var on [][]int
next:
	for _, t := range e.folded(v, entries) {
		for i := range out {
			if joined := e.union(on[i], t.on); e.g.Entries(joined) <= entries {
				out[i], on[i] = append(out[i], t), joined
				continue next
			}
		}
		out, on = append(out, []table{t}), append(on, t.on)
	}
	e.buckets[v] = nil
	return out
}

// Tightest are the buckets with the least bound by tables of firstEntries, which as a rule have the least bound by
// larger tables, too. Tried are the order of the plan, sweeps, which are best on lattices, least fill and least
// entries.
func (g *Graph) Tightest(p Plan, going func() bool) Buckets {
	n := g.neighbours()
	own := slices.Concat(p.Order, p.Fixed)
	tried := []Buckets{{own, false}, {own, true}, {g.sweep(n), true}}
	if len(g.States) <= largeGraph {
		tried = append(tried, Buckets{g.greedy(n, leastFill, 0), true}, Buckets{g.greedy(n, leastEntries, 0), true})
	}
	best, least := tried[0], math.Inf(1)
	for _, b := range tried {
		bound, _, ok := g.MiniBuckets(b, Effort{firstEntries, math.Inf(1)}, going)
		if !ok {
			break
		}
		if bound < least {
			best, least = b, bound
		}
	}
	return best
}

// bytes counts the bytes of the tables of mini-buckets, which a Sampler keeps, and of what their sums need temporarily:
// a joint table, its logs and the message of each.
func (e *elimination) bytes(groups [][]table) (stay, pass float64) {
	for _, tables := range groups {
		var on []int
		for _, t := range tables {
			stay += num.Mul(8, float64(len(t.v)))
			on = e.union(on, t.on)
		}
		if len(groups) > 1 {
			pass += num.Mul(24, e.g.Entries(on))
		}
	}
	return stay, pass
}

// send computes the messages of the mini-buckets of v; the message of one alone is the exact sum over v.
func (e *elimination) send(groups [][]table, v int) (messages []table, ok bool) {
	switch len(groups) {
	case 0:
		e.logZ += num.Log(float64(e.g.States[v]))
		return nil, true
	case 1:
		message, ok := e.sum(groups[0], v)
		return []table{message}, ok
	}
	return e.boundSum(groups)
}

// boundSum is the messages of two or more mini-buckets, whose product is a bound of the sum over their last variable.
func (e *elimination) boundSum(groups [][]table) (messages []table, ok bool) {
	w := 1 / float64(len(groups))
	n := e.g.States[groups[0][0].on[len(groups[0][0].on)-1]]
	joint, share := make([]table, len(groups)), make([][]float64, len(groups))
	mean := make([]float64, n)

	// The log of J_r^(1/w), its marginal over x, and the mean of these.
	for r, tables := range groups {
		j := tables[0]
		for _, t := range tables[1:] {
			j = e.product(e.union(j.on, t.on), j, t)
		}
		j.toLogs()
		j.v = slices.Clone(j.v)
		for i := range j.v {
			j.v[i] /= w
		}
		j.spread /= w
		joint[r], share[r] = j, j.shares(n)
		for x := range mean {
			mean[x] += num.Mul(w, share[r][x])
		}
		if !e.worked(len(j.v)) {
			return nil, false
		}
	}

	// The messages, with all marginals at the mean.
	for r, j := range joint {
		m := table{on: j.on[:len(j.on)-1], v: make([]float64, len(j.v)/n), scale: j.scale, logs: true}
		term := make([]float64, n)
		for i := range m.v {
			for x := range term {
				term[x] = math.Inf(-1) // if a mini-bucket excludes x
				if !isZero(mean[x]) {
					term[x] = j.v[i*n+x] + mean[x] - share[r][x]
				}
			}
			m.v[i] = num.Mul(w, num.LogSumExp(term))
		}
		m.normalise()
		messages = append(messages, m)
	}
	return messages, true
}

// shares is the log marginal over the last variable, of n states, of a table of logs.
func (t *table) shares(n int) []float64 {
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
