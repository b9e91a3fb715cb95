package estimators

import (
	"iter"
	"maps"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/wire"
)

// WithSecondOpinion is a run followed by a second opinion on the same model, with random numbers of its own: annealed
// importance sampling (AIS) where a run forms the model, for auto whichever of annealing and tempering the run
// is not. The verdict depends on the opinion, and of auto the hash; no digit of the estimate does.
type WithSecondOpinion struct {
	Method
	Opinion        Method
	AddDiagnostics func(r, opinion *Result) // adds what the opinion found to a result
	started, done  bool                     // its rounds have begun, are over

	// Resize makes the opinion on a run that has grown to so many times its planned sweeps; nil: Opinion serves any run.
	Resize          func(growth float64) (Method, error)
	Planned, Growth float64 // sweeps of the run without the opinion; what the opinion is made for
}

// OpinionRound is the name of rounds of a second opinion.
const OpinionRound = "second opinion"

// workOpinion is added to the work of the opinion's rounds.
const workOpinion Work = 1 << 8

// mostGrowth is more than any run grows.
const mostGrowth = 1e9

// opinionTick is the number of sweeps from one sign of progress to the next: slow motion waits at each.
const opinionTick = 32

func (a *WithSecondOpinion) Next(partials, states [][]byte) (*Round, error) {
	if !a.started {
		if r, err := a.Method.Next(partials, states); r != nil || err != nil {
			return r, err
		}
		a.started, partials, states = true, nil, nil
		if a.Resize != nil {
			if err := a.SizeFor(a.Method.Sweeps() / a.Planned); err != nil {
				return nil, err
			}
		}
	}
	r, err := a.Opinion.Next(partials, states)
	if a.done = r == nil; r != nil {
		var w wire.Writer
		w.Float(a.Growth)
		r.Name, r.Work, r.Plan = OpinionRound, r.Work|workOpinion, append(w.B, r.Plan...)
	}
	return r, err
}

// SizeFor makes the opinion for a run that has grown.
func (a *WithSecondOpinion) SizeFor(growth float64) (err error) {
	if growth != a.Growth {
		a.Growth = growth
		a.Opinion, err = a.Resize(growth)
	}
	return err
}

// Lane shows progress of the opinion without pictures, which would not be those of the run.
func (a *WithSecondOpinion) Lane(u *Unit) iter.Seq[*frame.Frame] {
	if u.Work&workOpinion == 0 {
		return a.Method.Lane(u)
	}
	plan := wire.Reader{B: u.Plan}
	growth := plan.Float()
	MustDecode(&plan)
	CorruptIf(growth != a.Growth && (a.Resize == nil || !(growth >= 0 && growth <= mostGrowth)))
	if err := a.SizeFor(growth); err != nil {
		panic(err)
	}
	return Unseen(a.Opinion, u, workOpinion, plan.B)
}

// Unseen is a lane of a run that serves another run: it shows progress and no pictures. mark is what the other run
// added to the work of the round, plan the plan without what it added.
func Unseen(m Method, u *Unit, mark Work, plan []byte) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		v := *u
		v.Work, v.Plan = v.Work&^mark, plan
		v.Watched, v.Film = false, false
		show := frame.Frame{Phase: u.Round}
		for f := range m.Lane(&v) {
			show.Model, show.Step, show.Steps = f.Model, f.Step, f.Steps
			if f.Step%opinionTick == 0 && !yield(&show) {
				return
			}
		}
		u.State, u.Partial = v.State, v.Partial
	}
}

func (a *WithSecondOpinion) Estimate(peeked [][]byte) []*Result {
	if !a.started {
		return a.Method.Estimate(peeked)
	}
	results := a.Method.Estimate(nil)
	if !a.done {
		for _, r := range results {
			r.Doing = OpinionRound
		}
		return results
	}
	o, results := a.Opinion.Estimate(nil)[0], slices.Clone(results)
	for i, r := range results {
		with := *r // a run gives the same result again
		with.Diagnostics = maps.Clone(r.Diagnostics)
		with.Sweeps += o.Sweeps
		with.Evaluations += o.Evaluations
		a.AddDiagnostics(&with, o)
		results[i] = &with
	}
	return results
}

func (a *WithSecondOpinion) Sweeps() float64 { return a.Method.Sweeps() + a.Opinion.Sweeps() }

func (a *WithSecondOpinion) Need() Need {
	return a.Method.Need().And(a.Opinion.Need())
}
