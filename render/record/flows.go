package record

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
)

// flows contains the trajectories of particle filters.
type flows struct {
	Shown, Next  *Flow   // the flow that is shown, and the one to show next
	started      float64 // when the flow that is shown started, in seconds
	byMoment     []*Flow // the newest flow near each of the temperatures Particles.Moments
	filterRecord *Island // cached by FilterRecord
	Center       float64 // center of the visible part, as a fraction of the series; 0: not chosen
}

// Flow contains the trajectories of the particles of one filter, with derived quantities.
type Flow struct {
	*frame.Flow
	Beta     float64
	Mean, Sd []float64 // of the filtering distribution
	ESS      []float64 // effective sample size at each datum, over N
}

// SweepTime is the time in seconds in which a flow is drawn from left to right; the next flow starts sweepPause seconds
// later.
const SweepTime, sweepPause = 3.2, 0.8

// take stores the flow of a frame. Only flows of the leading lane are shown next.
func (s *flows) take(f *frame.Frame, moments []float64, isLeader bool, now float64) {
	if f.Flow == nil {
		return
	}
	q := newFlow(f)
	if s.Shown == nil {
		s.Shown, s.started = q, now
	} else if isLeader {
		s.Next = q
	}
	if num.NotNaN(q.Beta) {
		if len(s.byMoment) != len(moments) {
			s.byMoment = make([]*Flow, len(moments))
		}
		s.byMoment[schedule.Nearest(moments, q.Beta)] = q
	}
}

// newFlow computes the mean, standard deviation and effective sample size of the filtering distribution at each datum.
// Beta is the largest inverse temperature of the rows of the frame, NaN if unknown.
func newFlow(f *frame.Frame) *Flow {
	q := &Flow{Flow: f.Flow, Beta: math.NaN()}
	for _, b := range f.Beta {
		if !(float64(b) <= q.Beta) {
			q.Beta = float64(b)
		}
	}
	for t := range q.Y {
		mean, variance, sumW2 := 0.0, 0.0, 0.0
		for i := range q.N {
			x, w := q.State(t, i)
			mean += w * x
			sumW2 += w * w
		}
		for i := range q.N {
			x, w := q.State(t, i)
			variance += w * (x - mean) * (x - mean)
		}
		q.Mean, q.Sd = append(q.Mean, mean), append(q.Sd, math.Sqrt(variance))
		q.ESS = append(q.ESS, min(1/(sumW2*float64(q.N)), 1))
	}
	return q
}

// State returns the state of particle i at datum t, and its weight.
func (q *Flow) State(t, i int) (x, w float64) {
	return float64(q.X[t*q.N+i]), float64(q.W[t*q.N+i])
}

// ParentOf returns the parent, at datum t-1, of particle i at datum t.
func (q *Flow) ParentOf(t, i int) int { return int(q.Parents[(t-1)*q.N+i]) }

// Ancestors reports which particles at the data lo to hi have descendants at hi.
func (q *Flow) Ancestors(lo, hi int) [][]bool {
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

// CountParents returns the number of particles at datum t that have children.
func (q *Flow) CountParents(t int) (n int) {
	hasChild := make([]bool, q.N)
	for i := range q.N {
		if j := q.ParentOf(t+1, i); !hasChild[j] {
			hasChild[j] = true
			n++
		}
	}
	return n
}

// Advance shows the next flow if the current one has been shown long enough. It returns the fraction of the current
// flow to draw.
func (s *flows) Advance(now float64, still bool) float64 {
	if s.Next != nil && (still || now-s.started > SweepTime+sweepPause) {
		s.Shown, s.Next, s.started = s.Next, nil, now
	}
	if still {
		return 1
	}
	return min(max((now-s.started)/SweepTime, 0), 1)
}

// FlowIsAnimating reports whether a flow is being drawn, or another one is next.
func (p *Run) FlowIsAnimating(still bool) bool {
	w, _ := p.Pick(HasFlow)
	return w != nil && !still && !p.Scrubber.Active && (w.Flows.Next != nil || p.Now-w.Flows.started < SweepTime)
}

// HasFlow reports whether a particle filter has run through a series.
func HasFlow(w *Particles) bool { return w.Flows.Shown != nil }

// Nearest returns the flow nearest to an inverse temperature, nil if there is none.
func (s *flows) Nearest(beta float64) (best *Flow) {
	for _, q := range s.byMoment {
		if q != nil && (best == nil || math.Abs(q.Beta-beta) < math.Abs(best.Beta-beta)) {
			best = q
		}
	}
	return best
}

// Shift moves the visible part by a fraction of the series.
func (s *flows) Shift(by float64) { s.Center = min(max(s.Middle(s.Shown)+by, 1e-9), 1) }

// Middle returns the center of the visible part, as a fraction of the series: the one chosen by the viewer or, by
// default, the datum of the largest absolute value.
func (s *flows) Middle(q *Flow) float64 {
	if s.Center > 0 {
		return s.Center
	}
	farthest := 0
	for t, y := range q.Y {
		if math.Abs(float64(y)) > math.Abs(float64(q.Y[farthest])) {
			farthest = t
		}
	}
	return (float64(farthest) + 0.5) / float64(len(q.Y))
}
