package e2e

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"logzlab/internal/tier"
)

//go:embed init.js
var initScript string

//go:embed worker-spy.js
var workerSpy string

// dist is the built site.
const dist = "../../dist"

// browser is the Chromium process that most tests share, with one tab for each test. Some tests start their own
// browser.
var browser struct {
	ctx     context.Context
	program string
	missing string // why there is no browser; "" if there is one
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	slower := 1.
	if took, err := yardstick(); err == nil { // on an error, the tests report what is wrong with the command
		slower = max(1, took/usualYardstick)
	}
	go keepPace(slower)
	program := ""
	for _, name := range chromiums() {
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
	if !tier.Releases() {
		// All tabs share one process, so that they share compiled programs. Pages are composited without WebGL, which
		// is computed in software here; only the picture needs it.
		opts = append(opts, chromedp.Flag("renderer-process-limit", "1"), chromedp.Flag("disable-gpu-compositing", true))
	}
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
	stop, cancel := guarded(ctx)
	defer cancel()
	chromedp.Cancel(stop)
	return code
}

// chromiums returns the names of Chromium's executables, in order of preference. The headless shell needs half the time
// to start a page; the release tier tests the version that people use.
func chromiums() []string {
	windows := []string{"chromium", "chromium-browser", "google-chrome"}
	if tier.Releases() {
		return windows
	}
	return append([]string{"chromium-headless-shell"}, windows...)
}

// tab is a browser tab. The harness records its console messages, exceptions and worker errors.
type tab struct {
	t    testing.TB
	ctx  context.Context
	site *site

	mu      sync.Mutex
	console []string
	allowed []string // parts of messages that are expected
}

// open opens a tab. The given scripts run in every frame before the page's own scripts. Any unexpected error on a
// console fails the test when it ends.
func open(t testing.TB, s *site, scripts ...string) *tab {
	t.Helper()
	if browser.missing != "" {
		if os.Getenv("CI") == "true" {
			t.Fatal(browser.missing)
		}
		t.Skip(browser.missing)
	}
	in := s.browser
	if in == nil {
		in = browser.ctx
	}
	ctx, cancel := chromedp.NewContext(in)
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
	b.size(480, 640)
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

// noPicture is a script that disables WebGL, so that a test does not spend time on painting.
const noPicture = `{
	const old = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
		return /webgl/.test(kind) ? null : old.call(this, kind, ...rest);
	};
	if (window.OffscreenCanvas) OffscreenCanvas.prototype.getContext = () => null;
}`

// expectErrors permits error messages that contain one of the given parts, because the test provokes them.
func (b *tab) expectErrors(parts ...string) { b.allowed = append(b.allowed, parts...) }

// spiedErrors evaluates to the errors that init.js and worker-spy.js have recorded.
const spiedErrors = `[window, ...Array.from(frames)].flatMap((w) => {
	try { return w.spy ? w.spy.errors : []; } catch { return []; } // a frame of another origin
})`

// errors returns the unexpected errors of the page and its workers.
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
	ctx, cancel := guarded(b.ctx)
	defer cancel()
	if b.ctx.Err() == nil && chromedp.FromContext(b.ctx).Target == nil {
		ctx = b.ctx // the first call binds the tab's life to its context
	}
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// visit loads the page with the given query and fragment, such as "?workers=1#v=1". If only the fragment differs, it
// loads a blank page first, because a change of the fragment alone loads nothing.
func (b *tab) visit(suffix string) {
	b.t.Helper()
	address := b.site.URL + "/some/path/" + suffix
	if page, _, _ := strings.Cut(address, "#"); eval[string](b, `location.href.split('#')[0]`) == page {
		b.do(chromedp.Navigate("about:blank"))
	}
	b.do(chromedp.Navigate(address))
}

// eval returns the value of a JavaScript expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := try[T](b, expression)
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func try[T any](b *tab, expression string) (T, error) {
	ctx, cancel := guarded(b.ctx)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// replaced matches the errors of an evaluation that is interrupted because another page is loaded.
var replaced = regexp.MustCompile(`navigated|[Ee]xecution context|context with specified id|Promise was collected`)

// until waits until a JavaScript expression, or the promise that it returns, is true. The page may be reloaded in the
// meantime. The time between evaluations grows, because each one takes processor time from the page.
func (b *tab) until(expression string) {
	b.t.Helper()
	pause := 10 * time.Millisecond
	for start := quietTime(); ; time.Sleep(pause) {
		pause = min(pause*5/4, 150*time.Millisecond)
		met, err := try[bool](b, "(async () => !!(await ("+expression+")))()")
		if err != nil && !replaced.MatchString(err.Error()) {
			b.t.Fatalf("%s: %v", expression, err)
		}
		if met {
			return
		}
		if quietTime()-start > guard {
			b.t.Fatalf("still not true after %v: %s\nText of the page:\n%s", guard, expression, eval[string](b, pageText))
		}
	}
}

// rest waits until the page is idle (data-rest on its root element): no request is pending and the picture is painted.
// It waits for two frames first, in which the browser delivers pending events such as a new size.
func (b *tab) rest() {
	b.t.Helper()
	b.until(`new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
		document.documentElement.hasAttribute('data-rest'))`)
}

// size sets the size of the window in pixels.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	b.until(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, width, height))
}

// link puts a fragment into the address bar, and returns after the hashchange event.
func (b *tab) link(fragment string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`new Promise((heard) => {
		if (location.hash === %q) return heard(true);
		addEventListener('hashchange', () => heard(true), {once: true});
		location.hash = %[1]q;
	})`, fragment))
}

// pageText evaluates to the texts that describe the state of the page, for failure messages.
const pageText = `[...document.querySelectorAll('#message, #summary, #eta, #veil, #results tr[data-method]')]
		.map((e) => [e.id, e.dataset.state, e.hidden ? '(hidden)' : '', e.innerText].join(' ').replace(/\s+/g, ' '))
		.join('\n') + '\n' + location.hash`

// click clicks the element by script, once it is enabled. Other elements cannot cover it.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(%q).disabled`, selector,
		selector))
	eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, selector))
}

// clickAndAwaitRun clicks the element, and returns when the new run has replaced the previous one.
func (b *tab) clickAndAwaitRun(selector string) {
	b.t.Helper()
	resets := eval[int](b, "spy.resets")
	b.click(selector)
	b.until(fmt.Sprintf("spy.resets > %d", resets))
	b.rest()
}

// set sets the value of a control and sends the events of a user's change.
func (b *tab) set(selector, value string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q)`, selector))
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

// tableText evaluates to the results table in JSON. allDone is true if all its rows are done.
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
func (b *tab) rows() []row { return parsed(b, tableText) }

// parsed evaluates an expression and parses the rows that tableText encoded in it.
func parsed(b *tab, expression string) []row {
	b.t.Helper()
	text := eval[string](b, expression)
	var rows []row
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		b.t.Fatal(err)
	}
	return rows
}

// awaitResults waits until every row is done, and returns the rows at that moment.
func (b *tab) awaitResults() []row {
	b.t.Helper()
	b.until(`window.finished = (` + allDone + `) && ` + tableText)
	return parsed(b, `window.finished`)
}
