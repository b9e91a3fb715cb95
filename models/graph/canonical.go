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

// Graphs have the same canonical form if they differ only in the order of factors, in the order of a factor's
// variables, or in variables that are known by evidence or have one state. In the canonical form
//
//   - variables with evidence or with one state are removed, the others keep their order
//   - the variables of each factor are in ascending order, and no two factors have the same variables
//   - factors are sorted by their variables; a constant factor comes first
//
// Table entries are those of the file. If several factors have the same variables, their logs are added in the order of
// the file.

// Limits of a graph: numbers of variables, of factors, of states of a variable, and of variables of a factor; entries
// of a table and of all tables together.
const (
	maxVariables = 1 << 14
	maxFactors   = 1 << 20
	maxStates    = 64
	maxScope     = 20
	maxTable     = 1 << 20
	maxTables    = 1 << 25
)

// canonical returns the canonical form of a graph given evidence, a map from variables to their states.
func canonical(g *factor.Graph, evidence map[int]int) *factor.Graph {
	out, _ := g.Condition(evidence)
	for i, f := range out.Factors {
		vars := slices.Sorted(slices.Values(f.Vars))
		out.Factors[i] = factor.Factor{Vars: vars, Table: out.Reordered(f, vars)}
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

// JSON has no infinities. zeroText stands for the log of 0, and logs below zeroThreshold are read as the log of 0.
// Other logs must not exceed maxLog in absolute value.
const (
	zeroText      = "-1e300"
	maxLog        = 1e12
	zeroThreshold = -1e299
)

// encode returns a graph as JSON, with tables of logs. Reading this text gives the same values bit for bit.
func encode(g *factor.Graph) []byte {
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

	b.WriteString(`{"kind":"graph","states":`)
	list(g.States)
	b.WriteString(`,"factors":[`)

	// Each log is written in the shortest decimal form that is read back exactly.
	var digits []byte
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
			digits = strconv.AppendFloat(digits[:0], x+0, 'g', -1, 64)
			b.Write(digits)
		}
		b.WriteString("]}")
	}
	b.WriteString("]}\n")
	return b.Bytes()
}

// toLogs replaces a table of values by their logs.
func toLogs(table []float64) {
	for i, x := range table {
		table[i] = num.Log(x)
	}
}
