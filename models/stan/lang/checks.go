package lang

import (
	"math"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// Checks collects conditions X[i] >= Min[i] that the range analysis cannot prove. They are evaluated at run time.
type Checks struct {
	r      *Emitter
	X, Min Scalars
}

// NewChecks returns an empty set of checks.
func (r *Emitter) NewChecks() *Checks { return &Checks{r: r} }

// AtLeast adds the check x >= least unless the range analysis proves it.
func (d *Checks) AtLeast(x, least tape.Scalar) {
	d.r.CountSteps(10)
	if !d.r.Facts.AtLeast(x, least) {
		d.X, d.Min = append(d.X, x), append(d.Min, least)
	}
}

// NearlyEqual adds the check |x - want| <= Tolerance.
func (d *Checks) NearlyEqual(x tape.Scalar, want float64) {
	if !d.r.Facts.SumsTo(Scalars{x}, want) {
		d.AtLeast(Constant(Tolerance)[0], d.r.B.Do(tape.Abs, d.r.B.Do(tape.Sub, x, tape.Const(want))))
	}
}

// SumsTo adds the check that the sum of x is want, within Tolerance.
func (d *Checks) SumsTo(x Scalars, want float64) {
	if d.r.CountSteps(10 * len(x)); !d.r.Facts.SumsTo(x, want) {
		d.NearlyEqual(d.r.B.Sum(x), want)
	}
}

// Simplex adds the checks that x is a simplex.
func (d *Checks) Simplex(x Scalars) {
	if d.r.CountSteps(10 * len(x)); d.r.Facts.Simplex(x) {
		return
	}
	for _, s := range x {
		d.AtLeast(s, tape.Const(0))
	}
	d.SumsTo(x, 1)
}

// Increasing adds the checks that the elements of x do not decrease.
func (d *Checks) Increasing(x Scalars) {
	for i := 1; i < len(x); i++ {
		d.AtLeast(x[i], x[i-1])
	}
}

// Select emits yes if all checks hold, else no. The checks have derivative 0.
func (d *Checks) Select(yes, no tape.Scalar) tape.Scalar {
	b := d.r.B
	if len(d.X) == 0 {
		return yes
	}
	holds := b.Map(tape.Step, b.Map(tape.Sub, d.X, d.Min))
	all := holds[0]
	if n := len(holds); n > 1 {
		all = b.Do(tape.Step, b.Do(tape.Sub, b.Sum(holds), tape.Const(float64(n))))
	}
	return b.Do(tape.Select, all, yes, no)
}

// NaNUnless emits x if the checks hold, else NaN.
func (r *Emitter) NaNUnless(x tape.Scalar, d *Checks) tape.Scalar {
	return d.Select(x, tape.Const(math.NaN()))
}

// familyChecks returns the checks that arguments are in their domains, except for arguments that the function checks
// itself.
func (r *Emitter) familyChecks(f *logpdf.Family, end string, each logProbability, a []Value) *Checks {
	d := r.NewChecks()
	for i, v := range a {
		lo, hi := f.Domain(i)
		if tape.AllConst(v.X...) || math.IsInf(lo, -1) || r.checksDomain(f, end, each, i) {
			continue
		}
		for _, x := range v.X {
			d.between(x, lo, hi)
		}
	}
	return d
}

// between adds the checks lo <= x <= hi for an x that depends on parameters.
func (d *Checks) between(x tape.Scalar, lo, hi float64) {
	if tape.AllConst(x) {
		return
	}
	if d.AtLeast(x, tape.Const(lo)); !math.IsInf(hi, 1) {
		d.AtLeast(tape.Const(hi), x)
	}
}

// checksDomain reports whether a function of a distribution returns NaN or -Inf whenever the argument is outside of its
// domain, as a normal density does through the log of its scale. It is determined by trying values.
func (r *Emitter) checksDomain(f *logpdf.Family, end string, each logProbability, argument int) bool {
	key := f.Name + end + strconv.Itoa(argument)
	isChecked, ok := r.domainChecked[key]
	if ok {
		return isChecked
	}
	b := tape.NewBuilder(0)
	var try func(x []Scalars) bool
	try = func(x []Scalars) bool {
		if len(x) > f.Params {
			c, _ := each(b, x[0], x[1:]...)[0].Const()
			return !num.NotNaN(c) || math.IsInf(c, -1)
		}
		for _, v := range testValues(f, len(x), argument) {
			if !try(append(x, Constant(v))) {
				return false
			}
		}
		return true
	}
	r.domainChecked[key] = try(nil)
	return r.domainChecked[key]
}

// testValues returns test values of argument i: outside of the domain if i == outside, otherwise inside.
func testValues(f *logpdf.Family, i, outside int) []float64 {
	lo, hi := f.Domain(i)
	switch {
	case i == outside && hi == 1:
		return []float64{lo - .3, lo - 1.2, hi + .2, hi + 1.4}
	case i == outside:
		return []float64{lo - .3, lo - .5, lo - 1, lo - 2.2}
	case hi == 1:
		return []float64{.3, .8}
	case i == 0 && f.Discrete:
		return []float64{0, 1}
	case lo == 0:
		return []float64{1, 2, 3}
	}
	return []float64{-1.2, .4, 2}
}

// argumentDomains holds the domains of the arguments of functions that are not in logpdf.Families, one letter for each
// argument: s is a simplex, several simplexes or one probability; o is increasing; 0 is not negative; n is degrees of
// freedom greater than the number of rows of the first argument minus 1; . is not checked.
var argumentDomains = map[string]string{"categorical_lpmf": ".s", "multinomial_lpmf": ".s", "dirichlet_lpdf": "s0",
	"dirichlet_multinomial_lpmf": ".0", "ordered_logistic_lpmf": "..o", "ordered_probit_lpmf": "..o",
	"ordered_logistic_glm_lpmf": "...o", "wishart_lpdf": ".n.", "inv_wishart_lpdf": ".n.", "wishart_cholesky_lpdf": ".n.",
	"log_mix": "s..", "hmm_marginal": ".ss"}

// argumentChecks returns the checks of the domains in letters.
func (r *Emitter) argumentChecks(name, letters string, a []Value) *Checks {
	d := r.NewChecks()
	for i, v := range a {
		if len(v.X) == 0 {
			continue
		}
		switch k := v.lastDim(); letters[i] {
		case 's':
			if k == 0 {
				d.between(v.X[0], 0, 1)
			}
			for at := 0; at < len(v.X) && k > 0; at += k {
				d.checkSimplex(name, v.X[at:at+k])
			}
		case 'o':
			for at := 0; at < len(v.X); at += k {
				d.Increasing(v.X[at : at+k])
			}
		case '0':
			for _, x := range v.X {
				d.between(x, 0, math.Inf(1))
			}
		case 'n':
			d.between(v.X[0], float64(a[0].Rows()-1), math.Inf(1))
		}
	}
	return d
}

// checkSimplex adds the checks of a simplex, and fails for constants that are not one.
func (d *Checks) checkSimplex(name string, x Scalars) {
	if !tape.AllConst(x...) {
		d.Simplex(x)
	} else if err := CheckSimplex(d.r.Constants(x, "data")); err != nil {
		d.r.Fail(problem.New("%s: %w", name, err))
	}
}

// lastDim returns the last size of a value, 0 for a scalar.
func (v Value) lastDim() int {
	if len(v.Dims) == 0 {
		return 0
	}
	return v.Dims[len(v.Dims)-1]
}
