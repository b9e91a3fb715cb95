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

// cut is what the declaration of a parameter leaves of its prior: the log of the probability. It is not known where it
// depends on parameters or cannot be computed.
type cut struct {
	log   float64
	loose bool // it is not known
	open  bool // it depends on parameters so that the integral may be infinite
	at    float64
	lower bool // one number is cut at its lower bound alone,
	upper bool // or at its upper one
	flat  bool // there is no statement: bounds or a type alone, of density 1
	size  int  // of a simplex, a direction or a matrix
}

// cutting is a distribution that is added to the density, of elements of a parameter.
type cutting struct {
	family      string
	of          *syntax.Symbol
	a           []lang.Value // the left side, and the arguments
	at          []int        // places on the left side
	whole       bool         // these are all elements of the parameter
	by          lang.Numbers // is added to them, nil: nothing
	truncated   bool
	least, most lang.Numbers // of T[,], nil without
}

// cuts notes what the declaration of a parameter leaves of a prior, e, whose value is computed of a.
func (r *run) cuts(e *syntax.Expr, a []lang.Value) {
	c := cutting{of: e.Prior, a: a, at: make([]int, len(a[0].X)), whole: e.Args[0].Node == syntax.NameNode}
	c.family, _, _ = lang.CutSuffix(e.Name)
	for i := range c.at {
		c.at[i] = i
	}
	if e.Shift != nil {
		c.by = r.eval(e.Shift).X
		if e.Less {
			c.by = r.B.Map(tape.Neg, c.by)
		}
	}
	r.truncation(&c, e)
	r.cutBy(&c)
}

// truncation notes the bounds of T[,].
func (r *run) truncation(c *cutting, e *syntax.Expr) {
	if c.truncated = e.Trunc != nil; c.truncated {
		c.least, c.most = r.limit(e.Trunc.Lo, -1), r.limit(e.Trunc.Hi, 1)
	}
}

// limited reports whether a declaration leaves less than all of a distribution of its elements, and its bounds.
func (r *run) limited(d *syntax.Decl) (lo, hi lang.Numbers, ok bool) {
	lo, hi = r.limit(d.Lower, -1), r.limit(d.Upper, 1)
	switch d.Shape {
	case syntax.PositiveShape:
		return lang.Constant(0), hi, true
	case syntax.OrderedShape, syntax.SumToZeroShape, syntax.SumToZeroMatrix:
		return lo, hi, true
	}
	return lo, hi, lo != nil || hi != nil
}

func (r *run) cutBy(s *cutting) {
	d := s.of.Decl
	lo, hi, ok := r.limited(d)
	if !ok || len(s.at) == 0 {
		return
	}
	ordered := d.Shape == syntax.OrderedShape || d.Shape == syntax.PositiveShape
	zero := d.Shape == syntax.SumToZeroShape || d.Shape == syntax.SumToZeroMatrix
	c := r.cut[s.of]
	if c == nil {
		c = &cut{}
		r.cut[s.of] = c
	}

	// Priors whose loss cannot be told.
	f, equal := logpdf.FamilyNamed(s.family), true
	for _, v := range s.a[1:] {
		equal = equal && v.T.Scalar()
	}
	if zero { // of a scale s, n elements in n - 1 dimensions have one factor 1/s too many
		c.open = slices.ContainsFunc(s.a[1:], func(v lang.Value) bool { return !tape.AllConst(v.X...) })
	}
	if f == nil || zero || len(lo) > 1 || len(hi) > 1 || ordered && !(equal && s.whole) {
		c.loose = true
		return
	}

	// The share that is left within the bounds.
	lo, hi = r.moved(lo, s.by), r.moved(hi, s.by)
	share := func(i int) (float64, bool) { return r.left(f, lo, hi, s.a[1:], i) }
	if s.truncated {
		if share = r.leftOf(f, lo, hi, s.least, s.most, s.a[1:]); share == nil && !ordered {
			return
		}
		if share == nil { // the order alone cuts
			share = func(int) (float64, bool) { return 0, true }
		}
	}

	// The log of what is left, over all elements.
	if ordered {
		c.log -= num.LogGamma(float64(len(s.at)) + 1)
	}
	for _, i := range s.at {
		log, ok := share(i)
		if !ok {
			c.loose = true
			return
		}
		if equal {
			c.log += num.Mul(float64(len(s.at)), log)
			break
		}
		c.log += log
	}

	// A bound on one side, for the note to the user.
	if d.Type.Scalar() && (lo == nil) != (hi == nil) && s.by == nil && !s.truncated {
		c.lower, c.upper = lo != nil, hi != nil
		c.at, _ = append(lo, hi...)[0].Const()
	}
}

