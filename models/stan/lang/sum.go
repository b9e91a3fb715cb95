package lang

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/models/stan/tape"
)

const reducibleTypes = "v:r w:r m:r [r:r"

// reducer returns a function that maps all numbers of a container to one number.
func reducer(names, takes string, f func(r *Emitter, x Scalars) tape.Scalar) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, _ Type, a []Value) Value {
		return RealValue(f(r, a[0].X))
	}}
}

// sumFunctions are reductions such as sum and max, functions of hidden Markov models, and functions of ints.
var sumFunctions = []Builtin{
	reducer("sum", "[i:i "+reducibleTypes, func(r *Emitter, x Scalars) tape.Scalar { return r.B.Sum(x) }),
	reducer("prod", "[i:i "+reducibleTypes, func(r *Emitter, x Scalars) tape.Scalar { return r.reduce(tape.Mul, x, 1) }),
	{names: "log_sum_exp", Signatures: "EE:E " + reducibleTypes, Emit: func(r *Emitter, t Type, a []Value) Value {
		if len(a) == 2 {
			pair := binaryOpFunction("", tape.LogAddExp)
			return r.ApplyElementwise(&pair, t, a)
		}
		return RealValue(r.B.LogSumExp(a[0].X))
	}},
	{names: "max", Signatures: "ii:i [i:i " + reducibleTypes, Emit: extremum(tape.Max, -1)},
	{names: "min", Signatures: "ii:i [i:i " + reducibleTypes, Emit: extremum(tape.Min, 1)},
	reducer("mean", reducibleTypes, func(r *Emitter, x Scalars) tape.Scalar { return r.mean(x) }),
	reducer("variance", reducibleTypes, func(r *Emitter, x Scalars) tape.Scalar { return r.variance(x) }),
	reducer("sd", reducibleTypes, func(r *Emitter, x Scalars) tape.Scalar { return r.B.Do(tape.Sqrt, r.variance(x)) }),
	reducer("norm1", "v:r w:r [r:r", func(r *Emitter, x Scalars) tape.Scalar { return r.B.Sum(r.B.Map(tape.Abs, x)) }),
	reducer("norm2", "v:r w:r [r:r", func(r *Emitter, x Scalars) tape.Scalar {
		return r.B.Do(tape.Sqrt, r.B.Dot(x, x))
	}),
	reducer("dot_self", "v:r w:r", func(r *Emitter, x Scalars) tape.Scalar { return r.B.Dot(x, x) }),
	{names: "dot_product", Signatures: "vv:r ww:r vw:r wv:r [r[r:r", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return r.dot(a[0], a[1])
	}},
	{names: "squared_distance", Signatures: "rr:r vv:r ww:r vw:r wv:r", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return RealValue(r.distance(a[0], a[1]))
	}},
	{names: "distance", Signatures: "vv:r ww:r vw:r wv:r", Emit: func(r *Emitter, _ Type, a []Value) Value {
		return RealValue(r.B.Do(tape.Sqrt, r.distance(a[0], a[1])))
	}},
	{names: "log_mix", Signatures: "rrr:r vv:r ww:r [r[r:r v[r:r v[v:r vw:r v[w:r wv:r w[r:r w[v:r w[w:r [rv:r [rw:r [r[v:r " +
		"[r[w:r", Emit: logMix},
	{names: "hmm_marginal", Signatures: "mmv:r", Emit: hmmMarginal},
	{names: "hmm_hidden_state_prob", Signatures: "mmv:m", Emit: hmmStateProbabilities},
	perVector("softmax", func(r *Emitter, x Scalars) Scalars { return r.B.Map(tape.Exp, r.logSoftmax(x)) }),
	perVector("log_softmax", (*Emitter).logSoftmax),
	{names: "cumulative_sum", Signatures: "[i:[i [r:[r v:v w:w", Emit: func(r *Emitter, _ Type, a []Value) Value {
		out := append(Scalars(nil), a[0].X...)
		for i := 1; i < len(out); i++ {
			out[i] = r.B.Do(tape.Add, out[i-1], out[i])
		}
		return a[0].WithElements(out)
	}},
	{names: "choose", TypeRule: func(args []Type) (t Type, ok bool) {
		t, ok = MatchSignature("EE:E", args)
		t.Base = IntType
		return t, ok && args[0].Base == IntType && args[1].Base == IntType
	}, Emit: func(r *Emitter, t Type, a []Value) Value {
		return r.eachInt(t, a, 0, func(n int, k tape.Scalar) tape.Scalar {
			return tape.Const(float64(r.choose(n, int(clamp(k)))))
		})
	}},
	factorial("falling_factorial", -1), factorial("rising_factorial", 1),
	predicate("int_step", "r:i", func(r *Emitter, a []Value) tape.Scalar { // x > 0
		return r.Arithmetic(">", false, a[0].X[0], tape.Const(0))
	}),
	predicate("is_nan", "r:i", func(r *Emitter, a []Value) tape.Scalar {
		return r.Arithmetic("!=", false, a[0].X[0], a[0].X[0])
	}),
	predicate("is_inf", "r:i", func(r *Emitter, a []Value) tape.Scalar {
		return r.Arithmetic(">", false, r.B.Do(tape.Abs, a[0].X[0]), tape.Const(math.MaxFloat64))
	}),
	predicate("logical_negation", "r:i", func(r *Emitter, a []Value) tape.Scalar { return r.Not(a[0].X[0]) }),
	predicate("logical_or", "rr:i", func(r *Emitter, a []Value) tape.Scalar {
		return r.B.Do(tape.Select, a[0].X[0], BoolScalar(true), r.ToBool(a[1].X[0]))
	}),
	predicate("logical_and", "rr:i", func(r *Emitter, a []Value) tape.Scalar {
		return r.B.Do(tape.Select, a[0].X[0], r.ToBool(a[1].X[0]), BoolScalar(false))
	}),
	{names: "to_int", Signatures: "r:i [r:[i", Emit: func(r *Emitter, t Type, a []Value) Value {
		out := a[0].withTypeAndElements(t, nil)
		for _, v := range r.Constants(a[0].X, "a whole number") {
			if !num.NotNaN(v) || math.Abs(v) > math.MaxInt32 {
				r.Fail(problem.New("the integer %v is out of range; the largest is 2147483647", v))
			}
			out.X = append(out.X, tape.Const(math.Trunc(v)))
		}
		return out
	}},
	{names: "lmgamma", TypeRule: intOnlyAt(0), Emit: func(r *Emitter, t Type, a []Value) Value {
		return r.eachInt(t, a, 0, func(n int, x tape.Scalar) tape.Scalar {
			k := r.CheckSize(n)
			terms := tape.Consts(float64(k*(k-1)) / 4 * logPi)
			for j := range k {
				terms = append(terms, r.B.Do(tape.LogGamma, r.B.Do(tape.Sub, x, tape.Const(float64(j)/2))))
			}
			return r.B.Sum(terms)
		})
	}},
}

