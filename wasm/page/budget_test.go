package page

import (
	"strings"
	"testing"

	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// A run that takes minutes says so and offers the command; one that takes hours waits until the user agrees; one that
// would take too much memory is refused by name; the default says nothing.
func TestLongRunsAreAnnounced(t *testing.T) {
	for _, c := range []struct {
		link, says, action string
		state              runstate.Run
	}{
		{state.DefaultLink, "", "", runstate.Running},
		{"v=1&model=mixture2&method=ais&ais.chains=100000&ais.temperatures=20000", "This takes about", "export", runstate.Running},
		{"v=1&model=mixture2&method=ais&ais.chains=100000&ais.temperatures=20000&ais.sweeps=1000",
			"has not been started", "agree", runstate.Idle},
		{"v=1&model=gpc-1d&method=arm&arm.particles=100000&arm.islands=1000",
			"lower one of particles, islands, i_max", "", runstate.Failed},
	} {
		p := newPage(t, 2)
		p.controller.Start(state.BrowserPage{Link: "#" + c.link})
		p.until("it has begun", func() bool { return p.controller.State() != runstate.Loading })
		m := p.controller.Problem
		says, action := "", ""
		if m != nil {
			if says = m.Text; m.Action != nil {
				action = m.Action.Event
			}
		}
		if p.controller.State() != c.state || !strings.Contains(says, c.says) || c.says == "" && says != "" || action != c.action {
			t.Errorf("%s: %s, %q, action %q; want %s, %q, %q", c.link, p.controller.State(), says, action, c.state, c.says, c.action)
		}
		if action == "" {
			continue
		}
		if !strings.Contains(says, "logz run -model mixture2 -method ais") {
			t.Errorf("%s: no command in %q", c.link, says)
		}
		if action == "agree" {
			p.controller.Event(state.Event{Name: action, Value: m.Action.Value})
			p.until("it has begun", func() bool { return p.controller.State() != runstate.Loading })
			if p.controller.State() != runstate.Running {
				t.Errorf("%s: %s after the user agreed", c.link, p.controller.State())
			}
		}
	}
}
