package e2e

import (
	"os"
	"testing"

	"logzlab/internal/tier"
)

// axe returns the JavaScript source of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile("../../node_modules/axe-core/axe.min.js")
	if err != nil {
		t.Fatalf("%v; run npm ci", err)
	}
	return string(source)
}

// TestAccess runs axe-core, an accessibility checker, on the page in several states and window sizes. It allows no
// violation of any severity.
func TestAccess(t *testing.T) {
	t.Parallel()
	axe, s := axe(t), serve(t)
	states := []struct {
		name, link    string
		width, height int64
		after         string // clicked before the check
	}{
		{"desktop light", quick, 1280, 800, ""},
		{"phone, setup", quick, 390, 844, ".to-setup"},
		{"projector", quick + "&view.projector=1&view.lesson=2", 1280, 800, ""},
		{"lesson", quick + "&view.lesson=4", 1280, 800, ""},
		{"share", quick, 1280, 800, "#share"},
		{"broken", quick + "&view.break=2", 1280, 800, ""},
		{"embedded", quick + "&view.embed=1", 600, 640, ""},
		{"error", "#v=1&model=nosuch&method=ais", 1280, 800, ""},
		{"desktop dark, advanced", quick + "&view.theme=dark", 1280, 800, ".advanced"},
		{"tablet", "#v=1&model=mixture10&method=is,ais&ais.temperatures=100", 768, 1024, ""},
		{"phone", quick, 390, 844, ""},
		{"tour", quick + "&view.tour=5", 390, 844, ""},
		{"help", quick + "&view.theme=dark", 1280, 800, ".top [data-value=help]"},
		{"table", quick + "&view.scene=trace", 1280, 800, ".table-link"},
	}
	for _, c := range states[:tier.Size(8, 8, len(states))] {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := open(t, s, noPicture)
			b.size(c.width, c.height)
			b.visit(c.link)
			if c.name == "error" {
				b.until(`!document.querySelector('#message').hidden`)
			} else {
				b.awaitResults()
			}
			if c.after != "" {
				b.click(c.after)
			}
			b.rest()
			if c.name == "broken" && eval[bool](b, `document.querySelector('dialog:modal') !== null`) {
				t.Error("the exercise opens as a modal dialog, which greys out the run that its question is about")
			}
			b.axe(axe)
		})
	}
	pages := []string{"lessons/4-bad-start.html", "experiments/index.html", "docs/index.html", "experiments/arm-fig2.html",
		"lessons/index.html", "lessons/de/4-bad-start.html", "docs/contract.html", "docs/calibration.html",
		"papers/varopt.html"}
	for _, page := range pages[:tier.Size(3, 3, len(pages))] {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			b := open(t, s)
			b.visit(page)
			b.axe(axe)
		})
	}
}

// axe runs axe-core on the page and reports each violation as a test error.
func (b *tab) axe(source string) {
	b.t.Helper()
	eval[bool](b, source+"; true")
	for _, v := range eval[[]string](b, `axe.run(document, {resultTypes: ['violations']}).then((r) => r.violations
		.flatMap((v) => v.nodes.slice(0, 4).map((n) => 
			v.id + ' (' + v.impact + '): ' + n.target + ' ' + n.failureSummary)))`) {
		b.t.Error(v)
	}
}
