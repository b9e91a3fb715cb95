package page

import (
	"strings"
	"testing"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// A failing check offers the change that its numbers call for, and the changed experiment passes the check.
func TestFailingChecksOfferRepair(t *testing.T) {
	for _, c := range []struct{ link, check, label, key string }{
		{"mixture2&method=ais&ais.temperatures=10", "Spread of log weights", "Use 400 temperatures", "ais.temperatures=400"},
		{"mixture2&method=is&is.particles=10", "Effective sample size", "Use 200 particles", ""},
		{"mixture2&method=ais&ais.temperatures=1000&ais.chains=10", "Effective sample size", "Use 40 chains",
			"ais.chains=40"},
		{"mixture2&method=rts,mbar&rts.sweeps=10&rts.temperatures=30&rts.chains=2&mbar.sweeps=10&mbar.temperatures=30&" +
			"mbar.chains=2", "Round trips", "Use 1,000 sweeps for RTS", "mbar.sweeps=1000"}, // they still read one run
		{"mixture2&method=smc&smc.particles=5&smc.temperatures=20", "An error bar", "Use 8 groups (islands)", "smc.islands=8"},
		{"mixture2&method=ais&ais.chains=1&replicates=3", "An error bar", "Repeat the run 8 times", "replicates=8"},
		{"mixture2&method=wl&wl.sweeps=50&wl.temperatures=20", "Left of the beginning", "Use 800 sweeps", "wl.sweeps=800"},
		{"mixture2&method=ti&ti.temperatures=4&ti.sweeps=200&ti.chains=10", "Integration error", "Use 30 temperatures",
			"ti.temperatures=30"},
		{"mixture2&method=rts&rts.chains=6&rts.sweeps=60&rts.temperatures=8&target=0.05&limit=1000", "The wanted error bar",
			"Allow up to 50,000 sweeps", "limit=50000"},
	} {
		p := newPage(t, 2)
		p.controller.Open("v=1&model=" + c.link)
		p.finish()
		was, link := p.failing(c.check), p.offered(c.check, c.label)
		if !was || link == "" {
			t.Errorf("%s: %s fails: %v, offers %q: %v\n%s", c.link, c.check, was, c.label, link != "", p.parts["r-checks"])
			continue
		}
		p.controller.Event(state.Event{Name: "mend", Value: link})
		p.finish()
		if now := p.failing(c.check); !strings.Contains(p.view.Link, c.key) || now && c.key != "" {
			t.Errorf("%s: %s still fails: %v", p.view.Link, c.check, now)
		}
	}
}

// failing reports whether a check of the shown method fails.
func (p *fakePage) failing(check string) bool {
	for _, c := range p.controller.Snapshot().Shown().Verdict.Checks {
		if c.Name == check {
			return !c.OK
		}
	}
	return false
}

// offered is the link behind the button of a check, "" where there is none with that label.
func (p *fakePage) offered(check, label string) string {
	made := p.controller.Snapshot()
	r := made.Shown()
	for i := range r.Verdict.Checks {
		if c := &r.Verdict.Checks[i]; c.Name == check {
			if a := made.Offers[c.Name]; a != nil && a.Label == label &&
				strings.Contains(string(p.parts["r-checks"]), `data-value="`+html.Escape(a.Value)+`"`) {
				return a.Value
			}
		}
	}
	return ""
}

// A bad start is mended by a good one, whatever check finds it; nothing is offered that no parameter mends, that would
// take too long, or that a link has hidden.
func TestNoUselessRepairIsOffered(t *testing.T) {
	const bad = "v=1&model=rbm-pcd-20&method=ais&ais.chains=20&ais.temperatures=20"
	p := newPage(t, 2)
	p.controller.Open(bad + "&start=uniform")
	p.finish()
	if s := string(p.parts["r-head"]); !strings.Contains(s, "Start from the base rates") {
		t.Error("the headline does not offer a better start")
	}
	for _, start := range []string{"", "&start=rates", "&start=smoothed"} { // good ones already
		p.controller.Open(bad + start)
		p.finish()
		checks := string(p.parts["r-checks"])
		if strings.Contains(checks, "Start from the base rates") || !strings.Contains(checks, `"mend"`) {
			t.Errorf("with %q another start is offered, or nothing", start)
		}
	}
	p.controller.Open(bad + "&start=uniform&view.hide=run")
	p.finish()
	if strings.Contains(string(p.parts["r-checks"]), `"mend"`) {
		t.Error("a page without Run runs")
	}
	p.controller.Open("v=1&model=mixture2&method=is&is.particles=10")
	p.finish()
	if p.offered("Reverse gap", "") != "" || strings.Contains(string(p.parts["r-checks"]), "temperatures</button>") {
		t.Error("plain draws are offered what they do not have")
	}
	p.controller.Open("v=1&model=mixture2&method=ais&ais.temperatures=100&ais.chains=5")
	p.finish()
	made := p.controller.adviser()
	s, _ := spec.ParseLink("v=1&model=mixture2&method=ais&ais.temperatures=1000000&ais.chains=100000", catalog.Names{})
	if made.Affordable(s, "") != nil {
		t.Error("hours of work are offered")
	}
}
