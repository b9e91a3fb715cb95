package factor

import (
	"slices"

	"logzlab/core/meter"
	"logzlab/core/num"
)

// Constraints often determine a variable: the output of a gate has one state for each state of its inputs. If no other
// factor contains that output, the sum over it is the same constant for all inputs, so the inputs need not become
// neighbours. (In Bayesian networks such variables are called barren.) A variable is prunable if the sum over it is
// constant in at least one neighbour, and the neighbours on which it does depend, if more than one, already share
// another factor. Prunable variables are eliminated first.

// prunableEntries is the number of entries of the largest joint table for which prunability is tested.
const prunableEntries = 1 << 12

// pruned is a graph whose prunable variables (see above) have been eliminated.
type pruned struct {
	*Graph                    // the original factors, then messages
	used        []bool        // used[i]: factor i has been summed into a message
	factorsOf   [][]int       // factorsOf[v]: factors that contain v
	order       []int         // prunable variables in elimination order
	messageVars map[int][]int // the variables of the message of each prunable variable
	entries     float64       // total number of entries of the joint tables of the prunable variables
}

// pruned eliminates the prunable variables. Only variables of constraints are tested: sums over other factors, which
// differ by rounding, would not be recognised as equal.
func (g *Graph) pruned() *pruned {
	r := &pruned{Graph: &Graph{g.States, nil}, factorsOf: make([][]int, len(g.States)), messageVars: map[int][]int{}}
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
		for _, u := range r.prune(v) {
			if !queued[u] {
				queue, queued[u] = append(queue, u), true
			}
		}
	}
	var unused []Factor
	for i, f := range r.Factors {
		if !r.used[i] {
			unused = append(unused, f)
		}
	}
	r.Factors = unused
	return r
}

// add appends a factor or a message.
func (r *pruned) add(f Factor) {
	for _, v := range f.Vars {
		r.factorsOf[v] = append(r.factorsOf[v], len(r.Factors))
	}
	r.Factors, r.used = append(r.Factors, f), append(r.used, false)
}

// prune eliminates v if it is prunable and returns its neighbours, whose factors have changed; otherwise it returns
// nil.
func (r *pruned) prune(v int) (near []int) {
	hard := false
	var tables []int
	for _, i := range r.factorsOf[v] {
		if r.used[i] {
			continue
		}
		f := r.Factors[i]
		tables = append(tables, i)
		hard = hard || f.hard()
		for _, u := range f.Vars {
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

	// The message must depend on fewer variables than v has neighbours, and must not contain two variables that no other
	// factor contains together.
	message := r.dropIrrelevant(r.message(v, near, tables))
	inOther := func(i int) bool {
		lacks := func(u int) bool { return !slices.Contains(r.Factors[i].Vars, u) }
		return !r.used[i] && !slices.Contains(tables, i) && !slices.ContainsFunc(message.Vars, lacks)
	}
	if len(message.Vars) == len(near) ||
		len(message.Vars) > 1 && !slices.ContainsFunc(r.factorsOf[message.Vars[0]], inOther) {
		return nil
	}
	for _, i := range tables {
		r.used[i] = true
	}
	r.add(message)
	r.order, r.messageVars[v], r.entries = append(r.order, v), message.Vars, r.entries+joint
	return near
}

// message returns the sum over v of the product of its factors, as a factor on the neighbours near.
func (r *pruned) message(v int, near, tables []int) Factor {
	vars := append(slices.Clone(near), v)
	logs := make([]float64, int(r.Entries(vars)))
	for _, i := range tables {
		for k, x := range r.Reordered(r.Factors[i], vars) {
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

// dropIrrelevant removes the variables on which the values of f do not depend.
func (g *Graph) dropIrrelevant(f Factor) Factor {
	for i := 0; i < len(f.Vars); {
		otherVars := slices.Delete(slices.Clone(f.Vars), i, i+1)
		stride, step := g.strides(otherVars, f.Vars), g.strides(f.Vars[i:i+1], f.Vars)[0]
		first, isConstant := g.entriesAt(otherVars, stride, f.Table), true
		for x := 1; x < g.States[f.Vars[i]] && isConstant; x++ {
			isConstant = slices.Equal(first, g.entriesAt(otherVars, stride, f.Table[x*step:]))
		}
		if isConstant {
			f = Factor{otherVars, first}
		} else {
			i++
		}
	}
	return f
}
