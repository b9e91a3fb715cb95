package trainer

import (
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// embeddedExperiment is the experiment of an embedded training, which is never shown and finishes at once.
const embeddedExperiment = "v=1&model=mixture2&method=ais&ais.chains=2&ais.temperatures=2"

// ExperimentLink returns the link of the experiment beside which a training is opened if there is none yet.
func ExperimentLink(view state.Settings) string {
	if view.Embed {
		return embeddedExperiment + view.Link()
	}
	return state.DefaultLink + view.Link()
}

// Open fills in the form with the settings of a link; bad is the error of the link. An embedded page has no form and
// starts the run.
func (t *Trainer) Open(l training.Link, embed bool, bad error) {
	t.Panels.Sheet = "train"
	t.Repaint.AtOnce()
	if bad != nil {
		t.errorText = t.Words.Sentence(bad)
		return
	}
	if t.run == nil {
		if t.link = l; embed {
			t.Panels.Sheet = ""
			t.train()
			return
		}
		t.readAgain()
	} else if t.next = l; l.String() != t.link.String() {
		t.errorText = t.Words.T("train.other")
	}
}
