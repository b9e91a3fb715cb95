package logpdf

import (
	"math"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

// Family are the distributions of one variable y that have one name. Log, LogCDF (of P(Y <= y)) and LogCCDF (of P(Y
// > y), both nil where they are not offered) write one element for each of y and of the parameters, which have equal
// lengths or one element. Of a discrete family, y is constant.
type Family struct {
	Name     string
	Discrete bool
	Params   int
	Log      Func
	LogCDF   Func
	LogCCDF  Func

	domains string // of y and the parameters: see domains
}

// Func writes a function of y and the parameters on a tape.
type Func func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar

// formula is a Func, in the words of this package.
type formula func(c calc, y vec, p []vec) vec

func (f formula) on() Func {
	if f == nil {
		return nil
	}
	return func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar { return f(calc{b}, y, p) }
}

// Families are all, those of real and of positive variables and counts.
var Families = append(append(reals(), positives()...), counts()...)

// Named is the family of a name, nil for none.
func Named(name string) *Family {
	for i := range Families {
		if Families[i].Name == name {
			return &Families[i]
		}
	}
	return nil
}

func family(name, domains string, log, cdf, ccdf formula) Family {
	return Family{Name: name, Params: len(domains) - 1, Log: log.on(), LogCDF: cdf.on(), LogCCDF: ccdf.on(),
		domains: domains}
}

// domains, by letters, tell whether a number is inside, and make the error of a number outside.
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
		return problem.New("%s: %s is %v, but must lie between 0 and 1", family, what, x)
	}},
	'i': {func(x float64) bool { return math.Floor(x) == x }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must be a whole number", family, what, x)
	}},
	'n': {func(x float64) bool { return x >= 0 && math.Floor(x) == x }, func(family, what string, x float64) error {
		return problem.New("%s: %s is %v, but must be a count", family, what, x)
	}},
}

// Support is where the density is above 0, as far as it is the same for all parameters.
func (f *Family) Support() (least, most float64) { return f.Domain(0) }

// Domain is what y, argument 0, or a parameter may be.
func (f *Family) Domain(argument int) (least, most float64) {
	switch f.domains[argument] {
	case '0', '+', 'n':
		return 0, math.Inf(1)
	case 'u':
		return 0, 1
	}
	return math.Inf(-1), math.Inf(1)
}

// Check names what lies outside its domain; NaN stands for what is not known.
func (f *Family) Check(y float64, p []float64) error {
	for i, x := range append([]float64{y}, p...) {
		d := domains[f.domains[i]]
		if !math.IsNaN(x) && !d.in(x) {
			return d.err(f.Name, nameOf(i), x)
		}
	}
	if strings.HasPrefix(f.Name, "binomial") || f.Name == "beta_binomial" {
		if y > p[0] {
			return problem.New("%s: %v successes of %v trials", f.Name, y, p[0])
		}
	}
	return nil
}

// nameOf is what an argument is called.
func nameOf(argument int) string {
	if argument == 0 {
		return "y"
	}
	return "parameter " + string(rune('0'+argument))
}

func notFinite(family, what string, x float64) error {
	return problem.New("%s: %s is %v, but must be finite", family, what, x)
}

// NotFinite refuses a value of an argument of a distribution.
func NotFinite(family string, argument int, x float64) error {
	return notFinite(family, nameOf(argument), x)
}

// derived is a family whose variable is t(y) of a base: map gives t, the log of its slope |t'| and the parameters of
// the base. With falls, t falls where y grows.
func derived(name, domains string, base Family, falls bool, change func(c calc, y vec, p []vec) (t, slope vec,
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
	if falls {
		below, above = above, below
	}
	out := family(name, domains, density, tail(below), tail(above))
	out.Discrete = base.Discrete
	return out
}
