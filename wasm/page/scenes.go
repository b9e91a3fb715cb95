package page

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"logzlab/core/spec"
	"logzlab/estimators"
	"logzlab/estimators/catalog"
	"logzlab/models"
	"logzlab/render/vocabulary"
)

// traits are those of the chosen model's kind; of one that is not known yet, anything
// may be asked.
func (b *Brain) traits() models.Traits {
	if b.spec != nil {
		if e, ok := models.Find(b.spec.Model); ok {
			return e.Kind.Traits
		}
		if b.spec.Model == b.ownID && b.src.File != nil {
			return b.src.File.Kind().Traits
		}
	}
	return models.Traits{Stepwise: true}
}

// applies reports whether a scene has something to show for the chosen model.
func (b *Brain) applies(scene string) bool {
	switch scene {
	case "plane":
		return b.traits().Look == models.Points
	case "units":
		look := b.traits().Look
		return (look == models.Pictures || look == models.Lattices) && b.tempered()
	case "ladder":
		return b.tempered()
	case "formation":
		return b.traits().Look != models.Functions && b.spec != nil && slices.ContainsFunc(b.spec.Methods, func(m string) bool { return catalog.Path(m) == estimators.Sequential && b.suits(m) })
	case "function":
		return b.traits().Look == models.Functions
	}
	return true
}

// tempered reports whether a method goes through temperatures; one that forms its
// particles does not.
func (b *Brain) tempered() bool {
	return b.spec == nil || slices.ContainsFunc(b.spec.Methods, func(m string) bool { return catalog.Path(m) != estimators.Sequential })
}

// suits tells whether a method can run on the chosen model, as far as its kind says.
func (b *Brain) suits(method string) bool {
	return catalog.Path(method) != estimators.Sequential || b.traits().Stepwise
}

// scene is the one on show: the user's choice if it applies, else the model's own.
func (b *Brain) scene() string {
	if s := b.set.Scene; s != "" && b.applies(s) {
		return s
	}
	switch {
	case b.applies("plane"):
		return "plane"
	case b.applies("function"):
		return "function"
	case b.applies("formation") && catalog.Path(b.spec.Methods[0]) == estimators.Sequential:
		return "formation"
	}
	return "units"
}

// sceneOf is the scene of a key from 1 to 5; classifiers have functions to show where
// others form pictures.
func (b *Brain) sceneOf(key int) string {
	s := [...]string{"plane", "ladder", "units", "formation", "trace"}[key-1]
	if s == "formation" && b.applies("function") {
		s = "function"
	}
	return s
}

// dress tells the picture what to show and how, one message of each kind.
func (b *Brain) dress() []Dressing {
	words := map[string]string{}
	if b.words.Lang != "en" {
		for _, english := range vocabulary.Words {
			words[english] = b.words.Phrase(english)
		}
	}
	method := b.set.Focus // none: the one under way
	if method == "" && b.state == "done" {
		method = b.onShow()
	}
	return []Dressing{{T: "scene", Name: b.scene()}, {T: "theme", Name: b.themeNow()}, {T: "method", Name: method},
		{T: "motion", Reduced: b.still}, {T: "state", Name: b.state}, {T: "words", Words: words}}
}

// picture is the middle pane: tabs, caption, legend, and the iframe of the stage.
func (p *pane) picture() HTML {
	w := p.w
	now := p.scene()
	var tabs []HTML
	for key := 1; key <= 5; key++ {
		s := p.sceneOf(key)
		if s == "formation" && !p.applies(s) {
			continue // nothing is formed step by step
		}
		index := "-1"
		if s == now {
			index = "0"
		}
		why := w.T("scene.key", key)
		if !p.applies(s) {
			why = w.T("scene.none." + s)
			if s == "units" && !p.tempered() {
				why = w.T("scene.none.ladder")
			}
		}
		tabs = append(tabs, el("button", at(` type="button" role="tab" aria-controls="plate"`, "id", "tab-"+s, "data-scene", s, "aria-selected", yes(s == now), "tabindex", index, "disabled", when(!p.applies(s)), "title", why), text(w.T("scene."+s))))
	}
	says := w.T("caption." + now)
	switch {
	case now == "units" && catalog.Path(p.onShow()) == estimators.Sequential:
		says = w.T("caption.wall")
	case now == "units" && p.traits().Look == models.Lattices:
		says = w.T("caption.lattice")
	case now == "function" && p.spec != nil && catalog.Path(cmp.Or(p.onShow(), p.spec.Methods[0])) != estimators.Sequential:
		says = w.T("caption.classifier")
	case now == "trace" && !p.tempered():
		says = w.T("caption.formed")
	}
	return el("section", at(` id="view" class="view"`, "aria-label", w.T("picture")),
		el("div", at(` class="tabbar"`), el("div", at(` class="tabs" id="tabs" role="tablist"`, "aria-label", w.T("picture")), tabs...),
			button("quiet table-link", "sheet", "table", text(w.T("as.table")))),
		el("div", at(` class="caption"`), el("p", at(` id="caption"`), caption(says)...), p.legend(now)),
		el("div", at(` class="plate" id="plate" role="tabpanel" aria-describedby="caption"`, "aria-labelledby", "tab-"+now),
			el("iframe", at(` id="stage" data-keep=""`, "title", says)), p.veil()),
		el("p", at(` id="reads" class="reads" aria-live="off" data-keep="all"`))) // the page's: what the pointer reads
}

