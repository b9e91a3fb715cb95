package report

import (
	"testing"

	"logzlab/core/diag"
	"logzlab/models"
)

// A search whose climbs still find new modes is no trust, however many it has found, and many found more than once are.
func TestUnseenModesAreNoTrust(t *testing.T) {
	t.Parallel()
	for unseen, level := range map[Number]string{0: Trust, .09: Trust, .2: Caution, .6: Stop} {
		r := &Report{Diagnostics: map[diag.Number]Number{models.DiagModes: 20, models.DiagUnseenModes: unseen}}
		if c := r.checkSearch(60); c.Level() != level {
			t.Errorf("%v unseen: %+v", unseen, c)
		}
	}
}

// A tail whose mass does not fall means an infinite integral, one that falls very slowly that nobody knows, and one as
// of a Cauchy variable nothing.
func TestEndlessTails(t *testing.T) {
	t.Parallel()
	for slope, want := range map[Number]string{1: Stop, 0: Stop, -.05: Caution, -1: Trust} {
		r := &Report{LogZ: 1, SE: .01, Diagnostics: map[diag.Number]Number{models.DiagTailSlope: slope}, endlessParam: "b"}
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

// Mass far out that chains did not come to means a wrong number, whatever else a search found.
func TestMassBeyondIsStop(t *testing.T) {
	t.Parallel()
	r := &Report{Diagnostics: map[diag.Number]Number{models.DiagFarMass: 2.5}}
	if c := r.checkSearch(60); c.OK || !c.Bad {
		t.Errorf("%+v", c)
	}
}

// Trajectories that run out of the support are no funnel's.
func TestEdgesAreNoFunnel(t *testing.T) {
	t.Parallel()
	r := &Report{Diagnostics: map[diag.Number]Number{models.DiagDivergent: .3}}
	funnel := r.checkSearch(60)
	r.Diagnostics[models.DiagEdges] = 2
	if c := r.checkSearch(60); c.OK || c.Means == funnel.Means || c.Do == funnel.Do {
		t.Errorf("%+v", c)
	}
}
