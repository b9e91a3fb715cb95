package estimators

import (
	"iter"
	"maps"
	"slices"

	"logzlab/core/frame"
)

// advised is a run followed by a second opinion on the same model, with random numbers of its own: annealed importance
// sampling (AIS) where a run forms the model, the other road for auto. The verdict depends on it, and of auto the
// hash; no digit of the estimate does.
type advised struct {
	Method
	opinion      Method
	tell         func(r, opinion *Result) // adds what the opinion found to a result
	asked, heard bool                     // its rounds have begun, are over

	// resize is the opinion on a run that has grown to so many times the planned sweeps; nil: the same whatever it did.
	resize          func(growth float64) (Method, error)
	planned, growth float64 // sweeps of the run without the opinion; what the opinion is made for
}

const opinionRound = "second opinion"

// workOpinion is added to the work of the opinion's rounds.
const workOpinion Work = 1 << 8

// Sizes of a second opinion: its temperatures are the highest power of two that keeps it within opinionShare of the
// run's planned time. With fewer of them than opinionLeast it would tell nothing, and a run goes without.
const (
	opinionChains = 128
	opinionLeast  = 128
	opinionMost   = 1024
	opinionShare  = .2
	opinionTick   = 32 // sweeps from one sign of progress to the next: slow motion waits at each
)

func (a *advised) Next(partials, states [][]byte) (*Round, error) {
	if !a.asked {
		if r, err := a.Method.Next(partials, states); r != nil || err != nil {
			return r, err
		}
		a.asked, partials, states = true, nil, nil
		if a.resize != nil {
			if err := a.fit(a.Method.Sweeps() / a.planned); err != nil {
				return nil, err
			}
		}
	}
	r, err := a.opinion.Next(partials, states)
	if a.heard = r == nil; r != nil {
		var w frame.Writer
		w.Float(a.growth)
		r.Name, r.Work, r.Plan = opinionRound, r.Work|workOpinion, append(w.B, r.Plan...)
	}
	return r, err
}

// fit makes the opinion for a run that has grown.
func (a *advised) fit(growth float64) (err error) {
	if growth != a.growth {
		a.growth = growth
		a.opinion, err = a.resize(growth)
	}
	return err
}

// Lane shows progress of the opinion without pictures, which would not be those of the run.
func (a *advised) Lane(u *Unit) iter.Seq[*frame.Frame] {
	if u.Work&workOpinion == 0 {
		return a.Method.Lane(u)
	}
	return func(yield func(*frame.Frame) bool) {
		v := *u
		plan := frame.Reader{B: u.Plan}
		growth := plan.Float()
		must(&plan)
		if err := a.fit(growth); err != nil {
			panic(err)
		}
		v.Work, v.Plan = v.Work&^workOpinion, plan.B
		v.Watched, v.Film = false, false
		show := frame.Frame{Phase: u.Round}
		for f := range a.opinion.Lane(&v) {
			show.Model, show.Step, show.Steps = f.Model, f.Step, f.Steps
			if f.Step%opinionTick == 0 && !yield(&show) {
				return
			}
		}
		u.State, u.Partial = v.State, v.Partial
	}
}

func (a *advised) Estimate(peeked [][]byte) []*Result {
	if !a.asked {
		return a.Method.Estimate(peeked)
	}
	results := a.Method.Estimate(nil)
	if !a.heard {
		for _, r := range results {
			r.Stage = opinionRound
		}
		return results
	}
	o, results := a.opinion.Estimate(nil)[0], slices.Clone(results)
	for i, r := range results {
		with := *r // a run gives the same result again
		with.Diagnostics = maps.Clone(r.Diagnostics)
		with.Sweeps += o.Sweeps
		with.Evaluations += o.Evaluations
		a.tell(&with, o)
		results[i] = &with
	}
	return results
}

func (a *advised) Sweeps() float64 { return a.Method.Sweeps() + a.opinion.Sweeps() }

func (a *advised) Need() Need {
	return a.Method.Need().and(a.opinion.Need())
}
