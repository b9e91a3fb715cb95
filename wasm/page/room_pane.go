package page

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/spec"
	"logzlab/wasm/room"
)

// hides are the parts of the page that are not shown: by the link, and, in a room, what would change what is run.
func (b *Brain) hides() []string {
	switch {
	case !b.room.on():
		return b.set.Hide
	case b.room.lent():
		return []string{"setup", "methods", "params", "advanced", "seed", "run", "forest", "checks", "numbers", "share"}
	}
	return append([]string{"setup", "run"}, b.set.Hide...)
}

// roomPanel stands beside the picture in place of the checks, or above them.
func (p *pane) roomPanel() HTML {
	if p.room.lent() {
		return tag(`div class="room"`, p.devicePanel()...)
	}
	return tag(`div class="room"`, p.hostPanel()...)
}

// hostPanel is for the projector: code, link, devices, units, and the estimate as it settles.
func (p *pane) hostPanel() []HTML {
	w, r := p.w, &p.room
	if r.phase == roomRefused || r.phase == roomClosed || r.code == "" {
		return []HTML{p.roomState(), p.leaveButton("room.leave.host")}
	}
	link := p.roomLink()
	site, code, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(link, "http://"), "https://"), "#")
	kids := []HTML{}
	if r.phase != roomDone {
		where := ""
		if p.local() && p.sharing.at == "" {
			where = w.T("share.local")
		}
		kids = append(kids, tag(`div class="join"`, r.qr.draw(link, w.T("qr")), tag("div", tagText("p", w.T("room.code")),
			tagText(`b class="code" aria-hidden="true"`, r.code),
			tagText(`span class="vh"`, strings.Join(strings.Split(r.code, ""), " ")), // read letter by letter
			tag(`code class="link"`, text(site), "<wbr>", text("#"+code)))), tagText(`p class="why"`, where))
	}
	if r.phase == roomDone { // first what is left of it
		kids = append(kids, p.roomState())
		kids = append(append(kids, p.receipts()...), p.funnel(), p.agreed(), p.dots(), p.unitField())
	} else {
		kids = append(kids, p.roomState(), p.dots(), p.unitField(), p.agreed(), p.funnel())
	}
	return append(kids, p.roomEnd()...)
}

// receipts are the hashes of the run that is over.
func (p *pane) receipts() (kids []HTML) {
	for _, x := range p.reports {
		if x.Hash != "" {
			kids = append(kids, tag(`p class="receipt agree"`, text(label(x.Method)+" "),
				tagText("code", format.Spaced(x.Hash))))
		}
	}
	return kids
}

// roomEnd is what the host may do, and what is left in the end.
func (p *pane) roomEnd() []HTML {
	w, r := p.w, &p.room
	if r.phase == roomOpening { // perhaps its model cannot be made here
		return []HTML{p.leaveButton("room.leave.host")}
	}
	if r.phase != roomDone {
		lend := el(`input type="checkbox" data-show="lend"`, at("checked", when(!r.idle)))
		return []HTML{tag(`label class="lend"`, lend, text(w.T("room.lend"))),
			el(`button type="button" data-event="close-room"`, at("disabled", when(r.phase != roomWorking), "title",
				w.T("room.close.why")), text(w.T("room.close")))}
	}
	var kids []HTML
	if !r.board.Early {
		kids = append(kids, tagText(`p class="why"`, w.T("room.alone")), tagText(`code class="link"`, p.command()))
	}
	return append(kids, p.leaveButton("room.leave.host"))
}

func (p *pane) leaveButton(key string) HTML { return button("", "leave-room", "", text(p.w.T(key))) }

// roomState says in one sentence how the room stands.
func (p *pane) roomState() HTML {
	phase := p.room.phase.key()
	if p.room.lost {
		phase = "lost"
	}
	return el(`p class="stood" role="status"`, at("data-phase", phase), text(p.roomSays()))
}

