package forming

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/models"
)

// onRough is a method that first draws some samples of the model, about, in a round of their own, and then forms the
// model along the sequence that fits them. They depend on the model alone, not on the seed, so the sequence is fixed
// before the run: E[Zhat] = Z holds as for any other sequence.
type onRough struct {
	estimators.Method
	f *former
}

// workRough is the round of samples.
const workRough estimators.Work = 1

// onSamples is m, the run of f, on rough samples first if its parameters ask for them.
func (f *former) onSamples(m estimators.Method) estimators.Method {
	if f.rough == nil {
		return m
	}
	return &onRough{m, f}
}

func (t *onRough) Next(partials, states [][]byte) (*estimators.Round, error) {
	switch {
	case t.f.samples != nil:
		return t.Method.Next(partials, states)
	case partials != nil:
		t.f.samples = partials
		return t.Method.Next(nil, nil)
	}
	return &estimators.Round{Name: "rough samples", Work: workRough, Lanes: models.RoughLanes, Cache: "rough samples",
		Time: t.time()}, nil
}

func (t *onRough) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
	if u.Work != workRough {
		return t.Method.Lane(u)
	}
	return func(yield func(*frame.Frame) bool) {
		samples := t.f.rough.RoughSamples(u.Lane)
		if yield(&frame.Frame{Model: t.f.Model.Info().Name, Phase: u.Round, Step: 1, Steps: 1}) {
			u.Partial = samples
		}
	}
}

func (t *onRough) Estimate(peeked [][]byte) []*estimators.Result {
	if t.f.samples == nil {
		return nil
	}
	return t.Method.Estimate(peeked)
}
