package estimators

import (
	"strconv"

	"logzlab/core/schedule"
	"logzlab/core/spec"
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

// advise is m, the run of f, with a second opinion if there is time for it.
func (f *former) advise(m Method) (Method, error) {
	limit := opinionShare * models.Rough(m.Need().Time)
	var opinion Method
	for k := opinionLeast; k <= opinionMost; k *= 2 {
		c := f.Config
		c.Key[0]++
		c.Auxiliary = true
		c.Values = spec.Values{"chains": strconv.Itoa(opinionChains), "sweeps": "1"}
		c.Readers = []Reader{{Info: ForwardAIS, Values: c.Values}}
		ladder, err := schedule.Make("linear", k, nil)
		if err != nil {
			return nil, err
		}
		longer := AnnealAlong(c, ladder)
		if models.Rough(longer.Need().Time) > limit {
			break
		}
		opinion = longer
	}
	if opinion == nil {
		return m, nil
	}
	return &WithSecondOpinion{Method: m, Opinion: opinion, AddDiagnostics: addAnnealed, Growth: 1}, nil
}

// addAnnealed adds what annealing found.
func addAnnealed(r, o *Result) {
	r.Diagnose(DiagLogZAnnealed, o.LogZ)
	r.Diagnose(DiagLogZAnnealedSE, o.SE)
	r.Diagnose(DiagESSAnnealed, o.Diagnostics[DiagESS])
	r.Diagnose(DiagVarAnnealed, o.Diagnostics[DiagVarLogWeight])
}
