package render

import "logzlab/core/frame"

// lastLadder is the newest ladder of a method that has what is asked for, nil if there is none.
func (p *Run) lastLadder(method string, has func(*frame.Ladder) bool) *frame.Ladder {
	for i := len(p.ladders) - 1; i >= 0; i-- {
		if l := &p.ladders[i]; l.Method == method && has(l) {
			return l
		}
	}
	return nil
}

// pickLadder picks a wall among those of methods with such a ladder, and the newest such ladder of its method; before
// rows have come there are no walls, but there may be a ladder.
func (p *Run) pickLadder(has func(*frame.Ladder) bool) (w *wall, among []*wall, l *frame.Ladder) {
	w, among = p.pick(func(w *wall) bool { return p.lastLadder(w.method, has) != nil })
	if w != nil {
		return w, among, p.lastLadder(w.method, has)
	}
	for i := range p.ladders {
		if has(&p.ladders[i]) {
			l = &p.ladders[i]
		}
	}
	return w, among, l
}

// travel is that of the run that the method on show reads, else the newest one that has something to show.
func (p *Run) travel(has func(*frame.Travel) bool) (found *frame.Travel) {
	best := -1
	for i := range p.travels {
		t := &p.travels[i]
		if !has(t) {
			continue
		}
		rank := 0
		for k, want := range [...]string{p.active, p.chosen} {
			if indexOf(t.Methods, want) >= 0 {
				rank = k + 1
			}
		}
		if rank > best {
			found, best = t, rank
		}
	}
	return found
}

// betas are the inverse temperatures of a run's rungs, nil if they are not known.
func (p *Run) betas(t *frame.Travel) (beta []float64) {
	for i := range p.ladders {
		if l := &p.ladders[i]; indexOf(t.Methods, l.Method) >= 0 {
			beta = l.Beta
		}
	}
	return beta
}
