package e2e

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

//go:embed texts.js
var texts string

// themesSeen is a script that records all themes that the page has used.
const themesSeen = `window.themes = new Set(); new MutationObserver(() =>
	themes.add(document.documentElement.dataset.theme)).observe(document,
	{subtree: true, attributes: true, attributeFilter: ['data-theme']});`

// scrollsAnyway is true if the page shows an extra part, so that it may scroll.
const scrollsAnyway = `!!document.querySelector(
	'.lesson-pane, #tour:not([hidden]), #message:not([hidden])')`

// TestTextsFit checks that no visible text is cut off or overlaps another one, at several widths, in every language and
// in the pseudo-language, which has longer words. It tests idle pages after a run, and a page paused during a
// formation.
func TestTextsFit(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for name, link := range map[string]string{
		"two methods": "#v=1&model=mixture2&method=ais,rts&ais.chains=20&ais.temperatures=50&rts.sweeps=50" +
			"&view.scene=ladder",
		"formed": "#v=1&model=rbm-pcd-20&method=rm,ais&rm.islands=2&rm.particles=8&ais.temperatures=20" +
			"&view.scene=formation",
		"forming":   "#v=1&model=rbm-pcd-20&method=rm&rm.islands=200&rm.particles=8&view.scene=formation",
		"lesson":    "#v=1&model=gpc-1d&method=ais,smc&ais.temperatures=30&smc.temperatures=20&view.lesson=3",
		"tour":      "#v=1&model=mixture2&method=ais&ais.temperatures=20&view.tour=3",
		"projector": "#v=1&model=mixture2&method=ais&ais.temperatures=20&view.projector=1",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var scripts []string
			if !strings.Contains(link, "formation") {
				scripts = append(scripts, noPicture) // the page shows a text about it, which is checked as well
			}
			b := open(t, s, append(scripts, themesSeen)...)
			b.visit(link)
			if name == "forming" {
				b.until(`document.querySelector('.r-of sub')`)
				b.click("#pause")
				b.until(`document.documentElement.dataset.state === 'paused'`)
			} else {
				b.awaitResults()
			}
			if seen := eval[[]string](b, `[...themes]`); name == "projector" && (len(seen) != 1 || seen[0] != name) {
				t.Errorf("themes of a projector page = %q, want only projector", seen)
			}
			b.textsFit()
		})
	}
}

// textsFit fails the test if texts of the idle page are cut off or overlap. It tests three widths and the two languages
// with longer texts, and in the release tier six widths and all languages.
func (b *tab) textsFit() {
	b.t.Helper()
	call := "(" + texts[strings.Index(texts, "() =>"):] + ")()"
	few, longer := []int64{360, 768, 1920}, []string{"de", "xx"}
	for _, width := range tier.Size(few, few, []int64{360, 390, 768, 1280, 1920, 2560}) {
		for i, lang := range tier.Size(longer, longer, []string{"en", "de", "xx"}) {
			height := max(640, width*9/16)
			if width == 768 && i == 0 {
				height = 1024 // a tablet in portrait format
			}
			b.size(width, height)
			b.speak(lang)
			b.rest()
			if says := eval[[]string](b, call); len(says) > 0 {
				b.t.Errorf("%d wide, in %s:\n%s", width, lang, strings.Join(says, "\n"))
			}
			if width < 600 || eval[bool](b, scrollsAnyway) {
				continue // the page scrolls
			}
			if over := eval[float64](b, barOver); over > 1 {
				b.t.Errorf("%d wide, %d high, in %s: the button bar covers %.0f pixels of the picture", width, height, lang, over)
			}
			if cut := eval[float64](b, viewsCut); cut > 1 {
				b.t.Errorf("%d wide, in %s: %.0f pixels of the views are out of sight", width, lang, cut)
			}
		}
	}
}

// speak changes the language of the page.
func (b *tab) speak(lang string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`((button) => {
		Object.assign(button.dataset, {event: 'lang', value: %q});
		document.body.append(button);
		button.click();
		button.remove();
		return true;
	})(document.createElement('button'))`, lang))
	b.until(fmt.Sprintf(`(/⟦/.test(document.body.innerText) ? 'xx' : document.documentElement.lang) === %q`, lang))
}
