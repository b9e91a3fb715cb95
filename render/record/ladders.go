package record

import (
	"slices"

	"logzlab/core/frame"
)

// LastLadder returns the newest ladder of a method for which has is true, nil if there is none.
func (p *Run) LastLadder(method string, has func(*frame.Ladder) bool) *frame.Ladder {
	for i := len(p.Ladders) - 1; i >= 0; i-- {
		if l := &p.Ladders[i]; l.Method == method && has(l) {
			return l
		}
	}
	return nil
}

// PickLadder picks the particles of a method with such a ladder, as Pick does, and returns its newest such ladder. A
// ladder can arrive before particles; w is nil then.
func (p *Run) PickLadder(has func(*frame.Ladder) bool) (w *Particles, among []*Particles, l *frame.Ladder) {
	w, among = p.Pick(func(w *Particles) bool { return p.LastLadder(w.Method, has) != nil })
	if w != nil {
		return w, among, p.LastLadder(w.Method, has)
	}
	for i := range p.Ladders {
		if has(&p.Ladders[i]) {
			l = &p.Ladders[i]
		}
	}
	return w, among, l
}

// Travel returns the newest travel for which has is true, preferring the method chosen by the viewer and then the
// active one. It is nil if there is none.
func (p *Run) Travel(has func(*frame.Travel) bool) (found *frame.Travel) {
	best := -1
	for i := range p.travels {
		t := &p.travels[i]
		if !has(t) {
			continue
		}
		rank := 0
		for k, want := range [...]string{p.Active, p.Chosen} {
			if slices.Contains(t.Methods, want) {
				rank = k + 1
			}
		}
		if rank > best {
			found, best = t, rank
		}
	}
	return found
}
