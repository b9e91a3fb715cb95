package stats

import (
	"math"
	"slices"

	"logzlab/core/num"
)

// MeanVar returns the mean and the unbiased sample variance (n-1) of x. The variance of fewer than two values is NaN.
func MeanVar(x []float64) (mean, variance float64) {
	var w Welford
	for _, v := range x {
		w.Add(v)
	}
	return w.Mean, w.Var()
}

// Welford accumulates a mean and a variance in one pass.
type Welford struct {
	N        int
	Mean, m2 float64
}

// Add adds one value.
func (w *Welford) Add(x float64) {
	w.N++
	d := x - w.Mean
	w.Mean += d / float64(w.N)
	w.m2 += num.Mul(d, x-w.Mean)
}

// Var returns the unbiased sample variance, NaN for fewer than two values.
func (w *Welford) Var() float64 {
	if w.N < 2 {
		return math.NaN()
	}
	return w.m2 / float64(w.N-1)
}

// JackknifeSE returns the jackknife standard error of an estimate, sqrt((N-1)/N sum (x - mean)^2). The N values added to
// w must be estimates, each with one of N equal parts of the data left out. It returns NaN for N < 2.
func (w *Welford) JackknifeSE() float64 {
	n := float64(w.N)
	return math.Sqrt(num.Mul(w.Var(), (n-1)*(n-1)) / n)
}

// Weights summarises importance weights given by their logs.
type Weights struct {
	LogMean     float64 // log of the mean weight (nats); as an estimate of log Z it is biased downwards
	SE          float64 // delta method: sd(w / mean w) / sqrt(n); NaN for n < 2
	JackSE      float64 // jackknife error of LogMean; NaN for n < 2
	JackLogMean float64 // LogMean with the jackknife's estimate of its bias removed
	ESS         float64 // n / (1 + s^2(w / mean w)), n-1 in s^2 ([VAROPT] eq. 5)
	ESSKish     float64 // (sum w)^2 / sum w^2
	MeanLog     float64 // mean of the log weights, a stochastic lower bound
	VarLog      float64 // variance of the log weights; NaN for n < 2
	Lower       float64 // MeanLog - 2 sqrt(VarLog/n): below log Z with probability 97.7 % or more if MeanLog is normal; NaN for n < 2
}

// LogWeights computes Weights. Weights of zero (-Inf) are allowed; if all are zero, LogMean is -Inf and all other
// fields are NaN.
func LogWeights(lw []float64) Weights {
	n := float64(len(lw))
	out := Weights{LogMean: num.LogMeanExp(lw)}
	out.MeanLog, out.VarLog = MeanVar(lw)
	out.Lower = out.MeanLog - num.Mul(2, math.Sqrt(out.VarLog/n))
	if !num.Finite(out.LogMean) {
		nan := math.NaN()
		out.SE, out.JackSE, out.JackLogMean, out.ESS, out.ESSKish = nan, nan, nan, nan, nan
		return out
	}
	var rel, jack Welford // moments of w / mean w, and of the leave-one-out estimates
	squares := 0.0
	for _, l := range lw {
		w := num.Exp(l - out.LogMean)
		rel.Add(w)
		squares += num.Mul(w, w)
		// log((n - w)/(n - 1)) relative to LogMean, with a floor because n - w is 0 after rounding if one weight is nearly
		// the whole sum.
		jack.Add(num.Log(max(n-w, 1e-300) / (n - 1)))
	}
	out.ESSKish = KishESS(n, squares) // weights of mean 1
	out.SE = math.Sqrt(rel.Var() / n)
	out.ESS = n / (1 + rel.Var())
	out.JackSE = jack.JackknifeSE()
	out.JackLogMean = out.LogMean - num.Mul(n-1, jack.Mean)
	return out
}

// Chains are stuck in a far tail if their log weight is more than stuckDeviations standard deviations below the median;
// the standard deviation is estimated from the lower quartile.
const stuckDeviations = 8

// normalQuartile is the upper quartile of the standard normal distribution.
const normalQuartile = .6744897501960817

