package render

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
)

// level is how high log Z stands: its value and error bar at the temperature or stage on show, and the range that it
// goes through. NaN marks what is not known.
type level struct {
	z, se, exact float64
	lo, hi       float64
	ink          color.RGBA
	turn         float64 // of the waves, while the run goes on or its record plays
	at           string  // where this is, in words
}

// span makes room for values of log Z.
func (v *level) span(values ...float64) {
	v.lo, v.hi = math.Inf(1), math.Inf(-1)
	for _, z := range values {
		if math.Abs(z) <= largest {
			v.lo, v.hi = min(v.lo, z), max(v.hi, z)
		}
	}
	room := 0.06 * (v.hi - v.lo)
	v.lo, v.hi = v.lo-room, v.hi+room
}

// columnWide is the room of the column in CSS pixels, on a narrow canvas the second.
const columnWide, columnNarrow = 70, 40

// columnBeside draws a column at the right that is filled up to log Z: what the mean weight has brought so far. Its
// surface is as high as the error bar. The area left of it is for the rest of the scene; it is the same before there is
// a number, so that nothing moves when it comes.
func columnBeside(a *area, l *layer, v level, top float64) *area {
	u, t, rest := a.u, a.theme, *a
	if a.w < 320*u || a.h < 240*u {
		return a
	}
	wide, vessel := columnWide*u, 16*u
	if a.compact() {
		wide, vessel = columnNarrow*u, 14*u
	}
	rest.w -= wide
	x := math.Round(a.w - wide + 2*u)
	b := snap(rect{x, top + 44*u, vessel, a.h - top - 44*u - 24*u})
	if b.h < 60*u {
		return a
	}
	l.add(mark{kind: fill, box: b, color: t.Track})
	if a.compact() {
		l.label("log Z", a.w-wide/2-4*u, top+20*u, tick, t.Ink2, centre)
	} else {
		l.label("log Z", x, top+20*u, strong, t.Ink, left)
	}
	if !(math.Abs(v.z) <= largest && v.hi > v.lo) {
		return &rest
	}
	y := axis{v.lo, v.hi, b.y + b.h, b.y}
	surface(a, l, b, y, v)
	if num.Finite(v.exact) {
		l.add(mark{kind: fill, color: t.Ink,
			box: snap(rect{b.x - 4*u, y.at(v.exact) - 0.75*u, b.w + 8*u, 1.5 * u * t.Stroke})})
	}
	if a.compact() {
		l.label(format.Grouped(v.z, 1), a.w-wide/2-4*u, top+36*u, tick, t.Ink, centre)
	} else {
		at := min(max(y.at(v.z), b.y+4*u), b.y+b.h-14*u)
		l.label(format.Value(v.z, v.se), x+vessel+6*u, at+4*u, strong, t.Ink, left)
		if v.se > 0 {
			l.label("\u00b1 "+format.Value(v.se, v.se), x+vessel+6*u, at+19*u, tick, t.Ink2, left)
		}
	}
	if a.asks(b) {
		a.probe.offer(0, 1, a.probe.at, 0, rect{}, func() string {
			text := v.at + "\nlog Z = " + barred(v.z, v.se)
			if num.Finite(v.exact) {
				text += "\n" + a.say("exact") + " " + format.Value(v.exact, v.se)
			}
			return text
		})
	}
	return &rest
}

// surface fills a column up to a level. The waves are as high as the error bar, and never so low that they cannot be
// seen.
func surface(a *area, l *layer, b rect, y axis, v level) {
	u := a.u
	high := 1.5 * u
	if v.se > 0 {
		high = min(max(math.Abs(y.at(v.lo)-y.at(v.lo+v.se)), high), 0.4*b.h)
	}
	turn := 2 * math.Pi * math.Mod(v.turn, 1)
	const steps = 24
	var up, mid, down []point
	for k := range steps + 1 {
		x := b.x + b.w*float64(k)/steps
		wave := high * math.Sin(turn+3*math.Pi*float64(k)/steps)
		up = append(up, point{x, min(max(y.at(v.z)-math.Abs(high), b.y), b.y+b.h)})
		mid = append(mid, point{x, min(max(y.at(v.z)+0.8*wave, b.y), b.y+b.h)})
		down = append(down, point{x, b.y + b.h})
	}
	l.add(mark{kind: band, pts: up, more: mid, color: fade(v.ink, 0.25)},
		mark{kind: band, pts: mid, more: down, color: fade(v.ink, 0.7)},
		mark{kind: stroke, pts: mid, width: 2 * u * a.theme.Stroke, color: v.ink})
}
