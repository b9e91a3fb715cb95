package derived

import (
	"bytes"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// Curves are the successive estimates of a run: along cost, and along the ladder. It reads reports, and must not depend
// on jobs, lanes or views.
type Curves struct {
	Points  map[string][]frame.Point  // by method
	Courses map[string][]frame.Course // curves of finished methods
	Ladders map[string][]frame.Ladder // by method, newest last
	Sent    []byte                    // the last frame sent
}

// Limits for one method.
const (
	maxHistory = 400 // points of a curve; beyond it every second one is dropped
	maxLadders = 12
)

func NewCurves() Curves {
	return Curves{Points: map[string][]frame.Point{}, Courses: map[string][]frame.Course{},
		Ladders: map[string][]frame.Ladder{}}
}

// AddPoint adds a report to its curve when its cost has grown.
func (c *Curves) AddPoint(r *report.Report) {
	h := c.Points[r.Method]
	if !report.IsNumber(r.LogZ) {
		return
	}
	if r.State == runstate.MethodDone && c.Courses[r.Method] == nil {
		c.Courses[r.Method] = medianCurve(r)
	}
	p := frame.Point{Sweeps: max(state.WorkOf(r), 1), LogZ: float64(r.LogZ), SE: float64(r.SE),
		Lower: float64(r.Lower), Upper: float64(r.Upper), Final: !r.Provisional}
	if catalog.Path(r.Method) == estimators.Direct { // its bounds are so wide that they would flatten all curves
		p.Lower, p.Upper = math.NaN(), math.NaN()
	}
	if fixed := fixedCurve(r, p); fixed != nil {
		c.Points[r.Method] = fixed
		return
	}
	if n := len(h); n > 0 && p.Sweeps <= h[n-1].Sweeps {
		c.Points[r.Method] = append(slices.Clone(h[:n-1]), p) // the same cost again, perhaps the final result
		return
	}
	if len(h) >= maxHistory {
		var half []frame.Point
		for i := 0; i < len(h); i += 2 {
			half = append(half, h[i])
		}
		h = half
	}
	c.Points[r.Method] = append(h, p)
}

// AddLadder stores a method's estimates at its rungs, one ladder for each phase, with the exact values if known.
func (c *Curves) AddLadder(r *report.Report, exact []float64) {
	if len(r.Ladder) == 0 {
		return
	}
	l := frame.Ladder{Method: r.Method, Phase: r.Doing, Beta: betas(r), Exact: exact}
	for _, k := range r.Ladder {
		l.LogZ = append(l.LogZ, float64(k.LogZ))
		l.SE = append(l.SE, float64(k.SE))
	}
	if len(r.Occupancy) == len(l.Beta) {
		l.Occupancy = r.Occupancy
	}
	if len(r.Overlap)+1 == len(l.Beta) {
		l.Overlap = r.Overlap
	}
	l.Guesses = thinGuesses(r.Guesses)
	ladders := c.Ladders[r.Method]
	if n := len(ladders); n > 0 && ladders[n-1].Phase == l.Phase {
		ladders = ladders[:n-1]
	} else if n >= maxLadders {
		ladders = ladders[1:]
	}
	for i := range ladders { // the newest ladder has all guesses
		ladders[i].Guesses = nil
	}
	c.Ladders[r.Method] = append(ladders[:len(ladders):len(ladders)], l)
}

// Limits on the guesses sent to the picture.
const (
	maxGuesses   = 40  // the first, the last, and evenly spaced ones between them
	guessedRungs = 101 // rungs of each guess
)

// thinGuesses thins guesses for the picture.
func thinGuesses(guesses []estimators.Guess) (out []frame.Guess) {
	n := min(len(guesses), maxGuesses)
	for i := range n {
		g := guesses[i*(len(guesses)-1)/max(n-1, 1)]
		thin := func(x []float64) (few []float64) {
			m := min(len(x), guessedRungs)
			for k := range m {
				few = append(few, x[k*(len(x)-1)/max(m-1, 1)])
			}
			return few
		}
		out = append(out, frame.Guess{Sweeps: float64(g.Sweeps), LogZ: thin(g.LogZ), LogC: thin(g.LogC)})
	}
	return out
}

// travel returns the round trips of the chains of a report's run.
func travel(r *report.Report, readers []*report.Report) *frame.Travel {
	if r.Travel == nil {
		return nil
	}
	t := *r.Travel
	for _, o := range readers {
		t.Methods = append(t.Methods[:len(t.Methods):len(t.Methods)], o.Method)
	}
	return &t
}

// betas returns the inverse temperatures of a report's ladder.
func betas(r *report.Report) (beta []float64) {
	for _, k := range r.Ladder {
		beta = append(beta, float64(k.Beta))
	}
	return beta
}

// Frame encodes the curves for the picture, or returns nil if they were sent already. runs has the number of each
// report's run; f has other data for the picture.
func (c *Curves) Frame(f frame.Frame, reports []*report.Report, runs []int) []byte {
	// The curves and ladders of each method; guesses and travels once for each run.
	for i, r := range reports {
		first := slices.Index(runs, runs[i]) == i // first method of its run
		for _, l := range c.Ladders[r.Method] {
			if !first {
				l.Guesses = nil
			}
			f.Ladders = append(f.Ladders, l)
		}
		f.Curves = append(f.Curves, frame.Curve{Method: r.Method, Run: runs[i], Points: c.Points[r.Method],
			Course: c.Courses[r.Method]})
		if first {
			var readers []*report.Report
			for j, o := range reports {
				if runs[j] == runs[i] {
					readers = append(readers, o)
				}
			}
			if t := travel(r, readers); t != nil {
				f.Travels = append(f.Travels, *t)
			}
		}
		if r.Truth != nil {
			f.Truth, f.HasTruth = float64(r.Truth.LogZ), true
		}
	}

	// Send only changes.
	data := f.Append(nil)
	if bytes.Equal(data, c.Sent) {
		return nil
	}
	c.Sent = bytes.Clone(data) // the host takes ownership of data
	return data
}

// Clear removes all curves.
func (c *Curves) Clear() {
	clear(c.Points)
	clear(c.Courses)
	clear(c.Ladders)
	c.Sent = nil
}
