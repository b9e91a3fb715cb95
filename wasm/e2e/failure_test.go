package e2e

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// says waits for a message that contains every part.
func (b *tab) says(parts ...string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((m) => m.checkVisibility() &&
		%q.split('|').every((part) => m.innerText.includes(part)))(document.querySelector('#message'))`,
		strings.Join(parts, "|")))
}

// TestBrokenProgram: without its program the page says what came, and what to do, and its button is enough once the
// server is mended.
func TestBrokenProgram(t *testing.T) {
	t.Parallel()
	all := []struct {
		fault
		says string
	}{{missing, "404"}, {truncated, "logz.wasm.gz is damaged or incomplete"},
		{aPage, "The server sent something else (text/html"}, {empty, "logz.wasm.gz is damaged"}}
	for _, c := range all[:tier.Size(1, 1, len(all))] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.spoil("logz.wasm.gz", c.fault)
			b := open(t, s, noPicture)
			b.allow(refused...)
			b.visit(quick)
			b.says(c.says, "logz.wasm.gz", "Reload")
			if !eval[bool](b, `document.querySelector('#run').disabled`) {
				t.Error("Run can be pressed")
			}
			s.mend()
			b.leave(func() { b.click("#message button") })
			b.finish()
		})
	}
}

// TestBrokenModel: without its file a model does not run, the page says why, others
// run, and once the server is mended so does this one.
func TestBrokenModel(t *testing.T) {
	t.Parallel()
	const link = "#v=1&model=rbm-pcd-20&method=is&is.particles=200"
	all := []struct {
		fault
		says string
	}{{truncated, "rbm-pcd-20.npz arrived damaged"}, {missing, "404"}, {aPage, "web page instead"}}
	for _, c := range all[:tier.Size(1, 1, len(all))] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			s.spoil("models/rbm-pcd-20.npz", c.fault)
			b := open(t, s, noPicture)
			b.allow("404")
			b.visit(link)
			b.says(c.says, "rbm-pcd-20.npz", "press Run")
			b.set("#model", "mixture2")
			b.click("#run")
			b.finish()
			b.set("#model", "rbm-pcd-20")
			b.click("#run")
			b.says(c.says, "rbm-pcd-20.npz", "press Run")
			s.mend()
			b.click("#run")
			b.shows(link)
		})
	}
}

// noMemory makes WebAssembly fail as browsers do where memory is short, in workers
// whose name matches.
const noMemory = `if (%s.test(self.name)) WebAssembly.instantiate = () =>
	Promise.reject(new RangeError('WebAssembly.Memory(): could not allocate memory'));`

// TestNoMemory: some workers short of memory leave the work to the others; with all
// of them, or the controller, the page says what to do and does not try without end.
func TestNoMemory(t *testing.T) {
	t.Parallel()
	start := func(match, suffix string) *tab {
		s := serve(t) // an origin of its own: a service worker must not keep worker.js
		s.worker = fmt.Sprintf(noMemory, match)
		b := open(t, s, noPicture)
		b.visit(suffix)
		return b
	}
	b := start("/lane [23]/", "?workers=3"+quick)
	b.shows(quick)
	b.says("could not start", "could not allocate memory", "continues with 1")

	b = start("/lane [123]$/", "?workers=3"+quick)
	b.says("No worker could start", "could not allocate memory", "Close other tabs", "press Run")
	b.rest()
	// The controller, and each lane once beside it and once when the controller asks.
	if n := eval[int](b, "spy.workers.length"); n > 7 {
		t.Errorf("%d workers were started", n)
	}
	b.click("#run")
	b.shows(quick)

	if !tier.Releases() {
		return
	}
	b = start("/controller/", quick)
	b.says("too little free memory", "could not allocate memory", "Close other tabs", "reload")

	b = open(t, serve(t), `WebAssembly.compile = WebAssembly.compileStreaming =
		() => Promise.reject(new RangeError('Out of memory'));`)
	b.visit(quick)
	b.says("too little free memory", "logz.wasm.gz", "Out of memory", "Close other tabs")
}
