package e2e

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// phaseSpy records in window.phases the phase of every frame that a lane posts.
const phaseSpy = `{
	window.phases = [];
	const Old = window.Worker;
	window.Worker = class extends Old {
		constructor(...args) {
			super(...args);
			this.addEventListener('message', (e) => {
				if (e.data?.t !== 'frame' || !e.data.part.includes('/')) return; // a frame of the controller
				const text = new TextDecoder('latin1').decode(new Uint8Array(e.data.data, 0, 200));
				phases.push(/init|move|smooth|generate|resample|augment/.exec(text)?.[0]);
			});
		}
	};
}`

// scene evaluates to the name of the selected scene.
const scene = `document.querySelector('[data-scene][aria-selected=true]').dataset.scene`

// shot returns a PNG of the picture, taken when the page is idle.
func (b *tab) shot() []byte {
	b.t.Helper()
	b.rest()
	ctx, cancel := guarded(b.ctx)
	defer cancel()
	data, err := chromedp.Run(ctx, chromedp.Screenshot(chromedp.CSS("#stage")))
	if err != nil {
		b.t.Fatal(err)
	}
	return data
}

// canFollow reports whether phase b of a stage can come directly after phase a, without skipping a mandatory phase.
func canFollow(a, b string) bool {
	next := map[string]string{"init": "move", "move": "smooth", "smooth": "generate resample augment",
		"generate": "generate resample augment", "resample": "augment", "augment": "move"}
	return strings.Contains(next[a], b)
}

// TestForming runs ARM, whose particles form one variable at a time, in the page. The formation scene opens by itself.
// Step goes forward phase by phase, keys go back, the table fills, and the result is the same as natively.
func TestForming(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=rbm-pcd-20&method=arm&arm.islands=2&arm.moves=2&arm.particles=20"
	b := open(t, serve(t), phaseSpy)
	b.size(1280, 800)
	b.visit("?workers=1" + link + "&view.slow=3")
	b.until(`document.querySelector('#veil').hidden && phases.length > 1`)
	if s := eval[string](b, scene); s != "formation" {
		t.Errorf("selected scene = %s, want formation", s)
	}
	b.click("#pause")
	b.until(`document.documentElement.dataset.state === 'paused'`)
	b.rest()
	eval[int](b, `phases.length = 0`) // a slow computer may have skipped some frames before the pause
	for range 8 {
		n := eval[int](b, `phases.length`)
		b.click("#step")
		b.until(fmt.Sprintf("phases.length > %d", n))
	}
	phases := eval[[]string](b, "phases")
	if len(phases) < 8 {
		t.Errorf("eight steps show the phases %v, want at least eight", phases)
	}
	for i := 1; i < len(phases); i++ {
		if !canFollow(phases[i-1], phases[i]) {
			t.Errorf("phase %s follows %s, but a phase must come between: %v", phases[i], phases[i-1], phases)
		}
	}
	b.set("#speed", "3")
	b.click("#run")
	row := b.awaitResults()[0]
	if want := native(t, "-link", link[1:])[0].Hash; row.Value["hash"] != want {
		t.Errorf("hash %s, natively %s", row.Value["hash"], want)
	}
	live := b.shot()
	b.press("ArrowLeft")
	b.press("ArrowLeft")
	before := b.shot()
	b.press("Home")
	first := b.shot()
	b.press("End")
	if end := b.shot(); bytes.Equal(before, live) || bytes.Equal(first, before) || !bytes.Equal(end, live) {
		t.Errorf("the keys do not move through the run: two steps back = live %v, start = two steps back %v, end = live %v; "+
			"want false, false, true", bytes.Equal(before, live), bytes.Equal(first, before), bytes.Equal(end, live))
	}
	b.click(".table-link")
	b.rest()
	last := eval[string](b, `[...document.querySelectorAll('#sheet tbody tr')].at(-1)?.innerText ?? ''`)
	if !strings.HasPrefix(last, "784") {
		t.Errorf("last row of the table = %q, want stage 784", last)
	}
}

