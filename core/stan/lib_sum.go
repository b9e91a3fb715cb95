package stan

import (
	"math"

	"logzlab/core/problem"
	"logzlab/core/tape"
)

const lists = "v:r w:r m:r [r:r"

// reducer is a function of all numbers of a container.
func reducer(names, takes string, f func(r *run, x numbers) tape.Scalar) builtin {
	return builtin{names: names, takes: takes, do: func(r *run, _ typ, a []value) value {
		return realValue(f(r, a[0].x))
	}}
}

// sumFunctions make one number of many, and some functions of whole numbers.
var sumFunctions = []builtin{
	reducer("sum", "[i:i "+lists, func(r *run, x numbers) tape.Scalar { return r.b.Sum(x) }),
	reducer("prod", "[i:i "+lists, func(r *run, x numbers) tape.Scalar { return r.fold(tape.Mul, x, 1) }),
	{names: "log_sum_exp", takes: "EE:E " + lists, do: func(r *run, t typ, a []value) value {
		if len(a) == 2 {
			pair := codedPair("", tape.LogAddExp)
			return r.mapped(&pair, t, a)
		}
		return realValue(r.b.LogSumExp(a[0].x))
	}},
	{names: "max", takes: "ii:i [i:i " + lists, do: extreme(tape.Max, -1)},
	{names: "min", takes: "ii:i [i:i " + lists, do: extreme(tape.Min, 1)},
	reducer("mean", lists, func(r *run, x numbers) tape.Scalar { return r.mean(x) }),
	reducer("variance", lists, func(r *run, x numbers) tape.Scalar { return r.variance(x) }),
	reducer("sd", lists, func(r *run, x numbers) tape.Scalar { return r.b.Do(tape.Sqrt, r.variance(x)) }),
	reducer("norm1", "v:r w:r [r:r", func(r *run, x numbers) tape.Scalar { return r.b.Sum(r.b.Map(tape.Abs, x)) }),
	reducer("norm2", "v:r w:r [r:r", func(r *run, x numbers) tape.Scalar {
		return r.b.Do(tape.Sqrt, r.b.Dot(x, x))
	}),
	reducer("dot_self", "v:r w:r", func(r *run, x numbers) tape.Scalar { return r.b.Dot(x, x) }),
	{names: "dot_product", takes: "vv:r ww:r vw:r wv:r [r[r:r", do: func(r *run, _ typ, a []value) value {
		return r.dot(a[0], a[1])
	}},
	{names: "squared_distance", takes: "vv:r ww:r vw:r wv:r", do: func(r *run, _ typ, a []value) value {
		return realValue(r.distance(a[0], a[1]))
	}},
	{names: "distance", takes: "vv:r ww:r vw:r wv:r", do: func(r *run, _ typ, a []value) value {
		return realValue(r.b.Do(tape.Sqrt, r.distance(a[0], a[1])))
	}},
	{names: "log_mix", takes: "rrr:r vv:r ww:r [r[r:r v[r:r v[v:r", do: logMix},
	{names: "hmm_marginal", takes: "mmv:r", do: hidden},
	{names: "softmax", takes: "v:v", do: func(r *run, _ typ, a []value) value {
		return a[0].with(r.b.Map(tape.Exp, r.logSoftmax(a[0].x)))
	}},
	{names: "log_softmax", takes: "v:v", do: func(r *run, _ typ, a []value) value {
		return a[0].with(r.logSoftmax(a[0].x))
	}},
	{names: "cumulative_sum", takes: "[i:[i [r:[r v:v w:w", do: func(r *run, _ typ, a []value) value {
		out := append(numbers(nil), a[0].x...)
		for i := 1; i < len(out); i++ {
			out[i] = r.b.Do(tape.Add, out[i-1], out[i])
		}
		return a[0].with(out)
	}},
	{names: "choose", takes: "ii:i", do: func(r *run, _ typ, a []value) value {
		return intValue(r.choose(a[0].int(), a[1].int()))
	}},
	{names: "falling_factorial", takes: "ri:r", do: factorial(-1)},
	{names: "rising_factorial", takes: "ri:r", do: factorial(1)},
	{names: "int_step", takes: "r:i", do: known(func(x float64) bool { return x > 0 })},
	{names: "is_nan", takes: "r:i", do: known(func(x float64) bool { return x != x })},
	{names: "is_inf", takes: "r:i", do: known(func(x float64) bool { return math.IsInf(x, 0) })},
	{names: "logical_negation", takes: "r:i", do: known(func(x float64) bool { return x == 0 })},
	{names: "logical_or", takes: "rr:i", do: func(r *run, _ typ, a []value) value {
		x := r.numbers(append(append(numbers(nil), a[0].x...), a[1].x...), "a condition")
		return one(intType, truthOf(x[0] != 0 || x[1] != 0))
	}},
	{names: "logical_and", takes: "rr:i", do: func(r *run, _ typ, a []value) value {
		x := r.numbers(append(append(numbers(nil), a[0].x...), a[1].x...), "a condition")
		return one(intType, truthOf(x[0] != 0 && x[1] != 0))
	}},
	{names: "to_int", takes: "r:i [r:[i", do: func(r *run, t typ, a []value) value {
		out := a[0].as(t, nil)
		for _, v := range r.numbers(a[0].x, "a whole number") {
			if v != v || math.Abs(v) > math.MaxInt32 {
				r.fail(problem.New("the whole number %v is beyond 2147483647", v))
			}
			out.x = append(out.x, tape.Const(math.Trunc(v)))
		}
		return out
	}},
	{names: "lmgamma", takes: "ir:r", do: func(r *run, _ typ, a []value) value {
		k := r.room(a[0].int())
		terms := tape.Consts(float64(k*(k-1)) / 4 * logPi)
		for j := range k {
			terms = append(terms, r.b.Do(tape.LogGamma, r.b.Do(tape.Sub, a[1].x[0], tape.Const(float64(j)/2))))
		}
		return realValue(r.b.Sum(terms))
	}},
}

