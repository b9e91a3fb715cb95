package page

import (
	"logzlab/estimators/training"
	"logzlab/wasm/page/state"
)

// openTraining takes the link of a training, whose form it fills in.
func (b *Brain) openTraining(link string) {
	l, err := training.ParseLink(link)
	settings, _ := ParseSettings(l.View)
	if b.Spec == nil {
		b.Open(state.DefaultLink + settings.Link())
	}
	b.panels.Sheet = "train"
	b.repaint.atOnce()
	if err != nil {
		b.training.why = b.Words.Sentence(err)
		return
	}
	l.View = nil
	if t := &b.training; t.run == nil {
		t.link = l
		t.readAgain()
	} else if t.next = l; l.String() != t.link.String() {
		t.why = b.Words.T("train.other")
	}
}
