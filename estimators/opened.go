package estimators

import (
	"iter"
	"maps"

	"logzlab/core/frame"
	"logzlab/core/schedule"
)

// maker makes a run.
type maker = func(Config) (Method, error)

// opened is a run that begins with another one, cheap and with random numbers of its own, whose findings it is made of:
// a pilot (pilot.go), or samples that the base is fitted to (refit.go).
type opened struct {
	opening Method
	name    string                             // of its rounds
	mark    Work                               // added to their work
	learn   func() []byte                      // what the opening found, once it is over
	begin   func(found []byte) (Method, error) // makes the run
	look    func([][]byte) *schedule.Pilot     // what an opening under way has found, for pictures; may be nil
	tell    func(r *Result)                    // adds what the opening found to a result; may be nil
	run     Method                             // a guess of it until the opening is over
	found   []byte                             // which every lane of the run needs
	over    bool
}

// Marks of openings. Second opinions have workOpinion.
const (
	workPilot Work = 1 << 9
	workRefit Work = 1 << 10
)

func (o *opened) Next(partials, states [][]byte) (*Round, error) {
	if !o.over {
		r, err := o.opening.Next(partials, states)
		if err != nil || r != nil {
			if r != nil {
				r.Name, r.Work = o.name, r.Work|o.mark
			}
			return r, err
		}
		o.over, partials, states = true, nil, nil
		if err := o.start(o.learn()); err != nil {
			return nil, err
		}
	}
	r, err := o.run.Next(partials, states)
	if err != nil || r == nil {
		return nil, err
	}
	var w frame.Writer
	w.Bytes(o.found)
	r.Plan = append(w.B, r.Plan...)
	return r, nil
}

func (o *opened) start(found []byte) (err error) {
	o.found = found
	o.run, err = o.begin(found)
	return err
}

func (o *opened) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		lane, plan, work := o.opening.Lane, u.Plan, u.Work
		defer func() { u.Plan, u.Work = plan, work }()
		if u.Work &^= o.mark; u.Work == work {
			r := frame.Reader{B: plan}
			found := r.Bytes()
			must(&r)
			if string(found) != string(o.found) { // in a worker, which had no fold
				if err := o.start(found); err != nil {
					panic(err)
				}
			}
			lane, u.Plan = o.run.Lane, r.B
		}
		for f := range lane(u) {
			if !yield(f) {
				return
			}
		}
	}
}

// Estimate adds what the opening cost and found to the results of the run.
func (o *opened) Estimate(peeked [][]byte) []*Result {
	if !o.over {
		return nil
	}
	results := o.run.Estimate(peeked)
	if results == nil {
		return nil
	}
	out := make([]*Result, len(results))
	for i, r := range results {
		with := *r // a run may give the same result again
		with.Diagnostics = maps.Clone(r.Diagnostics)
		with.Sweeps += o.opening.Sweeps()
		if o.tell != nil {
			o.tell(&with)
		}
		out[i] = &with
	}
	return out
}

func (o *opened) Sweeps() float64 { return o.opening.Sweeps() + o.run.Sweeps() }

func (o *opened) Need() Need { return o.run.Need().and(o.opening.Need()) }

// Piloted is a run that may begin with a pilot, and tells what it finds while it goes on.
type Piloted interface {
	Found(partials [][]byte) *schedule.Pilot
}

// Found is what the chains of a pilot that are done have found, for pictures; nil where that is nothing yet, and when
// the pilot is over.
func (o *opened) Found(partials [][]byte) *schedule.Pilot {
	if !o.over {
		if o.look == nil {
			return nil
		}
		return o.look(partials)
	}
	if p, ok := o.run.(Piloted); ok {
		return p.Found(partials)
	}
	return nil
}
