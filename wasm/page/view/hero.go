package view

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/estimators/verdict"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// hero is the page at the address without a link: a canvas to draw on, samples of the model around it (painted by
// site/hero.js), the odds of the drawing, and links to the lecture, the lab and model files.
func (p *page) hero() html.HTML {
	w := p.w
	lang := ""
	if p.Settings.Lang != "" {
		lang = "&view.lang=" + p.Settings.Lang
	}
	tool := func(brush, key string) html.HTML {
		return html.El(`button type="button" data-keep=""`, html.At("data-brush", brush), html.Text(w.T(key)))
	}
	link := func(start, key string) html.HTML {
		return html.Tag(start, html.TagText("b", w.T("hero.door."+key)),
			html.TagText("span", w.T("hero.door."+key+".why")))
	}

	caption := "hero.by"
	if p.Hero.LinkOdds.Known {
		caption = "hero.rarer"
	}

	// From top to bottom: title, canvas, odds, tools, slider, and links. Until the scripts have loaded, the odds of the
	// first drawing are hidden (data-act "hand").
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
				html.TagText("span", w.T(caption))),
			html.Tag(`p id="paper-says" class="vh" aria-live="polite" data-keep="all"`)),
		p.odds(),
		html.Tag(`div class="hero-draw"`,
			html.El(`div class="hero-tools" role="group"`, html.At("aria-label", w.T("hero.tools")),
				tool("1", "hero.ink"), tool("2", "hero.eraser"), tool("all", "hero.clear"))),
		html.Tag(`label class="hero-slide"`, html.TagText("span", w.T("hero.noise")),
			html.El(`input type="range" min="0" max="1000" data-keep="all"`,
				html.At("value", noise, "aria-label", w.T("hero.slide"))),
			html.TagText("span", w.T("hero.dreams"))),
		html.El(`nav class="hero-doors"`, html.At("aria-label", w.T("hero.doors")),
			link(`a href="#view.deck=sum`+lang+`"`, "lecture"),
			link(`a href="#`+state.Lab+lang+`"`, "lab"),
			link(`button type="button" data-event="hero-own"`, "own")))
}

// odds shows the probability of the drawing in words, and as its share of Z. The odds of the previous drawing stay
// until the new ones are known.
func (p *page) odds() html.HTML {
	w, o := p.w, p.Hero.Odds
	if !o.Known {
		return html.Tag(`div class="hero-odds"`)
	}
	class := "hero-odds"
	if p.Hero.Outdated {
		class += " was"
	}
	var game html.HTML
	if received := p.Hero.LinkOdds; received.Known && p.Hero.OwnDrawing {
		key := "hero.commoner"
		if o.LogP < received.LogP {
			key = "hero.rarest"
		}
		game = html.TagText(`p class="hero-game"`, w.T(key, p.oneIn(received)))
	}
	send := "hero.send"
	if p.Sharing.Copied != "" {
		send = "hero.sent"
	}
	return html.El("div", html.At("class", class),
		html.TagText(`p class="hero-one"`, p.sentence(o)), game, p.shareOfZ(o),
		html.Tag(`div class="hero-more"`,
			html.Tag(`details name="hero"`, html.TagText("summary", w.T("hero.z")), html.Tag("div", p.whatIsZ(o)...)),
			html.Tag(`details name="hero"`, html.TagText("summary", w.T("hero.sure")), html.Tag("div", p.howSure(o)...)),
			html.TagText(`button type="button" data-event="hero-send"`, w.T(send)),
			html.TagText(`button type="button" data-event="hero-lab"`, w.T("hero.open"))))
}

// oneIn returns the number of pictures of the model for one that contains the drawing, as in 400 million.
func (p *page) oneIn(o state.Odds) string {
	return p.exp(-o.LogP)
}

// exp returns e^x as text, in words if it is large.
func (p *page) exp(x float64) string {
	return p.Num(format.Superscript(p.w.Explain(verdict.ExpPhrase(x))))
}

// sentence states the odds in words. Very small odds are also compared with tosses of a coin.
func (p *page) sentence(o state.Odds) string {
	s := p.w.T("hero.odds", p.oneIn(o))
	if o.LogP < -15*math.Ln10 {
		s += p.w.T("hero.coins", p.Num(format.Grouped(math.Round(-o.LogP/math.Ln2), 0)))
	}
	return s
}

// The bar that shows the share of Z is magnified in steps: the logarithm of the largest magnification of a step, the
// largest number of steps, and the width of the share in the last strip.
const (
	maxLogZoom = 3 * math.Ln10
	maxSteps   = 4
	shareWidth = .04
)

