package paint

import (
	"image/color"
	"math"
	"strings"
)

// Wrap breaks a text into lines of at most width device pixels, between words.
func (a *Area) Wrap(s string, st Style, width float64) (lines []string) {
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) { // not at non-breaking spaces
		if n := len(lines); n > 0 && a.Fonts.Width(lines[n-1]+" "+word, st) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// ColorScale draws a colour map of [0, 1] as cells between two labels, right aligned at end, if it fits right of x. It
// returns the new right end of the free space.
func (a *Area) ColorScale(l *Layer, x, y, end float64, from, to string, of func(float64) color.RGBA) float64 {
	u := a.Unit
	cell := math.Round(4 * u)
	w0, w1 := a.Fonts.Width(from, Tick), a.Fonts.Width(to, Tick)
	cells := 17
	if x+w0+w1+10*u+17*cell > end {
		cells = 9
	}
	start := math.Round(end - w1 - 5*u - float64(cells)*cell)
	free := start - 5*u - w0
	if free < x {
		return end
	}
	l.Label(from, start-5*u, y, Tick, a.Theme.Ink3, Right)
	l.Label(to, end, y, Tick, a.Theme.Ink3, Right)
	for i := range cells {
		l.Add(Mark{Kind: Fill, Color: of(float64(i) / float64(cells-1)),
			Box: Rect{start + float64(i)*cell, math.Round(y - 8*u), cell, math.Round(8 * u)}})
	}
	return free - 12*u
}

// Note returns a text in the middle of an otherwise empty canvas.
func Note(a *Area, s string) Layer {
	var l Layer
	l.Label(a.Say(s), a.W/2, a.H/2, Plain, a.Theme.Ink3, Centre)
	return l
}
