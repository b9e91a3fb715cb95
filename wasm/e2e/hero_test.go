package e2e

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// heroWatch is a script that keeps when the hero first moved, and when the first picture of a run came and its odds, in
// milliseconds since the pen was last lifted.
const heroWatch = `{
	const seen = (window.seen = { moves: 0, pen: 0, moved: 0, picture: 0, odds: 0 });
	const put = CanvasRenderingContext2D.prototype.putImageData;
	let was = 0;
	CanvasRenderingContext2D.prototype.putImageData = function (...args) {
		const is = args[0].data.reduce((sum, x) => sum + x, 0);
		if (is !== was && ++seen.moves === 3) seen.moved = performance.now();
		was = is;
		return put.apply(this, args);
	};
	addEventListener('pointerup', () => Object.assign(seen, {pen: performance.now(), picture: 0, odds: 0}), true);
	let runs = '', odds = '';
	new MutationObserver(() => {
		const is = document.querySelector('#hero')?.dataset.runs ?? '';
		if (is !== runs) [runs, seen.picture] = [is, performance.now() - seen.pen];
		const one = document.querySelector('.hero-odds:not(.was) .hero-one')?.textContent ?? odds;
		if (one !== odds) [odds, seen.odds] = [one, performance.now() - seen.pen];
	}).observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
}`

// hook is a stroke like the hook of a 2.
var hook = [][2]float64{{10, 11}, {12, 8}, {16, 8}, {17, 12}}

// stroke draws on the paper with a mouse, through some pixels.
func (b *tab) stroke(way [][2]float64) {
	b.t.Helper()
	b.until(`document.querySelector('#paper')?.clientWidth > 100`)
	var points []string
	for _, p := range way {
		points = append(points, fmt.Sprintf("[%g, %g]", p[0], p[1]))
	}
	eval[bool](b, fmt.Sprintf(`(() => {
		const paper = document.querySelector('#paper'), {left, top, width} = paper.getBoundingClientRect();
		paper.setPointerCapture = () => {};
		const way = [%s], at = ([x, y]) => ({clientX: left + x * width / 28, clientY: top + y * width / 28,
			pointerType: 'mouse', pointerId: 1, bubbles: true, buttons: 1});
		paper.dispatchEvent(new PointerEvent('pointerdown', at(way[0])));
		for (const p of way) paper.dispatchEvent(new PointerEvent('pointermove', at(p)));
		paper.dispatchEvent(new PointerEvent('pointerup', at(way.at(-1))));
		return true;
	})()`, strings.Join(points, ", ")))
}

