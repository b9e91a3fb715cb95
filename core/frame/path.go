package frame

import (
	"math"
	"slices"

	"logzlab/core/wire"
)

// Path is what schedules of inverse temperatures mean on a method's way from base to target, as far as that is known.
type Path struct {
	Method   string
	Schedule string    // of the experiment
	Steps    int       // from the first to the last of its temperatures
	Measures bool      // a run of the experiment finds G
	Lines    []Line    // schedules, that of the experiment among them if it is known
	Knots    []float64 // of the curve to draw by hand, at even shares of the run without the ends
	// G is the variance of d log f_beta/d beta at Beta, empty if it is not known. Raw is the same before it was smoothed,
	// NaN where it was not measured; it may be empty.
	Beta, G, Raw []float64
	// Joint is g at Beta of the joint with the variables that are summed out; empty if it is not known.
	Joint []float64
	// Starts are the paths from other bases, as far as they are known, and Start is the name of the experiment's own; "":
	// there are none.
	Starts []Start
	Start  string
	// Measured is Var(log w) of a run along the schedule Of; NaN before one.
	Measured float64
	Of       string
}

// Start is what a probe found of the path from a base: g of the visible units and of the joint at Beta. Lag is how many
// times Var(log w) of its chains was what perfect moves would give: 1 where they kept up; where it is large, g is too
// small.
type Start struct {
	Name           string
	Beta, G, Joint []float64
	Lag            float64
}

// Line is the curve of a schedule.
type Line struct {
	Schedule string    // its text
	Beta     []float64 // at even steps of the run
	Var      float64   // that it predicts for the log weights of annealing, NaN while that is not known
}

// Index is where the curve of a schedule is among the lines, -1 if it is not known.
func (p *Path) Index(schedule string) int {
	return slices.IndexFunc(p.Lines, func(l Line) bool { return l.Schedule == schedule })
}

// Best is the variance that the optimum predicts, NaN while that is not known.
func (p *Path) Best() float64 {
	if i := p.Index("varopt"); i >= 0 {
		return p.Lines[i].Var
	}
	return math.NaN()
}

// Limits on what is decoded.
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
	w.Bool(p.Measures)

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
		w.Float(s.Lag)
	}
	w.String(p.Start)
	w.Float(p.Measured)
	w.String(p.Of)
}

func readPath(r *wire.Reader) *Path {
	if !r.Bool() {
		return nil
	}
	p := &Path{Method: r.String(), Schedule: r.String(), Steps: r.Int(), Measures: r.Bool()}

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
		s.Lag = r.Float()
		if n := len(s.Beta); n < 2 || n > maxPoints || len(s.G) != n || len(s.Joint) != n || len(p.Starts) == maxLines {
			r.Fail()
			return p
		}
		p.Starts = append(p.Starts, s)
	}
	p.Start = r.String()
	p.Measured, p.Of = r.Float(), r.String()

	// The curves must fit each other.
	if n := len(p.Beta); r.Err == nil && (len(p.Lines) > maxLines || len(p.Knots) > maxPoints || n > maxPoints ||
		n == 1 || len(p.G) != n || !fits(len(p.Raw), n) || !fits(len(p.Joint), n) || p.Steps < 0) {
		r.Fail()
	}
	return p
}

func (s *Start) curves() [3]*[]float64 { return [...]*[]float64{&s.Beta, &s.G, &s.Joint} }

// Lags reports whether the chains lagged so much that g is too small.
func (s *Start) Lags() bool { return s.Lag > 3 }
