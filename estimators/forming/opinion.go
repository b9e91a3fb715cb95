package forming

import (
	"logzlab/core/schedule"
	"logzlab/estimators"
	"logzlab/estimators/anneal"
	"logzlab/models"
)

// Sizes of a second opinion: its temperatures are the highest power of two that keeps it within opinionShare of the
// run's planned time. With fewer of them than opinionLeast it would tell nothing, and a run goes without.
const (
	opinionChains = 128
	opinionLeast  = 128
	opinionMost   = 1024
	opinionShare  = .2
)

// advise is m, the run of f, with a second opinion if there is time for it; runs that serve another have none.
func (f *former) advise(m estimators.Method) (estimators.Method, error) {
	if f.Auxiliary {
		return m, nil
	}
	limit := opinionShare * models.Rough(m.Need().Time)
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
		if models.Rough(longer.Need().Time) > limit {
			break
		}
		opinion = longer
	}
	if opinion == nil {
		return m, nil
	}
	return &estimators.WithSecondOpinion{Method: m, Opinion: opinion, AddDiagnostics: addAnnealed, Growth: 1}, nil
}

// addAnnealed adds what annealing found.
func addAnnealed(r, o *estimators.Result) {
	r.Diagnose(estimators.DiagLogZAnnealed, o.LogZ)
	r.Diagnose(estimators.DiagLogZAnnealedSE, o.SE)
	r.Diagnose(estimators.DiagESSAnnealed, o.Diagnostics[estimators.DiagESS])
	r.Diagnose(estimators.DiagVarAnnealed, o.Diagnostics[estimators.DiagVarLogWeight])
}
