package lang

import (
	"math"
	"slices"

	"logzlab/core/num"
	"logzlab/core/num/rng"
	"logzlab/core/problem"
	"logzlab/models/stan/logpdf"
	"logzlab/models/stan/tape"
)

// randomKey selects the random numbers of transformed data. It is fixed, so that a program and its data have one log Z.
var randomKey = rng.NewKey(1, "transformed data", 0)

// sampler draws from distributions.
type sampler struct{ *rng.Stream }

// randomFunctions are the _rng functions, which draw random numbers in transformed data. Their arguments are data.
var randomFunctions = slices.Concat([]Builtin{
	// Real variables.
	randomFunction("normal", "RR", func(s sampler, p []float64) float64 { return s.normal(p[0], p[1]) }),
	randomFunction("std_normal", "", func(s sampler, _ []float64) float64 { return s.Normal() }),
	randomFunction("lognormal", "RR", func(s sampler, p []float64) float64 { return num.Exp(s.normal(p[0], p[1])) }),
	randomFunction("student_t", "RRR", func(s sampler, p []float64) float64 {
		scale := math.Sqrt(float64(p[0]/2) / s.gamma(float64(p[0]/2)))
		return s.normal(p[1], float64(p[2]*scale))
	}),
	randomFunction("cauchy", "RR", func(s sampler, p []float64) float64 {
		sin, cos := s.angle()
		return p[0] + float64(p[1]*(sin/cos))
	}),
	randomFunction("double_exponential", "RR", func(s sampler, p []float64) float64 {
		size := float64(p[1] * s.exponential())
		if s.Float64() < .5 {
			size = -size
		}
		return p[0] + size
	}),
	randomFunction("logistic", "RR", func(s sampler, p []float64) float64 { return p[0] + float64(p[1]*num.Logit(s.Float64())) }),
	randomFunction("gumbel", "RR", func(s sampler, p []float64) float64 { return p[0] - float64(p[1]*num.Log(s.exponential())) }),
	randomFunction("skew_normal", "RRR", func(s sampler, p []float64) float64 {
		length := math.Sqrt(1 + float64(p[2]*p[2]))
		z := (float64(p[2]*math.Abs(s.Normal())) + s.Normal()) / length
		return p[0] + float64(p[1]*z)
	}),
	randomFunction("exp_mod_normal", "RRR", func(s sampler, p []float64) float64 {
		return s.normal(p[0], p[1]) + s.exponential()/p[2]
	}),
	randomFunction("uniform", "RR", func(s sampler, p []float64) float64 { return p[0] + float64((p[1]-p[0])*s.Float64()) }),

	// Positive variables.
	randomFunction("exponential", "R", func(s sampler, p []float64) float64 { return s.exponential() / p[0] }),
	randomFunction("gamma", "RR", func(s sampler, p []float64) float64 { return s.gamma(p[0]) / p[1] }),
	randomFunction("inv_gamma", "RR", func(s sampler, p []float64) float64 { return p[1] / s.gamma(p[0]) }),
	randomFunction("chi_square", "R", func(s sampler, p []float64) float64 { return 2 * s.gamma(float64(p[0]/2)) }),
	randomFunction("inv_chi_square", "R", func(s sampler, p []float64) float64 { return .5 / s.gamma(float64(p[0]/2)) }),
	randomFunction("scaled_inv_chi_square", "RR", func(s sampler, p []float64) float64 {
		half := float64(p[0] / 2)
		return float64(float64(half*p[1])*p[1]) / s.gamma(half)
	}),
	randomFunction("weibull", "RR", func(s sampler, p []float64) float64 {
		return float64(p[1] * num.Pow(s.exponential(), 1/p[0]))
	}),
	randomFunction("frechet", "RR", func(s sampler, p []float64) float64 {
		return float64(p[1] * num.Pow(s.exponential(), -1/p[0]))
	}),
	randomFunction("rayleigh", "R", func(s sampler, p []float64) float64 { return float64(p[0] * math.Sqrt(2*s.exponential())) }),
	randomFunction("pareto", "RR", func(s sampler, p []float64) float64 { return float64(p[0] * num.Exp(s.exponential()/p[1])) }),
	randomFunction("loglogistic", "RR", func(s sampler, p []float64) float64 {
		return float64(p[0] * num.Exp(num.Logit(s.Float64())/p[1]))
	}),
	randomFunction("beta", "RR", func(s sampler, p []float64) float64 { return s.beta(p[0], p[1]) }),
	randomFunction("beta_proportion", "RR", func(s sampler, p []float64) float64 {
		return s.beta(float64(p[0]*p[1]), float64((1-p[0])*p[1]))
	}),

	// Counts.
	randomFunction("bernoulli", "R", func(s sampler, p []float64) float64 { return s.binomial(1, p[0]) }),
	randomFunction("bernoulli_logit", "R", func(s sampler, p []float64) float64 { return s.binomial(1, num.Sigmoid(p[0])) }),
	randomFunction("binomial", "IR", func(s sampler, p []float64) float64 { return s.binomial(p[0], p[1]) }),
	randomFunction("binomial_logit", "IR", func(s sampler, p []float64) float64 { return s.binomial(p[0], num.Sigmoid(p[1])) }),
	randomFunction("beta_binomial", "IRR", func(s sampler, p []float64) float64 { return s.binomial(p[0], s.beta(p[1], p[2])) }),
	randomFunction("poisson", "R", func(s sampler, p []float64) float64 { return s.poisson(p[0]) }),
	randomFunction("poisson_log", "R", func(s sampler, p []float64) float64 { return s.poisson(num.Exp(p[0])) }),
	randomFunction("neg_binomial", "RR", func(s sampler, p []float64) float64 { return s.poisson(s.gamma(p[0]) / p[1]) }),
	randomFunction("neg_binomial_2", "RR", func(s sampler, p []float64) float64 { return s.poisson(s.gamma(p[1]) / p[1] * p[0]) }),
	randomFunction("neg_binomial_2_log", "RR", func(s sampler, p []float64) float64 {
		return s.poisson(s.gamma(p[1]) / p[1] * num.Exp(p[0]))
	}),
	randomFunction("beta_neg_binomial", "RRR", func(s sampler, p []float64) float64 {
		return s.poisson(s.gamma(p[0]) * num.Exp(s.LogGamma(p[2])-s.LogGamma(p[1])))
	}),
	// A Yule-Simon variable is geometric with success probability e^-t, t exponential with rate p[0].
	randomFunction("yule_simon", "R", func(s sampler, p []float64) float64 {
		rate := -num.Log1mExp(-s.exponential() / p[0])
		return 1 + math.Floor(s.exponential()/rate)
	}),
	randomFunction("discrete_range", "II", func(s sampler, p []float64) float64 {
		return p[0] + float64(s.Intn(int(p[1]-p[0])+1))
	}),
}, jointRandomFunctions)

