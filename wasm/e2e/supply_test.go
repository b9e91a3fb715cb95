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

// refused lists parts of the console errors that are expected when a browser rejects a file.
var refused = []string{"integrity", "SRI", "not loaded", "404", "ERR_", "net::", "Failed to load", "Failed to fetch",
	"Failed to update a ServiceWorker", "MIME type"}

// A fault is a response in place of a file. An empty kind means the MIME type of the file.
type fault struct {
	name string
	send func(file []byte) (kind string, data []byte) // nil for a 404 response
}

// spoilt is a file and its fault.
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

// injectFault makes the server send a fault in place of a file, until clearFaults is called.
func (s *site) injectFault(file string, f fault) {
	if s.clearFaults(); f.send == nil {
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

// clearFaults ends all faults of the server.
func (s *site) clearFaults() { s.refuse, s.instead, s.down = "", nil, false }

// namesFile is true if the page names the faulty file and says how to load it again.
func namesFile(file string) string {
	return fmt.Sprintf(`[...document.querySelectorAll('#message, #boot, #veil')].some((m) => m?.checkVisibility() &&
		m.innerText.includes(%q) && /Reload|press Run|Try again/.test(m.innerText))`, file)
}

// TestSupply replaces files by damaged, truncated, wrong or missing ones, which browsers may cache. The page names the
// file, gives no result, and works at the next load after the server has recovered.
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
			s.injectFault(c.file, c.fault)
			b := open(t, s, noPicture)
			b.expectErrors(refused...)
			b.visit(link)
			b.until(namesFile(path.Base(c.file)))
			if c.file != "style.css" && eval[bool](b, `!!document.querySelector('td[data-field=hash]')?.dataset.value`) {
				t.Error("the page shows a result although a file is faulty")
			}
			s.clearFaults()
			b.reload()
			if got := hashes(b.awaitResults()); got[0] != want {
				t.Errorf("after recovery: hash %v, want %s", got, want)
			}
			b.until(`getComputedStyle(document.querySelector('.lab')).display === 'grid'`)
		})
	}
}

// TestSupplyOfPicture does the same for the files of the picture. The computation continues without it.
func TestSupplyOfPicture(t *testing.T) {
	t.Parallel()
	all := []spoilt{{"stage.js", corrupt}, {"canvas.wasm.gz", truncated}, {"canvas.wasm.gz", aPage}, {"canvas.wasm.gz", missing},
		{"stage.html", aPage}}
	for _, c := range all[:tier.Size(2, 2, len(all))] {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.injectFault(c.file, c.fault)
			b := open(t, s)
			b.expectErrors(refused...)
			b.visit(quick)
			b.shows(quick)
			b.until(namesFile(c.file))
			s.clearFaults()
			b.click("[data-event=picture-again]")
			b.until(`document.querySelector('#veil').hidden`)
		})
	}
}

// TestEncoded tests a server that sends .gz files with Content-Encoding: gzip, so that browsers unpack them. The
// unpacked files are verified and cached as well.
func TestEncoded(t *testing.T) {
	t.Parallel()
	s := serve(t)
	s.encoded = true
	b := open(t, s)
	b.expectErrors("Failed to update a ServiceWorker", "sw.js", "ERR_")
	b.visit(quick)
	b.shows(quick)
	b.until(`document.querySelector('#veil').hidden`)
	b.until(installed)
	s.down = true
	b.visit(quick)
	b.shows(quick)
	b.until(`document.querySelector('#veil').hidden`)
}

// reload reloads the page, like the button of a browser.
func (b *tab) reload() {
	b.t.Helper()
	b.leave(func() { eval[bool](b, `(setTimeout(() => location.reload(), 0), true)`) })
}

// leave calls a function that reloads the page, and waits until the page has been reloaded.
func (b *tab) leave(action func()) {
	b.t.Helper()
	eval[bool](b, `(window.old = true)`)
	action()
	b.until(`!window.old`)
}

// registers is a script that sets window.registered when the page has registered its service worker.
const registers = `{
	const old = ServiceWorkerContainer.prototype.register;
	ServiceWorkerContainer.prototype.register = async function (...args) {
		const kept = await old.apply(this, args);
		setTimeout(() => { window.registered = true; });
		return kept;
	};
}`

// installed is true if the service worker is active, so that the site is cached.
const installed = `(async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated')()`

// TestServiceWorker runs sw-test.mjs under Node, with a simulated server and cache: sw.js never caches a damaged file,
// and replaces damaged entries of its cache.
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

