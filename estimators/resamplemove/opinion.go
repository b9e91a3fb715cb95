package resamplemove

import (
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// Sizes of a second opinion. Its number of temperatures is the largest power of two with which it takes at most
// opinionShare of the planned time of the run. If that is below opinionLeast, there is no second opinion.
const (
	opinionChains = 128
	opinionLeast  = 128
	opinionMost   = 1024
	opinionShare  = .2
)

// withOpinion adds a second opinion to m, the run of f, if there is time for it. Auxiliary runs have none.
func (f *resampleMove) withOpinion(m estimators.Method) (estimators.Method, error) {
	if f.Auxiliary {
		return m, nil
	}
	limit := opinionShare * models.RoundTime(m.Need().Time)
	var opinion estimators.Method
	for k := opinionLeast; k <= opinionMost; k *= 2 {
		c := f.Config
		c.Key[0]++
		c.Auxiliary = true
		c.Readers = []estimators.Reader{{Info: anneal.ForwardAIS}}
		ladder, err := schedule.Make("linear", k, nil)
		if err != nil {
			return nil, err
		}
		longer := anneal.Along(c, ladder, opinionChains, 1)
		if models.RoundTime(longer.Need().Time) > limit {
			break
		}
		opinion = longer
	}
	if opinion == nil {
		return m, nil
	}
	return &estimators.WithSecondOpinion{Method: m, Opinion: opinion, AddDiagnostics: addAnnealed, Growth: 1}, nil
}

// addAnnealed adds the results of annealing to the diagnostics.
func addAnnealed(r, o *estimators.Result) {
	r.Diagnose(estimators.DiagLogZAnnealed, o.LogZ)
	r.Diagnose(estimators.DiagLogZAnnealedSE, o.SE)
	r.Diagnose(estimators.DiagESSAnnealed, o.Diagnostics[estimators.DiagESS])
	r.Diagnose(estimators.DiagVarAnnealed, o.Diagnostics[estimators.DiagVarLogWeight])
}
