package e2e

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/internal/tier"
)

// says waits until the page shows a message that contains every part.
func (b *tab) says(parts ...string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`((m) => m.checkVisibility() &&
		%q.split('|').every((part) => m.innerText.includes(part)))(document.querySelector('#message'))`,
		strings.Join(parts, "|")))
}

// TestBrokenProgram checks that a page whose program does not arrive says what it received and what to do. After the
// server has recovered, the button in the message is enough.
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
			s.injectFault("logz.wasm.gz", c.fault)
			b := open(t, s, noPicture)
			b.expectErrors(refused...)
			b.visit(quick)
			b.says(c.says, "logz.wasm.gz", "Reload")
			if !eval[bool](b, `document.querySelector('#run').disabled`) {
				t.Error("the Run button is enabled although the program is missing")
			}
			s.clearFaults()
			b.leave(func() { b.click("#message button") })
			b.awaitResults()
		})
	}
}

// TestBrokenModel checks that a model whose file does not arrive does not run and that the page says why. Other models
// run, and this one does after the server has recovered.
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
			s.injectFault("models/rbm-pcd-20.npz", c.fault)
			b := open(t, s, noPicture)
			b.expectErrors("404")
			b.visit(link)
			b.says(c.says, "rbm-pcd-20.npz", "press Run")
			b.set("#model", "mixture2")
			b.click("#run")
			b.awaitResults()
			b.set("#model", "rbm-pcd-20")
			b.click("#run")
			b.says(c.says, "rbm-pcd-20.npz", "press Run")
			s.clearFaults()
			b.click("#run")
			b.shows(link)
		})
	}
}

// noMemory makes WebAssembly fail, with the error of a browser that is out of memory, in workers whose name matches.
const noMemory = `if (%s.test(self.name)) WebAssembly.instantiate = () =>
	Promise.reject(new RangeError('WebAssembly.Memory(): could not allocate memory'));`

// TestNoMemory checks workers that cannot allocate memory. If only some fail, the others do the work. If all lanes or
// the controller fail, the page says what to do and does not retry forever.
func TestNoMemory(t *testing.T) {
	t.Parallel()
	start := func(match, suffix string) *tab {
		s := serve(t) // a new origin, because a service worker must not cache this worker.js
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
	// The controller, and each lane twice: at the start and at the controller's request.
	if n := eval[int](b, "spy.workers.length"); n > 7 {
		t.Errorf("%d workers were started, want at most 7", n)
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
