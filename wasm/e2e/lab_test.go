package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

// quick is a link to an experiment that takes about a second.
const quick = "#v=1&model=mixture2&method=ais&ais.chains=40&ais.temperatures=60"

// press sends a key to the focused element.
func (b *tab) press(key string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`(document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown',
		{key: %q, bubbles: true, cancelable: true})) || true`, key))
}

// TestKeyboard tests every key that the help sheet lists.
func TestKeyboard(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	b.visit("?workers=2" + long)
	b.running()
	b.press(" ")
	b.until(`document.querySelector('#results tr[data-state=paused]')`)
	b.rest()
	before := eval[int](b, "spy.frames")
	b.press("ArrowRight")
	b.until(fmt.Sprintf("spy.frames > %d", before))
	b.press(" ")
	b.until(`!document.querySelector('#results tr[data-state=paused]')`)
	b.press("5")
	b.until(`document.querySelector('[data-scene=trace]').ariaSelected === 'true' &&
		/view.scene=trace/.test(location.hash)`)
	b.press("3")
	b.until(`document.querySelector('[data-scene=units]').ariaSelected === 'true' &&
		!/view.scene/.test(location.hash)`)
	b.press("?")
	b.until(`document.querySelector('#sheet').open &&
		/Space bar/.test(document.querySelector('#sheet').innerText)`)
	b.press("Escape")
	b.until(`!document.querySelector('#sheet').open`)
	b.press("n")
	b.until(`/seed=[0-9]+/.test(location.hash)`)
	// A key typed into a field is not a command.
	link := eval[string](b, "location.hash")
	eval[bool](b, `(document.querySelector('#seed').focus(), true)`)
	b.press("n")
	b.rest()
	if now := eval[string](b, "location.hash"); now != link {
		t.Errorf("a key in a field changed the link to %s", now)
	}
}

// TestShare creates a link that hides some parts of the page and contains a receipt (the expected hash), and opens it.
func TestShare(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := open(t, s, noPicture)
	b.visit(quick)
	hash := b.awaitResults()[0].Value["hash"]
	b.click("#share")
	b.until(`document.querySelector('#sheet').open &&
		document.querySelector('#sheet .qr path')?.getAttribute('d').length > 500`)
	b.click("[data-show=run]")
	b.click("[data-show=numbers]")
	b.click("[data-show=receipt]")
	b.until(`/view.hide=run,numbers/.test(document.querySelector('#share-link').textContent) &&
		/view.expect=[0-9a-f]{16}/.test(document.querySelector('#share-link').textContent)`)
	if c := eval[string](b, `document.querySelector('#share-command').textContent`); c !=
		"logz run -model mixture2 -method ais -set ais.chains=40 -set ais.temperatures=60 -json" {
		t.Errorf("command in the sheet = %s", c)
	}
	if c := eval[string](b, `document.querySelector('#share-embed').textContent`); !strings.HasPrefix(c, "<iframe ") ||
		!strings.Contains(c, "view.embed=1") {
		t.Errorf("code for embedding = %s, want an iframe with view.embed=1", c)
	}
	link := eval[string](b, `document.querySelector('#share-link').textContent`)
	if !strings.HasPrefix(link, s.URL+"/some/path/#v=1&") {
		t.Errorf("shared link = %s", link)
	}
	fragment := link[strings.Index(link, "#"):]
	for expect, says := range map[string]string{hash: "identical", "0123456789abcdef": "differs"} {
		b := open(t, s, noPicture)
		b.visit(strings.Replace(fragment, hash, expect, 1))
		b.awaitResults()
		b.until(fmt.Sprintf(`/%s/.test(document.querySelector('#receipt')?.innerText)`, says))
		if eval[bool](b, `document.querySelector('#run').checkVisibility() ||
			document.querySelector('#results').checkVisibility()`) {
			t.Error("parts that the link hides are visible")
		}
	}
}

// TestExport checks that the exported CSV and JSON files contain log Z and the hash as the page shows them.
func TestExport(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture, `window.saved = []; {
		const old = URL.createObjectURL;
		URL.createObjectURL = (blob) => { blob.text().then((text) => saved.push({type: blob.type, size: blob.size, text}));
			return old(blob); };
	}`)
	b.visit(quick)
	r := b.awaitResults()[0]
	for _, kind := range []string{"csv", "json"} {
		b.click(fmt.Sprintf("#numbers [data-value=%s]", kind))
		b.until(fmt.Sprintf(`saved.some((f) => f.type.includes(%q) && f.text.includes(%q) &&
			f.text.includes(%q))`, kind, r.Value["logz"], r.Value["hash"]))
	}
}

