package e2e

import (
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// TestEveryRequest fails the requests for each file of a page load in turn. The page gives the correct result or names
// the missing file, and the next load works. (All requests for the file fail, because Chromium repeats a single failed
// one.)
func TestEveryRequest(t *testing.T) {
	tier.Release(t)
	const link = "#v=1&model=rbm-pcd-20&method=ais&ais.temperatures=60"
	const shown = `(document.querySelector('#stage')?.contentDocument?.querySelector('canvas') &&
		document.querySelector('#veil').hidden)`
	var mu sync.Mutex
	var files []string // requested by a page load, in order
	missing := ""
	load := func(t *testing.T) *tab {
		s := serve(t)
		s.instead = func(name string, _ []byte) (string, []byte, bool) {
			mu.Lock()
			defer mu.Unlock()
			if name == missing {
				panic(http.ErrAbortHandler)
			}
			if missing == "" && !slices.Contains(files, name) {
				files = append(files, name)
			}
			return "", nil, false
		}
		b := open(t, s)
		b.expectErrors("") // failed requests are logged on the console
		b.visit("?workers=1" + link)
		return b
	}
	load(t).until(ended + ` && ` + shown)
	said := 0
	for _, name := range slices.Clone(files) {
		if name == "index.html" {
			continue
		}
		if name == "sw.js" { // the service worker requests the files after this one
			break
		}
		t.Run(name, func(t *testing.T) {
			missing = name
			b := load(t)
			b.until(ended + ` && (` + shown + ` || document.querySelector('#veil')?.innerText.length > 20 ||
				document.querySelector('#boot'))`)
			if done := eval[bool](b, allDone); !done {
				said++
				t.Log(eval[string](b, `['#boot', '#message'].map((m) => document.querySelector(m)?.innerText).join('')`))
			}
			mu.Lock()
			missing = "none"
			mu.Unlock()
			b.do(chromedp.Navigate("about:blank"))
			b.visit("?workers=1" + link)
			b.shows(link)
			b.until(shown)
		})
	}
	if said < 3 {
		t.Errorf("the page reported %d missing files, want at least 3 of %s", said, files)
	}
}

// ended is true when the run is done or an alert says why it is not.
const ended = `((...alerts) => ` + allDone + ` || alerts.some((m) => m?.checkVisibility() &&
	m.dataset.level === 'error' && m.innerText.trim().length > 20))(document.querySelector('#message'),
	document.querySelector('#boot'))`
