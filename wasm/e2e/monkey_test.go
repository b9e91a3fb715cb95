package e2e

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/memory"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// weight is the memory use of a page after a garbage collection: the JavaScript heap and the WebAssembly memory in MB,
// and the numbers of DOM nodes, documents, event listeners and workers.
type weight struct{ Heap, Wasm, Nodes, Documents, Listeners, Workers float64 }

// memories is a script that records every WebAssembly memory of a worker or frame, and posts their total size on
// request.
const memories = `{
	const mine = [], channel = new BroadcastChannel('weigh');
	for (const kind of ['instantiate', 'instantiateStreaming']) {
		const old = WebAssembly[kind];
		WebAssembly[kind] = async (...args) => {
			const made = await old.apply(WebAssembly, args);
			mine.push((made.instance ?? made).exports.mem);
			return made;
		};
	}
	channel.onmessage = (e) => { if (e.data === 'weigh') channel.postMessage(mine.reduce((sum, m) =>
		sum + m.buffer.byteLength, 0)); };
}`

func (b *tab) weigh() weight {
	b.t.Helper()
	for range 2 { // the second collection frees objects that finalizers of the first have released
		if _, err := chromedp.Call(b.ctx, heapprofiler.CollectGarbage, struct{}{}); err != nil {
			b.t.Fatal(err)
		}
	}
	w := eval[weight](b, `(async () => {
		const channel = new BroadcastChannel('weigh');
		let wasm = 0;
		channel.onmessage = (e) => { if (typeof e.data === 'number') wasm += e.data; };
		channel.postMessage('weigh');
		await new Promise((next) => setTimeout(next, 1000));
		channel.close();
		return {Wasm: wasm / 1e6, Workers: spy.workers.filter((w) => !w.dead).length};
	})()`)
	dom, err := chromedp.Call(b.ctx, memory.GetDOMCounters, struct{}{})
	if err != nil {
		b.t.Fatal(err)
	}
	metrics, err := chromedp.Call(b.ctx, performance.GetMetrics, struct{}{})
	if err != nil {
		b.t.Fatal(err)
	}
	for _, m := range metrics.Metrics {
		if m.Name == "JSHeapUsedSize" {
			w.Heap = m.Value / 1e6
		}
	}
	w.Nodes, w.Documents, w.Listeners = float64(dom.Nodes), float64(dom.Documents), float64(dom.JsEventListeners)
	return w
}

// flat fails the test if w exceeds first, an earlier measurement, by more than the usual variation.
func (w weight) flat(t *testing.T, first weight) {
	t.Helper()
	if w.above(first) {
		t.Errorf("memory grows: %+v, later %+v", first, w)
	}
}

func (w weight) above(first weight) bool {
	return w.Heap > first.Heap+10 || w.Wasm > first.Wasm+100 || w.Nodes > first.Nodes+10000 ||
		w.Documents > first.Documents+2 || w.Listeners > first.Listeners+50 || w.Workers > 4
}

// openMeasuredTab opens a tab whose memory use can be measured.
func openMeasuredTab(t *testing.T) *tab {
	t.Helper()
	s := serve(t)
	s.worker = memories
	b := open(t, s, memories)
	if _, err := chromedp.Call(b.ctx, performance.Enable, performance.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLongRun checks that a long run with its picture does not use more and more memory. It lasts for LOGZ_LONG (for
// example 30m) and measures ten times. LOGZ_LINK is the experiment, which must take at least that long.
func TestLongRun(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("LOGZ_LONG"))
	if err != nil {
		t.Skip("set LOGZ_LONG=30m")
	}
	link := os.Getenv("LOGZ_LINK")
	if link == "" {
		link = "#v=1&model=rbm-cd25-500&method=rts&rts.sweeps=5000000"
	}
	b := openMeasuredTab(t)
	b.visit("?workers=1" + link)
	b.until(`document.querySelector('#veil').hidden`)
	var first, w weight
	for i := range 10 {
		time.Sleep(length / 10)
		if w = b.weigh(); i == 0 {
			first = w
		}
		t.Logf("after %v %+v", length*time.Duration(i+1)/10, w)
		if state := eval[string](b, `document.documentElement.dataset.state`); state != "running" {
			t.Fatalf("state of the run = %s, want running", state)
		}
	}
	w.flat(t, first)
}

// TestMonkey clicks, types and resizes at random, 300 times. There is no error, and the page still works.
func TestMonkey(t *testing.T) {
	tier.Release(t)
	b := openMeasuredTab(t)
	b.visit("?workers=2" + quick)
	b.awaitResults()
	b.rest()
	monkey(b, 25, 0)
	const link = "#v=1&model=mixture2&method=ais&ais.chains=30&ais.temperatures=40"
	b.link(link)
	b.shows(link)
}

// TestMonkeyMemory (./build.sh soak) checks that memory use levels off during random actions. It measures after every
// 300 of them: opening something for the first time adds memory once, a leak adds it each time. The number of DOM nodes
// varies by 6,000 with the open parts; a leak of each view's markup adds 85,000 in 13 s.
func TestMonkeyMemory(t *testing.T) {
	if soakTime() == 0 {
		t.Skip("./build.sh soak")
	}
	b := openMeasuredTab(t)
	b.visit("?workers=2" + quick)
	b.awaitResults()
	b.rest()
	monkey(b, 25, 0)
	before, last := weight{}, b.weigh()
	for round := 1; round < 3 || last.above(before) && round < 6; round++ {
		before = last
		monkey(b, 25, 1000*round)
		last = b.weigh()
		t.Logf("%+v", last)
	}
	last.flat(t, before)
}

// monkey performs twelve random actions in each of the given number of rounds, in windows of several sizes.
func monkey(b *tab, times, seed int) {
	sizes := [][2]int64{{1280, 800}, {768, 1024}, {390, 844}, {320, 640}}
	for i := range times {
		size := sizes[i%len(sizes)]
		b.size(size[0], size[1])
		eval[int](b, fmt.Sprintf(`(async () => {
			let seed = %d;
			const random = (n) => (seed = (seed * 48271) %% 2147483647) %% n;
			for (let done = 0; done < 12; done++) {
				const all = [...document.querySelectorAll('button:enabled, select, input:not([type=file])')].filter((e) =>
					e.checkVisibility());
				const el = all[random(all.length)];
				if (!el || el.dataset.event === 'file') continue;
				el.focus();
				if (el.localName === 'select') el.selectedIndex = random(el.options.length > 5 ? 3 : el.options.length);
				else if (el.type === 'text') el.value = ['', '7', '-1', 'x', '20', '1e3', '∞'][random(7)];
				else if (el.type === 'range') el.value = String(random(60));
				else el.click();
				el.dispatchEvent(new Event('input', {bubbles: true}));
				el.dispatchEvent(new Event('change', {bubbles: true}));
				document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: [' ', 'ArrowRight', 'n', '1', '2', '5',
					'?', 'Escape'][random(8)], bubbles: true, cancelable: true}));
				if (random(12) === 0) { // not history.go, which could return to the blank page before this one
					const way = navigation[['back', 'forward'][random(2)]]();
					for (const promise of [way.committed, way.finished]) promise.catch(() => {});
				}
				await new Promise((next) => setTimeout(next, 60));
			}
			return seed;
		})()`, seed+i+1))
	}
}
