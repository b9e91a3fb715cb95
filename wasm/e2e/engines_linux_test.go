package e2e

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"logzlab/internal/tier"
)

// smoke lists the golden links (by prefix) that every browser opens. The query sets the number of workers.
var smoke = []struct{ query, link string }{
	{"", "v=1&model=mixture2&method=is&"},
	{"", "v=1&model=ising16&method=rts&"},
	{"?workers=2", "v=1&model=ising16&method=rts&"},
	{"", "v=1&model=rbm-pcd-20&method=ais&ais.chains=20&"},
}

// TestEngines is the smoke test in browsers other than Chromium: they load the page, run links, give the results of the
// golden file, and show a picture.
func TestEngines(t *testing.T) {
	tier.Release(t)
	s, bad := serve(t), serveFiles(t, planted)
	s.spied, bad.spied = true, true
	lines, display := golden(t), display(t)
	for _, e := range engines {
		t.Run(e.name, func(t *testing.T) {
			start := time.Now()
			r := startBrowser(t, e, display)
			r.visit(bad, "") // make sure that the spies below detect errors in this browser
			for _, want := range plantedErrors {
				r.until(spiedErrors + ".some((e) => e.includes('" + want + "'))")
			}
			r.do("SetWindowRect", map[string]any{"width": 1280, "height": 900})
			t.Logf("started after %v", time.Since(start).Round(time.Millisecond))
			r.visit(s, "")
			r.until(`document.querySelector('#hero').dataset.act === 'yours' && document.querySelector('#dreams').width > 99`)
			r.clean()
			for _, deck := range []string{"sum", "resample", "trust"} {
				r.visit(s, "#view.deck="+deck+"&view.step=5")
				r.until(`document.querySelector('.deck-nav > span')?.textContent.startsWith('5 / ') &&
					/\d/.test(document.querySelector('.deck-number').innerText) || document.querySelector('.deck-answers')`)
				r.clean()
			}
			r.visit(s, "lessons/2-importance.html")
			r.until(`(document.querySelector('.live-figure > div').scrollIntoView({block: 'center'}),
				document.querySelector('.live-figure').dataset.live === '')`)
			for i, c := range smoke {
				at := slices.IndexFunc(lines, func(g goldenLine) bool { return strings.HasPrefix(g.link, c.link) })
				if at < 0 {
					t.Fatalf("no golden link %s", c.link)
				}
				start := time.Now()
				r.visit(s, c.query+"#"+lines[at].link)
				r.until(allDone)
				r.compare(lines[at])
				r.clean()
				switch i {
				case 0: // the later visits are served by the service worker
					r.until(`!navigator.serviceWorker ||
						(navigator.serviceWorker.ready.then(() => { window.kept = true }), window.kept)`)
					// Leave the page while it loads its picture: Firefox hung here when load.js used
					// WebAssembly.compileStreaming.
					for late := 0; e.name == "Firefox" && late < 6; late++ {
						r.visit(s, quick)
						r.until(`document.querySelector('#stage').getAttribute('src')`)
						time.Sleep(time.Duration(late) * 50 * time.Millisecond)
					}
				case len(smoke) - 1:
					r.picture(e.name)
					r.clean()
				}
				t.Logf("%s#%s took %v", c.query, lines[at].link, time.Since(start).Round(time.Millisecond))
			}
		})
	}
}

// visit loads the page, even if only the fragment of the address differs.
func (r *remote) visit(s *site, suffix string) {
	r.t.Helper()
	r.do("Navigate", map[string]any{"url": "about:blank"})
	r.do("Navigate", map[string]any{"url": s.URL + "/some/path/" + suffix})
}

// compare checks that the table has one row, with the result of the golden file.
func (r *remote) compare(want goldenLine) {
	r.t.Helper()
	var text string
	r.evaluateInto(tableText, &text)
	var rows []row
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		r.t.Fatal(err)
	}
	if len(rows) != 1 || rows[0].Value["hash"] != want.hash || rows[0].Text["logz"] == "" {
		r.t.Fatalf("%s: rows %v, want hash %s", want.link, rows, want.hash)
	}
	logz, err := strconv.ParseFloat(rows[0].Value["logz"], 64)
	if got := strconv.FormatFloat(logz, 'x', -1, 64); err != nil || got != want.logz {
		r.t.Errorf("%s: logz %s is %s, want %s", want.link, rows[0].Value["logz"], got, want.logz)
	}
}

// clean checks that neither the page nor a console reports an error. A warning is only logged: on a busy computer the
// page may report that a worker did not respond in time.
func (r *remote) clean() {
	r.t.Helper()
	var errors []string
	if r.evaluateInto(spiedErrors, &errors); len(errors) > 0 {
		r.t.Errorf("errors: %q", errors)
	}
	var message struct{ Level, Text string }
	r.evaluateInto("((m) => m.checkVisibility() ? {level: m.dataset.level, text: m.innerText} : "+
		"{})(document.querySelector('#message'))", &message)
	if message.Level == "warn" {
		r.t.Logf("the page warns: %s", message.Text)
	} else if message.Text != "" {
		r.t.Errorf("the page says (%s): %s", message.Level, message.Text)
	}
}

// picture checks that the stage shows a picture, or that the page reports missing WebGL.
func (r *remote) picture(name string) {
	r.t.Helper()
	const none = `/All results still work/.test(document.querySelector('#veil').innerText)`
	r.until(`document.querySelector('#veil').hidden &&
		document.querySelector('#stage').contentDocument.querySelector('canvas') || ` + none)
	r.until(`document.documentElement.hasAttribute('data-rest')`)
	var shot struct{ Value []byte }
	if err := json.Unmarshal(r.do("TakeScreenshot", map[string]any{"full": false}), &shot); err != nil {
		r.t.Fatal(err)
	}
	if dir := os.Getenv("LOGZ_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "page-"+strings.ToLower(name)+".png"), shot.Value, 0o666); err != nil {
			r.t.Fatal(err)
		}
	}
	var without bool
	if r.evaluateInto(none, &without); without {
		r.t.Logf("%s has no WebGL 2 here; the page says so", name)
		return
	}
	img, err := png.Decode(bytes.NewReader(shot.Value))
	if err != nil {
		r.t.Fatal(err)
	}
	var box [5]float64
	r.evaluateInto(`((b) => [b.left, b.top, b.right, b.bottom,
		innerWidth])(document.querySelector('#stage').getBoundingClientRect())`, &box)
	scale := float64(img.Bounds().Dx()) / box[4]
	stage := image.Rect(int(box[0]*scale), int(box[1]*scale), int(box[2]*scale), int(box[3]*scale)).Intersect(img.Bounds())
	colours := map[color.Color]bool{}
	for y := stage.Min.Y; y < stage.Max.Y; y++ {
		for x := stage.Min.X; x < stage.Max.X; x++ {
			colours[img.At(x, y)] = true
		}
	}
	if len(colours) < 3 { // background, marks and the shades between them
		r.t.Errorf("%s: the picture at %v has %d colours, want at least 3", name, stage, len(colours))
	}
}
