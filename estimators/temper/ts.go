package temper

import (
	"math"
	"slices"

	"logzlab/core/diag"
	"logzlab/core/spec"
	"logzlab/estimators"
)

// TS is tempered sampling by visits ([RTS] section 4.3): RTS with the share of sweeps that chose rung k in place of the
// mean of its probability,
//
//	c_k = (0.1 + n_k) / (0.1 K + N),
//
// with n_k visits in N sweeps. RTS has the smaller variance from the same run.
var TS = estimators.Info{
	Name: "ts", Label: "TS", Short: "visits", Path: estimators.Tempered, Provenance: estimators.OnRungs,
	About: "Tempered sampling: chains wander up and down the ladder, and the number of visits to each rung gives " +
		"its log Z.",
	Params: Run.Params, Checks: Checks,
	Reads: &Reader{Needs: []*Statistic{Visits}, Read: readTS},
}

// FlagUnvisited reports that a rung has no visits.
var FlagUnvisited = diag.NewFlag("unvisited",
	"Some rung was never visited, so its log Z has no error bar: use more sweeps, or more initial rounds.")

func readTS(t *Record, _ spec.Values) *estimators.Result {
	res := t.result(t.visitShares())
	unvisited := slices.Contains(t.Visits.Count, 0)
	// Without a visit no spread gives the error of log c_k.
	if unvisited {
		for i, n := range t.Visits.Count {
			if n == 0 || t.Visits.Count[0] == 0 {
				res.Ladder[i].SE = math.NaN()
			}
		}
		res.SE = res.Ladder[len(res.Ladder)-1].SE
		res.Flag(FlagUnvisited)
	}
	return res
}