// swipe touches the picture at (x, y), moves the finger by (dx, dy), stops, and lifts it. Without movement it taps.
func (b *tab) swipe(x, y, dx, dy float64) {
	b.t.Helper()
	at := eval[[]float64](b, `((r) => [r.x, r.y])(document.querySelector('#stage').getBoundingClientRect())`)
	const steps = 12
	for i := range steps + 2 {
		p := input.DispatchTouchEventParams{Type: input.DispatchTouchEventTypeTouchMove}
		switch far := min(float64(i)/steps, 1); {
		case i == 0:
			p.Type = input.DispatchTouchEventTypeTouchStart
			fallthrough
		case i <= steps && dx*dx+dy*dy > 0:
			p.TouchPoints = []*input.TouchPoint{{X: at[0] + x + far*dx, Y: at[1] + y + far*dy}}
		case i <= steps:
			continue // a tap
		default:
			p.Type, p.TouchPoints = input.DispatchTouchEventTypeTouchEnd, []*input.TouchPoint{}
		}
		if _, err := chromedp.Call(b.ctx, input.DispatchTouchEvent, p); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case dx*dx+dy*dy == 0: // a tap must stay short, so do not wait
		case i == steps: // stop, so that the page does not go on scrolling after the finger is lifted
			time.Sleep(300 * time.Millisecond)
		default:
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// TestTouch checks touch input on a phone. A finger can tap a particle and drag along the stages, and still scroll the
// page from anywhere on the picture, which then does not change. Two bugs found by this test: a scroll that began on
// the strips went back in time, and a scroll that began on the wall left a label on the picture.
func TestTouch(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	s := serve(t)
	s.browser = withGL(t)
	b := open(t, s, deliveries+`var delivered = (m) => { if (m.t === 'state') window.state = m.name; };`)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.visit("?workers=1#v=1&model=rbm-pcd-20&method=arm&arm.islands=1&arm.moves=1&arm.particles=50")
	b.until(`document.querySelector('#veil').hidden`)
	b.awaitResults()
	b.until(`document.querySelector('#stage').contentWindow.state === 'done'`)
	size := eval[[]float64](b, `((r) => [r.width, r.height])(document.querySelector('#stage').getBoundingClientRect())`)
	axis, strips := size[1]-20, size[1]-90
	const start = 180
	rest := func() {
		eval[bool](b, fmt.Sprintf("(scrollTo(0, %d), true)", start))
		b.until(fmt.Sprintf("Math.abs(scrollY - %d) < 1", start))
	}
	rest()
	now := b.shot()
	for _, c := range []struct {
		what         string
		x, y, dx, dy float64
		change       bool
		scroll       float64 // the least scrolled distance; 0 allows 5 pixels, for text that appears below the picture
	}{
		{"a tap on a particle", 60, 100, 0, 0, true, 0},
		{"a drag along the axis", 300, axis, -120, 0, true, 0},
		{"a slanted drag along the axis", 180, axis, 90, 12, true, 0},
		{"a drag along the strips", 200, strips, -60, 8, true, 0},
		{"a swipe up on the strips", 200, strips, 6, -160, false, 60},
		{"a swipe down on the wall", 100, 120, -6, 160, false, -60},
		{"a swipe up on the axis", 200, axis, 0, -160, false, 60},
		{"a swipe down on the strips", 200, strips - 60, 0, 160, false, -60},
		{"a swipe to the side on the wall", 100, 120, 120, 0, false, 0},
		{"a tap on the strips", 120, strips, 0, 0, true, 0},
	} {
		b.swipe(c.x, c.y, c.dx, c.dy)
		if c.scroll != 0 {
			b.until(fmt.Sprintf("(scrollY - %d) / %g > 1", start, c.scroll))
		} else if d := eval[float64](b, "scrollY") - start; math.Abs(d) > 5 {
			t.Errorf("%s scrolls the page by %g pixels, want none", c.what, d)
		}
		rest()
		before := now
		now = b.shot()
		if changed := !bytes.Equal(now, before); changed != c.change {
			t.Errorf("%s: picture changed = %v, want %v", c.what, changed, c.change)
		}
	}
}

// TestClassifying checks that a Gaussian process classifier shows its function. A dropped data file of the user runs
// with the same result as the command. A bad file changes nothing.
func TestClassifying(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=gpc-1d&method=rm&rm.islands=2&rm.moves=2&rm.particles=20"
	b := open(t, serve(t))
	b.visit("?workers=1" + link)
	row := b.awaitResults()[0]
	if want := native(t, "-link", link[1:])[0].Hash; row.Value["hash"] != want {
		t.Errorf("hash %s, natively %s", row.Value["hash"], want)
	}
	b.until(`document.querySelector('#veil').hidden`)
	if s := eval[string](b, scene); s != "function" {
		t.Errorf("selected scene = %s, want function", s)
	}
	drop := func(text string) {
		eval[bool](b, fmt.Sprintf(`((data) => {
			data.items.add(new File([%q], 'mine.csv'));
			document.body.dispatchEvent(new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: data}));
			return true;
		})(new DataTransfer())`, text))
	}
	drop("0.5,1\n1.5,7\n2.5,-1\n")
	b.until(`/mine\.csv.*labels must be/.test(document.querySelector('#message').innerText)`)
	if hash := eval[string](b, "location.hash"); hash != link {
		t.Errorf("after a bad file the link is %s, want %s", hash, link)
	}
	const own = "0.5,1\n1.1,1\n1.5,0\n2.5,0\n3.5,1\n"
	path := filepath.Join(t.TempDir(), "mine.csv")
	if err := os.WriteFile(path, []byte(own), 0o666); err != nil {
		t.Fatal(err)
	}
	want := native(t, "-model", path, "-method", "rm", "-set", "rm.islands=2", "-set", "rm.moves=2", "-set",
		"rm.particles=20")[0]
	drop(own)
	b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
		want.Hash))
	if s := eval[string](b, scene); s != "function" {
		t.Errorf("selected scene = %s, want function", s)
	}
}

