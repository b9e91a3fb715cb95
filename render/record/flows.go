package record

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
)

// flows are what is known of the ways of particle filters through a series.
type flows struct {
	Shown, Next *Flow   // the flow on show, and the flow to show next
	began       float64 // when the flow on show began, in seconds
	kept        []*Flow // for each moment of the record
	culled      *Island // of the scene filter
	Lens        float64 // middle of the stretch on show, as a share of the series; 0: not chosen
}

// Flow is the trajectories of a filter's particles, with what is drawn of them.
type Flow struct {
	*frame.Flow
	Beta     float64
	Mean, Sd []float64 // of the states given the data so far
	Ess      []float64 // effective share of the particles at each datum
}

// A flow is drawn from left to right in sweepTime seconds, and stays for a moment before the next one begins.
const SweepTime, sweepRest = 3.2, 0.8

// take keeps the flow of a frame. Those of the lane that leads are shown.
func (s *flows) take(f *frame.Frame, moments []float64, leads bool, now float64) {
	if f.Flow == nil {
		return
	}
	q := newFlow(f)
	if s.Shown == nil {
		s.Shown, s.began = q, now
	} else if leads {
		s.Next = q
	}
	if num.Known(q.Beta) {
		if len(s.kept) != len(moments) {
			s.kept = make([]*Flow, len(moments))
		}
		s.kept[schedule.Nearest(moments, q.Beta)] = q
	}
}

func newFlow(f *frame.Frame) *Flow {
	q := &Flow{Flow: f.Flow, Beta: math.NaN()}
	for _, b := range f.Beta {
		if !(float64(b) <= q.Beta) {
			q.Beta = float64(b)
		}
	}
	for t := range q.Y {
		mean, square, squares := 0.0, 0.0, 0.0
		for i := range q.N {
			x, w := q.State(t, i)
			mean += w * x
			squares += w * w
		}
		for i := range q.N {
			x, w := q.State(t, i)
			square += w * (x - mean) * (x - mean)
		}
		q.Mean, q.Sd = append(q.Mean, mean), append(q.Sd, math.Sqrt(square))
		q.Ess = append(q.Ess, min(1/(squares*float64(q.N)), 1))
	}
	return q
}

// State is that of particle i at datum t, and its weight.
func (q *Flow) State(t, i int) (x, w float64) {
	return float64(q.X[t*q.N+i]), float64(q.W[t*q.N+i])
}

// ParentOf is the particle at datum t-1 that particle i at t comes from.
func (q *Flow) ParentOf(t, i int) int { return int(q.From[(t-1)*q.N+i]) }

// Alive tells which particles at data [lo, hi] those at hi descend from.
func (q *Flow) Alive(lo, hi int) [][]bool {
	out := make([][]bool, hi-lo+1)
	for t := hi; t >= lo; t-- {
		row := make([]bool, q.N)
		for i := range row {
			if t == hi {
				row[i] = true
			} else if out[t+1-lo][i] {
				row[q.ParentOf(t+1, i)] = true
			}
		}
		out[t-lo] = row
	}
	return out
}

// GoOn is the number of particles at datum t that have children.
func (q *Flow) GoOn(t int) (n int) {
	has := make([]bool, q.N)
	for i := range q.N {
		if j := q.ParentOf(t+1, i); !has[j] {
			has[j] = true
			n++
		}
	}
	return n
}

// TurnTo moves on to the next flow when the one on show has been seen, and returns how far it has come, 1: to its end.
func (s *flows) TurnTo(now float64, still bool) float64 {
	if s.Next != nil && (still || now-s.began > SweepTime+sweepRest) {
		s.Shown, s.Next, s.began = s.Next, nil, now
	}
	if still {
		return 1
	}
	return min(max((now-s.began)/SweepTime, 0), 1)
}

// Flowing tells whether a flow is being drawn, or another one waits.
func (p *Run) Flowing(still bool) bool {
	w, _ := p.Pick(Flown)
	return w != nil && !still && !p.Scrubber.On && (w.Flows.Next != nil || p.Now-w.Flows.began < SweepTime)
}

// Flown tells whether a filter has gone through a series.
func Flown(w *Particles) bool { return w.Flows.Shown != nil }

// Near is the flow nearest to an inverse temperature, nil if none is known.
func (s *flows) Near(beta float64) (best *Flow) {
	for _, q := range s.kept {
		if q != nil && (best == nil || math.Abs(q.Beta-beta) < math.Abs(best.Beta-beta)) {
			best = q
		}
	}
	return best
}

// Slide moves the stretch on show by a share of the series.
func (s *flows) Slide(by float64) { s.Lens = min(max(s.Middle(s.Shown)+by, 1e-9), 1) }

// Middle is that of the stretch on show, as a share of the series: where somebody has put it, else at the datum that
// lies farthest out.
func (s *flows) Middle(q *Flow) float64 {
	if s.Lens > 0 {
		return s.Lens
	}
	far := 0
	for t, y := range q.Y {
		if math.Abs(float64(y)) > math.Abs(float64(q.Y[far])) {
			far = t
		}
	}
	return (float64(far) + 0.5) / float64(len(q.Y))
}
