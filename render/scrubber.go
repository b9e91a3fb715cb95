package render

import (
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// scrubber is where a viewer holds a run that goes through temperatures: scenes then show its record there. The record
// plays once by itself when a run is over that was too fast to be watched.
type scrubber struct {
	on     bool
	beta   float64
	began  float64 // seconds: when the record began to play; 0: it does not play
	played bool    // it has played, or somebody took it
	opens  string  // where the record opens when the run is over, an inverse temperature; "": it plays
}

// The record plays from hot to cold in playTime seconds, by itself where a lane went that way in less than watchable.
const playTime, watchable = 6, 10

// leastShots is the number of moments from which on a record is worth going through.
const leastShots = 6

// recorded tells whether some row has pictures at enough temperatures.
func (w *wall) recorded() bool {
	for i := range w.slots {
		n := 0
		for k := range w.slots[i].shots {
			if w.slots[i].shots[k].ok {
				n++
			}
		}
		if n >= leastShots {
			return true
		}
	}
	return false
}

// pickHeld picks the wall to show among those with something to show, and that wall as the hand holds it, the same
// where it does not. A record that plays has come to the time of the painting by then: whatever a scene draws, it draws
// of one moment.
func (p *Run) pickHeld(a *paint.Area, has func(*wall) bool) (live, w *wall, among []*wall) {
	live, among = p.pick(has)
	return live, p.held(live, a.Still), among
}

// held is the wall as the hand holds it, w itself where it does not.
func (p *Run) held(w *wall, still bool) *wall {
	h := &p.scrubber
	if w != nil {
		w.now, w.still, w.over = p.now, still, p.state == "done"
	}
	if w == nil || !w.recorded() {
		return w
	}
	if p.state == "done" && !h.played {
		h.open(p.now, !still && w.descent() < watchable)
	}
	if h.began > 0 {
		u := (p.now - h.began) / playTime
		if h.beta = 1; u < 1 && !still {
			k, part := math.Modf(u * float64(len(w.moments)-1))
			h.beta = w.moments[int(k)] + (w.moments[int(k)+1]-w.moments[int(k)])*part
		} else {
			h.began = 0
		}
	}
	if !h.on {
		return w
	}
	return w.at(h.beta)
}

// descent is how long the last lane took from its first picture to its last, in seconds.
func (w *wall) descent() (seconds float64) {
	last := 0.0
	for _, c := range w.lanes {
		if c.seen >= last {
			last, seconds = c.seen, c.seen-c.first
		}
	}
	return seconds
}

// open shows the record of a run that is over: at the temperature that the link names, else it plays, if it may.
func (h *scrubber) open(now float64, plays bool) {
	h.played = true
	if beta, err := strconv.ParseFloat(h.opens, 64); err == nil {
		h.on, h.began, h.beta = true, 0, min(max(beta, 0), 1)
	} else if h.on = false; plays {
		h.play(now)
	}
}

func (h *scrubber) play(now float64) { h.on, h.played, h.began, h.beta = true, true, now, 0 }

// hold takes the hand to a temperature. At the cold end of a run that goes on, the picture is live again.
func (p *Run) hold(beta float64) {
	beta = min(max(beta, 0), 1)
	p.scrubber.on, p.scrubber.played, p.scrubber.began, p.scrubber.beta = beta < 1 || p.state == "done", true, 0, beta
}

// playing tells whether the record plays.
func (p *Run) playing(still bool) bool { return p.scrubber.began > 0 && !still }

// at is the wall as it was at an inverse temperature: each row as in the nearest picture of it, points that go through
// the temperatures once on the straight way between two pictures.
func (w *wall) at(beta float64) *wall {
	past := *w
	past.phase, past.step, past.steps = "", 0, 0
	past.slots = make([]slot, len(w.slots))
	k := schedule.Nearest(w.moments, beta)
	for i := range w.slots {
		s := &past.slots[i]
		*s = slot{beta: math.NaN(), logW: math.NaN(), rung: -1}
		if q := w.slots[i].near(k, len(w.moments)); q != nil {
			*s = slot{filled: true, cells: q.cells, shades: q.shades, at: q.at, values: q.values, beta: beta, logW: q.logW,
				rung: q.rung, shots: w.slots[i].shots}
			if w.w == 0 && num.Known(q.logW) {
				s.between(beta)
			}
		}
	}
	return &past
}

// between moves a point to where it was at an inverse temperature, between two pictures.
func (s *slot) between(beta float64) {
	var a, b *shot
	for k := range s.shots {
		if q := &s.shots[k]; !q.ok {
			continue
		} else if q.beta <= beta {
			a = q
		} else {
			b = q
			break
		}
	}
	if a == nil || b == nil {
		return
	}
	f := (beta - a.beta) / (b.beta - a.beta)
	s.at = paint.Pt(a.at.X+(b.at.X-a.at.X)*f, a.at.Y+(b.at.Y-a.at.Y)*f)
	s.valuesBefore, s.values, s.progress = a.values, b.values, f
	s.logW = a.logW + (b.logW-a.logW)*f
}

// turn takes a key of a scene with a record: arrows, Home and End move the hand, Escape lets it go.
func (p *Run) turn(key string) bool {
	w, _ := p.pick((*wall).recorded)
	if w == nil {
		return false
	}
	h := &p.scrubber
	if !h.on {
		h.beta = 1
	}
	k := schedule.Nearest(w.moments, h.beta)
	switch {
	case key == "ArrowLeft" && k > 0:
		p.hold(w.moments[k-1])
	case key == "ArrowRight" && h.on && k+1 < len(w.moments):
		p.hold(w.moments[k+1])
	case key == "Home":
		p.hold(0)
	case key == "End" && h.on:
		p.hold(1)
	case key == "Escape" && h.on:
		h.on, h.began = false, 0
	default:
		return false
	}
	return true
}

// tellScrubber says where the hand is.
func tellScrubber(a *paint.Area, p *Run) string {
	w, _ := p.pick((*wall).recorded)
	if w == nil || !p.scrubber.on {
		return ""
	}
	text := betaIs(p.scrubber.beta)
	if z, ok := p.logZAt(w.method, p.scrubber.beta); ok {
		text += ", " + z
	}
	return text
}

// atRungs reports whether a ladder has values at two rungs or more.
func atRungs(l *frame.Ladder) bool { return len(l.LogZ) == len(l.Beta) && len(l.Beta) > 1 }

// along is a value at an inverse temperature, between those at the rungs of a ladder; NaN if they are not known.
func along(l *frame.Ladder, x []float64, beta float64) float64 {
	if len(x) != len(l.Beta) {
		return math.NaN()
	}
	k := min(max(sort.SearchFloat64s(l.Beta, beta), 1), len(l.Beta)-1)
	f := min(max((beta-l.Beta[k-1])/(l.Beta[k]-l.Beta[k-1]), 0), 1)
	return x[k-1] + (x[k]-x[k-1])*f
}

// betaIs names an inverse temperature; only the ends are called 0 and 1.
func betaIs(beta float64) string {
	s := format.AtMost(beta, 2)
	for d := 3; d < 9 && (s == "0" && beta != 0 || s == "1" && beta != 1); d++ {
		s = format.AtMost(beta, d)
	}
	return "\u03b2 = " + s
}

// level is how high log Z stands at the temperature on show.
func (p *Run) level(w *wall, a *paint.Area) level {
	v := level{z: math.NaN(), se: math.NaN(), exact: math.NaN(), ink: a.Theme.Method(p.order(w.method))}
	beta, l, now := p.place(w), p.lastLadder(w.method, atRungs), p.newest(w.method)
	switch {
	case l == nil && now == nil && w.weighed != nil: // the first island on its way
		if beta, v.z = w.weighed.soFar(beta); num.Known(v.z) {
			l = &frame.Ladder{}
		}
	case l == nil && now != nil: // a device in a room knows only the estimate of all
		beta, l = 1, &frame.Ladder{Beta: []float64{0, 1}, LogZ: []float64{0, now.LogZ}}
	}
	if l == nil {
		return v
	}

	// Values on the ladder; at beta = 1 those of all runs, and the exact value.
	if len(l.Beta) > 0 {
		v.z, v.se, v.exact = along(l, l.LogZ, beta), along(l, l.SE, beta), along(l, l.Exact, beta)
	}
	if now != nil && beta == 1 { // of all repeated runs; a ladder is of the first
		v.z, v.se = now.LogZ, now.SE
	}
	if p.hasTruth && beta == 1 {
		v.exact = p.truth
	}

	// The span of the scale, and the clock while the run goes on.
	v.at = betaIs(beta)
	values := append(l.LogZ[:len(l.LogZ):len(l.LogZ)], v.z)
	if p.hasTruth {
		values = append(values[:len(values):len(values)], p.truth)
	}
	v.span(values...)
	if p.playing(a.Still) || p.state == "running" {
		v.wave = p.now
	}
	return v
}

// newest is how the estimate of a method stands, nil while there is none.
func (p *Run) newest(method string) *frame.Point {
	for _, c := range p.curves {
		if n := len(c.Points); c.Method == method && n > 0 {
			return &c.Points[n-1]
		}
	}
	return nil
}

// logZAt reads log Z at an inverse temperature, and its error bar, off the ladder of a method.
func (p *Run) logZAt(method string, beta float64) (text string, ok bool) {
	l := p.lastLadder(method, atRungs)
	if l == nil {
		return "", false
	}
	z, se := along(l, l.LogZ, beta), along(l, l.SE, beta)
	if now := p.newest(method); now != nil && beta == 1 {
		z, se = now.LogZ, now.SE
	}
	if !(math.Abs(z) <= largest) {
		return "", false
	}
	return "log Z(\u03b2) = " + barred(z, se), true
}

// barHeight is the room of the bar of a scene that has no other axis of temperatures, in CSS pixels.
const barHeight = 58

// barBelow draws the bar at the bottom of a scene and returns what is left for the rest.
func (p *Run) barBelow(a *paint.Area, l *paint.Layer, w *wall) *paint.Area {
	u, rest, pad := a.Unit, *a, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	rest.H -= barHeight * u
	x, y := paint.NewAxis(0, 1, pad+36*u, a.W-pad-12*u), a.H-barHeight*u+24*u
	p.bar(a, l, w, x, y)
	beta := p.place(w)
	name := betaIs(beta)
	half := a.Fonts.Width(name, paint.Strong) / 2
	at := min(max(x.At(beta), x.P0+half), x.P1-half)
	l.Label(name, at, y-10*u, paint.Strong, a.Theme.Ink, paint.Centre)
	if z, ok := p.logZAt(w.method, beta); ok && p.scrubber.on {
		wd := a.Fonts.Width(z, paint.Plain)
		switch {
		case at+half+14*u+wd < x.P1:
			l.Label(z, at+half+14*u, y-10*u, paint.Plain, a.Theme.Ink2, paint.Left)
		case at-half-14*u-wd > x.P0:
			l.Label(z, at-half-14*u, y-10*u, paint.Plain, a.Theme.Ink2, paint.Right)
		}
	}
	return &rest
}

// place is the temperature of the handle: where the hand is, else that of all rows, else the target.
func (p *Run) place(w *wall) float64 {
	if p.scrubber.on {
		return p.scrubber.beta
	}
	if b, shared, known := w.beta(); known && shared {
		return b
	}
	return 1
}

// bar draws the inverse temperatures of a record along an axis, from y down, as a bar with a handle: pressed and
// dragged it goes through the record, and the button before it plays it or stops that.
func (p *Run) bar(a *paint.Area, l *paint.Layer, w *wall, x paint.Axis, y float64) {
	t, u := a.Theme, a.Unit
	cells := 64
	if a.Compact() {
		cells = 32
	}
	for k := range cells {
		x0, x1 := math.Round(x.At(float64(k)/float64(cells))), math.Round(x.At(float64(k+1)/float64(cells)))
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x0, y, x1-x0, 8*u)),
			Color: t.BetaColor((float64(k) + 0.5) / float64(cells))})
	}
	if !w.recorded() {
		return
	}
	cy := y + 4*u
	if !a.Print {
		p.playButton(a, l, x.P0-30*u, cy)
	}
	beta := p.place(w)
	l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(x.At(beta), cy), R: 11 * u, Color: t.Ground, Halo: true},
		paint.Mark{Kind: paint.Disc, At: paint.Pt(x.At(beta), cy), R: 11 * u, Color: t.Ink, Hollow: 2 * u},
		paint.Mark{Kind: paint.Disc, At: paint.Pt(x.At(beta), cy), R: 5 * u, Color: t.BetaColor(beta)})
	a.OnTap(paint.XYWH(x.P0-8*u, cy-22*u, x.P1-x.P0+30*u, 44*u), paint.Action{Drag: true, Do: func(at paint.Point) {
		p.hold((at.X - x.P0) / (x.P1 - x.P0))
	}})
}

// playButton plays the record, or stops that.
func (p *Run) playButton(a *paint.Area, l *paint.Layer, from, cy float64) {
	t, u := a.Theme, a.Unit
	l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(from, cy), R: 11 * u, Color: t.Ink, Hollow: 1.5 * u, Halo: true})
	if p.scrubber.began > 0 {
		for _, dx := range [...]float64{-4.5, 1.5} {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink, Box: paint.Snap(paint.XYWH(from+dx*u, cy-5*u, 3*u, 10*u))})
		}
	} else {
		l.Add(paint.Mark{Kind: paint.Band, Color: t.Ink,
			Pts:   []paint.Point{{X: from - 3*u, Y: cy - 5.5*u}, {X: from + 6*u, Y: cy}},
			Lower: []paint.Point{{X: from - 3*u, Y: cy + 5.5*u}, {X: from + 6*u, Y: cy}}})
	}
	a.OnTap(paint.XYWH(from-22*u, cy-22*u, 44*u, 44*u), paint.Action{Do: func(paint.Point) {
		if h := &p.scrubber; h.began > 0 {
			h.began = 0
		} else {
			h.play(p.now)
		}
	}})
}
