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

// PriorsOnlyReport tells how the priors of a program were separated from its likelihood.
type PriorsOnlyReport struct {
	UsesFlag bool  // the program has data prior_only, which were set to 1
	Lines    []int // lines of the omitted likelihood

	// Flat are the parameters without a prior whose declaration has no finite integral: the integral of the priors is
	// infinite.
	Flat []string
}

// priorsOnly is the mode that omits the likelihood: densities with data as outcome, and terms of data without a
// density, add 0 to the log density. The likelihood is then 1 for all parameters, also inside a mixture. The remaining
// terms depend on parameters or are constants; if each is a normalised density, the integral is 1.
type priorsOnly struct {
	densities, terms map[*syntax.Expr]bool
	leftOut          map[int]bool // positions of omitted terms
	flat             []string
	usesFlag         bool
}

// priorOnlyName is the name that brms uses for data that are 1 if the likelihood is omitted.
const priorOnlyName = "prior_only"

// CompilePriors compiles the priors of a program: with prior_only = 1 if it has such data, otherwise without its
// likelihood. The tape is nil if a parameter has a flat, improper prior.
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
	report := &PriorsOnlyReport{UsesFlag: a.usesFlag, Flat: a.flat}
	for _, at := range slices.Sorted(maps.Keys(a.leftOut)) {
		if line := 1 + strings.Count(t.Source[:at], "\n"); !slices.Contains(report.Lines, line) {
			report.Lines = append(report.Lines, line)
		}
	}
	return out, report, nil
}

// omitCall reports whether a call of a density or distribution function belongs to the likelihood, and returns the
// value that replaces the call: 0, or 1 for a distribution function that is not a log. A distribution function of data
// is a likelihood (of censored data) if it depends on parameters; otherwise it may normalise a prior.
func (a *priorsOnly) omitCall(e *syntax.Expr, args []lang.Value) (v lang.Value, omitted bool) {
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

// omitTerm reports whether an expression is an omitted term of data.
func (a *priorsOnly) omitTerm(e *syntax.Expr) bool {
	if a == nil || !a.terms[e] {
		return false
	}
	a.leftOut[e.Pos] = true
	return true
}

// findFlat records the parameters without a finite integral on which no term depends except the Jacobian of their
// declaration, and reports whether there are any. jacobians is the number of Jacobians, the first terms.
func (a *priorsOnly) findFlat(r *lowerer, p *Program, out *Compiled, jacobians int) bool {
	priorCoordinates := r.B.Coordinates(r.terms[jacobians:]...)
	for i, s := range p.Blocks[syntax.ParametersBlock] {
		q := &out.Parameters[i]
		for k := q.First; k < q.First+q.Free; k++ {
			if !priorCoordinates[k] && !hasFiniteIntegral(s.Decl) {
				a.flat = append(a.flat, q.Name)
				break
			}
		}
	}
	return len(a.flat) > 0
}