// flat notes that a parameter has bounds on both sides and no statement: the density is 1, not that of a uniform prior.
func (r *run) flat(d *syntax.Decl, q *Parameter) {
	if d.Shape != syntax.PlainShape {
		r.flatShape(d, q)
		return
	}
	lo, hi := r.limit(d.Lower, -1), r.limit(d.Upper, 1)
	if lo == nil || hi == nil || q.Free == 0 {
		return
	}
	c := r.cut[d.Sym]
	if c == nil {
		c = &cut{flat: true}
	}
	for k, by := range r.given.by[q.First : q.First+q.Free] {
		a, known := lang.ElementOf(lo, k)[0].Const()
		b, also := lang.ElementOf(hi, k)[0].Const()
		switch {
		case len(by) > 0:
		case !known || !also:
			c.loose = true
		default:
			c.log += num.Log(b - a)
		}
	}
	if c.loose || c.log != 0 {
		r.cut[d.Sym] = c
	}
}

// leftOf is what bounds leave of a family that is truncated, and normalised so; nil where that is all.
func (r *run) leftOf(f *logpdf.Family, lo, hi, least, most lang.Numbers,
	p []lang.Value) func(i int) (log float64, ok bool) {
	all, known := true, true
	side := func(bound, of lang.Numbers, lower bool) lang.Numbers {
		switch {
		case bound == nil || of != nil && leaves(bound[0], of[0], lower):
			return of
		case of == nil || leaves(of[0], bound[0], lower):
		default:
			known = false
		}
		all = false
		return bound
	}
	lo, hi = side(lo, least, true), side(hi, most, false)
	if all {
		return nil
	}
	return func(i int) (float64, bool) {
		inner, ok := r.left(f, lo, hi, p, i)
		whole, also := r.left(f, least, most, p, i)
		return inner - whole, ok && also && known
	}
}

// limit is a bound, nil where there is none, or one that bounds nothing: infinite, of a sign.
func (r *run) limit(e *syntax.Expr, sign int) lang.Numbers {
	if e == nil {
		return nil
	}
	x := r.eval(e).X
	if len(x) == 1 && x[0] == tape.Const(math.Inf(sign)) {
		return nil
	}
	return x
}

// moved is a bound of what is a constant away from a parameter.
func (r *run) moved(bound, by lang.Numbers) lang.Numbers {
	if bound == nil || len(by) != 1 {
		return bound
	}
	return r.B.Map(tape.Add, bound, by)
}

// mirrored are the families with a location, the last parameter but one, on both sides of which they are alike.
var mirrored = map[string]bool{"normal": true, "student_t": true, "cauchy": true, "double_exponential": true,
	"logistic": true}

// left is the log of the probability of a family between bounds, for element i of its parameters; ok is false where it
// is not known.
func (r *run) left(f *logpdf.Family, lo, hi lang.Numbers, p []lang.Value, i int) (log float64, ok bool) {
	least, most := f.Support()
	if c, known := firstOf(lo); known && c <= least {
		lo = nil
	}
	if c, known := firstOf(hi); known && c >= most {
		hi = nil
	}

	// The element's parameters, and whether all is known.
	var args []lang.Numbers
	known := tape.AllConst(lo...) && tape.AllConst(hi...)
	for _, v := range p {
		x := lang.ElementOf(v.X, i)
		args, known = append(args, x), known && tape.AllConst(x...)
	}

	// Shares that follow from symmetry or from the support.
	switch {
	case lo == nil && hi == nil:
		return 0, true
	case mirrored[f.Name] && (lo == nil || hi == nil) && append(lo, hi...)[0] == args[len(args)-2][0]:
		return -math.Ln2, true
	case f.Name == "uniform" && lo != nil && hi != nil && lo[0] == args[0][0] && hi[0] == args[1][0]:
		return 0, true
	case f.Name == "von_mises" && known && lo != nil && hi != nil:
		width, _ := r.B.Do(tape.Sub, hi[0], lo[0]).Const()
		return 0, math.Abs(width-2*math.Pi) < 1e-6

	// Shares by the distribution function.
	case !known || f.LogCDF == nil || f.Name == "von_mises":
		return 0, false
	case hi == nil:
		log, _ = firstOf(f.LogCCDF(r.B, lo, args...))
	case lo == nil:
		log, _ = firstOf(f.LogCDF(r.B, hi, args...))
	default:
		log, _ = firstOf(r.B.Map(tape.LogSubExp, f.LogCDF(r.B, hi, args...), f.LogCDF(r.B, lo, args...)))
	}
	return log, num.Finite(log)
}

