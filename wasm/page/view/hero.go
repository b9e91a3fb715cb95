package view

import (
	"strings"

	"logzlab/core/format"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// hero is the page at the address without a link: a paper to draw on, the dreams around it, which site/hero.js paints,
// the odds of the drawing, and three doors.
func (p *page) hero() html.HTML {
	w := p.w
	lang := ""
	if p.Settings.Lang != "" {
		lang = "&view.lang=" + p.Settings.Lang
	}
	tool := func(brush, key string) html.HTML {
		return html.El(`button type="button" data-keep=""`, html.At("data-brush", brush), html.Text(w.T(key)))
	}
	door := func(start, key string) html.HTML {
		return html.Tag(start, html.TagText("b", w.T("hero.door."+key)),
			html.TagText("span", w.T("hero.door."+key+".why")))
	}

	// From top to bottom: title, paper, odds, tools, noise, and doors.
	// Before the scripts are there the hand is about to draw: nothing says yet how that ends.
	act, noise := html.Absent, "1000"
	if p.Shell {
		act, noise = "hand", "0"
	}
	return html.El(`main id="hero" class="hero" data-keep=""`, html.At("data-act", act),
		html.Tag(`div class="hero-title"`, html.TagText("h1", w.T("tagline")), html.TagText("p", w.T("hero.what"))),
		html.Tag(`div class="hero-stage"`,
			html.Tag(`canvas id="dreams" aria-hidden="true" data-keep=""`),
			html.El(`canvas id="paper" tabindex="0" role="application" data-keep=""`,
				html.At("aria-label", w.T("hero.paper.label"), "aria-describedby", "hero-how")),
			html.Tag(`i id="pencil" hidden data-keep=""`),
			html.Tag(`p id="hero-how" class="hero-turn"`, html.Text(w.T("hero.turn")+" "),
				html.TagText("span", w.T("hero.by"))),
			html.Tag(`p id="paper-says" class="vh" aria-live="polite" data-keep="all"`)),
		p.odds(),
		html.Tag(`div class="hero-draw"`,
			html.El(`div class="hero-tools" role="group"`, html.At("aria-label", w.T("hero.tools")),
				tool("1", "hero.ink"), tool("0", "hero.paper"), tool("2", "hero.eraser"), tool("all", "hero.clear"))),
		html.Tag(`label class="hero-slide"`, html.TagText("span", w.T("hero.noise")),
			html.El(`input type="range" min="0" max="1000" data-keep="all"`,
				html.At("value", noise, "aria-label", w.T("hero.slide"))),
			html.TagText("span", w.T("hero.dreams"))),
		html.El(`nav class="hero-doors"`, html.At("aria-label", w.T("hero.doors")),
			door(`a href="#view.deck=sum`+lang+`"`, "lecture"),
			door(`a href="#`+state.Lab+lang+`"`, "lab"),
			door(`button type="button" data-event="hero-own"`, "own")))
}

// odds are how likely the drawing is, large, with the run that says so. Those of the drawing before stay until others
// come.
func (p *page) odds() html.HTML {
	w, o := p.w, p.Hero.Odds
	class := "hero-odds"
	if p.Hero.Old {
		class += " was"
	}
	if o.OneIn == "" {
		return html.Tag(`div class="hero-odds"`)
	}
	more := []html.HTML{html.Tag("b", html.LogP, html.Text(" = "+p.Barred(o.LogP, o.SE)))}
	switch {
	case o.HasExact:
		more = append(more, html.TagText("span", w.T("hero.exact", p.exactOdds())))
	case o.Level == "":
		more = append(more, html.TagText("span", w.T("hero.checks")))
	}
	if o.Level == "caution" || o.Level == "stop" {
		more = append(more, html.El("span", html.At("class", o.Level), html.Icon("v-"+o.Level, "i"),
			html.Text(w.T("verdict."+o.Level))))
	}
	return html.El("div", html.At("class", class),
		html.TagText(`p class="hero-one"`, w.T("hero.odds", p.Num(format.Superscript(o.OneIn)))),
		html.Tag(`p class="hero-logp"`, append(more,
			html.TagText(`button type="button" data-event="hero-lab"`, w.T("hero.open")))...))
}

func (p *page) exactOdds() string {
	return p.Num(format.Fixed(p.Hero.Odds.Exact, format.Decimals(p.Hero.Odds.SE)))
}

// Odds are the odds of the visitor's drawing as a screen reader says them, "" while they are not known.
func Odds(s *state.Snapshot) string {
	p := newPage(s)
	o := s.Hero.Odds
	if !s.Hero.Drawn || s.Hero.Old || o.OneIn == "" {
		return ""
	}
	says := []string{p.w.T("hero.odds", p.Num(format.Superscript(o.OneIn))) + ".", "log p = " + p.Barred(o.LogP, o.SE) + "."}
	if o.HasExact {
		says = append(says, p.w.T("hero.exact", p.exactOdds())+".")
	}
	return strings.Join(says, " ")
}
