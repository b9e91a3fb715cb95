package formation

import (
	"image/color"
	"strconv"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// clampEditor is the large picture of a formation, on which the viewer can clamp pixels to ink (1) or paper (0).
type board struct {
	can   bool // the model can be clamped
	on    bool // a press on the picture draws
	fixed frame.Drawing
	brush int  // effect of the current stroke; 0: no stroke
	drew  bool // the viewer has changed clamped, and TakeEdit has not reported it
	at    int  // pixel selected by keys
	w, h  int  // size of the picture in cells
}

// Effects of a stroke on a pixel.
const (
	toInk = iota + 1
	toPaper
	toFree
)

// nextBrush returns the effect of a stroke that starts at a pixel: free becomes ink, ink becomes paper, paper becomes
// free.
func (b *board) next(pixel int) int {
	switch v, ok := b.fixed[pixel]; {
	case !ok:
		return toInk
	case v == 1:
		return toPaper
	}
	return toFree
}

func (b *board) paint(pixel, brush int) {
	if b.fixed == nil {
		b.fixed = frame.Drawing{}
	}
	switch brush {
	case toInk:
		b.fixed[pixel] = 1
	case toPaper:
		b.fixed[pixel] = 0
	default:
		delete(b.fixed, pixel)
	}
}

// endStroke ends a stroke.
func (b *board) lift() { b.brush, b.drew = 0, b.drew || b.brush != 0 }

// key handles a key: it moves the cursor, changes its pixel, or turns drawing on or off. It reports whether it used
// the key.
func (b *board) key(name string) bool {
	if name == "d" && b.can {
		b.on = !b.on
		return true
	}
	if !b.on || b.w < 1 {
		return false
	}
	x, y := b.at%b.w, b.at/b.w
	switch name {
	case "ArrowLeft":
		x = max(x-1, 0)
	case "ArrowRight":
		x = min(x+1, b.w-1)
	case "ArrowUp":
		y = max(y-1, 0)
	case "ArrowDown":
		y = min(y+1, b.h-1)
	case " ", "Enter":
		b.paint(b.at, b.next(b.at))
		b.drew = true
	case "Escape":
		b.on = false
	default:
		return false
	}
	b.at = y*b.w + x
	return true
}

// TakeEdit returns the clamped pixels if the viewer has changed them.
func (s *formation) TakeEdit() string {
	if !s.board.drew {
		return ""
	}
	s.board.drew = false
	return "clamp=" + s.board.fixed.String()
}

// describe returns position and state of the cursor.
func (b *board) tell(a *paint.Area) string {
	what := "free"
	if v, ok := b.fixed[b.at]; ok {
		what = [...]string{"paper", "ink"}[v]
	}
	return a.Say("row") + " " + strconv.Itoa(b.at/b.w+1) + ", " + a.Say("column") + " " + strconv.Itoa(b.at%b.w+1) + ": " +
		a.Say(what)
}

// Describe describes the cursor while the viewer draws, else the stage that is shown.
func (s *formation) Describe(a *paint.Area) string {
	if s.board.on && s.board.w > 0 {
		return s.board.tell(a)
	}
	return record.DescribeStage(a, s.Run)
}

// SetDrawing sets whether pixels can be clamped, and which are. It does not interrupt a stroke.
func (s *formation) SetDrawing(can bool, fixed frame.Drawing) {
	b := &s.board
	if b.can = can; !can {
		b.on, b.fixed = false, nil
	} else if b.brush == 0 {
		b.fixed = fixed
	}
}

// CanDraw reports whether a finger on the picture draws. The page must not scroll then.
func (s *formation) CanDraw() bool { return s.board.on }

// drawClamps marks the clamped pixels of the large picture, and lets strokes change them.
func (v *forming) drawOn(l *paint.Layer, b paint.Rect, cell float64) {
	d, a, u, t := &v.s.board, v.a, v.a.Unit, v.a.Theme
	d.w, d.h = v.Is.W, v.Is.H
	for pixel, x := range d.fixed {
		if pixel >= d.w*d.h {
			continue
		}
		box := paint.Snap(paint.XYWH(b.X+float64(pixel%d.w)*cell, b.Y+float64(pixel/d.w)*cell, cell, cell))
		l.Add(paint.Mark{Kind: paint.Fill, Box: box, Color: [...]color.RGBA{t.Ground, t.Ink}[x]})
		l.Add(paint.FrameAround(box, -u/2, max(u, min(2*u, cell/5)), v.eye))
	}
	if !d.on {
		return
	}
	box := paint.XYWH(b.X+float64(d.at%d.w)*cell, b.Y+float64(d.at/d.w)*cell, cell, cell)
	l.Add(paint.FrameAround(box, 1.5*u, 2*u, t.Ink))
	a.OnTap(b, paint.Action{Drag: true, End: d.lift, Do: func(at paint.Point) {
		x, y := int((at.X-b.X)/cell), int((at.Y-b.Y)/cell)
		if x < 0 || y < 0 || x >= d.w || y >= d.h {
			return
		}
		d.at = y*d.w + x
		if d.brush == 0 {
			d.brush = d.next(d.at)
		}
		d.paint(d.at, d.brush)
	}})
}

// drawButton draws the button that starts and ends drawing. It returns the right end of the free space.
func (v *forming) drawSwitch(l *paint.Layer, y, end float64) float64 {
	a, u, d := v.a, v.a.Unit, &v.s.board
	if !d.can || v.Is.W == 0 {
		return end
	}
	s := a.Say("Draw")
	if d.on {
		s = a.Say("Stop drawing")
	}
	wd := a.Fonts.Width(s, paint.Plain)
	if end-wd < v.Pad {
		return end
	}
	a.Link(l, s, end-wd, y, paint.Plain, a.Theme.Ink, 8, paint.Action{Do: func(paint.Point) { d.on = !d.on }})
	return end - wd - 18*u
}
