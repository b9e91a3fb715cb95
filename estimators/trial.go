package estimators

import (
	"iter"

	"logzlab/core/frame"
	"logzlab/models"
)

// trialled is a method that forms a model along a sequence which suits samples of the model: a first round draws them,
// by annealing. They depend on the model alone, not on the seed, so the sequence is fixed before the run: E[Zhat] = Z
// holds as for any other sequence.
type trialled struct {
	Method
	f *former
	m models.Fillable
}

// workTrial is the round of samples.
const workTrial Work = 1

// onSamples is m, the run of f, with a trial first if its parameters ask for one.
func (f *former) onSamples(m Method) Method {
	if fill, ok := f.Model.(models.Fillable); ok && f.Values["absent"] == models.Sampled {
		return &trialled{m, f, fill}
	}
	return m
}

func (t *trialled) Next(partials, states [][]byte) (*Round, error) {
	switch {
	case t.f.samples != nil:
		return t.Method.Next(partials, states)
	case partials != nil:
		t.f.samples = partials
		return t.Method.Next(nil, nil)
	}
	return &Round{Name: "trial", Work: workTrial, Lanes: models.TrialLanes, Cache: "trial", Time: t.time()}, nil
}

func (t *trialled) Lane(u *Unit) iter.Seq[*frame.Frame] {
	if u.Work != workTrial {
		return t.Method.Lane(u)
	}
	return func(yield func(*frame.Frame) bool) {
		samples := t.m.Trial(u.Lane)
		if yield(&frame.Frame{Model: t.f.Model.Info().Name, Phase: u.Round, Step: 1, Steps: 1}) {
			u.Partial = samples
		}
	}
}

func (t *trialled) Estimate(peeked [][]byte) []*Result {
	if t.f.samples == nil {
		return nil
	}
	return t.Method.Estimate(peeked)
}
