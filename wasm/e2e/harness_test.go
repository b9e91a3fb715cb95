package e2e

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

//go:embed init.js
var initScript string

//go:embed worker-spy.js
var workerSpy string

// dist is the built site.
const dist = "../../dist"

// browser is the one Chromium of all tests; each test has a tab of its own.
var browser struct {
	ctx     context.Context
	program string
	missing string // why there is none
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program, browser.program = path, path
			break
		}
	}
	if program == "" {
		browser.missing = "no Chromium: install it (Debian: apt-get install chromium)"
		return m.Run()
	}
	profile, err := os.MkdirTemp("", "logz-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(profile)
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.UserDataDir(profile),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("use-angle", "swiftshader"), chromedp.Flag("enable-unsafe-swiftshader", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), opts...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	if err := chromedp.Do(ctx); err != nil { // starts it
		browser.missing = fmt.Sprintf("%s does not start: %v", program, err)
		return m.Run()
	}
	browser.ctx = ctx
	code := m.Run()
	stop, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	chromedp.Cancel(stop)
	return code
}

// site is a server of the built site that can be told to refuse files.
type site struct {
	*httptest.Server
	refuse string // a path that answers 404
	worker string // a script put before worker.js
	down   bool   // no answer at all
	spied  bool   // init.js is put into pages, for browsers that cannot be told to
	// instead of a file, if not nil: what to send; ok is false for the file itself
	instead func(name string, file []byte) (kind string, data []byte, ok bool)
	slow    time.Duration // that a program takes to come
	encoded bool          // .gz files are declared as Content-Encoding, so browsers unpack them
}

func serve(t *testing.T) *site {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		t.Fatalf("no built site: %v; run ./build.sh build", err)
	}
	return serveFiles(t, os.DirFS(dist))
}

// serveFiles serves from a folder below the root, as a static host may.
func serveFiles(t *testing.T, files fs.FS) *site {
	s := &site{}
	static := http.StripPrefix("/some/path/", http.FileServerFS(files))
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch name := strings.TrimPrefix(r.URL.Path, "/some/path/"); {
		case s.down:
			panic(http.ErrAbortHandler)
		case r.URL.Path == "/favicon.ico": // the browser asks; a page need not have one
			w.WriteHeader(http.StatusNoContent)
		case s.refuse != "" && name == s.refuse:
			http.NotFound(w, r)
		case s.spied && name == "init.js":
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, initScript)
		case s.slow > 0 && strings.HasSuffix(name, ".wasm.gz"):
			file, _ := fs.ReadFile(files, name)
			w.Header().Set("Content-Length", fmt.Sprint(len(file)))
			for part := range slices.Chunk(file, len(file)/40+1) {
				w.Write(part)
				w.(http.Flusher).Flush()
				time.Sleep(s.slow / 40)
			}
		case s.encoded && path.Ext(name) == ".gz":
			w.Header().Set("Content-Encoding", "gzip")
			static.ServeHTTP(w, r)
		default:
			name = cmp.Or(name, "index.html")
			kind, data, changed := "", []byte(nil), false
			if dressed := s.dress(files); s.instead != nil {
				file, ok := dressed[name]
				if !ok {
					file, _ = fs.ReadFile(files, name)
				}
				kind, data, changed = s.instead(name, file)
				w.Header().Set("Cache-Control", "max-age=3600") // the worst for what is wrong
			}
			if !changed {
				w.Header().Set("Cache-Control", "no-store")
				kind = kindOf(name)
				data, changed = s.dress(files)[name]
			}
			if !changed {
				w.Header().Set("Cache-Control", "no-cache")
				static.ServeHTTP(w, r)
				return
			}
			w.Header().Set("Content-Type", kind)
			w.Write(data)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// kindOf is the type of a file, as a server tells it.
func kindOf(name string) string {
	return cmp.Or(mime.TypeByExtension(path.Ext(name)), "application/octet-stream")
}

// move has the site served at another address of this machine.
func (s *site) move(t *testing.T, address string) {
	t.Helper()
	l, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s.Config.Handler}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
	s.URL = "http://" + l.Addr().String()
}

// dress is what the server changes in the files: it puts the spies into them, and their new content hashes where
// the old ones stand.
func (s *site) dress(files fs.FS) map[string][]byte {
	out := map[string][]byte{}
	var hashes []string // old and new
	for _, name := range []string{"worker.js", "stage.html", "frame.html", "index.html", "sw.js"} {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			continue // a site of a test's own
		}
		now := strings.NewReplacer(hashes...).Replace(string(data))
		switch {
		case name == "worker.js":
			now = workerSpy + s.worker + now
		case s.spied && strings.HasSuffix(name, ".html"):
			now = strings.Replace(now, "<script", `<script src="init.js"></script><script`, 1)
		}
		hashes = append(hashes, contentHash(data), contentHash([]byte(now)))
		out[name] = []byte(now)
	}
	return out
}

