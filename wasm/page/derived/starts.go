package derived

import (
	"logzlab/core/frame"
	"logzlab/estimators/anneal"
	"logzlab/models"
	"logzlab/models/rbm"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// starts probes, for each choice of an RBM's base, how hard its path to the target is, by g of the visible units and of
// the joint distribution. It runs between runs while the scene of schedules is on show. Its chains are few and fast: if
// they lag, as at the end of the path from visible biases, g is too small, and the picture says so.
type starts struct {
	model  models.Model
	probes []*anneal.Probe // one for each of startNames
	found  []frame.Start
}

// startNames are the bases that are probed.
var startNames = []string{rbm.StartRates, rbm.StartSmoothed, rbm.StartClipped, rbm.StartBiases, rbm.StartUniform,
	rbm.StartFitted}

// Sizes of a probe.
const (
	probeChains = 50
	probeSteps  = 50
)

// advance continues the probes, and reports whether there are new values.
func (x *starts) advance(s *state.Snapshot, now func() float64) (news bool) {
	withStart := models.CapabilitiesOf(s.Model).Base.WithStart
	if withStart == nil || s.State.Busy() || scene.On(s) != scene.Schedule {
		return false
	}
	if s.Model != x.model {
		x.begin(s.Model)
	}
	for start := now(); now()-start < stepSeconds && len(x.found) < len(x.probes); {
		p := x.probes[len(x.found)]
		if p == nil {
			p = anneal.NewProbe(withStart(startNames[len(x.found)]), probeChains, probeSteps)
			x.probes[len(x.found)] = p
		}
		if p.Step() {
			continue
		}
		g := p.PathStats()
		name := startNames[len(x.found)]
		x.probes[len(x.found)] = nil
		x.found = append(x.found, frame.Start{Name: name, Beta: g.Betas, G: g.Var, Joint: g.Joint, VarianceRatio: g.VarianceRatio})
		news = true
	}
	return news
}

// begin starts the probes for another model.
func (x *starts) begin(m models.Model) {
	for _, p := range x.probes {
		if p != nil {
			p.End()
		}
	}
	*x = starts{model: m, probes: make([]*anneal.Probe, len(startNames))}
}
