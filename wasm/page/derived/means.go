package derived

import (
	"logzlab/core/runstate"
	"logzlab/models"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// exactMeans adds up how often each unit of a model is on under the target, block by block of its enumeration. It goes
// on between runs while the scene of means is on show, and changes no digit.
type exactMeans struct {
	of    models.Model
	logw  []float64
	parts [][]float64 // of the blocks so far
	found []float64   // nil while it is not known
}

// try goes on with the sum, and reports whether it is complete now and was not before.
func (x *exactMeans) try(s *state.Snapshot, now func() float64) (news bool) {
	if s.Model == nil || s.State != runstate.Done || scene.On(s) != scene.Means {
		return false
	}
	can := models.Can(s.Model)
	if x.of != s.Model {
		*x = exactMeans{of: s.Model}
		if can.Exact.Means != nil {
			x.found = can.Exact.Means()
			return true
		}
	}
	if can.Exact.Sum == nil || can.Base.Finder == nil || x.found != nil {
		return false
	}
	blocks, ok := can.Exact.Sum.Blocks(models.MaxExactUnits)
	for start := now(); ok && len(x.logw) < blocks && now()-start < lookTime; {
		logw, mean := can.Base.Finder.BlockMean(len(x.logw))
		x.logw, x.parts = append(x.logw, logw), append(x.parts, mean)
	}
	if !ok || len(x.logw) < blocks {
		return false
	}
	x.found = models.BaseRates(x.logw, x.parts)
	x.logw, x.parts = nil, nil
	return true
}
