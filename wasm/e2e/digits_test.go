package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// next puts a golden link into the address bar and waits for its hash.
func (b *tab) next(g goldenLine) {
	b.t.Helper()
	b.link(g.link)
	b.until(fmt.Sprintf(`location.hash === %q &&
		document.querySelector('#results tr[data-state=done] td[data-field=hash]')?.dataset.value === %q`,
		"#"+g.link, g.hash))
}

// TestNoSIMD: where a browser refuses the SIMD module, Go gives the same digits. TestGolden is with it.
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
		t.Error("the lanes say that they have SIMD")
	}
}

// several runs lanes of both engines' kinds, long enough to be cut in.
const several = "#v=1&model=ising16&method=ais,rts&ais.temperatures=400"

// TestGolden: the golden links follow one another in the address bar of a page, a quarter of them with each number of
// workers, and more workers give the same digits. Natively and under Node `logz check` runs all of them.
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
			for i, r := range b.finish() {
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
				t.Error("the lanes say that they have no SIMD")
			}
			if got := eval[int](b, "new Set(spy.workers.filter((w) => w.role === 'lane' && !w.dead)).size"); got > n {
				t.Errorf("%d lane workers alive", got)
			}
			for i, g := range lines {
				if i%4 == k {
					b.next(g)
				}
			}
		})
	}
}

// long runs for seconds in a browser, also on a fast machine, so that it can be interrupted again and again.
const long = "#v=1&model=rbm-pcd-20&method=ais,rts&ais.temperatures=5000"

// running waits for a row that has a number but is not done.
func (b *tab) running() {
	b.t.Helper()
	b.until(`document.querySelector('#results tr[data-state=running] ` +
		`td[data-field=logz]')?.textContent.trim()`)
}

// resume goes on after a pause, by whichever button says so.
func (b *tab) resume() {
	b.t.Helper()
	eval[bool](b, `([...document.querySelectorAll('#pause, #run')].find((e) =>
		/go on|resume|continue/i.test(e.textContent)).click(), true)`)
}

// snapshot is all that moves while a run goes on.
const snapshot = `JSON.stringify([spy.frames, ...[...document.querySelectorAll('#results td, #progress')].map((e) =>
	e.value ?? e.textContent)])`

// TestPause: a page that is paused and at rest stands still, and the digits do not change.
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
	for i, r := range b.finish() {
		if r.Value["hash"] != want[i].Hash {
			t.Errorf("%s: hash %s after pauses, natively %s", r.Method, r.Value["hash"], want[i].Hash)
		}
	}
}

// stands waits until the page is at rest, and fails the test if anything moves in the thirty frames after that.
func (b *tab) stands() {
	b.t.Helper()
	b.rest()
	if moved := eval[[]string](b, `(async () => {
		const was = `+snapshot+`;
		for (let n = 0; n < 30; n++) await new Promise((next) => requestAnimationFrame(next));
		const is = `+snapshot+`;
		return is === was ? [] : [was, is];
	})()`); len(moved) > 0 {
		b.t.Errorf("the page is at rest and moves: %s", moved)
	}
}

// TestPauseIsSoon: nothing moves from 100 ms after the click on. The median of five clicks counts, so that one hiccup
// of a busy machine does not.
func TestPauseIsSoon(t *testing.T) {
	tier.Release(t)
	b := open(t, serve(t))
	b.visit("?workers=2" + long)
	b.running()
	// A picture that is still loading shows, when it has loaded, what came before the click.
	b.until(`document.querySelector('#veil').hidden`)
	var late []float64
	for range 5 {
		// The last time anything moved within a second of the click, in ms.
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
		t.Errorf("still moving %.0f ms after the click", late)
	}
}

// TestStep: one more frame of each shown lane, then still again. Forward chains have
// pictures, so the run is long enough to be paused while it is forward.
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

// TestLostWorkers ends a lane half-way, then the controller: the page says so and
// the digits are those of an undisturbed run.
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
				t.Fatalf("no %s worker to end", role)
			}
			b.until(`/restarted|is repeated/i.test(document.body.innerText)`)
			for i, r := range b.finish() {
				if r.Value["hash"] != want[i].Hash {
					t.Errorf("%s: hash %s, natively %s", r.Method, r.Value["hash"], want[i].Hash)
				}
			}
		})
	}
}

// hashes are the hashes of the rows, in order.
func hashes(rows []row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Value["hash"])
	}
	return all
}
