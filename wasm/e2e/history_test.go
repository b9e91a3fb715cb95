package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// shows waits until the page shows the results of a link, computed natively, and the link in the address bar.
func (b *tab) shows(link string) {
	b.t.Helper()
	want := native(b.t, "-link", link)
	for _, r := range want {
		b.until(fmt.Sprintf(`location.hash === %q &&
			document.querySelector('#results tr[data-method=%s] td[data-field=hash]')?.dataset.value === %q`,
			link, r.Method, r.Hash))
	}
}

// TestBack tests the browser history. Each experiment that was run is an entry; changes of the view and edits in
// between are not. Back and Forward run the experiment of their entry once.
func TestBack(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	first, second, third := quick, quick+"&seed=5", "#v=1&model=mixture2&method=is"
	second = "#v=1&model=mixture2&method=ais&seed=5&ais.chains=40&ais.temperatures=60"
	b.visit(first)
	b.shows(first)
	before := eval[int](b, "history.length")
	b.click("[data-scene=trace]") // no entry
	b.until(`/view.scene=trace/.test(location.hash)`)
	b.click("[data-scene=plane]")
	b.until(`!/view.scene/.test(location.hash)`)
	b.set("#seed", "4")
	b.until(`/seed=4/.test(location.hash)`)
	b.set("#seed", "5") // the same entry
	b.click("#run")
	b.shows(second)
	b.link(third) // the browser's own entry
	b.shows(third)
	if n := eval[int](b, "history.length") - before; n != 2 {
		t.Errorf("%d new history entries after two more experiments, want 2", n)
	}
	resets := func() int { return eval[int](b, "spy.resets") }
	for _, step := range []struct {
		way  int
		link string
	}{{-1, second}, {-1, first}, {1, second}, {1, third}, {-2, first}} {
		n := resets()
		eval[bool](b, fmt.Sprintf(`(history.go(%d), true)`, step.way))
		b.shows(step.link)
		b.rest()
		if got := resets() - n; got != 2 { // a run has two resets: when its link is opened and when it starts
			t.Errorf("history.go(%d) runs the experiment %v times, want once", step.way, float64(got)/2)
		}
	}
	if n := eval[int](b, "history.length") - before; n != 2 {
		t.Errorf("%d new history entries after Back and Forward, want 2", n)
	}
}

// TestOwnFileAgain checks that a new controller, after the first one was lost, receives the user's file that was in use
// and not a later one that was refused.
func TestOwnFileAgain(t *testing.T) {
	t.Parallel()
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	mine := write("mine.json", `{"kind": "rbm", "W": [[1, -0.5], [0.25, 0.75]], "c_visible": [0.1, -0.2],
		"b_hidden": [-0.4, 0.2]}`)
	bad := write("bad.json", "no model")
	want := native(t, "-model", mine, "-method", "ais")[0].Hash
	b := open(t, serve(t), noPicture)
	b.visit("#v=1&model=mixture2&method=ais")
	b.awaitResults()
	done := fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`, want)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{mine}))
	b.until(done)
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{bad}))
	b.until(`document.querySelector('#message').innerText.includes('bad.json')`)
	eval[bool](b, `(spy.workers.find((w) => w.role === 'controller' && !w.dead).terminate(), true)`)
	b.until(`/restarted/.test(document.querySelector('#message').innerText)`)
	b.until(done)
}

// TestReads checks that the text below the picture shows the values at the pointer.
func TestReads(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b := open(t, serve(t))
	b.size(1280, 800)
	b.visit(quick)
	b.awaitResults()
	b.until(`document.querySelector('#veil').hidden`)
	if !eval[bool](b, `(async (stage, reads) => {
		for (let k = 0; k < 200; k++) { // until the pointer is on a particle
			stage.dispatchEvent(new PointerEvent('pointermove', {clientX: 60 + (k * 97) % 500, clientY: 100 + (k * 41) % 200,
				pointerType: 'mouse', bubbles: true}));
			await new Promise((next) => setTimeout(next, 50));
			if (/^Particle \d+, x = .*β = /.test(reads.textContent)) return reads.checkVisibility() && reads.ariaLive === 'off';
		}
		return false;
	})(document.querySelector('#stage').contentWindow, document.querySelector('#reads'))`) {
		t.Error("no text below the picture for any particle under the pointer")
	}
	b.click("[data-scene=trace]") // the text stays when the page is rendered again
	eval[bool](b, `(document.querySelector('#stage').contentDocument.documentElement.dispatchEvent(new `+
		`PointerEvent('pointerleave', {pointerType: 'mouse'})), true)`)
	b.until(`document.querySelector('#reads').textContent === ''`)
}
