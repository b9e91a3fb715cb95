package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"image"
	"image/color"
	"image/png"
	"maps"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"logzlab/estimators/catalog"
	"logzlab/wasm/page/view"

	"github.com/chromedp/chromedp"
)

// previewColours is how many colours a preview has. A picture as Chromium makes it is some 3.5 times as large: all of
// them 3.5 MB, in place of one.
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
	var all []still
	for _, e := range catalog.Kinds.Builtin() {
		all = append(all, still{name: e.Name, width: 800, height: 420, scale: 1.5, script: bareView,
			link: "v=1&model=" + e.Name + cmp.Or(slowRuns[e.Name], previewRun) +
				"&view.theme=light&view.lang=en&view.embed=1&view.hide=run,checks,tabs"})
	}
	return stills(args[0], args[1], args[2:], all)
}

// cmdPosters makes the still pictures of the lessons' live figures, which stand there until those are: `posters DIST
// LESSONS`, with numbers of lessons or, say, de/3 only these.
func cmdPosters(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: tool posters DIST LESSONS [NUMBER...]")
	}
	var all []still
	for _, folder := range []string{"", "de"} {
		for k, l := range view.Lessons {
			page := path.Join(folder, l.Page)
			text, err := os.ReadFile(filepath.Join(args[1], page))
			if err != nil {
				return err
			}
			m := figureLink.FindSubmatch(text)
			if m == nil {
				return fmt.Errorf("%s has no live figure", page)
			}
			link, forest := lessonKey.ReplaceAllString(html.UnescapeString(string(m[1])), ""), ",forest"
			if strings.Contains(link, "view.pool") {
				forest = ""
			}
			all = append(all, still{name: path.Join(path.Dir(page), strconv.Itoa(k+1)), width: 592, height: 416, scale: 1,
				link:   link + "&view.theme=light&view.embed=1&view.hide=run" + forest + ",checks,tabs,share",
				script: `(document.querySelector('.transport').style.visibility = 'hidden', true)`})
		}
	}
	return stills(args[0], args[1], args[2:], all)
}

// figureLink is the link of a lesson's live figure, and lessonKey what an embedded page does not need of it.
var (
	figureLink = regexp.MustCompile(`(?s)<figure class="live-figure">.*?index\.html#([^"]*)"`)
	lessonKey  = regexp.MustCompile(`&view\.lesson=\d+`)
)

// still is a picture of a page whose run is over.
type still struct {
	name, link    string
	width, height int64
	scale         float64
	script        string // that leaves what is to be seen
}

// stills makes pictures from the built site in a folder, all or those that are named.
func stills(dist, out string, only []string, all []still) error {
	server := httptest.NewServer(static(dist, false))
	defer server.Close()
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath("chromium"),
		chromedp.NoSandbox, chromedp.Flag("disable-quic", true), chromedp.Flag("use-angle", "swiftshader"),
		chromedp.Flag("enable-unsafe-swiftshader", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	defer stop()
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	for _, x := range all {
		if len(only) > 0 && !slices.Contains(only, x.name) {
			continue
		}
		shot, err := x.take(ctx, server.URL)
		if err != nil {
			return fmt.Errorf("%s: %w", x.name, err)
		}
		if err := os.WriteFile(filepath.Join(out, x.name+".png"), shot, 0o644); err != nil {
			return err
		}
		fmt.Println(x.name, len(shot), "bytes")
	}
	return nil
}

// take is the picture, once it is at rest.
func (x still) take(ctx context.Context, site string) ([]byte, error) {
	ctx, stop := chromedp.NewContext(ctx)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()

	// The run, to its end.
	err := chromedp.Do(ctx, chromedp.EmulateViewport(x.width, x.height, chromedp.EmulateScale(x.scale)),
		chromedp.Navigate(site+"/#"+x.link))
	for done := false; err == nil && !done; time.Sleep(time.Second) {
		done, err = chromedp.Run(ctx, chromedp.Evaluate[bool]("document.documentElement.dataset.state === 'done'"))
	}
	if err == nil {
		_, err = chromedp.Run(ctx, chromedp.Evaluate[bool](x.script))
	}

	// The picture, when several shots are alike.
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

	// A file in few colours.
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

	// How often colours occur.
	r := full.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})

	// The palette: the grounds, and colours far from one another.
	var few color.Palette
	for _, c := range all {
		if len(few) < n && (len(few) < 4 || far(c, few[few.Index(c)].(color.RGBA))) {
			few = append(few, c)
		}
	}

	// The picture in colours of the palette.
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
