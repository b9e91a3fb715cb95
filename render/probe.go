package render

import (
	"image/color"
	"math"
	"strings"
)

// probe is the pointer on its way through a layout: scenes offer what it could
// read, and the nearest offer within reach wins.
type probe struct {
	at    point
	best  float64 // distance of the nearest offer so far, over its reach
	text  func() string
	spot  point
	ring  float64 // radius of the highlight, 0: none
	cross rect    // crosshair: vertical if w is 0, horizontal if h is 0; frame otherwise
}

// asks tells whether there is a pointer in b; only then need anything be offered.
func (a *area) asks(b rect) bool {
	return a.probe != nil && a.probe.at.x >= b.x && a.probe.at.x <= b.x+b.w && a.probe.at.y >= b.y &&
		a.probe.at.y <= b.y+b.h
}

// offer proposes a mark at a distance from the pointer.
func (q *probe) offer(distance, reach float64, spot point, ring float64, cross rect, text func() string) {
	if d := distance / reach; d <= 1 && d < q.best {
		q.best, q.text, q.spot, q.ring, q.cross = d, text, spot, ring, cross
	}
}

// near is the distance from the pointer.
func (q *probe) near(at point) float64 { return math.Hypot(at.x-q.at.x, at.y-q.at.y) }

// tooltip draws the highlight and a box with the lines of text.
func (a *area) tooltip() (l layer, text string) {
	q := a.probe
	if q == nil || q.text == nil {
		return l, ""
	}
	text = q.text()
	t, u := a.theme, a.u
	switch c := q.cross; {
	case c.w > 0 && c.h > 0:
		pts := []point{{c.x, c.y}, {c.x + c.w, c.y}, {c.x + c.w, c.y}, {c.x + c.w, c.y + c.h},
			{c.x + c.w, c.y + c.h}, {c.x, c.y + c.h}, {c.x, c.y + c.h}, {c.x, c.y}}
		l.add(mark{kind: wires, pts: pts, width: 2 * u, color: t.Methods[0]})
	case c.h > 0 || c.w > 0:
		l.add(mark{kind: wires, pts: []point{{c.x, c.y}, {c.x + c.w, c.y + c.h}}, width: a.hair(), color: t.Ink2})
	}
	if q.ring > 0 {
		l.add(mark{kind: stroke, pts: circle(q.spot, q.ring+2.5*u), width: 1.5 * u, color: t.Ink, halo: true})
	}
	lines := strings.Split(text, "\n")
	w := 0.0
	for i, s := range lines {
		w = max(w, a.fonts.width(s, lineStyle(i)))
	}
	box := rect{w: math.Ceil(w) + 16*u, h: float64(len(lines))*16*u + 10*u}
	box.x, box.y = q.spot.x+12*u, q.spot.y-box.h-10*u
	if box.x+box.w > a.w-4*u {
		box.x = q.spot.x - 12*u - box.w
	}
	if box.y < 4*u {
		box.y = q.spot.y + 12*u
	}
	box.x = math.Round(min(max(box.x, 4*u), max(a.w-box.w-4*u, 0)))
	box.y = math.Round(min(max(box.y, 4*u), max(a.h-box.h-4*u, 0)))
	edge := a.hair()
	l.add(mark{kind: fill, box: rect{box.x - edge, box.y - edge, box.w + 2*edge, box.h + 2*edge}, color: t.Line2},
		mark{kind: fill, box: box, color: t.Ground})
	for i, s := range lines {
		c := color.RGBA(t.Ink2)
		if i == 0 {
			c = t.Ink
		}
		l.add(mark{kind: words, text: s, at: point{box.x + 8*u, box.y + float64(i+1)*16*u}, style: lineStyle(i), color: c})
	}
	return l, strings.Join(lines, ", ")
}

func lineStyle(i int) style {
	if i == 0 {
		return strong
	}
	return plain
}

// offerBar offers the pointer what a bar of a box says, by its distance along the axis.
func (a *area) offerBar(x float64, box rect, text func() string) {
	a.probe.offer(math.Abs(a.probe.at.x-x), box.w, point{x, a.probe.at.y}, 0, rect{x, box.y, 0, box.h}, text)
}
