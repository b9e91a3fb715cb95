package factor

import (
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
)

// Constraints often determine a variable: the output of a gate has one state for each state of its inputs. If no other
// factor has that output, the sum over it is the same constant for all inputs, so the inputs need not become
// neighbours. (Bayesian networks call such variables barren.) A variable is prunable if the sum over it does not depend
// on all of its neighbours, and the neighbours on which it does depend, if more than one, are together in another
// factor already. Prunable variables are summed out first.

// prunableEntries is the number of entries of the largest joint table for which prunability is tested.
const prunableEntries = 1 << 12

// pruned is a graph from which prunable variables are removed.
type pruned struct {
	*Graph                  // its factors are the original ones, then messages
	used      []bool        // of each factor, whether it was summed into a message
	of        [][]int       // the factors of each variable
	order     []int         // the prunable variables, in the order of their removal
	messageOn map[int][]int // the variables of the message of each of them
	entries   float64       // of their joint tables
}

// pruned removes the prunable variables. Only variables of constraints are tested: sums over other factors, which
// differ by rounding, would not be recognised as equal.
func (g *Graph) pruned() *pruned {
	r := &pruned{Graph: &Graph{g.States, nil}, of: make([][]int, len(g.States)), messageOn: map[int][]int{}}
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

func (r *pruned) add(f Factor) {
	for _, v := range f.On {
		r.of[v] = append(r.of[v], len(r.Factors))
	}
	r.Factors, r.used = append(r.Factors, f), append(r.used, false)
}

// try sums v out if it is prunable, and returns its neighbours, whose factors have changed; nil if it is not.
func (r *pruned) try(v int) (near []int) {
	// Its factors, and its neighbours.
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
	if !hard || joint > prunableEntries {
		return nil
	}
	meter.Pulse(joint)

	// The message must be on fewer variables than v has neighbours, and join no two that no other factor joins.
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
	r.order, r.messageOn[v], r.entries = append(r.order, v), message.On, r.entries+joint
	return near
}

// summed is the sum over v of the product of its factors, as a factor on the neighbours near.
func (r *pruned) summed(v int, near, tables []int) Factor {
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

// shrink removes the variables on which the values of a factor do not depend.
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
