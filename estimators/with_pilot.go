package estimators

import (
	"iter"
	"maps"

	"logzlab/core/frame"
	"logzlab/core/schedule"
	"logzlab/core/wire"
)

// Maker makes a run from a configuration.
type Maker = func(Config) (Method, error)

// WithPilot is a run that begins with a pilot: another, cheap run with its own random numbers, from whose findings the
// run is made. A pilot learns a schedule, or draws samples that the base is fitted to.
type WithPilot struct {
	Pilot          Method
	Name           string                             // of the pilot's rounds
	Mark           Work                               // marks the Work of the pilot's rounds
	Learn          func() []byte                      // encodes the pilot's findings after its last round
	Begin          func(found []byte) (Method, error) // makes the run from the findings
	Look           func([][]byte) *schedule.PathStats // findings of a running pilot, for pictures; may be nil
	AddDiagnostics func(r *Result)                    // adds the pilot's findings to a result; may be nil
	Run            Method                             // the run; a preliminary version until the pilot is over
	found          []byte                             // the findings, which every lane of the run needs
	over           bool
}

// Marks of pilots. Second opinions have the mark workOpinion.
const (
	WorkPilot Work = 1 << 9
	WorkRefit Work = 1 << 10
)

func (o *WithPilot) Next(partials, states [][]byte) (*Round, error) {
	if !o.over {
		r, err := o.Pilot.Next(partials, states)
		if err != nil || r != nil {
			if r != nil {
				r.Name, r.Work = o.Name, r.Work|o.Mark
			}
			return r, err
		}
		o.over, partials, states = true, nil, nil
		if err := o.start(o.Learn()); err != nil {
			return nil, err
		}
	}
	r, err := o.Run.Next(partials, states)
	if err != nil || r == nil {
		return nil, err
	}
	var w wire.Writer
	w.Bytes(o.found)
	r.Plan = append(w.B, r.Plan...)
	return r, nil
}

func (o *WithPilot) start(found []byte) (err error) {
	o.found = found
	o.Run, err = o.Begin(found)
	return err
}

func (o *WithPilot) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		lane, plan, work := o.Pilot.Lane, u.Plan, u.Work
		defer func() { u.Plan, u.Work = plan, work }()
		if u.Work &^= o.Mark; u.Work == work {
			r := wire.Reader{B: plan}
			found := r.Bytes()
			MustDecode(&r)
			if string(found) != string(o.found) { // in a worker, which does not call Next
				if err := o.start(found); err != nil {
					panic(err)
				}
			}
			lane, u.Plan = o.Run.Lane, r.B
		}
		for f := range lane(u) {
			if !yield(f) {
				return
			}
		}
	}
}

// Estimate adds the cost and findings of the pilot to the results of the run.
func (o *WithPilot) Estimate(peeked [][]byte) []*Result {
	if !o.over {
		return nil
	}
	results := o.Run.Estimate(peeked)
	if results == nil {
		return nil
	}
	out := make([]*Result, len(results))
	for i, r := range results {
		with := *r // the run may return the same result again
		with.Diagnostics = maps.Clone(r.Diagnostics)
		with.Sweeps += o.Pilot.Sweeps()
		if o.AddDiagnostics != nil {
			o.AddDiagnostics(&with)
		}
		out[i] = &with
	}
	return out
}

func (o *WithPilot) Sweeps() float64 { return o.Pilot.Sweeps() + o.Run.Sweeps() }

func (o *WithPilot) Need() Need { return o.Run.Need().And(o.Pilot.Need()) }

// Piloted is a run that may begin with a pilot and reports its findings while it runs.
type Piloted interface {
	Found(partials [][]byte) *schedule.PathStats
}

// Found returns the findings of the pilot's finished chains, for pictures; nil if there are none yet, and after the
// pilot.
func (o *WithPilot) Found(partials [][]byte) *schedule.PathStats {
	if !o.over {
		if o.Look == nil {
			return nil
		}
		return o.Look(partials)
	}
	if p, ok := o.Run.(Piloted); ok {
		return p.Found(partials)
	}
	return nil
}