// TestFormingRefused checks a link whose model does not support ARM. The page names the model and the method in its
// language, and one click on the message removes the method.
func TestFormingRefused(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t))
	b.visit("#v=1&model=mixture2&method=ais,arm&ais.chains=10&ais.temperatures=50&view.lang=de")
	b.until(`/arm.*gmm.*wählen/.test(document.querySelector('#message').innerText)`)
	b.click("#message button")
	b.awaitResults()
	if hash := eval[string](b, "location.hash"); hash !=
		"#v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=50&view.lang=de" {
		t.Errorf("after the click on the message the link is %s, want it without arm", hash)
	}
	if names := eval[[]string](b, `[...document.querySelectorAll('#methods input, #more li input')].map((e) =>
		e.value)`); slices.Contains(names, "arm") || !slices.Contains(names, "rts") {
		t.Errorf("methods offered for a model without ARM support: %v, want rts but not arm", names)
	}
}

// TestFormingSpeed checks that one worker runs all 784 stages of a hundred particles, with ten moves each and the
// picture on, in less than a minute.
func TestFormingSpeed(t *testing.T) {
	tier.Release(t)
	s := serve(t)
	s.browser = withGL(t)
	for _, islands := range []string{"&arm.islands=1", ""} {
		b := open(t, s)
		b.size(1280, 800)
		b.visit("?workers=1#v=1&model=rbm-pcd-20&method=arm" + islands + "&arm.particles=100")
		b.until(`document.querySelector('#veil').hidden`)
		row := b.awaitResults()[0]
		seconds, err := strconv.ParseFloat(row.Value["seconds"], 64)
		if err != nil {
			t.Fatal(err)
		}
		frames := eval[int](b, "spy.frames")
		t.Logf("%s: %.1f s, %d pictures, %d views", row.Text["logz"], seconds, frames, eval[int](b, "spy.views"))
		if frames < 20 {
			t.Errorf("%d frames were posted, want at least 20", frames)
		}
		if islands != "" && seconds > 60 {
			t.Errorf("one island takes %.1f s, want at most 60", seconds)
		}
	}
}
