package view

import (
	"strings"

	"logzlab/core/format"
	"logzlab/core/runstate"
	"logzlab/core/spec"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// roomPanel replaces the checks, or is shown above them, while a room is open.
func (p *page) roomPanel() html.HTML {
	if p.Room.IsDevice() {
		return html.Tag(`div class="room"`, p.devicePanel()...)
	}
	return html.Tag(`div class="room"`, p.hostPanel()...)
}

// hostPanel is the panel of the host, made for a projector: code, link, devices, replicates, and the estimate as it
// converges.
func (p *page) hostPanel() []html.HTML {
	w, r := p.w, &p.Room
	if r.Phase == state.RoomRefused || r.Phase == state.RoomClosed || r.Code == "" {
		return []html.HTML{p.roomState(), p.leaveButton("room.leave.host")}
	}
	link := p.RoomURL()
	site, code, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(link, "http://"), "https://"), "#")

	// How to join, until the run ends.
	children := []html.HTML{}
	if r.Phase != state.RoomDone {
		note := ""
		if p.Unreachable() {
			note = w.T("share.local")
		}
		join := `div class="join"`
		if r.Phase == state.RoomLobby {
			join = `div class="join lobby"`
		}
		children = append(children, html.Tag(join, p.drawQR(link, w.T("qr")),
			html.Tag("div", html.TagText("p", w.T("room.code")),
				html.TagText(`b class="code" aria-hidden="true"`, r.Code),
				html.TagText(`span class="vh"`, strings.Join(strings.Split(r.Code, ""), " ")), // a screen reader reads it letter by letter
				html.Tag(`code class="link"`, html.Text(site), "<wbr>",
					html.Text("#"+code)))), html.TagText(`p class="why"`, note))
	}

	// The run, by the phase of the room.
	if r.Phase == state.RoomDone { // the final result first
		children = append(children, p.endCard(), p.roomState())
		children = append(append(children, p.receipts()...), p.estimateHistogram(), p.convergencePlot(), p.confirmations(), p.deviceDots(), p.replicateField())
	} else if r.Phase == state.RoomLobby {
		children = append(children, p.roomState(), p.deviceDots())
	} else {
		children = append(children, p.roomState(), p.deviceDots(), p.replicateField(), p.confirmations(), p.convergencePlot())
	}
	return append(children, p.roomEnd()...)
}

// receipts lists the checksums of a finished run, with a warning if they are not confirmed.
func (p *page) receipts() (children []html.HTML) {
	for i, hash := range p.Room.Board.Hash {
		if hash == "" { // the method failed
			continue
		}
		title := p.w.T("hash")
		if p.Room.Hosting && i < len(p.Spec.Methods) {
			title = state.Label(p.Spec.Methods[i])
		}
		children = append(children, html.Tag(`p class="receipt agree"`, html.Text(title+" "), html.TagText("code",
			format.Spaced(hash))))
	}
	if len(children) > 0 {
		children = append(children, p.unconfirmedMark())
	}
	return children
}

// unconfirmedMark warns that the result is not confirmed; "" if it is.
func (p *page) unconfirmedMark() html.HTML {
	w, b := p.w, &p.Room.Board
	if !b.Marked() {
		return ""
	}
	return html.Tag(`p class="agreed"`, html.Icon("v-caution", "i caution"), html.TagText("b", w.T("room.marked",
		b.Unconfirmed, b.Replicates)))
}

// roomEnd has the host's buttons and, at the end, the command that reproduces the result.
func (p *page) roomEnd() []html.HTML {
	w, r := p.w, &p.Room
	switch r.Phase {
	case state.RoomEntering:
		return []html.HTML{p.leaveButton("room.leave.host")}
	case state.RoomStarting: // opening the model may have failed here
		if p.State == runstate.Loading || p.Begun() {
			return []html.HTML{p.leaveButton("room.leave.host")}
		}
		fallthrough
	case state.RoomLobby:
		children := []html.HTML{html.Tag(`div class="pair"`, html.Tag(`button type="button" class="primary" `+
			`data-event="start-room"`, html.Text(w.T("room.start"))), p.leaveButton("room.leave.host"))}
		if p.Spec != nil {
			children = append(children, html.TagText(`p class="why"`, w.T("room.replicates", p.Count(float64(r.Replicates(p.Spec))))))
		}
		return children
	}
	if r.Phase != state.RoomDone {
		lend := html.El(`input type="checkbox" data-show="lend"`, html.At("checked", html.When(!r.HostIdle)))
		return []html.HTML{html.Tag(`label class="lend"`, lend, html.Text(w.T("room.lend"))),
			html.El(`button type="button" data-event="close-room"`, html.At("disabled", html.When(r.Phase != state.RoomWorking),
				"title",
				w.T("room.close.why")), html.Text(w.T("room.close")))}
	}
	children := []html.HTML{html.TagText(`p class="why"`, w.T("room.more")), html.Tag(`div class="pair"`,
		html.Button("", "start-room", "", html.Text(w.T("room.again"))), p.leaveButton("room.leave.host"))}
	if r.Board.Hash != nil {
		children = append(children, html.TagText(`p class="why"`, w.T("room.alone")), html.TagText(`code class="link"`, p.Command()))
	}
	return children
}

