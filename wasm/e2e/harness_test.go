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

// browser is the Chromium that most tests share, a tab for each test; some tests start an own browser.
var browser struct {
	ctx     context.Context
	program string
	missing string // why there is none
}

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	slower := 1.
	if took, err := yardstick(); err == nil { // else the tests say what is wrong with the command
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
		// One process has all tabs, so a program that one of them has compiled serves the others. Pages are put together
		// without WebGL, which computes in software here: only the picture needs it.
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

// chromiums are the programs of Chromium, the best first. Chromium without windows starts a page with half the work; a
// release is tested in the one that people have.
func chromiums() []string {
	windows := []string{"chromium", "chromium-browser", "google-chrome"}
	if tier.Releases() {
		return windows
	}
	return append([]string{"chromium-headless-shell"}, windows...)
}

// tab is a browser tab whose console, exceptions and workers are watched.
type tab struct {
	t    testing.TB
	ctx  context.Context
	site *site

	mu      sync.Mutex
	console []string
	allowed []string // parts of messages that are expected
}

// open makes a tab; scripts run in every frame before the page's own. When the
// test ends, any unexpected error on any console fails it.
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

// noPicture is a script of a browser without WebGL: what a test without it would spend on painting goes to the numbers.
const noPicture = `{
	const old = HTMLCanvasElement.prototype.getContext;
	HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
		return /webgl/.test(kind) ? null : old.call(this, kind, ...rest);
	};
	if (window.OffscreenCanvas) OffscreenCanvas.prototype.getContext = () => null;
}`

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
	ctx, cancel := guarded(b.ctx)
	defer cancel()
	if b.ctx.Err() == nil && chromedp.FromContext(b.ctx).Target == nil {
		ctx = b.ctx // the first call binds the tab's life to its context
	}
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// visit loads the page with this query and fragment, such as "?workers=1#v=1". Another fragment alone, as in link,
// would load nothing.
func (b *tab) visit(suffix string) {
	b.t.Helper()
	address := b.site.URL + "/some/path/" + suffix
	if page, _, _ := strings.Cut(address, "#"); eval[string](b, `location.href.split('#')[0]`) == page {
		b.do(chromedp.Navigate("about:blank"))
	}
	b.do(chromedp.Navigate(address))
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
	ctx, cancel := guarded(b.ctx)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// replaced are the errors of a page that another one replaces.
var replaced = regexp.MustCompile(`navigated|[Ee]xecution context|context with specified id|Promise was collected`)

// until waits for a JavaScript expression, or what it promises, to be true; the page may load anew meanwhile. It asks
// more and more seldom: asking takes time from the page.
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
			b.t.Fatalf("after %v still not: %s\nThe page says:\n%s", guard, expression, eval[string](b, pageText))
		}
	}
}

// rest waits until the page is at rest, data-rest on its root: nothing that was asked for is on its way, and the
// picture is painted. What the browser is about to tell the page, such as a new size, comes with the next two frames.
func (b *tab) rest() {
	b.t.Helper()
	b.until(`new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next))).then(() =>
		document.documentElement.hasAttribute('data-rest'))`)
}

// size gives the window a size in pixels.
func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
	b.until(fmt.Sprintf(`innerWidth === %d && innerHeight === %d`, width, height))
}

// link puts a fragment into the address bar, and returns when the page has heard of it.
func (b *tab) link(fragment string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`new Promise((heard) => {
		if (location.hash === %q) return heard(true);
		addEventListener('hashchange', () => heard(true), {once: true});
		location.hash = %[1]q;
	})`, fragment))
}

// pageText is what the page says of its state, for the messages of failed tests.
const pageText = `[...document.querySelectorAll('#message, #summary, #eta, #veil, #results tr[data-method]')]
		.map((e) => [e.id, e.dataset.state, e.hidden ? '(hidden)' : '', e.innerText].join(' ').replace(/\s+/g, ' '))
		.join('\n') + '\n' + location.hash`

// click presses the element without moving a mouse, so nothing can be in the way.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`document.querySelector(%q) && !document.querySelector(%q).disabled`, selector,
		selector))
	eval[bool](b, fmt.Sprintf(`(document.querySelector(%q).click(), true)`, selector))
}

// again presses the element, and returns when the run that it begins has taken the place of the one before.
func (b *tab) again(selector string) {
	b.t.Helper()
	resets := eval[int](b, "spy.resets")
	b.click(selector)
	b.until(fmt.Sprintf("spy.resets > %d", resets))
	b.rest()
}

// set gives a control a value as a user would.
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
func (b *tab) rows() []row { return parsed(b, tableText) }

// parsed gives the rows of a text that tableText made.
func parsed(b *tab, expression string) []row {
	b.t.Helper()
	text := eval[string](b, expression)
	var rows []row
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		b.t.Fatal(err)
	}
	return rows
}

// finish waits until every row is done, and gives the rows as they were then.
func (b *tab) finish() []row {
	b.t.Helper()
	b.until(`window.finished = (` + allDone + `) && ` + tableText)
	return parsed(b, `window.finished`)
}
