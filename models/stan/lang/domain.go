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
type Demands struct {
	r        *Emitter
	X, Least Numbers
}

// Demands starts without any.
func (r *Emitter) Demands() *Demands { return &Demands{r: r} }

// AtLeast demands x >= least, unless that is certain.
func (d *Demands) AtLeast(x, least tape.Scalar) {
	d.r.Step(10)
	if !d.r.Facts.AtLeast(x, least) {
		d.X, d.Least = append(d.X, x), append(d.Least, least)
	}
}

// Near demands that x is nearly what is wanted, as in Stan.
func (d *Demands) Near(x tape.Scalar, want float64) {
	if !d.r.Facts.SumsTo(Numbers{x}, want) {
		d.AtLeast(Constant(Nearly)[0], d.r.B.Do(tape.Abs, d.r.B.Do(tape.Sub, x, tape.Const(want))))
	}
}

// Total demands that elements have nearly a sum.
func (d *Demands) Total(x Numbers, want float64) {
	if d.r.Step(10 * len(x)); !d.r.Facts.SumsTo(x, want) {
		d.Near(d.r.B.Sum(x), want)
	}
}

// Simplex demands a simplex.
func (d *Demands) Simplex(x Numbers) {
	if d.r.Step(10 * len(x)); d.r.Facts.Simplex(x) {
		return
	}
	for _, s := range x {
		d.AtLeast(s, tape.Const(0))
	}
	d.Total(x, 1)
}

// Rising demands that elements rise.
func (d *Demands) Rising(x Numbers) {
	for i := 1; i < len(x); i++ {
		d.AtLeast(x[i], x[i-1])
	}
}

// Select is yes where all demands hold, else no. Demands have no slope.
func (d *Demands) Select(yes, no tape.Scalar) tape.Scalar {
	b := d.r.B
	if len(d.X) == 0 {
		return yes
	}
	hold := b.Map(tape.Step, b.Map(tape.Sub, d.X, d.Least))
	all := hold[0]
	if n := len(hold); n > 1 {
		all = b.Do(tape.Step, b.Do(tape.Sub, b.Sum(hold), tape.Const(float64(n))))
	}
	return b.Do(tape.Select, all, yes, no)
}

// Unless is a number, or NaN where a demand does not hold.
func (r *Emitter) Unless(x tape.Scalar, d *Demands) tape.Scalar {
	return d.Select(x, tape.Const(math.NaN()))
}

// ofFamily demands the arguments' domains, as far as the function has a value outside of them.
func (r *Emitter) ofFamily(f *logpdf.Family, end string, each logProbability, a []Value) *Demands {
	d := r.Demands()
	for i, v := range a {
		lo, hi := f.Domain(i)
		if tape.AllConst(v.X...) || math.IsInf(lo, -1) || r.hears(f, end, each, i) {
			continue
		}
		for _, x := range v.X {
			d.between(x, lo, hi)
		}
	}
	return d
}

func (d *Demands) between(x tape.Scalar, lo, hi float64) {
	if tape.AllConst(x) {
		return
	}
	if d.AtLeast(x, tape.Const(lo)); !math.IsInf(hi, 1) {
		d.AtLeast(tape.Const(hi), x)
	}
}

// hears reports whether a function of a distribution has no value, or the log of 0, where an argument is outside of its
// domain, whatever the others are, as a normal density has the log of its scale. It is found by trying.
func (r *Emitter) hears(f *logpdf.Family, end string, each logProbability, argument int) bool {
	key := f.Name + end + strconv.Itoa(argument)
	hears, ok := r.heard[key]
	if ok {
		return hears
	}
	b := tape.NewBuilder(0)
	var try func(x []Numbers) bool
	try = func(x []Numbers) bool {
		if len(x) > f.Params {
			c, _ := each(b, x[0], x[1:]...)[0].Const()
			return !num.Known(c) || math.IsInf(c, -1)
		}
		for _, v := range tried(f, len(x), argument) {
			if !try(append(x, Constant(v))) {
				return false
			}
		}
		return true
	}
	r.heard[key] = try(nil)
	return r.heard[key]
}

// tried are values of argument i: outside of its domain, or inside.
func tried(f *logpdf.Family, i, outside int) []float64 {
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
var limited = map[string]string{"categorical_lpmf": ".s", "multinomial_lpmf": ".s", "dirichlet_lpdf": "s0",
	"dirichlet_multinomial_lpmf": ".0", "ordered_logistic_lpmf": "..o", "ordered_probit_lpmf": "..o",
	"ordered_logistic_glm_lpmf": "...o", "wishart_lpdf": ".n.", "inv_wishart_lpdf": ".n.", "wishart_cholesky_lpdf": ".n.",
	"log_mix": "s..", "hmm_marginal": ".ss"}

// ofLetters demands the domains of the arguments of such a function.
func (r *Emitter) ofLetters(name, letters string, a []Value) *Demands {
	d := r.Demands()
	for i, v := range a {
		if len(v.X) == 0 {
			continue
		}
		switch k := v.last(); letters[i] {
		case 's':
			if k == 0 {
				d.between(v.X[0], 0, 1)
			}
			for at := 0; at < len(v.X) && k > 0; at += k {
				d.simplexOf(name, v.X[at:at+k])
			}
		case 'o':
			for at := 0; at < len(v.X); at += k {
				d.Rising(v.X[at : at+k])
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
func (d *Demands) simplexOf(name string, x Numbers) {
	if !tape.AllConst(x...) {
		d.Simplex(x)
	} else if err := BrokenSimplex(d.r.Numbers(x, "data")); err != nil {
		d.r.Fail(problem.New("%s: %w", name, err))
	}
}

// last is the last size of a value, 0 of a number.
func (v Value) last() int {
	if len(v.Dims) == 0 {
		return 0
	}
	return v.Dims[len(v.Dims)-1]
}
