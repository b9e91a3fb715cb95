package page

import (
	"logzlab/wasm/page/state"
	"logzlab/wasm/words"
)

// speak takes the language that is asked for. Until its words are here the page is in English, and stays so, and says
// so, if they cannot be had.
func (d *desk) speak() {
	lang := d.Wanted()
	if d.Words.Lang == lang {
		return
	}
	d.Words, d.catalogue = words.New(lang), nil
	if d.Words.Lang == lang {
		return
	}
	d.host.Words(lang, func(data []byte) {
		if d.Wanted() != lang {
			return // another language was chosen meanwhile
		}
		d.repaint.dirty = true
		if w, err := words.Read(lang, data); err == nil {
			d.Words, d.catalogue = w, data
			return
		}
		d.problem = &state.Message{Level: "warn", Text: d.Words.T("words.lost", words.Name(lang)),
			Action: &state.Action{Label: d.Words.T("words.again"), Event: "lang", Value: lang}}
	})
}