// shareOfZ draws the share exp(log P) of the drawing in Z: a bar for all pictures, whose bright part is magnified in
// equal steps until the share can be seen.
func (p *page) shareOfZ(o state.Odds) html.HTML {
	w := p.w
	steps, step, last := 0, 0., math.Exp(min(o.LogP, 0))
	if last < shareWidth {
		total := math.Log(shareWidth) - o.LogP
		steps = min(int(math.Ceil(total/maxLogZoom)), maxSteps)
		step, last = total/float64(steps), shareWidth
	}

	// Strips of height 2, between them the light that magnifies, of height 3; 1000 wide.
	var shapes []html.HTML
	for k := range steps + 1 {
		y, width := 5*k, 1000*last
		if k < steps {
			width = max(1000*math.Exp(-step), 4)
			shapes = append(shapes, html.Tag(fmt.Sprintf(`path class="light" d="M0 %dH%.1fL1000 %dH0z"`, y+2, width, y+5)))
		}
		shapes = append(shapes, html.Tag(fmt.Sprintf(`path class="all" d="M0 %dH1000v2H0z"`, y)),
			html.Tag(fmt.Sprintf(`path class="part" d="M0 %dH%.1fv2H0z"`, y, width)))
	}
	zoom := w.T("hero.bar.plain")
	switch {
	case steps == 1:
		zoom = w.T("hero.bar.zoom", p.exp(step))
	case steps > 1:
		zoom = w.T("hero.bar.zooms", p.exp(step))
	}
	return html.Tag(`figure class="hero-share"`,
		html.Tag("figcaption", html.TagText("span", w.T("hero.bar.all", p.exp(o.LogZFree))), html.TagText("span", w.T("hero.share",
			p.nats(o.LogZWithDrawing), p.nats(o.LogZFree)))),
		html.Tag(fmt.Sprintf(`svg viewBox="0 0 1000 %d" preserveAspectRatio="none" aria-hidden="true"`, 5*steps+2), shapes...),
		html.Tag("figcaption", html.TagText(`span class="part"`, w.T("hero.bar.part")), html.TagText("span", zoom)))
}

// nats formats a number of nats with two decimals.
func (p *page) nats(x float64) string { return p.Num(format.Fixed(x, 2)) }

// whatIsZ explains the sum, and how its parts were found.
func (p *page) whatIsZ(o state.Odds) []html.HTML {
	w := p.w
	digits := format.Grouped(math.Floor(o.LogZFree/math.Ln10)+1, 0)
	particles := p.Num(format.Grouped(state.HeroParticles, 0))
	with := w.T("hero.z.with", particles, p.nats(o.LogZWithDrawing))
	if o.Seconds > 0 {
		with = w.T("hero.z.time", particles, p.Num(format.Fixed(max(o.Seconds, .1), 1)), p.nats(o.LogZWithDrawing))
	}
	free := "hero.z.estimate"
	if o.FreeIsExact {
		free = "hero.z.exact"
	}
	return []html.HTML{html.TagText("p", w.T("hero.z.sum", p.Num(digits))), html.TagText("p", with),
		html.TagText("p", w.T(free, p.nats(o.LogZFree)))}
}

// howSure lists the error bar, the exact value and the reason of the verdict.
func (p *page) howSure(o state.Odds) []html.HTML {
	w := p.w
	list := []html.HTML{html.TagText("p", w.T("hero.sure.bar", p.FormatEstimate(o.LogP, o.SE), p.Num(format.Grouped(state.HeroParticles, 0))))}
	if o.HasExact {
		list = append(list, html.TagText("p", w.T("hero.exact", p.exactOdds())))
	}
	switch {
	case o.Level == "":
		list = append(list, html.TagText("p", w.T("hero.checks")))
	case o.Level == "trust":
		list = append(list, html.Tag(`p class="trust"`, html.Icon("v-trust", "i"), html.Text(w.T("hero.sure.trust"))))
	default:
		list = append(list, html.El("p", html.At("class", o.Level), html.Icon("v-"+o.Level, "i"),
			html.Text(w.T("verdict."+o.Level)+". "+w.Phrase(o.Reason))))
	}
	return list
}

// exactOdds returns the exact log probability of the drawing.
func (p *page) exactOdds() string {
	return p.Num(format.Fixed(p.Hero.Odds.Exact, format.Decimals(p.Hero.Odds.SE)))
}

// Invitation returns the title and the text of a preview of a link with the visitor's drawing.
func Invitation(s *state.Snapshot) (title, about string) {
	p := newPage(s)
	return p.sentence(s.Hero.Odds), p.w.T("hero.invitation")
}

// Odds returns the odds of the visitor's drawing as a screen reader says them, "" while they are not known.
func Odds(s *state.Snapshot) string {
	p := newPage(s)
	o := s.Hero.Odds
	if !s.Hero.OwnDrawing || s.Hero.Outdated || !o.Known {
		return ""
	}
	sentences := []string{p.sentence(o) + ".", p.w.T("hero.sure.bar", p.FormatEstimate(o.LogP, o.SE), p.Num(format.Grouped(state.HeroParticles, 0)))}
	if o.HasExact {
		sentences = append(sentences, p.w.T("hero.exact", p.exactOdds()))
	}
	return strings.Join(sentences, " ")
}
