package page

import (
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/wasm/page/state"
)

// The address without a link is the hero, where nothing runs; "lab" is the experiment for a first visitor; whoever has
// a link sees the lab.
func TestAddresses(t *testing.T) {
	const own = "v=1&model=mixture2&method=is"
	for _, c := range []struct {
		link, query string
		alone       bool
		hero, less  bool
		want        string
	}{
		{"", "", false, true, true, ""},
		{"#", "?workers=1&lang=de", false, true, true, ""},
		{"", "", true, false, true, "#" + state.DefaultLink},
		{"", "?view.projector", false, false, true, "#" + state.DefaultLink + "&view.projector=1"},
		{"#lab", "", false, false, true, "#" + state.DefaultLink},
		{"#lab", "?lang=de", false, false, true, "#" + state.DefaultLink + "&view.lang=de"},
		{"#view.lang=de", "?lang=en", false, false, false, "#" + state.DefaultLink + "&view.lang=de"},
		{"#lab&view.theme=dark", "", false, false, true, "#" + state.DefaultLink + "&view.theme=dark"},
		{"#v=1&view.theme=projector", "", false, false, false, "#" + state.DefaultLink + "&view.projector=1"},
		{"#" + own, "", false, false, false, "#" + own},
		{"#labour", "", false, false, false, ""},
	} {
		p := newPage(t, 1)
		p.controller.Start(state.BrowserPage{Link: c.link, Query: c.query, SingleFile: c.alone})
		for range 30 {
			p.turn(50)
		}
		p.show()
		if b := p.controller; p.view.Hero != c.hero || b.Panels.FirstVisit != c.less || p.view.Link != c.want {
			t.Errorf("%s%s: hero %v, less %v, link %q", c.query, c.link, p.view.Hero, b.Panels.FirstVisit, p.view.Link)
		}
		if running := p.controller.Job != nil; c.hero && (running || p.view.Theme != "dark" || p.view.State != runstate.Idle) {
			t.Errorf("the hero runs %v, is %s, and %s", running, p.view.Theme, p.view.State)
		}
		if c.hero && strings.Contains(c.query, "lang=de") && p.view.Lang != "de" {
			t.Errorf("the hero speaks %s", p.view.Lang)
		}
	}
}

// The language of the query holds for every link that is opened in the page, its view settings for the first.
func TestQuery(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "#" + smallLink, Query: "?workers=1&lang=de&view.projector"})
	p.finish()
	if !strings.HasSuffix(p.view.Link, "&view.lang=de&view.projector=1") {
		t.Errorf("the first link is %s", p.view.Link)
	}
	for view, lang := range map[string]string{"": "de", "&view.lang=en": "en"} {
		p.controller.Event(state.Event{Name: "link", Value: "#" + smallLink + view})
		p.finish()
		if !strings.HasSuffix(p.view.Link, "&view.lang="+lang) || p.view.Lang != lang {
			t.Errorf("%q: link %s, language %s", view, p.view.Link, p.view.Lang)
		}
	}
}

