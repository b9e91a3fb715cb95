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

// reduced sets the media feature prefers-reduced-motion.
func (b *tab) reduced(value string) {
	b.t.Helper()
	_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: value}}})
	if err != nil {
		b.t.Fatal(err)
	}
}

// deliveries is a script that passes each message from the page to the picture to the function delivered as well.
const deliveries = `Object.defineProperty(window, 'deliver', { configurable: true, set: (deliver) =>
	Object.defineProperty(window, 'deliver', { value: (m) => (delivered(m), deliver(m)) }) });`

// told is a script that records in window.reduced the last motion setting that the picture received.
const told = deliveries + `var delivered = (m) => { if (m.t === 'motion') window.reduced = m.reduced; };`

// TestReducedMotion tests prefers-reduced-motion. With it, nothing on the page is animated, points of the picture do
// not glide (render's TestGlide tests that further), and slow motion is paused until Step. The setting may change at
// any time. Without it some parts of the page are animated, which shows that the test detects animations.
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
		t.Errorf("animated elements with reduced motion: %v", m)
	}
	b.reduced("no-preference")
	b.until(`document.querySelector('#stage').contentWindow.reduced === false`)
	if m := eval[[]string](b, moving); len(m) == 0 {
		t.Error("no element is animated without reduced motion, so this test detects nothing")
	}
	// The progress bar changes with every view and must not be animated: the browser would lay out and paint the page
	// in every frame of a run. The parts of a progress bar have no computed style, so the test reads the style rules.
	if m := eval[[]string](b, `[...document.styleSheets].flatMap(function rules(r) {
		return r.cssRules?.length ? [...r.cssRules].flatMap(rules) : /progress/.test(r.selectorText) &&
			/transition|animation/.test(r.style.cssText) ? [r.cssText] : [];
	})`); len(m) > 0 {
		t.Errorf("rules that animate the progress bar: %v", m)
	}
}

// TestRareRefreshes checks that the picture refreshes rarely while all processors compute, so that painting does not
// slow the run down, but still reacts to the viewer's input.
func TestRareRefreshes(t *testing.T) {
	tier.Release(t)
	cores := min(runtime.NumCPU(), 8)
	b := open(t, serve(t))
	visit := func(workers int) {
		b.visit(fmt.Sprintf("?workers=%d#v=1&model=rbm-pcd-20&method=rm&rm.islands=24", workers))
		b.until(`document.querySelector('#veil').hidden && document.documentElement.dataset.state === 'running'`)
	}
	// Like Ebiten, this requests the next refresh when one has come.
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
		// Five a second, and a few more after messages from the page. Without a limit there are 120.
		if n := eval[int](b, fmt.Sprintf(refreshes, false)); n > 40 {
			t.Errorf("%d refreshes in 2 s while all processors but one compute, want at most 40", n)
		}
	}
	visit(cores)
	if n := eval[int](b, fmt.Sprintf(refreshes, false)); n > 6 {
		t.Errorf("%d refreshes in 2 s while all processors compute, want at most 6", n)
	}
	if n := eval[int](b, fmt.Sprintf(refreshes, true)); n < 10 {
		t.Errorf("%d refreshes in 2 s while the viewer moves the pointer, want at least 10", n)
	}
	b.awaitResults()
	if n := eval[int](b, `new Promise((tell) => {
		const stage = document.querySelector('#stage').contentWindow, until = performance.now() + 1000;
		let n = 0;
		stage.requestAnimationFrame(function next() {
			n++;
			if (performance.now() < until) stage.requestAnimationFrame(next);
			else tell(n);
		});
	})`); n < 20 {
		t.Errorf("%d refreshes a second after the run, want at least 20", n)
	}
}

// TestLoading checks that the page names a slow download and shows its progress.
func TestLoading(t *testing.T) {
	tier.Release(t)
	s := serve(t)
	s.slow = 4 * time.Second
	b := open(t, s)
	b.visit(quick)
	b.until(`['#eta', '#veil'].every((id) =>
		/Downloading, \d\.\d of \d\.\d MB/.test(document.querySelector(id).innerText))`)
	if ms := eval[float64](b, "performance.now()"); ms < 1000 {
		t.Errorf("download named after %.0f ms, want no text in the first second", ms)
	}
	b.shows(quick)
	b.until(`/Loading the picture\s[^]*\d\.\d of \d\.\d ` +
		`MB/.test(document.querySelector('#veil').innerText)`)
	b.until(`document.querySelector('#veil').hidden`)
}

// TestPictureReloads checks that a picture that is restarted, for example after a change of the pixel ratio, receives
// the same frames again, and that lanes do not wait for it.
func TestPictureReloads(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b := open(t, serve(t))
	b.visit(quick)
	b.awaitResults()
	b.rest()
	const kept = `JSON.stringify(document.querySelector('#stage').contentWindow.onLab({t: 'look'}).map(({part, data}) =>
		[part, ...data]))`
	before := eval[string](b, kept)
	for _, part := range []string{"ais/0", "curves", "field"} {
		if !strings.Contains(before, `"`+part+`"`) {
			t.Errorf("the picture has no frame for %s", part)
		}
	}
	eval[bool](b, `document.querySelector('#stage').contentWindow.first = true`)
	b.do(chromedp.EmulateViewport(500, 640, chromedp.EmulateScale(2)))
	b.until(`!document.querySelector('#stage').contentWindow.first`)
	b.rest()
	if eval[string](b, kept) != before {
		t.Error("the picture has other frames after its restart")
	}
	b.click("#restart")
	b.until(`document.documentElement.dataset.state !== 'done'`)
	b.awaitResults()
}
