package samples

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/problem"
)

// readAlchemlyb reads a table of alchemlyb in pandas' CSV: time and the state of each row (fep-lambda, coul-lambda,
// ...), then either the reduced energy in each state (u_nk) or the reduced dH/dlambda along each component (dHdl). It
// returns nil if the table is not one of these.
func readAlchemlyb(t *table) (*fileData, error) {
	time := t.column("time")
	var own, values []int
	for j, n := range t.Names {
		switch {
		case strings.HasSuffix(plainName(n), "lambda") || plainName(n) == "lambdas":
			own = append(own, j)
		case j != time && n != "" && (len(own) > 0 || time >= 0 && j > time):
			values = append(values, j)
		}
	}
	if time < 0 || own == nil {
		return nil, nil
	}
	if values == nil {
		return nil, problem.New("%s, line %d: after time and the state there are no columns of u_nk or dHdl", t.Name,
			t.Line)
	}

	// Reduced energies in all states, or slopes along all components.
	p := newFileData(t.source, States, "alchemlyb dHdl", "kT")
	if _, ok := parseState(t.Names[values[0]]); ok {
		p.source = "alchemlyb u_nk"
		for _, j := range values {
			at, ok := parseState(t.Names[j])
			if !ok || len(at) != len(own) {
				return nil, problem.New("%s, line %d: column %s is not a state of %d components", t.Name, t.Line, t.Names[j],
					len(own))
			}
			p.states = append(p.states, newState(at))
		}
	} else {
		if len(values) != len(own) {
			return nil, problem.New("%s, line %d: there are %d columns of dHdl, but states of %d components", t.Name, t.Line,
				len(values), len(own))
		}
		for _, j := range values {
			p.components = append(p.components, t.Names[j])
		}
	}

	// Energies may be infinite or missing.
	var free []int
	for i := range values {
		if p.states != nil {
			free = append(free, 1+len(own)+i)
		}
	}

	// Rows form blocks of one state.
	var b *block
	t.Energies = true
	err := t.Rows(slices.Concat([]int{time}, own, values), free, 0, func(line int, x []float64) error {
		at := x[1 : 1+len(own)]
		if b == nil || x[0] <= b.last || !b.same(Rung{At: at}) {
			b = &block{Rung: newState(slices.Clone(at)), line: line, first: x[0], run: math.NaN()}
			p.blocks = append(p.blocks, b)
		}
		b.last = x[0]
		for j, v := range x[1+len(own):] {
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
