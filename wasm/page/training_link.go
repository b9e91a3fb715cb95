package page

import (
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// besideTraining is the experiment of an embedded training, which nobody sees: over at once.
const besideTraining = "v=1&model=mixture2&method=ais&ais.chains=2&ais.temperatures=2"

// openTraining takes the link of a training, whose form it fills in. An embedded page has no form and begins.
func (b *Brain) openTraining(link string) {
	l, err := training.ParseLink(link)
	settings, _ := ParseSettings(l.View)
	if b.Spec == nil {
		beside := state.DefaultLink
		if settings.Embed {
			beside = besideTraining
		}
		b.Open(beside + settings.Link())
	}
	b.Panels.Sheet = "train"
	b.Repaint.AtOnce()
	if err != nil {
		b.training.why = b.Words.Sentence(err)
		return
	}
	l.View = nil
	if t := &b.training; t.run == nil {
		if t.link = l; settings.Embed {
			b.Panels.Sheet = ""
			t.train()
			return
		}
		t.readAgain()
	} else if t.next = l; l.String() != t.link.String() {
		t.why = b.Words.T("train.other")
	}
}
