package findings

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

// summable is a model whose means can be added up.
type summable interface {
	models.Exact
	models.BaseFinder
}

// try goes on with the sum, and reports whether it is complete now and was not before.
func (x *exactMeans) try(s *state.Snapshot, now func() float64) (news bool) {
	if s.Model == nil || s.State != runstate.Done || scene.On(s) != scene.Means {
		return false
	}
	if x.of != s.Model {
		*x = exactMeans{of: s.Model}
		if m, ok := s.Model.(models.KnownMeans); ok {
			x.found = m.Means()
			return true
		}
	}
	m, ok := s.Model.(summable)
	if !ok || x.found != nil {
		return false
	}
	blocks, ok := m.Blocks(models.MaxExactUnits)
	for start := now(); ok && len(x.logw) < blocks && now()-start < lookTime; {
		logw, mean := m.BlockMean(len(x.logw))
		x.logw, x.parts = append(x.logw, logw), append(x.parts, mean)
	}
	if !ok || len(x.logw) < blocks {
		return false
	}
	x.found = models.BaseRates(x.logw, x.parts)
	x.logw, x.parts = nil, nil
	return true
}
