package trainer

import (
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// embeddedExperiment is the experiment of an embedded training, which is never shown and finishes at once.
const embeddedExperiment = "v=1&model=mixture2&method=ais&ais.chains=2&ais.temperatures=2"

// ExperimentLink returns the link of the experiment that the page opens beside a training if it has no experiment yet.
func ExperimentLink(view state.Settings) string {
	if view.Embed {
		return embeddedExperiment + view.Link()
	}
	return state.DefaultLink + view.Link()
}

// Open opens the form with the settings of a link, or shows linkErr, the error of the link. An embedded page has no
// form and starts the run at once. During a run the settings are stored for the next run.
func (t *Trainer) Open(l training.Link, isEmbedded bool, linkErr error) {
	t.Panels.Sheet = "train"
	t.Repaint.AtOnce()
	if linkErr != nil {
		t.errorText = t.Words.Sentence(linkErr)
		return
	}
	if t.run == nil {
		if t.link = l; isEmbedded {
			t.Panels.Sheet = ""
			t.train()
			return
		}
		t.readAgain()
	} else if t.nextLink = l; l.String() != t.link.String() {
		t.errorText = t.Words.T("train.other")
	}
}