func (p *pane) roomSays() string {
	w, r := p.w, &p.room
	switch {
	case r.phase == roomRefused:
		return w.Sentence(r.why)
	case r.lost:
		return w.T("room.lost")
	case r.phase == roomDone && r.board.Early, r.phase == roomClosed && r.board.Early:
		return w.T("room.early")
	case r.phase == roomWorking && r.code != "" && p.job == nil:
		return w.T("room.opening")
	}
	return w.T("room." + r.phase.key())
}

// machines are the devices of a room, those of one machine together.
func machines(devices []room.Device) (all []room.Device) {
	at := map[string]int{}
	for _, d := range devices {
		id := room.Machine(d.ID)
		i, ok := at[id]
		if !ok {
			i, at[id] = len(all), len(all)
			all = append(all, room.Device{ID: id, Joined: d.Joined})
		}
		m := &all[i]
		m.Seen, m.Given, m.Out = max(m.Seen, d.Seen), m.Given+d.Given, m.Out || d.Out
	}
	return all
}

// seenLately is for how long, in seconds, a device counts as there since the server last heard of it.
const seenLately = 30

// dots are the machines in the room: filled while they are there, crossed when they were left out.
func (p *pane) dots() HTML {
	w := p.w
	all := machines(p.room.devices)
	newest := int64(0)
	for _, m := range all {
		newest = max(newest, m.Seen)
	}
	var marks []HTML
	here := 0
	for _, m := range all {
		class := "gone"
		switch {
		case m.Out:
			class = "out"
		case newest-m.Seen <= seenLately:
			class = "here"
			here++
		}
		marks = append(marks, el("i", at("class", class, "data-key", m.ID)))
	}
	return tag(`div class="devices"`, tagText("p", w.T("room.devices", here, len(all))),
		tag(`div class="dots" aria-hidden="true"`, marks...))
}

// fieldWide is how many units stand in a row of the field.
const fieldWide, fieldMost = 40, 800

// unitField is a cell for each unit, or for some: those that are done, and those that wait in the room.
func (p *pane) unitField() HTML {
	r := &p.room
	put, done := max(r.info.Units, r.info.Done), r.info.Done
	each := max((put+fieldMost-1)/fieldMost, 1)
	cells, full := (put+each-1)/each, done/each
	if done == put { // the last cell may be of fewer
		full = cells
	}
	high := max((cells+fieldWide-1)/fieldWide, 1)
	var whole, open strings.Builder
	for y := range high {
		for x := range fieldWide {
			switch k := y*fieldWide + x; {
			case k < full:
				fmt.Fprintf(&whole, "M%d %dh3v3h-3z", 4*x, 4*y)
			case k < cells:
				fmt.Fprintf(&open, "M%d.5 %d.5h2v2h-2z", 4*x, 4*y)
			}
		}
	}
	return tag(`div class="units"`, tagText("p", p.w.T("room.units", p.count(float64(done)), percentOf(p.roomShare()))),
		el(`svg aria-hidden="true"`, at("viewBox", fmt.Sprintf("-0.5 -0.5 %d %d", 4*fieldWide, 4*high)),
			el(`path class="open"`, at("d", open.String())), el("path", at("d", whole.String()))))
}

// roomShare is how much of the run is done.
func (p *pane) roomShare() float64 {
	if p.room.hosts() {
		return p.share()
	}
	return p.room.board.Share
}

// agreed says what the second looks have found.
func (p *pane) agreed() HTML {
	w, c := p.w, p.room.counts
	kids := []HTML{}
	if c.Agreed > 0 {
		kids = append(kids, icon("v-trust", "i trust"), tagText("b", w.T("room.agree", p.count(float64(c.Agreed)))))
	}
	if c.Left > 0 {
		kids = append(kids, icon("v-caution", "i caution"), tagText("b", w.T("room.left", c.Left)))
	}
	return tag(`p class="agreed"`, kids...)
}

