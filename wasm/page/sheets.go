package page

import (
	"fmt"
	"slices"

	"logzlab/core/format"
)

// Sheets that open over the page; setup is one only where it has no pane.
var sheets = []string{"share", "export", "help", "menu", "table", "setup"}

// sheetPart is the open dialog; main.js shows it as a modal one.
func (p *pane) sheetPart() HTML {
	var title string
	var kids []HTML
	switch p.sheet {
	case "share":
		title, kids = p.w.T("share.title"), p.shareSheet()
	case "export":
		title, kids = p.w.T("export"), p.exportSheet()
	case "help":
		title, kids = p.w.T("help.title"), p.helpSheet()
	case "menu":
		title, kids = p.w.T("menu"), p.menuSheet()
	case "table":
		title, kids = p.w.T("table.title", p.w.T("scene."+p.scene())), p.tableSheet()
	default:
		return el("dialog", at(` id="sheet" data-keep="" data-open=""`))
	}
	head := el("div", at(` class="row"`), el("h2", at(` tabindex="-1" autofocus`), text(title)), button("quiet", "sheet", "", icon("i-close", "i"), el("span", at(` class="vh"`), text(p.w.T("close")))))
	return el("dialog", at(` id="sheet" data-keep=""`, "data-open", p.sheet, "class", "sheet-"+p.sheet, "aria-label", title), append([]HTML{head}, kids...)...)
}

func (p *pane) shareSheet() []HTML {
	w := p.w
	if p.spec == nil {
		return []HTML{tag("p", text(w.T("veil.nothing")))}
	}
	link := p.url(p.shared())
	check := func(name, says string, on, disabled bool) HTML {
		return el("label", at(``, "data-key", name), el("input", at(` type="checkbox"`, "data-show", name, "checked", when(on), "disabled", when(disabled))), text(says))
	}
	boxes := []HTML{tag("h3", text(w.T("share.show")))}
	for _, h := range Hideable {
		boxes = append(boxes, check(h, w.T("part."+h), !slices.Contains(p.hides, h), false))
	}
	boxes = append(boxes, check("receipt", w.T("share.receipt"), p.receipted, p.state != "done"))
	copyButton := func(class, what, key string) HTML {
		return el("button", at(` type="button" data-event="copy"`, "class", class, "data-value", what), text(w.T(key)))
	}
	return []HTML{
		el("code", at(` class="link" id="share-link"`), text(link)),
		el("div", at(` class="two"`), p.qr(link), el("div", at(` class="boxes"`), boxes...)),
		el("div", at(` class="pair"`), copyButton("primary", "link", "copy.link"), copyButton("", "command", "copy.command"), copyButton("", "embed", "copy.embed")),
		el("p", at(` class="why" role="status"`), text(p.copiedOr(w.T("characters", len(link))))),
		el("details", at(` data-keep=""`), tag("summary", text(w.T("share.code"))), el("code", at(` class="link" id="share-command"`), text(p.command())), el("code", at(` class="link" id="share-embed"`), text(p.embedCode()))),
	}
}

// copiedOr is the word that something was copied while that is news.
func (p *pane) copiedOr(other string) string {
	if p.copied != "" {
		return p.copied
	}
	return other
}

func (p *pane) exportSheet() []HTML {
	w := p.w
	none := p.reports == nil
	var items []HTML
	for _, x := range []string{"json", "csv", "picture", "command"} {
		off := none && x != "command" || x == "picture" && p.stage != "ready"
		items = append(items, el("li", at(``, "data-key", x), el("button", at(` type="button" data-event="export"`, "data-value", x, "disabled", when(off)), text(w.T("export."+x))), el("span", at(` class="why"`), text(w.T("export."+x+".why")))))
	}
	return []HTML{el("ul", at(` class="choices"`), items...), el("p", at(` class="why" role="status"`), text(p.copied))}
}

func (p *pane) helpSheet() []HTML {
	w := p.w
	var keys []HTML
	for _, k := range [][2]string{{"key.space", "help.run"}, {"key.right", "help.step"}, {"R", "help.restart"}, {"N", "help.seed"}, {"1 – 5", "help.scenes"}, {"key.arrows", "help.scrub"}, {"?", "help.help"}, {"Esc", "help.esc"}} {
		name := k[0]
		if w.Has(name) {
			name = w.T(name)
		}
		keys = append(keys, el("div", at(``, "data-key", k[0]), tag("dt", tag("kbd", text(name))), tag("dd", text(w.T(k[1])))))
	}
	return []HTML{el("dl", at(` class="keys"`), keys...), el("p", at(` class="why"`), text(w.T("help.more")))}
}

func (p *pane) menuSheet() []HTML {
	w := p.w
	item := func(event, value, says string) HTML {
		return el("li", at(``, "data-key", event+value), button("", event, value, text(says)))
	}
	return []HTML{el("ul", at(` class="choices"`),
		el("li", at(` data-key="lessons"`), el("a", at(` class="button" href="lessons/index.html"`), text(w.T("lessons")))),
		el("li", at(` data-key="experiments"`), el("a", at(` class="button" href="experiments/index.html"`), text(w.T("experiments")))),
		item("sheet", "share", w.T("share")), item("sheet", "export", w.T("export")), item("sheet", "table", w.T("as.table")), item("sheet", "help", w.T("help.title")),
		item("theme", "light", w.T("theme.light")), item("theme", "dark", w.T("theme.dark")), item("theme", "projector", w.T("theme.projector")),
		item("lang", "en", "English"), item("lang", "de", "Deutsch"))}
}

