package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"logzlab/wasm/page/view"
)

// TestHandoutPictures takes the pictures of the slides for the handouts, NAME-STEP.webp, of the lectures in the list
// LOGZ_HANDOUTS (names separated by commas, or all), and writes them to site/decks. A question has no picture.
func TestHandoutPictures(t *testing.T) {
	wanted := os.Getenv("LOGZ_HANDOUTS")
	if wanted == "" {
		t.Skip("set LOGZ_HANDOUTS to the names of lectures, or all, to take the pictures of their slides again")
	}
	s := serve(t)
	b := open(t, s)
	b.size(1280, 720)
	for _, lecture := range view.Lectures {
		if wanted != "all" && !strings.Contains(","+wanted+",", ","+lecture.Name+",") {
			continue
		}
		for _, lang := range []string{"en", "de"} {
			name := lecture.Name
			if lang != "en" {
				name += "." + lang
			}
			for step := 1; step <= lecture.Steps; step++ {
				b.visit(fmt.Sprintf("#view.deck=%s&view.step=%d&view.lang=%s&view.theme=light", lecture.Name, step, lang))
				b.until(`document.querySelector('.deck-nav > span') !== null`)
				if eval[bool](b, `document.querySelector('.deck-answers') !== null`) {
					continue
				}
				b.until(`document.documentElement.dataset.state === 'done'`)
				b.rest()
				box := eval[[]float64](b, `(({x, y, width, height}) => [x, y, width, height])(
					document.querySelector('#plate').getBoundingClientRect())`)
				quality, scale := int64(70), 0.8
				picture, err := chromedp.Run(b.ctx, func(ctx context.Context, t *chromedp.Target) ([]byte, error) {
					r, err := cdp.Call(ctx, t, page.CaptureScreenshot, page.CaptureScreenshotParams{
						Format: page.CaptureScreenshotFormatWebp, Quality: &quality,
						Clip: &page.Viewport{X: box[0], Y: box[1], Width: box[2], Height: box[3], Scale: scale}})
					return r.Data, err
				})
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join("../../site/decks", fmt.Sprintf("%s-%d.webp", name, step)), picture, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