// intOnlyAt is intAndReals for functions whose argument at must have base type int.
func intOnlyAt(at int) func(args []Type) (Type, bool) {
	return func(args []Type) (t Type, ok bool) {
		t, ok = intAndReals(at)(args)
		return t, ok && args[at].Base == IntType
	}
}

// eachInt applies f elementwise to the ints of argument at and the numbers of the other argument. It fails if an int
// depends on parameters.
func (r *Emitter) eachInt(t Type, a []Value, at int, f func(n int, x tape.Scalar) tape.Scalar) Value {
	return r.ApplyElementwise(&Builtin{Elementwise: func(b *tape.Builder, x ...Scalars) Scalars {
		out := make(Scalars, max(len(x[0]), len(x[1])))
		for i := range out {
			r.CountSteps(20)
			n := ElementOf(x[at], i)[0]
			if !tape.AllConst(n) {
				r.Fail(errParameterInt)
			}
			out[i] = f(int(clamp(n)), ElementOf(x[1-at], i)[0])
		}
		return out
	}}, t, a)
}

// reduce combines x by a binary operation; none is the result for an empty x.
func (r *Emitter) reduce(c tape.Code, x Scalars, none float64) tape.Scalar {
	if len(x) == 0 {
		return tape.Const(none)
	}
	for len(x) > 1 { // by halves, so that the tape has few levels
		half := len(x) / 2
		x = append(append(Scalars(nil), r.B.Map(c, x[:half], x[half:2*half])...), x[2*half:]...)
	}
	return x[0]
}

