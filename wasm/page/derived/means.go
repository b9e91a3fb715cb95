package derived

import (
	"logzlab/core/runstate"
	"logzlab/models"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// exactMeans computes how often each unit of a model is on under the target, block by block of its enumeration.
type exactMeans struct {
	model models.Model
	logw  []float64
	parts [][]float64 // sums of the blocks so far
	means []float64   // the means, nil until they are complete
}

// advance continues the sum, and reports whether it has just been completed.
func (x *exactMeans) advance(s *state.Snapshot, now func() float64) (completed bool) {
	if s.Model == nil || s.State != runstate.Done || scene.On(s) != scene.Means {
		return false
	}
	can := models.CapabilitiesOf(s.Model)
	if x.model != s.Model {
		*x = exactMeans{model: s.Model}
		if can.Exact.Means != nil {
			x.means = can.Exact.Means()
			return true
		}
	}
	if can.Exact.Sum == nil || can.Base.Finder == nil || x.means != nil {
		return false
	}
	blocks, ok := can.Exact.Sum.Blocks(models.MaxExactUnits)
	for start := now(); ok && len(x.logw) < blocks && now()-start < stepSeconds; {
		logw, mean := can.Base.Finder.BlockMean(len(x.logw))
		x.logw, x.parts = append(x.logw, logw), append(x.parts, mean)
	}
	if !ok || len(x.logw) < blocks {
		return false
	}
	x.means = models.BaseRates(x.logw, x.parts)
	x.logw, x.parts = nil, nil
	return true
}
