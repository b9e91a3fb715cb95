package anneal

import (
	"logzlab/core/spec"
	"logzlab/estimators"
)

// IS is simple importance sampling from the base: log Z is the log-mean-exp of log f(x) - log f_0(x), x ~ f_0, plus log
// Z of the base. It is AIS with no rung between the ends of its ladder.
var IS = estimators.Info{
	Name: "is", Label: "IS", Short: "plain draws", Path: estimators.Direct, Provenance: estimators.FromBase,
	SEStretch: 1.3,
	Unbiased:  true,
	About: "Importance sampling: independent draws from the base, each weighted by how much more likely the target " +
		"makes it.",
	Params: []spec.Param{
		estimators.MainParam("particles", "10000", 1, 1e7, "Number of independent draws from the base."),
	},
	// CheckSpread and CheckSandwich would say little about plain draws.
	Checks: []estimators.Check{checkDraws, estimators.CheckParetoK, CheckReverse},
	New: func(c estimators.Config) (estimators.Method, error) {
		if c.LaneSize == 0 {
			// A lane of this size fits into one frame, so frames show every draw.
			c.LaneSize = estimators.MaxPoints
		}
		var p struct {
			Particles int `param:"particles"`
		}
		c.Values.Fill(&p)
		a := &run{Config: c, Lanes: c.Lanes(p.Particles), sweeps: 1, ladder: []float64{0, 1},
			recorded: []int{0, 1}, needs: ReverseWorks}
		a.Readers = []estimators.Reader{{Info: AIS}}
		a.fillRecord()
		return a, nil
	},
}
