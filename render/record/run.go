// Package record keeps what all scenes know of a run: the newest particles of each method, how they looked at earlier
// temperatures or stages, the estimates so far, and the place in this record that is on show. It also draws what several
// scenes have: the names of the methods, the bar of temperatures, and the column of log Z.
//
// Files in reading order:
//
//  1. run.go: Run and the frames that it takes; particles.go, history.go: the newest particles and their past
//  2. scrubber.go: the temperature on show; level.go: the column of log Z; header.go: names of methods
//  3. island.go, moment.go, descent.go: particles that are weighed, resampled or formed stage by stage, and their family
//     tree; playback.go: their record phase by phase; position.go: where in all records a film is
//  4. flows.go, flow_record.go: particle filters; functions.go: random functions; leader.go: the lane on show
//  5. ladders.go: estimates by rung; numbers.go: how numbers are written
//
// It must not know which scenes there are.
package record

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
)

// Run is what all scenes know of a run: the newest particles of each method, how they looked at earlier temperatures or
// stages, the estimates so far, and which method and which part of the record the viewer chose. The zero value is a run
// without frames.
type Run struct {
	Particles []*Particles
	Curves    []frame.Curve
	Truth     float64
	HasTruth  bool
	Methods   []string // order of colours and marks
	Ladders   []frame.Ladder
	travels   []frame.Travel
	Graph     bool // particles are states of a graph's variables

	Focus    string       // method whose number the page shows
	Chosen   string       // method the viewer tapped, "" for the one under way
	Active   string       // method under way
	idle     int          // frames of others since the last one of active
	Now      float64      // seconds; stands still in tests
	State    runstate.Run // what the run does
	Scrubber scrubber
}

// patience is the number of frames of other methods after which another method counts as the one under way: two
// methods that take turns must not flicker.
const patience = 24

// noteMethod keeps track of the method under way.
func (p *Run) noteMethod(method string) {
	switch {
	case p.Active == method:
		p.idle = 0
	case p.Active == "" || p.idle >= patience:
		p.Active, p.idle = method, 0
	default:
		p.idle++
	}
}

// Pick returns the particles of the method to show, among the methods for which has is true: those of the method chosen,
// else of the one under way, else of the first; and those of all these methods.
func (p *Run) Pick(has func(*Particles) bool) (w *Particles, among []*Particles) {
	for _, m := range p.Methods {
		for _, v := range p.Particles {
			if v.Method == m && has(v) {
				among = append(among, v)
			}
		}
	}
	for _, want := range [...]string{p.Chosen, p.Active} {
		for _, v := range among {
			if v.Method == want {
				return v, among
			}
		}
	}
	if len(among) > 0 {
		w = among[0]
	}
	return w, among
}

// Clear forgets all frames; what the viewer chose stays.
func (p *Run) Clear() {
	*p = Run{Chosen: p.Chosen, Focus: p.Focus, State: p.State, Now: p.Now, Scrubber: scrubber{Opens: p.Scrubber.Opens}}
}

// Take adds a frame; it keeps views into it.
func (p *Run) Take(f *frame.Frame) {
	if len(f.Curves) > 0 {
		// The sender lists the methods in the order of the page: follow it.
		var order []string
		for _, c := range f.Curves {
			order = append(order, c.Method)
		}
		for _, m := range p.Methods {
			if IndexOf(order, m) < 0 {
				order = append(order, m)
			}
		}
		p.Methods = order
		p.Curves = f.Curves
	}

	// Whatever else the frame brings replaces what was known.
	if len(f.Curves) > 0 || f.HasTruth {
		p.Truth, p.HasTruth = f.Truth, f.HasTruth && math.Abs(f.Truth) <= Largest
	}
	if len(f.Ladders) > 0 {
		p.Ladders = f.Ladders
	}
	if len(f.Travels) > 0 {
		p.travels = f.Travels
	}
	p.Graph = p.Graph || f.Graph != nil
	if !HasRows(f) {
		return
	}

	// Particles of a method.
	if IndexOf(p.Methods, f.Method) < 0 {
		p.Methods = append(p.Methods, f.Method)
	}
	p.noteMethod(f.Method)
	i := slices.IndexFunc(p.Particles, func(w *Particles) bool { return w.Method == f.Method })
	if i < 0 {
		i = len(p.Particles)
		p.Particles = append(p.Particles, &Particles{Method: f.Method})
	}
	if f.N > 0 {
		p.Particles[i].takeRows(f, p.Now)
	}
	if f.Growth != nil {
		p.Particles[i].Grow(f, p.Now)
	} else if f.Latent != nil {
		p.Particles[i].look(f, p.Now)
	}
}

// HasRows reports whether a frame brings particles that can be shown.
func HasRows(f *frame.Frame) bool {
	switch {
	case f.Training != nil, len(f.Pixels) > 0 && f.W*f.H == 0:
		return false
	case f.Growth != nil, f.Latent != nil:
		return true
	}
	return f.N > 0 && (len(f.Pixels) > 0 || len(f.Points) > 0 || len(f.Rung) > 0)
}

// Order is the place of a method in the list of methods.
func (p *Run) Order(method string) int { return max(IndexOf(p.Methods, method), 0) }

func IndexOf(list []string, s string) int {
	for i, v := range list {
		if v == s {
			return i
		}
	}
	return -1
}
