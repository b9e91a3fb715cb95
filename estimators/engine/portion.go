package engine

import (
	"slices"

	"logzlab/estimators"
)

// Portion is some lanes of one round of a run, for example the lanes computed by one device of a room.
type Portion struct {
	track *track
	round *estimators.Round
	lanes map[int][]byte // their partials
}

// Add takes a finished unit; one of another round begins a new portion, one that belongs to no method is left out.
func (p *Portion) Add(k *Task) {
	if len(k.track.methods) == 0 {
		return
	}
	if p.round != k.round {
		*p = Portion{k.track, k.round, map[int][]byte{}}
	}
	p.lanes[k.Unit.Lane] = k.Unit.Partial
}

// Result is what these lanes alone give for a method, while their round goes on; nil where they give nothing.
func (p *Portion) Result(method string) (r *estimators.Result) {
	t := p.track
	if t == nil || t.finished || t.m == nil || t.round != p.round {
		return nil
	}
	at := slices.Index(t.methods, method)
	if at < 0 {
		return nil
	}
	defer func() {
		if recover() != nil { // too few for a method that needs them all
			r = nil
		}
	}()
	partials := make([][]byte, p.round.Lanes)
	for lane, b := range p.lanes {
		partials[lane] = b
	}
	if all := t.m.Estimate(partials); at < len(all) {
		return all[at]
	}
	return nil
}

// Replicate is the number of the unit's replicate, -1 if it belongs to none.
func (k *Task) Replicate() int {
	if len(k.track.methods) == 0 {
		return -1
	}
	return k.track.replicate
}

// Replicates are the results of a method's replicates in order, nil where one is not finished.
func (j *Job) Replicates(method string) []*estimators.Result {
	out := make([]*estimators.Result, j.Spec.Replicates)
	for _, t := range j.methods() {
		if at := slices.Index(t.methods, method); at >= 0 && at < len(t.final) && t.replicate < len(out) {
			out[t.replicate] = t.final[at]
		}
	}
	return out
}
