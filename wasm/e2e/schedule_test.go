package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/core/labtest/tier"
)

// TestScheduleByHand: a finger takes a knot of the schedule up and down, which does not scroll the page, while it still
// scrolls from beside the knots; the drawing is in the address, waits for Run, and has the digits of the command.
func TestScheduleByHand(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	s := serve(t)
	s.browser = withGL(t)
	b := open(t, s)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.visit("?workers=1#v=1&model=mixture2&method=ais&ais.chains=50&ais.temperatures=30&view.scene=schedule")
	b.until(`document.querySelector('#veil').hidden`)
	b.finish()
	const start = 180
	eval[bool](b, fmt.Sprintf("(scrollTo(0, %d), true)", start))
	b.until(fmt.Sprintf("Math.abs(scrollY - %d) < 1", start))
	b.shot() // the picture is there
	// The browser takes a finger that scrolls away from the picture.
	eval[bool](b, `(window.taken = 0, stage.contentWindow.addEventListener('pointercancel', () => taken++), true)`)
	size := eval[[]float64](b, `((r) => [r.width, r.height])(document.querySelector('#stage').getBoundingClientRect())`)
	x, y := 44+(size[0]-58)/2, 32+(size[1]-188)/2 // of the middle knot
	b.swipe(x, y, 0, (size[1]-188)*.3)
	b.until(`/ais\.schedule=betas:[\d._e-]+&/.test(location.hash)`)
	if eval[int](b, "taken") > 0 {
		t.Error("the finger scrolls the page")
	}
	link := eval[string](b, "location.hash")
	if s := eval[string](b, "document.documentElement.dataset.state"); s != "idle" || len(link) > 200 ||
		!strings.Contains(link, "_0.2_0.6_") {
		t.Errorf("the page is %s, its link %s", s, link)
	}
	b.swipe(x, 60, 0, 160)
	b.until("taken === 1")
	b.click("#run")
	row := b.finish()[0]
	link, _, _ = strings.Cut(link, "&view.")
	if want := native(t, "-link", link[1:])[0].Hash; row.Value["hash"] != want {
		t.Errorf("hash %s, natively %s", row.Value["hash"], want)
	}
}
