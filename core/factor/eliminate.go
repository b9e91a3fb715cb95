package factor

import (
	"math"
	"slices"
	"sort"

	"logzlab/core/num"
)

// Eliminate is log Z in nats by variable elimination, over all blocks of the plan; -Inf if no state has positive
// weight. going, which may be nil, is called every few milliseconds; if it returns false, the work ends and ok is
// false.
func (g *Graph) Eliminate(p Plan, going func() bool) (logZ float64, ok bool) {
	all := make([]float64, p.Blocks(g))
	for i := range all {
		if all[i], ok = g.Block(p, i, going); !ok {
			return math.NaN(), false
		}
	}
	return num.LogSumExp(all), true
}

// Blocks is the number of joint states of the fixed variables.
func (p Plan) Blocks(g *Graph) int { return int(g.Entries(p.Fixed)) }

// Block is the log of the sum over block i, in which the fixed variables have their i-th joint state. Each variable in
// order is summed out of the product of its bucket, the tables that have it.
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

// block is the graph in which the fixed variables have their i-th joint state alone, and variables for which
// constraints then leave one state have that; known has both. Prunable variables are not fixed but summed: their
// factors have more variables than their messages.
func (g *Graph) block(p Plan, i int) (out *Graph, known map[int]int) {
	known = map[int]int{}
	if len(p.Fixed) == 0 {
		return g, known
	}
	out = &Graph{slices.Clone(g.States), slices.Clone(g.Factors)}
	number, states := make([]int, len(g.States)), make([]int, len(g.States))
	fix := func(v, state int) { known[v], number[v], states[v], out.States[v] = state, -1, state, 1 }
	for k, state := range g.fixedStates(p, i) {
		fix(p.Fixed[k], state)
	}

	// Known variables may leave one state for the others of a factor.
	is := func(v int) bool { return number[v] < 0 }
	for more := true; more; {
		more = false
		for j, f := range out.Factors {
			if !slices.ContainsFunc(f.On, is) {
				continue
			}
			f = Factor{slices.DeleteFunc(slices.Clone(f.On), is), g.slice(f, number, states)}
			out.Factors[j] = f
			if f.hard() {
				more = g.force(f, p.messageOn, fix) || more
			}
		}
	}
	return out, known
}

