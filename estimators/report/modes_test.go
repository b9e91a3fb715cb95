package report

import (
	"testing"

	"logzlab/core/diag"
	"logzlab/models"
)

// A search whose climbs still find new modes is not trusted, however many it has found; many modes found more than once
// are.
func TestUnseenModes(t *testing.T) {
	t.Parallel()
	for unseen, level := range map[Number]string{0: Trust, .09: Trust, .2: Caution, .6: Stop} {
		r := &Report{Diagnostics: map[diag.Number]Number{models.DiagModes: 20, models.DiagUnseenModes: unseen}}
		if c := r.checkSearch(60); c.Level() != level {
			t.Errorf("%v unseen: %+v", unseen, c)
		}
	}
}

// A tail whose mass does not fall means an infinite integral, one that falls very slowly an unknown one, and a tail as
// of a Cauchy variable passes.
func TestEndlessTails(t *testing.T) {
	t.Parallel()
	for slope, want := range map[Number]string{1: Stop, 0: Stop, -.05: Caution, -1: Trust} {
		r := &Report{LogZ: 1, SE: .01, Diagnostics: map[diag.Number]Number{models.DiagTailSlope: slope}, slowTailParam: "b"}
		level := Trust
		for _, c := range r.Judge().Checks {
			if c.Text == "b" {
				level = c.Level()
			}
		}
		if level != want {
			t.Errorf("a slope of %v: %s", slope, level)
		}
	}
}

// Mass far out that chains did not reach means a wrong estimate, whatever else a search found.
func TestMassBeyondIsStop(t *testing.T) {
	t.Parallel()
	r := &Report{Diagnostics: map[diag.Number]Number{models.DiagFarMass: 2.5}}
	if c := r.checkSearch(60); c.OK || !c.Bad {
		t.Errorf("%+v", c)
	}
}

// Trajectories that leave the support are not treated as a funnel.
func TestEdgesAreNoFunnel(t *testing.T) {
	t.Parallel()
	r := &Report{Diagnostics: map[diag.Number]Number{models.DiagDivergent: .3}}
	funnel := r.checkSearch(60)
	r.Diagnostics[models.DiagEdges] = 2
	if c := r.checkSearch(60); c.OK || c.Meaning == funnel.Meaning || c.Advice == funnel.Advice {
		t.Errorf("%+v", c)
	}
}
