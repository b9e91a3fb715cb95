package stan

import (
	"math"
	"slices"
	"strings"

	"logzlab/core/logpdf"
	"logzlab/core/problem"
	"logzlab/core/tape"
)

// densityFunctions are the functions of all distributions.
func densityFunctions() []builtin {
	var out []builtin
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
		out = append(out, builtin{names: f.Name + end, takes: takes, do: sumOf(f, f.Log)})
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
		cdf := sumOf(f, lower)
		out = append(out, builtin{names: f.Name + "_lcdf", takes: takes, do: cdf},
			builtin{names: f.Name + "_lccdf", takes: takes, do: sumOf(f, upper)},
			builtin{names: f.Name + "_cdf", takes: takes, do: func(r *run, t typ, a []value) value {
				return realValue(r.b.Do(tape.Exp, cdf(r, t, a).x[0]))
			}})
	}
	wiener := builtin{names: "wiener_lpdf", takes: "RRRRR:r", do: sumOf(&logpdf.Wiener, logpdf.Wiener.Log)}
	return append(append(out, wiener), jointFunctions...)
}

// logProbability is a log density, mass or probability for each element.
type logProbability = logpdf.Func

func complement(f logProbability) logProbability {
	return func(b *tape.Builder, y []tape.Scalar, p ...[]tape.Scalar) []tape.Scalar {
		return b.Map(tape.Log1mExp, f(b, y, p...))
	}
}

// sumOf is a function of one distribution: the sum over elements.
func sumOf(f *logpdf.Family, each logProbability) func(r *run, t typ, a []value) value {
	return func(r *run, _ typ, a []value) value {
		n := r.together(a)
		if n == 0 {
			return realValue(tape.Scalar{})
		}
		r.checkFamily(f, n, a)
		r.step(20 + 2*n)
		p := make([]numbers, len(a))
		for i := range a {
			p[i] = a[i].x
		}
		return realValue(r.b.Sum(each(r.b, p[0], p[1:]...)))
	}
}

// together is the number of elements that arguments have; numbers go with all.
func (r *run) together(a []value) int {
	n := -1
	for _, v := range a {
		if v.t.scalar() {
			continue
		}
		if n >= 0 && n != len(v.x) {
			r.fail(problem.New("the sizes %d and %d do not go together", n, len(v.x)))
		}
		n = len(v.x)
	}
	if n < 0 {
		return 1
	}
	return n
}

// checkFamily refuses constants outside of what a distribution is defined for.
func (r *run) checkFamily(f *logpdf.Family, n int, a []value) {
	known := false
	for _, v := range a {
		known = known || slices.ContainsFunc(v.x, func(s tape.Scalar) bool { return tape.Known(s) })
	}
	if !known {
		return
	}
	p := make([]float64, len(a))
	for i := range n {
		for k, v := range a {
			c, ok := elementOf(v.x, i)[0].Const()
			if p[k] = c; !ok {
				p[k] = math.NaN()
			}
		}
		if err := f.Check(p[0], p[1:]); err != nil {
			r.fail(err)
		}
	}
}
