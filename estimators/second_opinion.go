package estimators

import (
	"iter"
	"maps"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/wire"
)

// WithSecondOpinion is a run followed by a second run on the same model, with its own random numbers: annealed
// importance sampling (AIS) after a run that grows the model; for the method auto, annealing after tempering or tempering
// after annealing. The second run affects the verdict, and the hash of auto, but not the estimate.
type WithSecondOpinion struct {
	Method
	Opinion        Method
	AddDiagnostics func(r, opinion *Result) // adds the opinion's findings to a result
	started, done  bool                     // the rounds of Opinion have begun, have ended

	// Resize makes the second run for a first run whose sweeps have grown by a factor over the plan; nil: Opinion does
	// not depend on the growth.
	Resize          func(growth float64) (Method, error)
	Planned, Growth float64 // planned sweeps of the first run; the growth that Opinion was made for
}

// OpinionRound is the name of rounds of a second opinion.
const OpinionRound = "second opinion"

// opinionMark is the bit in the lane kind of the second run's rounds.
const opinionMark Work = 1 << 8

// maxGrowth is an upper bound of the growth of any run.
const maxGrowth = 1e9

// opinionTick is the number of sweeps between two progress frames. Slow motion waits at each frame.
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
		r.Name, r.Work, r.Plan = OpinionRound, r.Work|opinionMark, append(w.B, r.Plan...)
	}
	return r, err
}

// SizeFor makes the second run for a first run whose sweeps have grown by a factor.
func (a *WithSecondOpinion) SizeFor(growth float64) (err error) {
	if growth != a.Growth {
		a.Growth = growth
		a.Opinion, err = a.Resize(growth)
	}
	return err
}

// Lane runs a lane of either run. Lanes of the second run yield progress only, as their pictures would not show the run.
func (a *WithSecondOpinion) Lane(u *Unit) iter.Seq[*frame.Frame] {
	if u.Work&opinionMark == 0 {
		return a.Method.Lane(u)
	}
	plan := wire.Reader{B: u.Plan}
	growth := plan.Float()
	MustDecode(&plan)
	CorruptIf(growth != a.Growth && (a.Resize == nil || !(growth >= 0 && growth <= maxGrowth)))
	if err := a.SizeFor(growth); err != nil {
		panic(err)
	}
	return WithoutPictures(a.Opinion, u, opinionMark, plan.B)
}

// WithoutPictures runs a lane of m, which is a step of another run, and yields frames with progress only. mark is the bit
// that the other run has added to the lane kind; plan is the plan without the prefix of the other run.
func WithoutPictures(m Method, u *Unit, mark Work, plan []byte) iter.Seq[*frame.Frame] {
	return func(yield func(*frame.Frame) bool) {
		v := *u
		v.Work, v.Plan = v.Work&^mark, plan
		v.Watched, v.Snapshots = false, false
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
		with := *r // a copy, as the run returns the same result again
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
	return a.Method.Need().Then(a.Opinion.Need())
}
