package e2e

import "testing"

// german is true if the page is in German.
const german = `document.documentElement.lang === 'de' && /Neustart/.test(document.body.innerText)`

// TestLanguage checks that the page has the language of the link, that a click changes it, and that it also works
// offline.
func TestLanguage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := open(t, s, noPicture)
	b.visit("?lang=de" + quick)
	b.awaitResults()
	b.until(german)
	b.click(`[data-event=lang][data-value=en]`)
	b.until(`document.documentElement.lang === 'en' && /Restart/.test(document.body.innerText)`)
	b.click(`[data-event=lang][data-value=de]`)
	b.until(german)
	b.until(installed)
	s.down = true
	b.expectErrors("ERR_", "Failed to fetch")
	b.visit("?lang=de" + quick)
	b.awaitResults()
	b.until(german)
}

// TestNoWords checks that a page that cannot load a translation runs in English and says so. Once the translation is
// available, the button in that message loads it.
func TestNoWords(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.refuse = "words/de.po.gz"
	b := open(t, s, noPicture)
	b.expectErrors("404")
	b.visit("?lang=de" + quick)
	b.awaitResults()
	b.until(`document.documentElement.lang === 'en' && /Deutsch could not be loaded, so the page stays in English\./
		.test(document.querySelector('#message').innerText)`)
	s.refuse = ""
	b.click(`#message [data-event=lang]`)
	b.until(german)
}
