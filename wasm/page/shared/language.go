package shared

import (
	"logzlab/core/words"
	"logzlab/wasm/page/state"
)

// LoadLanguage switches to the requested language. The page is in English until the translations have loaded; if they
// cannot be loaded it stays in English, with a message.
func (d *Context) LoadLanguage() {
	lang := d.RequestedLanguage()
	if d.Words.Lang == lang {
		return
	}
	d.Words, d.Translations = words.New(lang), nil
	if d.Words.Lang == lang {
		return
	}
	d.Host.Words(lang, func(data []byte) {
		if d.RequestedLanguage() != lang {
			return // another language was selected meanwhile
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
