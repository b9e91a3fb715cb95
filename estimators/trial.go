package estimators

import (
	"iter"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/stats"
	"logzlab/models"
)

// trialled is a method that forms a model of which some samples can be drawn, about, in a round of their own that comes
// first. They depend on the model alone, not on the seed. If the parameters ask for it, the model is then formed along
// the sequence that fits them: it is fixed before the run, so E[Zhat] = Z holds as for any other sequence. In any case
// the samples that are annealed have importance weights, and these give a second log Z for the verdict. No digit of the
// estimate depends on it, and it is left out where it would take more than opinionShare of the run.
type trialled struct {
	Method
	f     *former
	model models.Fillable
	logw  []float64 // of the annealed samples, nil: not yet known
}

// Rounds before the run.
const (
	workTrial   Work = iota + 1 // all samples
	workOpinion                 // the annealed ones
)

// opinionShare is the part of a run's time that its second opinion may take.
const opinionShare = .25

// onSamples is m, the run of f, with a trial first, or a part of one, where there is any use for it.
func (f *former) onSamples(m Method) Method {
	model, ok := f.Model.(models.Fillable)
	if t := (&trialled{Method: m, f: f, model: model}); ok && (f.trial != nil || t.time() <= opinionShare*m.Need().Time) {
		return t
	}
	return m
}

func (t *trialled) Next(partials, states [][]byte) (*Round, error) {
	switch {
	case t.logw != nil:
		return t.Method.Next(partials, states)
	case partials != nil:
		for _, p := range partials {
			r := frame.Reader{B: p}
			t.logw = append(t.logw, r.Floats()...)
			must(&r)
			if t.f.trial != nil {
				t.f.samples = append(t.f.samples, r.B)
			}
		}
		return t.Method.Next(nil, nil)
	case t.f.trial == nil:
		return &Round{Name: "trial", Work: workOpinion, Lanes: models.TrialLanes / models.TrialAnnealed,
			Cache: "second opinion", Time: t.time()}, nil
	}
	return &Round{Name: "trial", Work: workTrial, Lanes: models.TrialLanes, Cache: "trial", Time: t.time()}, nil
}

func (t *trialled) Lane(u *Unit) iter.Seq[*frame.Frame] {
	lane := u.Lane
	switch u.Work {
	case workOpinion:
		lane *= models.TrialAnnealed
	case workTrial:
	default:
		return t.Method.Lane(u)
	}
	return func(yield func(*frame.Frame) bool) {
		samples, logw := t.model.Trial(lane)
		var w frame.Writer
		w.Floats(logw)
		if yield(&frame.Frame{Model: t.f.Model.Info().Name, Phase: u.Round, Step: 1, Steps: 1}) {
			u.Partial = slices.Concat(w.B, samples)
		}
	}
}

func (t *trialled) Estimate(peeked [][]byte) []*Result {
	if t.logw == nil {
		return nil
	}
	results := t.Method.Estimate(peeked)
	for _, r := range results {
		w := stats.LogWeights(t.logw)
		r.diagnose(DiagLogZAnnealed, w.LogMean+t.f.Model.LogZ0())
		r.diagnose(DiagLogZAnnealedSE, w.SE)
		r.diagnose(DiagESSAnnealed, w.ESS)
		r.diagnose(DiagVarAnnealed, w.VarLog)
	}
	return results
}
