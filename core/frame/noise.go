package frame

import (
	"slices"

	"logzlab/core/wire"
)

// Noise has measurements of the noise in estimated likelihoods: the variance and the time of estimates at one parameter
// value, by the number of draws (such as particles) of each estimate.
type Noise struct {
	Method      string
	Tau         float64 // sum (beta_k - beta_{k-1})^2 over the run's ladder
	Draws       int     // number of draws of each estimate of the run
	Auto        int     // approximate number of draws chosen by default
	TargetVar   float64 // largest variance of log estimates at which the default number of draws aims
	MeasuredVar float64 // variance of log estimates at samples of the run's posterior, NaN before its end
	VarPerDraw  float64 // variance of log estimates times the number of draws, NaN if unknown
	// Counted is the cost of an estimate in operations, Timed in seconds on this device.
	Counted, Timed Price
	Steps          []int       // numbers of equal steps from prior to posterior; 0 for the run's ladder
	Tests          []NoiseTest // in increasing order of Draws
}

// Price is the cost of an estimate: Fixed plus PerDraw for each draw; NaN if unknown. BestVar is the variance of log
// estimates that minimises the total cost of a result.
type Price struct{ Fixed, PerDraw, BestVar float64 }

// NoiseTest is the result of N estimates with a given number of draws.
type NoiseTest struct {
	Draws, N int
	Var      float64 // variance of the log estimates
	Seconds  float64 // time of one estimate, NaN if unknown
	// ESSRatio is the ratio of the effective sample sizes with and without noise for each of Noise.Steps; ESSRatioSE is
	// its standard error.
	ESSRatio, ESSRatioSE []float64
}

func (p *Price) numbers() []*float64 { return []*float64{&p.Fixed, &p.PerDraw, &p.BestVar} }

func (n *Noise) numbers() []*float64 {
	own := []*float64{&n.Tau, &n.TargetVar, &n.MeasuredVar, &n.VarPerDraw}
	return slices.Concat(own, n.Counted.numbers(), n.Timed.numbers())
}

func (n *Noise) append(w *wire.Writer) {
	w.Bool(n != nil)
	if n == nil {
		return
	}
	w.String(n.Method)
	w.Int(n.Draws)
	w.Int(n.Auto)
	for _, x := range n.numbers() {
		w.Float(*x)
	}
	w.Uint(uint64(len(n.Steps)))
	for _, t := range n.Steps {
		w.Int(t)
	}
	w.Uint(uint64(len(n.Tests)))
	for _, t := range n.Tests {
		w.Int(t.Draws)
		w.Int(t.N)
		w.Float(t.Var)
		w.Float(t.Seconds)
		w.Floats(t.ESSRatio)
		w.Floats(t.ESSRatioSE)
	}
}

func readNoise(r *wire.Reader) *Noise {
	if !r.Bool() {
		return nil
	}
	n := &Noise{Method: r.String(), Draws: r.Int(), Auto: r.Int()}
	for _, x := range n.numbers() {
		*x = r.Float()
	}
	for range r.Length(1) {
		n.Steps = append(n.Steps, r.Int())
	}
	for range r.Length(20) {
		n.Tests = append(n.Tests, NoiseTest{Draws: r.Int(), N: r.Int(), Var: r.Float(), Seconds: r.Float(), ESSRatio: r.Floats(),
			ESSRatioSE: r.Floats()})
	}
	ok := len(n.Steps) <= maxLines && len(n.Tests) <= maxLines && n.Draws > 0 && n.Auto > 0
	for _, t := range n.Tests {
		ok = ok && t.Draws > 0 && len(t.ESSRatio) == len(n.Steps) && len(t.ESSRatioSE) == len(n.Steps)
	}
	if r.Err == nil && !ok {
		r.Fail()
	}
	return n
}
