package auto

import (
	"iter"
	"math"

	"logzlab/core/frame"
	"logzlab/estimators"
)

// emptySum is the run of a model whose sum is known to be 0, such as a graph whose constraints no state satisfies. It
// has no rounds and its log Z is NaN. Chains would search for such a state until they are stopped.
type emptySum struct{}

func (emptySum) Next(_, _ [][]byte) (*estimators.Round, error) { return nil, nil }

func (emptySum) Lane(*estimators.Unit) iter.Seq[*frame.Frame] {
	estimators.CorruptIf(true)
	return nil
}

func (emptySum) Estimate([][]byte) []*estimators.Result {
	nan := math.NaN()
	return estimators.SingleResult(&estimators.Result{LogZ: nan, SE: nan, Lower: nan, Upper: nan, SEMethod: estimators.SENone,
		Bias: "none", Runs: 1})
}

func (emptySum) Sweeps() float64       { return 0 }
func (emptySum) Need() estimators.Need { return estimators.Need{} }
