package page

import (
	"fmt"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/wasm/words"
)

// Sheets that open over the page; setup is one only where it has no pane.
var sheets = []string{"share", "export", "help", "menu", "table", "setup", "check", "lessons", "broken", "train"}

// sheetPart is the open dialog; main.js shows it as a modal one.
func (p *pane) sheetPart() HTML {
	var title string
	var kids []HTML
	switch p.panels.sheet {
	case "share":
		title, kids = p.w.T("share.title"), p.shareSheet()
	case "export":
		title, kids = p.w.T("export"), p.exportSheet()
	case "help":
		title, kids = p.w.T("help.title"), p.helpSheet()
	case "menu":
		title, kids = p.w.T("menu"), p.menuSheet()
	case "check":
		title, kids = p.w.T("check.title"), p.checkSheet()
	case "lessons":
		title, kids = p.w.T("lessons.title"), p.lessonsSheet()
	case "broken":
		title, kids = p.w.T("broken"), p.brokenSheet()
	case "train":
		title, kids = p.w.T("train.title"), p.trainSheet()
	case "table":
		title, kids = p.w.T("table.title", p.w.Phrase(p.scene().label)), p.tableSheet()
	default:
		return tag(`dialog id="sheet" data-keep="" data-open=""`)
	}
	head := tag(`div class="row"`, tagText(`h2 tabindex="-1" autofocus`, title), p.closeButton("quiet", "sheet"))
	return el(`dialog id="sheet" data-keep=""`,
		at("data-open", p.panels.sheet, "class", "sheet-"+p.panels.sheet, "aria-label", title),
		append([]HTML{head}, kids...)...)
}

func (p *pane) shareSheet() []HTML {
	w := p.w
	if p.spec == nil {
		return []HTML{tagText("p", w.T("veil.nothing"))}
	}
	link := p.url(p.shared())
	check := func(name, says string, on, disabled bool) HTML {
		return el("label", at("data-key", name),
			el(`input type="checkbox"`, at("data-show", name, "checked", when(on), "disabled", when(disabled))), text(says))
	}
	boxes := []HTML{tagText("h3", w.T("share.show"))}
	for _, h := range Hideable {
		boxes = append(boxes, check(h, w.T("part."+h), !slices.Contains(p.sharing.hides, h), false))
	}
	boxes = append(boxes, check("receipt", w.T("share.receipt"), p.sharing.receipted && !p.sharing.fresh,
		p.state != "done" || p.sharing.fresh), check("fresh", w.T("share.fresh"), p.sharing.fresh, false))
	where := ""
	if p.local() && p.sharing.at == "" {
		where = w.T("share.local")
	}
	copyButton := func(class, what, key string) HTML {
		return el(`button type="button" data-event="copy"`, at("class", class, "data-value", what), text(w.T(key)))
	}
	return []HTML{
		tagText(`code class="link" id="share-link"`, link),
		tagText(`p class="why"`, where),
		tag(`div class="two"`, p.qr(link), tag(`div class="boxes"`, boxes...)),
		tag(`div class="pair"`, copyButton("primary", "link", "copy.link"), copyButton("", "command", "copy.command"),
			copyButton("", "embed", "copy.embed")),
		tagText(`p class="why" role="status"`, p.copiedOr(w.T("characters", len(link)))),
		p.shortPart(), p.roomSheet(), p.codesSheet(), tagText(`p class="why" role="status"`, p.codes.says),
		tag(`details data-keep=""`, tagText("summary", w.T("share.code")),
			tagText(`code class="link" id="share-command"`, p.command()),
			tagText(`code class="link" id="share-embed"`, p.embedCode())),
	}
}

// copiedOr is the word that something was copied while that is news.
func (p *pane) copiedOr(other string) string {
	if p.sharing.copied != "" {
		return p.sharing.copied
	}
	return other
}

func (p *pane) exportSheet() []HTML {
	w := p.w
	none := p.reports == nil
	var items []HTML
	for _, x := range []string{"picture", "chart", "alone", "json", "csv", "command"} {
		off := none && x != "command" || x == "picture" && p.stage.state != "ready"
		items = append(items, el("li", at("data-key", x),
			el(`button type="button" data-event="export"`, at("data-value", x, "disabled", when(off)),
				text(w.T("export."+x))), tagText(`span class="why"`, w.T("export."+x+".why"))))
	}
	return []HTML{tag(`ul class="choices"`, items...), tagText(`p class="why" role="status"`, p.sharing.copied)}
}