// contentHash is the hash of a file as pages write it.
func contentHash(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// tab is a browser tab whose console, exceptions and workers are watched.
type tab struct {
	t    *testing.T
	ctx  context.Context
	site *site

	mu      sync.Mutex
	console []string
	allowed []string // parts of messages that are expected
}

// open makes a tab; scripts run in every frame before the page's own. When the
// test ends, any unexpected error on any console fails it.
func open(t *testing.T, s *site, scripts ...string) *tab {
	t.Helper()
	if browser.missing != "" {
		if os.Getenv("CI") == "true" {
			t.Fatal(browser.missing)
		}
		t.Skip(browser.missing)
	}
	ctx, cancel := chromedp.NewContext(browser.ctx)
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, site: s}
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleException {
				b.mu.Lock()
				b.console = append(b.console, fmt.Sprintf("%s: %s (%s)", m.Type, m.Text, m.URL))
				b.mu.Unlock()
			}
		}
	}()
	b.do(chromedp.EmulateViewport(480, 640))
	for _, script := range append([]string{initScript}, scripts...) {
		_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument,
			page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		for _, e := range b.errors() {
			t.Errorf("console: %s", e)
		}
	})
	return b
}

// allow lists parts of error messages that the test provokes.
func (b *tab) allow(parts ...string) { b.allowed = append(b.allowed, parts...) }

// spiedErrors are the errors that init.js and worker-spy.js have seen.
const spiedErrors = `[window, ...Array.from(frames)].flatMap((w) => {
	try { return w.spy ? w.spy.errors : []; } catch { return []; } // a frame of another origin
})`

// errors lists the unexpected errors that the page and its workers have shown.
func (b *tab) errors() []string {
	b.mu.Lock()
	all := slices.Clone(b.console)
	b.mu.Unlock()
	all = append(all, eval[[]string](b, spiedErrors)...)
	return slices.DeleteFunc(all, func(e string) bool {
		return slices.ContainsFunc(b.allowed, func(part string) bool { return strings.Contains(e, part) })
	})
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	if b.ctx.Err() == nil && chromedp.FromContext(b.ctx).Target == nil {
		ctx = b.ctx // the first call binds the tab's life to its context
	}
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// visit goes to the page with this query and fragment, such as "?workers=1#v=1".
func (b *tab) visit(suffix string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.site.URL + "/some/path/" + suffix))
}

// eval gives the value of a JavaScript expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := try[T](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func try[T any](b *tab, expression string) (T, error) {
	ctx, cancel := context.WithTimeout(b.ctx, 30*time.Second)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// until waits for a JavaScript expression, or what it promises, to be true; the page may load anew meanwhile.
func (b *tab) until(limit time.Duration, expression string) {
	b.t.Helper()
	for start := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		met, err := try[bool](b, "(async () => !!(await ("+expression+")))()")
		if err != nil && !strings.Contains(err.Error(), "navigated") {
			b.t.Fatalf("%s: %v", expression, err)
		}
		if met {
			return
		}
		if time.Since(start) > limit {
			b.t.Fatalf("after %v still not: %s\nThe page says:\n%s", limit, expression, eval[string](b, pageText))
		}
	}
}

// pageText is what the page says of its state, for the messages of failed tests.
const pageText = `[...document.querySelectorAll('#message, #summary, #eta, #veil, #results tr[data-method]')]
		.map((e) => [e.id, e.dataset.state, e.hidden ? '(hidden)' : '', e.innerText].join(' ').replace(/\s+/g, ' '))
		.join('\n') + '\n' + location.hash`

// click presses the element without moving a mouse, so nothing can be in the way.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.until(5*time.Second, fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(%q).disabled`, selector,
		selector))
	eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, selector))
}

// set gives a control a value as a user would.
func (b *tab) set(selector, value string) {
	b.t.Helper()
	b.until(5*time.Second, fmt.Sprintf(`document.querySelector(%q)`, selector))
	eval[bool](b, fmt.Sprintf(`((e) => {
		e.value = %q;
		e.dispatchEvent(new Event('input', {bubbles: true}));
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return true;
	})(document.querySelector(%q))`, value, selector))
}

// row is one line of the results table.
type row struct {
	Method, State string
	Text, Value   map[string]string // by field; Value is the data-value attribute
}

// tableText is the results table in JSON, and allDone whether it is complete.
const (
	tableText = `JSON.stringify([...document.querySelectorAll('#results tr[data-method]')].map((tr) => {
		const row = {method: tr.dataset.method, state: tr.dataset.state, text: {}, value: {}};
		for (const td of tr.querySelectorAll('td[data-field]')) {
			row.text[td.dataset.field] = td.textContent.trim();
			row.value[td.dataset.field] = td.dataset.value || '';
		}
		return row;
	}))`
	allDone = `((rows) => rows.length && rows.every((tr) =>
		tr.dataset.state === 'done'))([...document.querySelectorAll('#results tr[data-method]')])`
)

// rows reads the results table.
func (b *tab) rows() []row {
	b.t.Helper()
	text := eval[string](b, tableText)
	var rows []row
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		b.t.Fatal(err)
	}
	return rows
}

// finish waits until every row is done, and reads them.
func (b *tab) finish(limit time.Duration) []row {
	b.t.Helper()
	b.until(limit, allDone)
	return b.rows()
}
