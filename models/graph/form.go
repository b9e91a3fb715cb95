package graph

import (
	"bytes"
	"math"
	"slices"
	"sort"
	"strconv"

	"logzlab/core/factor"
	"logzlab/core/num"
)

// Graphs that are the same up to the order of their factors, of the variables of a factor, and of what is known or has
// one state only, have one form:
//
//   - variables with evidence or of one state are gone, the others keep their order
//   - each factor is over rising variables, and no two are over the same
//   - factors are sorted by their variables; what depends on none is a first factor on nothing
//
// Numbers are those of the file, added in its order where factors come together.

// limits of a graph. A table has at most maxTable numbers, all tables together maxTables.
const (
	maxVariables = 1 << 14
	maxFactors   = 1 << 20
	maxStates    = 64
	maxScope     = 20
	maxTable     = 1 << 20
	maxTables    = 1 << 25
)

// formed is the one form of a graph given evidence, states by variable.
func formed(g *factor.Graph, evidence map[int]int) *factor.Graph {
	out, _ := g.Condition(evidence)
	for i, f := range out.Factors {
		on := slices.Sorted(slices.Values(f.Vars))
		out.Factors[i] = factor.Factor{Vars: on, Table: out.Reordered(f, on)}
	}
	sort.SliceStable(out.Factors, func(i, j int) bool {
		return slices.Compare(out.Factors[i].Vars, out.Factors[j].Vars) < 0
	})
	merged := out.Factors[:0]
	for _, f := range out.Factors {
		if n := len(merged); n > 0 && slices.Equal(merged[n-1].Vars, f.Vars) {
			for i, x := range f.Table {
				merged[n-1].Table[i] += x
			}
			continue
		}
		merged = append(merged, f)
	}
	if len(merged) > 0 && len(merged[0].Vars) == 0 && merged[0].Table[0] == 0 {
		merged = merged[1:]
	}
	out.Factors = merged
	return out
}

// zeroText stands for the log of zero, and lowest is from where on numbers are taken for it: JSON has no infinities.
const (
	zeroText = "-1e300"
	maxLog   = 1e12
	lowest   = -1e299
)

// text writes a graph as JSON, its tables in logs, so that reading gives the same bits.
func text(g *factor.Graph) []byte {
	var b bytes.Buffer
	list := func(x []int) {
		b.WriteByte('[')
		for i, v := range x {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Itoa(v))
		}
		b.WriteByte(']')
	}

	// The variables.
	b.WriteString(`{"kind":"graph","states":`)
	list(g.States)
	b.WriteString(`,"factors":[`)

	// The tables, in the fewest digits that are read back exactly.
	var room []byte
	for i, f := range g.Factors {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + `{"on":`)
		list(f.Vars)
		b.WriteString(`,"log":[`)
		for k, x := range f.Table {
			if k > 0 {
				b.WriteByte(',')
			}
			if math.IsInf(x, -1) {
				b.WriteString(zeroText)
				continue
			}
			room = strconv.AppendFloat(room[:0], x+0, 'g', -1, 64)
			b.Write(room)
		}
		b.WriteString("]}")
	}
	b.WriteString("]}\n")
	return b.Bytes()
}

// logs turns a table of numbers into their logs.
func logs(table []float64) {
	for i, x := range table {
		table[i] = num.Log(x)
	}
}
