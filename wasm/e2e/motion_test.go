package e2e

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// reduced sets the wish for little motion, as the system would.
func (b *tab) reduced(value string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: value}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// deliveries is a script that has the function delivered see each message that the page gives the picture.
const deliveries = `Object.defineProperty(window, 'deliver', { configurable: true, set: (deliver) =>
	Object.defineProperty(window, 'deliver', { value: (m) => (delivered(m), deliver(m)) }) });`

// told keeps what the picture is told of motion.
const told = deliveries + `var delivered = (m) => { if (m.t === 'motion') window.reduced = m.reduced; };`

// TestReducedMotion: with the wish for it nothing of the page is animated, points of
// the picture do not glide (render's TestGlide has the rest), and slow motion stands
// still until Step; the wish may change at any time. Without it parts of the page do
// move, so the test would notice.
func TestReducedMotion(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	const moving = `[...document.querySelectorAll('*')].flatMap((e) => ['', '::before', '::after',
		'::-webkit-progress-value'].flatMap((part) => {
		const s = getComputedStyle(e, part || null);
		const long = (text) => text.split(',').some((t) => parseFloat(t) > 0);
		return long(s.transitionDuration) || s.animationName !== 'none' && long(s.animationDuration) ? [(e.id ||
			e.localName) + part] : [];
	}))`
	b := open(t, serve(t), told)
	b.reduced("reduce")
	b.visit("?workers=1" + quick + "&view.slow=3")
	b.until(`document.documentElement.dataset.state === 'paused'`)
	b.until(`document.querySelector('#veil').hidden &&
		document.querySelector('#stage').contentWindow.reduced === true`)
	frames := eval[int](b, "spy.frames")
	b.click("#step")
	b.until(fmt.Sprintf("spy.frames > %d && document.documentElement.dataset.state === 'paused'", frames))
	b.press("?")
	b.until(`document.querySelector('#sheet').open`)
	if m := eval[[]string](b, moving); len(m) > 0 {
		t.Errorf("these move: %v", m)
	}
	b.reduced("no-preference")
	b.until(`document.querySelector('#stage').contentWindow.reduced === false`)
	if m := eval[[]string](b, moving); len(m) == 0 {
		t.Error("nothing moves where it may: the test is blind")
	}
	// What changes with every view must not glide: the page would be laid out and
	// painted at every frame of a run. The parts of a progress bar have no computed
	// style, so the rules are read.
	if m := eval[[]string](b, `[...document.styleSheets].flatMap(function rules(r) {
		return r.cssRules?.length ? [...r.cssRules].flatMap(rules) : /progress/.test(r.selectorText) &&
			/transition|animation/.test(r.style.cssText) ? [r.cssText] : [];
	})`); len(m) > 0 {
		t.Errorf("the progress bar glides: %v", m)
	}
}

// TestRareRefreshes: where every processor computes and paints, painting does not take the time of the run, and what
// the viewer does is painted all the same.
func TestRareRefreshes(t *testing.T) {
	tier.Release(t)
	cores := min(runtime.NumCPU(), 8)
	b := open(t, serve(t))
	visit := func(workers int) {
		b.visit(fmt.Sprintf("?workers=%d#v=1&model=rbm-pcd-20&method=rm&rm.islands=24", workers))
		b.until(`document.querySelector('#veil').hidden && document.documentElement.dataset.state === 'running'`)
	}
	// Ebiten asks for refreshes as this does: the next when one has come.
	const refreshes = `(async (keys) => {
		const stage = document.querySelector('#stage').contentWindow, until = performance.now() + 2000;
		let n = 0;
		while (performance.now() < until && document.documentElement.dataset.state === 'running') {
			if (keys) setTimeout(() => stage.onLab({t: 'pointer', x: 9 * n, y: 90}), 20);
			await new Promise((next) => stage.requestAnimationFrame(next));
			n++;
		}
		return n;
	})(%t)`
	if cores > 1 {
		visit(cores - 1)
		// Five a second, and a few more after what the page tells the picture; a screen has 120.
		if n := eval[int](b, fmt.Sprintf(refreshes, false)); n > 40 {
			t.Errorf("%d refreshes in 2 s while every processor but one computes", n)
		}
	}
	visit(cores)
	if n := eval[int](b, fmt.Sprintf(refreshes, false)); n > 6 {
		t.Errorf("%d refreshes in 2 s while every processor computes and paints", n)
	}
	if n := eval[int](b, fmt.Sprintf(refreshes, true)); n < 10 {
		t.Errorf("%d refreshes in 2 s in which the viewer moves the pointer 50 times a second", n)
	}
	b.finish()
	if n := eval[int](b, `new Promise((tell) => {
		const stage = document.querySelector('#stage').contentWindow, until = performance.now() + 1000;
		let n = 0;
		stage.requestAnimationFrame(function next() {
			n++;
			if (performance.now() < until) stage.requestAnimationFrame(next);
			else tell(n);
		});
	})`); n < 20 {
		t.Errorf("%d refreshes a second after the run", n)
	}
}

// TestLoading: what is slow is named, with how much has come.
func TestLoading(t *testing.T) {
	tier.Release(t)
	s := serve(t)
	s.slow = 4 * time.Second
	b := open(t, s)
	b.visit(quick)
	b.until(`['#eta', '#veil'].every((id) =>
		/Downloading, \d\.\d of \d\.\d MB/.test(document.querySelector(id).innerText))`)
	if ms := eval[float64](b, "performance.now()"); ms < 1000 {
		t.Errorf("named after %.0f ms: no stage is named in the first second", ms)
	}
	b.shows(quick)
	b.until(`/Loading the picture\s[^]*\d\.\d of \d\.\d ` +
		`MB/.test(document.querySelector('#veil').innerText)`)
	b.until(`document.querySelector('#veil').hidden`)
}

// TestPictureReloads: a stage that starts again, as on a screen of another pixel ratio, has the frames of the one before,
// and lanes do not wait for it.
func TestPictureReloads(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b := open(t, serve(t))
	b.visit(quick)
	b.finish()
	b.rest()
	const kept = `JSON.stringify(document.querySelector('#stage').contentWindow.onLab({t: 'look'}).map(({part, data}) =>
		[part, ...data]))`
	before := eval[string](b, kept)
	for _, part := range []string{"ais/0", "curves", "field"} {
		if !strings.Contains(before, `"`+part+`"`) {
			t.Errorf("the picture has no frame of %s", part)
		}
	}
	eval[bool](b, `document.querySelector('#stage').contentWindow.first = true`)
	b.do(chromedp.EmulateViewport(500, 640, chromedp.EmulateScale(2)))
	b.until(`!document.querySelector('#stage').contentWindow.first`)
	b.rest()
	if eval[string](b, kept) != before {
		t.Error("the picture has other frames when it starts again")
	}
	b.click("#restart")
	b.until(`document.documentElement.dataset.state !== 'done'`)
	b.finish()
}
