package e2e

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

// Errors that consoles show where a browser refuses a file, as it should.
var refused = []string{"integrity", "SRI", "not loaded", "404", "ERR_", "net::", "Failed to load", "Failed to fetch",
	"Failed to update a ServiceWorker", "MIME type"}

// A fault is what comes in place of a file, its type "" where that is the file's own.
type fault struct {
	name string
	send func(file []byte) (kind string, data []byte) // nil: 404
}

// spoilt is a file with its fault.
type spoilt struct {
	file string
	fault
}

var (
	corrupt = fault{"corrupt", func(file []byte) (string, []byte) {
		bad := bytes.Clone(file)
		for i := range 2 {
			bad[len(bad)/2+i] ^= 1
		}
		return "", bad
	}}
	truncated = fault{"truncated", func(file []byte) (string, []byte) { return "", file[:len(file)/2] }}
	aPage     = fault{"a page", func([]byte) (string, []byte) {
		return "text/html; charset=utf-8", []byte("<!doctype html><title>Sign in</title><p>Please sign in to this network.")
	}}
	empty   = fault{"nothing", func([]byte) (string, []byte) { return "application/gzip", nil }}
	missing = fault{"missing", nil}
)

// spoil makes the server send a fault in place of a file, until it is mended.
func (s *site) spoil(file string, f fault) {
	if s.mend(); f.send == nil {
		s.refuse = file
		return
	}
	s.instead = func(name string, data []byte) (string, []byte, bool) {
		if name != file {
			return "", nil, false
		}
		kind, bad := f.send(data)
		return cmp.Or(kind, kindOf(name)), bad, true
	}
}

func (s *site) mend() { s.refuse, s.instead, s.down = "", nil, false }

