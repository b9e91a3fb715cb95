package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// drawnByHand opens a link on a phone, runs the experiment and presses the given key, if any, in the picture. Then it
// drags a finger upwards from the place that from returns, and waits until the address matches drawn, the parameter
// drawn by hand. It returns the tab and the size of the picture.
func drawnByHand(t *testing.T, link, key string, from func(w, h float64) (x, y, up float64),
	drawn string) (*tab, []float64) {
	t.Helper()
	s := serve(t)
	s.browser = withGL(t)
	b := open(t, s)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.visit("?workers=1#" + link)
	b.until(`document.querySelector('#veil').hidden`)
	b.awaitResults()
	const start = 180
	eval[bool](b, fmt.Sprintf("(scrollTo(0, %d), true)", start))
	b.until(fmt.Sprintf("Math.abs(scrollY - %d) < 1", start))
	b.shot() // waits for the picture
	if key != "" {
		eval[bool](b, fmt.Sprintf(`stage.contentWindow.dispatchEvent(new KeyboardEvent('keydown', {key: %q})) || true`, key))
		b.shot()
	}
	// If a finger scrolls the page, the browser sends pointercancel to the picture.
	eval[bool](b, `(window.taken = 0, stage.contentWindow.addEventListener('pointercancel', () => taken++), true)`)
	size := eval[[]float64](b, `((r) => [r.width, r.height])(document.querySelector('#stage').getBoundingClientRect())`)
	x, y, up := from(size[0], size[1])
	b.swipe(x, y, 0, -up)
	b.until(fmt.Sprintf("/%s/.test(location.hash)", drawn))
	if eval[int](b, "taken") > 0 {
		t.Error("dragging a knot scrolls the page")
	}
	return b, size
}

// ran presses Run and compares the hash with the command's.
func (b *tab) ran() {
	b.t.Helper()
	link, _, _ := strings.Cut(eval[string](b, "location.hash"), "&view.")
	b.click("#run")
	row := b.awaitResults()[0]
	if want := native(b.t, "-link", link[1:])[0].Hash; row.Value["hash"] != want {
		b.t.Errorf("hash %s, natively %s", row.Value["hash"], want)
	}
}

// TestScheduleByHand drags a knot of the schedule with a finger, which does not scroll the page. Next to the knots a
// finger still scrolls. The address contains the drawn schedule, nothing runs before Run is pressed, and the result is
// the same as the command's.
func TestScheduleByHand(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b, size := drawnByHand(t, "v=1&model=mixture2&method=ais&ais.chains=50&ais.temperatures=30&view.scene=schedule", "",
		func(w, h float64) (x, y, up float64) { // of the middle knot
			return 44 + (w-58)/2, 32 + (h-188)/2, -(h - 188) * .3
		}, `ais\.schedule=betas:[\d._e-]+&`)
	link := eval[string](b, "location.hash")
	if s := eval[string](b, "document.documentElement.dataset.state"); s != "idle" || len(link) > 200 ||
		!strings.Contains(link, "_0.2_0.6_") {
		t.Errorf("state = %s, want idle; link = %s, want a short one with the drawn schedule", s, link)
	}
	b.swipe(44+(size[0]-58)/2, 60, 0, 160)
	b.until("taken === 1")
	b.ran()
}

// TestPlanByHand does the same for the planned visits of the rungs: the key d shows the plan, and a finger drags its
// middle knot up by half a decade.
func TestPlanByHand(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b, _ := drawnByHand(t, "v=1&model=mixture2&method=rts&rts.chains=20&rts.sweeps=200&view.scene=travel", "d",
		func(w, h float64) (x, y, up float64) { // three panels below two lines of text; the plan has half of their height
			panels := h - 64 - 42
			plan := panels/2 - 22
			return 58 + (w-80)/2, 64 + panels/4 + 30 + plan/2, plan / 4
		}, `rts\.prior=weights:1_1_1_1_[23][.\d]*_1_1_1_1&`)
	b.ran()
}
