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

// phaseSpy notes the phase of every picture that a lane posts.
const phaseSpy = `{
	window.phases = [];
	const Old = window.Worker;
	window.Worker = class extends Old {
		constructor(...args) {
			super(...args);
			this.addEventListener('message', (e) => {
				if (e.data?.t !== 'frame' || !e.data.part.includes('/')) return; // curves of the controller
				const text = new TextDecoder('latin1').decode(new Uint8Array(e.data.data, 0, 200));
				phases.push(/init|move|smooth|generate|resample|augment/.exec(text)?.[0]);
			});
		}
	};
}`

// scene is the tab that is selected.
const scene = `document.querySelector('[data-scene][aria-selected=true]').dataset.scene`

// shot is what the canvas shows.
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

// follows tells whether phase b of a stage can come right after phase a: no phase
// that is always there is left out.
func follows(a, b string) bool {
	next := map[string]string{"init": "move", "move": "smooth", "smooth": "generate resample augment",
		"generate": "generate resample augment", "resample": "augment", "augment": "move"}
	return strings.Contains(next[a], b)
}

// TestForming: particles form in the page: the scene opens by itself, goes forward
// phase by phase and back by keys, its table fills, and the digits are the native ones.
func TestForming(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=rbm-pcd-20&method=arm&arm.islands=2&arm.moves=2&arm.particles=20"
	b := open(t, serve(t), phaseSpy)
	b.size(1280, 800)
	b.visit("?workers=1" + link + "&view.slow=3")
	b.until(`document.querySelector('#veil').hidden && phases.length > 1`)
	if s := eval[string](b, scene); s != "formation" {
		t.Errorf("the scene is %s", s)
	}
	b.click("#pause")
	b.until(`document.documentElement.dataset.state === 'paused'`)
	b.rest()
	eval[int](b, `phases.length = 0`) // a slow machine may have left some out
	for range 8 {
		n := eval[int](b, `phases.length`)
		b.click("#step")
		b.until(fmt.Sprintf("phases.length > %d", n))
	}
	phases := eval[[]string](b, "phases")
	if len(phases) < 8 {
		t.Errorf("eight steps show %v", phases)
	}
	for i := 1; i < len(phases); i++ {
		if !follows(phases[i-1], phases[i]) {
			t.Errorf("%s comes after %s: %v", phases[i], phases[i-1], phases)
		}
	}
	b.set("#speed", "3")
	b.click("#run")
	row := b.finish()[0]
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
		t.Errorf("the keys do not go back and forth: %v %v %v", bytes.Equal(before, live), bytes.Equal(first, before),
			bytes.Equal(end, live))
	}
	b.click(".table-link")
	b.rest()
	last := eval[string](b, `[...document.querySelectorAll('#sheet tbody tr')].at(-1)?.innerText ?? ''`)
	if !strings.HasPrefix(last, "784") {
		t.Errorf("the table ends with %q", last)
	}
}

// swipe touches the picture at a place, goes on for some way, stops, and lifts the finger.
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
		case dx*dx+dy*dy == 0: // a tap is short, whatever the machine
		case i == steps: // or the page would go on scrolling by itself
			time.Sleep(300 * time.Millisecond)
		default:
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// TestTouch: on a phone a finger taps a particle and drags through the stages, and
// still scrolls the page from anywhere on the picture, which then stays as it is.
// Caught before it was mended: a scroll that began on the strips went back in time,
// and one that began on the wall left what it read there on the picture.
func TestTouch(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	s := serve(t)
	s.browser = withGL(t)
	b := open(t, s, deliveries+`var delivered = (m) => { if (m.t === 'state') window.state = m.name; };`)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	b.visit("?workers=1#v=1&model=rbm-pcd-20&method=arm&arm.islands=1&arm.moves=1&arm.particles=50")
	b.until(`document.querySelector('#veil').hidden`)
	b.finish()
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
		scroll       float64 // at least so far; 0: not at all, but for what the page says below the picture
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
			t.Errorf("%s scrolls by %g", c.what, d)
		}
		rest()
		before := now
		now = b.shot()
		if changed := !bytes.Equal(now, before); changed != c.change {
			t.Errorf("%s: the picture changes: %v", c.what, changed)
		}
	}
}

// TestClassifying: a classifier shows its function; an own file that is dropped runs
// with the digits of the command, and a bad one changes nothing.
func TestClassifying(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=gpc-1d&method=rm&rm.islands=2&rm.moves=2&rm.particles=20"
	b := open(t, serve(t))
	b.visit("?workers=1" + link)
	row := b.finish()[0]
	if want := native(t, "-link", link[1:])[0].Hash; row.Value["hash"] != want {
		t.Errorf("hash %s, natively %s", row.Value["hash"], want)
	}
	b.until(`document.querySelector('#veil').hidden`)
	if s := eval[string](b, scene); s != "function" {
		t.Errorf("the scene is %s", s)
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
		t.Errorf("a bad file leads to %s", hash)
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
		t.Errorf("the scene is %s", s)
	}
}

// TestFormingRefused: a model that cannot be formed is refused by name, in the
// language of the page, and the way out is one click.
func TestFormingRefused(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t))
	b.visit("#v=1&model=mixture2&method=ais,arm&ais.chains=10&ais.temperatures=50&view.lang=de")
	b.until(`/arm.*gmm.*wählen/.test(document.querySelector('#message').innerText)`)
	b.click("#message button")
	b.finish()
	if hash := eval[string](b, "location.hash"); hash !=
		"#v=1&model=mixture2&method=ais&ais.chains=10&ais.temperatures=50&view.lang=de" {
		t.Errorf("the way out leads to %s", hash)
	}
	if names := eval[[]string](b, `[...document.querySelectorAll('#methods input, #more li input')].map((e) =>
		e.value)`); slices.Contains(names, "arm") || !slices.Contains(names, "rts") {
		t.Errorf("offered for a model that cannot be formed: %v", names)
	}
}

// TestFormingSpeed: all 784 stages of a hundred particles, ten moves each, by one
// worker with the picture on, in under a minute.
func TestFormingSpeed(t *testing.T) {
	tier.Release(t)
	s := serve(t)
	s.browser = withGL(t)
	for _, islands := range []string{"&arm.islands=1", ""} {
		b := open(t, s)
		b.size(1280, 800)
		b.visit("?workers=1#v=1&model=rbm-pcd-20&method=arm" + islands + "&arm.particles=100")
		b.until(`document.querySelector('#veil').hidden`)
		row := b.finish()[0]
		seconds, err := strconv.ParseFloat(row.Value["seconds"], 64)
		if err != nil {
			t.Fatal(err)
		}
		frames := eval[int](b, "spy.frames")
		t.Logf("%s: %.1f s, %d pictures, %d views", row.Text["logz"], seconds, frames, eval[int](b, "spy.views"))
		if frames < 20 {
			t.Errorf("only %d pictures", frames)
		}
		if islands != "" && seconds > 60 {
			t.Errorf("one island takes %.1f s", seconds)
		}
	}
}