func (p *pane) helpSheet() []HTML {
	w := p.w
	var keys []HTML
	for _, k := range [][3]string{{"key.space", w.T("help.run"), " "}, {"key.right", w.T("help.step"), "ArrowRight"},
		{"R", w.T("help.restart"), "R"}, {"N", w.T("help.seed"), "N"},
		{fmt.Sprintf("1 – %d", p.tabs()[len(p.tabs())-1].key), p.sceneList(), "1"},
		{"key.arrows", w.T("help.scrub"), "?"}, {"D", w.T("help.draw"), "?"},
		{"?", w.T("help.help"), "?"}, {"Esc", w.T("help.esc"), "?"}} {
		if !p.keyed(k[2]) || k[0] == "D" && !p.drawable() {
			continue
		}
		name := k[0]
		if w.Has(name) {
			name = w.T(name)
		}
		keys = append(keys, el("div", at("data-key", k[0]), tag("dt", tagText("kbd", name)), tagText("dd", k[1])))
	}
	return []HTML{tag(`dl class="keys"`, keys...), tagText(`p class="why"`, w.T("help.more")),
		el(`a class="button"`, at("href", p.site("docs/index.html")), text(w.T("docs"))), text(" "),
		button("", "sheet", "check", text(w.T("check.title")))}
}

// sceneList names the scenes in the order of their keys.
func (p *pane) sceneList() string {
	var b strings.Builder
	tabs, last := p.tabs(), 0
	for _, s := range scenes {
		switch {
		case s.of != "" || s.key > tabs[len(tabs)-1].key:
			continue
		case s.key == last:
			b.WriteString(" / ")
		case last > 0:
			b.WriteString(", ")
		}
		last = s.key
		b.WriteString(p.w.Phrase(s.label))
	}
	return b.String()
}

func (p *pane) menuSheet() []HTML {
	w := p.w
	item := func(event, value, says string) HTML {
		return el("li", at("data-key", event+value), button("", event, value, text(says)))
	}
	var languages []HTML
	for _, lang := range words.Languages() {
		if name := words.Name(lang); name != "" {
			languages = append(languages, item("lang", lang, name))
		}
	}
	return []HTML{tag(`ul class="choices"`, append([]HTML{
		item("tour", "1", w.T("tour")), item("sheet", "lessons", w.T("lessons")), item("sheet", "broken", w.T("broken")),
		item("sheet", "train", w.T("train.title")),
		tag(`li data-key="experiments"`, el(`a class="button"`, at("href", p.site("experiments/index.html")),
			text(w.T("experiments")))),
		tag(`li data-key="docs"`, el(`a class="button"`, at("href", p.site("docs/index.html")), text(w.T("docs")))),
		item("sheet", "share", w.T("share")), item("sheet", "export", w.T("export")),
		item("sheet", "table", w.T("as.table")), item("sheet", "help", w.T("help.title")),
		item("sheet", "check", w.T("check.title")),
		item("theme", "light", w.T("theme.light")), item("theme", "dark", w.T("theme.dark")),
		item("theme", "projector", w.T("theme.projector"))}, languages...)...)}
}

// maxTable bounds the rows of the table behind a picture.
const maxTable = 200

// tableSheet is the picture as a table.
func (p *pane) tableSheet() []HTML {
	s := p.scene()
	out := []HTML{tagText(`p class="why"`, p.w.Phrase(s.about))}
	for _, t := range s.tables {
		out = append(out, p.table(t.heads, t.rows(p)))
	}
	return out
}

// table is a table of at most maxTable rows, the first cell of each being its head.
func (p *pane) table(heads []string, rows [][]string) HTML {
	if len(rows) == 0 {
		return tagText("p", p.w.T("table.empty"))
	}
	var head, body []HTML
	for _, h := range heads {
		if p.w.Has(h) {
			h = p.w.T(h)
		} else {
			h = p.w.Phrase(h)
		}
		head = append(head, tagText(`th scope="col"`, h))
	}
	for i, r := range rows[:min(len(rows), maxTable)] {
		cells := []HTML{tagText(`th scope="row"`, r[0])}
		for _, c := range r[1:] {
			cells = append(cells, tagText("td", c))
		}
		body = append(body, el("tr", at("data-key", fmt.Sprint(i)), cells...))
	}
	return el(`div class="wrap" tabindex="0" role="region"`, at("aria-label", p.w.T("as.table")),
		tag(`table class="data"`, tag("thead", tag("tr", head...)), tag("tbody", body...)))
}

// thinned tells whether row i of n, for one of several methods, stands in a table that has
// room for maxTable rows: evenly spaced ones and the last.
func thinned(i, n, methods int) bool { return i%max(n*methods/maxTable, 1) == 0 || i == n-1 }

// known is a number, or a dash for one that is not known.
func (p *pane) known(x float64, decimals int) string {
	if !num.Finite(x) {
		return "–"
	}
	return p.num(format.Fixed(x, decimals))
}
