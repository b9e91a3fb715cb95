package page

import (
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// TestViews: a tab with several views has a second row of tabs, its key goes through them, each has a link, a caption
// and a table, and what the picture is told fills them. A link of a former view opens the one that took it over.
func TestViews(t *testing.T) {
	p := newPage(t, 1)
	p.controller.Start(state.BrowserPage{Link: "v=1&model=mixture2&method=rts,ts,ais&ais.chains=10&ais.temperatures=9&rts.chains=12" +
		"&rts.temperatures=9&rts.sweeps=300&ts.chains=12&ts.temperatures=9&ts.sweeps=300&view.scene=trips",
		Base: "https://lab.example/"})
	p.finish()
	p.show()
	view := string(p.parts["view"])
	for _, want := range []string{`id="tab-ladder" data-scene="ladder" aria-selected="true" tabindex="0"`,
		`id="view-travel" data-scene="travel" aria-selected="true" tabindex="0"`,
		`id="view-ladder" data-scene="ladder" aria-selected="false" tabindex="-1"`, `aria-labelledby="view-travel"`,
		">Chains<", ">Schedule<", ">Travel<", ">Weights<"} {
		if !strings.Contains(view, want) {
			t.Errorf("the picture has no %s in %s", want, view)
		}
	}
	if strings.Contains(view, `id="tab-travel"`) {
		t.Error("a view has a tab of its own")
	}
	if !strings.Contains(p.view.Link, "view.scene=travel") {
		t.Errorf("the link is %s", p.view.Link)
	}
	var seen []string
	for range 4 {
		p.controller.Event(state.Event{Name: "key", Value: "2"})
		seen = append(seen, scene.On(p.controller.Outline()).Name)
		p.controller.Event(state.Event{Name: "sheet", Value: "table"})
		p.show()
		if sheet := string(p.parts["sheet"]); !strings.Contains(sheet, "<td>") {
			t.Errorf("%s has no table: %s", scene.On(p.controller.Outline()).Name, sheet)
		}
		p.controller.Event(state.Event{Name: "sheet"})
	}
	if got := strings.Join(seen, " "); got != "weights ladder schedule travel" {
		t.Errorf("the key goes through %s", got)
	}
	f, err := frame.Decode(p.controller.curves.Sent)
	if err != nil || len(f.Travels) != 1 || strings.Join(f.Travels[0].Methods, " ") != "rts ts" ||
		len(f.Travels[0].Visits) != 9 || f.Curves[0].Run != f.Curves[1].Run || f.Curves[0].Run == f.Curves[2].Run {
		t.Fatalf("the picture is told %+v, %v", f, err)
	}
	for _, l := range f.Ladders {
		if len(l.Guesses) > 0 && l.Method != "rts" {
			t.Errorf("the guesses of the run are told by %s, too", l.Method)
		}
	}
	forest := p.part("r-forest")
	if strings.Count(forest, `class="run"`) != 1 || strings.Count(forest, `class="in"`) != 2 ||
		strings.Count(forest, `data-event="focus"`) != 3 {
		t.Errorf("the forest plot %s", forest)
	}
	p.controller.Open("v=1&model=mixture2&method=ais")
	p.show()
	if view := string(p.parts["view"]); !strings.Contains(view, `id="views" role="tablist" aria-label="Views of`) ||
		strings.Contains(view, "view-travel") {
		t.Errorf("an annealing run has views of tempering: %s", view)
	}
}

// TestFormerScenes: a link that names a scene of old opens its successor, and says so in its next link.
func TestFormerScenes(t *testing.T) {
	for old, now := range scene.Former {
		s, err := Known().Parse([]string{"view.scene=" + old})
		if err != nil || s.Scene != now || s.Link() != "&view.scene="+now || scene.Named(now) == nil || scene.Named(old) != nil {
			t.Errorf("%s opens %q as %q, %v", old, s.Scene, s.Link(), err)
		}
	}
}
