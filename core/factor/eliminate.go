package factor

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// Eliminate returns log Z in nats by variable elimination over all blocks of the plan; -Inf if no state has positive
// weight. going, which may be nil, is called every few milliseconds; if it returns false, the computation stops and ok
// is false.
func (g *Graph) Eliminate(p Plan, going func() bool) (logZ float64, ok bool) {
	all := make([]float64, p.Blocks(g))
	for i := range all {
		if all[i], ok = g.Block(p, i, going); !ok {
			return math.NaN(), false
		}
	}
	return num.LogSumExp(all), true
}

// Blocks returns the number of joint states of the cutset.
func (p Plan) Blocks(g *Graph) int { return int(g.Entries(p.Cutset)) }

// Block returns the log of the sum over block i, in which the cutset has its i-th joint state. Each variable in order
// is summed out of the product of its bucket, the tables that contain it.
func (g *Graph) Block(p Plan, i int, going func() bool) (logSum float64, ok bool) {
	block, _ := g.block(p, i)
	e := newElimination(block, p, going)
	for _, v := range p.Order {
		if isZero(e.logZ) { // the sum over the block is 0
			break
		}
		if _, ok := e.sumOut(v); !ok {
			return math.NaN(), false
		}
	}
	return e.logZ, true
}

// block returns the graph with the cutset fixed at its i-th joint state, and with variables fixed for which constraints
// then leave one state; known has the states of both. Prunable variables are not fixed but summed, because their
// factors have more variables than their messages.
func (g *Graph) block(p Plan, i int) (out *Graph, known map[int]int) {
	known = map[int]int{}
	if len(p.Cutset) == 0 {
		return g, known
	}
	out = &Graph{slices.Clone(g.States), slices.Clone(g.Factors)}
	number, states := make([]int, len(g.States)), make([]int, len(g.States))
	fix := func(v, state int) { known[v], number[v], states[v], out.States[v] = state, -1, state, 1 }
	for k, state := range g.fixedStates(p, i) {
		fix(p.Cutset[k], state)
	}

	// Propagate constraints: known variables may leave one state for others of the same factor.
	isFixed := func(v int) bool { return number[v] < 0 }
	for more := true; more; {
		more = false
		for j, f := range out.Factors {
			if !slices.ContainsFunc(f.Vars, isFixed) {
				continue
			}
			f = Factor{slices.DeleteFunc(slices.Clone(f.Vars), isFixed), g.slice(f, number, states)}
			out.Factors[j] = f
			if f.hard() {
				more = g.fixForced(f, p.messageVars, fix) || more
			}
		}
	}
	return out, known
}

// fixForced fixes the variables of a factor, except prunable ones, that have positive weight in one state only, and
// reports whether there are any.
func (g *Graph) fixForced(f Factor, prunable map[int][]int, fix func(v, state int)) (some bool) {
	steps := g.strides(f.Vars, f.Vars)
	for i, v := range f.Vars {
		if _, isPrunable := prunable[v]; isPrunable {
			continue
		}
		first := -1
		for k, x := range f.Table {
			if state := k / steps[i] % g.States[v]; isZero(x) || state == first {
				continue
			} else if first >= 0 {
				first = -1
				break
			} else {
				first = state
			}
		}
		if first >= 0 {
			fix(v, first)
			some = true
		}
	}
	return some
}

// fixedStates returns the states of the cutset variables in block i.
func (g *Graph) fixedStates(p Plan, i int) []int {
	out := make([]int, len(p.Cutset))
	for k := len(p.Cutset) - 1; k >= 0; k-- {
		n := g.States[p.Cutset[k]]
		out[k], i = i%n, i/n
	}
	return out
}

// elimination is the state of a variable elimination.
type elimination struct {
	g           *Graph
	place       []int
	messageVars map[int][]int // the variables of the message of each prunable variable
	buckets     [][]table     // buckets[v] has the tables whose first variable in elimination order is v
	logZ        float64       // log of the product of tables without variables
	going       func() bool
	work        int // entries computed since the last call of going
}