// force fixes the variables of a factor that have positive weight in one state only, but prunable ones, and reports
// whether there are any.
func (g *Graph) force(f Factor, prunable map[int][]int, fix func(v, state int)) (some bool) {
	steps := g.strides(f.On, f.On)
	for i, v := range f.On {
		if _, is := prunable[v]; is {
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

// fixedStates are the states of the fixed variables in block i.
func (g *Graph) fixedStates(p Plan, i int) []int {
	out := make([]int, len(p.Fixed))
	for k := len(p.Fixed) - 1; k >= 0; k-- {
		n := g.States[p.Fixed[k]]
		out[k], i = i%n, i/n
	}
	return out
}

// elimination is the state of variable elimination.
type elimination struct {
	g         *Graph
	place     []int
	messageOn map[int][]int // the variables of the message of each prunable variable
	buckets   [][]table     // buckets[v] has the tables whose next variable to be summed out is v
	logZ      float64       // the log of the product of tables without variables
	going     func() bool
	work      int // entries since the last call of going
}

func newElimination(g *Graph, p Plan, going func() bool) *elimination {
	e := &elimination{g: g, place: make([]int, len(g.States)), messageOn: p.messageOn,
		buckets: make([][]table, len(g.States)), going: going}
	for i, v := range p.Order {
		e.place[v] = i
	}
	for _, f := range g.Factors {
		e.put(g.of(f, e.place))
	}
	return e
}

// put adds a table to the bucket of its variable that is summed out next.
func (e *elimination) put(t table) {
	if t.zero() || len(t.on) == 0 {
		e.logZ += t.scale
		if len(t.on) == 0 && !t.zero() {
			e.logZ += t.log(0)
		}
		return
	}
	next := t.on[len(t.on)-1]
	e.buckets[next] = append(e.buckets[next], t)
}

// log is the log of entry i without the scale.
func (t *table) log(i int) float64 {
	if t.logs {
		return t.v[i]
	}
	return num.Log(t.v[i])
}

// sumOut sums out v, puts the message, and returns the tables whose product was summed.
func (e *elimination) sumOut(v int) (joint []table, ok bool) {
	joint = e.folded(v, math.Inf(1))
	e.buckets[v] = nil
	if len(joint) == 0 { // no factor has v
		e.logZ += num.Log(float64(e.g.States[v]))
		return nil, true
	}
	message, ok := e.sum(joint, v)
	if ok {
		if vars, prunable := e.messageOn[v]; prunable {
			on := slices.DeleteFunc(slices.Clone(message.on), func(u int) bool { return !slices.Contains(vars, u) })
			message.on, message.v = on, e.g.walk(on, e.g.strides(on, message.on), message.v)
		}
		e.put(message)
	}
	return joint, ok
}

// Tables are multiplied before the sum as long as their product has at most smallTable entries, or 1/fewth of the
// entries of the joint table.
const (
	smallTable = 1 << 10
	fewth      = 1 << 6
)

// folded is the bucket of v with small tables multiplied together into tables of at most so many entries, largest
// first.
func (e *elimination) folded(v int, entries float64) (out []table) {
	tables := e.buckets[v]
	var all []int
	for _, t := range tables {
		all = e.union(all, t.on)
	}
	most := min(entries, max(smallTable, e.g.Entries(all)/fewth))
	sort.SliceStable(tables, func(i, j int) bool { return len(tables[i].v) > len(tables[j].v) })
next:
	for _, t := range tables {
		for i := range out {
			if on := e.union(out[i].on, t.on); e.g.Entries(on) <= most {
				out[i] = e.product(on, out[i], t)
				continue next
			}
		}
		out = append(out, t)
	}
	return out
}

// union is the variables of a or b, in the order in which tables have them.
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
	out := table{on: on, v: make([]float64, int(e.g.Entries(on))), scale: a.scale + b.scale}
	out.logs = a.logs || b.logs || a.spread+b.spread >= farApart
	if out.logs {
		a.toLogs()
		b.toLogs()
	}
	ia, ib := e.g.strides(on, a.on), e.g.strides(on, b.on)
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
// each table is that of the outer state plus one from a list. going is called every askedEntries entries.
const (
	innerEntries = 1 << 10
	askedEntries = 1 << 18
)

// sum is the sum over v of the product of tables, whose last variable is v.
func (e *elimination) sum(tables []table, v int) (out table, ok bool) {
	// The variables of the message, and whether logs are needed.
	var on []int
	spread := 0.0
	for _, t := range tables {
		on = e.union(on, t.on)
		out.scale += t.scale
		out.logs = out.logs || t.logs
		spread += t.spread
	}
	out.on = on[:len(on)-1]
	out.logs = out.logs || spread >= farApart
	if out.logs {
		for i := range tables {
			tables[i].toLogs()
		}
	}
	out.v = make([]float64, int(e.g.Entries(out.on)))

	// The inner variables, and the indices of their states in each table.
	inner, cut := 1, len(out.on)
	for cut > 0 && inner*e.g.States[out.on[cut-1]] <= innerEntries {
		cut--
		inner *= e.g.States[out.on[cut]]
	}
	stride := make([][]int, len(tables))
	index := make([][]int32, len(tables))
	for i, t := range tables {
		stride[i] = e.g.strides(out.on, t.on)
		index[i] = make([]int32, inner)
		x := make([]int, len(out.on)-cut)
		at := 0
		for l := range inner {
			index[i][l] = int32(at)
			at += e.g.advance(out.on[cut:], x, stride[i][cut:])
		}
	}

	// Block by block of inner states.
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
		if !e.worked(inner * n) {
			return out, false
		}
		e.outer(out.on[:cut], x, at, stride)
	}
	out.normalise()
	return out, true
}

// worked counts entries, and reports whether to go on.
func (e *elimination) worked(entries int) bool {
	if e.work += entries; e.work < askedEntries || e.going == nil {
		return true
	}
	e.work = 0
	return e.going()
}

// outer advances the outer variables x by one state, and the index into each table accordingly.
func (e *elimination) outer(on, x, at []int, stride [][]int) {
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
