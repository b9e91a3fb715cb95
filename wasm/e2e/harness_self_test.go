package e2e

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// planted is a site with errors of every kind, listed in plantedErrors.
var planted = fstest.MapFS{
	"index.html": {Data: []byte(`<table id="results">
		<tr data-method="ais" data-state="done"><td data-field="logz" data-value="1.5"></td></tr></table>
		<iframe src="frame.html"></iframe><script src="main.js"></script>`)},
	"main.js": {Data: []byte(`console.error('planted in the page');
		new Worker('worker.js').postMessage({t: 'start', role: 'lane'});
		setTimeout(() => { document.querySelector('td').textContent = '1.5'; }, 300);`)},
	"frame.html": {Data: []byte(`<script>Promise.reject('planted in the frame')</script>`)},
	"worker.js":  {Data: []byte(`console.error('planted in the worker'); throw new Error('thrown in the worker')`)},
}

var plantedErrors = []string{"planted in the page", "planted in the frame", "planted in the worker",
	"thrown in the worker"}

// TestHarness tests the test harness: it detects errors in the page, in a frame and in a worker, and measures the time
// of the first number.
func TestHarness(t *testing.T) {
	t.Parallel()
	s := serveFiles(t, planted)
	b := open(t, s)
	b.expectErrors("planted", "thrown", "404") // must not fail this test when it ends
	b.visit("")
	b.until("spy.first")
	if ms := eval[float64](b, "spy.first.ms"); ms < 300 {
		t.Errorf("time of the first number = %v ms, want at least 300", ms)
	}
	if r := b.awaitResults(); len(r) != 1 || r[0].Method != "ais" || r[0].Value["logz"] != "1.5" {
		t.Errorf("rows %v", r)
	}
	if role := eval[string](b, "spy.workers[0].role"); role != "lane" {
		t.Errorf("worker role %q", role)
	}
	b.allowed = []string{"404"}
	all := ""
	unseen := func(want string) bool { return !strings.Contains(all, want) }
	for start := quietTime(); quietTime()-start < guard; time.Sleep(50 * time.Millisecond) { // a worker may start late
		if all = strings.Join(b.errors(), "\n"); !slices.ContainsFunc(plantedErrors, unseen) {
			break
		}
	}
	b.expectErrors("planted", "thrown")
	for _, want := range plantedErrors {
		if !strings.Contains(all, want) {
			t.Errorf("the harness did not detect %q; it detected:\n%s", want, all)
		}
	}
}