// extremum returns the Emit function of max or min (c). The result for an empty container is infinity with the given
// sign.
func extremum(c tape.Code, sign int) func(r *Emitter, t Type, a []Value) Value {
	return func(r *Emitter, t Type, a []Value) Value {
		x := a[0].X
		if len(a) == 2 {
			x = append(append(Scalars(nil), x...), a[1].X...)
		}
		if len(x) == 0 && t.Base == IntType {
			r.Fail(problem.New("an empty array has no maximum or minimum"))
		}
		return RealValue(r.reduce(c, x, math.Inf(sign)))
	}
}

// mean returns the mean of x, and fails if x is empty.
func (r *Emitter) mean(x Scalars) tape.Scalar {
	if len(x) == 0 {
		r.Fail(problem.New("the mean of an empty array is undefined"))
	}
	return r.B.Do(tape.Div, r.B.Sum(x), tape.Const(float64(len(x))))
}

// variance returns the sample variance of x with denominator n - 1, 0 for one number, and fails if x is empty.
func (r *Emitter) variance(x Scalars) tape.Scalar {
	mean := r.mean(x)
	if len(x) == 1 {
		return tape.Scalar{}
	}
	deviations := r.B.Map(tape.Sub, x, Scalars{mean})
	return r.B.Do(tape.Div, r.B.Dot(deviations, deviations), tape.Const(float64(len(x)-1)))
}

// distance returns the squared Euclidean distance of two vectors.
func (r *Emitter) distance(a, b Value) tape.Scalar {
	if len(a.X) != len(b.X) {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a.Dims), FormatDims(b.Dims)))
	}
	if len(a.X) == 0 {
		return tape.Scalar{}
	}
	off := r.B.Map(tape.Sub, a.X, b.X)
	return r.B.Dot(off, off)
}

// ofEach is a function of a vector or row vector, or of each in an array.
func perVector(name string, f func(r *Emitter, x Scalars) Scalars) Builtin {
	return Builtin{names: name, TypeRule: func(args []Type) (t Type, ok bool) {
		if len(args) != 1 {
			return t, false
		}
		return args[0], args[0].Base == VectorType || args[0].Base == RowVectorType
	}, Emit: func(r *Emitter, _ Type, a []Value) Value {
		var out Scalars
		n := a[0].lastDim()
		for at := 0; at < len(a[0].X) && n > 0; at += n {
			out = append(out, f(r, a[0].X[at:at+n])...)
		}
		return a[0].WithElements(out)
	}}
}

func (r *Emitter) logSoftmax(x Scalars) Scalars {
	return r.B.Map(tape.Sub, x, Scalars{r.B.LogSumExp(x)})
}

// logMix is log_mix(theta, a, b), or of many shares and log densities. An array of vectors is a sum over them.
func logMix(r *Emitter, _ Type, a []Value) Value {
	b := r.B
	if len(a) == 3 {
		one := b.Do(tape.Add, b.Do(tape.Log, a[0].X[0]), a[1].X[0])
		two := b.Do(tape.Add, b.Do(tape.Log1m, a[0].X[0]), a[2].X[0])
		return RealValue(b.Do(tape.LogAddExp, one, two))
	}
	k := len(a[0].X)
	if k == 0 || len(a[1].X)%k != 0 || a[1].Dims[len(a[1].Dims)-1] != k {
		r.Fail(problem.New("the sizes %s and %s do not match", FormatDims(a[0].Dims), FormatDims(a[1].Dims)))
	}
	shares, terms := b.Map(tape.Log, a[0].X), Scalars(nil)
	for at := 0; at < len(a[1].X); at += k {
		terms = append(terms, b.LogSumExp(b.Map(tape.Add, shares, a[1].X[at:at+k])))
	}
	return RealValue(b.Sum(terms))
}

