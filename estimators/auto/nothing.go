package auto

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/estimators"
)

// nothing is the run of a model whose sum is known to be 0, as of a graph whose constraints no state meets: it has no
// rounds and no number. Chains would look for such a state as long as they may.
type nothing struct{}

func (nothing) Next(_, _ [][]byte) (*estimators.Round, error) { return nil, nil }

func (nothing) Lane(*estimators.Unit) iter.Seq[*frame.Frame] {
	estimators.Refuse(true)
	return nil
}

func (nothing) Estimate([][]byte) []*estimators.Result {
	nan := math.NaN()
	return estimators.One(&estimators.Result{LogZ: nan, SE: nan, Lower: nan, Upper: nan, SEMethod: estimators.SENone,
		Bias: "none", Runs: 1})
}

func (nothing) Sweeps() float64       { return 0 }
func (nothing) Need() estimators.Need { return estimators.Need{} }