// named is true once the page says which file is to blame, and that it helps to reload it.
func named(file string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('#message, #boot, #veil')].some((m) => m?.checkVisibility() &&
		m.innerText.includes(%q) && /Reload|press Run|Try again/.test(m.innerText))`, file)
}

// TestSupply: whatever comes in place of a file, also if browsers may keep it, the page says which one it is, makes
// no number of it, and works at the next load once the server is well.
func TestSupply(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=gpc-mnist35&method=is&is.particles=100"
	want := native(t, "-link", link)[0].Hash
	all := []spoilt{{"main.js", corrupt}, {"logz.wasm.gz", corrupt}, {"models/gpc-mnist35.bin", corrupt},
		{"style.css", truncated}, {"worker.js", aPage}, {"main.js", missing}, {"logz.wasm.gz", missing}}
	for _, c := range all[:tier.Size(4, 4, len(all))] {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.spoil(c.file, c.fault)
			b := open(t, s, noPicture)
			b.allow(refused...)
			b.visit(link)
			b.until(named(path.Base(c.file)))
			if c.file != "style.css" && eval[bool](b, `!!document.querySelector('td[data-field=hash]')?.dataset.value`) {
				t.Error("there is a result all the same")
			}
			s.mend()
			b.reload()
			if got := hashes(b.finish()); got[0] != want {
				t.Errorf("mended: hash %v, want %s", got, want)
			}
			b.until(`getComputedStyle(document.querySelector('.lab')).display === 'grid'`)
		})
	}
}

// TestSupplyOfPicture: the same for the picture, whose numbers go on.
func TestSupplyOfPicture(t *testing.T) {
	t.Parallel()
	all := []spoilt{{"stage.js", corrupt}, {"canvas.wasm.gz", truncated}, {"canvas.wasm.gz", aPage}, {"canvas.wasm.gz", missing},
		{"stage.html", aPage}}
	for _, c := range all[:tier.Size(2, 2, len(all))] {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.spoil(c.file, c.fault)
			b := open(t, s)
			b.allow(refused...)
			b.visit(quick)
			b.shows(quick)
			b.until(named(c.file))
			s.mend()
			b.click("[data-event=picture-again]")
			b.until(`document.querySelector('#veil').hidden`)
		})
	}
}

// TestEncoded: a server may declare .gz files as compressed for the transfer; what the browser has unpacked is
// verified and kept, too.
func TestEncoded(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.encoded = true
	b := open(t, s)
	b.allow("Failed to update a ServiceWorker", "sw.js", "ERR_")
	b.visit(quick)
	b.shows(quick)
	b.until(`document.querySelector('#veil').hidden`)
	b.until(installed)
	s.down = true
	b.visit(quick)
	b.shows(quick)
	b.until(`document.querySelector('#veil').hidden`)
}

// reload loads the page again, as the button of a browser does.
func (b *tab) reload() {
	b.t.Helper()
	b.leave(func() { eval[bool](b, `(setTimeout(() => location.reload(), 0), true)`) })
}

// leave does what loads the page anew, and waits for that.
func (b *tab) leave(do func()) {
	b.t.Helper()
	eval[bool](b, `(window.old = true)`)
	do()
	b.until(`!window.old`)
}

// registers is a script that tells when the page listens for new versions.
const registers = `{
	const old = ServiceWorkerContainer.prototype.register;
	ServiceWorkerContainer.prototype.register = async function (...args) {
		const kept = await old.apply(this, args);
		setTimeout(() => { window.registered = true; });
		return kept;
	};
}`

// installed waits until the service worker keeps the site.
const installed = `(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated')()`

// TestServiceWorker: sw.js keeps no damaged file, wherever it came from, and damage within its storage is mended
// (sw-test.mjs, with a server and a storage of its own).
func TestServiceWorker(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(node, "sw-test.mjs", "../../site/sw.js").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestPoisonedStorage: what is damaged within the storage of the service worker is mended by the next load.
func TestPoisonedStorage(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	const file = "logz.wasm.gz"
	want := native(t, "-link", quick)[0].Hash
	s := serve(t)
	b := open(t, s, noPicture)
	b.allow(refused...)
	b.visit(quick)
	b.until(installed)
	poison := fmt.Sprintf(`(async () => {
		const cache = await caches.open((await caches.keys())[0]);
		const old = await cache.match(%q);
		await cache.put(%[1]q, new Response('damaged', {headers: old.headers}));
		return true;
	})()`, file)
	eval[bool](b, poison)
	b.reload()
	if got := hashes(b.finish()); got[0] != want {
		t.Errorf("hash %v, want %s", got, want)
	}
	// What was mended is kept.
	b.until(fmt.Sprintf(`(async () => (await (await caches.match(%q))?.text()) !== 'damaged')()`, file))
	// Where the network is down, too, nothing helps before it is back.
	eval[bool](b, poison)
	s.spoil(file, truncated)
	b.reload()
	b.until(named(file))
	s.mend()
	b.reload()
	if got := hashes(b.finish()); got[0] != want {
		t.Errorf("back again: hash %v, want %s", got, want)
	}
}

// TestHalfDeploy: during the upload of a new version, visitors with the old version keep the old version; new visitors
// see an error message.
func TestHalfDeploy(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := open(t, s, noPicture, registers)
	b.allow(refused...)
	b.visit(quick)
	b.finish()
	b.until(installed)
	b.reload() // a page is offered a new version only if it came from an old one
	b.finish()
	b.until(`window.registered && !!navigator.serviceWorker.controller`)
	// The new worker is there, and knows another main.js than the server has.
	old, err := fs.ReadFile(os.DirFS(dist), "main.js")
	if err != nil {
		t.Fatal(err)
	}
	next := strings.NewReplacer(contentHash(old), contentHash(append(old, '\n')), `VERSION="`, `VERSION="next `)
	s.instead = func(name string, file []byte) (string, []byte, bool) {
		return kindOf(name), []byte(next.Replace(string(file))), name == "sw.js" || name == "index.html"
	}
	eval[bool](b, `navigator.serviceWorker.getRegistration().then((r) => r.update()).then(() => true, () => true)`)
	b.until(`(async () => !(await navigator.serviceWorker.getRegistration()).installing)()`)
	b.rest()
	if eval[bool](b, `document.querySelector('[data-event=update]') !== null`) {
		t.Error("half a version is offered")
	}
	b.reload()
	b.finish()

	// A new visitor, then one whom the whole version reaches.
	fresh := open(t, s, noPicture)
	fresh.allow(refused...)
	eval[bool](b, `(async () => {
		await (await navigator.serviceWorker.getRegistration()).unregister();
		return caches.delete((await caches.keys())[0]);
	})()`)
	fresh.visit(quick)
	fresh.until(named("main.js"))
	s.mend()
	fresh.reload()
	fresh.finish()
}

// TestFullStorage: storage that is full, or refused, keeps nothing from running.
func TestFullStorage(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	const link = "#v=1&model=rbm-cd25-500&method=is&is.particles=20"
	s := serve(t)
	b := open(t, s, noPicture)
	b.allow("Quota", "quota")
	b.visit(quick)
	b.until(installed)
	size := 1000.0
	if _, err := chromedp.Call(b.ctx, storage.OverrideQuotaForOrigin,
		storage.OverrideQuotaForOriginParams{Origin: s.URL, QuotaSize: &size}); err != nil {
		t.Fatal(err)
	}
	b.visit("?workers=1" + link) // a load of its own, which the service worker answers
	b.shows(link)

	b = open(t, serve(t), noPicture, `{
		const no = () => { throw new DOMException('no', 'SecurityError'); };
		Object.defineProperty(window, 'caches', {get: no});
		Object.defineProperty(navigator, 'serviceWorker', {get: no});
		History.prototype.replaceState = History.prototype.pushState = no;
	}`)
	b.visit(link)
	b.shows(link)
}

// lan is an address of this machine that browsers do not take for secure.
func lan(t *testing.T) string {
	t.Helper()
	all, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && ip.IP.To4() != nil {
			return ip.IP.String()
		}
	}
	t.Skip("NOT TESTED: this machine has no address but its own")
	return ""
}

// TestPlainHTTP: on a local network without https there are no service worker, crypto.subtle and clipboard. The page
// runs, files are verified, and Share copies.
func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=gpc-mnist35&method=is&is.particles=100"
	var b *tab
	files := []string{"main.js", "logz.wasm.gz", "models/gpc-mnist35.bin"}
	for _, file := range files[:tier.Size(1, 1, 3)] {
		s := serve(t)
		s.move(t, lan(t))
		s.spoil(file, corrupt)
		b = open(t, s, noPicture)
		b.allow(refused...)
		b.visit(link)
		if eval[bool](b, `isSecureContext || !!navigator.clipboard || !!navigator.serviceWorker`) {
			t.Skip("NOT TESTED: the browser takes this address for secure")
		}
		b.until(named(path.Base(file)))
		s.mend()
		b.reload()
		b.shows(link)
	}

	eval[bool](b, `(document.execCommand = (name) => {
		window.copied = [name, String(document.activeElement.value)];
		return true;
	}, true)`)
	b.click("#share")
	b.until(`document.querySelector('#sheet').open`)
	eval[bool](b, `(new MutationObserver(() => { // the page says so for three seconds
		if (/Copied/.test(document.querySelector('#sheet').innerText)) window.said = true;
	}).observe(document.querySelector('#sheet'), {subtree: true, childList: true, characterData: true}), true)`)
	b.click("#sheet [data-event=copy][data-value=link]")
	b.until(`window.copied?.[0] === 'copy' && window.copied[1].includes('model=gpc-mnist35') && window.said`)
	// Where that is refused, too, the text stands in the sheet, to be copied by hand.
	eval[bool](b, `(document.execCommand = () => false, true)`)
	b.click("#sheet [data-event=copy][data-value=command]")
	b.until(`/by hand: logz run/.test(document.querySelector('#sheet [role=status]').innerText)`)
}

