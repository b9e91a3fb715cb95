package view

import (
	"fmt"
	"slices"
	"strconv"

	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// deckRoom shows the room code beside the sentence of a lecture step, for latecomers.
func (p *page) deckRoom() html.HTML {
	if !p.Room.Hosting || p.Room.Code == "" {
		return ""
	}
	return html.Tag(`span class="deck-room"`, html.Text(p.w.T("room.in")+" "),
		html.TagText(`b class="code"`, p.Room.Code))
}

// voting shows, beside an open question, how to join the room and how many devices have voted.
func (p *page) voting() html.HTML {
	q := p.Room.Question
	if q == nil {
		return ""
	}
	return html.Tag(`div class="deck-voting"`, p.drawQR(p.RoomURL(), p.w.T("qr")), html.Tag("div",
		html.TagText(`b class="code"`, p.Room.Code), html.El(`p role="status"`, nil,
			html.Text(p.w.T("vote.count", q.Voted, max(q.Voted, p.Room.Connected()))))))
}

// tally draws the votes on a closed question as bars. ownAnswer is the index of this device's answer, -1 for none.
func (p *page) tally(q *state.Question, ownAnswer int) html.HTML {
	if q == nil || q.Open || len(q.Counts) < len(q.Answers) {
		return ""
	}
	maxVotes := max(slices.Max(q.Counts), 1)
	var bars []html.HTML
	for i, text := range q.Answers {
		class := ""
		if i == q.Right {
			class = "right"
		}
		mark := html.HTML("")
		if i == ownAnswer {
			class += " own"
			mark = html.TagText(`span class="mine"`, p.w.T("vote.own"))
		}
		bars = append(bars, html.El("li", html.At("class", class, "data-key", strconv.Itoa(i)),
			html.Tag("span", html.Text(text), mark),
			html.Tag(`svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"`,
				html.El(`rect height="6"`, html.At("width", fmt.Sprintf("%.1f", max(100*q.Counts[i]/maxVotes, .5))))),
			html.TagText("b", p.Count(q.Counts[i]))))
	}
	return html.El(`ol class="votes" type="A"`, html.At("aria-label", p.w.T("vote.all", q.Voted)), bars...)
}

// ballot is the question on a phone: answers to tap, or the counts after the question is closed.
func (p *page) ballot() html.HTML {
	w, q := p.w, p.Room.Board.Ask
	ownAnswer := -1
	if p.Room.VoteOn == q.Text {
		ownAnswer = p.Room.Vote
	}
	children := []html.HTML{html.TagText(`h1 class="ballot-ask"`, nonBreaking.Replace(q.Text))}
	if q.Open {
		var taps []html.HTML
		for i, text := range q.Answers {
			taps = append(taps, html.Tag("li", html.El(`button type="button" data-event="vote"`, html.At("data-value",
				strconv.Itoa(i), "aria-pressed", strconv.FormatBool(i == ownAnswer)), html.Text(text))))
		}
		hint := w.T("vote.tap")
		if ownAnswer >= 0 {
			hint = w.T("vote.given")
		}
		children = append(children, html.Tag(`ol class="ballot" type="A"`, taps...),
			html.TagText(`p class="why" role="status"`, hint))
	} else {
		children = append(children, p.tally(q, ownAnswer), html.TagText(`p class="why"`, w.T("vote.all", q.Voted)))
	}
	return html.El(`section id="r-head" class="r-head ask"`, html.At("aria-label", w.T("vote"), "tabindex", "0"), children...)
}

// classRuns is the button by which the host lets the devices of the room run the experiment of a lecture step.
func (p *page) classRuns() html.HTML {
	switch p.Room.Phase {
	case state.RoomDone:
		return ""
	case state.RoomStarting, state.RoomWorking:
		return html.TagText("p", p.roomSentence())
	}
	return html.Button("", "start-room", "", html.Text(p.w.T("room.run")))
}

// remote has the buttons that change the steps of a lecture, on the presenter's own phone.
func (p *page) remote() html.HTML {
	w, r := p.w, &p.Room
	if !r.IsDevice() || r.Remote == "" || r.Phase >= state.RoomClosed {
		return ""
	}
	status := w.T("remote.waits")
	if r.Board.Step > 0 {
		status = w.T("remote.step", strconv.Itoa(r.Board.Step))
	}
	return html.Tag(`div class="remote"`, html.Button("", "remote", "back", html.Text(w.T("deck.back"))),
		html.TagText(`p role="status"`, status), html.Button("primary", "remote", "next", html.Text(w.T("deck.next"))))
}

// remoteInvitation shows the QR code of the remote in the presenter's own window, where the class cannot see it.
func (p *page) remoteInvitation() html.HTML {
	if !p.Room.Hosting || p.Room.Code == "" || p.Room.Phase >= state.RoomClosed {
		return ""
	}
	return html.Tag(`div class="lend-remote"`, p.drawQR(p.RemoteURL(), p.w.T("qr")),
		html.Tag("p", html.TagText("b", p.w.T("remote")), html.Text(" "+p.w.T("remote.why"))))
}
