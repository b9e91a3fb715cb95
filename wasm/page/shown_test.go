package page

import (
	"fmt"
	"strings"
	"testing"

	"logzlab/wasm/page/state"
)

// Speed is the time of one descent, which its slider says.
func TestSpeedShowsDescentTime(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	for at, says := range []string{"slow motion, base to target in 60 s", "slow motion, base to target in 15 s", "slow motion, base to target in 4 s",
		"full speed"} {
		p.controller.Event(state.Event{Name: "speed", Value: fmt.Sprint(at)})
		p.show()
		if s := string(p.parts["transport"]); !strings.Contains(s, `aria-valuetext="`+says+`"`) {
			t.Errorf("at %d the slider does not say %q", at, says)
		}
	}
}

// Methods take turns, so each has the time at which it was done; reports have that of the whole run, and the page says
// so.
func TestSecondsAreFinal(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open("#v=1&model=mixture2&method=is,ais&is.particles=100&ais.temperatures=50")
	p.finish()
	first, last := p.controller.MethodSeconds["is"], p.controller.MethodSeconds["ais"]
	if !(first > 0 && first < last) {
		t.Errorf("done after %v and %v s", first, last)
	}
	if got := p.row("is").Cells["seconds"].Text; got != fmt.Sprintf("%.1f", first) {
		t.Errorf("the table says %s, not %.1f", got, first)
	}
	if a, b := p.controller.Results()[0].Cost.Seconds, p.controller.Results()[1].Cost.Seconds; a != b {
		t.Errorf("reports have %v and %v s", a, b)
	}
	if !strings.Contains(string(p.parts["numbers"]), "CSV and JSON have the seconds of the whole run.") {
		t.Error("the table does not say what the others have")
	}
}

// The ladder of chains that cool once does not speak of moves between temperatures.
func TestCaptionOfTheLadder(t *testing.T) {
	for link, says := range map[string]string{"mixture2&method=ais": "from hot to cold",
		"mixture2&method=rts": "moves between temperatures", "mixture2&method=auto&target=0.3": "from hot to cold",
		"ising16&method=auto&seed=2&target=0.3": "moves between temperatures"} { // tempered, where nothing is drawn
		p := newPage(t, 1)
		p.controller.Open("#v=1&view.scene=ladder&model=" + link)
		p.finish()
		if !strings.Contains(string(p.parts["view"]), says) {
			t.Errorf("%s: the caption does not say %q", link, says)
		}
	}
}

// The first button of the page moves the keyboard focus over the head and the setup to Run.
func TestSkipToRun(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Open(smallLink)
	p.finish()
	top := string(p.parts["top"])
	if i := strings.Index(top, `data-event="skip"`); i < 0 || strings.Contains(top[:i], "</a>") {
		t.Errorf("the first control does not lead to Run: %s", top)
	}
	var asked string
	p.controller.Event(state.Event{Name: "skip"})
	if p.show(); p.view.Focus != "" {
		asked = p.view.Focus
	}
	if !strings.Contains(asked, "run") || !strings.Contains(string(p.parts["transport"]), `id="run"`) {
		t.Errorf("the focus goes to %q", asked)
	}
}
