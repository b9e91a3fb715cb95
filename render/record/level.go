package record

import (
	"image/color"
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// Level is how high log Z stands: its value and error bar at the temperature or stage on show, and the range that it
// goes through. NaN marks what is not known.
type Level struct {
	Z, Se, Exact float64
	Lo, Hi       float64
	Ink          color.RGBA
	Wave         float64 // time of the waves, in seconds, while the run goes on or its record plays
	At           string  // where this is, in words
	Of           string  // whose log Z it is, where that is not the estimate of the whole run
}

// Span makes room for values of log Z and for zero, from where height is log Z.
func (v *Level) Span(values ...float64) {
	v.Lo, v.Hi = 0, 0
	for _, z := range values {
		if math.Abs(z) <= Largest {
			v.Lo, v.Hi = min(v.Lo, z), max(v.Hi, z)
		}
	}
	room := 0.06 * (v.Hi - v.Lo)
	v.Lo, v.Hi = v.Lo-room, v.Hi+room
}

// number writes the estimate and its error bar within a width: with fewer digits where all of them have no room.
func (v *Level) number(a *paint.Area, st paint.Style, d int, wide float64) (z, bar string) {
	for z = format.Grouped(v.Z, d); d > 0 && a.Fonts.Width(z, st) > wide; z = format.Grouped(v.Z, d) {
		d--
	}
	if a.Fonts.Width(z, st) > wide {
		z = strconv.FormatFloat(v.Z, 'e', 0, 64)
	}
	if v.Se > 0 {
		for _, s := range []string{format.Value(v.Se, v.Se), format.SI(v.Se, 1), "0"} {
			if bar = "\u00b1 " + s; a.Fonts.Width(bar, paint.Tick) <= wide && (s == "0" || strings.Trim(s, "0.") != "") {
				break
			}
		}
	}
	return z, bar
}

// columnWide is the room of the column in CSS pixels, on a narrow canvas the second.
const columnWide, columnNarrow = 70, 40

// ColumnBeside draws a column at the right that is filled from zero to log Z: what the mean weight has brought so far.
// Its surface is as high as the error bar. The area left of it is for the rest of the scene: the same before there is a
// number, so that nothing moves when it comes.
func ColumnBeside(a *paint.Area, l *paint.Layer, v Level, top float64) *paint.Area {
	u, t, rest := a.Unit, a.Theme, *a
	if a.W < 310*u || a.H < 240*u { // a slide on a screen of 16:10 has 320, less a fraction
		return a
	}
	wide, vessel := columnWide*u, 16*u
	if a.Compact() {
		wide, vessel = columnNarrow*u, 14*u
	}
	rest.W -= wide
	x := math.Round(a.W - wide + 2*u)
	b := paint.Snap(paint.XYWH(x, top+44*u, vessel, a.H-top-44*u-24*u))
	if b.H < 60*u {
		return a
	}

	// The empty column and its title.
	l.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: t.Track})
	if a.Compact() {
		l.Label("log Z", a.W-wide/2-4*u, top+20*u, paint.Tick, t.Ink2, paint.Centre)
	} else {
		l.Label("log Z", x, top+20*u, paint.Strong, t.Ink, paint.Left)
	}
	if !(math.Abs(v.Z) <= Largest && v.Hi > v.Lo) {
		return &rest
	}
	if !a.Compact() && a.Fonts.Width(v.Of, paint.Tick) < wide-4*u {
		l.Label(v.Of, x, top+35*u, paint.Tick, t.Ink2, paint.Left)
	}

	// The column up to the estimate, and the exact value as a line.
	y := paint.NewAxis(v.Lo, v.Hi, b.Y+b.H, b.Y)
	surface(a, l, b, y, v)
	zero := y.At(0)
	l.HLine(a, b.X-4*u, b.X+b.W+4*u, zero, t.Ink3)
	if num.Finite(v.Exact) {
		l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink,
			Box: paint.Snap(paint.XYWH(b.X-4*u, y.At(v.Exact)-0.75*u, b.W+8*u, 1.5*u*t.Stroke))})
	}
	if a.Compact() {
		z, _ := v.number(a, paint.Tick, 1, wide)
		l.Label(z, a.W-wide/2-4*u, top+36*u, paint.Tick, t.Ink, paint.Centre)
	} else {
		at := min(max(y.At(v.Z), b.Y+4*u), b.Y+b.H-14*u)
		z, bar := v.number(a, paint.Strong, min(format.Decimals(v.Se), 6), wide-vessel-10*u)
		l.Label(z, x+vessel+6*u, at+4*u, paint.Strong, t.Ink, paint.Left)
		l.Label(bar, x+vessel+6*u, at+19*u, paint.Tick, t.Ink2, paint.Left)
		if zero < at-12*u || zero > at+30*u {
			l.Label("0", x+vessel+6*u, zero+4*u, paint.Tick, t.Ink3, paint.Left)
		}
	}

	if a.Pointed(b) {
		a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string {
			text := v.At
			if v.Of != "" {
				text += ", " + v.Of
			}
			text += "\nlog Z = " + Barred(v.Z, v.Se)
			if num.Finite(v.Exact) {
				text += "\n" + a.Say("exact") + " " + format.Value(v.Exact, v.Se)
			}
			return text
		})
	}
	return &rest
}

// surface fills a column up to a level. The waves are as high as the error bar, and never so low that they cannot be
// seen.
func surface(a *paint.Area, l *paint.Layer, b paint.Rect, y paint.Axis, v Level) {
	u := a.Unit
	high := 1.5 * u
	if v.Se > 0 {
		high = min(max(math.Abs(y.At(v.Lo)-y.At(v.Lo+v.Se)), high), 0.4*b.H)
	}
	turn := 2 * math.Pi * math.Mod(v.Wave, 1)
	away, zero := -1.0, y.At(0) // from zero on the canvas
	if v.Z < 0 {
		away = 1
	}
	const steps = 24
	var up, mid, down []paint.Point
	for k := range steps + 1 {
		x := b.X + b.W*float64(k)/steps
		wave := high * math.Sin(turn+3*math.Pi*float64(k)/steps)
		up = append(up, paint.Pt(x, min(max(y.At(v.Z)+away*high, b.Y), b.Y+b.H)))
		mid = append(mid, paint.Pt(x, min(max(y.At(v.Z)+0.8*wave, b.Y), b.Y+b.H)))
		down = append(down, paint.Pt(x, zero))
	}
	l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: mid, Color: paint.Fade(v.Ink, 0.25)},
		paint.Mark{Kind: paint.Band, Pts: mid, Lower: down, Color: paint.Fade(v.Ink, 0.7)},
		paint.Mark{Kind: paint.Stroke, Pts: mid, Width: 2 * u * a.Theme.Stroke, Color: v.Ink})
}
