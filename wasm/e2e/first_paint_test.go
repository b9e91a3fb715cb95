package e2e

import (
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestFirstPaint compares the page before and after its script has loaded. Before it, the page already shows the
// experiment of the link and nothing of the default experiment. The start page does not yet show the odds of the
// animated stroke, and its drawing area is already in its final place.
func TestFirstPaint(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.refuse = "sw.js" // the service worker would also fetch main.js
	come := make(chan bool)
	inner := s.Config.Handler
	s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/main.js") {
			<-come
		}
		inner.ServeHTTP(w, r)
	})
	t.Cleanup(func() { close(come) })
	b := open(t, s, noPicture)
	b.expectErrors("404", "sw.js")
	b.size(1280, 800)
	// paints loads an address and returns the value of an expression before and after the script has loaded.
	paints := func(address, expression, later string) (before, after string) {
		t.Helper()
		b.do(chromedp.Navigate("about:blank"))
		eval[bool](b, `(location.href = '`+s.URL+`/some/path/`+address+`', true)`)
		b.until(`document.readyState === 'interactive' && document.styleSheets.length > 0`)
		before = eval[string](b, expression)
		select {
		case come <- true:
		case <-time.After(guard):
			t.Fatalf("%s does not request main.js", address)
		}
		b.until(later)
		return before, eval[string](b, expression)
	}
	// The run may already have started when the label is read; then it shows Z at the temperature reached.
	const lab = `JSON.stringify([document.querySelector('#model').selectedOptions[0]?.text,
		...[...document.querySelectorAll('#methods .name, #tabs button, .r-of')].map((e) => [e.id, e.innerText.replace('Z\u03b2', 'Z'),
			e.className || e.ariaSelected, e.ariaDisabled]), document.querySelector('#seed').value])`
	for _, link := range []string{
		"#v=1&model=ising16&method=rts,wl&seed=5",
		"#v=1&model=glass16&method=arm,ais&view.focus=ais",
		"#v=1&model=gpc-1d&method=rm&rm.particles=10&view.scene=trace",
		"#v=1&model=lgssm-40&method=aisel&view.scene=ladder",
		"#v=1&model=rbm-pcd-20&method=rts&view.scene=heat", // an old name
	} {
		if before, after := paints(link, lab, `spy.views > 0 && !document.documentElement.matches('[data-link]')`); before !=
			after {
			t.Errorf("%s: before the script\n%s\nafter it\n%s", link, before, after)
		}
	}
	const own = `[...document.querySelectorAll('#model, #model-about, #tabs, #caption')].filter((e) =>
		e.checkVisibility({visibilityProperty: true})).map((e) => e.id).join()`
	if before, after := paints("#v=1&model=file:0123456789ab&method=ais", own, `spy.views > 0`); before != "" ||
		after == "" {
		t.Errorf("a link to a user's file shows %q before the script, want nothing; %q after it, want something", before,
			after)
	}
	const parts = `JSON.stringify([...document.querySelectorAll('.top, .setup, .numbers, .transport, #tabs, .r-head, .r-forest, ' +
		'.r-checks')].map((e) => e.checkVisibility()))`
	for _, link := range []string{"#v=1&model=mixture2&method=ais&view.embed=1",
		"#v=1&model=mixture2&method=ais&view.embed=1&view.hide=run,checks,forest,tabs,share"} {
		if before, after := paints(link, parts, `spy.views > 0`); before != after {
			t.Errorf("%s: visible parts before the script %s, after it %s", link, before, after)
		}
	}
	const hero = `(({x, y, width, height}) => JSON.stringify([x, y, width, height, +document.querySelector('.hero-one')
		.checkVisibility({visibilityProperty: true})]))(document.querySelector('#paper').getBoundingClientRect())`
	for _, size := range [][2]int64{{390, 844}, {1280, 800}, {1920, 1080}} {
		b.size(size[0], size[1])
		before, after := paints("", hero, `document.querySelector('#paper').matches('[style]')`)
		var first, then []float64
		if err := errors.Join(json.Unmarshal([]byte(before), &first), json.Unmarshal([]byte(after), &then)); err != nil {
			t.Fatal(err)
		}
		for i := range first {
			if math.Abs(first[i]-then[i]) > 4 {
				t.Errorf("%v: the drawing area is at %v before the script, at %v after it", size, first, then)
			}
		}
		if first[4] != 0 {
			t.Errorf("%v: the odds are visible before the animated stroke", size)
		}
	}
}

// TestNoScript checks that the page without scripts shows a picture and two links, and no control that would not work.
func TestNoScript(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t))
	for _, size := range [][2]int64{{390, 844}, {1280, 800}} {
		b.size(size[0], size[1])
		disabled := func(yes bool) {
			t.Helper()
			if _, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled,
				emulation.SetScriptExecutionDisabledParams{Value: yes}); err != nil {
				t.Fatal(err)
			}
		}
		disabled(true)
		b.visit("")
		if says := eval[string](b, `[...document.querySelectorAll('a, button, img, h1')].filter((e) =>
			e.checkVisibility() && e.getBoundingClientRect().right <= innerWidth).map((e) =>
			e.getAttribute('href') ?? e.getAttribute('src') ?? e.innerText).join(' ')`); says !=
			"LogZ Lab lessons/1-what.html docs/index.html lab.png" {
			t.Errorf("%v: visible elements without scripts: %s", size, says)
		}
		b.do(chromedp.Navigate("about:blank"))
		disabled(false)
	}
}
