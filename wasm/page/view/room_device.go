package view

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// devicePanel is the panel of a room on a device.
func (p *page) devicePanel() []html.HTML {
	w, r := p.w, &p.Room
	if r.NeverJoined() {
		return nil // the headline gives the reason
	}
	if r.Phase == state.RoomLobby { // the headline has everything else
		return []html.HTML{p.leaveButton("room.leave")}
	}
	children := []html.HTML{html.Tag(`p class="where"`, html.Text(w.T("room.in")+" "),
		html.TagText(`b class="code"`, r.Code)), p.roomState()}
	children = append(children, html.TagText("p", w.T("room.given", p.Count(float64(r.Submitted)))), p.replicateField())
	children = append(children, p.receipts()...)
	key := "room.leave"
	if r.Phase != state.RoomWorking {
		key = "room.leave.over"
	}
	return append(children, p.leaveButton(key))
}

// number is the headline of the results. On a device in a room it is the current question or the result of this device.
func (p *page) number() html.HTML {
	if q := p.Room.Board.Ask; p.Room.IsDevice() && p.Room.Phase < state.RoomClosed && q != nil && (q.Open || !p.Room.Computing()) {
		return p.ballot()
	}
	if p.Room.IsDevice() && p.Room.Phase == state.RoomLobby { // there is no picture yet
		return html.El(`section id="r-head" class="r-head ask"`, html.At("aria-label", p.w.T("room"), "tabindex", "0"),
			html.Tag(`h1 class="ballot-ask"`, html.Text(p.w.T("room.in")+" "),
				html.TagText(`span class="code"`, p.Room.Code)), p.roomState())
	}
	if p.Room.IsDevice() {
		return p.deviceHead()
	}
	return p.head()
}

// deviceHead shows the device's own estimate, and the pooled estimate of all devices.
func (p *page) deviceHead() html.HTML {
	w, b := p.w, p.Room.Board
	if p.Room.NeverJoined() { // the reason first, also on a phone
		return html.El(`section id="r-head" class="r-head room"`, html.At("aria-label", w.T("room"), "tabindex", "0"),
			html.Tag(`h1 class="r-of"`, html.Text(w.T("room.in")+" "), html.TagText(`span class="code"`, p.Room.Code)),
			p.roomState(), p.joinField(), p.leaveButton("room.leave.refused"))
	}

	// The device's own estimate.
	nan := math.NaN()
	number, why := []html.HTML{html.TagText(`span class="n soft"`, "–")}, p.whyNone()
	se := nan
	if b.SE != nil {
		se = *b.SE
	}
	own, _ := p.Room.OwnEstimate()
	if num.NotNaN(own) {
		d := format.Decimals(se)
		number, why = []html.HTML{html.TagText(`span class="n"`, p.Num(format.Fixed(own, d)))}, w.T("room.own.why")
	}

	// The estimate of all devices, once known.
	pooledText := w.T("room.all.none")
	switch {
	case b.LogZ != nil && p.Room.Phase == state.RoomDone && num.NotNaN(own): // the estimate of this device and the final one
		pooledText = w.T("room.end", p.Num(format.Fixed(own, format.Decimals(se))), p.FormatEstimate(*b.LogZ, se))
	case b.LogZ != nil:
		pooledText = w.T("room.all", p.FormatEstimate(*b.LogZ, se))
	}
	if b.Exact != nil {
		pooledText += " " + w.T("room.exact", p.Num(format.Fixed(*b.Exact, 2)))
	}

	// The headline, with the histogram of all estimates.
	return html.El(`section id="r-head" class="r-head"`, html.At("aria-label", w.T("room.own"), "tabindex", "0"),
		html.Tag(`h1 class="r-of"`, html.LogZ, html.Text(" "), html.TagText("span",
			w.T("room.own"))), html.Tag(`p class="r-num"`, number...),
		html.TagText(`p class="why"`, why), html.TagText(`p class="reason"`, pooledText), p.estimateHistogram())
}

// whyNone explains why this device has no estimate of its own.
func (p *page) whyNone() string {
	switch r := &p.Room; {
	case r.Phase == state.RoomLobby:
		return ""
	case r.Phase < state.RoomDone:
		return p.w.T("room.own.none")
	case r.Board.Run != r.Run.ID:
		return p.w.T("room.own.missed")
	}
	return p.w.T("room.own.late")
}
