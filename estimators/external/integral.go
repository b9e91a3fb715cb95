package external

import (
	"math"

	"logzlab/core/num"
	"logzlab/core/num/stats"
	"logzlab/core/problem"
	"logzlab/estimators/temper"
)

// integrate is thermodynamic integration with a quadrature rule of ti: the sum over the components of the path of the
// integral of the mean slope. Rungs without samples are skipped. An end without samples has the slope of its neighbour.
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

// integrateComponent adds the integral along one component.
func (l *ladder) integrateComponent(e *estimate, rule string, component int, rungs []int) {
	n := len(rungs)
	at := make([]int, len(l.rungs)) // index of each rung among those with samples
	beta, mean, v, count := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)

	// The moments of the slope at each rung with samples.
	for i, k := range rungs {
		at[k] = i
		beta[i] = l.rungs[k].At[component]
		var w stats.Welford
		for _, c := range l.chains {
			for s := 0; c.rung == k && s < c.n; s++ {
				w.Add(l.slope(c, s, component))
			}
		}
		mean[i], v[i], count[i] = w.Mean, max(w.Var(), 0), float64(w.N)
	}

	// The integral up to each rung; the ends have the nearest slope.
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
				last = at[k]
			} else if k > rungs[0] {
				e.z[k] = math.NaN()
			}
			e.z[k] += lower + z[last]
		}
	}

	// The influence of each sample.
	inE, inV := ruleCoefficients(rule, beta, n) // the integral is linear in means and variances
	inE[0] += beta[0] - l.rungs[0].At[component]
	inE[n-1] += l.rungs[l.top()].At[component] - beta[n-1]
	for i, c := range l.chains {
		k := at[c.rung]
		for s := range e.influence[i] {
			d := l.slope(c, s, component) - mean[k]
			e.influence[i][s] += (num.Mul(inE[k], d) + num.Mul(inV[k], num.Mul(d, d)-v[k])) / count[k]
		}
	}

	// The quadrature error.
	if component == 0 {
		e.ruleError = 0
	}
	e.ruleError += ruleError(rule, beta, mean, v, l.components() == 1)
}

// ruleCoefficients returns the coefficients of the integral in the mean slopes and in the derivatives of the slopes.
func ruleCoefficients(rule string, beta []float64, n int) (e, v []float64) {
	e, v = make([]float64, n), make([]float64, n)
	unit, none := make([]float64, n), make([]float64, n)
	for k := range n {
		unit[k] = 1
		e[k] = temper.Integral(rule, beta, unit, none)[n-1]
		v[k] = temper.Integral(rule, beta, none, unit)[n-1]
		unit[k] = 0
	}
	return e, v
}

// ruleError estimates the error of a quadrature rule: the correction of the trapezoid by the variances or, if there is
// none or it exceeds that, half of the difference between trapezoid and right. The error of the corrected rule is a
// tenth of the correction.
func ruleError(rule string, beta, mean, v []float64, corrects bool) float64 {
	last := len(beta) - 1
	value := func(rule string) float64 { return temper.Integral(rule, beta, mean, v)[last] }
	trapezoid := value("trapezoid")
	coarse := math.Abs(value("right")-trapezoid) / 2
	if !corrects {
		var half [2][]float64
		for k := range beta {
			if k%2 == 0 || k == last {
				half[0], half[1] = append(half[0], beta[k]), append(half[1], mean[k])
			}
		}
		rough := temper.Integral("trapezoid", half[0], half[1], half[1])
		return math.Abs(trapezoid-rough[len(rough)-1]) / 3
	}
	off := math.Abs(value("corrected") - trapezoid)
	switch {
	case off > coarse:
		return coarse
	case rule == "corrected":
		return off / 10
	}
	return math.Abs(value(rule) - value("corrected"))
}
