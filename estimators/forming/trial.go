package forming

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/models"
)

// trialled is a method that first draws some samples of the model, about, in a round of their own, and then forms the
// model along the sequence that fits them. They depend on the model alone, not on the seed, so the sequence is fixed
// before the run: E[Zhat] = Z holds as for any other sequence.
type trialled struct {
	estimators.Method
	f *former
}

// workTrial is the round of samples.
const workTrial estimators.Work = 1

// onSamples is m, the run of f, with a trial first if its parameters ask for one.
func (f *former) onSamples(m estimators.Method) estimators.Method {
	if f.trial == nil {
		return m
	}
	return &trialled{m, f}
}

func (t *trialled) Next(partials, states [][]byte) (*estimators.Round, error) {
	switch {
	case t.f.samples != nil:
		return t.Method.Next(partials, states)
	case partials != nil:
		t.f.samples = partials
		return t.Method.Next(nil, nil)
	}
	return &estimators.Round{Name: "trial", Work: workTrial, Lanes: models.RoughLanes, Cache: "trial", Time: t.time()}, nil
}

func (t *trialled) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	if u.Work != workTrial {
		return t.Method.Lane(u)
	}
	return func(yield func(*frame.Frame) bool) {
		samples := t.f.trial.RoughSamples(u.Lane)
		if yield(&frame.Frame{Model: t.f.Model.Info().Name, Phase: u.Round, Step: 1, Steps: 1}) {
			u.Partial = samples
		}
	}
}

func (t *trialled) Estimate(peeked [][]byte) []*estimators.Result {
	if t.f.samples == nil {
		return nil
	}
	return t.Method.Estimate(peeked)
}