// weighed waits for the odds of a run, counted from 1, and for the exact value beside them. A run whose worker was lost
// counts again.
func (b *tab) weighed(run int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector('#hero').dataset.runs >= %d &&
		/Exact value/.test(document.querySelector('.hero-odds:not(.was)')?.textContent)`, run))
}

const heroShown = `document.querySelector('#hero').checkVisibility() &&
	!document.querySelector('.lab').checkVisibility()`

// TestHero: the address without a link is the hero. A stroke gives dreams and odds, the lab has the digits of that run,
// and they are the command's; Back leads to the hero again. No odds are said while the hand draws.
func TestHero(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture, `new MutationObserver(() => {
		const hero = document.querySelector('#hero[data-act]');
		window.first ??= hero && hero.dataset.act + ' ' +
			hero.querySelector('.hero-one').checkVisibility({visibilityProperty: true});
	}).observe(document, {subtree: true, attributes: true})`)
	b.size(1280, 800)
	b.visit("?workers=1")
	if !eval[bool](b, heroShown) {
		t.Fatal("there is no hero")
	}
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	if first := eval[string](b, `window.first`); first != "hand false" {
		t.Errorf("the first act, and whether odds are said: %s", first)
	}
	if says := eval[string](b, `document.querySelector('.hero-odds').innerText`); !strings.Contains(says,
		"One in 400,000 of its pictures contains this stroke") || !strings.Contains(says, "exp(199.96 − 212.86)") {
		t.Errorf("before a stroke: %s", says)
	}
	b.stroke(hook)
	b.weighed(1)
	one := eval[string](b, `document.querySelector('.hero-one').textContent`)
	if said := eval[string](b, `document.querySelector('#summary').textContent`); !strings.HasPrefix(said, one) {
		t.Errorf("screen readers hear %q, others see %q", said, one)
	}
	if hash := eval[string](b, `location.hash`); hash != "" {
		t.Errorf("the address became %s", hash)
	}

	// Another stroke adds to it, and the eraser takes from it.
	b.stroke([][2]float64{{3, 3}, {5, 3}})
	b.weighed(2)
	b.click("[data-brush='2']")
	b.stroke([][2]float64{{3, 3}, {5, 3}})
	b.weighed(3)
	b.click("[data-event=hero-lab]")
	b.until(`/clamp=.*i/.test(location.hash)`)
	rows := b.finish()
	want := native(t, "-link", eval[string](b, "location.hash"))
	if got := rows[0].Value["hash"]; got != want[0].Hash {
		t.Errorf("hash %s, natively %s", got, want[0].Hash)
	}
	if eval[bool](b, heroShown) {
		t.Error("the lab does not come")
	}
	eval[bool](b, `(history.back(), true)`)
	b.until(heroShown)
}

// TestHeroDoors: three ways lead on, and whoever has a link sees no hero.
func TestHeroDoors(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	for door, there := range map[string]string{
		"a[href='#view.deck=sum']": `document.documentElement.matches('[data-deck]') && !!document.querySelector('#deck h1')`,
		"a[href='#lab']":           `/ais.temperatures=1500/.test(location.hash) && document.querySelector('#rest')?.hidden`,
		"[data-event=hero-own]":    `document.activeElement.id === 'file' && document.activeElement.checkVisibility()`,
	} {
		b.visit("?workers=1")
		b.until(`document.querySelector('#hero').checkVisibility()`)
		b.click("#hero " + door)
		b.until(there)
		if eval[bool](b, `document.querySelector('#hero').checkVisibility()`) {
			t.Errorf("%s: the hero stays", door)
		}
	}
	for _, link := range []string{"#lab", "#view.theme=dark", "?view.theme=dark", quick} {
		b.visit(link)
		b.until(`spy.views > 0`)
		if eval[bool](b, `document.querySelector('#hero').checkVisibility()`) {
			t.Errorf("%s shows the hero", link)
		}
	}
}

// TestHeroKeys: the paper is drawn on by keys, and says where they are.
func TestHeroKeys(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1")
	b.until(`document.querySelector('#paper').clientWidth > 100`)
	eval[bool](b, `(document.querySelector('#paper').focus(), true)`)
	b.press("ArrowRight")
	b.press(" ")
	if says := eval[string](b, `document.querySelector('#paper-says').textContent`); says != "Row 15, column 16: ink" {
		t.Errorf("the paper says %q", says)
	}
	b.weighed(1)
	b.click("[data-event=hero-lab]")
	b.until(`/clamp=407i&/.test(location.hash)`)
}

// TestHeroAlone: the hero moves and says its odds without any program, in the reader's language.
func TestHeroAlone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.refuse = "logz.wasm.gz"
	b := open(t, s, heroWatch)
	b.allow("404", "logz.wasm.gz")
	b.visit("?lang=de")
	b.until(`seen.moved > 0`)
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	if says := eval[string](b, `document.querySelector('#hero').innerText`); !strings.Contains(says,
		"enthält diesen Strich") || !strings.Contains(says, "Eigenes Modell") {
		t.Errorf("in German: %s", says)
	}
	if lang := eval[string](b, `document.documentElement.lang`); lang != "de" {
		t.Errorf("its language is %s", lang)
	}
}

// TestHeroFits: at every size and in every language nothing of the hero is cut, covered or beside the page. Nor does
// axe-core find anything. Before a release the narrowest, the lowest and the largest window stand for all.
func TestHeroFits(t *testing.T) {
	t.Parallel()
	axe := axe(t)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1")
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	call := "(" + texts[strings.Index(texts, "() =>"):] + ")()"
	// "Your turn" lets the pen through to the paper.
	call = `(document.querySelector('.hero-turn').style.pointerEvents = 'auto', ` + call + `)`
	sizes := [][2]int64{{360, 740}, {1024, 600}, {2560, 1440}, {390, 844}, {768, 1024}, {1280, 800}, {1920, 1080}}
	for i, size := range sizes[:tier.Size(1, 3, len(sizes))] {
		b.size(size[0], size[1])
		for _, lang := range []string{"en", "de", "xx"} {
			b.speak(lang)
			b.rest()
			if says := eval[[]string](b, call); len(says) > 0 {
				t.Errorf("%v, in %s:\n%s", size, lang, strings.Join(says, "\n"))
			}
			if wide := eval[int64](b, `document.documentElement.scrollWidth`); wide > size[0] {
				t.Errorf("%v, in %s: the page is %d wide", size, lang, wide)
			}
			high := eval[int64](b, `document.documentElement.scrollHeight`)
			if size[0] >= 768 && high > size[1] && lang != "xx" {
				t.Errorf("%v, in %s: the page is %d high", size, lang, high)
			}
			if out := eval[bool](b, `(() => { const [p, s] = ['#paper', '.hero-stage'].map((q) =>
				document.querySelector(q).getBoundingClientRect());
				return p.top < s.top - 1 || p.bottom > s.bottom + 1 || p.width < 180; })()`); out {
				t.Errorf("%v: the paper does not fit", size)
			}
		}
		if i%4 == 1 {
			b.axe(axe)
		}
	}
}

// TestHeroSpeed: something moves within 1.5 s; with one worker a stroke has its new picture within 0.4 s and its odds
// within 2 s.
func TestHeroSpeed(t *testing.T) {
	tier.Release(t)
	b := open(t, serve(t), heroWatch)
	b.visit("?workers=1")
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	if ms := eval[float64](b, `seen.moved`); ms > 1500 && slow() == "" {
		t.Errorf("the first movement after %.0f ms", ms)
	}
	for n, way := range [][][2]float64{hook, {{14, 15}, {14, 20}}, {{9, 20}, {17, 20}}} {
		b.stroke(way)
		b.weighed(n + 1)
		took := eval[struct{ Picture, Odds float64 }](b, `seen`)
		t.Logf("picture after %.0f ms, odds after %.0f ms", took.Picture, took.Odds)
		if (took.Picture > 400 || took.Odds > 2000) && slow() == "" {
			t.Errorf("a stroke has its picture after %.0f ms and its odds after %.0f ms", took.Picture, took.Odds)
		}
	}
}
