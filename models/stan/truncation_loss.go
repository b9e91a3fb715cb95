package stan

import (
	"math"
	"math/bits"
	"slices"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/lang"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/syntax"
	"logzlab/models/stan/tape"
)

// truncationLoss describes the mass of a parameter's prior within the constraints of its declaration. If the mass is
// less than 1, the prior is not normalised.
type truncationLoss struct {
	logMass    float64 // log of the mass, in nats
	unknown    bool    // the mass is not known
	mayDiverge bool    // the integral may be infinite
	bound      float64 // the bound if lowerOnly or upperOnly is set
	lowerOnly  bool    // the parameter is a number with a lower bound only
	upperOnly  bool    // the parameter is a number with an upper bound only
	uniform    bool    // no prior is stated: the density is 1
	size       int     // size of a simplex, unit vector or matrix
}

// truncatedPrior is a density of elements of a parameter that is added to the log density.
type truncatedPrior struct {
	family    string
	parameter *syntax.Symbol
	args      []lang.Value // outcome and arguments
	elements  []int        // indices of the parameter's elements in the outcome
	whole     bool         // elements are all elements of the parameter
	shift     lang.Scalars // constant that is added to the elements, or nil
	truncated bool         // the statement has T[lo, hi]
	lo, hi    lang.Scalars // bounds of T[lo, hi], nil if absent or infinite
}

// noteTruncatedPrior records the prior e with outcome and arguments a, if the declaration of its parameter truncates
// it.
func (r *lowerer) noteTruncatedPrior(e *syntax.Expr, a []lang.Value) {
	c := truncatedPrior{parameter: e.Prior, args: a, elements: make([]int, len(a[0].X)), whole: e.Args[0].Kind == syntax.NameNode}
	c.family, _, _ = lang.CutDensitySuffix(e.Name)
	for i := range c.elements {
		c.elements[i] = i
	}
	if e.Shift != nil {
		c.shift = r.value(e.Shift).X
		if e.ShiftSubtracted {
			c.shift = r.B.Map(tape.Neg, c.shift)
		}
	}
	r.noteTruncation(&c, e)
	r.addLoss(&c)
}

// noteTruncation records the bounds of T[,].
func (r *lowerer) noteTruncation(c *truncatedPrior, e *syntax.Expr) {
	if c.truncated = e.Truncation != nil; c.truncated {
		c.lo, c.hi = r.effectiveBound(e.Truncation.Lo, -1), r.effectiveBound(e.Truncation.Hi, 1)
	}
}

// declaredLimits returns the bounds of a declaration, and reports whether it excludes a part of the space.
func (r *lowerer) declaredLimits(d *syntax.Decl) (lo, hi lang.Scalars, ok bool) {
	lo, hi = r.effectiveBound(d.Lower, -1), r.effectiveBound(d.Upper, 1)
	switch d.Constraint {
	case syntax.PositiveOrdered:
		return lang.Constant(0), hi, true
	case syntax.Ordered, syntax.SumToZeroVector, syntax.SumToZeroMatrix:
		return lo, hi, true
	}
	return lo, hi, lo != nil || hi != nil
}