func newElimination(g *Graph, p Plan, going func() bool) *elimination {
	e := &elimination{g: g, place: make([]int, len(g.States)), messageVars: p.messageVars,
		buckets: make([][]table, len(g.States)), going: going}
	for i, v := range p.Order {
		e.place[v] = i
	}
	for _, f := range g.Factors {
		e.put(g.newTable(f, e.place))
	}
	return e
}

// put adds a table to the bucket of the variable that is eliminated first.
func (e *elimination) put(t table) {
	if t.zero() || len(t.vars) == 0 {
		e.logZ += t.scale
		if len(t.vars) == 0 && !t.zero() {
			e.logZ += t.log(0)
		}
		return
	}
	next := t.vars[len(t.vars)-1]
	e.buckets[next] = append(e.buckets[next], t)
}

// log returns the log of entry i without the scale.
func (t *table) log(i int) float64 {
	if t.logs {
		return t.v[i]
	}
	return num.Log(t.v[i])
}

// sumOut eliminates v, puts the message into its bucket, and returns the tables whose product was summed.
func (e *elimination) sumOut(v int) (joint []table, ok bool) {
	joint = e.mergeSmall(v, math.Inf(1))
	e.buckets[v] = nil
	if len(joint) == 0 { // no factor has v
		e.logZ += num.Log(float64(e.g.States[v]))
		return nil, true
	}
	message, ok := e.sum(joint, v)
	if ok {
		if vars, prunable := e.messageVars[v]; prunable {
			on := slices.DeleteFunc(slices.Clone(message.vars), func(u int) bool { return !slices.Contains(vars, u) })
			message.vars, message.v = on, e.g.walk(on, e.g.strides(on, message.vars), message.v)
		}
		e.put(message)
	}
	return joint, ok
}

// Before the sum, tables are multiplied as long as their product has at most smallTable entries, or at most
// 1/smallFraction of the entries of the joint table.
const (
	smallTable    = 1 << 10
	smallFraction = 1 << 6
)

// mergeSmall returns the bucket of v, largest table first, with small tables multiplied into tables of at most entries
// entries.
func (e *elimination) mergeSmall(v int, entries float64) (out []table) {
	tables := e.buckets[v]
	var all []int
	for _, t := range tables {
		all = e.union(all, t.vars)
	}
	most := min(entries, max(smallTable, e.g.Entries(all)/smallFraction))
	sort.SliceStable(tables, func(i, j int) bool { return len(tables[i].v) > len(tables[j].v) })
next:
	for _, t := range tables {
		for i := range out {
			if on := e.union(out[i].vars, t.vars); e.g.Entries(on) <= most {
				out[i] = e.product(on, out[i], t)
				continue next
			}
		}
		out = append(out, t)
	}
	return out
}

// union returns the variables of a or b in the order that tables use.
func (e *elimination) union(a, b []int) []int {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(a, v) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return e.place[b] - e.place[a] })
	return out
}

// product multiplies two tables.
func (e *elimination) product(on []int, a, b table) table {
	out := table{vars: on, v: make([]float64, int(e.g.Entries(on))), scale: a.scale + b.scale}
	out.logs = a.logs || b.logs || a.spread+b.spread >= maxSpread
	if out.logs {
		a.toLogs()
		b.toLogs()
	}
	ia, ib := e.g.strides(on, a.vars), e.g.strides(on, b.vars)
	x := make([]int, len(on))
	xb := make([]int, len(on))
	i, j := 0, 0
	for k := range out.v {
		if out.logs {
			out.v[k] = a.v[i] + b.v[j]
		} else {
			out.v[k] = a.v[i] * b.v[j]
		}
		i += e.g.advance(on, x, ia)
		j += e.g.advance(on, xb, ib)
	}
	out.normalise()
	return out
}

// The inner loop of a sum runs over the last variables of the message, up to innerEntries joint states; the index into
// each table is the index of the outer state plus an offset from a list. going is called every checkEntries entries.
const (
	innerEntries = 1 << 10
	checkEntries = 1 << 18
)