func (p *page) leaveButton(key string) html.HTML {
	return html.Button("", "leave-room", "", html.Text(p.w.T(key)))
}

// roomState is the state of the room in one sentence.
func (p *page) roomState() html.HTML {
	phase := p.Room.Phase.Key()
	if p.Room.Disconnected {
		phase = "lost"
	}
	return html.El(`p class="stood" role="status"`, html.At("data-phase", phase), html.Text(p.roomSentence()))
}

// roomSentence describes the state of the room.
func (p *page) roomSentence() string {
	w, r := p.w, &p.Room
	switch {
	case r.Phase == state.RoomRefused:
		return w.Sentence(r.Reason)
	case r.Disconnected:
		return w.T("room.lost")
	case r.Phase == state.RoomDone && r.Board.Early && r.Hosting, r.Phase == state.RoomClosed && r.Board.Early:
		return w.T("room.early")
	case r.IsDevice() && r.Phase == state.RoomLobby:
		return w.T("room.waiting")
	case r.Phase == state.RoomWorking && r.Board.Confirming():
		return w.T("room.confirming", r.Board.Replicates-r.Board.Once, r.Board.Replicates)
	case r.IsDevice() && r.Phase == state.RoomDone:
		return w.T("room.next")
	}
	return w.T("room." + r.Phase.Key())
}

// deviceDots shows one mark for each device: filled while connected, crossed if excluded.
func (p *page) deviceDots() html.HTML {
	var marks []html.HTML
	for _, d := range p.Room.Devices {
		class := "gone"
		switch {
		case d.Excluded:
			class = "out"
		case p.Room.IsConnected(d):
			class = "here"
		}
		marks = append(marks, html.El("i", html.At("class", class, "data-key", d.ID)))
	}
	return html.Tag(`div class="devices"`, html.TagText("p", p.w.T("room.devices", p.Room.Connected())),
		html.Tag(`div class="dots" aria-hidden="true"`, marks...))
}

// roomShare returns the share of the run that is done.
func (p *page) roomShare() float64 {
	if p.Room.Hosting {
		return p.Share
	}
	return p.Room.Board.Share
}

// confirmations tells the host how many replicates were confirmed.
func (p *page) confirmations() html.HTML {
	w, c, b := p.w, p.Room.Counts, &p.Room.Board
	children := []html.HTML{}
	if c.Agreed > 0 {
		children = append(children, html.Icon("v-trust", "i trust"), html.TagText("b", w.T("room.agree", p.Count(float64(c.Agreed)))))
	}
	if c.Own > 0 {
		children = append(children, html.Icon("v-trust", "i trust"), html.TagText("b", w.T("room.host", p.Count(float64(c.Own)))))
	}
	if c.Excluded > 0 {
		children = append(children, html.Icon("v-caution", "i caution"), html.TagText("b", w.T("room.left", c.Excluded)))
	}
	if b.Hash != nil && b.Once > 0 && !b.Marked() {
		children = append(children, html.TagText("b", w.T("room.once", b.Once, b.Replicates)))
	}
	return html.Tag(`p class="agreed"`, children...)
}

// joinField is the field for a room code.
func (p *page) joinField() html.HTML {
	return html.Tag(`p class="joins"`, html.TagText(`label for="join"`, p.w.T("room.join")),
		html.Tag(`input type="text" id="join" maxlength="200" autocomplete="off" autocapitalize="characters"`))
}

// setupRoom is the button of the setup that opens the share sheet at its section about rooms.
func (p *page) setupRoom() html.HTML {
	if !p.Browser.Rooms || p.Spec == nil {
		return ""
	}
	return html.El(`button type="button" class="quiet" data-event="class" aria-haspopup="dialog"`,
		html.At("data-key", "room"), html.Text(p.w.T("room.setup")))
}

// roomSheet is the part of the share sheet about rooms; "" if the server has none.
func (p *page) roomSheet() html.HTML {
	w := p.w
	if !p.Browser.Rooms || p.Room.InRoom() {
		return ""
	}
	children := []html.HTML{html.TagText("h3", w.T("room")), html.TagText(`p class="why"`, w.T("room.why"))}
	if spec.IsFile(p.Spec.Model) {
		children = append(children, html.TagText(`p class="why"`, w.T("room.give.why")),
			html.Tag(`div class="pair"`, html.Button("", "open-room", "give", html.Text(w.T("room.give"))),
				html.Button("", "open-room", "", html.Text(w.T("room.keep")))))
	} else {
		children = append(children, html.Tag(`button type="button" id="open-room" data-event="open-room"`,
			html.Text(w.T("room.open"))))
	}
	return html.Tag(`section class="rooms" id="room-part"`, append(children, p.joinField())...)
}
