package stan

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/logpdf"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/core/tape"
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
}

// cuts notes what the declaration of a parameter leaves of a prior, e, whose value is computed of a.
func (r *run) cuts(e *expr, a []value) {
	d := e.prior.decl
	lo, hi := r.limit(d.lower, -1), r.limit(d.upper, 1)
	ordered := d.shape == orderedShape || d.shape == positiveShape
	if d.shape == positiveShape {
		lo = constant(0)
	}
	if lo == nil && hi == nil && !ordered && d.shape != sumToZeroShape {
		return
	}
	if r.cut == nil {
		r.cut = map[*symbol]*cut{}
	}
	c := r.cut[e.prior]
	if c == nil {
		c = &cut{}
		r.cut[e.prior] = c
	}
	family, _, _ := cutSuffix(e.name)
	f, equal := logpdf.Named(family), true
	for _, v := range a[1:] {
		equal = equal && v.t.scalar()
	}
	if d.shape == sumToZeroShape { // of a scale s, n elements in n - 1 dimensions have one factor 1/s too many
		c.open = slices.ContainsFunc(a[1:], func(v value) bool { return !tape.Known(v.x...) })
	}
	if f == nil || d.shape == sumToZeroShape || len(lo) > 1 || len(hi) > 1 ||
		ordered && !(equal && e.args[0].node == nameNode) {
		c.loose = true
		return
	}
	if e.shift != nil {
		lo, hi = r.moved(lo, e), r.moved(hi, e)
	}
	share := func(i int) (float64, bool) { return r.left(f, lo, hi, a[1:], i) }
	if e.trunc != nil {
		if share = r.leftOf(f, lo, hi, e.trunc, a[1:]); share == nil {
			return
		}
	}
	if ordered {
		c.log -= num.LogGamma(float64(len(a[0].x)) + 1)
	}
	for i := range a[0].x {
		log, ok := share(i)
		if !ok {
			c.loose = true
			return
		}
		if equal {
			c.log += num.Mul(float64(len(a[0].x)), log)
			break
		}
		c.log += log
	}
	if d.typ.scalar() && (lo == nil) != (hi == nil) && e.shift == nil && e.trunc == nil {
		c.lower, c.upper = lo != nil, hi != nil
		c.at, _ = append(lo, hi...)[0].Const()
	}
}

// leftOf is what bounds leave of a family that is truncated, and normalised so; nil where that is all.
func (r *run) leftOf(f *logpdf.Family, lo, hi numbers, t *truncation, p []value) func(i int) (log float64, ok bool) {
	all, known := true, true
	side := func(bound numbers, e *expr, lower bool) (inner, of numbers) {
		of = r.limit(e, sideOf(lower))
		switch {
		case bound == nil || of != nil && leaves(bound[0], of[0], lower):
			return of, of
		case of == nil || leaves(of[0], bound[0], lower):
		default:
			known = false
		}
		all = false
		return bound, of
	}
	lo, least := side(lo, t.lo, true)
	hi, most := side(hi, t.hi, false)
	if all {
		return nil
	}
	return func(i int) (float64, bool) {
		inner, ok := r.left(f, lo, hi, p, i)
		whole, also := r.left(f, least, most, p, i)
		return inner - whole, ok && also && known
	}
}

// sideOf is the sign of the infinity on a side.
func sideOf(lower bool) int {
	if lower {
		return -1
	}
	return 1
}

// limit is a bound, nil where there is none, or one that bounds nothing: infinite, of a sign.
func (r *run) limit(e *expr, sign int) numbers {
	if e == nil {
		return nil
	}
	x := r.eval(e).x
	if len(x) == 1 && x[0] == tape.Const(math.Inf(sign)) {
		return nil
	}
	return x
}

// moved is a bound of what is a constant away from a parameter.
func (r *run) moved(bound numbers, e *expr) numbers {
	by := r.eval(e.shift).x
	if bound == nil || len(by) != 1 {
		return bound
	}
	if e.less {
		return r.b.Map(tape.Sub, bound, by)
	}
	return r.b.Map(tape.Add, bound, by)
}

