package view

import (
	"cmp"
	"strings"

	"logzlab/core/runstate"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
	"logzlab/wasm/page/state"
)

// picture is the middle pane: tabs, caption, legend, and the iframe that holds the canvas.
func (p *page) picture() html.HTML {
	w := p.w
	current := scene.On(p.Snapshot)
	var tabs []html.HTML
	for _, s := range scene.Tabs(p.Snapshot) {
		why := w.T("scene.key", s.Key)
		if !s.Shows(p.Snapshot) {
			why = w.Phrase(s.Missing.Of(p.Snapshot))
		}
		tabs = append(tabs, p.tab("tab-", s, s == current.Tab(), s.Label, why))
	}
	views, labelled := p.views(current)
	text := w.Phrase(current.Captions.Of(p.Snapshot))
	return html.El(`section id="view" class="view"`, html.At("aria-label", w.T("picture")),
		html.Tag(`div class="tabbar"`, html.El(`div class="tabs" id="tabs" role="tablist"`, html.At("aria-label",
			w.T("picture")), tabs...),
			html.El(`button type="button" class="quiet table-link" data-event="sheet" data-value="table"`,
				html.At("hidden", html.When(p.Panels.FirstVisit)), html.Text(w.T("as.table")))),
		views,
		html.Tag(`div class="caption"`, html.Tag(`p id="caption"`, append(caption(text), p.offer(current))...), p.legend()),
		html.El(`div class="plate" id="plate" role="tabpanel" aria-describedby="caption"`,
			html.At("aria-labelledby", labelled),
			html.El(`iframe id="stage" data-keep=""`, html.At("title", text)), p.veil()),
		html.Tag(`p id="reads" class="reads" aria-live="off" data-keep="all"`)) // written by the page: values under the pointer
}

// views returns the tabs for the views of the current scene. selectedID is the id of the selected tab.
func (p *page) views(current *scene.Scene) (views html.HTML, selectedID string) {
	var tabs []html.HTML
	selectedID = "tab-" + current.Name
	for _, s := range current.Views(p.Snapshot) {
		if s == current {
			selectedID = "view-" + current.Name
		}
		tabs = append(tabs, p.tab("view-", s, s == current, cmp.Or(s.View, s.Label), html.Absent))
	}
	return html.El(`div class="views" id="views" role="tablist"`, html.At("aria-label",
		p.w.T("views", p.w.Phrase(current.Tab().Label)), "hidden", html.When(tabs == nil)), tabs...), selectedID
}

// tab is a button that shows a scene. If the scene cannot be shown, the tab is disabled, and why is its tooltip.
func (p *page) tab(prefix string, s *scene.Scene, isSelected bool, label, why string) html.HTML {
	index := "-1"
	if isSelected {
		index = "0"
	}
	return html.El(`button type="button" role="tab" aria-controls="plate"`,
		html.At("id", prefix+s.Name, "data-scene", s.Name, "aria-selected", html.Yes(isSelected), "tabindex", index,
			"aria-disabled", html.Yes(!s.Shows(p.Snapshot)), "title", why,
			"hidden", html.When(p.Panels.FirstVisit && !s.Shows(p.Snapshot))), html.Text(p.w.Phrase(label)))
}

// caption emphasises the first sentence of a text.
func caption(s string) []html.HTML {
	if first, rest, ok := strings.Cut(s, ". "); ok {
		return []html.HTML{html.TagText("b", first+"."), html.Text(" " + rest)}
	}
	return []html.HTML{html.TagText("b", s)}
}

// offer is the button by which a scene proposes another experiment, "" if it proposes none.
func (p *page) offer(now *scene.Scene) html.HTML {
	if now.Offer == nil {
		return ""
	}
	label, link := now.Offer(p.Snapshot)
	if link == "" {
		return ""
	}
	return html.Text(" ") + html.El(`button type="button" class="mend" data-event="mend"`, html.At("data-value", link),
		html.Text(p.w.Phrase(label)))
}

// legend explains sizes and colours; methods are labelled in the picture itself.
func (p *page) legend() html.HTML {
	var items []html.HTML
	if s := scene.On(p.Snapshot); s.Legend != nil {
		items = s.Legend(p.Snapshot)
	}
	return html.El(`ul class="legend"`, html.At("aria-label", p.w.T("legend")), items...)
}

// veil explains why there is no picture.
func (p *page) veil() html.HTML {
	w := p.w
	veil := func(key string, children ...html.HTML) html.HTML {
		explanation := []html.HTML{html.TagText("b", w.T(key)), html.TagText("p", w.T(key+".why"))}
		return html.Tag(`div class="veil" id="veil"`, append(explanation, children...)...)
	}

	// The page still loads, or the link, the run or the graphics failed.
	switch {
	case p.Shell: // the script shows the progress of the download
		return html.Tag(`div class="veil" id="veil"`, html.TagText("b", w.T("veil.boot")), html.Tag(`p id="bytes"`))
	case p.BadLink:
		return veil("veil.nothing")
	case p.State == runstate.Failed && !p.Begun():
		return veil("veil.failed")
	case p.Canvas.State == state.CanvasFailed:
		children := []html.HTML{html.TagText(`p class="why"`, w.Phrase(p.Canvas.Detail)), p.sketch()}
		return veil("veil.nogl", append(children, html.Tag(`div class="pair"`,
			html.Button("", "sheet", "table", html.Text(w.T("as.table"))), html.Button("quiet", "picture-again", "",
				html.Text(w.T("again")))))...)

	// The picture waits for a file, a room, or a run.
	case p.State == runstate.Idle && p.Spec != nil && p.NeedsOwnFile():
		return html.Tag(`div class="veil" id="veil"`, html.TagText("b", w.T("veil.own")),
			html.TagText("p", w.T("own.lacks", p.Spec.Model)),
			html.Button("", "file", "", html.Text(w.T("choose.file"))))
	case p.Room.NeverJoined(): // the headline gives the reason
		return html.Tag(`div class="veil" id="veil"`)
	case p.Room.InRoom() && p.Canvas.State == state.CanvasReady: // the picture stays when the room closes
	case scene.Waits(p.Snapshot) && p.Canvas.State == state.CanvasReady:
		return html.Tag(`div class="veil clear" id="veil"`, html.TagText("b", w.T("veil.ready")),
			html.TagText("p", w.T("veil.ready.why")))
	case p.State == runstate.Idle && (!scene.On(p.Snapshot).Early || p.Canvas.State != state.CanvasReady):
		return veil("veil.ready")
	case p.Canvas.State != state.CanvasReady:
		return veil("veil.loading", html.TagText("p", p.Canvas.Detail), p.sketch())
	}
	return html.Tag(`div class="veil" id="veil" hidden`)
}
