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

// WithPilot is a run that begins with a pilot: a cheap run with its own random numbers. The main run is made from the
// findings of the pilot: statistics of the path for a schedule, or samples to which the base is fitted.
type WithPilot struct {
	Pilot          Method
	Name           string                                // name of the pilot's rounds
	Mark           Work                                  // bit in the lane kind of the pilot's rounds
	Findings       func() []byte                         // encodes the pilot's findings after its last round
	Begin          func(findings []byte) (Method, error) // makes the main run from the findings
	FoundSoFar     func([][]byte) *schedule.PathStats    // findings of a running pilot, for pictures; may be nil
	AddDiagnostics func(r *Result)                       // adds the pilot's findings to a result; may be nil
	Run            Method                                // the main run; a preliminary version until the pilot has ended
	findings       []byte                                // findings of the pilot, sent to every lane of the main run
	finished       bool
}

// Bits in the lane kind of pilots. The bit of second opinions is in second_opinion.go.
const (
	PilotMark Work = 1 << 9
	RefitMark Work = 1 << 10
)

func (o *WithPilot) Next(partials, states [][]byte) (*Round, error) {
	if !o.finished {
		r, err := o.Pilot.Next(partials, states)
		if err != nil || r != nil {
			if r != nil {
				r.Name, r.Work = o.Name, r.Work|o.Mark
			}
			return r, err
		}
		o.finished, partials, states = true, nil, nil
		if err := o.start(o.Findings()); err != nil {
			return nil, err
		}
	}
	r, err := o.Run.Next(partials, states)
	if err != nil || r == nil {
		return nil, err
	}
	var w wire.Writer
	w.Bytes(o.findings)
	r.Plan = append(w.B, r.Plan...)
	return r, nil
}

func (o *WithPilot) start(findings []byte) (err error) {
	o.findings = findings
	o.Run, err = o.Begin(findings)
	return err
}

func (o *WithPilot) Lane(u *Unit) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		lane, plan, work := o.Pilot.Lane, u.Plan, u.Work
		defer func() { u.Plan, u.Work = plan, work }()
		if u.Work &^= o.Mark; u.Work == work {
			r := wire.Reader{B: plan}
			findings := r.Bytes()
			MustDecode(&r)
			if string(findings) != string(o.findings) { // a worker does not call Next, so it learns the findings from the plan
				if err := o.start(findings); err != nil {
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

// Estimate returns the results of the main run, with the cost and findings of the pilot added; nil during the pilot.
func (o *WithPilot) Estimate(peeked [][]byte) []*Result {
	if !o.finished {
		return nil
	}
	results := o.Run.Estimate(peeked)
	if results == nil {
		return nil
	}
	out := make([]*Result, len(results))
	for i, r := range results {
		with := *r // a copy, as the run may return the same result again
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

func (o *WithPilot) Need() Need { return o.Run.Need().Then(o.Pilot.Need()) }

// Piloted is a run that may begin with a pilot. Found returns the findings of the pilot while it runs, else nil.
type Piloted interface {
	Found(partials [][]byte) *schedule.PathStats
}

// Found returns the path statistics from the finished chains of the pilot, for pictures. It returns nil before the first
// such chain and after the pilot.
func (o *WithPilot) Found(partials [][]byte) *schedule.PathStats {
	if !o.finished {
		if o.FoundSoFar == nil {
			return nil
		}
		return o.FoundSoFar(partials)
	}
	if p, ok := o.Run.(Piloted); ok {
		return p.Found(partials)
	}
	return nil
}
