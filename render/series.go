package render

import (
	"math"
)

var _ = register(scene{name: "series", draw: seriesScene, key: (*Picture).turnSeries, tell: tellHand,
	moves: func(p *Picture, still bool) bool { return p.flowing(still) || p.playing(still) }})

// turnSeries takes the keys of the scene: those of the record, and Page Down and Page Up for later and earlier data.
func (p *Picture) turnSeries(key string) bool {
	w, _ := p.pick(flown)
	switch {
	case w == nil:
		return p.turn(key)
	case key == "PageDown":
		w.flows.slide(0.05)
	case key == "PageUp":
		w.flows.slide(-0.05)
	default:
		return p.turn(key)
	}
	return true
}

// slide moves the stretch on show by a share of the series.
func (s *flows) slide(by float64) { s.lens = min(max(s.middle(s.shown)+by, 1e-9), 1) }

// middle is that of the stretch on show, as a share of the series: where somebody has put it, else at the datum that
// lies farthest out.
func (s *flows) middle(q *flow) float64 {
	if s.lens > 0 {
		return s.lens
	}
	far := 0
	for t, y := range q.Y {
		if math.Abs(float64(y)) > math.Abs(float64(q.Y[far])) {
			far = t
		}
	}
	return (float64(far) + 0.5) / float64(len(q.Y))
}

// seriesScene shows a series and what one particle filter makes of its hidden states: bands, and the particles on their
// way, with those that resampling multiplies or drops. Each way is at other values of the parameters.
func seriesScene(a *area, p *Picture) []layer {
	w, among := p.pick(flown)
	if w == nil || a.w < 160*a.u || a.h < 160*a.u {
		return []layer{note(a, "No series yet")}
	}
	p.held(w, a.still) // the record may begin to play
	var top layer
	v := &seriesView{p: p, w: w, pad: 24 * a.u}
	if a.compact() {
		v.pad = 16 * a.u
	}
	down := head(a, p, &top, v.pad, w, among)
	if w.tempered() && a.h >= 300*a.u {
		a = p.barBelow(a, &top, w)
	}
	v.a = a
	s := &w.flows
	share := s.turnTo(p.now, a.still)
	v.q = s.shown
	if q := s.near(p.hand.beta); p.hand.on && q != nil {
		v.q, share = q, 1
	}
	v.stretch()
	v.front = v.lo + int(math.Round(share*float64(v.hi-v.lo)))
	return append(v.panels(down), top)
}

// seriesView is a layout of a series.
type seriesView struct {
	a      *area
	p      *Picture
	w      *wall
	q      *flow
	pad    float64
	lo, hi int // the stretch whose particles are shown
	front  int // and how far they have come
	whole  axis
	x      axis // of the stretch
}

// stretch picks the data whose particles are shown: all, if their steps can be seen.
func (v *seriesView) stretch() {
	t := len(v.q.Y)
	room := int((v.a.w - 2*v.pad - 46*v.a.u) / (7 * v.a.u))
	v.lo, v.hi = 0, t-1
	if room = max(room, 12); t > room*3/2 {
		v.lo = min(max(int(v.w.flows.middle(v.q)*float64(t))-room/2, 0), t-room)
		v.hi = v.lo + room - 1
	}
}

// part tells whether only a stretch is shown below.
func (v *seriesView) part() bool { return v.hi-v.lo+1 < len(v.q.Y) }

// panels lays out the data, the states and the effective share of the particles.
func (v *seriesView) panels(down float64) []layer {
	a, u := v.a, v.a.u
	gutter := 46 * u
	if a.compact() {
		gutter = 38 * u
	}
	b := rect{v.pad, down + 4*u, a.w - 2*v.pad - gutter + 8*u, a.h - down - 26*u}
	if b.h < 110*u || b.w < 80*u {
		return nil
	}
	name, between := 20*u, 10*u
	if v.part() {
		between = 26 * u
	}
	free := b.h - 2*name - between
	small := 0.0
	if free > 230*u {
		small = math.Round(0.13 * free)
		free -= name + 4*u
	}
	data := math.Round(0.34 * (free - small))
	upper := snap(rect{b.x, b.y + name, b.w, data})
	v.whole = v.times(0, len(v.q.Y)-1, upper)
	v.x = v.whole
	if v.part() {
		v.x = v.times(v.lo, v.hi, upper)
	}
	y := upper.y + upper.h + between + name
	lower := snap(rect{b.x, y, b.w, b.y + b.h - y})
	out := v.data(upper)
	if small > 0 {
		lower.h = math.Round(lower.h - small - name - 4*u)
		strip := snap(rect{b.x, lower.y + lower.h + name + 4*u, b.w, small})
		out = append(out, v.effective(strip))
		out = append(out, v.timeAxis(strip))
	} else {
		out = append(out, v.timeAxis(lower))
	}
	out = append(out, v.states(lower)...)
	if v.part() {
		out = append(out, v.lens(upper, lower))
	}
	return out
}

// times is an axis of data.
func (v *seriesView) times(lo, hi int, b rect) axis {
	return axis{float64(lo) - 0.5, float64(hi) + 0.5, b.x, b.x + b.w}
}

// number is what people call datum t.
func (v *seriesView) number(t float64) float64 { return t + float64(v.q.First) + 1 }

// timeAxis draws the numbers of the data below a panel.
func (v *seriesView) timeAxis(b rect) (l layer) {
	v.a.counts(&l, v.x, v.number(0), "t", b.y+b.h)
	return l
}

// lens frames the stretch in the panel of all data, and leads from it to the panel of the states; it follows a drag.
func (v *seriesView) lens(upper, lower rect) (l layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	x0, x1 := v.whole.at(float64(v.lo)-0.5), v.whole.at(float64(v.hi)+0.5)
	y0, y1 := upper.y-2*u, upper.y+upper.h
	frame := []point{{x0, y0}, {x1, y0}, {x0, y1}, {x1, y1}, {x0, y0}, {x0, y1}, {x1, y0}, {x1, y1}}
	l.add(mark{kind: wires, pts: frame, width: 1.5 * u * t.Stroke, color: t.Ink},
		mark{kind: fill, box: snap(rect{x0, y0, x1 - x0, y1 - y0}), color: fade(t.Ink, 0.05)})
	foot := y1 + 10*u
	l.add(mark{kind: threads, width: a.hair(), colors: a.colors(2),
		pts: []point{{x0, y1}, {lower.x, foot}, {x1, y1}, {lower.x + lower.w, foot}}})
	ways := &l.marks[len(l.marks)-1]
	ways.colors = append(ways.colors, t.Line2, t.Line2)
	s := &v.w.flows
	a.on(rect{upper.x, upper.y - 8*u, upper.w, upper.h + 20*u}, action{drag: true, do: func(at point) {
		s.lens = min(max((at.x-upper.x)/upper.w, 1e-9), 1)
	}})
	return l
}
