package teacher

import (
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// besideTraining is the experiment of an embedded training, which nobody sees: over at once.
const besideTraining = "v=1&model=mixture2&method=ais&ais.chains=2&ais.temperatures=2"

// Open takes the link of a training, whose form it fills in. An embedded page has no form and begins.
func (t *Teacher) Open(link string) {
	l, err := training.ParseLink(link)
	settings, _ := t.Known.Parse(l.View)
	if t.loaded.Spec == nil {
		beside := state.DefaultLink
		if settings.Embed {
			beside = besideTraining
		}
		t.Page.Open(beside + settings.Link())
	}
	t.Panels.Sheet = "train"
	t.Repaint.AtOnce()
	if err != nil {
		t.why = t.Words.Sentence(err)
		return
	}
	l.View = nil
	if t.run == nil {
		if t.link = l; settings.Embed {
			t.Panels.Sheet = ""
			t.train()
			return
		}
		t.readAgain()
	} else if t.next = l; l.String() != t.link.String() {
		t.why = t.Words.T("train.other")
	}
}
