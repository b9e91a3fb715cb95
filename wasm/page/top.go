package page

import "logzlab/wasm/words"

func (p *pane) message() HTML {
	m := p.problem
	if m == nil {
		return tag(`div id="message" role="alert" hidden`)
	}
	kids := []HTML{icon("v-"+m.Level, "i"), tagText("p", m.Text)}
	if a := m.Action; a != nil {
		kids = append(kids, button("", a.Event, a.Value, text(a.Label)))
	}
	kids = append(kids, p.closeButton("quiet", "dismiss"))
	return el(`div id="message" role="alert"`, at("data-level", m.Level), kids...)
}

// closeButton closes what an event is about.
func (p *pane) closeButton(class, event string) HTML {
	return button(class, event, "", icon("i-close", "i"), tagText(`span class="vh"`, p.w.T("close")))
}

func (p *pane) dropping() HTML {
	return tag(`div id="dropping" hidden data-keep=""`, tagText("b", p.w.T("drop.now")), tagText("p", p.w.T("drop.note")))
}

// top is the head line.
func (p *pane) top() HTML {
	w := p.w
	kids := []HTML{button("vh skip", "skip", "", text(w.T("skip"))),
		el(`a class="mark"`, at("href", p.site("./")), logZ, text(" Lab"))}
	if k := p.set.Lesson; k > 0 && p.set.Projector {
		kids = append(kids, el(`a class="lesson"`, at("href", p.site("lessons/"+lessonPage(lessons[k-1].Page, w))),
			tagText(`span class="lesson-n"`, w.T("lesson.of", k, len(lessons))),
			tagText(`span class="lesson-t"`, w.Phrase(lessons[k-1].Title))))
	} else if p.set.Break > 0 {
		kids = append(kids, p.brokenButton())
	} else {
		kids = append(kids, el(`p class="tagline"`, at("title", w.T("tagline.term")), text(w.T("tagline")+" "),
			tagText("span", w.T("tagline.more"))), p.tourButton())
	}
	var seg []HTML
	now := p.theme()
	for _, name := range []string{"light", "dark", "projector"} {
		seg = append(seg, el(`button type="button" data-event="theme"`,
			at("data-value", name, "aria-pressed", yes(name == now)), text(w.T("theme."+name))))
	}
	other := words.After(w.Lang)
	nav := []HTML{
		tagText(`span id="copied" role="status" data-keep=""`, p.sharing.copied),
		el(`button type="button" id="lessons" class="quiet wide" data-event="sheet" data-value="lessons"`,
			at("aria-haspopup", "dialog"), text(w.T("lessons"))),
		el(`a class="quiet wide"`, at("href", p.site("experiments/index.html")), text(w.T("experiments"))),
		el(`button type="button" id="share" class="quiet" aria-haspopup="dialog"`,
			at("aria-label", w.T("share"), "disabled", when(p.spec == nil)),
			icon("i-share", "i narrow"), tagText(`span class="word"`, w.T("share"))),
		button("quiet wide", "sheet", "export", text(w.T("export"))),
		el(`div class="seg wide" role="group"`, at("aria-label", w.T("display")), seg...),
		el(`button type="button" class="quiet wide" data-event="lang"`,
			at("data-value", other, "lang", other), text(words.Name(other))),
		el(`button type="button" class="quiet wide" data-event="sheet" data-value="help"`,
			at("aria-label", w.T("help.title")), text("?")),
		tag(`button type="button" id="leave" data-event="theme" data-value="leave"`, text(w.T("leave")),
			tagText("kbd", "Esc")),
		el(`button type="button" id="menu" class="quiet narrow" data-event="sheet" data-value="menu"`,
			at("aria-label", w.T("menu")), icon("i-menu", "i")),
	}
	return tag(`header id="top" class="top"`,
		append(kids, el(`nav class="top-nav"`, at("aria-label", w.T("page")), nav...))...)
}
