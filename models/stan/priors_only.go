package stan

import (
	"maps"
	"slices"
	"strings"

	"logzlab/models/stan/lang"
	"logzlab/models/stan/priors"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// Alone says how the priors of a program were told from its likelihood.
type PriorsOnlyReport struct {
	UsesFlag bool  // it has data prior_only, which were set to 1
	Lines    []int // lines with densities of data, which count as 1

	// Flat are the parameters that nothing is said about, and whose declaration gives no density with a finite integral:
	// the integral of the priors is infinite.
	Flat []string
}

// alone is how a program is run for its priors alone: densities with data on their left, and terms of data without a
// density, add 0 to the log density. So a likelihood is 1 whatever the parameters are, also where it is part of a
// mixture. What is left are the terms that say something about parameters, or constants; where each is a normalised
// density, the integral is 1.
type priorsOnly struct {
	densities, terms map[*syntax.Expr]bool
	leftOut          map[int]bool // places of what was left out
	flat             []string
	usesFlag         bool
}

// onlyPriors is the name of brms for data that are 1 where the likelihood is left out.
const priorOnlyName = "prior_only"

// CompilePriors runs a program for its priors alone: with prior_only = 1 where it has such data, and else without what
// it says about data. The tape is nil where a parameter is flat.
func (t Text) CompilePriors() (*Compiled, *PriorsOnlyReport, error) {
	p, err := Read(t.Source)
	if err != nil {
		return nil, nil, err
	}
	a := &priorsOnly{leftOut: map[int]bool{}}
	for _, s := range p.Blocks[syntax.DataBlock] {
		a.usesFlag = a.usesFlag || s.Decl.Name == priorOnlyName && s.Decl.Type.IsScalar() && s.Decl.Type.Base == lang.IntType
	}
	if !a.usesFlag && p.Density == nil {
		a.densities, a.terms = priors.FindLikelihood(p.Program)
	}
	out, err := p.compile([]byte(t.Data), nil, a)
	if err != nil {
		return nil, nil, err
	}
	how := &PriorsOnlyReport{UsesFlag: a.usesFlag, Flat: a.flat}
	for _, at := range slices.Sorted(maps.Keys(a.leftOut)) {
		if line := 1 + strings.Count(t.Source[:at], "\n"); !slices.Contains(how.Lines, line) {
			how.Lines = append(how.Lines, line)
		}
	}
	return out, how, nil
}

// leavesOut reports whether a call of a density or of a distribution function is left out, as it is about data, and its
// value then. A distribution function of data is a likelihood (of what is censored) where it depends on parameters; else
// it may normalise a prior.
func (a *priorsOnly) omitCall(e *syntax.Expr, args []lang.Value) (v lang.Value, out bool) {
	if a == nil || !a.densities[e] || len(args) == 0 || !tape.AllConst(args[0].X...) {
		return v, false
	}
	x := 0.
	if _, end, _ := lang.CutDensitySuffix(e.Name); end != "_lpdf" && end != "_lpmf" {
		if !slices.ContainsFunc(args[1:], func(v lang.Value) bool { return !tape.AllConst(v.X...) }) {
			return v, false
		}
		if end == "_cdf" {
			x = 1
		}
	}
	a.leftOut[e.Pos] = true
	return lang.RealValue(tape.Const(x)), true
}

// term reports whether an expression is a term of data that is left out.
func (a *priorsOnly) omitTerm(e *syntax.Expr) bool {
	if a == nil || !a.terms[e] {
		return false
	}
	a.leftOut[e.Pos] = true
	return true
}

// findFlat finds the parameters that no term depends on, but for the Jacobians of their declarations.
func (a *priorsOnly) findFlat(r *lowerer, p *Program, out *Compiled, jacobians int) bool {
	of := r.B.Coordinates(r.terms[jacobians:]...)
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q := &out.Parameters[i]
		for k := q.First; k < q.First+q.Free; k++ {
			if !of[k] && !hasFiniteIntegral(s.Decl) {
				a.flat = append(a.flat, q.Name)
				break
			}
		}
	}
	return len(a.flat) > 0
}
