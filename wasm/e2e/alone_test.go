package e2e

import (
	"bytes"
	"encoding/base64"
	"image/gif"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// keeps intercepts downloads. It stores the last file in window.kept (a promise of its text), window.picture (a promise
// of an image) and window.bytes (base64), and its name in window.keptName.
const keeps = `HTMLAnchorElement.prototype.click = function () {
	window.kept = fetch(this.href).then((answer) => answer.text());
	window.picture = fetch(this.href).then((answer) => answer.blob()).then((data) => createImageBitmap(data));
	window.picture.catch(() => {}); // the file is not a picture
	fetch(this.href).then((answer) => answer.arrayBuffer()).then((data) => {
		const reader = new FileReader();
		reader.onload = () => window.bytes = reader.result.split(',')[1]; // base64
		reader.readAsDataURL(new Blob([data]));
	});
	window.keptName = this.download;
};`

// TestPageAsFile saves the page as a single HTML file and opens it from disk. The saved page gives the same results,
// shows the picture, keeps the language (German), and can itself be saved again. This holds for a bundled model and for
// a model file of the user.
func TestPageAsFile(t *testing.T) {
	t.Parallel()
	const own = `{"kind":"gmm","d":1,"base_sd":2,"logC":1,"weights":[0.5,0.5],"means":[[-1],[1]],"sds":[0.4,0.4]}`
	b := open(t, serve(t), keeps)
	b.size(1280, 800)
	b.visit("#v=1&model=rbm-pcd-20&method=ais&ais.chains=20&ais.temperatures=20&view.lang=de")
	b.awaitResults()
	dir := t.TempDir()
	all := []string{"bundled.html", "again.html", "own.html"}
	for i, name := range all[:tier.Size(1, 1, 3)] {
		want := b.rows()[0].Value["hash"]
		b.click(`button[data-value="export"]`)
		b.click(`button[data-event="export"][data-value="alone"]`)
		b.until(`window.kept`)
		text := eval[string](b, `window.kept`)
		if len(text) > 14.3e6 { // both programs at their size limits, in base64, plus 0.9 MB
			t.Errorf("%s has %d bytes", name, len(text))
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
		if got := b.awaitResults()[0].Value["hash"]; got != want || want == "" {
			t.Errorf("%s opened from disk: hash %q, want %q", name, got, want)
		}
		b.until(`document.querySelector('#veil').hidden`)
		b.until(german)
		if link := eval[string](b, `document.querySelector('a.mark').href`); link != b.site.URL+"/some/path/" {
			t.Errorf("%s: link to the lab = %s, want %s/some/path/", name, link, b.site.URL)
		}
		if i == 1 {
			eval[bool](b, `((data) => {
				data.items.add(new File(['`+own+`'], 'mine.json'));
				window.dispatchEvent(new DragEvent('drop', {dataTransfer: data, cancelable: true, bubbles: true}));
				return true;
			})(new DataTransfer())`)
			b.until(`/model=file:/.test(location.hash)`)
			b.until(`((td) => td?.dataset.value && td.dataset.value !== '` + want + `')(document.querySelector(
				'#results td[data-field=hash]'))`)
		}
	}
}

// TestSamplesInFile saves a page that shows a report on external samples as one file. Opened from disk, the file gives
// the report with the same hash. A page that was saved before any samples were read lacks the program for them and
// reports that.
func TestSamplesInFile(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture, keeps)
	b.expectErrors("external.wasm.gz") // the saved page without it tries to load it once
	b.visit("?workers=1" + quick)
	b.awaitResults()
	dir := t.TempDir()
	reopen := func(name string) {
		t.Helper()
		eval[bool](b, `(delete window.kept, true)`)
		b.click(`button[data-value="export"]`)
		b.click(`#sheet button[data-event="export"][data-value="alone"]`)
		b.until(`window.kept`)
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(eval[string](b, `window.kept`)), 0o666); err != nil {
			t.Fatal(err)
		}
		b.do(chromedp.Navigate((&url.URL{Scheme: "file", Path: path}).String()))
	}
	reopen("without.html")
	b.awaitResults()
	b.do(chromedp.SetUploadFiles(chromedp.CSS("#file"), []string{absolute(t, "../../site/samples/nested.csv")}))
	b.until(`document.querySelector('.trouble .bad')?.textContent.includes('without the program')`)

	b.visit("?workers=1" + quick + "&view.samples=nested")
	b.awaitResults()
	b.until(judged)
	const hash = `document.querySelector('.facts code').textContent`
	want := eval[string](b, hash)
	b.press("Escape")
	b.until(`!document.querySelector('#sheet').open`)
	reopen("with.html")
	b.until(judged)
	if got := eval[string](b, hash); got != want {
		t.Errorf("opened from disk: hash %s, want %s", got, want)
	}
}

