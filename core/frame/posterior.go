package frame

import "logzlab/core/wire"

// Parameters has the states of the rows of a model with a few named coordinates, for example the parameters of a
// posterior.
type Parameters struct {
	Names []string
	X     []float32 // coordinates, row after row
	// Base and Target are the quantiles (i+1/2)/n, i < n, of each coordinate under the base and the target, coordinate
	// after coordinate. Empty if unknown.
	Base, Target []float32
}

// Flow has the trajectories of the particles of a filter through a time series, at one parameter value.
type Flow struct {
	Params  []float32 // parameter value
	First   int       // number of data of the series before Y[0]
	Logs    bool      // the hidden states are log variances of the data; otherwise they are the means of the data
	Y       []float32 // data
	N       int       // number of particles
	X, W    []float32 // states of the N particles at each datum, and their weights, which sum to 1: len(Y) x N
	Parents []int32   // parent of each particle among the particles of the previous datum, from the second datum on
	Exact   []float32 // means of the states given the data so far; empty if unknown
}

// Limits of decoded lengths.
const (
	maxNames = 1 << 10
	maxFlow  = 1 << 20
)

func (p *Parameters) append(w *wire.Writer) {
	w.Bool(p != nil)
	if p == nil {
		return
	}
	w.Uint(uint64(len(p.Names)))
	for _, s := range p.Names {
		w.String(s)
	}
	for _, x := range [...][]float32{p.X, p.Base, p.Target} {
		w.Float32s(x)
	}
}

func readParameters(r *wire.Reader, rows int) *Parameters {
	if !r.Bool() {
		return nil
	}
	p := &Parameters{}
	for range r.Length(1) {
		p.Names = append(p.Names, r.String())
	}
	for _, x := range [...]*[]float32{&p.X, &p.Base, &p.Target} {
		*x = r.Float32s()
	}
	d := len(p.Names)
	if r.Err == nil && (d < 1 || d > maxNames || len(p.X) != rows*d || len(p.Base)%d != 0 || len(p.Target)%d != 0) {
		r.Fail()
	}
	return p
}

func (f *Flow) append(w *wire.Writer) {
	w.Bool(f != nil)
	if f == nil {
		return
	}
	w.Int(f.First)
	w.Bool(f.Logs)
	w.Int(f.N)
	for _, x := range [...][]float32{f.Params, f.Y, f.X, f.W, f.Exact} {
		w.Float32s(x)
	}
	w.Int32s(f.Parents)
}

func readFlow(r *wire.Reader) *Flow {
	if !r.Bool() {
		return nil
	}
	f := &Flow{First: r.Int(), Logs: r.Bool(), N: r.Int()}
	for _, x := range [...]*[]float32{&f.Params, &f.Y, &f.X, &f.W, &f.Exact} {
		*x = r.Float32s()
	}
	f.Parents = r.Int32s()
	if r.Err == nil && !f.ok() {
		r.Fail()
	}
	return f
}

// ok reports whether lengths are consistent and every parent exists.
func (f *Flow) ok() bool {
	n, t := f.N, len(f.Y)
	if f.First < 0 || n < 1 || t < 1 || n > maxFlow || t > maxFlow || len(f.X) != n*t || len(f.W) != n*t ||
		len(f.Parents) != n*(t-1) || !validLen(len(f.Exact), t) {
		return false
	}
	for _, j := range f.Parents {
		if j < 0 || int(j) >= n {
			return false
		}
	}
	return true
}
