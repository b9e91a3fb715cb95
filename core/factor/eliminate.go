package factor

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// Eliminate returns log Z in nats by variable elimination over all blocks of the plan; -Inf if no state has positive
// weight. shouldContinue, which may be nil, is called every few milliseconds; if it returns false, the computation
// stops, logZ is NaN and ok is false.
func (g *Graph) Eliminate(p Plan, shouldContinue func() bool) (logZ float64, ok bool) {
	logSums := make([]float64, p.Blocks(g))
	for i := range logSums {
		if logSums[i], ok = g.Block(p, i, shouldContinue); !ok {
			return math.NaN(), false
		}
	}
	return num.LogSumExp(logSums), true
}

// Blocks returns the number of joint states of the cutset.
func (p Plan) Blocks(g *Graph) int { return int(g.Entries(p.Cutset)) }

// Block returns the log of the sum over block i in nats: the sum over all states in which the cutset has its i-th joint
// state. The variables are eliminated in the order of the plan. The bucket of a variable is the set of tables that
// contain it; the product of these tables is summed over the variable. ok is false if shouldContinue stopped the
// computation.
func (g *Graph) Block(p Plan, i int, shouldContinue func() bool) (logSum float64, ok bool) {
	block, _ := g.block(p, i)
	e := newElimination(block, p, shouldContinue)
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

// block returns the graph with the cutset fixed at its i-th joint state, and with the variables fixed for which
// constraints then leave one state; the map fixed has the states of both. Prunable variables are summed and not fixed,
// because the plan assumes that their messages (messageVars) have fewer variables than their factors.
func (g *Graph) block(p Plan, i int) (out *Graph, fixed map[int]int) {
	fixed = map[int]int{}
	if len(p.Cutset) == 0 {
		return g, fixed
	}
	out = &Graph{slices.Clone(g.States), slices.Clone(g.Factors)}
	newIndex, states := make([]int, len(g.States)), make([]int, len(g.States))
	fix := func(v, state int) { fixed[v], newIndex[v], states[v], out.States[v] = state, -1, state, 1 }
	for k, state := range g.fixedStates(p, i) {
		fix(p.Cutset[k], state)
	}

	// Propagate constraints: fixing a variable may leave one state for other variables of the same factor.
	isFixed := func(v int) bool { return newIndex[v] < 0 }
	for changed := true; changed; {
		changed = false
		for j, f := range out.Factors {
			if !slices.ContainsFunc(f.Vars, isFixed) {
				continue
			}
			f = Factor{slices.DeleteFunc(slices.Clone(f.Vars), isFixed), g.slice(f, newIndex, states)}
			out.Factors[j] = f
			if f.hard() {
				changed = g.fixForced(f, p.messageVars, fix) || changed
			}
		}
	}
	return out, fixed
}

// fixForced calls fix for each variable of f, except prunable ones, that has positive weight in one state only, and
// reports whether it called fix.
func (g *Graph) fixForced(f Factor, prunable map[int][]int, fix func(v, state int)) (anyFixed bool) {
	steps := g.strides(f.Vars, f.Vars)
	for i, v := range f.Vars {
		if _, isPrunable := prunable[v]; isPrunable {
			continue
		}
		onlyState := -1
		for k, x := range f.Table {
			if state := k / steps[i] % g.States[v]; isZero(x) || state == onlyState {
				continue
			} else if onlyState >= 0 {
				onlyState = -1
				break
			} else {
				onlyState = state
			}
		}
		if onlyState >= 0 {
			fix(v, onlyState)
			anyFixed = true
		}
	}
	return anyFixed
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
	g                *Graph
	position         []int         // position[v] is the position of v in the elimination order
	messageVars      map[int][]int // the variables of the message of each prunable variable
	buckets          [][]table     // buckets[v] has the tables whose first variable in elimination order is v
	logZ             float64       // log of the product of tables without variables
	shouldContinue   func() bool
	uncheckedEntries int // entries computed since the last call of shouldContinue
}

// newElimination puts the table of each factor into the bucket of its first variable in elimination order.
func newElimination(g *Graph, p Plan, shouldContinue func() bool) *elimination {
	e := &elimination{g: g, position: make([]int, len(g.States)), messageVars: p.messageVars,
		buckets: make([][]table, len(g.States)), shouldContinue: shouldContinue}
	for i, v := range p.Order {
		e.position[v] = i
	}
	for _, f := range g.Factors {
		e.put(g.newTable(f, e.position))
	}
	return e
}

// put adds a table to the bucket of its variable that is eliminated next. A table without variables, or with all
// entries zero, is multiplied into logZ.
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

// sumOut eliminates v, puts the resulting message into the bucket of its next variable, and returns the tables whose
// product was summed. ok is false if shouldContinue stopped the sum.
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
			vars := slices.DeleteFunc(slices.Clone(message.vars), func(u int) bool { return !slices.Contains(vars, u) })
			message.vars, message.v = vars, e.g.entriesAt(vars, e.g.strides(vars, message.vars), message.v)
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

// mergeSmall returns the tables of the bucket of v, largest first, after multiplying small tables together; the
// products have at most entries entries.
func (e *elimination) mergeSmall(v int, entries float64) (out []table) {
	tables := e.buckets[v]
	var jointVars []int
	for _, t := range tables {
		jointVars = e.union(jointVars, t.vars)
	}
	maxEntries := min(entries, max(smallTable, e.g.Entries(jointVars)/smallFraction))
	sort.SliceStable(tables, func(i, j int) bool { return len(tables[i].v) > len(tables[j].v) })
next:
	for _, t := range tables {
		for i := range out {
			if joined := e.union(out[i].vars, t.vars); e.g.Entries(joined) <= maxEntries {
				out[i] = e.product(joined, out[i], t)
				continue next
			}
		}
		out = append(out, t)
	}
	return out
}

// union returns the variables of a or b in reverse elimination order, the order that tables use.
func (e *elimination) union(a, b []int) []int {
	out := slices.Clone(a)
	for _, v := range b {
		if !slices.Contains(a, v) {
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b int) int { return e.position[b] - e.position[a] })
	return out
}

// product returns the product of two tables as a table on vars, the union of their variables.
func (e *elimination) product(vars []int, a, b table) table {
	out := table{vars: vars, v: make([]float64, int(e.g.Entries(vars))), scale: a.scale + b.scale}
	out.logs = a.logs || b.logs || a.spread+b.spread >= maxSpread
	if out.logs {
		a.toLogs()
		b.toLogs()
	}
	ia, ib := e.g.strides(vars, a.vars), e.g.strides(vars, b.vars)
	x := make([]int, len(vars))
	xb := make([]int, len(vars))
	i, j := 0, 0
	for k := range out.v {
		if out.logs {
			out.v[k] = a.v[i] + b.v[j]
		} else {
			out.v[k] = a.v[i] * b.v[j]
		}
		i += e.g.advance(vars, x, ia)
		j += e.g.advance(vars, xb, ib)
	}
	out.normalise()
	return out
}

// The inner loop of a sum runs over the last variables of the message, up to innerEntries joint states; the index into
// each table is the index of the state of the other, outer variables plus an offset from a list. shouldContinue is
// called after every checkEntries entries.
const (
	innerEntries = 1 << 10
	checkEntries = 1 << 18
)

// sum returns the sum over v of the product of tables whose last variable is v.
func (e *elimination) sum(tables []table, v int) (out table, ok bool) {
	// Choose the message's variables, and logs if the product may under- or overflow.
	var jointVars []int
	spread := 0.0
	for _, t := range tables {
		jointVars = e.union(jointVars, t.vars)
		out.scale += t.scale
		out.logs = out.logs || t.logs
		spread += t.spread
	}
	out.vars = jointVars[:len(jointVars)-1]
	out.logs = out.logs || spread >= maxSpread
	if out.logs {
		for i := range tables {
			tables[i].toLogs()
		}
	}
	out.v = make([]float64, int(e.g.Entries(out.vars)))

	// Choose the inner variables and list the offsets of their states in each table.
	inner, outer := 1, len(out.vars)
	for outer > 0 && inner*e.g.States[out.vars[outer-1]] <= innerEntries {
		outer--
		inner *= e.g.States[out.vars[outer]]
	}
	stride := make([][]int, len(tables))
	index := make([][]int32, len(tables))
	for i, t := range tables {
		stride[i] = e.g.strides(out.vars, t.vars)
		index[i] = make([]int32, inner)
		x := make([]int, len(out.vars)-outer)
		offset := 0
		for l := range inner {
			index[i][l] = int32(offset)
			offset += e.g.advance(out.vars[outer:], x, stride[i][outer:])
		}
	}

	n := e.g.States[v]
	start := make([]int, len(tables))
	x := make([]int, outer)
	values := make([][]float64, len(tables))
	for first := 0; first < len(out.v); first += inner {
		for i, t := range tables {
			values[i] = t.v[start[i]:]
		}
		block := out.v[first : first+inner]
		switch {
		case out.logs:
			sumLogs(block, values, index, n)
		case len(tables) == 1:
			sumOne(block, values[0], index[0], n)
		case len(tables) == 2 && n == 2:
			sumSpins(block, values[0], values[1], index[0], index[1])
		case len(tables) == 2:
			sumTwo(block, values[0], values[1], index[0], index[1], n)
		default:
			sumMany(block, values, index, n)
		}
		if !e.shouldContinueAfter(inner * n) {
			return out, false
		}
		e.advanceOuter(out.vars[:outer], x, start, stride)
	}
	out.normalise()
	return out, true
}

// shouldContinueAfter counts computed entries, calls shouldContinue once per checkEntries entries, and reports whether
// to continue.
func (e *elimination) shouldContinueAfter(entries int) bool {
	if e.uncheckedEntries += entries; e.uncheckedEntries < checkEntries || e.shouldContinue == nil {
		return true
	}
	e.uncheckedEntries = 0
	return e.shouldContinue()
}

// advanceOuter moves x, the states of the outer variables, to the next joint state; start[k] is the index into table k
// at that state.
func (e *elimination) advanceOuter(outerVars, x, start []int, stride [][]int) {
	for i := len(outerVars) - 1; i >= 0; i-- {
		x[i]++
		for k := range start {
			start[k] += stride[k][i]
		}
		if x[i] < e.g.States[outerVars[i]] {
			return
		}
		for k := range start {
			start[k] -= stride[k][i] * x[i]
		}
		x[i] = 0
	}
}

// sumOne sets out[l] to the sum of the n values of table a that start at index ia[l].
func sumOne(out, a []float64, ia []int32, n int) {
	for l := range out {
		s := 0.0
		for _, x := range a[ia[l] : int(ia[l])+n] {
			s += x
		}
		out[l] = s
	}
}

// sumSpins is sumTwo for a variable with two states.
func sumSpins(out, a, b []float64, ia, ib []int32) {
	ia, ib = ia[:len(out)], ib[:len(out)]
	for l := range out {
		i, j := ia[l], ib[l]
		out[l] = float64(a[i]*b[j]) + float64(a[i+1]*b[j+1])
	}
}

// sumTwo sets out[l] to the sum over n states of the product of the tables a and b, from the indices ia[l] and ib[l].
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

// sumMany is sumTwo for any number of tables; index[k][l] is the start in table k.
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

// sumLogs is sumMany for tables of logs; out gets the logs of the sums.
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