// hmmMarginal is hmm_marginal: the log density of the observations of a hidden Markov chain. a holds the log densities
// of the observations (a row for each state, a column for each time), the transition matrix (from rows to columns), and
// the distribution of the first state.
func hmmMarginal(r *Emitter, _ Type, a []Value) Value {
	at := r.forwardPass(a)
	return RealValue(r.B.LogSumExp(at[len(at)-1]))
}

// forwardPass returns, for each time and state, the joint log density of the observations up to that time and the
// state.
func (r *Emitter) forwardPass(a []Value) (at []Scalars) {
	b, k := r.B, a[0].Rows()
	if r.checkSquare(a[1]); a[1].Rows() != k || len(a[2].X) != k {
		r.sizeMismatch(a[0], a[1])
	}
	logDensities := a[0].Transpose()
	if logDensities.Rows() == 0 || k == 0 {
		r.Fail(problem.New("hmm_marginal needs at least one time and one state"))
	}
	into := b.Map(tape.Log, a[1].Transpose().X) // a row for each next state
	at = append(at, b.Map(tape.Add, b.Map(tape.Log, a[2].X), logDensities.Row(0)))
	for t := 1; t < logDensities.Rows(); t++ {
		r.CountSteps(k*k/4 + 25)
		at = append(at, b.Map(tape.Add, r.logTransition(at[t-1], into), logDensities.Row(t)))
	}
	return at
}

// logTransition returns log sum_j e^(x_j + row_j) for each row of a square matrix.
func (r *Emitter) logTransition(x, rows Scalars) Scalars {
	k, out := len(x), make(Scalars, len(x))
	for j := range out {
		out[j] = r.B.LogSumExp(r.B.Map(tape.Add, x, rows[j*k:(j+1)*k]))
	}
	return out
}

// hmmStateProbabilities is hmm_hidden_state_prob: the probabilities of the states given all observations, a column for
// each time. The arguments are those of hmm_marginal.
func hmmStateProbabilities(r *Emitter, _ Type, a []Value) Value {
	b, at := r.B, r.forwardPass(a)
	logDensities, logTransitions := a[0].Transpose(), b.Map(tape.Log, a[1].X)
	n, k := logDensities.Rows(), logDensities.cols()
	backward := make(Scalars, k) // log density of the observations after a time, given the state at that time
	out := make(Scalars, n*k)
	for t := n - 1; t >= 0; t-- {
		r.CountSteps(k*k/4 + 25)
		copy(out[t*k:], b.Map(tape.Exp, r.logSoftmax(b.Map(tape.Add, at[t], backward))))
		backward = r.logTransition(b.Map(tape.Add, backward, logDensities.Row(t)), logTransitions)
	}
	return Matrix(out, n, k).Transpose()
}

// choose returns the binomial coefficient n over k, 0 for k outside of 0 to n, and fails if it exceeds 32 bits.
func (r *Emitter) choose(n, k int) int {
	if k < 0 || k > n {
		return 0
	}
	c := 1.
	for i := range min(k, n-k) {
		r.CountSteps(0)
		if c = c * float64(n-i) / float64(i+1); c > math.MaxInt32 {
			r.Fail(problem.New("the integer %v is out of range; the largest is 2147483647", c))
		}
	}
	return int(c + .5)
}

// factorial returns the function x (x + step) (x + 2 step) ... with n factors.
func factorial(name string, step float64) Builtin {
	return Builtin{names: name, TypeRule: intOnlyAt(1), Emit: func(r *Emitter, t Type, a []Value) Value {
		return r.eachInt(t, a, 1, func(n int, from tape.Scalar) tape.Scalar {
			var x Scalars
			for i := range r.CheckSize(n) {
				x = append(x, r.B.Do(tape.Add, from, tape.Const(float64(i)*step)))
			}
			return r.reduce(tape.Mul, x, 1)
		})
	}}
}

// predicate returns a function whose result is 1 or 0.
func predicate(names, takes string, f func(r *Emitter, a []Value) tape.Scalar) Builtin {
	return Builtin{names: names, Signatures: takes, Emit: func(r *Emitter, _ Type, a []Value) Value {
		return scalarValue(IntType, f(r, a))
	}}
}