// randomFunction returns the function NAME_rng, which draws one number, or an array as long as its longest argument.
func randomFunction(name, takes string, draw func(s sampler, p []float64) float64) Builtin {
	f := logpdf.FamilyNamed(name)
	base := RealType
	if f.Discrete {
		base = IntType
	}
	return Builtin{names: name + randomSuffix, TypeRule: func(args []Type) (t Type, ok bool) {
		t.Base = base
		if len(args) != len(takes) {
			return t, false
		}
		for i, a := range args {
			if takes[i] == 'R' && !isReals(a) || takes[i] == 'I' && !isInts(a) {
				return t, false
			}
			if !a.IsScalar() {
				t.Depth = 1
			}
		}
		return t, true
	}, Emit: func(r *Emitter, t Type, a []Value) Value {
		n := r.commonLength(a)
		out := make(Scalars, r.CheckSize(n))
		p := make([]float64, len(a))
		for i := range out {
			for k, v := range a {
				p[k] = r.Constants(ElementOf(v.X, i), errRandom)[0]
				if !num.NotNaN(p[k]) {
					r.Fail(logpdf.NotFiniteError(name, k+1, p[k]))
				}
			}
			if err := f.Check(math.NaN(), p); err != nil {
				r.Fail(err)
			}
			x := draw(sampler{&r.random}, p)
			if base == IntType && !(x <= math.MaxInt32) {
				r.Fail(problem.New("the integer %v is out of range; the largest is 2147483647", x))
			}
			r.CountSteps(20)
			out[i] = tape.Const(x)
		}
		if t.Depth == 0 {
			return Value{T: t, X: out}
		}
		return oneDimensional(t, out)
	}}
}

// errRandom names an argument of an _rng function in errors.
const errRandom = "an argument of a random number"

// randomSuffix ends the names of functions that draw random numbers.
const randomSuffix = "_rng"

