package estimators

import (
	"math"

	"logzlab/core/frame"
	"logzlab/models"
)

// view is the frame of a lane and the arrays it shows.
type view struct {
	f      frame.Frame
	u      *Unit
	pop    models.Population
	ladder []float64
	rung   []int32
	logw   []float64 // nil where rows carry no weights
	film   []bool    // rungs of which a record keeps a picture; nil for none
	line   []int32   // row of the last frame with a picture that each row descends from, empty: itself
	old    []int32   // its room
	at     int       // the rung of row 0 in the frame before, -1 at first
	hops   int       // pictures for the record of rows that hop among rungs, evenly over the phase
}

// maxShown bounds the pictures of a lane that a frame shows, maxPoints the points.
const maxShown, maxPoints = 100, 1000

// newView makes the rows of a lane and the frame that will show them.
func newView(c Config, ladder []float64, u *Unit, rows lanes) *view {
	first, n := rows.span(u.Lane)
	v := &view{u: u, ladder: ladder, pop: c.Model.New(n, ladder), rung: make([]int32, n), logw: make([]float64, n), at: -1}
	if f, ok := v.pop.(models.Flipper); ok && c.Overrelaxed {
		f.FlipUnits()
	}
	info, most := c.Model.Info(), maxShown
	if info.W == 0 {
		most = maxPoints
	}
	if first < most {
		v.film = make([]bool, len(ladder))
		moments, _ := frame.Moments(info.W, info.H)
		for _, beta := range moments {
			v.film[nearest(ladder[:len(ladder)-1], beta)] = true // no sweep is made at the last
		}
	}
	v.f = frame.Frame{Model: info.Name, Phase: u.Round, First: first, N: min(n, most), Total: rows.before + rows.n,
		Rungs: len(ladder)}
	return v
}

// nearest is the rung whose inverse temperature is nearest to beta.
func nearest(ladder []float64, beta float64) (best int) {
	for k := range ladder {
		if math.Abs(ladder[k]-beta) < math.Abs(ladder[best]-beta) {
			best = k
		}
	}
	return best
}

// show updates the frame. It makes pictures when the lane is watched, in the last frame, so
// that the picture that stays is complete, and, for a record, when a chain reaches one of its
// temperatures: at full speed frames are too rare to hit them by chance.
func (v *view) show(step int) *frame.Frame {
	f := v.tick(step)
	k := int(v.rung[0])
	met := v.u.Film && (v.film != nil && k != v.at && v.film[k] || v.hops > 0 &&
		step*v.hops/f.Steps != (step-1)*v.hops/f.Steps)
	v.at = k
	if !v.u.Watched && step != v.u.Last && !met {
		return f
	}
	f.LogW = f.LogW[:0]
	for _, k := range v.rung[:f.N] {
		f.Beta = append(f.Beta, float32(v.ladder[k]))
	}
	if v.logw != nil {
		for _, w := range v.logw[:f.N] {
			f.LogW = append(f.LogW, float32(w))
		}
	}
	f.Parents = f.Parents[:0]
	if len(v.line) > 0 {
		f.Parents, v.line = append(f.Parents, v.line[:f.N]...), v.line[:0]
	}
	f.Rung = v.rung[:f.N]
	v.pop.Read(f.N, f)
	return f
}

// descend notes that each row is a copy of one of those before.
func (v *view) descend(parents []int32) {
	if len(v.line) == 0 {
		v.line = append(v.line, parents...)
		return
	}
	v.old = append(v.old[:0], v.line...)
	for r, p := range parents {
		v.line[r] = v.old[p]
	}
}

// tick is a frame with progress and no picture: Beta is empty.
func (v *view) tick(step int) *frame.Frame {
	v.f.Beta = v.f.Beta[:0]
	v.f.Step = step
	return &v.f
}

// isLane is the number of draws in a lane.
const isLane = 1000
