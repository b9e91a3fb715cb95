package estimators

import (
	"math"

	"logzlab/core/frame"
	"logzlab/models"
)

// View is the frame of a lane and the arrays it shows.
type View struct {
	Frame  frame.Frame
	u      *Unit
	Pop    models.Population
	ladder []float64
	Rung   []int32
	LogW   []float64 // nil where rows carry no weights
	Film   []bool    // rungs of which a record keeps a picture; nil for none
	line   []int32   // row of the last frame with a picture that each row descends from, empty: itself
	old    []int32   // its room
	at     int       // the rung of row 0 in the frame before, -1 at first
	Hops   int       // pictures for the record of rows that hop among rungs, evenly over the phase
}

// MaxShown bounds the pictures of a lane that a frame shows, MaxPoints the points.
const MaxShown, MaxPoints = 100, 1000

// NewView makes the rows of a lane and the frame that will show them.
func NewView(c Config, ladder []float64, u *Unit, rows Lanes) *View {
	first, n := rows.Span(u.Lane)
	v := &View{u: u, ladder: ladder, Pop: c.Model.New(n, ladder), Rung: make([]int32, n), LogW: make([]float64, n), at: -1}
	if f, ok := v.Pop.(models.Flipper); ok && c.Overrelaxed {
		f.FlipUnits()
	}
	info, most := c.Model.Info(), MaxShown
	if info.W == 0 {
		most = MaxPoints
	}
	if first < most {
		v.Film = make([]bool, len(ladder))
		moments, _ := frame.Moments(info.W, info.H)
		for _, beta := range moments {
			v.Film[nearest(ladder[:len(ladder)-1], beta)] = true // no sweep is made at the last
		}
	}
	v.Frame = frame.Frame{Model: info.Name, Phase: u.Round, First: first, N: min(n, most), Total: rows.Before + rows.N,
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

// Show updates the frame. It makes pictures when the lane is watched, in the last frame, so
// that the picture that stays is complete, and, for a record, when a chain reaches one of its
// temperatures: at full speed frames are too rare to hit them by chance.
func (v *View) Show(step int) *frame.Frame {
	f := v.Tick(step)
	k := int(v.Rung[0])
	met := v.u.Film && (v.Film != nil && k != v.at && v.Film[k] || v.Hops > 0 &&
		step*v.Hops/f.Steps != (step-1)*v.Hops/f.Steps)
	v.at = k
	if !v.u.Watched && step != v.u.Last && !met {
		return f
	}
	f.LogW = f.LogW[:0]
	for _, k := range v.Rung[:f.N] {
		f.Beta = append(f.Beta, float32(v.ladder[k]))
	}
	if v.LogW != nil {
		for _, w := range v.LogW[:f.N] {
			f.LogW = append(f.LogW, float32(w))
		}
	}
	f.Parents = f.Parents[:0]
	if len(v.line) > 0 {
		f.Parents, v.line = append(f.Parents, v.line[:f.N]...), v.line[:0]
	}
	f.Rung = v.Rung[:f.N]
	v.Pop.Read(f.N, f)
	return f
}

// Descend notes that each row is a copy of one of those before.
func (v *View) Descend(parents []int32) {
	if len(v.line) == 0 {
		v.line = append(v.line, parents...)
		return
	}
	v.old = append(v.old[:0], v.line...)
	for r, p := range parents {
		v.line[r] = v.old[p]
	}
}

// Tick is a frame with progress and no picture: Beta is empty.
func (v *View) Tick(step int) *frame.Frame {
	v.Frame.Beta = v.Frame.Beta[:0]
	v.Frame.Step = step
	return &v.Frame
}
