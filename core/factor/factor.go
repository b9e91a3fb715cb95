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
		index := 0
		for _, v := range f.Vars {
			index = index*g.States[v] + x[v]
		}
		sum += f.Table[index]
	}
	return sum
}

// saturatedEntries caps counts of table entries, so that small multiples and sums of them do not overflow.
const saturatedEntries = 1e300

// Entries returns the number of entries of a table on the variables vars, the product of their numbers of states, at
// most saturatedEntries.
func (g *Graph) Entries(vars []int) float64 {
	n := 1.0
	for _, v := range vars {
		n = min(n*float64(g.States[v]), saturatedEntries)
	}
	return n
}

// Condition returns the graph given evidence, a map from variables to states. Variables with evidence and variables
// with a single state are removed; original[i] is the number in g of variable i of out. Factors without remaining
// variables are merged into one constant factor.
func (g *Graph) Condition(evidence map[int]int) (out *Graph, original []int) {
	newIndex := make([]int, len(g.States))
	fixedState := make([]int, len(g.States))
	out = &Graph{}

	for v, states := range g.States {
		value, isFixed := evidence[v]
		if states == 1 {
			value, isFixed = 0, true
		}
		if isFixed {
			newIndex[v], fixedState[v] = -1, value
			continue
		}
		newIndex[v] = len(original)
		original = append(original, v)
		out.States = append(out.States, states)
	}

	// Restrict each factor to the remaining variables.
	constant, hasConstant := 0.0, false
	for _, f := range g.Factors {
		var vars []int
		for _, v := range f.Vars {
			if newIndex[v] >= 0 {
				vars = append(vars, newIndex[v])
			}
		}
		table := f.Table
		if len(vars) < len(f.Vars) {
			table = g.slice(f, newIndex, fixedState)
		}
		if len(vars) == 0 {
			constant, hasConstant = constant+table[0], true
			continue
		}
		out.Factors = append(out.Factors, Factor{vars, table})
	}
	if hasConstant {
		out.Factors = append(out.Factors, Factor{nil, []float64{constant}})
	}
	return out, original
}

// slice returns the table of f with the variables v for which newIndex[v] is -1 fixed at fixedState[v].
func (g *Graph) slice(f Factor, newIndex, fixedState []int) []float64 {
	var vars []int
	start := 0
	for i, stride := range g.strides(f.Vars, f.Vars) {
		if v := f.Vars[i]; newIndex[v] >= 0 {
			vars = append(vars, v)
		} else {
			start += stride * fixedState[v]
		}
	}
	return g.entriesAt(vars, g.strides(vars, f.Vars), f.Table[start:])
}

// Reordered returns the table of f with its variables in the order vars.
func (g *Graph) Reordered(f Factor, vars []int) []float64 {
	return g.entriesAt(vars, g.strides(vars, f.Vars), f.Table)
}

// entriesAt returns the entries of table at all joint states of vars, the last variable fastest; stride[i] is the
// stride of vars[i] in table.
func (g *Graph) entriesAt(vars, stride []int, table []float64) []float64 {
	out := make([]float64, int(g.Entries(vars)))
	x := make([]int, len(vars))
	index := 0
	for i := range out {
		out[i] = table[index]
		index += g.advance(vars, x, stride)
	}
	return out
}

// strides returns the stride of each variable of vars in a table over tableVars, whose last variable varies fastest; 0
// for variables that the table does not have.
func (g *Graph) strides(vars, tableVars []int) []int {
	out := make([]int, len(vars))
	stride := 1
	for i := len(tableVars) - 1; i >= 0; i-- {
		if k := slices.Index(vars, tableVars[i]); k >= 0 {
			out[k] = stride
		}
		stride *= g.States[tableVars[i]]
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
