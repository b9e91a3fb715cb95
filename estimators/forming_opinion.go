package estimators

import (
	"strconv"

	"logzlab/core/schedule"
	"logzlab/core/spec"
	"logzlab/models"
)

// advise is m, the run of f, with a second opinion if there is time for it.
func (f *former) advise(m Method) (Method, error) {
	limit := opinionShare * models.Rough(m.Need().Time)
	var opinion Method
	for k := opinionLeast; k <= opinionMost; k *= 2 {
		c := f.Config
		c.Key[0]++
		c.Aside = true
		c.Values = spec.Values{"chains": strconv.Itoa(opinionChains), "sweeps": "1"}
		c.Readers = []Reader{{Info: ForwardAIS, Values: c.Values}}
		ladder, err := schedule.Make("linear", k, nil)
		if err != nil {
			return nil, err
		}
		longer := annealAlong(c, ladder)
		if models.Rough(longer.Need().Time) > limit {
			break
		}
		opinion = longer
	}
	if opinion == nil {
		return m, nil
	}
	return &advised{Method: m, opinion: opinion, tell: tellAnnealed, growth: 1}, nil
}

// tellAnnealed adds what annealing found.
func tellAnnealed(r, o *Result) {
	r.diagnose(DiagLogZAnnealed, o.LogZ)
	r.diagnose(DiagLogZAnnealedSE, o.SE)
	r.diagnose(DiagESSAnnealed, o.Diagnostics[DiagESS])
	r.diagnose(DiagVarAnnealed, o.Diagnostics[DiagVarLogWeight])
}
