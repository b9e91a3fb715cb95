package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// classified is a table of random features and labels.
func classified(t *testing.T, rows, columns int) string {
	var text strings.Builder
	seed := uint32(1)
	for i := range rows {
		for range columns {
			seed = seed*1664525 + 1013904223
			if v := seed >> 16; v%5 == 0 {
				fmt.Fprintf(&text, ".%03d,", v%1000)
			} else {
				text.WriteString("0,")
			}
		}
		fmt.Fprintf(&text, "%d\n", i%2)
	}
	path := filepath.Join(t.TempDir(), "mine.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLargeFile: a legal classifier that takes seconds to open, in the controller and again in its worker, is opened
// with a stage that moves while the page answers, can be paused, and gives the digits of the command; no worker is
// replaced, also where the page has a quarter of its time.
func TestLargeFile(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	const settings = "&is.particles=20"
	s := serve(t)
	for slow, rows := range map[bool]int{false: 1000, true: 700} {
		t.Run(fmt.Sprintf("slow=%v", slow), func(t *testing.T) {
			path := classified(t, rows, 784)
			want := native(t, "-model", path, "-method", "is", "-set", "is.particles=20")[0]
			b := open(t, s, noPicture)
			b.visit("?workers=1#v=1&model=mixture2&method=is" + settings)
			b.finish()
			if slow {
				defer slowDown(b)()
			}
			b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path}))
			b.until(`/[1-9]\d?\s%[^]*(reading|loading) the/.test(document.querySelector('#eta').innerText)`)
			b.click("#pause")
			b.until(`/paused/.test(document.querySelector('#eta').innerText)`)
			still := eval[string](b, `document.querySelector('#eta').innerText`)
			b.stands()
			if now := eval[string](b, `document.querySelector('#eta').innerText`); now != still {
				t.Errorf("paused it went from %s to %s", still, now)
			}
			b.click("#run")
			b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
				want.Hash))
			if n := eval[int](b, "spy.workers.length"); n != 2 {
				t.Errorf("%d workers were started, not the controller and a lane", n)
			}
		})
	}
}

// TestOpeningAgain: a file that was being opened when the controller ended is given to the next one, and left out, with
// a word, when that ends over it too.
func TestOpeningAgain(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	path := classified(t, 1000, 784)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1#v=1&model=mixture2&method=is")
	b.finish()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{path}))
	for range 2 {
		b.until(`/(reading|loading) the/.test(document.querySelector('#eta').innerText)`)
		b.click("#pause")
		b.until(`/paused/.test(document.querySelector('#eta').innerText)`)
		eval[bool](b, `(spy.workers.find((w) => w.role === 'controller' && !w.dead).terminate(), true)`)
		b.until(`spy.workers.filter((w) => w.role === 'controller' && !w.dead).length === 1 &&
			!/paused/.test(document.querySelector('#eta').innerText)`)
	}
	b.says("mine.csv", "left out", "logz run")
	b.finish()
}