// addLoss adds the loss of a truncated prior to that of its parameter.
func (r *lowerer) addLoss(s *truncatedPrior) {
	d := s.parameter.Decl
	lo, hi, ok := r.declaredLimits(d)
	if !ok || len(s.elements) == 0 {
		return
	}
	ordered := d.Constraint == syntax.Ordered || d.Constraint == syntax.PositiveOrdered
	sumsToZero := d.Constraint == syntax.SumToZeroVector || d.Constraint == syntax.SumToZeroMatrix
	c := r.losses[s.parameter]
	if c == nil {
		c = &truncationLoss{}
		r.losses[s.parameter] = c
	}

	// Priors whose loss is not known.
	f, hasEqualArgs := logpdf.FamilyNamed(s.family), true
	for _, v := range s.args[1:] {
		hasEqualArgs = hasEqualArgs && v.T.IsScalar()
	}
	// n elements with sum 0 have n - 1 dimensions, so the density of a scale s has one factor 1/s too many.
	if sumsToZero {
		c.mayDiverge = slices.ContainsFunc(s.args[1:], func(v lang.Value) bool { return !tape.AllConst(v.X...) })
	}
	if f == nil || sumsToZero || len(lo) > 1 || len(hi) > 1 || ordered && !(hasEqualArgs && s.whole) {
		c.unknown = true
		return
	}

	// The log mass of element i within the bounds.
	lo, hi = r.shiftBound(lo, s.shift), r.shiftBound(hi, s.shift)
	logMassOf := func(i int) (float64, bool) { return r.logMassWithin(f, lo, hi, s.args[1:], i) }
	if s.truncated {
		if logMassOf = r.logMassOfTruncated(f, lo, hi, s.lo, s.hi, s.args[1:]); logMassOf == nil && !ordered {
			return
		}
		if logMassOf == nil { // only the order truncates
			logMassOf = func(int) (float64, bool) { return 0, true }
		}
	}

	// The log mass of all elements.
	if ordered {
		c.logMass -= num.LogGamma(float64(len(s.elements)) + 1)
	}
	for _, i := range s.elements {
		log, ok := logMassOf(i)
		if !ok {
			c.unknown = true
			return
		}
		if hasEqualArgs {
			c.logMass += num.Mul(float64(len(s.elements)), log)
			break
		}
		c.logMass += log
	}

	// Record a single bound for the note to the user.
	if d.Type.IsScalar() && (lo == nil) != (hi == nil) && s.shift == nil && !s.truncated {
		c.lowerOnly, c.upperOnly = lo != nil, hi != nil
		c.bound, _ = append(lo, hi...)[0].Const()
	}
}

// noteUniform records a parameter with two bounds and no prior: its density between the bounds a and b is 1, not the
// normalised 1/(b - a).
func (r *lowerer) noteUniform(d *syntax.Decl, q *Parameter) {
	if d.Constraint != syntax.NoConstraint {
		r.noteUniformConstrained(d, q)
		return
	}
	lo, hi := r.effectiveBound(d.Lower, -1), r.effectiveBound(d.Upper, 1)
	if lo == nil || hi == nil || q.Free == 0 {
		return
	}
	c := r.losses[d.Sym]
	if c == nil {
		c = &truncationLoss{uniform: true}
	}
	for k, by := range r.stated.families[q.First : q.First+q.Free] {
		a, known := lang.ElementOf(lo, k)[0].Const()
		b, also := lang.ElementOf(hi, k)[0].Const()
		switch {
		case len(by) > 0:
		case !known || !also:
			c.unknown = true
		default:
			c.logMass += num.Log(b - a)
		}
	}
	if c.unknown || c.logMass != 0 {
		r.losses[d.Sym] = c
	}
}

// logMassOfTruncated returns a function for the log mass within lo and hi of element i of a family that T[truncLo,
// truncHi] truncates and normalises. p are the arguments of the family. The result is nil if lo and hi exclude nothing.
func (r *lowerer) logMassOfTruncated(f *logpdf.Family, lo, hi, truncLo, truncHi lang.Scalars,
	p []lang.Value) func(i int) (log float64, ok bool) {
	excludesNothing, known := true, true
	side := func(bound, of lang.Scalars, lower bool) lang.Scalars {
		switch {
		case bound == nil || of != nil && impliesBound(bound[0], of[0], lower):
			return of
		case of == nil || impliesBound(of[0], bound[0], lower):
		default:
			known = false
		}
		excludesNothing = false
		return bound
	}
	lo, hi = side(lo, truncLo, true), side(hi, truncHi, false)
	if excludesNothing {
		return nil
	}
	return func(i int) (float64, bool) {
		inner, ok := r.logMassWithin(f, lo, hi, p, i)
		whole, also := r.logMassWithin(f, truncLo, truncHi, p, i)
		return inner - whole, ok && also && known
	}
}

// effectiveBound returns a bound, or nil if there is none or it is infinite.
func (r *lowerer) effectiveBound(e *syntax.Expr, sign int) lang.Scalars {
	if e == nil {
		return nil
	}
	x := r.value(e).X
	if len(x) == 1 && x[0] == tape.Const(math.Inf(sign)) {
		return nil
	}
	return x
}

