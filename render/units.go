package render

import (
	"logzlab/core/format"
)

var unitsScene = register(scene{name: "units", draw: units, key: (*Picture).turn,
	tell: tellHand, moves: func(p *Picture, still bool) bool { return p.playing(still) || !still && p.gliding() }})

// units shows the rows of one method as pictures. Rows that go through
// temperatures are shown as a film: a column is a chain, a line a temperature, so
// that a picture condenses downwards. Otherwise, or at a tap, all rows are tiles, as they are while the record plays or
// is gone through by hand.
func units(a *area, p *Picture) []layer {
	u, pad := a.u, 24*a.u
	if a.compact() {
		pad = 16 * u
	}
	w, among := p.pick(func(w *wall) bool { return !w.blind })
	if w == nil || a.w-2*pad < 32*u || a.h < 88*u {
		return []layer{note(a, "No particles yet")}
	}
	var top layer
	down := head(a, p, &top, pad, w, among)
	if w.recorded() && a.h >= 200*u {
		a = p.barBelow(a, &top, w)
	}
	if w.tempered() {
		a = columnBeside(a, &top, p.level(w, a), down)
	}
	w = p.held(w, a.still)
	if w.w == 0 {
		b := rect{pad, 36*u + down, a.w - 2*pad, a.h - 52*u - down}
		return append(scatter(a, w, b), status(a, w, rect{pad, 8*u + down, b.w, 20 * u}, len(w.slots), 0), top)
	}
	_, _, known := w.beta()
	if known && !p.tiled && !p.hand.on {
		if film, ok := reel(a, w, pad, down); ok {
			reelSwitch(a, &film, pad, down, a.say("Show all")+" "+format.Grouped(float64(w.filled()), 0))
			return []layer{film, top}
		}
	}
	room := 0.0
	if known {
		room = reelSwitch(a, &top, pad, down, a.say("By temperature"))
	}
	b := rect{pad, 36*u + down, a.w - 2*pad, a.h - 52*u - down}
	least := float64(smallest)
	if p.hand.on {
		least = legible
	}
	wall, shown := tiles(a, w, b, least)
	return []layer{wall, status(a, w, rect{pad, 8*u + down, b.w, 20 * u}, shown, room), top}
}

// status writes one line: method, phase, sweep, what the colour means, and the
// number of particles. What does not fit is left out, the last of these first;
// room at the right stays free.
func status(a *area, w *wall, b rect, shown int, room float64) (l layer) {
	t, u := a.theme, a.u
	x, y := b.x, b.y+16*u
	end := b.x + b.w - room
	beta, shared, known := w.beta()
	type item struct {
		s  string
		st style
	}
	items := []item{{a.methodLabel(w.method), strong}}
	if w.phase != "" {
		items = append(items, item{a.say(w.phase), plain})
	}
	if w.steps > 0 {
		items = append(items, item{w.updates(a), plain})
	}
	if known && shared {
		items = append(items, item{"\u03b2 = " + format.AtMost(beta, 2), plain})
	}
	items = append(items, item{particles(a, w, shown), plain})
	for i, it := range items {
		wd := a.fonts.width(it.s, it.st)
		if known && !shared && i+1 == len(items) {
			end = betaScale(a, &l, x, y, end) // comes before the count
		}
		if i > 0 && x+wd > end {
			break
		}
		if known && shared && i+2 == len(items) {
			if x+10*u+wd > end {
				break
			}
			l.add(mark{kind: fill, box: snap(rect{x, y - 9*u, 4 * u, 10 * u}), color: t.BetaColor(beta)})
			x += 10 * u
		}
		c := t.Ink2
		if it.st == strong {
			c = t.Ink
		}
		l.label(it.s, x, y, it.st, c, left)
		x += wd + 12*u
	}
	return l
}

// particles says how many there are, and how many of them are on show.
func particles(a *area, w *wall, shown int) string {
	n := w.filled()
	switch {
	case shown < len(w.slots) && w.w > 0:
		return format.Grouped(float64(shown), 0) + " " + a.say("of") + " " + format.Grouped(float64(len(w.slots)), 0)
	case n == 1:
		return "1 " + a.say("particle")
	}
	return format.Grouped(float64(n), 0) + " " + a.say("particles")
}

// betaScale is the scale of inverse temperatures.
func betaScale(a *area, l *layer, x, y, end float64) float64 {
	return a.colorScale(l, x, y, end, "\u03b2 = 0", "1", a.theme.BetaColor)
}
