package view

import (
	"logzlab/core/words"
	"logzlab/render/html"
)

// message shows the current message, if any.
func (p *page) message() html.HTML {
	m := p.Problem
	if m == nil {
		return html.Tag(`div id="message" role="alert" hidden`)
	}
	children := []html.HTML{html.Icon("v-"+m.Level, "i"), html.TagText("p", m.Text)}
	if a := m.Action; a != nil {
		children = append(children, html.Button("", a.Event, a.Value, html.Text(a.Label)))
	}
	children = append(children, p.closeButton("quiet", "dismiss"))
	return html.El(`div id="message" role="alert"`, html.At("data-level", m.Level), children...)
}

// closeButton returns a button that closes the part named by an event.
func (p *page) closeButton(class, event string) html.HTML {
	return html.Button(class, event, "", html.Icon("i-close", "i"), html.TagText(`span class="vh"`, p.w.T("close")))
}

// dropping is the hint that is visible while files are dragged over the page.
func (p *page) dropping() html.HTML {
	return html.Tag(`div id="dropping" hidden data-keep=""`, html.TagText("b", p.w.T("drop.now")),
		html.TagText("p", p.w.T("drop.note")))
}

// top is the page header.
func (p *page) top() html.HTML {
	w := p.w

	// The name, then the lesson, the broken experiment or the tagline.
	children := []html.HTML{html.Button("vh skip", "skip", "", html.Text(w.T("skip"))),
		html.El(`a class="mark"`, html.At("href", p.Site("./")), html.LogZ, html.Text(" Lab"))}
	if k := p.Settings.Lesson; k > 0 && p.Settings.Projector {
		children = append(children, html.El(`a class="lesson"`, html.At("href", p.Site("lessons/"+LessonPage(Lessons[k-1].Page,
			w))),
			html.TagText(`span class="lesson-n"`, w.T("lesson.of", k, len(Lessons))),
			html.TagText(`span class="lesson-t"`, w.Phrase(Lessons[k-1].Title))))
	} else if p.Settings.Break > 0 {
		children = append(children, p.brokenButton())
	} else {
		children = append(children, html.El(`p class="tagline"`, html.At("title", w.T("tagline.term")), html.Text(w.T("tagline")+" "),
			html.TagText("span", w.T("tagline.more"))), p.tourButton())
	}

	// Themes and languages.
	var seg []html.HTML
	current := p.Theme()
	for _, name := range []string{"light", "dark", "projector"} {
		seg = append(seg, html.El(`button type="button" data-event="theme"`,
			html.At("data-value", name, "aria-pressed", html.Yes(name == current)), html.Text(w.T("theme."+name))))
	}
	other := words.Next(w.Lang)

	// The buttons; for a first visitor most of them are in the menu.
	isHidden, menu := html.When(p.Panels.FirstVisit), "quiet narrow"
	if p.Panels.FirstVisit {
		menu = "quiet"
	}
	nav := []html.HTML{
		html.TagText(`span id="copied" role="status" data-keep=""`, p.Sharing.Copied),
		html.El(`button type="button" id="lessons" class="quiet wide" data-event="sheet" data-value="lessons"`,
			html.At("aria-haspopup", "dialog"), html.Text(w.T("lessons"))),
		html.El("a", html.At("class", "quiet wide", "hidden", isHidden, "href", p.Site("experiments/index.html")),
			html.Text(w.T("experiments"))),
		html.El(`button type="button" id="share" class="quiet" aria-haspopup="dialog"`,
			html.At("aria-label", w.T("share"), "disabled", html.When(p.Spec == nil)),
			html.Icon("i-share", "i narrow"), html.TagText(`span class="word"`, w.T("share"))),
		html.El(`button type="button" class="quiet wide" data-event="sheet" data-value="export"`, html.At("hidden", isHidden),
			html.Text(w.T("export"))),
		html.El(`div class="seg wide" role="group"`, html.At("hidden", isHidden, "aria-label", w.T("display")), seg...),
		html.El(`button type="button" class="quiet wide" data-event="lang"`,
			html.At("hidden", isHidden, "data-value", other, "lang", other), html.Text(words.Name(other))),
		html.El(`button type="button" class="quiet wide" data-event="sheet" data-value="help"`,
			html.At("hidden", isHidden, "aria-label", w.T("help.title")), html.Text("?")),
		html.Tag(`button type="button" id="leave" data-event="theme" data-value="leave"`, html.Text(w.T("leave")),
			html.TagText("kbd", "Esc")),
		html.El(`button type="button" id="menu" data-event="sheet" data-value="menu"`,
			html.At("class", menu, "aria-label", w.T("menu")), html.Icon("i-menu", "i")),
	}
	return html.Tag(`header id="top" class="top"`,
		append(children, html.El(`nav class="top-nav"`, html.At("aria-label", w.T("page")), nav...))...)
}
