package lang

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/problem"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// densityFunctions returns the density and distribution functions of all families.
func densityFunctions() []Builtin {
	var out []Builtin
	for i := range logpdf.Families {
		f := &logpdf.Families[i]
		end := "_lpdf"
		if f.Discrete {
			end = "_lpmf"
		}
		takes := "R"
		if f.Discrete {
			takes = "I"
		}
		takes += strings.Repeat("R", f.Params) + ":r"
		out = append(out, Builtin{names: f.Name + end, Signatures: takes, Emit: distributionFunction(f, end, f.Log)})

		// Distribution functions, for families that have any.
		lower, upper := f.LogCDF, f.LogCCDF
		if lower == nil && upper == nil {
			continue
		}
		if lower == nil {
			lower = complement(upper)
		}
		if upper == nil {
			upper = complement(lower)
		}
		cdf := distributionFunction(f, "_lcdf", lower)
		out = append(out, Builtin{names: f.Name + "_lcdf", Signatures: takes, Emit: cdf},
			Builtin{names: f.Name + "_lccdf", Signatures: takes, Emit: distributionFunction(f, "_lccdf", upper)},
			Builtin{names: f.Name + "_cdf", Signatures: takes, Emit: func(r *Emitter, t Type, a []Value) Value {
				return RealValue(r.B.Do(tape.Exp, cdf(r, t, a).X[0]))
			}})
	}

	// Densities outside of the list of families.
	wiener := Builtin{names: "wiener_lpdf", Signatures: "RRRRR:r", Emit: distributionFunction(&logpdf.Wiener, "_lpdf", logpdf.Wiener.Log)}
	return append(append(out, wiener), jointFunctions...)
}

// logProbability computes a log density, mass or probability for each element.
type logProbability = logpdf.Func

// complement returns log(1 - p) for a function that computes log p.
func complement(f logProbability) logProbability {
	return func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		return b.Map(tape.Log1mExp, f(b, y, p...))
	}
}

// distributionFunction returns the Emit function of a distribution: the sum over elements.
func distributionFunction(f *logpdf.Family, end string, each logProbability) func(r *Emitter, t Type, a []Value) Value {
	return func(r *Emitter, _ Type, a []Value) Value {
		n := r.commonLength(a)
		if n == 0 {
			return RealValue(tape.Scalar{})
		}
		r.checkFamily(f, n, a, f.Discrete && end != "_lpmf")
		r.CountSteps(20 + 2*n)
		if f.Name == "von_mises" && end != "_lpdf" { // its distribution function is an integral
			r.CountSteps(500 * n)
		}
		p := make([]Scalars, len(a))
		for i := range a {
			p[i] = a[i].X
		}
		return RealValue(r.NaNUnless(r.B.Sum(each(r.B, p[0], p[1:]...)), r.familyChecks(f, end, each, a)))
	}
}

// commonLength returns the number of elements of the arguments; scalars are repeated.
func (r *Emitter) commonLength(a []Value) int {
	n := -1
	for _, v := range a {
		if v.T.IsScalar() {
			continue
		}
		if n >= 0 && n != len(v.X) {
			r.Fail(problem.New("the sizes %d and %d do not match", n, len(v.X)))
		}
		n = len(v.X)
	}
	if n < 0 {
		return 1
	}
	return n
}

// checkFamily fails if constant arguments are outside of the domain of a distribution. If anyOutcome is set, the
// outcome is not checked, because a distribution function is 0 or 1 outside of the support.
func (r *Emitter) checkFamily(f *logpdf.Family, n int, a []Value, anyOutcome bool) {
	known := false
	for _, v := range a {
		known = known || slices.ContainsFunc(v.X, func(s tape.Scalar) bool { return tape.AllConst(s) })
	}
	if !known {
		return
	}
	p := make([]float64, len(a))
	for i := range n {
		for k, v := range a {
			c, ok := ElementOf(v.X, i)[0].Const()
			if p[k] = c; !ok {
				p[k] = math.NaN() // unknown
			} else if math.IsNaN(c) {
				r.Fail(logpdf.NotFiniteError(f.Name, k, c))
			}
		}
		if anyOutcome {
			p[0] = math.NaN()
		}
		if err := f.Check(p[0], p[1:]); err != nil {
			r.Fail(err)
		}
	}
}
