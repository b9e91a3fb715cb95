package trainer

import (
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// besideTraining is the experiment of an embedded training, which nobody sees: over at once.
const besideTraining = "v=1&model=mixture2&method=ais&ais.chains=2&ais.temperatures=2"

// Beside is the link of the experiment that a training of some view is opened beside, where there is none yet.
func Beside(view state.Settings) string {
	if view.Embed {
		return besideTraining + view.Link()
	}
	return state.DefaultLink + view.Link()
}

// Open fills in the form of a training by its link l; bad is what is wrong with that link. An embedded page has no form
// and begins.
func (t *Trainer) Open(l training.Link, embed bool, bad error) {
	t.Panels.Sheet = "train"
	t.Repaint.AtOnce()
	if bad != nil {
		t.why = t.Words.Sentence(bad)
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
		t.why = t.Words.T("train.other")
	}
}