// legend explains size and colour; methods have direct labels in the picture.
func (p *pane) legend(scene string) HTML {
	var items []HTML
	if scene == "units" || scene == "formation" || scene == "function" { // they name what they show
		return el("ul", at(` class="legend"`, "aria-label", p.w.T("legend")))
	}
	if scene == "plane" { // its temperatures stand below it
		items = append(items, el("li", at(` data-key="weight"`), p.sizes(), text(p.w.T("legend.weight"))))
	} else if scene != "trace" {
		var cells []HTML
		for i := range 9 {
			cells = append(cells, el("rect", at(` width="7" height="8"`, "x", fmt.Sprint(8*i), "class", fmt.Sprintf("b-%d", i))))
		}
		items = append(items, el("li", at(` data-key="beta"`), el("svg", at(` class="ramp" width="72" height="8" aria-hidden="true"`), cells...), text(p.w.T("legend.beta"))))
	} else if p.spec != nil {
		for i, m := range p.spec.Methods {
			items = append(items, el("li", at(``, "data-key", m), mark(i), text(label(m))))
		}
	}
	return el("ul", at(` class="legend"`, "aria-label", p.w.T("legend")), items...)
}

// sizes are dots of half, twice and four times the mean weight as large as the plane
// draws them (render/plane.go): 3.1 px for the mean, less where more than 500 crowd.
func (p *pane) sizes() HTML {
	mean := 3.1
	if p.spec != nil {
		m := p.onShow()
		if m == "" {
			m = p.spec.Methods[0]
		}
		params, _ := catalog.Names{}.MethodParams(m)
		v := p.spec.Values(params, m)
		for _, rows := range []string{v["chains"], v["particles"]} {
			if n, err := strconv.ParseFloat(rows, 64); err == nil && n > 500 {
				mean *= math.Sqrt(max(500/n, .3))
			}
		}
	}
	var dots []HTML
	x := 0.
	for _, w := range []float64{.5, 2, 4} {
		r := float64(mean * math.Sqrt(w))
		dots = append(dots, el("circle", at(` cy="7"`, "cx", spec.Decimal(math.Round(10*(x+r))/10), "r", spec.Decimal(math.Round(10*r)/10))))
		x += float64(2*r) + 4
	}
	return el("svg", at(` class="sizes b-8" aria-hidden="true"`, "viewBox", fmt.Sprintf("0 0 %.0f 14", x)), dots...)
}

// veil explains why there is no picture.
func (p *pane) veil() HTML {
	w := p.w
	out := func(key string, kids ...HTML) HTML {
		all := append([]HTML{tag("b", text(w.T(key))), tag("p", text(w.T(key+".why")))}, kids...)
		return el("div", at(` class="veil" id="veil"`), all...)
	}
	switch {
	case p.host == nil: // not computed yet: the page says how far it is
		return el("div", at(` class="veil" id="veil"`), tag("b", text(w.T("veil.boot"))), el("p", at(` id="bytes"`)))
	case p.bad:
		return out("veil.nothing")
	case p.state == "failed" && p.job == nil:
		return out("veil.failed")
	case p.stage == "failed":
		kids := []HTML{el("p", at(` class="why"`), text(w.Phrase(p.stageWhy)))}
		return out("veil.nogl", append(kids, el("div", at(` class="pair"`), button("", "sheet", "table", text(w.T("as.table"))), button("quiet", "picture-again", "", text(w.T("again")))))...)
	case p.waits() && p.stage == "ready":
		return el("div", at(` class="veil clear" id="veil"`), tag("b", text(w.T("veil.ready"))), tag("p", text(w.T("veil.ready.why"))))
	case p.state == "idle":
		return out("veil.ready")
	case p.stage != "ready":
		return out("veil.loading", tag("p", text(p.stageWhy)))
	}
	return el("div", at(` class="veil" id="veil" hidden`))
}
