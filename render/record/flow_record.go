package record

import (
	"cmp"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render/paint"
)

// A record of a filter has so many data at most, about the one that lies farthest out, so that its family tree can be
// read.
const filterData = 120

// Filtered is the record of the filter that is nearest to the target. It gives way to that of a later filter when it
// has been seen, and at the end of the run, unless a viewer has stopped it.
func (w *Particles) Filtered(p *Run) *Island {
	s, q := &w.Flows, w.Flows.Near(1)
	if q == nil {
		q = s.Shown
	}
	if is := s.culled; is != nil && is.Filter != q {
		i, done := is.Look(p.Now, false)
		if over := i == len(is.Moments)-1 && done == 1; !over && (p.State != runstate.Done || is.Review.Stopped) {
			return is
		}
	}
	if s.culled == nil || s.culled.Filter != q {
		s.culled = q.record(s.Middle(q))
	}
	return s.culled
}

// record has three moments for each datum: particles are weighed by it, resampled, and moved to the next one. middle is
// that of the record, as a share of the series.
func (q *Flow) record(middle float64) *Island {
	last := len(q.Y) - 1
	lo := min(max(int(middle*float64(last+1))-filterData/2, 0), max(last+1-filterData, 0))
	is := &Island{Filter: q, Next: 1}

	// A moment: states, weights while particles are weighed, and parents.
	add := func(phase, t int, parents []int32, state func(row int) float32, ess float64) {
		s := Moment{ID: is.Next, Stage: t, Phase: phase, Rows: q.N, Beta: math.NaN(), Weighing: &frame.Weighing{
			Rule: "systematic", ESS: float32(ess), LogZ: math.NaN()}}
		for row := range q.N {
			s.Points = append(s.Points, float32(t), state(row))
			if phase == Reweighting {
				s.LogW = append(s.LogW, float32(math.Log(float64(q.W[t*q.N+row]))))
			}
		}
		s.descend(parents, is.Newest())
		is.Moments = append(is.Moments, s)
		is.Phases |= 1 << phase
		is.Next++
	}

	// From datum to datum.
	for t := lo; t <= min(last, lo+filterData-1); t++ {
		here := func(row int) float32 { return q.X[t*q.N+row] }
		phase := Moving
		if t == lo {
			phase = Starting
		}
		add(phase, t, nil, here, 1)
		add(Reweighting, t, nil, here, q.Ess[t])
		if t < last {
			from := q.From[t*q.N : (t+1)*q.N]
			add(Resampling, t, from, func(row int) float32 { return here(int(from[row])) }, 1)
		}
	}
	return is
}

// Beside are the places of particles at the right of their datum, so that none of mean weight hides another one, and
// copies stand side by side: of each row, in pixels.
func (s *Moment) Beside(sy paint.Axis, r0, room float64) []paint.Point {
	rows := make([]int, s.Rows)
	y := func(row int) float64 { return sy.At(float64(s.Points[2*row+1])) }
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int { return cmp.Compare(y(i), y(j)) })
	out := make([]paint.Point, s.Rows)
	var last []float64 // height of the newest dot of each column of dots
	for _, row := range rows {
		k := slices.IndexFunc(last, func(v float64) bool { return y(row)-v >= 2*r0 })
		if k < 0 {
			k, last = len(last), append(last, 0)
		}
		last[k] = y(row)
		out[row].X = float64(k)
	}
	step := min(2*r0, room/float64(max(len(last), 1)))
	for row := range out {
		out[row].X *= step
	}
	return out
}
