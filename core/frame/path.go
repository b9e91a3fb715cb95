package frame

import (
	"math"
	"slices"

	"logzlab/core/wire"
)

// Path describes a method's path from base to target and the schedules on it, as far as they are known.
type Path struct {
	Method    string
	Schedule  string    // schedule of the experiment
	Steps     int       // number of steps of its ladder
	MeasuresG bool      // whether a run of the experiment measures G
	Lines     []Line    // schedules, including that of the experiment if it is known
	Knots     []float64 // knots of the curve to draw by hand, at even steps of the run, without the ends
	// G is the variance of d log f_beta/d beta at Beta, empty if unknown. Raw is the same before smoothing, NaN if not
	// measured; it may be empty.
	Beta, G, Raw []float64
	// Joint is g at Beta of the joint density with the variables summed out; empty if unknown.
	Joint []float64
	// Starts are the paths from other bases, as far as they are known. Start is the name of the experiment's base, "" if
	// the user cannot choose a base.
	Starts []Start
	Start  string
	// MeasuredVar is Var(log w) of a run along the schedule MeasuredSchedule; NaN before a run.
	MeasuredVar      float64
	MeasuredSchedule string
}

// Start has statistics of the path from a base, measured by a short run: g of the visible units and of the joint
// density at Beta. VarianceRatio is Var(log w) of the chains of that run divided by its value for perfect moves: 1 if
// the chains equilibrate. If it is large, the measured g is too small.
type Start struct {
	Name           string
	Beta, G, Joint []float64
	VarianceRatio  float64
}

// Line is the curve of a schedule.
type Line struct {
	Schedule string    // text of the schedule
	Beta     []float64 // at even steps of the run
	Var      float64   // predicted variance of the log weights of annealing, NaN if unknown
}

// Index returns the index of a schedule in Lines, -1 if it is not there.
func (p *Path) Index(schedule string) int {
	return slices.IndexFunc(p.Lines, func(l Line) bool { return l.Schedule == schedule })
}

// OptimalVar returns the predicted variance of the log weights with the optimal schedule, NaN if unknown.
func (p *Path) OptimalVar() float64 {
	if i := p.Index("varopt"); i >= 0 {
		return p.Lines[i].Var
	}
	return math.NaN()
}

// Limits of decoded lengths.
const (
	maxLines  = 64
	maxPoints = 1 << 12
)

func (p *Path) append(w *wire.Writer) {
	w.Bool(p != nil)
	if p == nil {
		return
	}
	w.String(p.Method)
	w.String(p.Schedule)
	w.Int(p.Steps)
	w.Bool(p.MeasuresG)

	// The lines of schedules, and the curves along the path.
	w.Uint(uint64(len(p.Lines)))
	for _, l := range p.Lines {
		w.String(l.Schedule)
		w.Floats(l.Beta)
		w.Float(l.Var)
	}
	for _, x := range [...][]float64{p.Knots, p.Beta, p.G, p.Raw, p.Joint} {
		w.Floats(x)
	}

	// The paths from other bases.
	w.Uint(uint64(len(p.Starts)))
	for i := range p.Starts {
		s := &p.Starts[i]
		w.String(s.Name)
		for _, x := range s.curves() {
			w.Floats(*x)
		}
		w.Float(s.VarianceRatio)
	}
	w.String(p.Start)
	w.Float(p.MeasuredVar)
	w.String(p.MeasuredSchedule)
}

func readPath(r *wire.Reader) *Path {
	if !r.Bool() {
		return nil
	}
	p := &Path{Method: r.String(), Schedule: r.String(), Steps: r.Int(), MeasuresG: r.Bool()}

	// The lines of schedules, and the curves along the path.
	for range r.Length(10) {
		p.Lines = append(p.Lines, Line{Schedule: r.String(), Beta: r.Floats(), Var: r.Float()})
	}
	for _, x := range [...]*[]float64{&p.Knots, &p.Beta, &p.G, &p.Raw, &p.Joint} {
		*x = r.Floats()
	}

	// The paths from other bases.
	for range r.Length(12) {
		s := Start{Name: r.String()}
		for _, x := range s.curves() {
			*x = r.Floats()
		}
		s.VarianceRatio = r.Float()
		if n := len(s.Beta); n < 2 || n > maxPoints || len(s.G) != n || len(s.Joint) != n || len(p.Starts) == maxLines {
			r.Fail()
			return p
		}
		p.Starts = append(p.Starts, s)
	}
	p.Start = r.String()
	p.MeasuredVar, p.MeasuredSchedule = r.Float(), r.String()

	// The curves must fit each other.
	if n := len(p.Beta); r.Err == nil && (len(p.Lines) > maxLines || len(p.Knots) > maxPoints || n > maxPoints ||
		n == 1 || len(p.G) != n || !validLen(len(p.Raw), n) || !validLen(len(p.Joint), n) || p.Steps < 0) {
		r.Fail()
	}
	return p
}

// curves lists the slices of s in the order of the encoding.
func (s *Start) curves() [3]*[]float64 { return [...]*[]float64{&s.Beta, &s.G, &s.Joint} }

// IsSlow reports whether the chains mixed too slowly (VarianceRatio above 3), so that the measured g is too small.
func (s *Start) IsSlow() bool { return s.VarianceRatio > 3 }
