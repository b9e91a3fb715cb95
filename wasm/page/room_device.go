package page

import (
	"fmt"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators/report"
	"logzlab/wasm/room"
)

// devicePanel is what a device of the class shows beside its particles.
func (p *pane) devicePanel() []HTML {
	w, r := p.w, &p.room
	if r.keptOut() {
		return nil // the head says why
	}
	kids := []HTML{tag(`p class="where"`, text(w.T("room.in")+" "), tagText(`b class="code"`, r.code)), p.roomState()}
	kids = append(kids, tagText("p", w.T("room.given", p.count(float64(r.given)))), p.unitField(), p.strip())
	if r.board.Hash != nil {
		kids = append(kids, tag(`p class="receipt"`, text(w.T("hash")+" "), tagText("code", format.Spaced(r.board.Hash[0]))))
	}
	key := "room.leave"
	if r.phase != roomWorking {
		key = "room.leave.over"
	}
	return append(kids, p.leaveButton(key))
}

// follow gives the picture of a device the estimate of all, as the host tells it.
func (p *pane) follow(r *report.Report) {
	if b := p.room.board; b.LogZ != nil && b.SE != nil {
		r.LogZ, r.SE = report.Number(*b.LogZ), report.Number(*b.SE)
		r.Cost.Sweeps = report.Number(b.Share * p.cost(r))
	}
}

// number is the result, on a device in a room its own.
func (p *pane) number() HTML {
	if p.room.lent() {
		return p.deviceHead()
	}
	return p.head()
}

// own is this machine's estimate, NaN while there is none.
func (r *inRoom) own() float64 {
	if at, ok := r.board.Own[room.Machine(r.machine)]; ok && at >= 0 && at < len(r.board.Points) {
		return r.board.Points[at]
	}
	return math.NaN()
}

// deviceHead is the number of a device: its own estimate, and that of all.
func (p *pane) deviceHead() HTML {
	w, b := p.w, p.room.board
	if p.room.keptOut() { // first what is wrong and what to do, on a phone, too
		return el(`section id="r-head" class="r-head room"`, at("aria-label", w.T("room"), "tabindex", "0"),
			tag(`h1 class="r-of"`, text(w.T("room.in")+" "), tagText(`span class="code"`, p.room.code)),
			p.roomState(), p.joinField(), p.leaveButton("room.leave.refused"))
	}
	nan := math.NaN()
	number, why := []HTML{tagText(`span class="n soft"`, "–")}, w.T("room.own.none")
	se := nan
	if b.SE != nil {
		se = *b.SE
	}
	if own := p.room.own(); num.Known(own) {
		d := format.Decimals(se)
		number, why = []HTML{tagText(`span class="n"`, p.num(format.Fixed(own, d)))}, w.T("room.own.why")
		if p.spec.Replicates > 1 {
			why = w.T("room.own.most")
		}
	}
	all := w.T("room.all.none")
	if b.LogZ != nil {
		all = w.T("room.all", p.barred(*b.LogZ, se))
	}
	if b.Exact != nil {
		all += " " + w.T("room.exact", p.num(format.Fixed(*b.Exact, 2)))
	}
	return el(`section id="r-head" class="r-head"`, at("aria-label", w.T("room.own"), "tabindex", "0"),
		tag(`h1 class="r-of"`, logZ, text(" "), tagText("span", w.T("room.own"))), tag(`p class="r-num"`, number...),
		tagText(`p class="why"`, why), tagText(`p class="reason"`, all))
}

// strip is where the own estimate lies among all.
func (p *pane) strip() HTML {
	w, b := p.w, p.room.board
	if len(b.Points) < 2 {
		return tag(`div class="strip"`)
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, z := range b.Points {
		lo, hi = min(lo, z), max(hi, z)
	}
	if b.Exact != nil {
		lo, hi = min(lo, *b.Exact), max(hi, *b.Exact)
	}
	x := func(z float64) string { return fmt.Sprintf("%.1f", 8+304*(z-lo)/max(hi-lo, 1e-300)) }
	line := func(class string, z *float64) HTML {
		if z == nil {
			return ""
		}
		return el("path", at("class", class, "d", "M"+x(*z)+" 2V36"))
	}
	kids := []HTML{`<path class="axis" d="M4 38H316"/>`, line("exact", b.Exact), line("pooled", b.LogZ)}
	for i, z := range b.Points { // those that lie together stand above each other
		kids = append(kids, el(`circle r="3"`, at("cx", x(z), "cy", fmt.Sprint(11+8*(i%3)))))
	}
	says := w.T("room.strip", len(b.Points))
	if own := p.room.own(); num.Known(own) {
		kids = append(kids, el(`path class="own"`, at("d", "M"+x(own)+" 9l7 10-7 10-7-10z")))
		below := 0
		for _, z := range b.Points {
			if z < own {
				below++
			}
		}
		says = w.T("room.strip.own", below, len(b.Points)-1)
	}
	end := func(z float64) HTML { return tagText("span", p.num(format.Fixed(z, format.Decimals((hi-lo)/10)))) }
	return tag(`div class="strip"`, tag(`svg aria-hidden="true" viewBox="0 0 320 40"`, kids...),
		tag(`p class="ends"`, end(lo), end(hi)), tagText(`p class="why"`, says+" "+w.T("room.strip.lines")))
}
