package page

import "logzlab/render/vocabulary"

// dress tells the picture what to show and how, one message of each kind.
func (b *Brain) dress() []Dressing {
	words := map[string]string{}
	if b.words.Lang != "en" {
		for _, english := range vocabulary.Words {
			words[english] = b.words.Phrase(english)
		}
	}
	method := "" // the one under way
	if b.set.Focus != "" || b.state == "done" {
		method = b.onShow()
	}
	return []Dressing{{T: "scene", Name: b.scene().name}, {T: "theme", Name: b.theme()}, {T: "method", Name: method},
		{T: "motion", Reduced: b.browser.Still}, {T: "state", Name: b.state}, {T: "words", Words: words}}
}

// picture is the middle pane: tabs, caption, legend, and the iframe of the stage.
func (p *pane) picture() HTML {
	w := p.w
	now := p.scene()
	var tabs []HTML
	for _, s := range p.tabs() {
		index, why := "-1", w.T("scene.key", s.key)
		if s == now {
			index = "0"
		}
		off := !s.shows(p.Brain)
		if off {
			why = w.Phrase(s.missing.of(p.Brain))
		}
		tabs = append(tabs, el("button", at(` type="button" role="tab" aria-controls="plate"`,
			"id", "tab-"+s.name, "data-scene", s.name, "aria-selected", yes(s == now), "tabindex", index,
			"disabled", when(off), "title", why), text(w.Phrase(s.label))))
	}
	says := w.Phrase(now.captions.of(p.Brain))
	return el("section", at(` id="view" class="view"`, "aria-label", w.T("picture")),
		el("div", at(` class="tabbar"`), el("div", at(` class="tabs" id="tabs" role="tablist"`, "aria-label",
			w.T("picture")), tabs...),
			button("quiet table-link", "sheet", "table", text(w.T("as.table")))),
		el("div", at(` class="caption"`), el("p", at(` id="caption"`), caption(says)...), p.legend()),
		el("div", at(` class="plate" id="plate" role="tabpanel" aria-describedby="caption"`, "aria-labelledby",
			"tab-"+now.name),
			el("iframe", at(` id="stage" data-keep=""`, "title", says)), p.veil()),
		el("p", at(` id="reads" class="reads" aria-live="off" data-keep="all"`))) // the page's: what the pointer reads
}

// legend explains size and colour; methods have direct labels in the picture.
func (p *pane) legend() HTML {
	var items []HTML
	if s := p.scene(); s.legend != nil {
		items = s.legend(p)
	}
	return el("ul", at(` class="legend"`, "aria-label", p.w.T("legend")), items...)
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
	case p.address.bad:
		return out("veil.nothing")
	case p.state == "failed" && p.job == nil:
		return out("veil.failed")
	case p.stage.state == "failed":
		kids := []HTML{el("p", at(` class="why"`), text(w.Phrase(p.stage.why)))}
		return out("veil.nogl", append(kids, el("div", at(` class="pair"`),
			button("", "sheet", "table", text(w.T("as.table"))), button("quiet", "picture-again", "", text(w.T("again")))))...)
	case p.waits() && p.stage.state == "ready":
		return el("div", at(` class="veil clear" id="veil"`), tag("b", text(w.T("veil.ready"))),
			tag("p", text(w.T("veil.ready.why"))))
	case p.state == "idle":
		return out("veil.ready")
	case p.stage.state != "ready":
		return out("veil.loading", tag("p", text(p.stage.why)))
	}
	return el("div", at(` class="veil" id="veil" hidden`))
}
