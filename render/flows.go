package render

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
)

// flows are what is known of the ways of particle filters through a series.
type flows struct {
	shown, next *flow   // the flow on show, and the flow to show next
	began       float64 // when the flow on show began, in seconds
	kept        []*flow // for each moment of the record
	culled      *island // of the scene filter
	lens        float64 // middle of the stretch on show, as a share of the series; 0: not chosen
}

// flow is the trajectories of a filter's particles, with what is drawn of them.
type flow struct {
	*frame.Flow
	beta     float64
	mean, sd []float64 // of the states given the data so far
	ess      []float64 // effective share of the particles at each datum
}

// A flow is drawn from left to right in sweepTime seconds, and stays for a moment before the next one begins.
const sweepTime, sweepRest = 3.2, 0.8

// take keeps the flow of a frame. Those of the lane that leads are shown.
func (s *flows) take(f *frame.Frame, moments []float64, leads bool, now float64) {
	if f.Flow == nil {
		return
	}
	q := newFlow(f)
	if s.shown == nil {
		s.shown, s.began = q, now
	} else if leads {
		s.next = q
	}
	if num.Known(q.beta) {
		if len(s.kept) != len(moments) {
			s.kept = make([]*flow, len(moments))
		}
		s.kept[schedule.Nearest(moments, q.beta)] = q
	}
}

func newFlow(f *frame.Frame) *flow {
	q := &flow{Flow: f.Flow, beta: math.NaN()}
	for _, b := range f.Beta {
		if !(float64(b) <= q.beta) {
			q.beta = float64(b)
		}
	}
	for t := range q.Y {
		mean, square, squares := 0.0, 0.0, 0.0
		for i := range q.N {
			x, w := q.state(t, i)
			mean += w * x
			squares += w * w
		}
		for i := range q.N {
			x, w := q.state(t, i)
			square += w * (x - mean) * (x - mean)
		}
		q.mean, q.sd = append(q.mean, mean), append(q.sd, math.Sqrt(square))
		q.ess = append(q.ess, min(1/(squares*float64(q.N)), 1))
	}
	return q
}

// state is that of particle i at datum t, and its weight.
func (q *flow) state(t, i int) (x, w float64) {
	return float64(q.X[t*q.N+i]), float64(q.W[t*q.N+i])
}

// parentOf is the particle at datum t-1 that particle i at t comes from.
func (q *flow) parentOf(t, i int) int { return int(q.From[(t-1)*q.N+i]) }

// alive tells which particles at data [lo, hi] those at hi descend from.
func (q *flow) alive(lo, hi int) [][]bool {
	out := make([][]bool, hi-lo+1)
	for t := hi; t >= lo; t-- {
		row := make([]bool, q.N)
		for i := range row {
			if t == hi {
				row[i] = true
			} else if out[t+1-lo][i] {
				row[q.parentOf(t+1, i)] = true
			}
		}
		out[t-lo] = row
	}
	return out
}

// goOn is the number of particles at datum t that have children.
func (q *flow) goOn(t int) (n int) {
	has := make([]bool, q.N)
	for i := range q.N {
		if j := q.parentOf(t+1, i); !has[j] {
			has[j] = true
			n++
		}
	}
	return n
}

// turnTo moves on to the next flow when the one on show has been seen, and returns how far it has come, 1: to its end.
func (s *flows) turnTo(now float64, still bool) float64 {
	if s.next != nil && (still || now-s.began > sweepTime+sweepRest) {
		s.shown, s.next, s.began = s.next, nil, now
	}
	if still {
		return 1
	}
	return min(max((now-s.began)/sweepTime, 0), 1)
}

// flowing tells whether a flow is being drawn, or another one waits.
func (p *Run) flowing(still bool) bool {
	w, _ := p.pick(flown)
	return w != nil && !still && !p.scrubber.on && (w.flows.next != nil || p.now-w.flows.began < sweepTime)
}

// flown tells whether a filter has gone through a series.
func flown(w *wall) bool { return w.flows.shown != nil }

// near is the flow nearest to an inverse temperature, nil if none is known.
func (s *flows) near(beta float64) (best *flow) {
	for _, q := range s.kept {
		if q != nil && (best == nil || math.Abs(q.beta-beta) < math.Abs(best.beta-beta)) {
			best = q
		}
	}
	return best
}

// slide moves the stretch on show by a share of the series.
func (s *flows) slide(by float64) { s.lens = min(max(s.middle(s.shown)+by, 1e-9), 1) }

// middle is that of the stretch on show, as a share of the series: where somebody has put it, else at the datum that
// lies farthest out.
func (s *flows) middle(q *flow) float64 {
	if s.lens > 0 {
		return s.lens
	}
	far := 0
	for t, y := range q.Y {
		if math.Abs(float64(y)) > math.Abs(float64(q.Y[far])) {
			far = t
		}
	}
	return (float64(far) + 0.5) / float64(len(q.Y))
}
