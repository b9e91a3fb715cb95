package estimators

import (
	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/models"
)

// View has the rows of a lane and the frame that shows them.
type View struct {
	Frame         frame.Frame
	u             *Unit
	Pop           models.Population
	Can           models.RowCapabilities // of Pop
	ladder        []float64
	Rung          []int32   // rung of each row
	LogW          []float64 // log weight of each row, nil if rows have no weights
	SnapshotRungs []bool    // rungs at which the record of the run keeps a picture; nil for none
	EvenSnapshots int       // number of pictures of the record at even intervals of steps, if rows change rungs

	lastRung  int  // the rung of row 0 in the frame before, -1 at first
	recordDue bool // a picture of this rung is due for the record

	// Trips is the number of round trips of row 0 so far; a tempering run sets it before Show.
	Trips    int
	watching bool         // moves are recorded, since the first watched frame of the unit
	moves    []frame.Move // of the first chain of the run, at most twice frame.MaxMoves
	newMoves int          // number of moves since the last frame

	// Weighing describes the resampling of weighted rows, nil if they are not resampled. parents holds, for each row, its
	// ancestor among the rows of the last frame that had Weighing; empty: the row itself. oldParents is scratch space.
	Weighing            *frame.Weighing
	parents, oldParents []int32
}

// MaxShown is the largest number of pictures of a lane in a frame, MaxPoints the largest number of points.
const MaxShown, MaxPoints = 100, 1000

// NewView makes the rows of a lane and the frame that shows them.
func NewView(c Config, ladder []float64, u *Unit, rows Lanes) *View {
	first, n := rows.Span(u.Lane)
	v := &View{u: u, ladder: ladder, Pop: c.Model.New(n, ladder), Rung: make([]int32, n), LogW: make([]float64, n), lastRung: -1}
	if v.Can = models.RowCapabilitiesOf(v.Pop); v.Can.FlipUnits != nil && c.Overrelaxed {
		v.Can.FlipUnits()
	}
	info, maxRows := c.Model.Info(), MaxShown
	if info.W == 0 {
		maxRows = MaxPoints
	}
	if first < maxRows {
		v.SnapshotRungs = make([]bool, len(ladder))
		snapshotBetas, _ := frame.SnapshotBetas(info.W, info.H)
		for _, beta := range snapshotBetas {
			v.SnapshotRungs[schedule.Nearest(ladder[:len(ladder)-1], beta)] = true // no sweep is made at the last rung
		}
	}
	v.Frame = frame.Frame{Model: info.Name, Phase: u.Round, First: first, N: min(n, maxRows), Total: rows.FirstSlot + rows.N,
		Rungs: len(ladder)}
	return v
}

// Show updates and returns the frame after a step. The frame has pictures if the lane is watched, at the last step of the
// unit, and for the record of the run when a chain reaches a recorded inverse temperature: frames at full speed are
// too rare to show these by chance. Only frames that are certain to be displayed have Parents and Weighing, since a
// skipped frame would lose them.
func (v *View) Show(step int) *frame.Frame {
	f := v.Tick(step)
	if k := int(v.Rung[0]); k != v.lastRung {
		v.lastRung, v.recordDue = k, v.SnapshotRungs != nil && v.SnapshotRungs[k]
	}
	isSnapshotDue := v.u.Snapshots && (v.recordDue || v.EvenSnapshots > 0 && step*v.EvenSnapshots/f.Steps != (step-1)*v.EvenSnapshots/f.Steps)
	if weighing := v.Weighing; weighing == nil || weighing.Phase == frame.PhaseMove {
		v.recordDue = false // weighted rows are also shown before they move
	}
	if !v.u.Watched && step != v.u.LastStep && !isSnapshotDue {
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
	if weighing := v.Weighing; weighing != nil && (v.u.EveryFrame || isSnapshotDue || step == v.u.LastStep) {
		f.Parents, v.parents = append(f.Parents, v.parents[:min(len(v.parents), frame.MaxLines)]...), v.parents[:0]
		f.Weighing, weighing.ParentFrame, weighing.FrameNumber = weighing, weighing.FrameNumber, step
	}
	f.Rung = v.Rung[:f.N]
	f.Chain = nil
	if len(v.moves) > 0 {
		f.Chain = &frame.Chain{Moves: v.moves[max(len(v.moves)-frame.MaxMoves, 0):], Trips: v.Trips}
	}
	v.Pop.Read(f.N, f)
	return f
}

// noteMove stores a proposal of the first chain, at the rung of row 0.
func (v *View) noteMove(x, y float32, accepted bool) {
	if len(v.moves) == 2*frame.MaxMoves {
		v.moves = v.moves[:copy(v.moves, v.moves[frame.MaxMoves:])]
	}
	v.moves = append(v.moves, frame.Move{X: x, Y: y, Beta: float32(v.ladder[v.Rung[0]]),
		Rung: int(v.Rung[0]), Accepted: accepted})
	v.newMoves++
}

// Descend records a resampling: row r is now a copy of row parents[r].
func (v *View) Descend(parents []int32) {
	if len(v.parents) == 0 {
		v.parents = append(v.parents, parents...)
		return
	}
	v.oldParents = append(v.oldParents[:0], v.parents...)
	for r, p := range parents {
		v.parents[r] = v.oldParents[p]
	}
}

// Tick updates and returns the frame after a step, with progress but without pictures: Beta is empty.
func (v *View) Tick(step int) *frame.Frame {
	if v.Frame.First == 0 && v.u.Watched && !v.watching && v.Can.WatchMoves != nil {
		v.watching = true
		v.Can.WatchMoves(0, v.noteMove)
	}
	for i := max(len(v.moves)-v.newMoves, 0); i < len(v.moves); i++ {
		v.moves[i].Step = step
	}
	v.newMoves = 0
	v.Frame.Beta = v.Frame.Beta[:0]
	v.Frame.Step = step
	return &v.Frame
}
