package page

import (
	"encoding/json"
	"testing"

	"logzlab/core/runstate"
	"logzlab/internal/bound"
	"logzlab/wasm/page/state"
)

// FuzzLink opens any link in the page, whose lanes stand still: views stay JSON, a link that is refused says why, and
// the page takes the next one.
func FuzzLink(f *testing.F) {
	for _, l := range []string{"v=1&model=mixture2&method=ais", smallLink,
		"v=1&model=gpc-1d&method=arm&view.scene=function",
		"v=1&model=ising16&method=ais,rts&beta=0.3&view.hide=run,numbers&view.expect=0123456789abcdef",
		"v=1&model=file:0123456789ab&method=smc&smc.adaptive=yes", "v=1&model=mixture2&method=ts&view.lang=de&view.slow=2",
		"view.deck=sum&view.step=5", "v=1&view.deck=file:0123456789ab", "v=2", "v=1&model=&method=", "%zz"} {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, link string) {
		defer bound.Check(t)()
		p := newPage(t, 1)
		p.lanes[1].silent = true // the controller alone
		p.controller.Start(state.BrowserPage{Link: link, Base: "https://lab.example/"})
		p.turn(3)
		p.show()
		if p.controller.State() == runstate.Failed && (p.controller.Problem == nil || len(p.controller.Problem.Text) < 20) {
			t.Errorf("%q is refused without a word", link)
		}
		if b, err := json.Marshal(p.view.View); err != nil || !json.Valid(b) {
			t.Errorf("%q: the view is %s, %v", link, b, err)
		}
		p.controller.Open(smallLink)
		p.turn(3)
		if p.controller.State() == runstate.Failed {
			t.Errorf("after %q the page is dead: %+v", link, p.controller.Problem)
		}
	})
}
