package record

import (
	"slices"

	"logzlab/core/frame"
)

// LastLadder returns the newest ladder of a method for which accepts is true, nil if there is none.
func (p *Run) LastLadder(method string, accepts func(*frame.Ladder) bool) *frame.Ladder {
	for i := len(p.Ladders) - 1; i >= 0; i-- {
		if l := &p.Ladders[i]; l.Method == method && accepts(l) {
			return l
		}
	}
	return nil
}

// PickLadder calls Pick for the methods that have a ladder for which accepts is true. It returns the particles of the
// picked method, those of all these methods, and the newest accepted ladder of the picked method. If no such method has
// particles yet, w is nil and l is the newest accepted ladder of any method, nil if there is none.
func (p *Run) PickLadder(accepts func(*frame.Ladder) bool) (w *Particles, among []*Particles, l *frame.Ladder) {
	w, among = p.Pick(func(w *Particles) bool { return p.LastLadder(w.Method, accepts) != nil })
	if w != nil {
		return w, among, p.LastLadder(w.Method, accepts)
	}
	for i := range p.Ladders {
		if accepts(&p.Ladders[i]) {
			l = &p.Ladders[i]
		}
	}
	return w, among, l
}

// Travel returns the first record of round trips for which accepts is true, preferring the method chosen by the viewer
// and then the active method. It is nil if there is none.
func (p *Run) Travel(accepts func(*frame.Travel) bool) (found *frame.Travel) {
	bestRank := -1
	for i := range p.travels {
		t := &p.travels[i]
		if !accepts(t) {
			continue
		}
		rank := 0
		for k, want := range [...]string{p.Active, p.Chosen} {
			if slices.Contains(t.Methods, want) {
				rank = k + 1
			}
		}
		if rank > bestRank {
			found, bestRank = t, rank
		}
	}
	return found
}
