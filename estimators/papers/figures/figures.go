package figures

import (
	"logzlab/estimators/papers"
	"logzlab/estimators/papers/aisel"
	"logzlab/estimators/papers/arm"
	"logzlab/estimators/papers/costs"
	"logzlab/estimators/papers/rts"
	"logzlab/estimators/papers/varopt"
)

// All lists the experiments in the order in which the command prints them.
var All = []*papers.Experiment{arm.Fig2, arm.USPS, arm.Fig4, arm.Fig5, arm.Cost, arm.Absent, arm.Evidence,
	rts.Fig1, rts.Fig2, rts.Fig3, rts.Fig4,
	varopt.Table1, varopt.Fig1, varopt.Fig2, varopt.Fig3, varopt.Fig4, varopt.Table2, varopt.Fig5, varopt.Fig6,
	costs.TimeTo, costs.Start, costs.Glass,
	aisel.GLMM, aisel.SV, aisel.Pound, aisel.Theorem1, aisel.OptimalN, rts.Fig5}

// Find returns the experiment of the given name, nil if there is none.
func Find(name string) *papers.Experiment {
	for _, e := range All {
		if e.Name == name {
			return e
		}
	}
	return nil
}