// shiftBound shifts a bound by the constant that is added to the parameter.
func (r *lowerer) shiftBound(bound, by lang.Scalars) lang.Scalars {
	if bound == nil || len(by) != 1 {
		return bound
	}
	return r.B.Map(tape.Add, bound, by)
}

// symmetricFamilies are symmetric around a location, the last parameter but one.
var symmetricFamilies = map[string]bool{"normal": true, "student_t": true, "cauchy": true, "double_exponential": true,
	"logistic": true}

// logMassWithin returns the log probability that a family gives to the interval from lo to hi, for element i of its
// parameters p. ok is false if the probability depends on parameters or no formula is known.
func (r *lowerer) logMassWithin(f *logpdf.Family, lo, hi lang.Scalars, p []lang.Value, i int) (log float64, ok bool) {
	supportLo, supportHi := f.Support()
	if c, known := firstConst(lo); known && c <= supportLo {
		lo = nil
	}
	if c, known := firstConst(hi); known && c >= supportHi {
		hi = nil
	}

	// The element's parameters, and whether all is known.
	var args []lang.Scalars
	known := tape.AllConst(lo...) && tape.AllConst(hi...)
	for _, v := range p {
		x := lang.ElementOf(v.X, i)
		args, known = append(args, x), known && tape.AllConst(x...)
	}

	// Masses that follow from symmetry or from the support.
	switch {
	case lo == nil && hi == nil:
		return 0, true
	case symmetricFamilies[f.Name] && (lo == nil || hi == nil) && append(lo, hi...)[0] == args[len(args)-2][0]:
		return -math.Ln2, true
	case f.Name == "uniform" && lo != nil && hi != nil && lo[0] == args[0][0] && hi[0] == args[1][0]:
		return 0, true
	case f.Name == "von_mises" && known && lo != nil && hi != nil:
		width, _ := r.B.Do(tape.Sub, hi[0], lo[0]).Const()
		return 0, math.Abs(width-2*math.Pi) < 1e-6

	// Masses by the distribution function.
	case !known || f.LogCDF == nil || f.Name == "von_mises":
		return 0, false
	case hi == nil:
		log, _ = firstConst(f.LogCCDF(r.B, lo, args...))
	case lo == nil:
		log, _ = firstConst(f.LogCDF(r.B, hi, args...))
	default:
		log, _ = firstConst(r.B.Map(tape.LogSubExp, f.LogCDF(r.B, hi, args...), f.LogCDF(r.B, lo, args...)))
	}
	return log, num.Finite(log)
}

// firstConst returns the first number if it is a constant.
func firstConst(x lang.Scalars) (c float64, known bool) {
	if len(x) == 0 {
		return 0, false
	}
	return x[0].Const()
}

// negligibleLoss is a loss in nats that is not reported.
const negligibleLoss = 1e-4

// noteConstantTerms records the terms of a sum that do not depend on parameters.
func (r *lowerer) noteConstantTerms(e *syntax.Expr, sign float64) {
	switch {
	case len(r.constantTerms) == 0 || r.branchDepth > 0 || len(r.constantValues) > maxSubsetSize:
	case e.Kind == syntax.BinaryNode && (e.Name == "+" || e.Name == "-"):
		r.noteConstantTerms(e.Args[0], sign)
		if e.Name == "-" {
			sign = -sign
		}
		r.noteConstantTerms(e.Args[1], sign)
	case r.constantTerms[e]:
		if c, known := r.B.Sum(r.value(e).X).Const(); known && c != 0 {
			r.constantValues = append(r.constantValues, num.Mul(sign, c))
		}
	}
}

// maxSubsetSize is the largest number of priors, and of constant terms, whose subsets are compared.
const maxSubsetSize = 10