// jointRandomFunctions are the _rng functions that draw vectors, matrices and categories.
var jointRandomFunctions = []Builtin{
	jointRandomFunction("categorical", "v:i", func(r *Emitter, s sampler, a []Value) Value {
		return IntValue(s.category(r.simplexArgument("categorical", a[0])))
	}),
	jointRandomFunction("categorical_logit", "v:i", func(r *Emitter, s sampler, a []Value) Value {
		x := r.constantArguments(a[0])
		if len(x) == 0 {
			r.Fail(problem.New("%s needs at least one category", "categorical_logit_rng"))
		}
		return IntValue(s.Categorical(x) + 1)
	}),
	jointRandomFunction("ordered_logistic", "rv:i", func(r *Emitter, s sampler, a []Value) Value {
		u, k := num.Logit(s.Float64())+r.constantArguments(a[0])[0], 1
		for _, cut := range r.constantArguments(a[1]) {
			if u > cut {
				k++
			}
		}
		return IntValue(k)
	}),
	jointRandomFunction("multinomial", "vi:[i", func(r *Emitter, s sampler, a []Value) Value {
		theta, remaining, n := r.simplexArgument("multinomial", a[0]), 1., a[1].int()
		r.checkRange([]int{n}, 0, math.MaxInt32)
		var out Scalars
		for _, p := range theta {
			k := s.binomial(float64(n), min(p/remaining, 1))
			if remaining -= p; remaining <= 0 {
				remaining = 1 // the remaining probabilities are 0; avoid 0/0
			}
			n -= int(k)
			out = append(out, tape.Const(k))
		}
		return Value{X: out, Dims: []int{len(out)}}
	}),
	jointRandomFunction("dirichlet", "v:v", func(r *Emitter, s sampler, a []Value) Value {
		alpha := r.constantArguments(a[0])
		logs := make([]float64, len(alpha))
		for i, v := range alpha {
			if !(v > 0) || math.IsInf(v, 1) {
				r.Fail(problem.New("%s: %s is %v, but must be positive", "dirichlet", "parameter 1", v))
			}
			logs[i] = s.LogGamma(v)
		}
		sum := num.LogSumExp(logs)
		for i := range logs {
			logs[i] = num.Exp(logs[i] - sum)
		}
		return vector(tape.Consts(logs...))
	}),
	jointRandomFunction("multi_normal", "vm:v wm:v", func(r *Emitter, s sampler, a []Value) Value {
		if r.checkSquare(a[1]); a[1].Rows() != len(a[0].X) {
			r.sizeMismatch(a[0], a[1])
		}
		r.CountSteps(a[1].Rows() * a[1].Rows() * min(a[1].Rows(), 1000) / 8)
		return r.drawMultiNormal(s, a[0], r.B.Cholesky(a[1].X, a[1].Rows()))
	}),
	jointRandomFunction("multi_normal_cholesky", "vm:v wm:v", func(r *Emitter, s sampler, a []Value) Value {
		if r.checkSquare(a[1]); a[1].Rows() != len(a[0].X) {
			r.sizeMismatch(a[0], a[1])
		}
		return r.drawMultiNormal(s, a[0], a[1].X)
	}),
	jointRandomFunction("lkj_corr_cholesky", "ir:m", func(r *Emitter, s sampler, a []Value) Value { return r.drawCorrFactor(s, a) }),
	jointRandomFunction("lkj_corr", "ir:m", func(r *Emitter, s sampler, a []Value) Value {
		l := r.drawCorrFactor(s, a)
		return r.MatMul(l, l.Transpose())
	}),
}

// jointRandomFunction returns the function NAME_rng, whose draw f returns. takes is a Builtin.Signatures.
func jointRandomFunction(name, takes string, f func(r *Emitter, s sampler, a []Value) Value) Builtin {
	return Builtin{names: name + randomSuffix, Signatures: takes, Emit: func(r *Emitter, t Type, a []Value) Value {
		r.CountSteps(20)
		for _, v := range a {
			r.CountSteps(4 * len(v.X))
		}
		return f(r, sampler{&r.random}, a)
	}}
}

// constantArguments returns the values of data v; it fails if one is NaN.
func (r *Emitter) constantArguments(v Value) []float64 {
	x := r.Constants(v.X, errRandom)
	for _, c := range x {
		if !num.NotNaN(c) {
			r.Fail(problem.New("an argument of a random number is NaN"))
		}
	}
	return x
}

// simplexArgument returns the elements of v; it fails if v is not a simplex.
func (r *Emitter) simplexArgument(name string, v Value) []float64 {
	x := r.Constants(v.X, errRandom)
	if err := CheckSimplex(x); err != nil {
		r.Fail(problem.New("%s: %w", name, err))
	}
	return x
}

