package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// TestAccess runs axe-core on the page in its states and sizes: nothing serious.
func TestAccess(t *testing.T) {
	axe, err := os.ReadFile("../../node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("%v; run npm ci", err)
		}
		t.Skipf("%v; run npm ci", err)
	}
	s := serve(t)
	for _, c := range []struct {
		name, link    string
		width, height int64
		after         string // clicked before the check
	}{
		{"desktop light", quick, 1280, 800, ""},
		{"desktop dark, advanced", quick + "&view.theme=dark", 1280, 800, ".advanced"},
		{"tablet", "#v=1&model=mixture10&method=is,ais&ais.temperatures=100", 768, 1024, ""},
		{"phone", quick, 390, 844, ""},
		{"phone, setup", quick, 390, 844, ".to-setup"},
		{"projector", quick + "&view.projector=1&view.lesson=2", 1280, 800, ""},
		{"share", quick, 1280, 800, "#share"},
		{"help", quick + "&view.theme=dark", 1280, 800, ".top [data-value=help]"},
		{"table", quick + "&view.scene=trace", 1280, 800, ".table-link"},
		{"error", "#v=1&model=nosuch&method=ais", 1280, 800, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t, s)
			b.do(chromedp.EmulateViewport(c.width, c.height))
			b.visit(c.link)
			if c.name == "error" {
				b.until(10*time.Second, `!document.querySelector('#message').hidden`)
			} else {
				b.finish(time.Minute)
			}
			if c.after != "" {
				b.click(c.after)
				time.Sleep(500 * time.Millisecond)
			}
			b.axe(string(axe))
		})
	}
	for _, page := range []string{"lessons/index.html", "lessons/4-bad-start.html"} {
		t.Run(page, func(t *testing.T) {
			b := open(t, s)
			b.visit(page)
			b.axe(string(axe))
		})
	}
}

// axe fails the test for each serious or critical finding.
func (b *tab) axe(source string) {
	b.t.Helper()
	eval[bool](b, source+"; true")
	for _, v := range eval[[]string](b, `axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations
		.filter((v) => v.impact === 'serious' || v.impact === 'critical')
		.flatMap((v) => v.nodes.slice(0, 4).map((n) => v.id + ' (' + v.impact + '): ' + n.target + ' ' + n.failureSummary)))`) {
		b.t.Error(v)
	}
}

// TestMonkey clicks, types and resizes for a minute: no error, and memory flat.
func TestMonkey(t *testing.T) {
	length := 60 * time.Second
	if testing.Short() {
		length = 10 * time.Second
	}
	b := open(t, serve(t))
	b.visit("?workers=2" + quick)
	b.finish(time.Minute)
	const weigh = `({heap: performance.memory.usedJSHeapSize / 1e6, nodes: document.getElementsByTagName('*').length, workers: spy.workers.filter((w) => !w.dead).length})`
	type weight struct{ Heap, Nodes, Workers float64 }
	var first weight
	sizes := [][2]int64{{1280, 800}, {768, 1024}, {390, 844}, {320, 640}}
	for i, start := 0, time.Now(); time.Since(start) < length; i++ {
		size := sizes[i%len(sizes)]
		b.do(chromedp.EmulateViewport(size[0], size[1]))
		eval[int](b, fmt.Sprintf(`(async () => {
			let seed = %d;
			const random = (n) => (seed = (seed * 48271) %% 2147483647) %% n;
			let done = 0;
			for (; done < 12; done++) {
				const all = [...document.querySelectorAll('button:enabled, select, input:not([type=file])')].filter((e) => e.checkVisibility());
				const el = all[random(all.length)];
				if (!el || el.dataset.event === 'file') continue;
				el.focus();
				if (el.localName === 'select') el.selectedIndex = random(el.options.length > 5 ? 3 : el.options.length);
				else if (el.type === 'text') el.value = ['', '7', '-1', 'x', '20', '1e3', '∞'][random(7)];
				else if (el.type === 'range') el.value = String(random(60));
				else el.click();
				el.dispatchEvent(new Event('input', {bubbles: true}));
				el.dispatchEvent(new Event('change', {bubbles: true}));
				document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: [' ', 'ArrowRight', 'n', '1', '2', '5', '?', 'Escape'][random(8)], bubbles: true, cancelable: true}));
				await new Promise((next) => setTimeout(next, 60));
			}
			return done;
		})()`, i+1))
		if first.Heap == 0 && time.Since(start) > length/4 {
			first = eval[weight](b, weigh)
		}
	}
	last := eval[weight](b, weigh)
	t.Logf("after a quarter %+v, at the end %+v", first, last)
	if last.Heap > first.Heap+60 || last.Nodes > first.Nodes+3000 || last.Workers > 12 {
		t.Errorf("it grows: %+v, then %+v", first, last)
	}
	// The page still works.
	eval[bool](b, fmt.Sprintf(`(location.hash = %q, true)`, "#v=1&model=mixture2&method=ais&ais.chains=30&ais.temperatures=40"))
	want := native(t, "-link", "#v=1&model=mixture2&method=ais&ais.chains=30&ais.temperatures=40")[0].Hash
	b.until(time.Minute, fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`, want))
}
