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

// box is where an element stands, in pixels, or nil where it is not shown.
const box = `const box = (s) => ((e) => e?.checkVisibility() ? e.getBoundingClientRect() : null)(
	document.querySelector(s)); `

// barOver is how many pixels of the picture the bar of buttons covers.
const barOver = `(() => { ` + box + `return box('#plate').bottom - box('#transport').top; })()`

// viewsCut is how many pixels of the row of views are out of sight.
const viewsCut = `Math.max(...[...document.querySelectorAll('#views, #views > div')].map(
	(e) => e.scrollWidth - e.clientWidth))`

// TestEmbedFits: in frames of every width nothing stands beside the frame or over the picture, and a link leads to the
// lab with this experiment.
func TestEmbedFits(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	for _, width := range []int64{280, 400, 600, 720, 1000, 1200} {
		b.size(width, min(640, width+220))
		b.visit(quick + "&view.embed=1")
		b.finish()
		b.rest()
		if got := eval[float64](b, `document.documentElement.scrollWidth`); got > float64(width) {
			t.Errorf("a frame of %d pixels holds a page of %v", width, got)
		}
		if high := eval[float64](b, `document.documentElement.scrollHeight - innerHeight`); high > 0 {
			t.Errorf("%d: a second scroll bar, for %v pixels", width, high)
		}
		if link := eval[string](b, `document.querySelector('.back').hash`); link != quick {
			t.Errorf("%d: the way back leads to %s", width, link)
		}
		if over := eval[float64](b, barOver); over > 1 {
			t.Errorf("%d: the bar lies over %.0f pixels of the picture", width, over)
		}
	}
}

// TestPictureAboveTheBar: on a phone a verdict of many lines leaves the whole picture above the bar of buttons, and so
// does a picture that is one of several views; in a low window many methods do.
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
			b.finish()
			b.until(`document.querySelector('` + c.has + `')`)
			b.rest()
			over, high := eval[float64](b, barOver), eval[float64](b, `document.querySelector('#plate').clientHeight`)
			if cut := eval[float64](b, `(() => { const e = document.querySelector('#r-head');
				return e.scrollHeight - e.clientHeight; })()`); cut > 1 {
				t.Errorf("%v, %s: %.0f pixels of the number's pane are out of sight", size, c.link, cut)
			}
			if over > 1 || high < 200 {
				t.Errorf("%v, %s: the bar lies over %.0f of %.0f pixels of the picture", size, c.link, over, high)
			}
		}
	}
}

// TestTabsFit: on a phone, upright and on its side, no tab is cut or lies under another button.
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

// TestEnterRuns: Enter in a field runs what was typed there, once.
func TestEnterRuns(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	b.visit(quick)
	first := b.finish()[0].Value["hash"]
	eval[bool](b, `((e) => (e.focus(), e.value = '7', true))(document.querySelector('#seed'))`)
	b.press("Enter")
	b.until(`/seed=7/.test(location.hash)`)
	b.until(fmt.Sprintf(`((td) => td?.dataset.value && td.dataset.value !== %q)(document.querySelector(
		'#results td[data-field=hash]'))`, first))
}

// TestNothingTooWide: at no width and in no language the page is wider than its window, and the things that choose a
// model stand apart. Before a release German stands for both languages, and the narrowest and lowest window for all.
func TestNothingTooWide(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	for _, lessons := range []string{"de/", ""}[:tier.Size(1, 1, 2)] { // and no cell of their tables is cut
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
				t.Errorf("lesson %s: %v pixels too wide at 360", page, over)
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
				t.Errorf("%s: %v pixels above the model to compare with (%v)", lang, gap, err)
			}
		}
	}
}

// TestLobby: the code to scan takes half of a projector, and the buttons are in sight beside it, or below it in a small
// window of the lab. A frame of the run before that comes late is no part of the picture.
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
		t.Error("the picture takes a frame of the run before")
	}
}

// TestShadeBelow: a shade at the foot of the checks says that more stands below, and at their end there is none.
func TestShadeBelow(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1024, 600)
	b.visit(quick)
	b.finish()
	foot := func() (light int) { // of the lowest line of pixels in the middle of the checks
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
		t.Fatalf("%v pixels of the checks are below the fold: nothing to hint at", hidden)
	}
	more := foot()
	eval[bool](b, `(document.querySelector('.r-checks').scrollTo(0, 1e6), true)`)
	if end := foot(); more > end-10 {
		t.Errorf("the foot of the checks has %d, at their end %d", more, end)
	}
}
