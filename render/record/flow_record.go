package record

import (
	"cmp"
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render/paint"
)

// maxFilterData is the maximum number of data in the record of a filter, so that its family tree stays readable.
const maxFilterData = 120

// FilterRecord returns the record of the particle filter at the inverse temperature nearest to 1. A record that is
// being played is replaced only after its end, or when the run is over, unless the viewer has paused it.
func (w *Particles) FilterRecord(p *Run) *Island {
	s, q := &w.Flows, w.Flows.Nearest(1)
	if q == nil {
		q = s.Shown
	}
	if is := s.filterRecord; is != nil && is.Filter != q {
		i, done := is.PlaybackAt(p.Now, false)
		if over := i == len(is.Moments)-1 && done == 1; !over && (p.State != runstate.Done || is.Playback.Paused) {
			return is
		}
	}
	if s.filterRecord == nil || s.filterRecord.Filter != q {
		s.filterRecord = q.newRecord(s.Middle(q))
	}
	return s.filterRecord
}

// newRecord returns a record with three moments for each datum: particles are weighted, resampled, and moved to the
// next datum. The record is centered at center, a fraction of the series.
func (q *Flow) newRecord(center float64) *Island {
	last := len(q.Y) - 1
	lo := min(max(int(center*float64(last+1))-maxFilterData/2, 0), max(last+1-maxFilterData, 0))
	is := &Island{Filter: q, Next: 1}

	// add appends a moment: states, weights while particles are weighted, and parents.
	add := func(phase, t int, parents []int32, state func(row int) float32, ess float64) {
		s := Moment{ID: is.Next, Stage: t, Phase: phase, Rows: q.N, Beta: math.NaN(), Weighing: &frame.Weighing{
			Rule: "systematic", ESS: float32(ess), LogZ: math.NaN()}}
		for row := range q.N {
			s.Points = append(s.Points, float32(t), state(row))
			if phase == Reweighting {
				s.LogW = append(s.LogW, float32(math.Log(float64(q.W[t*q.N+row]))))
			}
		}
		s.setParents(parents, is.Newest())
		is.Moments = append(is.Moments, s)
		is.PhasesSeen |= 1 << phase
		is.Next++
	}

	for t := lo; t <= min(last, lo+maxFilterData-1); t++ {
		here := func(row int) float32 { return q.X[t*q.N+row] }
		phase := Moving
		if t == lo {
			phase = Starting
		}
		add(phase, t, nil, here, 1)
		add(Reweighting, t, nil, here, q.ESS[t])
		if t < last {
			from := q.Parents[t*q.N : (t+1)*q.N]
			add(Resampling, t, from, func(row int) float32 { return here(int(from[row])) }, 1)
		}
	}
	return is
}

// Beeswarm returns horizontal offsets of the particles, in pixels, at which dots of radius r0 do not overlap. If they
// need more than room pixels, all offsets are reduced by the same factor. Y of each offset is 0.
func (s *Moment) Beeswarm(sy paint.Axis, r0, room float64) []paint.Point {
	rows := make([]int, s.Rows)
	y := func(row int) float64 { return sy.At(float64(s.Points[2*row+1])) }
	for i := range rows {
		rows[i] = i
	}
	slices.SortStableFunc(rows, func(i, j int) int { return cmp.Compare(y(i), y(j)) })
	out := make([]paint.Point, s.Rows)
	var last []float64 // y of the last dot of each column of dots
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