// TestEmbed checks the messages that an embedded lab sends to the page around it: ready, result and error.
func TestEmbed(t *testing.T) {
	t.Parallel()
	files := overlay{os.DirFS(dist), fstest.MapFS{"host.html": {Data: []byte(`<!doctype html><title>host</title>
		<script>window.got = []; addEventListener('message', (e) => got.push(e.data));</script>
		<iframe src="index.html` + strings.ReplaceAll(quick, "&", "&amp;") +
		`&amp;view.embed=1" width="400" height="500"></iframe>
		<iframe src="index.html#v=1&amp;model=nosuch&amp;method=ais&amp;view.embed=1" width="400" height="500"></iframe>`)}}}
	b := open(t, serveFiles(t, files), noPicture)
	b.visit("host.html")
	want := native(t, "-link", quick)[0].Hash
	b.until(`got.some((m) => m.logz === 'ready')`)
	b.until(fmt.Sprintf(`got.some((m) => m.logz === 'result' && [m.results].flat()[0].hash === %q)`, want))
	b.until(`got.some((m) => m.logz === 'error' && /nosuch/.test(m.text))`)
}

// overlay is a file system in which the files of above replace the files of below.
type overlay struct{ below, above fs.FS }

func (o overlay) Open(name string) (fs.File, error) {
	if f, err := o.above.Open(name); err == nil && name != "." {
		return f, nil
	}
	return o.below.Open(name)
}

// TestProjector tests projector mode: the address and the button turn it on, and Escape turns it off.
func TestProjector(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.size(1280, 800)
	b.visit("?view.projector" + quick)
	b.awaitResults()
	b.until(`document.documentElement.dataset.theme === 'projector' &&
		!document.querySelector('#setup').checkVisibility()`)
	if eval[bool](b, `!!document.querySelector('.invite .qr')?.checkVisibility()`) {
		t.Error("the page shows a QR code of a loopback address, which phones cannot reach")
	}
	if size := eval[float64](b, `parseFloat(getComputedStyle(document.querySelector('.n')).fontSize)`); size < 60 {
		t.Errorf("font size of the number = %v px, want at least 60", size)
	}
	b.press("Escape")
	b.until(`document.documentElement.dataset.theme !== 'projector' && !/projector/.test(location.hash)`)
	b.click("[data-event=theme][data-value=projector]")
	b.until(`/view.projector=1/.test(location.hash)`)
}

// TestOffline checks that the second visit works without a server.
func TestOffline(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := open(t, s, noPicture) // TestEncoded tests the picture without a server
	b.expectErrors("Failed to update a ServiceWorker", "sw.js", "ERR_")
	b.visit(quick)
	first := hashes(b.awaitResults())
	b.until(`(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === ` +
		`'activated')()`)
	s.down = true
	b.visit("?" + quick)
	if again := hashes(b.awaitResults()); again[0] != first[0] {
		t.Errorf("hashes %v, then offline %v", first, again)
	}
	// Also pages whose address the server redirected to their folder when they were cached.
	b.visit("lessons/index.html")
	lessons, err := filepath.Glob("../../site/lessons/[0-9]*.html")
	if err != nil || len(lessons) < 8 {
		t.Fatal(lessons, err)
	}
	b.until(fmt.Sprintf(`[...document.querySelectorAll('.lessons a')].filter((a) => /\/\d+-/.test(a.href)).length === %d`,
		len(lessons)))
	b.visit("index.html" + quick)
	b.awaitResults()
}

// TestSlowMotion checks that a descent at the slowest speed takes its 60 s, and that the same run at full speed gives
// the same result.
func TestSlowMotion(t *testing.T) {
	t.Parallel()
	b := open(t, serve(t), noPicture)
	b.visit("?workers=1" + quick + "&view.slow=3")
	b.until("spy.frames > 1")
	// A descent of 60 s has 60 rungs, each with a frame. Two of the five frames may come at once.
	if took := eval[float64](b, `(async (from, start) => {
		while (spy.frames < from + 5) await new Promise((next) => requestAnimationFrame(next));
		return (performance.now() - start) / 1000;
	})(spy.frames, performance.now())`); took < 2 {
		t.Errorf("three rungs of a descent of 60 s took %.2f s, want at least 2", took)
	}
	b.set("#speed", "3")
	b.until(`!/view.slow/.test(location.hash)`)
	if r, want := b.awaitResults()[0], native(t, "-link", quick)[0]; r.Value["hash"] != want.Hash {
		t.Errorf("hash %s, natively %s", r.Value["hash"], want.Hash)
	}
}
