package rooms

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"logzlab/estimators/engine"
	"logzlab/estimators/report"
	"logzlab/wasm/page/state"
	"logzlab/wasm/room"
	"logzlab/wasm/room/exchange"
)

// emptyBoard is that of a class before its first run.
func emptyBoard() string {
	text, _ := json.Marshal(state.Board{Class: true, Points: []float64{}, Own: map[string]int{}})
	return string(text)
}

// folded notes which machine has computed a unit.
func (r *Rooms) folded(k *engine.Task, device string) {
	id := room.Alias(device)
	s := r.shares[id]
	if s == nil {
		s = &machineShare{units: map[int]int{}}
		r.shares[id] = s
	}
	s.portion.Add(k)
	s.news = true
	if n := k.Replicate(); n >= 0 {
		s.units[n]++
	}
}

// mostShares bounds the estimates of single machines that are made at a time: each takes as long as that of all.
// At the end those of a class are made.
const mostShares, mostAtEnd = 2, 60

// progressed takes what the room has brought.
func (r *Rooms) progressed(c exchange.Counts) {
	r.Counts = c
	r.Repaint.News = true
	r.estimates(mostShares)
}

// estimates makes some of the estimates of single machines that have changed.
func (r *Rooms) estimates(most int) {
	if r.loaded.Spec.Replicates > 1 { // then replicates are the points
		return
	}
	method := r.loaded.Spec.Methods[0]
	done, all := 0, math.NaN()
	if now := r.run.Job.Standing(method).Results; len(now) > 0 {
		all = now[0].LogZ
	}
	for _, s := range r.shares {
		if done == most {
			break
		}
		if !s.news {
			continue
		}
		s.news = false
		done++
		x := s.portion.Result(method)
		if x == nil || !report.IsNumber(report.Number(x.LogZ)) || len(r.shares) > 1 && x.LogZ == all {
			continue // a round that adds nothing to log Z, as one of the way back: it is that of all
		}
		z := x.LogZ
		s.logZ = &z
	}
}

// points are the estimates on the strip, and the place of each machine's among them: of the finished replicates, the
// one for which it did most; else of the machines.
func (r *Rooms) points() (z []float64, own map[string]int) {
	z, own = []float64{}, map[string]int{}
	if r.loaded.Spec.Replicates < 2 {
		for _, id := range slices.Sorted(maps.Keys(r.shares)) {
			if x := r.shares[id].logZ; x != nil {
				own[id] = len(z)
				z = append(z, *x)
			}
		}
		return z, own
	}
	place := map[int]int{}
	for i, x := range r.run.Job.Replicates(r.loaded.Spec.Methods[0]) {
		if x != nil && report.IsNumber(report.Number(x.LogZ)) {
			place[i] = len(z)
			z = append(z, x.LogZ)
		}
	}
	for id, s := range r.shares {
		most := 0
		for i, n := range s.units {
			if at, done := place[i]; done && (n > most || n == most && at < own[id]) {
				own[id], most = at, n
			}
		}
	}
	return z, own
}

// stood is how the run stands, as its host tells it.
func (r *Rooms) stood() state.Board {
	x := state.Board{Points: []float64{}, Own: map[string]int{}, Agreed: r.Counts.Agreed, Units: r.Info.Units,
		Done: r.Info.Done}
	for id := range r.shares {
		if id != room.Alias(r.Machine) {
			x.Helped++
		}
	}
	if r.run.Job == nil {
		return x
	}

	// Estimate, error bar, and exact value.
	all := r.run.Results()
	first := all[0]
	number := func(x report.Number) *float64 {
		if y := float64(x); report.IsNumber(x) {
			return &y
		}
		return nil
	}
	x.LogZ, x.SE, x.Share = number(first.LogZ), number(first.SE), r.run.Share()
	if first.Truth != nil {
		x.Exact = number(first.Truth.LogZ)
	}

	// Estimates for the strip, as many as the board holds.
	if x.Points, x.Own = r.points(); len(x.Points) > mostPoints { // the board is small
		x.Points = x.Points[:mostPoints]
		maps.DeleteFunc(x.Own, func(_ string, at int) bool { return at >= mostPoints })
	}

	// How the run ended, with the hashes of results.
	if x.Early = r.run.Job.Stopped(); r.run.State == "done" {
		for _, r := range all {
			x.Hash = append(x.Hash, r.Hash)
		}
	}
	return x
}

// mostPoints are those that a board has room for, with as many machines: 20 letters and 24 each.
const mostPoints = 1000

// tells makes the board: how the run under way stands, or else what the last one came to.
func (r *Rooms) tells() string {
	working := r.Phase == state.RoomWorking || r.Phase == state.RoomEnding
	if working && r.run.Job != nil {
		r.notes()
	}
	x := r.Board
	if x.Class = true; x.Points == nil { // there was no run yet
		x.Points, x.Own = []float64{}, map[string]int{}
	}
	if working || r.Phase == state.RoomStarting {
		x.Run = r.Run
	}
	if x.Ask, x.Step = r.question(), 0; r.lectures() {
		x.Step = r.Step
	}
	text, _ := json.Marshal(x) // finite numbers
	return string(text)
}

// notes takes how the run stands, and a point of its course.
func (r *Rooms) notes() {
	x := r.stood()
	r.Board = x
	if n := float64(r.Counts.Units); x.LogZ != nil && x.SE != nil && n > 0 {
		r.pass(state.RoomPoint{Units: n, LogZ: *x.LogZ, SE: *x.SE})
	}
}

// pass adds a point to the course of the estimate, of which some hundred stay.
func (r *inRoom) pass(x state.RoomPoint) {
	if n := len(r.Course); n > 0 && r.Course[n-1].Units >= x.Units {
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
