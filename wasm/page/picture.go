package page

import (
	"cmp"
	"slices"
	"strings"

	"logzlab/core/spec"
	"logzlab/estimators/catalog"
	"logzlab/render/vocabulary"
)

// dress tells the picture what to show and how, one message of each kind.
func (b *Brain) dress() []Dressing {
	words := map[string]string{}
	for _, english := range vocabulary.Words {
		if s := b.words.Plain(english); s != english {
			words[english] = s
		}
	}
	for _, m := range catalog.Methods {
		words[m.Name] = m.Label
	}
	method := "" // the one under way
	if b.set.Focus != "" || b.state == "done" {
		method = b.onShow()
	}
	focus := "" // whose number is large
	if b.spec != nil && len(b.spec.Methods) > 0 {
		focus = cmp.Or(b.set.Focus, b.spec.Methods[0])
	}
	return []Dressing{{T: "scene", Name: b.scene().name}, {T: "theme", Name: b.theme()}, {T: "method", Name: method},
		{T: "focus", Name: focus}, {T: "drawing", On: b.drawable(), Name: b.drawing()},
		{T: "motion", Reduced: b.browser.Still}, {T: "state", Name: b.state, Lanes: b.hurried()},
		{T: "words", Words: words}}
}

// hurried is the number of workers that compute as fast as they can.
func (b *Brain) hurried() int {
	if b.state != "running" || b.set.Slow > 0 {
		return 0
	}
	return b.crew.size
}

// drawable tells whether pixels of the model can be fixed.
func (x *experiment) drawable() bool {
	return x.spec != nil && slices.ContainsFunc(x.names().ModelParams(x.spec.Model), func(p spec.Param) bool {
		return p.Name == "clamp" && !p.Unsettled
	})
}

// drawing lists the pixels that are fixed.
func (x *experiment) drawing() string {
	if x.spec == nil {
		return ""
	}
	return x.spec.Set["clamp"]
}

// picture is the middle pane: tabs, caption, legend, and the iframe of the stage.
func (p *pane) picture() HTML {
	w := p.w
	now := p.scene()
	var tabs, views []HTML
	for _, s := range p.tabs() {
		why := w.T("scene.key", s.key)
		if !s.shows(p.Brain) {
			why = w.Phrase(s.missing.of(p.Brain))
		}
		tabs = append(tabs, p.tab("tab-", s, s == now.tab(), s.label, why))
	}
	for _, s := range now.views(p.Brain) {
		views = append(views, p.tab("view-", s, s == now, cmp.Or(s.view, s.label), absent))
	}
	labelled := "tab-" + now.name
	if views != nil {
		labelled = "view-" + now.name
	}
	says := w.Phrase(now.captions.of(p.Brain))
	return el(`section id="view" class="view"`, at("aria-label", w.T("picture")),
		tag(`div class="tabbar"`, el(`div class="tabs" id="tabs" role="tablist"`, at("aria-label",
			w.T("picture")), tabs...),
			button("quiet table-link", "sheet", "table", text(w.T("as.table")))),
		el(`div class="views" id="views" role="tablist"`, at("aria-label", w.T("views", w.Phrase(now.tab().label)),
			"hidden", when(views == nil)), views...),
		tag(`div class="caption"`, tag(`p id="caption"`, caption(says)...), p.legend()),
		el(`div class="plate" id="plate" role="tabpanel" aria-describedby="caption"`, at("aria-labelledby", labelled),
			el(`iframe id="stage" data-keep=""`, at("title", says)), p.veil()),
		tag(`p id="reads" class="reads" aria-live="off" data-keep="all"`)) // the page's: what the pointer reads
}

// tab is a button that shows a scene. One that cannot be shown stays within reach: pressed, it says why.
func (p *pane) tab(prefix string, s *scene, on bool, label, why string) HTML {
	index := "-1"
	if on {
		index = "0"
	}
	return el(`button type="button" role="tab" aria-controls="plate"`,
		at("id", prefix+s.name, "data-scene", s.name, "aria-selected", yes(on), "tabindex", index,
			"aria-disabled", yes(!s.shows(p.Brain)), "title", why), text(p.w.Phrase(label)))
}

// caption splits a text after its first sentence, which stands out.
func caption(s string) []HTML {
	if first, rest, ok := strings.Cut(s, ". "); ok {
		return []HTML{tagText("b", first+"."), text(" " + rest)}
	}
	return []HTML{tagText("b", s)}
}

// legend explains size and colour; methods have direct labels in the picture.
func (p *pane) legend() HTML {
	var items []HTML
	if s := p.scene(); s.legend != nil {
		items = s.legend(p)
	}
	return el(`ul class="legend"`, at("aria-label", p.w.T("legend")), items...)
}

// veil explains why there is no picture.
func (p *pane) veil() HTML {
	w := p.w
	out := func(key string, kids ...HTML) HTML {
		all := append([]HTML{tagText("b", w.T(key)), tagText("p", w.T(key+".why"))}, kids...)
		return tag(`div class="veil" id="veil"`, all...)
	}
	switch {
	case p.host == nil: // not computed yet: the page says how far it is
		return tag(`div class="veil" id="veil"`, tagText("b", w.T("veil.boot")), tag(`p id="bytes"`))
	case p.address.bad:
		return out("veil.nothing")
	case p.state == "failed" && p.job == nil:
		return out("veil.failed")
	case p.stage.state == "failed":
		kids := []HTML{tagText(`p class="why"`, w.Phrase(p.stage.why)), p.sketch()}
		return out("veil.nogl", append(kids, tag(`div class="pair"`,
			button("", "sheet", "table", text(w.T("as.table"))), button("quiet", "picture-again", "", text(w.T("again")))))...)
	case p.state == "idle" && p.spec != nil && p.lacksOwn():
		return tag(`div class="veil" id="veil"`, tagText("b", w.T("veil.own")), tagText("p", w.T("own.lacks", p.spec.Model)),
			button("", "file", "", text(w.T("choose.file"))))
	case p.room.keptOut(): // the head says why
		return tag(`div class="veil" id="veil"`)
	case p.room.on() && p.stage.state == "ready": // what was seen stays when it closes
	case p.waits() && p.stage.state == "ready":
		return tag(`div class="veil clear" id="veil"`, tagText("b", w.T("veil.ready")),
			tagText("p", w.T("veil.ready.why")))
	case p.state == "idle" && (!p.scene().early || p.stage.state != "ready"):
		return out("veil.ready")
	case p.stage.state != "ready":
		return out("veil.loading", tagText("p", p.stage.why), p.sketch())
	}
	return tag(`div class="veil" id="veil" hidden`)
}