// fold joins numbers by an operation of two.
func (r *run) fold(c tape.Code, x numbers, none float64) tape.Scalar {
	if len(x) == 0 {
		return tape.Const(none)
	}
	for len(x) > 1 { // by halves, so that the tape has few levels
		half := len(x) / 2
		x = append(append(numbers(nil), r.b.Map(c, x[:half], x[half:2*half])...), x[2*half:]...)
	}
	return x[0]
}

// extreme is the greatest or least of numbers.
func extreme(c tape.Code, sign int) func(r *run, t typ, a []value) value {
	return func(r *run, t typ, a []value) value {
		x := a[0].x
		if len(a) == 2 {
			x = append(append(numbers(nil), x...), a[1].x...)
		}
		if len(x) == 0 && t.base == intType {
			r.fail(problem.New("an empty array has no greatest and no least number"))
		}
		return realValue(r.fold(c, x, math.Inf(sign)))
	}
}

func (r *run) mean(x numbers) tape.Scalar {
	if len(x) == 0 {
		r.fail(problem.New("there is no mean of no numbers"))
	}
	return r.b.Do(tape.Div, r.b.Sum(x), tape.Const(float64(len(x))))
}

func (r *run) variance(x numbers) tape.Scalar {
	mean := r.mean(x)
	if len(x) == 1 {
		return tape.Scalar{}
	}
	off := r.b.Map(tape.Sub, x, numbers{mean})
	return r.b.Do(tape.Div, r.b.Dot(off, off), tape.Const(float64(len(x)-1)))
}

func (r *run) distance(a, b value) tape.Scalar {
	if len(a.x) != len(b.x) {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a.dims), spellDims(b.dims)))
	}
	if len(a.x) == 0 {
		return tape.Scalar{}
	}
	off := r.b.Map(tape.Sub, a.x, b.x)
	return r.b.Dot(off, off)
}

func (r *run) logSoftmax(x numbers) numbers {
	return r.b.Map(tape.Sub, x, numbers{r.b.LogSumExp(x)})
}

// logMix is log_mix(theta, a, b), or of many shares and log densities. An array of vectors is a sum over them.
func logMix(r *run, _ typ, a []value) value {
	b := r.b
	if len(a) == 3 {
		one := b.Do(tape.Add, b.Do(tape.Log, a[0].x[0]), a[1].x[0])
		two := b.Do(tape.Add, b.Do(tape.Log1m, a[0].x[0]), a[2].x[0])
		return realValue(b.Do(tape.LogAddExp, one, two))
	}
	k := len(a[0].x)
	if k == 0 || len(a[1].x)%k != 0 || a[1].dims[len(a[1].dims)-1] != k {
		r.fail(problem.New("the sizes %s and %s do not go together", spellDims(a[0].dims), spellDims(a[1].dims)))
	}
	shares, terms := b.Map(tape.Log, a[0].x), numbers(nil)
	for at := 0; at < len(a[1].x); at += k {
		terms = append(terms, b.LogSumExp(b.Map(tape.Add, shares, a[1].x[at:at+k])))
	}
	return realValue(b.Sum(terms))
}

// hidden is hmm_marginal: the log density of what was seen of a chain of hidden states. a holds log densities, a column
// a time; the chances of moves, from rows to columns; and those of the first state.
func hidden(r *run, _ typ, a []value) value {
	b, k := r.b, a[0].rows()
	if r.square(a[1]); a[1].rows() != k || len(a[2].x) != k {
		r.unfit(a[0], a[1])
	}
	seen := a[0].flip()
	if seen.rows() == 0 || k == 0 {
		r.fail(problem.New("hmm_marginal needs at least one time and one state"))
	}
	into := b.Map(tape.Log, a[1].flip().x) // a row is the state that is reached
	at := b.Map(tape.Add, b.Map(tape.Log, a[2].x), seen.row(0))
	for t := 1; t < seen.rows(); t++ {
		r.step(k*k/4 + 25)
		next := make(numbers, k)
		for j := range next {
			next[j] = b.LogSumExp(b.Map(tape.Add, at, into[j*k:(j+1)*k]))
		}
		at = b.Map(tape.Add, next, seen.row(t))
	}
	return realValue(b.LogSumExp(at))
}

func (r *run) choose(n, k int) int {
	if k < 0 || k > n {
		return 0
	}
	c := 1.
	for i := range min(k, n-k) {
		r.step(0)
		if c = c * float64(n-i) / float64(i+1); c > math.MaxInt32 {
			r.fail(problem.New("the whole number %v is beyond 2147483647", c))
		}
	}
	return int(c + .5)
}

// factorial is x (x + step) (x + 2 step) ..., of n factors.
func factorial(step float64) func(r *run, t typ, a []value) value {
	return func(r *run, _ typ, a []value) value {
		var x numbers
		for i := range r.room(a[1].int()) {
			x = append(x, r.b.Do(tape.Add, a[0].x[0], tape.Const(float64(i)*step)))
		}
		return realValue(r.fold(tape.Mul, x, 1))
	}
}

// known is a function that asks something of a number.
func known(f func(x float64) bool) func(r *run, t typ, a []value) value {
	return func(r *run, _ typ, a []value) value {
		c, ok := a[0].x[0].Const()
		if !ok {
			r.fail(errDepends)
		}
		return one(intType, truthOf(f(c)))
	}
}
