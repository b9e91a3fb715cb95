package frame

import "logzlab/core/wire"

// Plan is how often a tempering run is to visit its rungs, as a curve to draw by hand.
type Plan struct {
	Methods []string  // that read the run; the first one has the parameter
	Prior   string    // of the experiment
	Beta    []float64 // of each rung, NaN while it is not known
	Weights []float64 // of each rung, in proportion to the visits
	Knots   []float64 // weights to draw, at even steps from the first rung to the last
}

func (p *Plan) append(w *wire.Writer) {
	w.Bool(p != nil)
	if p == nil {
		return
	}
	w.Uint(uint64(len(p.Methods)))
	for _, m := range p.Methods {
		w.String(m)
	}
	w.String(p.Prior)
	for _, x := range [...][]float64{p.Beta, p.Weights, p.Knots} {
		w.Floats(x)
	}
}

func readPlan(r *wire.Reader) *Plan {
	if !r.Bool() {
		return nil
	}
	p := &Plan{}
	for range r.Length(1) {
		p.Methods = append(p.Methods, r.String())
	}
	p.Prior = r.String()
	for _, x := range [...]*[]float64{&p.Beta, &p.Weights, &p.Knots} {
		*x = r.Floats()
	}
	if n := len(p.Beta); r.Err == nil && (len(p.Methods) == 0 || n < 2 || n > maxRungs || len(p.Weights) != n ||
		len(p.Knots) < 2 || len(p.Knots) > maxPoints) {
		r.Fail()
	}
	return p
}
