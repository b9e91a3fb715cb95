package view

import (
	"fmt"
	"strings"

	"logzlab/core/version"
	"logzlab/core/words"
	"logzlab/models"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// Sheets are the names of the sheets that open over the page. The setup is a sheet only on small screens, where it has
// no pane.
var Sheets = []string{"share", "export", "help", "menu", "table", "setup", "check", "lessons", "lecture", "broken",
	"train", "program", "samples"}

// beside reports whether the open sheet is shown beside the page, so that the page stays usable.
func (p *page) beside() bool {
	return p.Panels.Sheet == "broken" || p.Panels.Sheet == "program" || p.Panels.Sheet == "train" && p.Training.Begun
}

// sheetPart is the open dialog; view.js shows it as a modal dialog unless it is beside the page.
func (p *page) sheetPart() html.HTML {
	var title string
	var children []html.HTML
	switch p.Panels.Sheet {
	case "share":
		title, children = p.w.T("share.title"), p.shareSheet()
	case "export":
		title, children = p.w.T("export"), p.exportSheet()
	case "help":
		title, children = p.w.T("help.title"), p.helpSheet()
	case "menu":
		title, children = p.w.T("menu"), p.menuSheet()
	case "check":
		title, children = p.w.T("check.title"), p.checkSheet()
	case "lessons":
		title, children = p.w.T("lessons.title"), p.lessonsSheet()
	case "lecture":
		title, children = p.w.T("lecture.title"), p.lectureSheet()
	case "broken":
		title, children = p.w.T("broken"), p.brokenSheet()
	case "train":
		title, children = p.w.T("train.title"), p.trainSheet()
	case "program":
		title, children = p.w.T("program.title"), p.programSheet()
	case "samples":
		title, children = p.w.T("samples.title"), p.samplesSheet()
	case "table":
		title, children = p.w.T("table.title", p.w.Phrase(scene.On(p.Snapshot).Label)), p.tableSheet()
	default:
		return html.Tag(`dialog id="sheet" data-keep="" data-open=""`)
	}

	// The dialog, with title and close button.
	head := html.Tag(`div class="row"`, html.TagText(`h2 tabindex="-1" autofocus`, title), p.closeButton("quiet", "sheet"))
	return html.El(`dialog id="sheet" data-keep=""`,
		html.At("data-open", p.Panels.Sheet, "data-beside", html.Yes(p.beside()), "class", "sheet-"+p.Panels.Sheet,
			"aria-label", title),
		append([]html.HTML{head}, children...)...)
}

// exportSheet lists the files and texts that can be exported.
func (p *page) exportSheet() []html.HTML {
	w := p.w
	hasNoResults := p.Reports == nil
	var items []html.HTML
	for _, x := range []string{"picture", "loop", "chart", "alone", "json", "csv", "draws", "command"} {
		isDisabled := hasNoResults && x != "command" || (x == "picture" || x == "loop") && p.Canvas.State != state.CanvasReady
		if x == "draws" && (hasNoResults || p.Traits().Axes == models.Coordinates) {
			continue
		}
		children := []html.HTML{html.El(`button type="button" data-event="export"`,
			html.At("data-value", x, "disabled", html.When(isDisabled)), html.Text(w.T("export."+x))),
			html.TagText(`span class="why"`, w.T("export."+x+".why"))}
		if variants := map[string][]string{"picture": {"svg"}, "loop": {"video", "loop.line"}}[x]; !isDisabled {
			for _, variant := range variants {
				children = append(children, html.El(`button type="button" class="quiet" data-event="export"`, html.At("data-value", variant),
					html.Text(w.T("export."+variant))))
			}
		}
		items = append(items, html.El("li", html.At("data-key", x), children...))
	}
	return []html.HTML{html.Tag(`ul class="choices"`, items...), html.TagText(`p class="why" role="status"`,
		p.Sharing.Copied)}
}

// helpSheet lists the keys.
func (p *page) helpSheet() []html.HTML {
	w := p.w
	if p.Lecturing() {
		return []html.HTML{html.TagText("p", w.T("deck.keys"))}
	}
	var keys []html.HTML
	for _, k := range [][3]string{{"key.space", w.T("help.run"), " "}, {"key.right", w.T("help.step"), "ArrowRight"},
		{"R", w.T("help.restart"), "R"}, {"N", w.T("help.seed"), "N"},
		{fmt.Sprintf("1 – %d", scene.Tabs(p.Snapshot)[len(scene.Tabs(p.Snapshot))-1].Key), p.sceneList(), "1"},
		{"key.arrows", w.T("help.scrub"), "?"}, {"D", w.T("help.draw"), "?"},
		{"?", w.T("help.help"), "?"}, {"Esc", w.T("help.esc"), "?"}} {
		if !p.KeyEnabled(k[2]) || k[0] == "D" && !p.Drawable() {
			continue
		}
		name := k[0]
		if w.Has(name) {
			name = w.T(name)
		}
		keys = append(keys, html.El("div", html.At("data-key", k[0]), html.Tag("dt", html.TagText("kbd", name)),
			html.TagText("dd", k[1])))
	}
	return []html.HTML{html.Tag(`dl class="keys"`, keys...), html.TagText(`p class="why"`, w.T("help.more")),
		html.El(`a class="button"`, html.At("href", p.Site("docs/index.html")), html.Text(w.T("docs"))), html.Text(" "),
		html.Button("", "sheet", "check", html.Text(w.T("check.title"))), html.TagText(`p class="why"`, "LogZ Lab "+version.Number)}
}

// sceneList lists the scenes in the order of their keys.
func (p *page) sceneList() string {
	var b strings.Builder
	tabs, last := scene.Tabs(p.Snapshot), 0
	for _, s := range scene.All {
		switch {
		case s.Of != "" || s.Key > tabs[len(tabs)-1].Key:
			continue
		case s.Key == last:
			b.WriteString(" / ")
		case last > 0:
			b.WriteString(", ")
		}
		last = s.Key
		b.WriteString(p.w.Phrase(s.Label))
	}
	return b.String()
}

// menuSheet has the buttons of the page header that do not fit on a small screen.
func (p *page) menuSheet() []html.HTML {
	w := p.w
	item := func(event, value, label string) html.HTML {
		return html.El("li", html.At("data-key", event+value), html.Button("", event, value, html.Text(label)))
	}
	var languages []html.HTML
	for _, lang := range words.Languages() {
		if name := words.Name(lang); name != "" {
			languages = append(languages, item("lang", lang, name))
		}
	}
	return []html.HTML{html.Tag(`ul class="choices"`, append([]html.HTML{
		item("tour", "1", w.T("tour")), item("sheet", "lessons", w.T("lessons")), item("sheet", "lecture", w.T("lecture")),
		item("sheet", "broken", w.T("broken")),
		item("sheet", "program", w.T("program.title")), item("sheet", "samples", w.T("samples.title")),
		item("sheet", "train", w.T("train.title")),
		html.Tag(`li data-key="experiments"`, html.El(`a class="button"`, html.At("href", p.Site("experiments/index.html")),
			html.Text(w.T("experiments")))),
		html.Tag(`li data-key="docs"`, html.El(`a class="button"`, html.At("href", p.Site("docs/index.html")),
			html.Text(w.T("docs")))),
		item("sheet", "share", w.T("share")), item("sheet", "export", w.T("export")),
		item("sheet", "table", w.T("as.table")), item("sheet", "help", w.T("help.title")),
		item("sheet", "check", w.T("check.title")),
		item("theme", "light", w.T("theme.light")), item("theme", "dark", w.T("theme.dark")),
		item("theme", "projector", w.T("theme.projector"))}, languages...)...)}
}

// tableSheet shows the picture as a table.
func (p *page) tableSheet() []html.HTML {
	s := scene.On(p.Snapshot)
	out := []html.HTML{html.TagText(`p class="why"`, p.w.Phrase(s.About))}
	for _, t := range s.Tables {
		out = append(out, p.table(t.Heads, t.Rows(p.Snapshot)))
	}
	return out
}

// table returns a table of at most scene.MaxTable rows; the first cell of each row is its header.
func (p *page) table(heads []string, rows [][]string) html.HTML {
	if len(rows) == 0 {
		return html.TagText("p", p.w.T("table.empty"))
	}
	var head, body []html.HTML
	for _, h := range heads {
		if p.w.Has(h) {
			h = p.w.T(h)
		} else {
			h = p.w.Phrase(h)
		}
		head = append(head, html.TagText(`th scope="col"`, h))
	}
	for i, r := range rows[:min(len(rows), scene.MaxTable)] {
		cells := []html.HTML{html.TagText(`th scope="row"`, r[0])}
		for _, c := range r[1:] {
			cells = append(cells, html.TagText("td", c))
		}
		body = append(body, html.El("tr", html.At("data-key", fmt.Sprint(i)), cells...))
	}
	return html.El(`div class="wrap" tabindex="0" role="region"`, html.At("aria-label", p.w.T("as.table")),
		html.Tag(`table class="data"`, html.Tag("thead", html.Tag("tr", head...)), html.Tag("tbody", body...)))
}
