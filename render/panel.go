package render

import (
	"image/color"
	"math"
	"strings"
)

// wrap cuts a text into lines of at most a width, between words.
func (a *area) wrap(s string, st style, width float64) (lines []string) {
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }) { // not at spaces that hold
		if n := len(lines); n > 0 && a.fonts.width(lines[n-1]+" "+word, st) <= width {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// name writes the name of a panel above it, and what else there is to say at its right if there is room.
func (a *area) name(l *layer, s, more string, b rect) {
	u := a.u
	l.label(s, b.x, b.y-7*u, strong, a.theme.Ink, left)
	if a.fonts.width(s, strong)+a.fonts.width(more, tick)+18*u < b.w {
		l.label(more, b.x+b.w, b.y-7*u, tick, a.theme.Ink3, right)
	}
}

// headline writes the longer of two titles of a panel that ends before end, and a line below it where there is room.
func (a *area) headline(l *layer, pad, y, end float64, title, short, below string) {
	for _, s := range [...]string{title, short} {
		if pad+a.fonts.width(s, strong) < end {
			l.label(s, pad, y, strong, a.theme.Ink, left)
			break
		}
	}
	if pad+a.fonts.width(below, plain) < a.w-pad {
		l.label(below, pad, y+17*a.u, plain, a.theme.Ink2, left)
	}
}

// colorScale draws a colour map of [0, 1] as cells with its two ends named, right aligned
// at end, if there is room after x. It returns the new end of what is free.
func (a *area) colorScale(l *layer, x, y, end float64, from, to string, of func(float64) color.RGBA) float64 {
	u := a.u
	cell := math.Round(4 * u)
	w0, w1 := a.fonts.width(from, tick), a.fonts.width(to, tick)
	cells := 17
	if x+w0+w1+10*u+17*cell > end {
		cells = 9
	}
	start := math.Round(end - w1 - 5*u - float64(cells)*cell)
	free := start - 5*u - w0
	if free < x {
		return end
	}
	l.label(from, start-5*u, y, tick, a.theme.Ink3, right)
	l.label(to, end, y, tick, a.theme.Ink3, right)
	for i := range cells {
		l.add(mark{kind: fill, color: of(float64(i) / float64(cells-1)),
			box: rect{start + float64(i)*cell, math.Round(y - 8*u), cell, math.Round(8 * u)}})
	}
	return free - 12*u
}

// note is a single quiet line in the middle of an empty canvas.
func note(a *area, s string) layer {
	var l layer
	l.label(a.say(s), a.w/2, a.h/2, plain, a.theme.Ink3, centre)
	return l
}
