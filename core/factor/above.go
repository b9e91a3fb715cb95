package factor

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// Mini-buckets: where the joint table of a variable would be too large, its tables are cut into R groups, and each is
// summed by itself. With weights w = 1/R, Hölder's inequality makes the product of the messages
//
//	m_r(s) = (sum over x of J_r(s, x)^(1/w))^w
//
// an upper bound of the sum of the product, so the end is an upper bound of log Z. What the groups say of x is evened
// before, which makes the bound tighter ([Liu2011] section 4).

// Effort is how much an interval is worth: tables of at most so many entries, and of so many bytes all together.
type Effort struct{ Entries, Bytes float64 }

// Buckets say how variables are summed out: in which order, and whether, of tables of one size, those come first into
// groups that have variables which are summed out late. What then does not fit is about variables that are summed out
// next, which begin a new group; the other way round, messages on a square lattice keep variables of long ago and leave
// no room for couplings. On dense graphs there is no such front, and Late does harm.
type Buckets struct {
	Order []int
	Late  bool
}

// Above is an upper bound of log Z in nats, from tables of at most so many entries; it is log Z itself where these do.
// The sampler draws states from the tables, roughly those of the target. ok is false where going ended the work, or the
// tables took too many bytes.
func (g *Graph) Above(b Buckets, most Effort, going func() bool) (bound float64, s *Sampler, ok bool) {
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

// groups are the tables of v, in groups whose joint tables have at most so many entries.
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

// Tightest are the buckets whose bound is least where tables are small; as a rule it is least where they are larger,
// too. Those of the plan are tried, and sweeps, the best of lattices, least fill and least entries.
func (g *Graph) Tightest(p Plan, going func() bool) Buckets {
	n := g.neighbours()
	own := slices.Concat(p.Order, p.Fixed)
	tried := []Buckets{{own, false}, {own, true}, {g.sweep(n), true}}
	if len(g.States) <= largeGraph {
		tried = append(tried, Buckets{g.greedy(n, leastFill, 0), true}, Buckets{g.greedy(n, leastEntries, 0), true})
	}
	best, least := tried[0], math.Inf(1)
	for _, b := range tried {
		bound, _, ok := g.Above(b, Effort{firstEntries, math.Inf(1)}, going)
		if !ok {
			break
		}
		if bound < least {
			best, least = b, bound
		}
	}
	return best
}

// bytes counts the tables of groups, which stay, and what their sums take for a while: of each group a joint table, its
// logs, and the message.
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

// send makes the messages of the groups of v: of one group, or none, the sum over v.
func (e *elimination) send(groups [][]table, v int) (messages []table, ok bool) {
	switch len(groups) {
	case 0:
		e.logZ += num.Log(float64(e.g.States[v]))
		return nil, true
	case 1:
		message, ok := e.sum(groups[0], v)
		return []table{message}, ok
	}
	return e.sumGroups(groups)
}

// sumGroups bounds the sum over the last variable of the groups.
func (e *elimination) sumGroups(groups [][]table) (messages []table, ok bool) {
	w := 1 / float64(len(groups))
	n := e.g.States[groups[0][0].on[len(groups[0][0].on)-1]]
	joint, share := make([]table, len(groups)), make([][]float64, len(groups))
	mean := make([]float64, n)

	// The joint table of each group, and the mean share of each state.
	for r, tables := range groups {
		// The log of the joint table to the power 1/w, and what it says of x.
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

	// The message of each group, the groups brought to the mean.
	for r, j := range joint {
		m := table{on: j.on[:len(j.on)-1], v: make([]float64, len(j.v)/n), scale: j.scale, logs: true}
		term := make([]float64, n)
		for i := range m.v {
			for x := range term {
				term[x] = math.Inf(-1) // where some group rules x out
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

// shares are the logs of the sums over all variables but the last, of n states, of a table of logs.
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
