package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// next puts a golden link into the address bar and waits until the page shows its hash.
func (b *tab) next(g goldenLine) {
	b.t.Helper()
	b.link(g.link)
	b.until(fmt.Sprintf(`location.hash === %q &&
		document.querySelector('#results tr[data-state=done] td[data-field=hash]')?.dataset.value === %q`,
		"#"+g.link, g.hash))
}

// TestNoSIMD checks that the pure Go code gives the same results in a browser that rejects the SIMD module. TestGolden
// tests with SIMD.
func TestNoSIMD(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.worker = "WebAssembly.validate = () => false;\n"
	b := open(t, s, noPicture)
	b.visit(quick)
	for _, g := range golden(t) {
		if strings.Contains(g.link, "model=rbm-pcd-500") || strings.Contains(g.link, "rts&rts.chains=11") {
			b.next(g)
		}
	}
	if eval[any](b, "spy.simd") != false {
		t.Error("the lanes report that they use SIMD, want no SIMD")
	}
}

// several is an experiment with two methods that takes long enough to be divided among workers.
const several = "#v=1&model=ising16&method=ais,rts&ais.temperatures=400"

// TestGolden opens the golden links one after another in the address bar of a page, a quarter of them with each number
// of workers. The results do not depend on the number of workers. `logz check` runs all golden links natively and under
// Node.
func TestGolden(t *testing.T) {
	t.Parallel()
	s := serve(t)
	lines := golden(t)
	want := native(t, "-link", several)
	for k, n := range []int{2, 3, 7, 1} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			b := open(t, s, noPicture)
			b.visit(fmt.Sprintf("?workers=%d%s", n, several))
			for i, r := range b.awaitResults() {
				if r.Value["hash"] != want[i].Hash {
					t.Errorf("%s: hash %s, natively %s", r.Method, r.Value["hash"], want[i].Hash)
				}
				if want[i].Logz == nil || r.Value["logz"] != want[i].Logz.String() {
					t.Errorf("%s: logz %s, natively %v", r.Method, r.Value["logz"], want[i].Logz)
				}
				if want[i].SE == nil || r.Value["se"] != want[i].SE.String() {
					t.Errorf("%s: se %s, natively %v", r.Method, r.Value["se"], want[i].SE)
				}
			}
			if eval[any](b, "spy.simd") != true {
				t.Error("the lanes report that they do not use SIMD, want SIMD")
			}
			if got := eval[int](b, "new Set(spy.workers.filter((w) => w.role === 'lane' && !w.dead)).size"); got > n {
				t.Errorf("%d lane workers are running, want at most %d", got, n)
			}
			for i, g := range lines {
				if i%4 == k {
					b.next(g)
				}
			}
		})
	}
}

// long runs for seconds in a browser even on a fast computer, so that a test can interrupt it several times.
const long = "#v=1&model=rbm-pcd-20&method=ais,rts&ais.temperatures=5000"

// running waits until a row of the table shows a number but is not done.
func (b *tab) running() {
	b.t.Helper()
	b.until(`document.querySelector('#results tr[data-state=running] ` +
		`td[data-field=logz]')?.textContent.trim()`)
}

// resume continues after a pause, with the button whose label says so.
func (b *tab) resume() {
	b.t.Helper()
	eval[bool](b, `([...document.querySelectorAll('#pause, #run')].find((e) =>
		/go on|resume|continue/i.test(e.textContent)).click(), true)`)
}

// snapshot describes everything that changes while a run goes on.
const snapshot = `JSON.stringify([spy.frames, ...[...document.querySelectorAll('#results td, #progress')].map((e) =>
	e.value ?? e.textContent)])`

// TestPause checks that nothing changes on a page that is paused and idle, and that pauses do not change the results.
func TestPause(t *testing.T) {
	t.Parallel()
	want := native(t, "-link", long)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=2" + long)
	b.running()
	for range tier.Size(2, 2, 5) {
		b.click("#pause")
		b.until(`document.querySelector('#results tr[data-state=paused]')`)
		b.stands()
		b.resume()
		b.until(`!document.querySelector('#results tr[data-state=paused]')`)
	}
	for i, r := range b.awaitResults() {
		if r.Value["hash"] != want[i].Hash {
			t.Errorf("%s: hash %s after pauses, natively %s", r.Method, r.Value["hash"], want[i].Hash)
		}
	}
}

