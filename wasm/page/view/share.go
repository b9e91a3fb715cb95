package view

import (
	"fmt"
	"slices"

	"logzlab/core/runstate"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// shareSheet has the forms of the link, and what the linked page shows.
func (p *page) shareSheet() []html.HTML {
	w := p.w
	if p.Spec == nil {
		return []html.HTML{html.TagText("p", w.T("veil.nothing"))}
	}
	link := p.URL(p.SharedView())

	// Which parts of the page the link shows.
	checkbox := func(name, label string, isChecked, isDisabled bool) html.HTML {
		return html.El("label", html.At("data-key", name),
			html.El(`input type="checkbox"`, html.At("data-show", name, "checked", html.When(isChecked), "disabled",
				html.When(isDisabled))), html.Text(label))
	}
	boxes := []html.HTML{html.TagText("h3", w.T("share.show"))}
	for _, h := range state.Hideable {
		boxes = append(boxes, checkbox(h, w.T("part."+h), !slices.Contains(p.Sharing.Hides, h), false))
	}
	boxes = append(boxes, checkbox("receipt", w.T("share.receipt"), p.Sharing.ExpectsHashes && !p.Sharing.Fresh,
		p.State != runstate.Done || p.Sharing.Fresh), checkbox("fresh", w.T("share.fresh"), p.Sharing.Fresh, false))

	// The link, and other forms of it.
	note := ""
	if p.Unreachable() {
		note = w.T("share.local")
	}
	copyButton := func(class, form, key string) html.HTML {
		return html.El(`button type="button" data-event="copy"`, html.At("class", class, "data-value", form),
			html.Text(w.T(key)))
	}
	return []html.HTML{
		html.TagText(`code class="link" id="share-link"`, link),
		html.TagText(`p class="why"`, note),
		html.Tag(`div class="two"`, p.drawQR(link, w.T("qr")), html.Tag(`div class="boxes"`, boxes...)),
		html.Tag(`div class="pair"`, copyButton("primary", "link", "copy.link"), copyButton("", "command", "copy.command"),
			copyButton("", "embed", "copy.embed")),
		html.TagText(`p class="why" role="status"`, p.Sharing.Copied),
		p.shortPart(), p.roomSheet(), p.codesSheet(), html.TagText(`p class="why" role="status"`, p.Codes.Status),
		html.Tag(`details data-keep=""`, html.TagText("summary", w.T("share.code")),
			html.TagText(`code class="link" id="share-command"`, p.Command()),
			html.TagText(`code class="link" id="share-embed"`, p.EmbedCode())),
	}
}

// copiedOr returns the message that something was copied while it is recent, and text otherwise.
func (p *page) copiedOr(text string) string {
	if p.Sharing.Copied != "" {
		return p.Sharing.Copied
	}
	return text
}

// shortPart is the part of the share sheet about the short link: a button, then the link with its QR code.
func (p *page) shortPart() html.HTML {
	if !p.Browser.Rooms {
		return ""
	}
	w, x := p.w, &p.Sharing.ShortLink
	switch {
	case x.Target != p.ShortLinkTarget():
		return html.Tag(`section class="rooms"`, html.Button("", "shorten", "", html.Text(w.T("share.short"))),
			html.TagText(`p class="why"`, w.T("share.short.why")))
	case x.URL == "":
		reason := x.Reason
		if reason == "" {
			reason = w.T("share.short.waits")
		}
		return html.Tag(`section class="rooms"`, html.Button("", "shorten", "", html.Text(w.T("share.short"))),
			html.TagText(`p class="why" role="status"`, reason))
	}
	return html.Tag(`section class="rooms"`, html.TagText(`code class="link" id="short-link"`, x.URL),
		html.Tag(`div class="two"`, p.drawQR(x.URL, w.T("qr")), html.Button("", "copy", "short",
			html.Text(w.T("copy.short")))))
}

// drawQR returns the QR code of a text, with a description for screen readers.
func (p *page) drawQR(text, description string) html.HTML {
	code, isCached := p.QRs[text]
	if !isCached {
		code = html.NewQR(text)
	}
	if code.Size == 0 {
		return ""
	}
	return html.El(`svg class="qr" shape-rendering="crispEdges" role="img"`,
		html.At("viewBox", fmt.Sprintf("-4 -4 %d %d", code.Size+8, code.Size+8), "aria-label", description),
		html.El("path", html.At("d", code.Path)))
}

// QRTexts returns the texts whose QR codes are currently shown.
func QRTexts(s *state.Snapshot) (texts []string) {
	if s.Spec == nil {
		return nil
	}
	if s.Panels.Sheet == "share" {
		texts = append(texts, s.URL(s.SharedView()))
		if code := s.ResultCode(); code != "" {
			texts = append(texts, code)
		}
		if s.Sharing.ShortLink.URL != "" {
			texts = append(texts, s.Sharing.ShortLink.URL)
		}
	}
	if s.Settings.Projector {
		texts = append(texts, s.URL(s.InvitationView()))
	}
	if d := s.Lecture.Deck; d != nil && s.Settings.Step > 0 {
		if address := d.Steps[s.Settings.Step-1].Address; address != "" {
			texts = append(texts, address)
		}
	}
	if s.Room.InRoom() {
		texts = append(texts, s.RoomURL())
	}
	if s.Room.Hosting && s.Lecture.Notes {
		texts = append(texts, s.RemoteURL())
	}
	return texts
}
