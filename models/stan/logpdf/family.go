package logpdf

import (
	"math"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// Family is a family of distributions of one variable y. Its functions return one element for each element of y and of
// the parameters, which have equal lengths or length 1. For a discrete family y must be constant.
type Family struct {
	Name     string
	Discrete bool
	Params   int  // number of parameters
	Log      Func // log density or log mass
	LogCDF   Func // log P(Y <= y), nil if not available
	LogCCDF  Func // log P(Y > y), nil if not available

	domains string // domains of y and of each parameter, as letters of the map domains
}

// Func emits a function of y and the parameters on a tape, elementwise.
type Func func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar

// formula is a Func in terms of calc.
type formula func(c calc, y vec, p []vec) vec

// toFunc converts a formula to a Func.
func (f formula) toFunc() Func {
	if f == nil {
		return nil
	}
	return func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar { return f(calc{b}, y, p) }
}

// Families are all families: of real and of positive variables, and of counts.
var Families = append(append(reals(), positives()...), counts()...)

// FamilyNamed returns the family with a name, nil if there is none.
func FamilyNamed(name string) *Family {
	for i := range Families {
		if Families[i].Name == name {
			return &Families[i]
		}
	}
	return nil
}

// family returns a continuous family.
func family(name, domains string, log, cdf, ccdf formula) Family {
	return Family{Name: name, Params: len(domains) - 1, Log: log.toFunc(), LogCDF: cdf.toFunc(), LogCCDF: ccdf.toFunc(),
		domains: domains}
}

// domains has, for each letter, a test whether a number is inside the domain, and the error for a number outside.
var domains = map[byte]struct {
	in  func(x float64) bool
	err func(family, what string, x float64) error
}{
	'r': {func(x float64) bool { return !math.IsInf(x, 0) }, notFinite},
	'+': {func(x float64) bool { return x > 0 && !math.IsInf(x, 0) }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must be positive", family, what, x)
	}},
	'0': {func(x float64) bool { return x >= 0 }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must not be below 0", family, what, x)
	}},
	'u': {func(x float64) bool { return x >= 0 && x <= 1 }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must be between 0 and 1", family, what, x)
	}},
	'i': {func(x float64) bool { return math.Floor(x) == x }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must be a whole number", family, what, x)
	}},
	'n': {func(x float64) bool { return x >= 0 && math.Floor(x) == x }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must be a count", family, what, x)
	}},
}

// Support returns the interval on which the density is positive, as far as it does not depend on the parameters.
func (f *Family) Support() (lo, hi float64) { return f.Domain(0) }

// Domain returns the interval of values of y (argument 0) or of a parameter.
func (f *Family) Domain(argument int) (lo, hi float64) {
	switch f.domains[argument] {
	case '0', '+', 'n':
		return 0, math.Inf(1)
	case 'u':
		return 0, 1
	}
	return math.Inf(-1), math.Inf(1)
}

// Check returns an error that names the first argument outside its domain. NaN means an unknown value.
func (f *Family) Check(y float64, p []float64) error {
	for i, x := range append([]float64{y}, p...) {
		d := domains[f.domains[i]]
		if !math.IsNaN(x) && !d.in(x) {
			return d.err(f.Name, argumentName(i), x)
		}
	}
	if strings.HasPrefix(f.Name, "binomial") || f.Name == "beta_binomial" {
		if y > p[0] {
			return problem.New("%s: %v successes of %v trials", f.Name, y, p[0])
		}
	}
	return nil
}

// argumentName returns the name of an argument in errors.
func argumentName(argument int) string {
	if argument == 0 {
		return "y"
	}
	return "parameter " + string(rune('0'+argument))
}

// notFinite returns the error for an argument that is not finite.
func notFinite(family, argument string, x float64) error {
	return problem.New("%s: %s is %v, but must be finite", family, argument, x)
}

// NotFiniteError returns the error for an argument of a distribution that is not finite.
func NotFiniteError(family string, argument int, x float64) error {
	return notFinite(family, argumentName(argument), x)
}

// transformed returns the family of a variable y for which t(y) has a distribution of the family base. change returns
// t, log |t'| and the parameters of base. isDecreasing is true if t is decreasing.
func transformed(name, domains string, base Family, isDecreasing bool, change func(c calc, y vec, p []vec) (t, slope vec,
	q []vec)) Family {
	density := func(c calc, y vec, p []vec) vec {
		t, slope, q := change(c, y, p)
		return c.add(base.Log(c.Builder, t, q...), slope)
	}
	tail := func(f Func) formula {
		return func(c calc, y vec, p []vec) vec {
			t, _, q := change(c, y, p)
			return f(c.Builder, t, q...)
		}
	}
	below, above := base.LogCDF, base.LogCCDF
	if isDecreasing {
		below, above = above, below
	}
	out := family(name, domains, density, tail(below), tail(above))
	out.Discrete = base.Discrete
	return out
}
