package factor

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// Factor is a nonnegative function of some variables, as a table of logs; -Inf is a hard constraint.
type Factor struct {
	On    []int     // variables, each once
	Table []float64 // logs, the last variable of On fastest; one entry for a constant factor
}

// Graph is a product of factors over discrete variables; its partition function is
//
//	Z = sum over x of the product over factors of exp Table[x_On].
type Graph struct {
	States  []int // number of states of each variable, at least 1
	Factors []Factor
}

// LogF is the log of the product of the factors at a joint state x.
func (g *Graph) LogF(x []int) float64 {
	sum := 0.0
	for _, f := range g.Factors {
		at := 0
		for _, v := range f.On {
			at = at*g.States[v] + x[v]
		}
		sum += f.Table[at]
	}
	return sum
}

// mostEntries is where numbers of entries saturate; small multiples and sums of it do not overflow.
const mostEntries = 1e300

// Entries is the number of entries of a table on these variables, at most mostEntries.
func (g *Graph) Entries(on []int) float64 {
	n := 1.0
	for _, v := range on {
		n = min(n*float64(g.States[v]), mostEntries)
	}
	return n
}

// Condition is the graph given evidence, which has states of some variables, without these variables and without
// variables of one state. kept[i] is the former number of variable i. Factors without variables left are merged into a
// constant one.
func (g *Graph) Condition(evidence map[int]int) (out *Graph, kept []int) {
	number := make([]int, len(g.States))
	fixed := make([]int, len(g.States))
	out = &Graph{}

	// The remaining variables, with new numbers.
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

	// The factors on the remaining variables.
	alone, any := 0.0, false
	for _, f := range g.Factors {
		var on []int
		for _, v := range f.On {
			if number[v] >= 0 {
				on = append(on, number[v])
			}
		}
		table := f.Table
		if len(on) < len(f.On) {
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

// slice is the table of a factor in which variables of number -1 have their fixed states.
func (g *Graph) slice(f Factor, number, fixed []int) []float64 {
	var on []int
	start := 0
	for i, stride := range g.strides(f.On, f.On) {
		if v := f.On[i]; number[v] >= 0 {
			on = append(on, v)
		} else {
			start += stride * fixed[v]
		}
	}
	return g.walk(on, g.strides(on, f.On), f.Table[start:])
}

// Reordered is the table of a factor with its variables in another order.
func (g *Graph) Reordered(f Factor, on []int) []float64 {
	return g.walk(on, g.strides(on, f.On), f.Table)
}

// walk reads a table by the states of variables, the last one fastest, each with its stride.
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

// strides is the stride of each of the variables on in a table over the variables in; 0 for those that it lacks.
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

// At is the graph whose factors have the power beta > 0, as at a rung of a ladder. Constraints stay.
func (g *Graph) At(beta float64) *Graph {
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

// LogStates is the log of the number of states of all variables together.
func (g *Graph) LogStates() float64 {
	sum := 0.0
	for _, n := range g.States {
		sum += num.Log(float64(n))
	}
	return sum
}

// hard reports whether the factor is a constraint.
func (f Factor) hard() bool { return slices.ContainsFunc(f.Table, isZero) }

// isZero reports whether a log value is that of zero.
func isZero(x float64) bool { return math.IsInf(x, -1) }
