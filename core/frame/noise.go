package frame

import "logzlab/core/wire"

// Noise is what noise in estimated likelihoods costs a run: estimates at one point of the parameters, by the number of
// draws behind them, and how long they take.
type Noise struct {
	Method string
	Tau    float64 // sum (beta_k - beta_{k-1})^2 over the run's ladder
	Draws  int     // behind each estimate of the run
	Auto   int     // the number that is picked where none is given, about
	Most   float64 // the largest variance of log estimates that Auto aims at
	Seen   float64 // variance at draws of the run's own posterior, NaN before its end
	Spread float64 // variance of log estimates times the draws behind them, NaN while it is not known
	// Counted and Timed are costs of an estimate, in counted operations and in seconds of this device.
	Counted, Timed Price
	Steps          []int       // numbers of equal steps from prior to posterior; 0 for the run's ladder
	Tests          []NoiseTest // by Draws
}

// Price is the cost of an estimate, and what each draw adds; NaN while it is not known. Best is the variance of log
// estimates with the least cost for a result.
type Price struct{ Base, One, Best float64 }

// NoiseTest is N estimates, each from so many draws.
type NoiseTest struct {
	Draws, N int
	Var      float64 // of their logs
	Seconds  float64 // that one took, NaN while it is not known
	// Kept are effective sample sizes with their noise over those without, and their standard errors, for Noise.Steps.
	Kept, KeptSE []float64
}

func (p *Price) numbers() []*float64 { return []*float64{&p.Base, &p.One, &p.Best} }

func (n *Noise) numbers() []*float64 {
	return append(append([]*float64{&n.Tau, &n.Most, &n.Seen, &n.Spread}, n.Counted.numbers()...), n.Timed.numbers()...)
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
		w.Floats(t.Kept)
		w.Floats(t.KeptSE)
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
		n.Tests = append(n.Tests, NoiseTest{Draws: r.Int(), N: r.Int(), Var: r.Float(), Seconds: r.Float(), Kept: r.Floats(),
			KeptSE: r.Floats()})
	}
	ok := len(n.Steps) <= maxLines && len(n.Tests) <= maxLines && n.Draws > 0 && n.Auto > 0
	for _, t := range n.Tests {
		ok = ok && t.Draws > 0 && len(t.Kept) == len(n.Steps) && len(t.KeptSE) == len(n.Steps)
	}
	if r.Err == nil && !ok {
		r.Fail()
	}
	return n
}