// firstOf is the first number, where it is known.
func firstOf(x lang.Numbers) (c float64, known bool) {
	if len(x) == 0 {
		return 0, false
	}
	return x[0].Const()
}

// slight is a share of a prior that is not worth a word, in nats.
const slight = 1e-4

// noted keeps the terms of a sum that depend on no parameter.
func (r *run) noted(e *syntax.Expr, sign float64) {
	switch {
	case len(r.free) == 0 || r.sides > 0 || len(r.known) > mostNoted:
	case e.Node == syntax.BinaryNode && (e.Name == "+" || e.Name == "-"):
		r.noted(e.Args[0], sign)
		if e.Name == "-" {
			sign = -sign
		}
		r.noted(e.Args[1], sign)
	case r.free[e]:
		if c, known := r.B.Sum(r.eval(e).X).Const(); known && c != 0 {
			r.known = append(r.known, num.Mul(sign, c))
		}
	}
}

// mostNoted is how many priors, and terms that may normalise them, are compared.
const mostNoted = 10

// normalised finds the priors that terms of the density normalise: as many as sum up to the sum of some terms. left
// reports whether a term is left.
func (r *run) normalised(p *Program) (done map[*cut]bool, left bool) {
	var cuts []*cut
	for _, s := range p.Blocks[syntax.ParametersBlock] {
		if c := r.cut[s.Decl.Sym]; c != nil && !c.loose && math.Abs(c.log) > slight {
			cuts = append(cuts, c)
		}
	}

	// All subsets are tried, so there may not be many.
	if len(cuts) > mostNoted || len(r.known) > mostNoted {
		return nil, len(r.known) > 0
	}
	sums := func(n int, of func(i int) float64) []float64 { // of the subsets, by their bits
		out := make([]float64, 1<<n)
		for set := 1; set < len(out); set++ {
			last := bits.Len(uint(set)) - 1
			out[set] = out[set&^(1<<last)] + of(last)
		}
		return out
	}

	// The largest set of cuts that some terms make up for.
	terms, best, used := sums(len(r.known), func(i int) float64 { return r.known[i] }), 0, 0
	for set, lost := range sums(len(cuts), func(i int) float64 { return -cuts[i].log }) {
		for by, sum := range terms {
			if math.Abs(sum-lost) < 1e-8 && bits.OnesCount(uint(set)) > bits.OnesCount(uint(best)) {
				best, used = set, by
			}
		}
	}
	done = map[*cut]bool{}
	for i, c := range cuts {
		done[c] = best>>i&1 > 0
	}
	return done, used != len(terms)-1
}

// tellCuts tells which priors their declarations cut, and what that does to log Z; text is a tape's note of it: nats,
// "?" where they are not known, and names.
func (r *run) tellCuts(p *Program, out *Compiled) (text string) {
	r.cutUnnamed()
	done, left := r.normalised(p)
	total, known := 0., true
	for _, s := range p.Blocks[syntax.ParametersBlock] {
		c := r.cut[s.Decl.Sym]
		if c == nil || done[c] || c.loose && left || !c.loose && math.Abs(c.log) <= slight { // a term may make up
			continue
		}

		// A note on the cut, in words that fit the case.
		name, at := s.Decl.Name, strconv.FormatFloat(c.at, 'g', -1, 64)
		text += ", " + name
		total, known = total-c.log, known && !c.loose
		nats := strconv.FormatFloat(-c.log, 'g', 3, 64)
		note := problem.New("the declaration of %s truncates its prior, which is then not normalised: log Z is %s "+
			"lower than with the normalised prior; add target += %s", name, nats, strconv.FormatFloat(-c.log, 'g', 9, 64))
		switch {
		case c.flat && c.size > 0:
			note = c.ofShape(s.Decl)
		case c.flat && !c.loose:
			note = problem.New("%s has no prior except its bounds, with density 1, which is not normalised: write %s "+
				"~ uniform(a, b); log Z minus log Z with the normalised prior is %s", name, name, strconv.FormatFloat(c.log, 'g', 3, 64))
		case c.flat:
			note = problem.New("%s has no prior except its bounds, with density 1, and the normalising factor depends "+
				"on other parameters: write %s ~ uniform(a, b)", name, name)
		case c.loose:
			note = problem.New("the declaration of %s truncates its prior, and the normalising factor is not known in "+
				"advance: log Z is not that with the normalised prior; write T[,], or subtract the log of the remaining "+
				"probability", name)
		case c.lower:
			note = problem.New("the prior of %s is truncated at %s and not normalised: write T[%s, ]; log Z is %s "+
				"lower than with the normalised prior", name, at, at, nats)
		case c.upper:
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
