package estimators

import (
	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/models"
)

// View is the frame of a lane and the arrays it shows.
type View struct {
	Frame  frame.Frame
	u      *Unit
	Pop    models.Population
	Can    models.RowCapabilities // of Pop
	ladder []float64
	Rung   []int32
	LogW   []float64 // nil where rows carry no weights
	Film   []bool    // rungs of which a record keeps a picture; nil for none
	Hops   int       // pictures for the record of rows that hop among rungs, evenly over the phase

	at  int  // the rung of row 0 in the frame before, -1 at first
	met bool // a picture of this rung is due for the record

	// What weighted rows show: nil where no weights are resampled. line is the row of the last frame with lineage that
	// each row descends from, empty: itself; old is its room.
	Weighing  *frame.Weighing
	line, old []int32
}

// MaxShown bounds the pictures of a lane that a frame shows, MaxPoints the points.
const MaxShown, MaxPoints = 100, 1000

// NewView makes the rows of a lane and the frame that will show them.
func NewView(c Config, ladder []float64, u *Unit, rows Lanes) *View {
	first, n := rows.Span(u.Lane)
	v := &View{u: u, ladder: ladder, Pop: c.Model.New(n, ladder), Rung: make([]int32, n), LogW: make([]float64, n), at: -1}
	if v.Can = models.RowsCan(v.Pop); v.Can.FlipUnits != nil && c.Overrelaxed {
		v.Can.FlipUnits()
	}
	info, most := c.Model.Info(), MaxShown
	if info.W == 0 {
		most = MaxPoints
	}
	if first < most {
		v.Film = make([]bool, len(ladder))
		moments, _ := frame.SnapshotBetas(info.W, info.H)
		for _, beta := range moments {
			v.Film[schedule.Nearest(ladder[:len(ladder)-1], beta)] = true // no sweep is made at the last
		}
	}
	v.Frame = frame.Frame{Model: info.Name, Phase: u.Round, First: first, N: min(n, most), Total: rows.Before + rows.N,
		Rungs: len(ladder)}
	return v
}

// Show updates the frame. It makes pictures when the lane is watched, in the last frame, so that the picture that stays
// is complete, and, for a record, when a chain reaches one of its temperatures: at full speed frames are too rare to
// hit them by chance. Only frames that are sure to be shown carry the parents of their rows: a frame that is passed
// over would take them with it.
func (v *View) Show(step int) *frame.Frame {
	f := v.Tick(step)
	if k := int(v.Rung[0]); k != v.at {
		v.at, v.met = k, v.Film != nil && v.Film[k]
	}
	met := v.u.Film && (v.met || v.Hops > 0 && step*v.Hops/f.Steps != (step-1)*v.Hops/f.Steps)
	if x := v.Weighing; x == nil || x.Phase == frame.PhaseMove {
		v.met = false // weighted rows are also shown before they move
	}
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
	f.Parents, f.Weighing = f.Parents[:0], nil
	if x := v.Weighing; x != nil && (v.u.Each || met || step == v.u.Last) {
		f.Parents, v.line = append(f.Parents, v.line[:min(len(v.line), frame.MaxLines)]...), v.line[:0]
		f.Weighing, x.Before, x.At = x, x.At, step
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
