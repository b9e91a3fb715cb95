package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"time"

	"logzlab/estimators/catalog"

	"github.com/chromedp/chromedp"
)

// previewColours is how many colours a preview has, so that all of them together are small.
const previewColours = 32

// previewRun is the run of a preview, and slowRuns are those of models of which that would take an hour.
const previewRun = "&method=ais&ais.chains=50&ais.temperatures=200"

var slowRuns = map[string]string{"sv-pound": "&inner=100&method=aisel&aisel.islands=6&aisel.particles=40" +
	"&aisel.schedule=power:4&aisel.temperatures=8"}

// bareView leaves the number and the picture, side by side.
const bareView = `document.querySelectorAll('#message, .transport, #r-forest, #r-checks, .why, .reason, .verdict')
  .forEach((e) => { e.style.display = 'none'; });
Object.assign(document.querySelector('.lab').style, { gridTemplate: '"r-head view" 420px / 17rem minmax(0, 1fr)' });
Object.assign(document.querySelector('#r-head').style, { display: 'flex', flexDirection: 'column',
  justifyContent: 'center' });
true`

// cmdPreviews makes the pictures that previews of links show, 1200 x 630 pixels, one for each built-in model, from runs
// of the built site in Chromium: `previews DIST OUT`, with the names of models only these.
func cmdPreviews(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: tool previews DIST OUT [MODEL...]")
	}
	server := httptest.NewServer(static(args[0], false))
	defer server.Close()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath("chromium"),
		chromedp.NoSandbox, chromedp.Flag("disable-quic", true), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	defer stop()
	if err := os.MkdirAll(args[1], 0o777); err != nil {
		return err
	}
	for _, e := range catalog.Kinds.Builtin() {
		if len(args) > 2 && !slices.Contains(args[2:], e.Name) {
			continue
		}
		shot, err := preview(ctx, server.URL, e.Name)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		if err := os.WriteFile(filepath.Join(args[1], e.Name+".png"), shot, 0o644); err != nil {
			return err
		}
		fmt.Println(e.Name, len(shot), "bytes")
	}
	return nil
}

// preview is the picture of a model: a short run as an embedded page shows it.
func preview(ctx context.Context, site, model string) ([]byte, error) {
	ctx, stop := chromedp.NewContext(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	err := chromedp.Do(ctx, chromedp.EmulateViewport(800, 420, chromedp.EmulateScale(1.5)),
		chromedp.Navigate(site+"/#v=1&model="+model+cmp.Or(slowRuns[model], previewRun)+
			"&view.theme=light&view.lang=en&view.embed=1&view.hide=run,checks,tabs"))
	for done := false; err == nil && !done; time.Sleep(time.Second) {
		done, err = chromedp.Run(ctx, chromedp.Evaluate[bool]("document.documentElement.dataset.state === 'done'"))
	}
	if err == nil {
		_, err = chromedp.Run(ctx, chromedp.Evaluate[bool](bareView))
	}
	var shot, last []byte
	for alike := 0; err == nil && alike < 3; time.Sleep(2 * time.Second) { // until the picture is at rest
		last = shot
		shot, err = chromedp.Run(ctx, chromedp.CaptureScreenshot())
		if alike++; !bytes.Equal(shot, last) {
			alike = 0
		}
	}
	if err != nil {
		return nil, err
	}
	full, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, fewColours(full, previewColours))
	return b.Bytes(), err
}

// fewColours is a picture in its most frequent colours, n that can be told apart and the grounds.
func fewColours(full image.Image, n int) image.Image {
	count := map[color.RGBA]int{}
	at := func(x, y int) color.RGBA {
		r, g, b, _ := full.At(x, y).RGBA()
		return color.RGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255}
	}
	r := full.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	var few color.Palette
	for _, c := range all {
		if len(few) < n && (len(few) < 4 || far(c, few[few.Index(c)].(color.RGBA))) {
			few = append(few, c)
		}
	}
	nearest := map[color.RGBA]uint8{}
	for c := range count {
		nearest[c] = uint8(few.Index(c))
	}
	out := image.NewPaletted(r, few)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.SetColorIndex(x, y, nearest[at(x, y)])
		}
	}
	return out
}

// far reports whether two colours can be told apart.
func far(a, b color.RGBA) bool {
	d := func(x, y uint8) int { return (int(x) - int(y)) * (int(x) - int(y)) }
	return d(a.R, b.R)+d(a.G, b.G)+d(a.B, b.B) > 300
}