// sum returns the sum over v of the product of tables whose last variable is v.
func (e *elimination) sum(tables []table, v int) (out table, ok bool) {
	// Choose the message's variables, and logs if the product may under- or overflow.
	var on []int
	spread := 0.0
	for _, t := range tables {
		on = e.union(on, t.vars)
		out.scale += t.scale
		out.logs = out.logs || t.logs
		spread += t.spread
	}
	out.vars = on[:len(on)-1]
	out.logs = out.logs || spread >= maxSpread
	if out.logs {
		for i := range tables {
			tables[i].toLogs()
		}
	}
	out.v = make([]float64, int(e.g.Entries(out.vars)))

	// Choose the inner variables and list the offsets of their states in each table.
	inner, cut := 1, len(out.vars)
	for cut > 0 && inner*e.g.States[out.vars[cut-1]] <= innerEntries {
		cut--
		inner *= e.g.States[out.vars[cut]]
	}
	stride := make([][]int, len(tables))
	index := make([][]int32, len(tables))
	for i, t := range tables {
		stride[i] = e.g.strides(out.vars, t.vars)
		index[i] = make([]int32, inner)
		x := make([]int, len(out.vars)-cut)
		at := 0
		for l := range inner {
			index[i][l] = int32(at)
			at += e.g.advance(out.vars[cut:], x, stride[i][cut:])
		}
	}

	n := e.g.States[v]
	at := make([]int, len(tables))
	x := make([]int, cut)
	part := make([][]float64, len(tables))
	for first := 0; first < len(out.v); first += inner {
		for i, t := range tables {
			part[i] = t.v[at[i]:]
		}
		block := out.v[first : first+inner]
		switch {
		case out.logs:
			sumLogs(block, part, index, n)
		case len(tables) == 1:
			sumOne(block, part[0], index[0], n)
		case len(tables) == 2 && n == 2:
			sumSpins(block, part[0], part[1], index[0], index[1])
		case len(tables) == 2:
			sumTwo(block, part[0], part[1], index[0], index[1], n)
		default:
			sumMany(block, part, index, n)
		}
		if !e.countWork(inner * n) {
			return out, false
		}
		e.advanceOuter(out.vars[:cut], x, at, stride)
	}
	out.normalise()
	return out, true
}

// countWork adds to the work done and reports whether to continue.
func (e *elimination) countWork(entries int) bool {
	if e.work += entries; e.work < checkEntries || e.going == nil {
		return true
	}
	e.work = 0
	return e.going()
}

// advanceOuter moves the outer variables x to the next joint state and updates the index into each table.
func (e *elimination) advanceOuter(on, x, at []int, stride [][]int) {
	for i := len(on) - 1; i >= 0; i-- {
		x[i]++
		for k := range at {
			at[k] += stride[k][i]
		}
		if x[i] < e.g.States[on[i]] {
			return
		}
		for k := range at {
			at[k] -= stride[k][i] * x[i]
		}
		x[i] = 0
	}
}

func sumOne(out, a []float64, ia []int32, n int) {
	for l := range out {
		s := 0.0
		for _, x := range a[ia[l] : int(ia[l])+n] {
			s += x
		}
		out[l] = s
	}
}

func sumSpins(out, a, b []float64, ia, ib []int32) {
	ia, ib = ia[:len(out)], ib[:len(out)]
	for l := range out {
		i, j := ia[l], ib[l]
		out[l] = float64(a[i]*b[j]) + float64(a[i+1]*b[j+1])
	}
}

func sumTwo(out, a, b []float64, ia, ib []int32, n int) {
	ia, ib = ia[:len(out)], ib[:len(out)]
	for l := range out {
		s := 0.0
		b := b[ib[l] : int(ib[l])+n]
		for x, p := range a[ia[l] : int(ia[l])+n] {
			s += float64(p * b[x])
		}
		out[l] = s
	}
}

func sumMany(out []float64, parts [][]float64, index [][]int32, n int) {
	for l := range out {
		s := 0.0
		for x := range n {
			p := 1.0
			for k, t := range parts {
				p *= t[int(index[k][l])+x]
			}
			s += p
		}
		out[l] = s
	}
}

func sumLogs(out []float64, parts [][]float64, index [][]int32, n int) {
	w := make([]float64, n)
	for l := range out {
		for x := range w {
			w[x] = 0
			for k, t := range parts {
				w[x] += t[int(index[k][l])+x]
			}
		}
		out[l] = num.LogSumExp(w)
	}
}