// absolute returns the absolute path of a file.
func absolute(t *testing.T, name string) string {
	t.Helper()
	full, err := filepath.Abs(name)
	if err != nil {
		t.Fatal(err)
	}
	return full
}

// TestPictureKept exports the picture as a PNG. It is 1,200 pixels wide and at least 200 pixels higher than the picture
// alone, because it includes a caption.
func TestPictureKept(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b := open(t, serve(t), keeps)
	b.size(1280, 800)
	b.visit(quick)
	b.awaitResults()
	b.until(`document.querySelector('#veil').hidden`)
	high := eval[float64](b, `((s) => s.height / s.width)(document.querySelector('#stage').getBoundingClientRect())`)
	b.click(`button[data-value="export"]`)
	b.click(`#sheet button[data-event="export"][data-value="picture"]`)
	b.until(`window.picture`)
	size := eval[[]float64](b, `window.picture.then((p) => [p.width, p.height])`)
	if size[0] != 1200 || size[1] < 1200*high+200 {
		t.Errorf("exported picture has %v pixels; the canvas has the aspect ratio (height/width) %.2f", size, high)
	}
}

// TestLoop exports a scene as an animated GIF of at most 500 kB and as a WebM video. If the browser cannot record
// video, the page says so.
func TestLoop(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	b := open(t, serve(t), keeps)
	b.size(900, 700)
	b.visit("?workers=1#v=1&model=rbm-pcd-20&method=ais&ais.chains=24&ais.temperatures=60&view.scene=units")
	b.awaitResults()
	b.until(`document.querySelector('#veil').hidden`)
	b.click(`button[data-value="export"]`)
	b.click(`#sheet button[data-event="export"][data-value="loop"]`)
	b.until(`window.bytes`)
	file, err := base64.StdEncoding.DecodeString(eval[string](b, `window.bytes`))
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("LOGZ_SHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "loop.gif"), file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	loop, err := gif.DecodeAll(bytes.NewReader(file))
	if err != nil || len(file) > 500_000 {
		t.Fatalf("GIF of %d bytes, want at most 500,000; error %v", len(file), err)
	}
	if n := len(loop.Image); n < 6 || loop.Config.Width != 640 {
		t.Errorf("GIF has %d frames and is %d pixels wide, want at least 6 frames and 640 pixels", n, loop.Config.Width)
	}
	t.Logf("%d frames, %d bytes", len(loop.Image), len(file))

	eval[bool](b, `(window.bytes = '', true)`)
	b.click(`#sheet button[data-event="export"][data-value="video"]`)
	b.until(`window.bytes`)
	video, err := base64.StdEncoding.DecodeString(eval[string](b, `window.bytes`))
	if err != nil || len(video) < 10_000 || !bytes.HasPrefix(video, []byte("\x1a\x45\xdf\xa3")) ||
		!strings.HasSuffix(eval[string](b, `window.keptName`), "-loop.webm") {
		t.Errorf("exported video of %d bytes is not a valid WebM file (error %v)", len(video), err)
	}
	eval[bool](b, `(delete MediaRecorder, document.querySelector('#stage').contentWindow.MediaRecorder = undefined, true)`)
	b.click(`#sheet button[data-event="export"][data-value="video"]`)
	b.until(`/records no WebM/.test(document.querySelector('#message').innerText)`)
}