// Size of the funnel, in units of its view box.
const funnelWide, funnelHigh = 320.0, 110.0

// funnel is the pooled estimate with its error bar against the units done, and the exact value. Dotted is how the last
// bar would have shrunk as 1/√n.
func (p *pane) funnel() HTML {
	course := p.room.course
	if len(course) < 2 {
		return tag(`div class="funnel"`)
	}
	last := course[len(course)-1]
	mid, exact := last.logZ, math.NaN()
	if x := p.room.board.Exact; x != nil {
		mid, exact = *x, *x
	}
	half := 0.0
	for i, x := range course {
		if i >= len(course)/8 {
			half = max(half, math.Abs(x.logZ-mid)+x.se)
		}
	}
	half = max(half, 3*last.se)
	x := func(n float64) float64 { return funnelWide * n / last.units }
	y := func(z float64) float64 {
		return min(max(funnelHigh/2*(1-(z-mid)/max(half, 1e-300)), -funnelHigh), 2*funnelHigh)
	}
	path := func(z func(c roomPoint) float64) string {
		var d strings.Builder
		for i, c := range course {
			fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(i, 1)], x(c.units), y(z(c)))
		}
		return d.String()
	}
	line := func(class string, z func(c roomPoint) float64) HTML {
		return el("path", at("class", class, "d", path(z)))
	}
	root := func(c roomPoint) float64 { return last.se * math.Sqrt(last.units/c.units) }
	up := path(func(c roomPoint) float64 { return c.logZ + c.se })
	slices.Reverse(course)
	down := path(func(c roomPoint) float64 { return c.logZ - c.se })
	slices.Reverse(course)
	kids := []HTML{el(`path class="band"`, at("d", up+"L"+down[1:]+"z")),
		line("root", func(c roomPoint) float64 { return mid + root(c) }),
		line("root", func(c roomPoint) float64 { return mid - root(c) }),
		line("pooled", func(c roomPoint) float64 { return c.logZ })}
	if num.Known(exact) {
		kids = append(kids, line("exact", func(roomPoint) float64 { return exact }))
	}
	return tag(`div class="funnel"`, el(`svg role="img" preserveAspectRatio="none"`,
		at("viewBox", fmt.Sprintf("0 0 %.0f %.0f", funnelWide, funnelHigh), "aria-label", p.w.T("room.funnel")), kids...),
		tagText(`p class="why"`, p.w.T("room.funnel")))
}

// joinField takes the code of a room.
func (p *pane) joinField() HTML {
	return tag(`p class="joins"`, tagText(`label for="join"`, p.w.T("room.join")),
		tag(`input type="text" id="join" maxlength="200" autocomplete="off" autocapitalize="characters"`))
}

// setupRoom leads from the setup to the rooms of the share sheet.
func (p *pane) setupRoom() HTML {
	if !p.browser.Rooms || p.spec == nil {
		return ""
	}
	return el(`button type="button" class="quiet" data-event="class" aria-haspopup="dialog"`,
		at("data-key", "room"), text(p.w.T("room.setup")))
}

// roomSheet is what the share sheet says of rooms: nothing where there are none.
func (p *pane) roomSheet() HTML {
	w := p.w
	if !p.browser.Rooms || p.room.on() {
		return ""
	}
	kids := []HTML{tagText("h3", w.T("room")), tagText(`p class="why"`, w.T("room.why"))}
	if spec.IsFile(p.spec.Model) {
		kids = append(kids, tagText(`p class="why"`, w.T("room.give.why")),
			tag(`div class="pair"`, button("", "open-room", "give", text(w.T("room.give"))),
				button("", "open-room", "", text(w.T("room.keep")))))
	} else {
		kids = append(kids, tag(`button type="button" id="open-room" data-event="open-room"`, text(w.T("room.open"))))
	}
	return tag(`section class="rooms" id="room-part"`, append(kids, p.joinField())...)
}
