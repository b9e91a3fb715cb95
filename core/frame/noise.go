package frame

import "logzlab/core/wire"

// Noise shows the cost of noise in estimated likelihoods: estimates at one parameter value, by number of draws, and
// their time.
type Noise struct {
	Method string
	Tau    float64 // sum (beta_k - beta_{k-1})^2 over the run's ladder
	Draws  int     // number of draws of each estimate of the run
	Auto   int     // approximate number of draws chosen by default
	Most   float64 // largest variance of log estimates that Auto aims at
	Seen   float64 // variance at draws of the run's posterior, NaN before its end
	Spread float64 // variance of log estimates times the number of draws, NaN if unknown
	// Counted and Timed are costs of an estimate, in counted operations and in seconds on this device.
	Counted, Timed Price
	Steps          []int       // numbers of equal steps from prior to posterior; 0 for the run's ladder
	Tests          []NoiseTest // by Draws
}

// Price is the cost of an estimate: Base plus One for each draw; NaN if unknown. Best is the variance of log estimates
// that minimises the total cost of a result.
type Price struct{ Base, One, Best float64 }

// NoiseTest is the result of N estimates with a given number of draws.
type NoiseTest struct {
	Draws, N int
	Var      float64 // variance of the log estimates
	Seconds  float64 // time of one estimate, NaN if unknown
	// Kept is the ratio of effective sample sizes with and without noise for each of Noise.Steps; KeptSE is its standard
	// error.
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
