// Package record keeps the state of a run that all scenes share: the newest particles of each method, their history by
// temperature or stage, the estimates so far, and the position in this history that is shown. It also draws the parts
// that several scenes have: the names of the methods, the bar of inverse temperatures, and the column of log Z.
//
// Files in reading order:
//
//  1. run.go: Run and the frames that it takes; particles.go, history.go: the newest particles and their history
//  2. scrubber.go: the temperature that is shown; level.go: the column of log Z; header.go: names of methods
//  3. island.go, moment.go, descent.go: particles that are weighted, resampled or generated stage by stage, and their
//     genealogy; playback.go: their record, phase by phase; position.go: the position of a film in all records
//  4. flows.go, flow_record.go: particle filters; functions.go: random functions; leader.go: the lane that is shown
//  5. ladders.go: estimates by rung; numbers.go: formats of numbers
//
// Package record must not import the packages of the scenes.
package record

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
)

// Run is the state of a run that all scenes share: the newest particles of each method, their history by temperature
// or stage, the estimates so far, and the choices of the viewer. The zero value is a run without frames.
type Run struct {
	Particles []*Particles
	Curves    []frame.Curve
	Truth     float64
	HasTruth  bool
	Methods   []string // in the order of colours and marks
	Ladders   []frame.Ladder
	travels   []frame.Travel
	Graph     bool // particles are states of a graph's variables

	Focus    string       // method whose number the page shows
	Chosen   string       // method selected by the viewer, "" for the active one
	Active   string       // method that is running
	idle     int          // frames of other methods since the last one of Active
	Now      float64      // in seconds; fixed in tests
	State    runstate.Run // of the run
	Scrubber scrubber
}

// maxIdle is the number of frames of other methods after which another method becomes the active one, so that two
// methods that run in turns do not flicker.
const maxIdle = 24

// updateActive updates the active method after a frame of method.
func (p *Run) updateActive(method string) {
	switch {
	case p.Active == method:
		p.idle = 0
	case p.Active == "" || p.idle >= maxIdle:
		p.Active, p.idle = method, 0
	default:
		p.idle++
	}
}

// Pick returns in among the particles of all methods for which accepts is true, and in w the particles to show: those of
// the method selected by the viewer if among contains them, else those of the active method, else the first. If among is
// empty, w is nil.
func (p *Run) Pick(accepts func(*Particles) bool) (w *Particles, among []*Particles) {
	for _, m := range p.Methods {
		for _, v := range p.Particles {
			if v.Method == m && accepts(v) {
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

// Clear discards all frames. The choices of the viewer are kept.
func (p *Run) Clear() {
	*p = Run{Chosen: p.Chosen, Focus: p.Focus, State: p.State, Now: p.Now,
		Scrubber: scrubber{InitialBeta: p.Scrubber.InitialBeta}}
}

// Take adds a frame. It keeps slices of f, which the caller must not change afterwards.
func (p *Run) Take(f *frame.Frame) {
	if len(f.Curves) > 0 {
		// The sender lists the methods in the order of the page.
		var order []string
		for _, c := range f.Curves {
			order = append(order, c.Method)
		}
		for _, m := range p.Methods {
			if !slices.Contains(order, m) {
				order = append(order, m)
			}
		}
		p.Methods = order
		p.Curves = f.Curves
	}

	// The other data of a frame replace those of earlier frames.
	if len(f.Curves) > 0 || f.HasTruth {
		p.Truth, p.HasTruth = f.Truth, f.HasTruth && math.Abs(f.Truth) <= MaxLogZ
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

	if !slices.Contains(p.Methods, f.Method) {
		p.Methods = append(p.Methods, f.Method)
	}
	p.updateActive(f.Method)
	i := slices.IndexFunc(p.Particles, func(w *Particles) bool { return w.Method == f.Method })
	if i < 0 {
		i = len(p.Particles)
		p.Particles = append(p.Particles, &Particles{Method: f.Method})
	}
	if f.N > 0 {
		p.Particles[i].takeRows(f, p.Now)
	}
	if f.Growth != nil {
		p.Particles[i].TakeGrowth(f, p.Now)
	} else if f.Latent != nil {
		p.Particles[i].takeLatent(f, p.Now)
	}
}

// HasRows reports whether a frame contains particles that can be shown.
func HasRows(f *frame.Frame) bool {
	switch {
	case f.Training != nil, len(f.Pixels) > 0 && f.W*f.H == 0:
		return false
	case f.Growth != nil, f.Latent != nil:
		return true
	}
	return f.N > 0 && (len(f.Pixels) > 0 || len(f.Points) > 0 || len(f.Rung) > 0)
}

// MethodIndex returns the index of a method in Methods, 0 if it is not there.
func (p *Run) MethodIndex(method string) int { return max(slices.Index(p.Methods, method), 0) }
