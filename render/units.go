package render

import (
	"logzlab/core/format"
	"logzlab/render/paint"
)

var _ = register("units", func(r *Run) Scene { return &units{base: base{r}} })

// units shows the rows of one method as pictures. Rows that go through
// temperatures are shown as a film: a column is a chain, a line a temperature, so
// that a picture condenses downwards. Otherwise, or at a tap, all rows are tiles, as they are while the record plays or
// is gone through by hand.
type units struct {
	base
	tiled bool // all particles instead of the film
}

// Draw lays the scene out.
func (s *units) Draw(a *paint.Area) []paint.Layer {
	p := s.run
	u, pad := a.Unit, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	live, w, among := p.pickHeld(a, func(w *wall) bool { return !w.blind })
	if w == nil || a.W-2*pad < 32*u || a.H < 88*u {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}

	// What stands around the rows: header, bar of temperatures, column of log Z.
	var top paint.Layer
	down := header(a, p, &top, pad, live, among)
	if live.recorded() && a.H >= 200*u {
		a = p.barBelow(a, &top, live)
	}
	if live.tempered() {
		a = columnBeside(a, &top, p.level(live, a), down)
	}
	if w.w == 0 {
		b := paint.XYWH(pad, 36*u+down, a.W-2*pad, a.H-52*u-down)
		return append(scatter(a, w, b), status(a, w, paint.XYWH(pad, 8*u+down, b.W, 20*u), len(w.slots), 0), top)
	}

	// The film, or all rows as tiles.
	known := w.tempered() && w.rungs > 2 // between base and target alone nothing condenses
	if known && !s.tiled && !p.scrubber.on {
		if film, ok := layFilm(a, w, pad, down); ok {
			s.filmSwitch(a, &film, pad, down, a.Say("Side by side"))
			return []paint.Layer{film, top}
		}
	}
	room := 0.0
	if known {
		room = s.filmSwitch(a, &top, pad, down, a.Say("By temperature"))
	}
	b := paint.XYWH(pad, 29*u+down, a.W-2*pad, a.H-45*u-down)
	wall, shown := tiles(a, w, b, legible(a))
	return []paint.Layer{wall, status(a, w, paint.XYWH(pad, u+down, b.W, 20*u), shown, room), top}
}

// Key takes a key of the scene.
func (s *units) Key(name string) bool { return s.run.turn(name) }

// Describe says in words what is on show after a key.
func (s *units) Describe(a *paint.Area) string { return tellScrubber(a, s.run) }

// Moves reports whether the picture is on its way to another one.
func (s *units) Moves(still bool) bool { return s.run.playing(still) || !still && s.run.gliding() }

// status writes one line: method, phase, sweep, what the colour means, and the
// number of particles. What does not fit is left out, the last of these first;
// room at the right stays free.
func status(a *paint.Area, w *wall, b paint.Rect, shown int, room float64) (l paint.Layer) {
	t, u := a.Theme, a.Unit
	x, y := b.X, b.Y+16*u
	end := b.X + b.W - room
	beta, shared, known := w.beta()

	type item struct {
		s  string
		st paint.Style
	}
	items := []item{{a.MethodLabel(w.method), paint.Strong}}
	if w.phase != "" && !w.over {
		items = append(items, item{a.Say(w.phase), paint.Plain})
	}
	if w.steps > 0 && !w.over {
		items = append(items, item{w.updates(a), paint.Plain})
	}
	if known && shared {
		items = append(items, item{betaIs(beta), paint.Plain})
	}
	items = append(items, item{particles(a, w, shown), paint.Plain})

	// As many as fit.
	for i, it := range items {
		wd := a.Fonts.Width(it.s, it.st)
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
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x, y-9*u, 4*u, 10*u)), Color: t.BetaColor(beta)})
			x += 10 * u
		}
		c := t.Ink2
		if it.st == paint.Strong {
			c = t.Ink
		}
		l.Label(it.s, x, y, it.st, c, paint.Left)
		x += wd + 12*u
	}
	return l
}

// particles says how many there are, and how many of them are on show.
func particles(a *paint.Area, w *wall, shown int) string {
	n := w.filled()
	switch {
	case shown < len(w.slots) && w.w > 0:
		return format.Grouped(float64(shown), 0) + " " + a.Say("of") + " " + format.Grouped(float64(len(w.slots)), 0)
	case n == 1:
		return "1 " + a.Say("particle")
	}
	return format.Grouped(float64(n), 0) + " " + a.Say("particles")
}

// betaScale is the scale of inverse temperatures.
func betaScale(a *paint.Area, l *paint.Layer, x, y, end float64) float64 {
	return a.ColorScale(l, x, y, end, "\u03b2 = 0", "1", a.Theme.BetaColor)
}
