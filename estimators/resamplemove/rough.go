package resamplemove

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/estimators"
	"logzlab/models"
)

// withRoughSamples is a run that first draws rough samples of the target, in a round of their own, and goes through the
// sequence of densities that is fitted to them. The samples depend on the model alone, not on the seed, so the sequence
// is fixed before the run and E[Zhat] = Z holds as for any other sequence.
type withRoughSamples struct {
	estimators.Method
	f *resampleMove
}

// workRough is the kind of the lanes that draw the samples.
const workRough estimators.Work = 1

// beginWithSamples makes m, the run of f, begin with rough samples if its parameters require them.
func (f *resampleMove) beginWithSamples(m estimators.Method) estimators.Method {
	if f.rough == nil {
		return m
	}
	return &withRoughSamples{m, f}
}

func (t *withRoughSamples) Next(partials, states [][]byte) (*estimators.Round, error) {
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

func (t *withRoughSamples) Lane(u *estimators.Unit) iter.Seq[*frame.Frame] {
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

func (t *withRoughSamples) Estimate(peeked [][]byte) []*estimators.Result {
	if t.f.samples == nil {
		return nil
	}
	return t.Method.Estimate(peeked)
}
