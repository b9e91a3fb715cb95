package e2e

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// heroWatch is a script that records the time of the start page's first movement, and the times of a run's first
// picture and odds, in milliseconds since the pen was last lifted.
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

// hook is a stroke shaped like the upper part of a 2.
var hook = [][2]float64{{10, 11}, {12, 8}, {16, 8}, {17, 12}}

// stroke draws a line with the mouse through the given pixels of the drawing area.
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

// awaitOdds waits until the start page shows the odds and the exact value of a run. Runs are counted from 1; a run that
// is repeated because its worker was lost counts twice.
func (b *tab) awaitOdds(run int) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector('#hero').dataset.runs >= %d &&
		/Exact value/.test(document.querySelector('.hero-odds:not(.was)')?.textContent)`, run))
}

const heroShown = `document.querySelector('#hero').checkVisibility() &&
	!document.querySelector('.lab').checkVisibility()`

// TestHero tests the start page (the hero), which the address without a fragment shows. A stroke starts a run, which
// gives sample pictures and the odds of the stroke. The lab shows the result of that run, the same as the command's,
// and Back returns to the start page. No odds are visible during the animated stroke.
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
		t.Fatal("the start page is not visible")
	}
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	if first := eval[string](b, `window.first`); first != "hand false" {
		t.Errorf("first act and visibility of the odds = %q, want %q", first, "hand false")
	}
	if says := eval[string](b, `document.querySelector('.hero-odds').innerText`); !strings.Contains(says,
		"One in 400,000 of its pictures contains this stroke") || !strings.Contains(says, "exp(199.96 − 212.86)") {
		t.Errorf("text of the odds before a stroke: %s", says)
	}
	b.stroke(hook)
	b.awaitOdds(1)
	one := eval[string](b, `document.querySelector('.hero-one').textContent`)
	if said := eval[string](b, `document.querySelector('#summary').textContent`); !strings.HasPrefix(said, one) {
		t.Errorf("summary for screen readers = %q, want it to begin with the visible odds %q", said, one)
	}
	if hash := eval[string](b, `location.hash`); hash != "" {
		t.Errorf("a stroke changes the fragment to %s, want none", hash)
	}

	// A second stroke adds ink, and the eraser removes it.
	b.stroke([][2]float64{{3, 3}, {5, 3}})
	b.awaitOdds(2)
	b.click("[data-brush='2']")
	b.stroke([][2]float64{{3, 3}, {5, 3}})
	b.awaitOdds(3)
	b.click("[data-event=hero-lab]")
	b.until(`/clamp=.*i/.test(location.hash)`)
	rows := b.awaitResults()
	want := native(t, "-link", eval[string](b, "location.hash"))
	if got := rows[0].Value["hash"]; got != want[0].Hash {
		t.Errorf("hash %s, natively %s", got, want[0].Hash)
	}
	if eval[bool](b, heroShown) {
		t.Error("the lab does not replace the start page")
	}
	eval[bool](b, `(history.back(), true)`)
	b.until(heroShown)
}

// TestHeroDoors tests the three exits of the start page, and that an address with a link does not show it.
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
			t.Errorf("%s: the start page is still visible", door)
		}
	}
	for _, link := range []string{"#lab", "#view.theme=dark", "?view.theme=dark", quick} {
		b.visit(link)
		b.until(`spy.views > 0`)
		if eval[bool](b, `document.querySelector('#hero').checkVisibility()`) {
			t.Errorf("%s shows the start page", link)
		}
	}
}

// TestHeroKeys tests drawing with the keyboard. A text reports the position of the cursor.
func TestHeroKeys(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1")
	b.until(`document.querySelector('#paper').clientWidth > 100`)
	eval[bool](b, `(document.querySelector('#paper').focus(), true)`)
	b.press("ArrowRight")
	b.press(" ")
	if says := eval[string](b, `document.querySelector('#paper-says').textContent`); says != "Row 15, column 16: ink" {
		t.Errorf("text of the drawing area = %q, want %q", says, "Row 15, column 16: ink")
	}
	b.awaitOdds(1)
	b.click("[data-event=hero-lab]")
	b.until(`/clamp=407i&/.test(location.hash)`)
}

// TestHeroAlone checks that without the WebAssembly program the start page still moves and shows its odds, in the
// reader's language.
func TestHeroAlone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.refuse = "logz.wasm.gz"
	b := open(t, s, heroWatch)
	b.expectErrors("404", "logz.wasm.gz")
	b.visit("?lang=de")
	b.until(`seen.moved > 0`)
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	if says := eval[string](b, `document.querySelector('#hero').innerText`); !strings.Contains(says,
		"enthält diesen Strich") || !strings.Contains(says, "Eigenes Modell") {
		t.Errorf("text of the German start page: %s", says)
	}
	if lang := eval[string](b, `document.documentElement.lang`); lang != "de" {
		t.Errorf("language of the page = %s, want de", lang)
	}
}

// TestHeroFits checks that in every window size and language no part of the start page is cut off, covered or outside
// the window, and that axe-core finds no violation. Outside the release tier it tests at most the narrowest, the lowest
// and the largest window.
func TestHeroFits(t *testing.T) {
	t.Parallel()
	axe := axe(t)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1")
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	call := "(" + texts[strings.Index(texts, "() =>"):] + ")()"
	// "Your turn" lies over the drawing area but lets pointer events through; without them it counts as covered.
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
				t.Errorf("%v, in %s: the page is %d pixels wide", size, lang, wide)
			}
			high := eval[int64](b, `document.documentElement.scrollHeight`)
			if size[0] >= 768 && high > size[1] && lang != "xx" {
				t.Errorf("%v, in %s: the page is %d pixels high", size, lang, high)
			}
			if out := eval[bool](b, `(() => { const [p, s] = ['#paper', '.hero-stage'].map((q) =>
				document.querySelector(q).getBoundingClientRect());
				return p.top < s.top - 1 || p.bottom > s.bottom + 1 || p.width < 180; })()`); out {
				t.Errorf("%v: the drawing area is outside its stage or narrower than 180 pixels", size)
			}
		}
		if i%4 == 1 {
			b.axe(axe)
		}
	}
}

// TestHeroSpeed checks the times of the start page with one worker: the first movement within 1.5 s, and after a stroke
// a new picture within 0.4 s and the odds within 2 s.
func TestHeroSpeed(t *testing.T) {
	tier.Release(t)
	b := open(t, serve(t), heroWatch)
	b.visit("?workers=1")
	b.until(`document.querySelector('#hero').dataset.act === 'yours'`)
	if ms := eval[float64](b, `seen.moved`); ms > 1500 && slow() == "" {
		t.Errorf("first movement after %.0f ms, want at most 1500", ms)
	}
	for n, way := range [][][2]float64{hook, {{14, 15}, {14, 20}}, {{9, 20}, {17, 20}}} {
		b.stroke(way)
		b.awaitOdds(n + 1)
		took := eval[struct{ Picture, Odds float64 }](b, `seen`)
		t.Logf("picture after %.0f ms, odds after %.0f ms", took.Picture, took.Odds)
		if (took.Picture > 400 || took.Odds > 2000) && slow() == "" {
			t.Errorf("picture %.0f ms and odds %.0f ms after a stroke, want at most 400 and 2000", took.Picture, took.Odds)
		}
	}
}
