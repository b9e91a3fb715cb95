package page

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/estimators/targets"
	"logzlab/wasm/page/state"
)

// TestSumButton checks the button that computes the exact value of an RBM after a run. It is offered if the sum takes
// seconds to minutes, and not if the sum is quicker or slower. The run then continues with its methods done, and Pause
// pauses it.
func TestSumButton(t *testing.T) {
	for _, c := range []struct {
		hidden  int
		offered bool
	}{{26, true}, {12, false}, {34, false}} {
		data, link, _ := own(t, targets.RandomRBM(40, c.hidden, .3, 1), "is&is.particles=50")
		p := newPage(t, 2)
		p.controller.File("mine.json", data, 1)
		p.controller.Open("#" + link)
		p.finish()
		p.show()
		numbers := string(p.view.Parts["numbers"])
		if strings.Contains(numbers, `id="sum"`) != c.offered {
			t.Errorf("%d units: offered %v: %s", c.hidden, !c.offered, numbers)
		}
		if !c.offered {
			continue
		}
		p.controller.Event(state.Event{Name: "sum"})
		p.turn(3)
		p.show()
		if p.view.State != runstate.Running || p.row("is").State != runstate.MethodDone ||
			strings.Contains(string(p.view.Parts["numbers"]), `id="sum"`) {
			t.Errorf("state %s, row %+v", p.view.State, p.row("is"))
		}
		p.Clock += 1
		p.controller.Event(state.Event{Name: "pause"})
		p.show()
		if p.view.State != runstate.Paused {
			t.Errorf("state %s", p.view.State)
		}
	}
}
