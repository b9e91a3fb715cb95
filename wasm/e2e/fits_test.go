package e2e

import (
	"bytes"
	"fmt"
	"image/png"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// box defines a JavaScript function that returns the rectangle of an element in pixels, or null if it is not visible.
const box = `const box = (s) => ((e) => e?.checkVisibility() ? e.getBoundingClientRect() : null)(
	document.querySelector(s)); `

// barOver evaluates to the number of pixels of the picture that the button bar covers.
const barOver = `(() => { ` + box + `return box('#plate').bottom - box('#transport').top; })()`

// viewsCut evaluates to the number of pixels of the row of views that are out of sight.
const viewsCut = `Math.max(...[...document.querySelectorAll('#views, #views > div')].map(
	(e) => e.scrollWidth - e.clientWidth))`

// TestEmbedFits checks the embedded lab in frames of several widths. Nothing is outside the frame or covers the
// picture, and a link opens the lab with the same experiment.
func TestEmbedFits(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	for _, width := range []int64{280, 400, 600, 720, 1000, 1200} {
		b.size(width, min(640, width+220))
		b.visit(quick + "&view.embed=1")
		b.awaitResults()
		b.rest()
		if got := eval[float64](b, `document.documentElement.scrollWidth`); got > float64(width) {
			t.Errorf("the page is %v pixels wide in a frame of %d", got, width)
		}
		if high := eval[float64](b, `document.documentElement.scrollHeight - innerHeight`); high > 0 {
			t.Errorf("frame of width %d: the page is %v pixels higher than the frame, which adds a scroll bar", width, high)
		}
		if link := eval[string](b, `document.querySelector('.back').hash`); link != quick {
			t.Errorf("frame of width %d: link to the lab = %s, want %s", width, link, quick)
		}
		if over := eval[float64](b, barOver); over > 1 {
			t.Errorf("frame of width %d: the button bar covers %.0f pixels of the picture", width, over)
		}
	}
}

// TestPictureAboveTheBar checks that the button bar does not cover the picture: on a phone with a verdict of many lines
// or several views, and in a low window with many methods.
func TestPictureAboveTheBar(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	phones, low := [][2]int64{{360, 740}, {390, 844}}, [][2]int64{{1023, 600}, {1000, 640}}
	for _, c := range []struct {
		link, has string
		sizes     [][2]int64
	}{
		{"#v=1&model=mixture2&method=smc&smc.temperatures=20&view.scene=resampling&view.lang=de", ".reason [data-long]",
			append(phones, [2]int64{768, 1024})},
		{"#v=1&model=sv-60&method=smc&smc.particles=20&smc.temperatures=20&view.scene=filter", ".views:not([hidden])",
			phones},
		{"#v=1&model=mixture2&method=is,ais,rts,ts,ti,smc&ais.chains=20&ais.temperatures=20&rts.sweeps=50&smc.temperatures=9",
			"#results tr:nth-child(6)", low},
	} {
		for _, size := range c.sizes[:tier.Size(1, 1, len(c.sizes))] {
			b.size(size[0], size[1])
			b.visit(c.link)
			b.awaitResults()
			b.until(`document.querySelector('` + c.has + `')`)
			b.rest()
			over, high := eval[float64](b, barOver), eval[float64](b, `document.querySelector('#plate').clientHeight`)
			if cut := eval[float64](b, `(() => { const e = document.querySelector('#r-head');
				return e.scrollHeight - e.clientHeight; })()`); cut > 1 {
				t.Errorf("%v, %s: %.0f pixels of the result pane are out of sight", size, c.link, cut)
			}
			if over > 1 || high < 200 {
				t.Errorf("%v, %s: the button bar covers %.0f of %.0f pixels of the picture (want none, of at least 200)", size,
					c.link, over, high)
			}
		}
	}
}

// TestTabsFit checks that on a phone, in portrait and landscape format, no tab is cut off or covered by a button.
func TestTabsFit(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	const five = "#v=1&model=rbm-pcd-20&method=ais,rm&ais.chains=20&ais.temperatures=20&rm.islands=2&rm.particles=4" +
		"&view.lang="
	for _, size := range [][2]int64{{360, 740}, {390, 844}, {640, 400}} {
		for _, link := range []string{five + "en", five + "de", quick + "&view.lang=en"} {
			b.size(size[0], size[1])
			b.visit(link)
			b.until(`spy.views > 0 && document.querySelectorAll('#tabs button').length > 3 && document.documentElement.lang ===
				location.hash.slice(-2)`)
			if says := eval[string](b, `(() => { `+box+`
				const end = Math.max(...[...document.querySelectorAll('#tabs button')].map((e) => e.getBoundingClientRect().right));
				const room = Math.min(innerWidth, box('.table-link')?.left ?? innerWidth);
				return end > room + 1 ? 'tabs end at ' + end + ' of ' + room : ''; })()`); says != "" {
				t.Errorf("%v, %s: %s", size, link[len(link)-12:], says)
			}
		}
	}
}

// TestEnterRuns checks that Enter in a field runs the experiment with the typed value, once.
func TestEnterRuns(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	b.visit(quick)
	first := b.awaitResults()[0].Value["hash"]
	eval[bool](b, `((e) => (e.focus(), e.value = '7', true))(document.querySelector('#seed'))`)
	b.press("Enter")
	b.until(`/seed=7/.test(location.hash)`)
	b.until(fmt.Sprintf(`((td) => td?.dataset.value && td.dataset.value !== %q)(document.querySelector(
		'#results td[data-field=hash]'))`, first))
}

// TestNothingTooWide checks that the page is never wider than its window, in any size and language, and that the
// controls for choosing a model do not touch. Outside the release tier it tests only German, in the narrowest and the
// lowest window.
func TestNothingTooWide(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	for _, lessons := range []string{"de/", ""}[:tier.Size(1, 1, 2)] { // the cells of their tables fit, too
		pages, err := filepath.Glob("../../site/lessons/" + lessons + "*-*.html")
		if err != nil || len(pages) < 16 {
			t.Fatal(pages, err)
		}
		b.size(360, 740)
		for i, page := range pages {
			if i%tier.Size(6, 6, 1) != 0 {
				continue
			}
			b.visit("lessons/" + lessons + filepath.Base(page))
			b.until(`document.readyState === 'complete'`)
			if over := eval[float64](b, `Math.max(document.documentElement.scrollWidth - innerWidth,
				...[...document.querySelectorAll('td, th')].map((e) => e.getBoundingClientRect().right - innerWidth))`); over > 0 {
				t.Errorf("lesson %s: %v pixels too wide in a window of 360 pixels", page, over)
			}
		}
	}
	b.size(1280, 800)
	links := []string{quick, "", "#v=1&model=sv-60&method=aisel&aisel.islands=4&aisel.particles=10"}
	sizes := [][2]int64{{360, 740}, {1024, 600}, {390, 844}, {768, 1024}, {1280, 800}, {1920, 1080}, {2560, 1440}}
	for _, link := range links[:tier.Size(2, 2, 3)] {
		for _, lang := range []string{"de", "en"}[:tier.Size(1, 1, 2)] {
			b.visit("?lang=" + lang + link)
			b.until(fmt.Sprintf(`document.documentElement.lang === %q && document.querySelector(%q)?.checkVisibility()`, lang,
				map[bool]string{true: "#hero", false: ".lab"}[link == ""]))
			for _, size := range sizes[:tier.Size(2, 2, len(sizes))] {
				b.size(size[0], size[1])
				b.rest()
				if over := eval[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("%v, %s, %s: %v pixels too wide", size, lang, link, over)
				}
				if below := eval[float64](b, `(document.querySelector('#transport')?.getBoundingClientRect().bottom ?? 0) -
					innerHeight`); below > 1 {
					t.Errorf("%v, %s, %s: %v pixels of the buttons are below the window", size, lang, link, below)
				}
			}
			if gap, err := try[float64](b, `(() => { `+box+`const field = box('.s-model .param');
				return field ? field.top - box('.s-model button:last-of-type').bottom : 99; })()`); err != nil || gap < 12 {
				t.Errorf("%s: gap above the field for a second model = %v pixels, want at least 12 (error %v)", lang, gap, err)
			}
		}
	}
}

// TestLobby checks that the room's QR code takes half the height of a projector, with the buttons visible next to it,
// or below it in a small window of the lab. It also checks that a late frame of the previous run is ignored.
func TestLobby(t *testing.T) {
	t.Parallel()
	b := open(t, serveRooms(t, nativeRooms(t)), noPicture)
	b.size(1280, 800)
	b.visit("?workers=1#" + roomLink + "&view.projector=1")
	b.click("#share")
	b.click(`[data-event="open-room"]`)
	b.until(`document.querySelector('.room .join.lobby .qr')`)
	fits := func(where string, sizes ...[2]int64) {
		t.Helper()
		for _, size := range sizes {
			b.size(size[0], size[1])
			b.rest()
			if says := eval[string](b, `(() => { `+box+`
				const qr = box('.room .qr'), start = box('[data-event=start-room]'), close = box('[data-event=leave-room]');
				const fits = qr.bottom <= innerHeight && Math.max(start.bottom, close.bottom) <= innerHeight && `+where+`;
				return fits ? '' : JSON.stringify([qr, start, close]); })()`); says != "" {
				t.Errorf("%v: %s", size, says)
			}
		}
	}
	fits(`qr.height > innerHeight / 2 && start.left > qr.right`, [][2]int64{{1024, 600}, {1280, 800}, {1920, 1080}}...)
	b.click("#leave")
	fits(`qr.height > 190 && !box('#caption')`, [][2]int64{{1024, 600}, {1024, 768}, {1280, 800}}...) // no picture yet
	if acks := eval[int](b, `(() => {
		const lane = spy.workers.find((w) => w.role === 'lane' && !w.dead), post = lane.postMessage;
		let acks = 0;
		lane.postMessage = (m) => { acks += m.t === 'ack'; };
		lane.onmessage({data: {t: 'frame', part: 'ais/0', run: 1, data: new ArrayBuffer(8)}});
		lane.postMessage = post;
		return acks; })()`); acks > 0 {
		t.Error("the picture accepts a frame of the previous run")
	}
}

// TestShadeBelow checks the shadow at the lower edge of the list of checks: it is there while the list can be scrolled
// further, and not at the end.
func TestShadeBelow(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1024, 600)
	b.visit(quick)
	b.awaitResults()
	foot := func() (light int) { // brightness of a pixel at the lower edge of the checks
		t.Helper()
		b.rest()
		shot, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(shot))
		if err != nil {
			t.Fatal(err)
		}
		at := eval[struct{ X, Y float64 }](b, `(() => { `+box+`
			const r = box('.r-checks'); return {x: r.left + 3, y: r.bottom - 2}; })()`)
		red, _, _, _ := img.At(int(at.X), int(at.Y)).RGBA()
		return int(red >> 8)
	}
	if hidden := eval[float64](b, `(() => { const e = document.querySelector('.r-checks');
		return e.scrollHeight - e.clientHeight; })()`); hidden < 20 {
		t.Fatalf("only %v pixels of the checks are hidden, want at least 20 for this test", hidden)
	}
	more := foot()
	eval[bool](b, `(document.querySelector('.r-checks').scrollTo(0, 1e6), true)`)
	if end := foot(); more > end-10 {
		t.Errorf("brightness at the lower edge of the checks = %d, at their end %d; want a darker shade before the end", more,
			end)
	}
}