// A stroke is run at once, with the digits of its link; the odds before stay until they come, and so they do in the
// lab, which has the run as it is.
func TestHeroStroke(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{})
	p.show()
	if part := p.part("hero"); !strings.Contains(part, "One in 400,000 of its pictures contains this stroke") ||
		!strings.Contains(part, "Exact value: −12.96") || strings.Contains(part, " was") {
		t.Errorf("before a stroke: %s", part)
	}
	p.controller.Event(state.Event{Name: "stroke", Value: "290i-291i-292i-300p"})
	p.until("the run", func() bool { return p.controller.Job != nil })
	p.show()
	if part := p.part("hero"); !strings.Contains(part, "hero-odds was") || p.view.Link != "" {
		t.Errorf("at first: %s, %s", part, p.view.Link)
	}
	p.until("the odds", func() bool { return !p.controller.hero.Outdated })
	p.show()
	if part := p.part("hero"); p.controller.State() != runstate.Running || !strings.Contains(part, "One in ") ||
		!strings.Contains(part, "The checks are still running") || strings.Contains(part, "Exact value: ") {
		t.Errorf("before they are checked, %s: %s", p.controller.State(), part)
	}
	early := p.controller.hero.Odds
	hash, link := p.finish(), p.controller.Spec.Link()
	if o := p.controller.hero.Odds; o.LogP != early.LogP || o.SE != early.SE || o.Level == "" || early.Level != "" {
		t.Errorf("checking made %+v of %+v", o, early)
	}
	if want := native(t, link); hash != want || p.controller.Spec.Set["clamp"] != "290i3-300p" {
		t.Errorf("%s has hash %s, want %s", link, hash, want)
	}
	part := p.part("hero")
	if r := p.controller.Results()[0]; !strings.Contains(part, "One in "+r.LogP.OneIn().Error()+" of") ||
		!strings.Contains(part, "Exact value: ") || strings.Contains(part, " was") || r.Verdict.Level != "trust" {
		t.Errorf("the odds %+v, %s, %+v: %s", r.LogP, r.Verdict.Level, r.Verdict.Failing(), part)
	}
	if said := p.view.Summary; !strings.Contains(said, "contains this stroke. log share = ") {
		t.Errorf("said: %q", said)
	}

	// In the lab.
	views := p.view.Entry
	p.controller.Event(state.Event{Name: "hero-lab"})
	p.show()
	if p.view.Hero || p.view.Link != "#"+link || p.view.Entry != views+1 || p.controller.State() != runstate.Done ||
		p.controller.Results()[0].Hash != hash {
		t.Errorf("the lab has %s, %s", p.view.Link, p.controller.State())
	}
	p.controller.Open("")
	if p.show(); !p.view.Hero || p.view.State != runstate.Idle || strings.Contains(p.part("hero"), " was") {
		t.Errorf("back at the hero: %v, %s", p.view.Hero, p.view.State)
	}
}

// The hero has two exits: the lab with the run of the drawing, and the form for a model of the user. An empty drawing
// runs nothing.
func TestHeroExits(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{})
	p.controller.Event(state.Event{Name: "stroke", Value: ""})
	p.show()
	if part := p.part("hero"); p.controller.State() != runstate.Idle || strings.Contains(part, "contains this stroke") {
		t.Errorf("an empty paper: %s, %s", p.controller.State(), part)
	}
	p = newPage(t, 1)
	p.controller.Start(state.BrowserPage{})
	p.controller.Event(state.Event{Name: "hero-lab"})
	if p.finish(); p.view.Link != "#"+state.HeroLink || p.view.Hero || p.controller.Panels.FirstVisit {
		t.Errorf("the hero's own run: %s", p.view.Link)
	}
	p = newPage(t, 1)
	p.controller.Start(state.BrowserPage{})
	p.controller.Event(state.Event{Name: "hero-own"})
	p.show()
	if p.view.Hero || p.view.Sheet != "setup" || p.view.Focus != "file" || p.controller.Panels.FirstVisit {
		t.Errorf("an own model: hero %v, sheet %s, focus %s", p.view.Hero, p.view.Sheet, p.view.Focus)
	}
}

// PackHeroFrame packs some rows of the first lane, one bit for each pixel.
func TestPackHeroFrame(t *testing.T) {
	f := frame.Frame{N: 48, W: 4, H: 2, Beta: make([]float32, 48), Pixels: make([]byte, 48*8)}
	f.Beta[0], f.Pixels[2*8+1], f.Pixels[2*8+7], f.Pixels[2*8+2] = 1, 1, 1, 2 // of row 2, the second dream
	d := PackHeroFrame(&f)
	if len(d) != 4+state.HeroSamples || d[3] != 0x3f || d[4] != 0 || d[5] != 0x41 {
		t.Errorf("dreams are % x", d)
	}
	if f.First = 100; PackHeroFrame(&f) != nil {
		t.Error("another lane dreams")
	}
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{})
	f.First = 0
	p.controller.ReceiveFrames([][]byte{f.Append(nil), {1, 2}})
	if len(p.dreams) != 1 || string(p.dreams[0]) != string(d) {
		t.Errorf("the hero was shown % x", p.dreams)
	}
}
