package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/estimators/temper"
)

// integrate estimates log Z by thermodynamic integration: the sum, over the components of the path, of the integral of
// the mean slope d log f/d lambda by a quadrature rule of method ti. It skips rungs without samples. An end of the
// ladder without samples is given the slope of the nearest rung with samples. It returns an error if fewer than two
// rungs have samples, or if the rule does not support a path of several components.
func (l *ladder) integrate(rule string) (*estimate, error) {
	rungs := l.sampled()
	if len(rungs) < 2 {
		return nil, problem.New("ti needs samples at two rungs or more")
	}
	if l.components() > 1 && rule != "trapezoid" && rule != "left" && rule != "right" {
		return nil, problem.New("rule %s needs a path of one component; use trapezoid", rule)
	}
	e := &estimate{z: make([]float64, len(l.rungs)), influence: make([][]float64, len(l.chains)), iid: math.NaN(),
		thin: 1, converged: true, bias: "either"}
	if bias := map[string]string{"right": "up", "left": "down"}[rule]; bias != "" {
		e.bias = bias
	}
	for i, c := range l.chains {
		e.influence[i] = make([]float64, c.n)
	}
	for j := range l.components() {
		l.integrateComponent(e, rule, j, rungs)
	}
	return e, nil
}

// integrateComponent adds the integral along one component of the path to e: its log Z, the influence of the samples
// and the quadrature error. rungs are the indices of the rungs with samples.
func (l *ladder) integrateComponent(e *estimate, rule string, component int, rungs []int) {
	n := len(rungs)
	sampledIndex := make([]int, len(l.rungs)) // index of each rung among those with samples
	beta, mean, v, count := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)

	// The moments of the slope at each rung with samples.
	for i, k := range rungs {
		sampledIndex[k] = i
		beta[i] = l.rungs[k].At[component]
		var w stats.Welford
		for _, c := range l.chains {
			for s := 0; c.rung == k && s < c.n; s++ {
				w.Add(l.slope(c, s, component))
			}
		}
		mean[i], v[i], count[i] = w.Mean, max(w.Var(), 0), float64(w.N)
	}

	// The integral up to each rung. Beyond the first and the last rung with samples the slope is constant.
	lower := num.Mul(beta[0]-l.rungs[0].At[component], mean[0])
	upper := num.Mul(l.rungs[l.top()].At[component]-beta[n-1], mean[n-1])
	z := temper.Integral(rule, beta, mean, v)
	last := 0
	for k := range e.z {
		switch {
		case k < rungs[0]:
		case k == l.top():
			e.z[k] += lower + z[n-1] + upper
		default:
			if l.hasSamples(k) {
				last = sampledIndex[k]
			} else if k > rungs[0] {
				e.z[k] = math.NaN()
			}
			e.z[k] += lower + z[last]
		}
	}

	// The influence of each sample: the integral is linear in the means and the variances of the slopes.
	meanCoef, varCoef := ruleCoefficients(rule, beta, n)
	meanCoef[0] += beta[0] - l.rungs[0].At[component]
	meanCoef[n-1] += l.rungs[l.top()].At[component] - beta[n-1]
	for i, c := range l.chains {
		k := sampledIndex[c.rung]
		for s := range e.influence[i] {
			d := l.slope(c, s, component) - mean[k]
			e.influence[i][s] += (num.Mul(meanCoef[k], d) + num.Mul(varCoef[k], num.Mul(d, d)-v[k])) / count[k]
		}
	}

	// The quadrature error.
	if component == 0 {
		e.ruleError = 0
	}
	e.ruleError += ruleError(rule, beta, mean, v, l.components() == 1)
}

// ruleCoefficients returns the derivatives of the integral over the n powers beta with respect to the mean slopes and
// to the variances of the slopes, each of length n.
func ruleCoefficients(rule string, beta []float64, n int) (meanCoef, varCoef []float64) {
	meanCoef, varCoef = make([]float64, n), make([]float64, n)
	basis, zeros := make([]float64, n), make([]float64, n)
	for k := range n {
		basis[k] = 1
		meanCoef[k] = temper.Integral(rule, beta, basis, zeros)[n-1]
		varCoef[k] = temper.Integral(rule, beta, zeros, basis)[n-1]
		basis[k] = 0
	}
	return meanCoef, varCoef
}

// ruleError estimates the absolute error of a quadrature rule, in nats, from the mean slopes and their variances v.
//
//   - Without canCorrect (a path of several components) it is a third of the difference between the trapezoid rule on all
//     rungs and on every second rung.
//   - Otherwise it is the difference between the rule and the corrected trapezoid rule, which uses the variances. For the
//     corrected rule itself it is a tenth of the correction.
//   - It is half of the difference between the right and the trapezoid rule if the correction exceeds that.
func ruleError(rule string, beta, mean, v []float64, canCorrect bool) float64 {
	last := len(beta) - 1
	value := func(rule string) float64 { return temper.Integral(rule, beta, mean, v)[last] }
	trapezoid := value("trapezoid")
	upperBound := math.Abs(value("right")-trapezoid) / 2
	if !canCorrect {
		var everySecond [2][]float64
		for k := range beta {
			if k%2 == 0 || k == last {
				everySecond[0], everySecond[1] = append(everySecond[0], beta[k]), append(everySecond[1], mean[k])
			}
		}
		halfGrid := temper.Integral("trapezoid", everySecond[0], everySecond[1], everySecond[1])
		return math.Abs(trapezoid-halfGrid[len(halfGrid)-1]) / 3
	}
	correction := math.Abs(value("corrected") - trapezoid)
	switch {
	case correction > upperBound:
		return upperBound
	case rule == "corrected":
		return correction / 10
	}
	return math.Abs(value(rule) - value("corrected"))
}
