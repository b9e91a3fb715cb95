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

// themesSeen is a script that keeps all themes that the page has had.
const themesSeen = `window.themes = new Set(); new MutationObserver(() =>
	themes.add(document.documentElement.dataset.theme)).observe(document,
	{subtree: true, attributes: true, attributeFilter: ['data-theme']});`

// scrollsAnyway tells whether something stands above the page or over it, so that it scrolls.
const scrollsAnyway = `!!document.querySelector(
	'.lesson-pane, #tour:not([hidden]), #message:not([hidden])')`

// TestTextsFit: at every width, in every language and in the pseudo-language, whose words are longer, no visible text
// is cut and none lies over another: in a page at rest after a run, and in one that is paused while a model forms.
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
				scripts = append(scripts, noPicture) // of which the page says something, too
			}
			b := open(t, s, append(scripts, themesSeen)...)
			b.visit(link)
			if name == "forming" {
				b.until(`document.querySelector('.r-of sub')`)
				b.click("#pause")
				b.until(`document.documentElement.dataset.state === 'paused'`)
			} else {
				b.finish()
			}
			if seen := eval[[]string](b, `[...themes]`); name == "projector" && (len(seen) != 1 || seen[0] != name) {
				t.Errorf("a projector showed %q", seen)
			}
			b.textsFit()
		})
	}
}

// textsFit fails the test for texts of the page at rest that are cut or lie over others: at three widths and in the
// longer languages, for a release at six widths and in all.
func (b *tab) textsFit() {
	b.t.Helper()
	call := "(" + texts[strings.Index(texts, "() =>"):] + ")()"
	few, longer := []int64{360, 768, 1920}, []string{"de", "xx"}
	for _, width := range tier.Size(few, few, []int64{360, 390, 768, 1280, 1920, 2560}) {
		for i, lang := range tier.Size(longer, longer, []string{"en", "de", "xx"}) {
			height := max(640, width*9/16)
			if width == 768 && i == 0 {
				height = 1024 // upright
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
				b.t.Errorf("%d wide, %d high, in %s: the bar lies over %.0f pixels of the picture", width, height, lang, over)
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