// TestPoisonedStorage checks that the next load replaces a damaged entry in the service worker's cache.
func TestPoisonedStorage(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	const file = "logz.wasm.gz"
	want := native(t, "-link", quick)[0].Hash
	s := serve(t)
	b := open(t, s, noPicture)
	b.expectErrors(refused...)
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
	if got := hashes(b.awaitResults()); got[0] != want {
		t.Errorf("hash %v, want %s", got, want)
	}
	// The replacement is cached.
	b.until(fmt.Sprintf(`(async () => (await (await caches.match(%q))?.text()) !== 'damaged')()`, file))
	// If the server is faulty as well, the page works only after it has recovered.
	eval[bool](b, poison)
	s.injectFault(file, truncated)
	b.reload()
	b.until(namesFile(file))
	s.clearFaults()
	b.reload()
	if got := hashes(b.awaitResults()); got[0] != want {
		t.Errorf("after the server has recovered: hash %v, want %s", got, want)
	}
}

// TestHalfDeploy: during the upload of a new version, visitors with the old version keep the old version; new visitors
// see an error message.
func TestHalfDeploy(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := open(t, s, noPicture, registers)
	b.expectErrors(refused...)
	b.visit(quick)
	b.awaitResults()
	b.until(installed)
	b.reload() // a page offers a new version only if a service worker has served it
	b.awaitResults()
	b.until(`window.registered && !!navigator.serviceWorker.controller`)
	// The new service worker expects another main.js than the server sends.
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
		t.Error("the page offers an incomplete new version")
	}
	b.reload()
	b.awaitResults()

	// A new visitor, before and after the upload is complete.
	fresh := open(t, s, noPicture)
	fresh.expectErrors(refused...)
	eval[bool](b, `(async () => {
		await (await navigator.serviceWorker.getRegistration()).unregister();
		return caches.delete((await caches.keys())[0]);
	})()`)
	fresh.visit(quick)
	fresh.until(namesFile("main.js"))
	s.clearFaults()
	fresh.reload()
	fresh.awaitResults()
}

// TestFullStorage checks that experiments run if the browser's storage is full or access to it is denied.
func TestFullStorage(t *testing.T) {
	tier.Release(t)
	t.Parallel()
	const link = "#v=1&model=rbm-cd25-500&method=is&is.particles=20"
	s := serve(t)
	b := open(t, s, noPicture)
	b.expectErrors("Quota", "quota")
	b.visit(quick)
	b.until(installed)
	size := 1000.0
	if _, err := chromedp.Call(b.ctx, storage.OverrideQuotaForOrigin,
		storage.OverrideQuotaForOriginParams{Origin: s.URL, QuotaSize: &size}); err != nil {
		t.Fatal(err)
	}
	b.visit("?workers=1" + link) // another address, so that the page is loaded through the service worker
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

// lan returns an address of this computer that browsers do not treat as a secure context.
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
	t.Skip("NOT TESTED: this computer has only loopback addresses")
	return ""
}

// TestPlainHTTP tests the page over plain HTTP on a local network, where service workers, crypto.subtle and the
// clipboard are not available. The page runs, verifies its files, and Share can copy.
func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=gpc-mnist35&method=is&is.particles=100"
	var b *tab
	files := []string{"main.js", "logz.wasm.gz", "models/gpc-mnist35.bin"}
	for _, file := range files[:tier.Size(1, 1, 3)] {
		s := serve(t)
		s.move(t, lan(t))
		s.injectFault(file, corrupt)
		b = open(t, s, noPicture)
		b.expectErrors(refused...)
		b.visit(link)
		if eval[bool](b, `isSecureContext || !!navigator.clipboard || !!navigator.serviceWorker`) {
			t.Skip("NOT TESTED: the browser treats this address as a secure context")
		}
		b.until(namesFile(path.Base(file)))
		s.clearFaults()
		b.reload()
		b.shows(link)
	}

	eval[bool](b, `(document.execCommand = (name) => {
		window.copied = [name, String(document.activeElement.value)];
		return true;
	}, true)`)
	b.click("#share")
	b.until(`document.querySelector('#sheet').open`)
	eval[bool](b, `(new MutationObserver(() => { // the page shows the text for three seconds
		if (/Copied/.test(document.querySelector('#sheet').innerText)) window.said = true;
	}).observe(document.querySelector('#sheet'), {subtree: true, childList: true, characterData: true}), true)`)
	b.click("#sheet [data-event=copy][data-value=link]")
	b.until(`window.copied?.[0] === 'copy' && window.copied[1].includes('model=gpc-mnist35') && window.said`)
	// If that fails as well, the sheet shows the text, to be copied by hand.
	eval[bool](b, `(document.execCommand = () => false, true)`)
	b.click("#sheet [data-event=copy][data-value=command]")
	b.until(`/by hand: logz run/.test(document.querySelector('#sheet [role=status]').innerText)`)
}

// TestForeignParent checks that the embedded lab ignores messages from a foreign document that the page around it has
// loaded into the picture's frame.
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
		t.Errorf("%d results, want 1: a message of the foreign document started a run", n)
	}
}
