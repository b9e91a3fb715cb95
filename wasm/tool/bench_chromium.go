package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/chromedp/chromedp"
)

// benchWorker runs the program once for every message and posts its output.
const benchWorker = `importScripts('wasm_exec.js');
let compiled;
onmessage = async (e) => {
  let text = '';
  try {
    compiled ||= await WebAssembly.compile(await (await fetch('bench.wasm')).arrayBuffer());
    self.modelFile = new Uint8Array(await (await fetch(e.data[0])).arrayBuffer());
    self.fs.writeSync = (fd, b) => { text += new TextDecoder().decode(b); return b.length; };
    const go = new Go();
    go.argv = ['bench', ...e.data];
    await go.run(await WebAssembly.instantiate(compiled, go.importObject));
  } catch (err) {
    text += err;
  }
  postMessage(text);
};`

// benchPage starts the worker and defines bench, which passes arguments to the worker and returns its output.
const benchPage = `<!doctype html><title>bench</title><script>
const worker = new Worker('worker.js');
const bench = (...args) => new Promise((resolve) => {
  worker.onmessage = (e) => resolve(e.data);
  worker.postMessage(args);
});
</script>`

// chromium is a page of headless Chromium with one measuring worker.
type chromium struct {
	ctx  context.Context
	stop func()
}

// startChromium opens a page that can run the program. The error names what is missing.
func startChromium(wasm string) (*chromium, error) {
	path, err := exec.LookPath("chromium")
	if err != nil {
		return nil, errors.New("no chromium (Debian: apt-get install chromium): nothing is measured in a browser")
	}
	script, err := goWasm("wasm_exec.js")
	if err != nil {
		return nil, err
	}

	// A server of the page, the program and the models.
	mux := http.NewServeMux()
	text := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		}
	}
	mux.HandleFunc("/{$}", text("text/html", benchPage))
	mux.HandleFunc("/worker.js", text("text/javascript", benchWorker))
	mux.HandleFunc("/wasm_exec.js", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, script)
	})
	mux.HandleFunc("/bench.wasm", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, wasm) })
	mux.Handle("/site/", http.StripPrefix("/site/", http.FileServer(http.Dir("site"))))
	server := httptest.NewServer(mux)

	// A browser with a profile of its own.
	profile, err := os.MkdirTemp("", "logz-bench-profile")
	if err != nil {
		return nil, err
	}
	opts := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]),
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(profile), chromedp.Flag("disable-quic", true))
	ctx, cancelBrowser := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, cancelPage := chromedp.NewContext(ctx)
	c := &chromium{ctx, func() { cancelPage(); cancelBrowser(); server.Close(); os.RemoveAll(profile) }}
	if err := chromedp.Do(ctx, chromedp.Navigate(server.URL+"/")); err != nil {
		c.stop()
		return nil, fmt.Errorf("chromium does not start: %w", err)
	}
	return c, nil
}

// run returns the rate of a measurement in the browser; build is plain or SIMD.
func (c *chromium) run(model, work, build string) (float64, error) {
	args := fmt.Sprintf("bench(%q, %q, %q)", model, work, build)
	out, err := chromedp.Run(c.ctx, chromedp.Evaluate[string](args, chromedp.EvalAwaitPromise))
	if err != nil {
		return 0, err
	}
	rate, err := strconv.ParseFloat(strings.TrimSpace(out), 64)
	if err != nil {
		return 0, errors.New(out)
	}
	return rate, nil
}
