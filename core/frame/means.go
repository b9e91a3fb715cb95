package frame

import "logzlab/core/wire"

// Means are how often each unit is on under the target, over a picture of W x H cells: by the samples of all rungs of a
// tempering run, by those at the target alone, and exactly. SE are their standard errors. NaN stands for cells without
// a unit, and for the errors of units that are fixed.
type Means struct {
	Method         string
	W, H           int
	All, AllSE     []float32
	Alone, AloneSE []float32
	Exact          []float32 // empty if not known
}

func (m *Means) values() [5]*[]float32 {
	return [...]*[]float32{&m.All, &m.AllSE, &m.Alone, &m.AloneSE, &m.Exact}
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
	if m.W < 1 || m.H < 1 || m.W > 1<<12 || m.H > 1<<12 || !fits(len(m.Exact), m.W*m.H) {
		r.Fail()
	}
	values := m.values()
	for _, x := range values[:4] { // by samples
		if len(*x) != m.W*m.H {
			r.Fail()
		}
	}
	return m
}
