package shared

import (
	"logzlab/core/words"
	"logzlab/wasm/page/state"
)

// Speak takes the language that is asked for. Until its words are here the page is in English, and stays so, and says
// so, if they cannot be had.
func (d *Context) Speak() {
	lang := d.Wanted()
	if d.Words.Lang == lang {
		return
	}
	d.Words, d.Translations = words.New(lang), nil
	if d.Words.Lang == lang {
		return
	}
	d.Host.Words(lang, func(data []byte) {
		if d.Wanted() != lang {
			return // another language was chosen meanwhile
		}
		d.Repaint.Dirty = true
		if w, err := words.Read(lang, data); err == nil {
			d.Words, d.Translations = w, data
			return
		}
		d.Problem = &state.Message{Level: "warn", Text: d.Words.T("words.lost", words.Name(lang)),
			Action: &state.Action{Label: d.Words.T("words.again"), Event: "lang", Value: lang}}
	})
}
