package factor

import (
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
)

// Constraints often say what a variable is, given others: the output of a gate is one state at every input. Summed over
// such a variable that no other table knows, the constraint is the same everywhere, so that no table is left, and the
// inputs are no neighbours by it. A variable is barren whose sum does not depend on some of its neighbours; those that
// are left, if more than one, must be in one other table anyway. Barren variables are summed out first.

// barrenEntries is the size of the largest joint table that is tried.
const barrenEntries = 1 << 12

// remains is a graph while barren variables go.
type remains struct {
	*Graph                // its factors are those there were, and the messages
	used    []bool        // factors of barren variables
	of      [][]int       // the factors of each variable
	barren  []int         // in the order in which they went
	left    map[int][]int // what the sum over each depends on
	entries float64       // of their joint tables
}

// remains finds the barren variables. Only constraints make them here, as their sums are the same to the last bit.
func (g *Graph) remains() *remains {
	r := &remains{Graph: &Graph{g.States, nil}, of: make([][]int, len(g.States)), left: map[int][]int{}}
	for _, f := range g.Factors {
		r.add(f)
	}
	queue, queued := make([]int, len(g.States)), make([]bool, len(g.States))
	for v := range queue {
		queue[v], queued[v] = v, true
	}
	for len(queue) > 0 {
		v := queue[0]
		queue, queued[v] = queue[1:], false
		for _, u := range r.try(v) {
			if !queued[u] {
				queue, queued[u] = append(queue, u), true
			}
		}
	}
	var left []Factor
	for i, f := range r.Factors {
		if !r.used[i] {
			left = append(left, f)
		}
	}
	r.Factors = left
	return r
}

func (r *remains) add(f Factor) {
	for _, v := range f.On {
		r.of[v] = append(r.of[v], len(r.Factors))
	}
	r.Factors, r.used = append(r.Factors, f), append(r.used, false)
}

// try sums v out if it is barren, and returns the variables whose tables that changed.
func (r *remains) try(v int) (near []int) {
	// Its tables, and their other variables.
	hard := false
	var tables []int
	for _, i := range r.of[v] {
		if r.used[i] {
			continue
		}
		f := r.Factors[i]
		tables = append(tables, i)
		hard = hard || f.hard()
		for _, u := range f.On {
			if u != v && !slices.Contains(near, u) {
				near = append(near, u)
			}
		}
	}
	joint := num.Mul(r.Entries(near), float64(r.States[v]))
	if !hard || joint > barrenEntries {
		return nil
	}
	meter.Pulse(joint)

	// The sum, on the variables on which it depends.
	message := r.shrink(r.summed(v, near, tables))
	within := func(i int) bool {
		lacks := func(u int) bool { return !slices.Contains(r.Factors[i].On, u) }
		return !r.used[i] && !slices.Contains(tables, i) && !slices.ContainsFunc(message.On, lacks)
	}
	if len(message.On) == len(near) || len(message.On) > 1 && !slices.ContainsFunc(r.of[message.On[0]], within) {
		return nil
	}
	for _, i := range tables {
		r.used[i] = true
	}
	r.add(message)
	r.barren, r.left[v], r.entries = append(r.barren, v), message.On, r.entries+joint
	return near
}

// summed is the sum over v of the product of its tables, on all their other variables.
func (r *remains) summed(v int, near, tables []int) Factor {
	on := append(slices.Clone(near), v)
	logs := make([]float64, int(r.Entries(on)))
	for _, i := range tables {
		for k, x := range r.Reordered(r.Factors[i], on) {
			logs[k] += x
		}
	}
	n := r.States[v]
	out := Factor{near, make([]float64, len(logs)/n)}
	for i := range out.Table {
		out.Table[i] = num.LogSumExp(logs[i*n : (i+1)*n])
	}
	return out
}

// shrink leaves out the variables on which a factor does not depend.
func (g *Graph) shrink(f Factor) Factor {
	for i := 0; i < len(f.On); {
		rest := slices.Delete(slices.Clone(f.On), i, i+1)
		stride, step := g.strides(rest, f.On), g.strides(f.On[i:i+1], f.On)[0]
		one, same := g.walk(rest, stride, f.Table), true
		for x := 1; x < g.States[f.On[i]] && same; x++ {
			same = slices.Equal(one, g.walk(rest, stride, f.Table[x*step:]))
		}
		if same {
			f = Factor{rest, one}
		} else {
			i++
		}
	}
	return f
}
