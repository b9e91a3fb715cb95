package frame

import "logzlab/core/wire"

// Plan has the planned frequencies of visits of a tempering run to its rungs, as a curve that the user can draw by
// hand.
type Plan struct {
	Methods []string  // methods computed from the run; the first one has the parameter prior
	Prior   string    // parameter prior of the experiment
	Beta    []float64 // inverse temperature of each rung, NaN if unknown
	Weights []float64 // weight of each rung, proportional to visits
	Knots   []float64 // weights to edit, at even steps from the first rung to the last
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
