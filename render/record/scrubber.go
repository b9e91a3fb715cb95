package record

import (
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/runstate"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// scrubber is where a viewer holds a run that goes through temperatures: scenes then show its record there. The record
// plays once by itself when a run is over that was too fast to be watched.
type scrubber struct {
	On     bool
	Beta   float64
	Began  float64 // seconds: when the record began to play; 0: it does not play
	Played bool    // it has played, or somebody took it
	Opens  string  // where the record opens when the run is over, an inverse temperature; "": it plays
}

// The record plays from hot to cold in playTime seconds, by itself where a lane went that way in less than watchable.
const playTime, watchable = 6, 10

// leastShots is the number of moments from which on a record is worth going through.
const leastShots = 6

// Recorded tells whether some row has pictures at enough temperatures.
func (w *Particles) Recorded() bool {
	for i := range w.Slots {
		n := 0
		for k := range w.Slots[i].Shots {
			if w.Slots[i].Shots[k].Ok {
				n++
			}
		}
		if n >= leastShots {
			return true
		}
	}
	return false
}

// PickHeld is Pick, and also returns the particles as they were at the temperature that the scrubber holds, w itself where
// it holds none. A record that plays is moved to the time of the painting, so that a scene draws one moment only.
func (p *Run) PickHeld(a *paint.Area, has func(*Particles) bool) (live, w *Particles, among []*Particles) {
	live, among = p.Pick(has)
	return live, p.Held(live, a.Still), among
}

// Held returns the particles as they were at the temperature that the scrubber holds, w itself where it holds none.
func (p *Run) Held(w *Particles, still bool) *Particles {
	h := &p.Scrubber
	if w != nil {
		w.Now, w.Still, w.over = p.Now, still, p.State == runstate.Done
	}
	if w == nil || !w.Recorded() {
		return w
	}
	if p.State == runstate.Done && !h.Played {
		h.open(p.Now, !still && w.descent() < watchable)
	}
	if h.Began > 0 {
		u := (p.Now - h.Began) / playTime
		if h.Beta = 1; u < 1 && !still {
			k, part := math.Modf(u * float64(len(w.Moments)-1))
			h.Beta = w.Moments[int(k)] + (w.Moments[int(k)+1]-w.Moments[int(k)])*part
		} else {
			h.Began = 0
		}
	}
	if !h.On {
		return w
	}
	return w.at(h.Beta)
}

// descent is how long the last lane took from its first picture to its last, in seconds.
func (w *Particles) descent() (seconds float64) {
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
	h.Played = true
	if beta, err := strconv.ParseFloat(h.Opens, 64); err == nil {
		h.On, h.Began, h.Beta = true, 0, min(max(beta, 0), 1)
	} else if h.On = false; plays {
		h.play(now)
	}
}

func (h *scrubber) play(now float64) { h.On, h.Played, h.Began, h.Beta = true, true, now, 0 }

// hold takes the hand to a temperature. At the cold end of a run that goes on, the picture is live again.
func (p *Run) hold(beta float64) {
	beta = min(max(beta, 0), 1)
	p.Scrubber.On, p.Scrubber.Played, p.Scrubber.Began, p.Scrubber.Beta = beta < 1 || p.State == runstate.Done, true, 0, beta
}

// Playing tells whether the record plays.
func (p *Run) Playing(still bool) bool { return p.Scrubber.Began > 0 && !still }

// at returns the particles as they were at an inverse temperature: each as in the nearest picture of it, points that go through
// the temperatures once on the straight way between two pictures.
func (w *Particles) at(beta float64) *Particles {
	past := *w
	past.phase, past.step, past.Steps = "", 0, 0
	past.Slots = make([]Slot, len(w.Slots))
	k := schedule.Nearest(w.Moments, beta)
	for i := range w.Slots {
		s := &past.Slots[i]
		*s = Slot{Beta: math.NaN(), LogW: math.NaN(), Rung: -1}
		if q := w.Slots[i].Near(k, len(w.Moments)); q != nil {
			*s = Slot{Filled: true, Cells: q.Cells, Shades: q.Shades, At: q.At, Values: q.Values, Beta: beta, LogW: q.LogW,
				Rung: q.rung, Shots: w.Slots[i].Shots}
			if w.W == 0 && num.Known(q.LogW) {
				s.between(beta)
			}
		}
	}
	return &past
}

// between moves a point to where it was at an inverse temperature, between two pictures.
func (s *Slot) between(beta float64) {
	var a, b *Shot
	for k := range s.Shots {
		if q := &s.Shots[k]; !q.Ok {
			continue
		} else if q.Beta <= beta {
			a = q
		} else {
			b = q
			break
		}
	}
	if a == nil || b == nil {
		return
	}
	f := (beta - a.Beta) / (b.Beta - a.Beta)
	s.At = paint.Pt(a.At.X+(b.At.X-a.At.X)*f, a.At.Y+(b.At.Y-a.At.Y)*f)
	s.ValuesBefore, s.Values, s.progress = a.Values, b.Values, f
	s.LogW = a.LogW + (b.LogW-a.LogW)*f
}

// ScrubKey takes a key of a scene with a record: arrows, Home and End move the hand, Escape lets it go.
func (p *Run) ScrubKey(key string) bool {
	w, _ := p.Pick((*Particles).Recorded)
	if w == nil {
		return false
	}
	h := &p.Scrubber
	if !h.On {
		h.Beta = 1
	}
	k := schedule.Nearest(w.Moments, h.Beta)
	switch {
	case key == "ArrowLeft" && k > 0:
		p.hold(w.Moments[k-1])
	case key == "ArrowRight" && h.On && k+1 < len(w.Moments):
		p.hold(w.Moments[k+1])
	case key == "Home":
		p.hold(0)
	case key == "End" && h.On:
		p.hold(1)
	case key == "Escape" && h.On:
		h.On, h.Began = false, 0
	default:
		return false
	}
	return true
}

// DescribeScrubber says where the hand is.
func DescribeScrubber(a *paint.Area, p *Run) string {
	w, _ := p.Pick((*Particles).Recorded)
	if w == nil || !p.Scrubber.On {
		return ""
	}
	v := p.levelOf(w, a)
	text := BetaIs(p.Scrubber.Beta)
	if math.Abs(v.Z) <= Largest {
		text += ", log Z(\u03b2) = " + Barred(v.Z, v.Se)
	}
	if v.Of != "" {
		text += ", " + v.Of
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

// BetaIs names an inverse temperature; only the ends are called 0 and 1.
func BetaIs(beta float64) string {
	s := format.Trimmed(beta, 2)
	for d := 3; d < 9 && (s == "0" && beta != 0 || s == "1" && beta != 1); d++ {
		s = format.Trimmed(beta, d)
	}
	return "\u03b2 = " + s
}

// Level is log Z at the temperature on show, for the column.
func (p *Run) Level(w *Particles, a *paint.Area) Level {
	v := p.levelOf(w, a)
	if v.Ink = a.Theme.Method(p.Order(w.Method)); p.Playing(a.Still) || p.State == runstate.Running {
		v.Wave = p.Now
	}
	return v
}

// levelOf is Level without what is for its picture.
func (p *Run) levelOf(w *Particles, a *paint.Area) Level {
	v := Level{Z: math.NaN(), Se: math.NaN(), Exact: math.NaN()}
	beta, l, now := p.place(w), p.LastLadder(w.Method, atRungs), p.newest(w.Method)
	switch {
	case l == nil && now == nil && w.Weighed != nil: // the first island on its way
		if beta, v.Z = w.Weighed.soFar(beta); num.Known(v.Z) {
			l = &frame.Ladder{}
		}
		if w.Several(w.Weighed) {
			v.Of = a.Say("island") + " 1"
		}
	case l == nil && now != nil: // a device in a room knows only the estimate of all
		beta, l = 1, &frame.Ladder{Beta: []float64{0, 1}, LogZ: []float64{0, now.LogZ}}
	}
	if l == nil {
		return v
	}

	// Values on the ladder; at beta = 1 those of all runs, and the exact value.
	if len(l.Beta) > 0 {
		v.Z, v.Se, v.Exact = along(l, l.LogZ, beta), along(l, l.SE, beta), along(l, l.Exact, beta)
	}
	switch { // a ladder is of the first of repeated runs
	case now == nil || len(l.Beta) == 0:
	case beta == 1:
		v.Z, v.Se = now.LogZ, now.SE
	case p.State == runstate.Done && math.Abs(along(l, l.LogZ, 1)-now.LogZ) > 1e-9*math.Abs(now.LogZ):
		v.Of = a.Say("first run")
	}
	if p.HasTruth && beta == 1 {
		v.Exact = p.Truth
	}

	// The span of the scale.
	v.At = BetaIs(beta)
	values := append(l.LogZ[:len(l.LogZ):len(l.LogZ)], v.Z)
	if p.HasTruth {
		values = append(values[:len(values):len(values)], p.Truth)
	}
	v.Span(values...)
	return v
}

// newest is how the estimate of a method stands, nil while there is none.
func (p *Run) newest(method string) *frame.Point {
	for _, c := range p.Curves {
		if n := len(c.Points); c.Method == method && n > 0 {
			return &c.Points[n-1]
		}
	}
	return nil
}

// barHeight is the room of the bar of a scene that has no other axis of temperatures, in CSS pixels.
const barHeight = 58

// BarBelow draws the bar at the bottom of a scene and returns what is left for the rest.
func (p *Run) BarBelow(a *paint.Area, l *paint.Layer, w *Particles) *paint.Area {
	u, rest, pad := a.Unit, *a, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	rest.H -= barHeight * u
	x, y := paint.NewAxis(0, 1, pad+36*u, a.W-pad-12*u), a.H-barHeight*u+24*u
	p.Bar(a, l, w, x, y)
	beta := p.place(w)
	name := BetaIs(beta)
	half := a.Fonts.Width(name, paint.Strong) / 2
	at := min(max(x.At(beta), x.P0+half), x.P1-half)
	l.Label(name, at, y-10*u, paint.Strong, a.Theme.Ink, paint.Centre)
	return &rest
}

// place is the temperature of the handle: where the hand is, else that of all rows, else the target.
func (p *Run) place(w *Particles) float64 {
	if p.Scrubber.On {
		return p.Scrubber.Beta
	}
	if b, shared, known := w.Beta(); known && shared {
		return b
	}
	return 1
}

// Bar draws the inverse temperatures of a record along an axis, from y down, as a bar with a handle: pressed and
// dragged it goes through the record, and the button before it plays it or stops that.
func (p *Run) Bar(a *paint.Area, l *paint.Layer, w *Particles, x paint.Axis, y float64) {
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
	if !w.Recorded() {
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
	if p.Scrubber.Began > 0 {
		for _, dx := range [...]float64{-4.5, 1.5} {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink, Box: paint.Snap(paint.XYWH(from+dx*u, cy-5*u, 3*u, 10*u))})
		}
	} else {
		l.Add(paint.Mark{Kind: paint.Band, Color: t.Ink,
			Pts:   []paint.Point{{X: from - 3*u, Y: cy - 5.5*u}, {X: from + 6*u, Y: cy}},
			Lower: []paint.Point{{X: from - 3*u, Y: cy + 5.5*u}, {X: from + 6*u, Y: cy}}})
	}
	a.OnTap(paint.XYWH(from-22*u, cy-22*u, 44*u, 44*u), paint.Action{Do: func(paint.Point) {
		if h := &p.Scrubber; h.Began > 0 {
			h.Began = 0
		} else {
			h.play(p.Now)
		}
	}})
}