// maxTable bounds the rows of the table behind a picture.
const maxTable = 200

// tableSheet is the picture as a table.
func (p *pane) tableSheet() []HTML {
	w := p.w
	says := el("p", at(` class="why"`), text(w.T("table.why."+p.scene())))
	table := func(heads []string, rows [][]string) HTML {
		var head, body []HTML
		for _, h := range heads {
			head = append(head, el("th", at(` scope="col"`), text(w.T(h))))
		}
		for i, r := range rows {
			if i == maxTable {
				break
			}
			cells := []HTML{el("th", at(` scope="row"`), text(r[0]))}
			for _, c := range r[1:] {
				cells = append(cells, tag("td", text(c)))
			}
			body = append(body, el("tr", at(``, "data-key", fmt.Sprint(i)), cells...))
		}
		if len(rows) == 0 {
			return tag("p", text(w.T("table.empty")))
		}
		return el("div", at(` class="wrap" tabindex="0" role="region"`, "aria-label", w.T("as.table")), el("table", at(` class="data"`), tag("thead", tag("tr", head...)), tag("tbody", body...)))
	}
	number := func(x float64, digits int) string {
		if x-x != 0 {
			return "–"
		}
		return format.Fixed(x, digits)
	}
	var rows [][]string
	switch p.scene() {
	case "trace":
		for _, r := range p.reports {
			h := p.history[r.Method]
			for i, q := range h {
				if i%max(len(h)*len(p.reports)/maxTable, 1) == 0 || i == len(h)-1 {
					rows = append(rows, []string{label(r.Method), format.Thousands(q.Sweeps), number(q.LogZ, 3), number(q.SE, 3), number(q.Lower, 3), number(q.Upper, 3)})
				}
			}
		}
		return []HTML{says, table([]string{"method", "field.sweeps", "field.logz", "field.se", "field.lower", "field.upper"}, rows)}
	case "ladder":
		for _, r := range p.reports {
			for k, g := range r.Ladder {
				if k%max(len(r.Ladder)*len(p.reports)/maxTable, 1) == 0 || k == len(r.Ladder)-1 {
					rows = append(rows, []string{label(r.Method), fmt.Sprint(k + 1), number(float64(g.Beta), 4), number(float64(g.LogZ), 3), number(float64(g.SE), 3)})
				}
			}
		}
		return []HTML{says, table([]string{"method", "rung", "beta", "field.logz", "field.se"}, rows)}
	}
	switch {
	case p.scene() == "formation":
		return []HTML{says, table(stageColumns, p.stageRows(number))}
	case p.scene() == "function":
		return []HTML{says, table([]string{"datum", "data.label", "data.fits"}, p.dataRows()), table(stageColumns, p.stageRows(number))}
	}
	for _, f := range p.looked {
		for i := range f.Beta {
			row := []string{fmt.Sprintf("%s %d", label(f.Method), f.First+i+1), number(float64(f.Beta[i]), 4), "–", "–"}
			if i < len(f.LogW) {
				row[2] = number(float64(f.LogW[i]), 2)
			}
			if 2*i+1 < len(f.Points) {
				row[3] = format.Fixed(float64(f.Points[2*i]), 2) + ", " + format.Fixed(float64(f.Points[2*i+1]), 2)
			} else if n := f.W * f.H; n > 0 && len(f.Pixels) >= (i+1)*n {
				on := 0
				for _, x := range f.Pixels[i*n : (i+1)*n] {
					if x == 1 {
						on++
					}
				}
				row[3] = fmt.Sprintf("%d / %d", on, n)
			}
			rows = append(rows, row)
		}
	}
	where := "cells.on"
	if p.scene() == "plane" {
		where = "place"
	}
	return []HTML{says, table([]string{"particle", "beta", "log.weight", where}, rows)}
}

// stageColumns are the columns of stageRows.
var stageColumns = []string{"stage", "field.logz", "exact", "ess.ratio", "particles", "of.generated", "resampled"}

// stageRows is the record of the island on show: what was known at each stage n.
func (p *pane) stageRows(number func(float64, int) string) (rows [][]string) {
	for _, f := range p.looked {
		if f.Growth == nil {
			continue
		}
		rec := f.Growth.Record
		for i, r := range rec {
			if i%max((len(rec)+maxTable-1)/maxTable, 1) != 0 && i != len(rec)-1 {
				continue
			}
			all, first, again := 0, 0, "–"
			for k, n := range r.Batches {
				all += int(n)
				if k == 0 {
					first = all
				}
			}
			if r.Resampled {
				again = p.w.T("yes")
			}
			rows = append(rows, []string{fmt.Sprint(r.N + 1), number(r.LogZ, 3), number(f.Growth.ExactAt(r.N+1), 3), number(float64(r.Gamma), 3), format.Thousands(float64(all)), format.Thousands(float64(all - first)), again})
		}
		return rows
	}
	return nil
}

// dataRows are the data that have come to a classifier, and how well they fit.
func (p *pane) dataRows() (rows [][]string) {
	for _, f := range p.looked {
		if f.Latent == nil {
			continue
		}
		for i, at := range f.Latent.At {
			fits := float64(at)
			if f.Latent.Label[i] < 0 {
				fits = 1 - fits
			}
			rows = append(rows, []string{fmt.Sprint(i + 1), format.Fixed(float64(f.Latent.Label[i]), 0), format.Fixed(fits, 3)})
		}
		return rows
	}
	return nil
}