// drawMultiNormal returns mu + L z for standard normal z. l is the Cholesky factor L of the covariance, by rows.
func (r *Emitter) drawMultiNormal(s sampler, mu Value, l Scalars) Value {
	if r.B.Err() != nil {
		r.Fail(r.B.Err())
	}
	x, factor := slices.Clone(r.constantArguments(mu)), r.Constants(l, errRandom)
	n := len(x)
	z := make([]float64, n)
	for i := range z {
		z[i] = s.Normal()
		x[i] += num.Dot(factor[i*n:i*n+i+1], z[:i+1])
	}
	return vector(tape.Consts(x...))
}

// drawCorrFactor draws the Cholesky factor of a correlation matrix from the LKJ distribution. a holds the size k and
// the shape eta. The partial correlations of column j, counted from 0, are 2 B - 1, where B has a beta distribution
// with both parameters eta + (k - 2 - j)/2.
func (r *Emitter) drawCorrFactor(s sampler, a []Value) Value {
	k, eta := a[0].int(), r.constantArguments(a[1])[0]
	if !(eta > 0) || math.IsInf(eta, 1) {
		r.Fail(problem.New("%s: %s is %v, but must be positive", "lkj_corr", "parameter 1", eta))
	}
	r.CheckSize(k, k)
	r.CountSteps(20 * k * k)
	l, remainders := make([]float64, k*k), slices.Repeat([]float64{1}, k)
	for j := range k {
		l[j*k+j] = math.Sqrt(remainders[j])
		shape := eta + num.Mul(.5, float64(k-2-j))
		for i := j + 1; i < k; i++ {
			z := num.Mul(2, s.beta(shape, shape)) - 1
			l[i*k+j] = float64(z * math.Sqrt(remainders[i]))
			remainders[i] = float64(remainders[i] * (1 - float64(z*z)))
		}
	}
	return Matrix(tape.Consts(l...), k, k)
}

func (s sampler) normal(mu, sigma float64) float64 { return mu + float64(sigma*s.Normal()) }
func (s sampler) exponential() float64             { return -num.Log(s.Float64()) }
func (s sampler) gamma(shape float64) float64      { return num.Exp(s.LogGamma(shape)) }
func (s sampler) beta(a, b float64) float64        { return num.Sigmoid(s.LogGamma(a) - s.LogGamma(b)) }

// angle returns the sine and the cosine of an angle that is uniform between -pi/2 and pi/2.
func (s sampler) angle() (sin, cos float64) {
	t := float64(math.Pi * (s.Float64() - .5))
	return num.Sin(t), num.Cos(t)
}

// fewTrials is the largest number of trials of a binomial variable, and the largest mean of a Poisson variable, that is
// drawn trial by trial or arrival by arrival.
const fewTrials = 40

// binomial draws the number of successes of n trials with probability p. For many trials it draws the median of their n
// uniform numbers, which has a beta distribution. If median <= p, all trials with numbers up to the median are
// successes, and binomial continues with the others; otherwise it continues with the trials below the median.
func (s sampler) binomial(n, p float64) float64 {
	count := 0.
	for n > fewTrials && p > 0 && p < 1 {
		i := math.Floor(n/2) + 1
		median := s.beta(i, n+1-i)
		if median <= p {
			count, n, p = count+i, n-i, (p-median)/(1-median)
		} else {
			n, p = i-1, p/median
		}
	}
	if p <= 0 {
		return count
	}
	if p >= 1 {
		return count + n
	}
	for range int(n) {
		if s.Float64() < p {
			count++
		}
	}
	return count
}

// poisson draws the number of arrivals of a Poisson process of rate 1 up to the time mean. For a large mean it draws
// the time x of arrival number m = floor(7/8 mean), which has a gamma distribution, and continues from x. If x is after
// the time mean, the m - 1 earlier arrivals are uniform on [0, x], and the number up to mean is binomial.
func (s sampler) poisson(mean float64) float64 {
	count := 0.
	if !(mean < math.MaxInt32) {
		return math.Inf(1)
	}
	for mean > fewTrials {
		m := math.Floor(float64(.875 * mean))
		x := s.gamma(m)
		if x > mean {
			return count + s.binomial(m-1, mean/x)
		}
		count, mean = count+m, mean-x
	}
	for {
		if mean -= s.exponential(); mean < 0 {
			return count
		}
		count++
	}
}

// category draws a category, counted from 1, with the probabilities theta.
func (s sampler) category(theta []float64) int {
	u := s.Float64()
	last := 1
	for i, p := range theta {
		if p > 0 {
			last = i + 1
		}
		if u -= p; u < 0 {
			return i + 1
		}
	}
	return last
}
