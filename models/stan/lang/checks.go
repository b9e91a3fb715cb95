package lang

import (
	"math"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// Demands are what must hold and is not certain: X[i] >= Least[i].
type Checks struct {
	r      *Emitter
	X, Min Scalars
}

// Demands starts without any.
func (r *Emitter) NewChecks() *Checks { return &Checks{r: r} }

// AtLeast demands x >= least, unless that is certain.
func (d *Checks) AtLeast(x, least tape.Scalar) {
	d.r.CountSteps(10)
	if !d.r.Facts.AtLeast(x, least) {
		d.X, d.Min = append(d.X, x), append(d.Min, least)
	}
}

// Near demands that x is nearly what is wanted, as in Stan.
func (d *Checks) NearlyEqual(x tape.Scalar, want float64) {
	if !d.r.Facts.SumsTo(Scalars{x}, want) {
		d.AtLeast(Constant(Tolerance)[0], d.r.B.Do(tape.Abs, d.r.B.Do(tape.Sub, x, tape.Const(want))))
	}
}

// Total demands that elements have nearly a sum.
func (d *Checks) SumsTo(x Scalars, want float64) {
	if d.r.CountSteps(10 * len(x)); !d.r.Facts.SumsTo(x, want) {
		d.NearlyEqual(d.r.B.Sum(x), want)
	}
}

// Simplex demands a simplex.
func (d *Checks) Simplex(x Scalars) {
	if d.r.CountSteps(10 * len(x)); d.r.Facts.Simplex(x) {
		return
	}
	for _, s := range x {
		d.AtLeast(s, tape.Const(0))
	}
	d.SumsTo(x, 1)
}

// Rising demands that elements rise.
func (d *Checks) Increasing(x Scalars) {
	for i := 1; i < len(x); i++ {
		d.AtLeast(x[i], x[i-1])
	}
}

// Select is yes where all demands hold, else no. Demands have no slope.
func (d *Checks) Select(yes, no tape.Scalar) tape.Scalar {
	b := d.r.B
	if len(d.X) == 0 {
		return yes
	}
	hold := b.Map(tape.Step, b.Map(tape.Sub, d.X, d.Min))
	all := hold[0]
	if n := len(hold); n > 1 {
		all = b.Do(tape.Step, b.Do(tape.Sub, b.Sum(hold), tape.Const(float64(n))))
	}
	return b.Do(tape.Select, all, yes, no)
}

// Unless is a number, or NaN where a demand does not hold.
func (r *Emitter) NaNUnless(x tape.Scalar, d *Checks) tape.Scalar {
	return d.Select(x, tape.Const(math.NaN()))
}

// ofFamily demands the arguments' domains, as far as the function has a value outside of them.
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

func (d *Checks) between(x tape.Scalar, lo, hi float64) {
	if tape.AllConst(x) {
		return
	}
	if d.AtLeast(x, tape.Const(lo)); !math.IsInf(hi, 1) {
		d.AtLeast(tape.Const(hi), x)
	}
}

// hears reports whether a function of a distribution has no value, or the log of 0, where an argument is outside of its
// domain, whatever the others are, as a normal density has the log of its scale. It is found by trying.
func (r *Emitter) checksDomain(f *logpdf.Family, end string, each logProbability, argument int) bool {
	key := f.Name + end + strconv.Itoa(argument)
	hears, ok := r.domainChecked[key]
	if ok {
		return hears
	}
	b := tape.NewBuilder(0)
	var try func(x []Scalars) bool
	try = func(x []Scalars) bool {
		if len(x) > f.Params {
			c, _ := each(b, x[0], x[1:]...)[0].Const()
			return !num.Known(c) || math.IsInf(c, -1)
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

// tried are values of argument i: outside of its domain, or inside.
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

// limited are functions of several numbers with the domains of their arguments, by letters: a simplex or many, or one
// share of two; numbers that rise; not below 0; degrees of freedom above those of a matrix, the first argument, less 1;
// and anything.
var argumentDomains = map[string]string{"categorical_lpmf": ".s", "multinomial_lpmf": ".s", "dirichlet_lpdf": "s0",
	"dirichlet_multinomial_lpmf": ".0", "ordered_logistic_lpmf": "..o", "ordered_probit_lpmf": "..o",
	"ordered_logistic_glm_lpmf": "...o", "wishart_lpdf": ".n.", "inv_wishart_lpdf": ".n.", "wishart_cholesky_lpdf": ".n.",
	"log_mix": "s..", "hmm_marginal": ".ss"}

// ofLetters demands the domains of the arguments of such a function.
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

// simplexOf demands a simplex of an argument, and refuses constants that are none.
func (d *Checks) checkSimplex(name string, x Scalars) {
	if !tape.AllConst(x...) {
		d.Simplex(x)
	} else if err := CheckSimplex(d.r.Constants(x, "data")); err != nil {
		d.r.Fail(problem.New("%s: %w", name, err))
	}
}

// last is the last size of a value, 0 of a number.
func (v Value) lastDim() int {
	if len(v.Dims) == 0 {
		return 0
	}
	return v.Dims[len(v.Dims)-1]
}
