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

// Level is the data of the column of log Z: estimate and error bar at the temperature or stage that is shown, and the
// range of the scale. NaN means unknown.
type Level struct {
	Z, Se, Exact float64
	Lo, Hi       float64
	Color        color.RGBA
	WaveTime     float64 // phase of the waves, in seconds; 0 when nothing runs or plays
	Where        string  // the temperature or stage, in words
	Label        string  // the source of the estimate, if it is not the whole run
}

// SetSpan sets Lo and Hi such that [Lo, Hi] contains 0 and the values of log Z, with a margin of 6 % at both ends. It
// ignores values that are NaN or larger than MaxLogZ in absolute value.
func (v *Level) SetSpan(values ...float64) {
	v.Lo, v.Hi = 0, 0
	for _, z := range values {
		if math.Abs(z) <= MaxLogZ {
			v.Lo, v.Hi = min(v.Lo, z), max(v.Hi, z)
		}
	}
	margin := 0.06 * (v.Hi - v.Lo)
	v.Lo, v.Hi = v.Lo-margin, v.Hi+margin
}

// formatEstimate returns the estimate with the given number of decimals, or fewer if it is wider than maxWidth pixels,
// and its error bar as text, "" if the standard error is unknown.
func (v *Level) formatEstimate(a *paint.Area, st paint.Style, decimals int, maxWidth float64) (z, bar string) {
	for z = format.Grouped(v.Z, decimals); decimals > 0 && a.Fonts.Width(z, st) > maxWidth; z = format.Grouped(v.Z, decimals) {
		decimals--
	}
	if a.Fonts.Width(z, st) > maxWidth {
		z = strconv.FormatFloat(v.Z, 'e', 0, 64)
	}
	if v.Se > 0 {
		for _, s := range []string{format.Value(v.Se, v.Se), format.SI(v.Se, 1), "0"} {
			if bar = "\u00b1 " + s; a.Fonts.Width(bar, paint.Tick) <= maxWidth && (s == "0" || strings.Trim(s, "0.") != "") {
				break
			}
		}
	}
	return z, bar
}

// columnWide and columnNarrow are the widths of the column in CSS pixels on a normal and on a narrow canvas.
const columnWide, columnNarrow = 70, 40

// DrawColumn draws a column at the right edge that is filled from 0 to log Z; the waves on top are as high as the
// error bar. It returns the remaining area, which does not depend on whether log Z is known, so that nothing moves
// when the estimate arrives. A canvas that is too small has no column.
func DrawColumn(a *paint.Area, l *paint.Layer, v Level, top float64) *paint.Area {
	u, t, remaining := a.Unit, a.Theme, *a
	if a.W < 310*u || a.H < 240*u { // a slide on a 16:10 screen has 320, less a fraction
		return a
	}
	columnWidth, fillWidth := columnWide*u, 16*u
	if a.Compact() {
		columnWidth, fillWidth = columnNarrow*u, 14*u
	}
	remaining.W -= columnWidth
	x := math.Round(a.W - columnWidth + 2*u)
	b := paint.Snap(paint.XYWH(x, top+44*u, fillWidth, a.H-top-44*u-24*u))
	if b.H < 60*u {
		return a
	}

	l.Add(paint.Mark{Kind: paint.Fill, Box: b, Color: t.Track})
	if a.Compact() {
		l.Label("log Z", a.W-columnWidth/2-4*u, top+20*u, paint.Tick, t.Ink2, paint.Centre)
	} else {
		l.Label("log Z", x, top+20*u, paint.Strong, t.Ink, paint.Left)
	}
	if !(math.Abs(v.Z) <= MaxLogZ && v.Hi > v.Lo) {
		return &remaining
	}
	if !a.Compact() && a.Fonts.Width(v.Label, paint.Tick) < columnWidth-4*u {
		l.Label(v.Label, x, top+35*u, paint.Tick, t.Ink2, paint.Left)
	}

	y := paint.NewAxis(v.Lo, v.Hi, b.Y+b.H, b.Y)
	drawFill(a, l, b, y, v)
	zero := y.At(0)
	l.HLine(a, b.X-4*u, b.X+b.W+4*u, zero, t.Ink3)
	if num.Finite(v.Exact) {
		l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink,
			Box: paint.Snap(paint.XYWH(b.X-4*u, y.At(v.Exact)-0.75*u, b.W+8*u, 1.5*u*t.Stroke))})
	}
	if a.Compact() {
		z, _ := v.formatEstimate(a, paint.Tick, 1, columnWidth)
		l.Label(z, a.W-columnWidth/2-4*u, top+36*u, paint.Tick, t.Ink, paint.Centre)
	} else {
		labelY := min(max(y.At(v.Z), b.Y+4*u), b.Y+b.H-14*u)
		z, bar := v.formatEstimate(a, paint.Strong, min(format.Decimals(v.Se), 6), columnWidth-fillWidth-10*u)
		l.Label(z, x+fillWidth+6*u, labelY+4*u, paint.Strong, t.Ink, paint.Left)
		l.Label(bar, x+fillWidth+6*u, labelY+19*u, paint.Tick, t.Ink2, paint.Left)
		if zero < labelY-12*u || zero > labelY+30*u {
			l.Label("0", x+fillWidth+6*u, zero+4*u, paint.Tick, t.Ink3, paint.Left)
		}
	}

	if a.Pointed(b) {
		a.Pointer.Offer(0, 1, a.Pointer.At, 0, paint.Rect{}, func() string {
			text := v.Where
			if v.Label != "" {
				text += ", " + v.Label
			}
			text += "\nlog Z = " + WithError(v.Z, v.Se)
			if num.Finite(v.Exact) {
				text += "\n" + a.Say("exact") + " " + format.Value(v.Exact, v.Se)
			}
			return text
		})
	}
	return &remaining
}

// drawFill fills a column up to log Z. The waves are as high as the error bar, but always high enough to be visible.
func drawFill(a *paint.Area, l *paint.Layer, b paint.Rect, y paint.Axis, v Level) {
	u := a.Unit
	waveHeight := 1.5 * u
	if v.Se > 0 {
		waveHeight = min(max(math.Abs(y.At(v.Lo)-y.At(v.Lo+v.Se)), waveHeight), 0.4*b.H)
	}
	phase := 2 * math.Pi * math.Mod(v.WaveTime, 1)
	direction, zero := -1.0, y.At(0) // direction from zero
	if v.Z < 0 {
		direction = 1
	}
	const steps = 24
	var up, mid, down []paint.Point
	for k := range steps + 1 {
		x := b.X + b.W*float64(k)/steps
		wave := waveHeight * math.Sin(phase+3*math.Pi*float64(k)/steps)
		up = append(up, paint.Pt(x, min(max(y.At(v.Z)+direction*waveHeight, b.Y), b.Y+b.H)))
		mid = append(mid, paint.Pt(x, min(max(y.At(v.Z)+0.8*wave, b.Y), b.Y+b.H)))
		down = append(down, paint.Pt(x, zero))
	}
	l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: mid, Color: paint.Fade(v.Color, 0.25)},
		paint.Mark{Kind: paint.Band, Pts: mid, Lower: down, Color: paint.Fade(v.Color, 0.7)},
		paint.Mark{Kind: paint.Stroke, Pts: mid, Width: 2 * u * a.Theme.Stroke, Color: v.Color})
}
