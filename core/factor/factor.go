package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// Factor is a nonnegative function of some discrete variables, stored as a table of logs. An entry of -Inf is a hard
// constraint.
type Factor struct {
	Vars  []int     // variables, each once
	Table []float64 // logs, the last variable of Vars fastest; one entry for a constant factor
}

// Graph is a product of factors over discrete variables. Its partition function is
//
//	Z = sum over x of the product over factors of exp Table[x_Vars].
type Graph struct {
	States  []int // number of states of each variable, at least 1
	Factors []Factor
}

// LogF returns the log of the product of all factors at the joint state x.
func (g *Graph) LogF(x []int) float64 {
	sum := 0.0
	for _, f := range g.Factors {
		at := 0
		for _, v := range f.Vars {
			at = at*g.States[v] + x[v]
		}
		sum += f.Table[at]
	}
	return sum
}

// saturatedEntries caps counts of table entries, so that small multiples and sums of them do not overflow.
const saturatedEntries = 1e300

// Entries returns the number of entries of a table on these variables, at most saturatedEntries.
func (g *Graph) Entries(on []int) float64 {
	n := 1.0
	for _, v := range on {
		n = min(n*float64(g.States[v]), saturatedEntries)
	}
	return n
}

// Condition returns the graph given evidence, a map from variables to states. Variables with evidence and variables
// with a single state are removed; kept[i] is the original number of variable i. Factors on no remaining variable are
// merged into one constant factor.
func (g *Graph) Condition(evidence map[int]int) (out *Graph, kept []int) {
	number := make([]int, len(g.States))
	fixed := make([]int, len(g.States))
	out = &Graph{}

	for v, states := range g.States {
		value, known := evidence[v]
		if states == 1 {
			value, known = 0, true
		}
		if known {
			number[v], fixed[v] = -1, value
			continue
		}
		number[v] = len(kept)
		kept = append(kept, v)
		out.States = append(out.States, states)
	}

	// Restrict each factor to the remaining variables.
	alone, any := 0.0, false
	for _, f := range g.Factors {
		var on []int
		for _, v := range f.Vars {
			if number[v] >= 0 {
				on = append(on, number[v])
			}
		}
		table := f.Table
		if len(on) < len(f.Vars) {
			table = g.slice(f, number, fixed)
		}
		if len(on) == 0 {
			alone, any = alone+table[0], true
			continue
		}
		out.Factors = append(out.Factors, Factor{on, table})
	}
	if any {
		out.Factors = append(out.Factors, Factor{nil, []float64{alone}})
	}
	return out, kept
}

// slice returns the table of f with the variables of number -1 fixed at their states.
func (g *Graph) slice(f Factor, number, fixed []int) []float64 {
	var on []int
	start := 0
	for i, stride := range g.strides(f.Vars, f.Vars) {
		if v := f.Vars[i]; number[v] >= 0 {
			on = append(on, v)
		} else {
			start += stride * fixed[v]
		}
	}
	return g.walk(on, g.strides(on, f.Vars), f.Table[start:])
}

// Reordered returns the table of f with its variables in the order vars.
func (g *Graph) Reordered(f Factor, on []int) []float64 {
	return g.walk(on, g.strides(on, f.Vars), f.Table)
}

// walk returns the entries of table at all joint states of the variables on, the last one fastest; stride[i] is the
// stride of on[i] in table.
func (g *Graph) walk(on, stride []int, table []float64) []float64 {
	out := make([]float64, int(g.Entries(on)))
	x := make([]int, len(on))
	at := 0
	for i := range out {
		out[i] = table[at]
		at += g.advance(on, x, stride)
	}
	return out
}

// strides returns the stride of each variable of on in a table over the variables in; 0 for variables that the table
// does not have.
func (g *Graph) strides(on, in []int) []int {
	out := make([]int, len(on))
	stride := 1
	for i := len(in) - 1; i >= 0; i-- {
		if k := slices.Index(on, in[i]); k >= 0 {
			out[k] = stride
		}
		stride *= g.States[in[i]]
	}
	return out
}

// Power returns the graph with all factors raised to the power beta > 0. Constraints are unchanged.
func (g *Graph) Power(beta float64) *Graph {
	out := &Graph{States: g.States, Factors: slices.Clone(g.Factors)}
	for i, f := range g.Factors {
		table := make([]float64, len(f.Table))
		for j, x := range f.Table {
			table[j] = beta * x
		}
		out.Factors[i].Table = table
	}
	return out
}

// LogStates returns the log of the number of joint states of all variables.
func (g *Graph) LogStates() float64 {
	sum := 0.0
	for _, n := range g.States {
		sum += num.Log(float64(n))
	}
	return sum
}

// hard reports whether the factor has a zero, that is, is a constraint.
func (f Factor) hard() bool { return slices.ContainsFunc(f.Table, isZero) }

// isZero reports whether x is the log of zero.
func isZero(x float64) bool { return math.IsInf(x, -1) }