// normalisedLosses finds the losses that constant terms of the density compensate, as in target += -normal_lccdf(0 |
// ...): the largest set of losses whose sum equals that of some terms. hasUnusedTerm reports whether a constant term is
// not used for this. If there are too many losses or terms, compensated is nil.
func (r *lowerer) normalisedLosses(p *Program) (compensated map[*truncationLoss]bool, hasUnusedTerm bool) {
	var losses []*truncationLoss
	for _, s := range p.Blocks[syntax.ParametersBlock] {
		if c := r.losses[s.Decl.Sym]; c != nil && !c.unknown && math.Abs(c.logMass) > negligibleLoss {
			losses = append(losses, c)
		}
	}

	// All subsets are tried, so there may not be many.
	if len(losses) > maxSubsetSize || len(r.constantValues) > maxSubsetSize {
		return nil, len(r.constantValues) > 0
	}
	sums := func(n int, of func(i int) float64) []float64 { // of the subsets, by their bits
		out := make([]float64, 1<<n)
		for set := 1; set < len(out); set++ {
			last := bits.Len(uint(set)) - 1
			out[set] = out[set&^(1<<last)] + of(last)
		}
		return out
	}

	// The largest set of losses that some terms compensate.
	terms, bestLosses, bestTerms := sums(len(r.constantValues), func(i int) float64 { return r.constantValues[i] }), 0, 0
	for set, lost := range sums(len(losses), func(i int) float64 { return -losses[i].logMass }) {
		for by, sum := range terms {
			if math.Abs(sum-lost) < 1e-8 && bits.OnesCount(uint(set)) > bits.OnesCount(uint(bestLosses)) {
				bestLosses, bestTerms = set, by
			}
		}
	}
	compensated = map[*truncationLoss]bool{}
	for i, c := range losses {
		compensated[c] = bestLosses>>i&1 > 0
	}
	return compensated, bestTerms != len(terms)-1
}

// reportLosses adds notes on truncated priors that are not normalised. text is the note of the tape: the loss in nats,
// or ? if it is not known, and names.
func (r *lowerer) reportLosses(p *Program, out *Compiled) (text string) {
	r.addIndirectLosses()
	compensated, hasUnusedTerm := r.normalisedLosses(p)
	total, known := 0., true
	for _, s := range p.Blocks[syntax.ParametersBlock] {
		c := r.losses[s.Decl.Sym]
		if c == nil || compensated[c] || !c.unknown && math.Abs(c.logMass) <= negligibleLoss {
			continue
		}
		if c.unknown && hasUnusedTerm { // the unused constant term may compensate this loss
			continue
		}

		// The note to the user.
		name, at := s.Decl.Name, strconv.FormatFloat(c.bound, 'g', -1, 64)
		text += ", " + name
		total, known = total-c.logMass, known && !c.unknown
		nats := strconv.FormatFloat(-c.logMass, 'g', 3, 64)
		note := problem.New("the declaration of %s truncates its prior, which is then not normalised: log Z is %s "+
			"lower than with the normalised prior; add target += %s", name, nats, strconv.FormatFloat(-c.logMass, 'g', 9, 64))
		switch {
		case c.uniform && c.size > 0:
			note = c.uniformNote(s.Decl)
		case c.uniform && !c.unknown:
			note = problem.New("%s has no prior except its bounds, with density 1, which is not normalised: write %s "+
				"~ uniform(a, b); log Z minus log Z with the normalised prior is %s", name, name, strconv.FormatFloat(c.logMass, 'g', 3, 64))
		case c.uniform:
			note = problem.New("%s has no prior except its bounds, with density 1, and the normalising factor depends "+
				"on other parameters: write %s ~ uniform(a, b)", name, name)
		case c.unknown:
			note = problem.New("the declaration of %s truncates its prior, and the normalising factor is not known in "+
				"advance: log Z is not that with the normalised prior; write T[,], or subtract the log of the remaining "+
				"probability", name)
		case c.lowerOnly:
			note = problem.New("the prior of %s is truncated at %s and not normalised: write T[%s, ]; log Z is %s "+
				"lower than with the normalised prior", name, at, at, nats)
		case c.upperOnly:
			note = problem.New("the prior of %s is truncated at %s and not normalised: write T[, %s]; log Z is %s "+
				"lower than with the normalised prior", name, at, at, nats)
		}
		out.Notes = append(out.Notes, note)
	}

	// The tape's note.
	if text == "" {
		return ""
	}
	if !known {
		return "?" + text[1:]
	}
	return strconv.FormatFloat(total, 'g', 6, 64) + text[1:]
}
