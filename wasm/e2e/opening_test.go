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

// classified writes a CSV file with random features and a label in each row, and returns its path.
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

// TestLargeFile opens a valid classifier file that needs seconds to open, first in the controller and then in a lane.
// In the meantime the page responds and shows the progress, and opening can be paused. The result is the same as the
// command's. No worker is replaced, even if the page gets only a quarter of the processor time.
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
			b.awaitResults()
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
				t.Errorf("progress while paused changed from %s to %s", still, now)
			}
			b.click("#run")
			b.until(fmt.Sprintf(`document.querySelector('#results td[data-field=hash]')?.dataset.value === %q`,
				want.Hash))
			if n := eval[int](b, "spy.workers.length"); n != 2 {
				t.Errorf("%d workers were started, want 2 (the controller and a lane)", n)
			}
		})
	}
}

// TestOpeningAgain terminates the controller while it opens a file. The next controller receives the file again; if it
// ends as well, the page leaves the file out and says so.
func TestOpeningAgain(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	path := classified(t, 1000, 784)
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1#v=1&model=mixture2&method=is")
	b.awaitResults()
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
	b.awaitResults()
}
