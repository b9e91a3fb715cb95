package e2e

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// inFigure returns an expression that is evaluated with d as the document inside the live figure.
func inFigure(expression string) string {
	return `(() => { const d = document.querySelector('.live-figure iframe')?.contentDocument; return ` + expression +
		`; })()`
}

// TestLessonFigure checks the live figures of lessons. A figure is a still picture, and loads no program, until it is
// on the screen. Then it is replaced by the lab with one worker and the experiment of its link. It shows the number and
// the whole picture without scrolling.
func TestLessonFigure(t *testing.T) {
	t.Parallel()
	axe, s := axe(t), serve(t)
	pages := []struct {
		page, says    string
		width, height int64
	}{{"de/4-bad-start.html", "198,6", 390, 844}, {"de/10-pool.html", "3,38", 1280, 800},
		{"11-training.html", "", 768, 1024}, {"de/16-converged.html", "36,87", 1280, 800},
		{"5-tempering.html", "238.37", 390, 844}}
	for _, v := range pages[:tier.Size(1, 1, len(pages))] {
		t.Run(v.page, func(t *testing.T) {
			b := open(t, s)
			b.size(v.width, 200)
			b.visit("lessons/" + v.page)
			const still = `document.querySelector('.live-figure img')`
			b.until(still + `.complete && ` + still + `.naturalWidth === 592`)
			if eval[bool](b, `!!document.querySelector('iframe')`) {
				t.Error("a figure outside the window runs its experiment")
			}
			b.axe(axe)
			b.size(v.width, v.height)
			eval[bool](b, `(document.querySelector('.live-figure > div').scrollIntoView({block: 'center'}), true)`)
			b.until(`document.querySelector('.live-figure').dataset.live === '' &&
				getComputedStyle(document.querySelector('.live-figure iframe')).opacity === '1'`)
			b.until(inFigure(fmt.Sprintf(`d.documentElement.dataset.state === 'done' && d.body.innerText.includes(%q)`, v.says)))
			b.until(inFigure(`d.documentElement.hasAttribute('data-rest')`))
			if n := eval[float64](b, `document.querySelectorAll('iframe').length`); n != 1 {
				t.Errorf("the lesson has %v iframes, want 1", n)
			}
			if link := eval[string](b, `document.querySelector('.live-figure iframe').src`); !strings.Contains(link,
				"?workers=1#v=1") || strings.Contains(link, "view.lesson") {
				t.Errorf("the figure loads %s, want ?workers=1#v=1... without view.lesson", link)
			}
			if over := eval[float64](b, inFigure(`Math.max(d.documentElement.scrollHeight - d.documentElement.clientHeight,
				d.documentElement.scrollWidth - d.documentElement.clientWidth)`)); over > 0 {
				t.Errorf("the figure scrolls by %v pixels", over)
			}
			if high := eval[float64](b, inFigure(`Math.max(...[...d.querySelectorAll('#plate, .pools, .sheet-samples')].map(
				(e) => e.clientHeight))`)); high < 120 {
				t.Errorf("the picture is %v pixels high, want at least 120", high)
			}
			if cut := eval[float64](b, inFigure(`((e) => e ? e.scrollWidth - e.clientWidth : 0)(
				d.querySelector('.verdict'))`)); cut > 0 {
				t.Errorf("%v pixels of the verdict are cut off", cut)
			}
			if cut := eval[float64](b, inFigure(`d.querySelector('#plate').getBoundingClientRect().bottom -
				d.querySelector('#transport').getBoundingClientRect().top`)); cut > 1 {
				t.Errorf("the button bar covers %v pixels of the picture", cut)
			}
		})
	}
}
