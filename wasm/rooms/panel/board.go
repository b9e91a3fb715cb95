package panel

import (
	"encoding/json"

	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
)

// maxPoints is the maximum number of estimates on a board.
const maxPoints = 1000

// number returns a number of a report for a board, or nil if it is unknown.
func number(x report.Number) *float64 {
	if y := float64(x); report.IsNumber(x) {
		return &y
	}
	return nil
}

// makeBoard returns the progress of the run of a host.
func (r *Rooms) makeBoard() state.Board {
	x := state.Board{Counts: r.Counts, Run: r.Run.ID, Points: []*float64{}}
	x.Replicates = r.Run.Replicates // the counts may not be known yet
	job := r.facts.Job()
	if job == nil {
		return x
	}

	// Estimate, error bar, and exact value.
	reports := r.facts.Results()
	first := reports[0]
	x.LogZ, x.SE, x.Share = number(first.LogZ), number(first.SE), r.facts.Share()
	if first.Truth != nil {
		x.Exact = number(first.Truth.LogZ)
	}

	// Estimates of the replicates, as many as fit on the board.
	for _, replicate := range job.Replicates(r.facts.Spec().Methods[0]) {
		if len(x.Points) == maxPoints {
			break
		}
		var z *float64
		if replicate != nil {
			z = number(report.Number(replicate.LogZ))
		}
		x.Points = append(x.Points, z)
	}

	// The end of the run, with the hashes of results.
	if x.Early = job.Stopped(); r.Phase == state.RoomDone && !x.Early {
		for _, methodReport := range reports {
			x.Hash = append(x.Hash, methodReport.Hash)
		}
	}
	return x
}

// boardText returns the text for all devices: the progress of the current run, or the result of the last one.
func (r *Rooms) boardText() string {
	if r.facts.Job() != nil && (r.Phase == state.RoomWorking || r.Phase == state.RoomDone) {
		r.Board = r.makeBoard()
	}
	x := r.Board
	if x.Points == nil { // no run yet
		x.Points = []*float64{}
	}
	x.Here, x.Ask, x.Step = r.Connected(), r.question(), 0
	if r.isLecturing() {
		x.Step = r.Step
	}
	text, _ := json.Marshal(x) // cannot fail: all numbers are finite
	return string(text)
}

// addCoursePoint adds a point to the history of the estimate. It keeps at most 200 points.
func (r *Rooms) addCoursePoint() {
	if r.facts.Job() == nil {
		return
	}
	first := r.facts.Results()[0]
	if !report.IsNumber(first.LogZ) || !report.IsNumber(first.SE) || r.Counts.Got == 0 {
		return
	}
	x := state.RoomPoint{Replicates: float64(r.Counts.Got), LogZ: float64(first.LogZ), SE: float64(first.SE)}
	if n := len(r.Course); n > 0 && r.Course[n-1].Replicates >= x.Replicates {
		r.Course[n-1] = x
		return
	}
	if r.Course = append(r.Course, x); len(r.Course) > 200 {
		var half []state.RoomPoint
		for i, x := range r.Course {
			if i%2 == 1 {
				half = append(half, x)
			}
		}
		r.Course = half
	}
}
