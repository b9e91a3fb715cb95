package scene

import (
	"slices"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/wasm/page/state"
)

// Resampling is the scene of particles that are weighted, resampled and moved.
var Resampling = Register(Scene{
	Name: "resampling", Key: 7, Label: "Resampling",
	Applies: anyMethod(resamples),
	Captions: Texts{
		{"This run never resampled: its steps were small, so the weights stayed even.", neverResampled},
		{"Size shows weight. Light particles are dropped, heavy ones are copied, then every copy moves. (A model " +
			"that is built up step by step needs resampling, so there is no run without it.)", func(s *state.Snapshot) bool { return state.IsSequential(s.OnShow) }},
		{"Size shows weight. Light particles are dropped, heavy ones are copied, then every copy moves. (With " +
			"estimated likelihoods no run without resampling is shown.)", func(s *state.Snapshot) bool { return !NeverResamples(s) }},
		{Text: "Size shows weight. Light particles are dropped, heavy ones are copied, then every copy moves."},
	},
	Offer: offerResampling,
	About: "Without resampling, with the same seed: the largest share of the weight, and the effective sample size " +
		"as a share of the particles.",
	Tables: []Table{{[]string{"beta", "Largest share", "ess.ratio"}, unresampledRows}},
})

var _ = Register(Scene{
	Name: "filter", Of: "resampling", Key: 71, Label: "Particle filter", Applies: isTimeSeries,
	Captions: Texts{
		{"A particle filter goes from day to day: particles are weighted, resampled and moved. Size shows weight; " +
			"the grey curve shows how well each volatility explains the return.", axes(models.Volatility)},
		{Text: "A particle filter goes from datum to datum: particles are weighted, resampled and moved. Size " +
			"shows weight; the ring is the datum."},
	},
	About: flowAbout, Tables: flowTables,
})

// neverResampled reports whether the run on show is done and did not resample.
func neverResampled(s *state.Snapshot) bool {
	r := s.Shown()
	if r == nil || r.State != runstate.MethodDone || r.Method != s.OnShow || !NeverResamples(s) {
		return false
	}
	n, known := r.Diagnostics[estimators.DiagResamplings]
	return known && n == 0
}

// offerResampling offers the same run with few temperatures, so that each step is large enough for resampling.
func offerResampling(s *state.Snapshot) (label, link string) {
	if !neverResampled(s) {
		return "", ""
	}
	few := s.Draft()
	for _, set := range [][2]string{{"temperatures", "15"}, {"ess", "0.5"}} {
		if state.SetParam(few, s.Names(), s.OnShow+"."+set[0], set[1]) != nil {
			return "", ""
		}
	}
	few.Prune(s.Names())
	if few.Link() == s.Spec.Link() {
		return "", ""
	}
	return "Show it with 15 temperatures", few.Link()
}

// resamples reports whether a method resamples particles when their effective sample size is low.
func resamples(m *estimators.Info) bool {
	return slices.ContainsFunc(m.Run().Params, func(p spec.Param) bool { return p.Name == "ess" })
}

// NeverResamples reports whether the method on show can be compared with itself without resampling: sequential Monte
// Carlo along temperatures, with likelihoods that are not estimated.
func NeverResamples(s *state.Snapshot) bool {
	m, ok := catalog.Method(s.OnShow)
	return ok && resamples(m) && m.Path == estimators.Tempered && !m.Refines
}

// UnresampledOf returns the run without resampling for the picture, nil if its scene is not on show.
func UnresampledOf(s *state.Snapshot) *frame.Unresampled {
	if On(s) != Resampling || !NeverResamples(s) {
		return nil
	}
	return s.Unresampled
}

// unresampledRows returns, without resampling, the largest weight share and the effective sample size.
func unresampledRows(p *state.Snapshot) (rows [][]string) {
	x := p.Unresampled
	if x == nil || !NeverResamples(p) {
		return nil
	}
	for k, beta := range x.Beta {
		if !thinned(k, len(x.Beta), 1) {
			continue
		}
		top, squares := 0.0, 0.0
		for _, w := range x.Shares[k*x.N : (k+1)*x.N] {
			top, squares = max(top, float64(w)), squares+float64(w*w)
		}
		rows = append(rows, []string{p.NumberOrDash(float64(beta), 3), p.NumberOrDash(top, 3), p.NumberOrDash(1/squares/float64(x.N), 3)})
	}
	return rows
}
