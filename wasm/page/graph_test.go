package page

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/internal/testmodels"
	"logzlab/wasm/page/state"
)

// boundsNote is how the page tells an interval of log Z.
var boundsNote = regexp.MustCompile(`lies between (\S+) and (\S+)\. [^<]*` +
	`logz bounds '[^' ]*&amp;[^' ]*' -model glass.json`)

// Where nobody adds up log Z of a graph, a button narrows the interval of the finished run while one watches, with the
// command beside it that makes it again. Its methods stay done, and Pause stands still.
func TestNarrowButton(t *testing.T) {
	data := testmodels.CompleteGlass(t, 38).Canonical()
	link, _ := ownRun(t, data, "is&is.particles=50")
	p := newPage(t, 2)
	p.controller.File("glass.json", data, 1)
	p.controller.Open("#" + link)
	p.finish()
	p.show()
	width := func() float64 {
		m := boundsNote.FindStringSubmatch(strings.ReplaceAll(p.part("numbers"), "&#39;", "'"))
		if m == nil {
			t.Fatalf("no interval in %s", p.part("numbers"))
		}
		low, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		high, err := strconv.ParseFloat(m[2], 64)
		if err != nil || high < low {
			t.Fatal(low, high, err)
		}
		return high - low
	}
	first := width()
	if !strings.Contains(p.part("numbers"), `id="narrow"`) || strings.Contains(p.part("numbers"), `id="sum"`) {
		t.Fatalf("what is offered: %s", p.part("numbers"))
	}

	// While one watches.
	p.controller.Event(state.Event{Name: "narrow"})
	p.Clock++
	p.turn(160)
	p.show()
	if p.view.State != runstate.Running || p.row("is").State != runstate.MethodDone || strings.Contains(p.part("numbers"), `id="narrow"`) ||
		!strings.Contains(p.part("transport"), "Interval") {
		t.Errorf("state %s, row %+v, %s", p.view.State, p.row("is"), p.part("transport"))
	}
	p.controller.Event(state.Event{Name: "pause"})
	p.turn(1)
	if p.show(); p.view.State != runstate.Paused || width() >= first {
		t.Errorf("state %s, %v nats, at first %v", p.view.State, width(), first)
	}
}

// A graph that forms takes in variables, and no data.
func TestFormingGraph(t *testing.T) {
	for lang, want := range map[string]string{"en": " of 256 variables.", "de": " der 256 Variablen."} {
		p := newPage(t, 1)
		p.controller.Open("#v=1&model=glass16&method=arm&arm.islands=2&arm.particles=50&view.lang=" + lang)
		p.until("stages are shown", func() bool { return strings.Contains(p.part("r-head"), "<sub>") })
		if head := p.part("r-head"); !strings.Contains(head, want) {
			t.Errorf("%s: %s", lang, head)
		}
	}
}
