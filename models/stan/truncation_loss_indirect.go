package stan

import (
	"slices"

	"logzlab/core/num"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// indirectDensities are densities of parameters that no sampling statement names: densities in user-defined functions,
// of transformed parameters that equal parameters, and of arrays of parameters. They are found on the tape: a density
// counts if its value is a term of the log density, directly or through sums and copies. Densities under conditions on
// parameters, with a factor (powers), in mixtures, and in functions that compute a density without a built-in one are
// not found.
type indirectDensities struct {
	boundedElements map[tape.Scalar]*syntax.Symbol   // elements of parameters that are bounded, ordered, or sum to zero
	elementCount    map[*syntax.Symbol]int           // number of elements of these parameters
	byValue         map[tape.Scalar][]truncatedPrior // densities by their value on the tape
	functionValues  map[tape.Scalar]bool             // values returned by user-defined functions
	constants       []truncatedPrior                 // densities whose value is constant, such as uniform(0, 1)
}

// registerBounded records the elements of a parameter whose declaration may truncate a prior.
func (r *lowerer) registerBounded(d *syntax.Decl) {
	if _, _, ok := r.declaredLimits(d); !ok {
		return
	}
	x := r.frame[d.Sym.Slot].X
	r.indirect.elementCount[d.Sym] = len(x)
	for _, x := range x {
		r.indirect.boundedElements[x] = d.Sym
	}
}

// noteIndirectDensity records a density v with elements of parameters as outcome.
func (r *lowerer) noteIndirectDensity(e *syntax.Expr, a []lang.Value, v lang.Value) {
	if r.branchDepth > 0 || len(r.indirect.boundedElements) == 0 || len(a) == 0 || len(v.X) != 1 {
		return
	}
	family, end, ok := lang.CutDensitySuffix(e.Name)
	if !ok || end != "_lpdf" {
		return
	}
	type shiftedParameter struct {
		symbol *syntax.Symbol
		shift  float64
	}
	var parameters []shiftedParameter
	outcomeIndices := map[shiftedParameter][]int{}
	for i, x := range a[0].X {
		if base, shift := r.stated.elements.ElementAndOffset(r.B, x); r.indirect.boundedElements[base] != nil {
			p := shiftedParameter{r.indirect.boundedElements[base], shift}
			if outcomeIndices[p] == nil {
				parameters = append(parameters, p)
			}
			outcomeIndices[p] = append(outcomeIndices[p], i)
		}
	}
	delete(r.indirect.byValue, v.X[0]) // the same density may be evaluated twice
	for _, p := range parameters {
		c := truncatedPrior{family: family, parameter: p.symbol, args: a, elements: outcomeIndices[p], whole: len(outcomeIndices[p]) == r.indirect.elementCount[p.symbol]}
		if p.shift != 0 {
			c.shift = lang.Constant(p.shift)
		}
		if r.noteTruncation(&c, e); tape.AllConst(v.X[0]) {
			r.indirect.constants = append(r.indirect.constants, c)
		} else {
			r.indirect.byValue[v.X[0]] = append(r.indirect.byValue[v.X[0]], c)
		}
	}
}

// maxVisited is the largest number of tape values that addIndirectLosses visits.
const maxVisited = 1 << 20

// addIndirectLosses adds the losses of indirect densities that are terms of the log density, and the constants next to
// them in functions.
func (r *lowerer) addIndirectLosses() {
	w := &r.indirect
	for i := range w.constants {
		r.addLoss(&w.constants[i])
	}
	if len(w.byValue) == 0 {
		return
	}
	type visit struct {
		x    tape.Scalar
		sign float64
	}
	seen := map[tape.Scalar]bool{}
	// follow follows a term to the densities in it and adds their losses. It appends constant terms on the way to
	// constants; for nil, it collects the constants of a user-defined function and keeps them if a density is found.
	var follow func(v visit, constants *[]float64) (found bool)
	follow = func(v visit, constants *[]float64) (found bool) {
		own := constants // constants next to the densities
		todo := []visit{v}
		if w.functionValues[v.x] && constants == nil {
			own = &[]float64{}
		}
		for len(todo) > 0 && len(seen) < maxVisited {
			v := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if c, known := v.x.Const(); known {
				if own != nil && c != 0 {
					*own = append(*own, num.Mul(v.sign, c))
				}
				continue
			}
			if seen[v.x] {
				continue
			}
			if own == nil && w.functionValues[v.x] {
				found = follow(v, nil) || found
				continue
			}
			seen[v.x] = true
			if all := w.byValue[v.x]; all != nil {
				for i := range all {
					if found = true; v.sign > 0 {
						r.addLoss(&all[i])
					}
				}
				continue
			}
			switch code, args := r.B.Operation(v.x); {
			case code == tape.Add || code == tape.Sub:
				second := v.sign
				if code == tape.Sub {
					second = -second
				}
				todo = append(todo, visit{args[1][0], second}, visit{args[0][0], v.sign})
			case code == tape.Neg:
				todo = append(todo, visit{args[0][0], -v.sign})
			case code == tape.Sum || code == tape.Copy:
				for _, x := range slices.Backward(args[0]) {
					todo = append(todo, visit{x, v.sign})
				}
			}
		}
		if found && constants == nil && own != nil && len(*own) <= maxSubsetSize {
			r.constantValues = append(r.constantValues, *own...)
		}
		return found
	}
	for _, x := range r.terms {
		follow(visit{x, 1}, nil)
	}
}
