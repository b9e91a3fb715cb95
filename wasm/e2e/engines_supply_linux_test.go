package e2e

import (
	"fmt"
	"regexp"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// TestEnginesHeal checks recovery in browsers other than Chromium. The page names a damaged file, and works at the next
// load after the server has recovered. Damaged entries in the service worker's cache are replaced.
func TestEnginesHeal(t *testing.T) {
	tier.Release(t)
	want := native(t, "-link", quick)[0].Hash
	done := fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`, want)
	display := display(t)
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			r := startBrowser(t, e, display)
			for _, file := range []string{"main.js", "worker.js", "logz.wasm.gz"} {
				s := serve(t)
				s.injectFault(file, corrupt)
				r.visit(s, quick)
				r.until(namesFile(file))
				s.clearFaults()
				r.reload()
				r.until(done)
			}
			s := serve(t)
			r.visit(s, quick)
			r.until(done)
			var has bool
			if r.evaluateInto("'serviceWorker' in navigator", &has); !has {
				t.Logf("%s has no service worker here", e.name)
				return
			}
			r.until(`(navigator.serviceWorker.ready.then(() => { window.kept = true }), window.kept)`)
			for _, file := range []string{"main.js", "logz.wasm.gz"} {
				r.until(fmt.Sprintf(`(caches.keys().then(async (keys) => {
					const cache = await caches.open(keys[0]);
					const old = await cache.match(%q);
					await cache.put(%[1]q, new Response('damaged', {headers: old.headers}));
					window.poisoned = true;
				}), window.poisoned)`, file))
				r.reload()
				r.until(done)
				t.Logf("%s: %s was damaged in the cache and has been replaced", e.name, file)
			}
		})
	}
}

// reload reloads the page, like the button of a browser.
func (r *remote) reload() {
	r.t.Helper()
	var set bool
	r.evaluateInto(`(window.old = true, setTimeout(() => location.reload(), 100), true)`, &set)
	r.until(`!window.old`)
}

// leaving matches the errors that WebKit returns while it leaves a page.
var leaving = regexp.MustCompile("was not called before the unload event|Could not parse script result")

// until waits for a JavaScript expression to be true.
func (r *remote) until(expression string) {
	r.t.Helper()
	for start := quietTime(); ; time.Sleep(50 * time.Millisecond) {
		var met bool
		if err := r.evaluate("!!("+expression+")", &met); met {
			return
		} else if err != nil && !leaving.MatchString(err.Error()) {
			r.t.Fatalf("%s: %v", expression, err)
		}
		if quietTime()-start > guard {
			var text string
			r.evaluateInto(pageText, &text)
			r.t.Fatalf("still not true after %v: %s\nText of the page:\n%s", guard, expression, text)
		}
	}
}