// TestForeignParent: a page around the lab may put a document of its own into the picture's frame; what that one
// says is not the picture's word.
func TestForeignParent(t *testing.T) {
	t.Parallel()
	s := serve(t)
	host := serveFiles(t, fstest.MapFS{"index.html": {Data: []byte(`<!doctype html><title>host</title>
		<script>window.got = []; addEventListener('message', (e) => got.push(e.data));</script>
		<iframe src="` + s.URL + `/some/path/` + strings.ReplaceAll(quick, "&", "&amp;") +
		`&amp;view.embed=1" width="400" height="500"></iframe>`)}})
	b := open(t, host)
	b.visit("")
	b.until(`got.some((m) => m.logz === 'result') && got.some((m) => m.logz === 'drawn')`)
	eval[bool](b, `(frames[0].frames[0].location = 'about:blank', true)`)
	b.until(`(() => { try { return !!frames[0].frames[0].document.body; } catch { return false; } })()`)
	eval[bool](b, `(frames[0].frames[0].eval("for (const m of [{t: 'key', key: 'n'}, {t: 'error', text: 'no'}, `+
		`{t: 'picture', data: new ArrayBuffer(8)}]) parent.postMessage(m, '*')"), true)`)
	eval[bool](b, `(async () => {
		for (let n = 0; n < 120; n++) await new Promise((next) => requestAnimationFrame(next));
		return true;
	})()`)
	if n := eval[int](b, `got.filter((m) => m.logz === 'result').length`); n != 1 {
		t.Errorf("%d results: the seed was changed", n)
	}
}
