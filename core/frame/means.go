package frame

import "logzlab/core/wire"

// Means has estimates of the probability that each unit is on under the target, over a picture of W x H cells: All from
// the samples of all rungs of a tempering run, Target from those at the target only, and Exact. AllSE and TargetSE are
// standard errors. NaN marks cells without a unit, and the errors of clamped units.
type Means struct {
	Method           string
	W, H             int
	All, AllSE       []float32
	Target, TargetSE []float32
	Exact            []float32 // empty if unknown
}

// values lists the slices of m in the order of the encoding.
func (m *Means) values() [5]*[]float32 {
	return [...]*[]float32{&m.All, &m.AllSE, &m.Target, &m.TargetSE, &m.Exact}
}

func (m *Means) append(w *wire.Writer) {
	w.Bool(m != nil)
	if m == nil {
		return
	}
	w.String(m.Method)
	w.Int(m.W)
	w.Int(m.H)
	for _, x := range m.values() {
		w.Float32s(*x)
	}
}

func readMeans(r *wire.Reader) *Means {
	if !r.Bool() {
		return nil
	}
	m := &Means{Method: r.String(), W: r.Int(), H: r.Int()}
	for _, x := range m.values() {
		*x = r.Float32s()
	}
	if r.Err != nil {
		return m
	}
	if m.W < 1 || m.H < 1 || m.W > 1<<12 || m.H > 1<<12 || !validLen(len(m.Exact), m.W*m.H) {
		r.Fail()
	}
	values := m.values()
	for _, x := range values[:4] { // all but Exact are required
		if len(*x) != m.W*m.H {
			r.Fail()
		}
	}
	return m
}