// mirrored are the families with a location, the last parameter but one, on both sides of which they are alike.
var mirrored = map[string]bool{"normal": true, "student_t": true, "cauchy": true, "double_exponential": true,
	"logistic": true}

// left is the log of the probability of a family between bounds, for element i of its parameters; ok is false where it
// is not known.
func (r *run) left(f *logpdf.Family, lo, hi numbers, p []value, i int) (log float64, ok bool) {
	least, most := f.Support()
	if c, known := firstOf(lo); known && c <= least {
		lo = nil
	}
	if c, known := firstOf(hi); known && c >= most {
		hi = nil
	}
	var args []numbers
	known := tape.Known(lo...) && tape.Known(hi...)
	for _, v := range p {
		x := elementOf(v.x, i)
		args, known = append(args, x), known && tape.Known(x...)
	}
	switch {
	case lo == nil && hi == nil:
		return 0, true
	case mirrored[f.Name] && (lo == nil || hi == nil) && append(lo, hi...)[0] == args[len(args)-2][0]:
		return -math.Ln2, true
	case f.Name == "uniform" && lo != nil && hi != nil && lo[0] == args[0][0] && hi[0] == args[1][0]:
		return 0, true
	case f.Name == "von_mises" && known && lo != nil && hi != nil:
		width, _ := r.b.Do(tape.Sub, hi[0], lo[0]).Const()
		return 0, math.Abs(width-2*math.Pi) < 1e-6
	case !known || f.LogCDF == nil:
		return 0, false
	case hi == nil:
		log, _ = firstOf(f.LogCCDF(r.b, lo, args...))
	case lo == nil:
		log, _ = firstOf(f.LogCDF(r.b, hi, args...))
	default:
		log, _ = firstOf(r.b.Map(tape.LogSubExp, f.LogCDF(r.b, hi, args...), f.LogCDF(r.b, lo, args...)))
	}
	return log, num.Finite(log)
}

// firstOf is the first number, where it is known.
func firstOf(x numbers) (c float64, known bool) {
	if len(x) == 0 {
		return 0, false
	}
	return x[0].Const()
}

// slight is a share of a prior that is not worth a word, in nats.
const slight = 1e-4

// tellCuts tells which priors their declarations cut, and what that does to log Z; text is a tape's note of it: nats,
// "?" where they are not known, and names.
func (r *run) tellCuts(p *Program, out *Compiled) (text string) {
	if p.freeTerm {
		return "" // a term that depends on no parameter may make up for it
	}
	total, known := 0., true
	for _, s := range p.blocks[parametersBlock] {
		c := r.cut[s.decl.sym]
		if c == nil || !c.loose && c.log > -slight {
			continue
		}
		name, at := s.decl.name, strconv.FormatFloat(c.at, 'g', -1, 64)
		text += ", " + name
		total, known = total-c.log, known && !c.loose
		nats := strconv.FormatFloat(-c.log, 'g', 3, 64)
		note := problem.New("the prior of %s is cut by its declaration and not normalised: log Z is %s lower than that of "+
			"the normalised prior; add target += %s", name, nats, strconv.FormatFloat(-c.log, 'g', 9, 64))
		switch {
		case c.loose:
			note = problem.New("the prior of %s is cut by its declaration and not normalised, by a factor that is not known "+
				"beforehand: log Z is not that of the normalised prior; write T[,], or subtract the log of what is left", name)
		case c.lower:
			note = problem.New("the prior of %s is cut at %s and not normalised: write T[%s, ]; log Z is %s lower than that of "+
				"the normalised prior", name, at, at, nats)
		case c.upper:
			note = problem.New("the prior of %s is cut at %s and not normalised: write T[, %s]; log Z is %s lower than that of "+
				"the normalised prior", name, at, at, nats)
		}
		out.Notes = append(out.Notes, note)
	}
	if text == "" {
		return ""
	}
	if !known {
		return "?" + text[1:]
	}
	return strconv.FormatFloat(total, 'g', 6, 64) + text[1:]
}
