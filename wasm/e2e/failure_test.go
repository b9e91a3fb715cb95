package e2e

import (
	"bytes"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// What a broken or strange server sends in place of a file.
var (
	page404   = []byte("<!doctype html><title>Sign in</title><p>Please sign in to this network.")
	asPage    = func([]byte) (string, []byte) { return "text/html; charset=utf-8", page404 }
	truncated = func(file []byte) (string, []byte) { return "application/octet-stream", file[:len(file)/2] }
)

// says waits for a message that contains every part.
func (b *tab) says(parts ...string) {
	b.t.Helper()
	b.until(20*time.Second, fmt.Sprintf(`((m) => m.checkVisibility() &&
		%q.split('|').every((part) => m.innerText.includes(part)))(document.querySelector('#message'))`,
		strings.Join(parts, "|")))
}

// TestBrokenProgram: without its program the page says what came, and what to do.
func TestBrokenProgram(t *testing.T) {
	for name, c := range map[string]struct {
		send  func([]byte) (string, []byte)
		parts []string
	}{
		"truncated": {truncated, []string{"logz.wasm.gz is damaged or ended early", "Reload"}},
		"a page": {asPage, []string{"The server sent something else (text/html", "logz.wasm.gz", "Upload all files",
			"Reload"}},
		"nothing": {func([]byte) (string, []byte) { return "application/gzip", nil },
			[]string{"logz.wasm.gz", "Upload all files"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.instead = func(name string, file []byte) (string, []byte, bool) {
				kind, data := c.send(file)
				return kind, data, name == "logz.wasm.gz"
			}
			b := open(t, s)
			b.visit(quick)
			b.says(c.parts...)
			s.instead = nil // mended: its button is enough
			b.click("#message button")
			time.Sleep(time.Second)
			b.finish(time.Minute)
		})
	}
}

// TestBrokenModel: without its file a model does not run, the page says why, others
// run, and once the server is mended so does this one.
func TestBrokenModel(t *testing.T) {
	const link = "#v=1&model=rbm-pcd-20&method=is&is.particles=200"
	for name, c := range map[string]struct {
		send  func([]byte) (string, []byte) // nil: 404
		parts []string
	}{
		"404":       {nil, []string{"rbm-pcd-20.npz", "404", "press Run"}},
		"truncated": {truncated, []string{"damaged", "press Run"}},
		"a page":    {asPage, []string{"rbm-pcd-20.npz", "web page instead", "press Run"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			if s.refuse = "models/rbm-pcd-20.npz"; c.send != nil {
				s.refuse = ""
				s.instead = func(name string, file []byte) (string, []byte, bool) {
					kind, data := c.send(file)
					return kind, data, name == "models/rbm-pcd-20.npz"
				}
			}
			b := open(t, s)
			b.allow("404")
			b.visit(link)
			b.says(c.parts...)
			b.set("#model", "mixture2")
			b.click("#run")
			b.finish(time.Minute)
			b.set("#model", "rbm-pcd-20")
			b.click("#run")
			b.says(c.parts...)
			s.refuse, s.instead = "", nil
			b.click("#run")
			b.shows(link)
		})
	}
}

// TestBrokenPicture: without the picture's program the numbers are complete, the page
// says why there is none, and "Try again" brings it once the server is mended.
func TestBrokenPicture(t *testing.T) {
	for name, c := range map[string]struct {
		send func([]byte) (string, []byte)
		says string
	}{"truncated": {truncated, "damaged or ended early"}, "a page": {asPage, "something else (text/html"}} {
		t.Run(name, func(t *testing.T) {
			s := serve(t)
			s.instead = func(name string, file []byte) (string, []byte, bool) {
				kind, data := c.send(file)
				return kind, data, name == "lab.wasm.gz"
			}
			b := open(t, s)
			b.visit(quick)
			b.shows(quick)
			b.until(20*time.Second, fmt.Sprintf(`((veil) => veil.checkVisibility() && /No picture/.test(veil.innerText) &&
				veil.innerText.includes(%q))(document.querySelector('#veil'))`, c.says))
			s.instead = nil
			b.click("[data-event=picture-again]")
			b.until(time.Minute, `document.querySelector('#veil').hidden`)
		})
	}
}

// noMemory makes WebAssembly fail as browsers do where memory is short, in workers
// whose name matches.
const noMemory = `if (%s.test(self.name)) WebAssembly.instantiate = () =>
	Promise.reject(new RangeError('WebAssembly.Memory(): could not allocate memory'));`

// TestNoMemory: some workers short of memory leave the work to the others; with all
// of them, or the brain, the page says what to do and does not try without end.
func TestNoMemory(t *testing.T) {
	var who atomic.Value
	start := func(match, suffix string) *tab {
		who.Store(match)
		s := serve(t) // an origin of its own: a service worker must not keep worker.js
		s.instead = func(name string, file []byte) (string, []byte, bool) {
			return "text/javascript", bytes.Join([][]byte{fmt.Appendf(nil, noMemory, who.Load()), file}, []byte("\n")),
				name == "worker.js"
		}
		b := open(t, s)
		b.visit(suffix)
		return b
	}
	b := start("/lane [23]/", "?workers=3"+quick)
	b.shows(quick)
	b.says("could not start", "could not allocate memory", "goes on with 1")

	b = start("/lane/", "?workers=3"+quick)
	b.says("No worker could start", "could not allocate memory", "Close other tabs", "press Run")
	time.Sleep(time.Second)
	if n := eval[int](b, "spy.workers.length"); n != 4 {
		t.Errorf("%d workers were started", n)
	}
	who.Store("/nobody/")
	b.click("#run")
	b.shows(quick)

	b = start("/brain/", quick)
	b.says("too little free memory", "could not allocate memory", "Close other tabs", "reload")

	b = open(t, serve(t), `WebAssembly.compile = () => Promise.reject(new RangeError('Out of memory'));`)
	b.visit(quick)
	b.says("too little free memory", "logz.wasm.gz", "Out of memory", "Close other tabs")
}