// stands waits until the page is idle, and fails the test if anything changes in the next thirty frames.
func (b *tab) stands() {
	b.t.Helper()
	b.rest()
	if moved := eval[[]string](b, `(async () => {
		const was = `+snapshot+`;
		for (let n = 0; n < 30; n++) await new Promise((next) => requestAnimationFrame(next));
		const is = `+snapshot+`;
		return is === was ? [] : [was, is];
	})()`); len(moved) > 0 {
		b.t.Errorf("the page is idle (data-rest) but still changes: %s", moved)
	}
}

// TestPauseIsSoon checks that nothing changes later than 100 ms after a click on Pause. It takes the median of five
// clicks, so that a single delay on a busy computer does not fail the test.
func TestPauseIsSoon(t *testing.T) {
	tier.Release(t)
	b := open(t, serve(t))
	b.visit("?workers=2" + long)
	b.running()
	// If the picture is still loading, it paints later the frames that came before the click.
	b.until(`document.querySelector('#veil').hidden`)
	var late []float64
	for range 5 {
		// The time of the last change within a second of the click, in ms.
		last := eval[float64](b, `new Promise((done) => {
			const start = performance.now();
			let was = `+snapshot+`, last = 0;
			const look = () => {
				const is = `+snapshot+`, now = performance.now() - start;
				if (is !== was) last = now;
				was = is;
				if (now < 1000) setTimeout(look, 5); else done(last);
			};
			document.querySelector('#pause').click();
			look();
		})`)
		late = append(late, last)
		b.until(`document.querySelector('#results tr[data-state=paused]')`)
		b.resume()
		b.until(`!document.querySelector('#results tr[data-state=paused]')`)
	}
	t.Logf("last movement after the clicks: %.0f ms", late)
	slices.Sort(late)
	if why := slow(); why != "" {
		t.Skip(why)
	}
	if late[2] > 100 || late[4] > 700 {
		t.Errorf("last change %.0f ms after Pause (five clicks, sorted), want a median of at most 100 and at most 700", late)
	}
}

// TestStep checks that Step shows one more frame of each visible lane and pauses again. Only the forward chains have
// frames, so the run is long enough to be paused while they run.
func TestStep(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit("?workers=2#v=1&model=rbm-pcd-20&method=ais&ais.temperatures=15000")
	b.running()
	b.click("#pause")
	b.until(`document.querySelector('#results tr[data-state=paused]')`)
	b.rest()
	before := eval[int](b, "spy.frames")
	b.click("#step")
	b.until(fmt.Sprintf("spy.frames > %d", before))
	b.stands()
	b.until(`document.querySelector('#results tr[data-state=paused]')`)
}

// TestLostWorkers terminates a lane during a run, and in a second run the controller. The page reports it, and the
// results are the same as without the interruption.
func TestLostWorkers(t *testing.T) {
	t.Parallel()
	s := serve(t)
	want := native(t, "-link", long)
	for _, role := range []string{"lane", "controller"} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			b := open(t, s, noPicture)
			b.visit("?workers=2" + long)
			b.running()
			if !eval[bool](b, fmt.Sprintf(`((w) => w && (w.terminate(), true))(spy.workers.find((w) => w.role === %q &&
				!w.dead)) || false`, role)) {
				t.Fatalf("no running %s worker to terminate", role)
			}
			b.until(`/restarted|is repeated/i.test(document.body.innerText)`)
			for i, r := range b.awaitResults() {
				if r.Value["hash"] != want[i].Hash {
					t.Errorf("%s: hash %s, natively %s", r.Method, r.Value["hash"], want[i].Hash)
				}
			}
		})
	}
}

// hashes returns the hashes of the rows, in order.
func hashes(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Value["hash"])
	}
	return all
}
