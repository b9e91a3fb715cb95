package samples

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/problem"
)

// readAlchemlyb reads a table of alchemlyb in pandas' CSV format. Its columns are the time and the state of each row
// (fep-lambda, coul-lambda, ...), then either the reduced energy in each state (u_nk) or the reduced dH/dlambda along
// each component (dHdl). It returns nil if the table has no such columns.
func readAlchemlyb(t *table) (*fileData, error) {
	time := t.column("time")
	var stateColumns, valueColumns []int
	for j, n := range t.Names {
		switch {
		case strings.HasSuffix(plainName(n), "lambda") || plainName(n) == "lambdas":
			stateColumns = append(stateColumns, j)
		case j != time && n != "" && (len(stateColumns) > 0 || time >= 0 && j > time):
			valueColumns = append(valueColumns, j)
		}
	}
	if time < 0 || stateColumns == nil {
		return nil, nil
	}
	if valueColumns == nil {
		return nil, problem.New("%s, line %d: after time and the state there are no columns of u_nk or dHdl", t.Name,
			t.Line)
	}

	// Reduced energies in all states, or slopes along all components.
	p := newFileData(t.source, States, "alchemlyb dHdl", "kT")
	if _, ok := parseState(t.Names[valueColumns[0]]); ok {
		p.source = "alchemlyb u_nk"
		for _, j := range valueColumns {
			at, ok := parseState(t.Names[j])
			if !ok || len(at) != len(stateColumns) {
				return nil, problem.New("%s, line %d: column %s is not a state of %d components", t.Name, t.Line, t.Names[j],
					len(stateColumns))
			}
			p.states = append(p.states, newState(at))
		}
	} else {
		if len(valueColumns) != len(stateColumns) {
			return nil, problem.New("%s, line %d: there are %d columns of dHdl, but states of %d components", t.Name, t.Line,
				len(valueColumns), len(stateColumns))
		}
		for _, j := range valueColumns {
			p.components = append(p.components, t.Names[j])
		}
	}

	// Energies may be infinite or missing.
	var mayBeInfinite []int
	for i := range valueColumns {
		if p.states != nil {
			mayBeInfinite = append(mayBeInfinite, 1+len(stateColumns)+i)
		}
	}

	// Consecutive rows of one state with rising time form a block.
	var b *block
	t.Energies = true
	err := t.Rows(slices.Concat([]int{time}, stateColumns, valueColumns), mayBeInfinite, 0, func(line int, x []float64) error {
		at := x[1 : 1+len(stateColumns)]
		if b == nil || x[0] <= b.last || !b.same(Rung{At: at}) {
			b = &block{Rung: newState(slices.Clone(at)), line: line, first: x[0], run: math.NaN()}
			p.blocks = append(p.blocks, b)
		}
		b.last = x[0]
		for j, v := range x[1+len(stateColumns):] {
			switch {
			case p.states == nil:
				b.Slopes = append(b.Slopes, -v)
			case math.IsInf(v, 1) && b.same(p.states[j]):
				return problem.New("%s, line %d: the energy in its own state %s is infinite; it cannot have been drawn there",
					t.Name, line, p.states[j].Label)
			case math.IsInf(v, -1): // an empty cell: the energy there was not computed
				b.LogF = append(b.LogF, math.NaN())
			default:
				b.LogF = append(b.LogF, -v)
			}
		}
		return nil
	})
	if err == nil && len(p.blocks) == 0 {
		err = errNoSamples(t.Name)
	}
	return p, err
}