// RaiseStuck returns a copy of lw in which log weights below a threshold are raised to it; the threshold is
// stuckDeviations standard deviations below the median. Chains below the threshold are stuck in a region where the base
// has mass and the target has practically none. Their weights are negligible in the mean weight, but their log weights
// would dominate the mean and the variance of the logs.
func RaiseStuck(lw []float64) []float64 {
	sorted := slices.Sorted(slices.Values(lw))
	median, lowerQuartile := sorted[len(lw)/2], sorted[len(lw)/4]
	threshold := median - num.Mul(stuckDeviations/normalQuartile, median-lowerQuartile)
	out := slices.Clone(lw)
	for i, l := range out {
		out[i] = max(l, threshold)
	}
	return out
}

// KishESS returns the effective sample size of weights, sum^2 / squares, from their sum and their sum of squares ([ARM]
// eq. 4).
func KishESS(sum, squares float64) float64 { return num.Mul(sum, sum) / squares }

// ESSFraction returns KishESS / n for n weights with sum 1 and sum of squares squares.
func ESSFraction(squares, n float64) float64 { return 1 / num.Mul(squares, n) }

// SumSquares returns the sum of (w / total)^2 over weights w; lw are the logs of the weights, logTotal the log of the
// total.
func SumSquares(lw []float64, logTotal float64) (sum float64) {
	for _, l := range lw {
		w := num.Exp(l - logTotal)
		sum += num.Mul(w, w)
	}
	return sum
}

// LogMeanSE returns the fields LogMean and SE of LogWeights(lw), with the same bits, in a third of the time.
func LogMeanSE(lw []float64) (logMean, se float64) {
	logMean = num.LogMeanExp(lw)
	if !num.Finite(logMean) {
		return logMean, math.NaN()
	}
	var rel Welford
	for _, l := range lw {
		rel.Add(num.Exp(l - logMean))
	}
	return logMean, math.Sqrt(rel.Var() / float64(len(lw)))
}

// OBMVar returns the variance of the mean of an autocorrelated series by overlapping batch means ([Meketon1984]) with
// batch length b = floor(sqrt n):
//
//	b / ((n-b)(n-b+1)) sum_j (m_j - mean)^2.
//
// It returns NaN for fewer than four values. It is biased downwards if the batch is not much longer than the
// autocorrelation time. For the log of a mean, or a difference of such logs, apply it to the influence series, x / mean
// - 1, or their difference.
func OBMVar(x []float64) float64 {
	mean, _ := MeanVar(x)
	return overlappingBatchMeans(x, mean)
}

// obm is OBMVar for a series with known sample mean.
func overlappingBatchMeans(x []float64, mean float64) float64 {
	n := len(x)
	if n < 4 {
		return math.NaN()
	}
	b := int(math.Floor(math.Sqrt(float64(n))))
	sum, total := 0.0, 0.0
	for j := 0; j < n; j++ {
		sum += x[j]
		if j >= b {
			sum -= x[j-b]
		}
		if j >= b-1 {
			d := sum/float64(b) - mean
			total += num.Mul(d, d)
		}
	}
	return num.Mul(float64(b), total) / num.Mul(float64(n-b), float64(n-b+1))
}

// Inefficiency returns the statistical inefficiency of an autocorrelated series, n Var(mean) / Var(x) with the variance
// of the mean by OBMVar: the number of its values that is equivalent to one independent value. It returns NaN for fewer
// than four values, or if all are equal.
func Inefficiency(x []float64) float64 {
	_, v := MeanVar(x)
	return num.Mul(float64(len(x)), OBMVar(x)) / v
}

// BatchMeansVar returns the variance of the mean of independent or nearly independent batch means: their sample variance
// divided by their number.
func BatchMeansVar(means []float64) float64 {
	_, v := MeanVar(means)
	return v / float64(len(means))
}

// JointSE returns the standard error of a sum or difference of two independent estimates, sqrt(a^2 + b^2).
func JointSE(a, b float64) float64 { return math.Sqrt(num.Mul(a, a) + num.Mul(b, b)) }
