package formation

import (
	"image/color"
	"strconv"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// clampEditor is the large picture of a formation, on which the viewer can clamp pixels to ink (1) or paper (0).
type clampEditor struct {
	enabled bool // the model can be clamped
	active  bool // a press on the picture draws
	clamped frame.Drawing
	brush   int  // effect of the current stroke; 0: no stroke
	edited  bool // the viewer has changed clamped, and TakeEdit has not reported it
	cursor  int  // pixel selected by keys
	w, h    int  // size of the picture in cells
}

// Effects of a stroke on a pixel.
const (
	toInk = iota + 1
	toPaper
	toFree
)

// nextBrush returns the effect of a stroke that starts at a pixel: free becomes ink, ink becomes paper, paper becomes
// free.
func (b *clampEditor) nextBrush(pixel int) int {
	switch v, ok := b.clamped[pixel]; {
	case !ok:
		return toInk
	case v == 1:
		return toPaper
	}
	return toFree
}

// paint applies a stroke with the effect brush to a pixel.
func (b *clampEditor) paint(pixel, brush int) {
	if b.clamped == nil {
		b.clamped = frame.Drawing{}
	}
	switch brush {
	case toInk:
		b.clamped[pixel] = 1
	case toPaper:
		b.clamped[pixel] = 0
	default:
		delete(b.clamped, pixel)
	}
}

// endStroke ends a stroke.
func (b *clampEditor) endStroke() { b.brush, b.edited = 0, b.edited || b.brush != 0 }

// key handles a key: it moves the cursor, changes its pixel, or turns drawing on or off. It reports whether it used
// the key.
func (b *clampEditor) key(name string) bool {
	if name == "d" && b.enabled {
		b.active = !b.active
		return true
	}
	if !b.active || b.w < 1 {
		return false
	}
	x, y := b.cursor%b.w, b.cursor/b.w
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
		b.paint(b.cursor, b.nextBrush(b.cursor))
		b.edited = true
	case "Escape":
		b.active = false
	default:
		return false
	}
	b.cursor = y*b.w + x
	return true
}

// TakeEdit returns the clamped pixels if the viewer has changed them.
func (s *formation) TakeEdit() string {
	if !s.clamps.edited {
		return ""
	}
	s.clamps.edited = false
	return "clamp=" + s.clamps.clamped.String()
}

// describe returns position and state of the cursor.
func (b *clampEditor) describe(a *paint.Area) string {
	state := "free"
	if v, ok := b.clamped[b.cursor]; ok {
		state = [...]string{"paper", "ink"}[v]
	}
	row, column := strconv.Itoa(b.cursor/b.w+1), strconv.Itoa(b.cursor%b.w+1)
	return a.Say("row") + " " + row + ", " + a.Say("column") + " " + column + ": " + a.Say(state)
}

// Describe describes the cursor while the viewer draws, and otherwise the stage that is shown.
func (s *formation) Describe(a *paint.Area) string {
	if s.clamps.active && s.clamps.w > 0 {
		return s.clamps.describe(a)
	}
	return record.DescribeStage(a, s.Run)
}

// SetDrawing sets whether pixels can be clamped, and which pixels are clamped (fixed). If
// allowed is false, no pixel is clamped; otherwise SetDrawing ignores fixed during a stroke.
func (s *formation) SetDrawing(allowed bool, fixed frame.Drawing) {
	b := &s.clamps
	if b.enabled = allowed; !allowed {
		b.active, b.clamped = false, nil
	} else if b.brush == 0 {
		b.clamped = fixed
	}
}

// CanDraw reports whether a finger on the picture draws. If it is true, the page must not scroll.
func (s *formation) CanDraw() bool { return s.clamps.active }

// drawClamps marks the clamped pixels of the large picture, and lets strokes change them.
func (v *stageView) drawClamps(l *paint.Layer, b paint.Rect, cell float64) {
	d, a, u, t := &v.s.clamps, v.a, v.a.Unit, v.a.Theme
	d.w, d.h = v.Island.W, v.Island.H
	for pixel, x := range d.clamped {
		if pixel >= d.w*d.h {
			continue
		}
		box := paint.Snap(paint.XYWH(b.X+float64(pixel%d.w)*cell, b.Y+float64(pixel/d.w)*cell, cell, cell))
		l.Add(paint.Mark{Kind: paint.Fill, Box: box, Color: [...]color.RGBA{t.Ground, t.Ink}[x]})
		l.Add(paint.FrameAround(box, -u/2, max(u, min(2*u, cell/5)), v.highlight))
	}
	if !d.active {
		return
	}
	box := paint.XYWH(b.X+float64(d.cursor%d.w)*cell, b.Y+float64(d.cursor/d.w)*cell, cell, cell)
	l.Add(paint.FrameAround(box, 1.5*u, 2*u, t.Ink))
	a.OnTap(b, paint.Action{Drag: true, End: d.endStroke, Do: func(at paint.Point) {
		x, y := int((at.X-b.X)/cell), int((at.Y-b.Y)/cell)
		if x < 0 || y < 0 || x >= d.w || y >= d.h {
			return
		}
		d.cursor = y*d.w + x
		if d.brush == 0 {
			d.brush = d.nextBrush(d.cursor)
		}
		d.paint(d.cursor, d.brush)
	}})
}

// drawButton draws the button that starts and ends drawing. It returns the right end of the free space.
func (v *stageView) drawButton(l *paint.Layer, y, end float64) float64 {
	a, u, d := v.a, v.a.Unit, &v.s.clamps
	if !d.enabled || v.Island.W == 0 {
		return end
	}
	s := a.Say("Draw")
	if d.active {
		s = a.Say("Stop drawing")
	}
	wd := a.Fonts.Width(s, paint.Plain)
	if end-wd < v.Pad {
		return end
	}
	a.Link(l, s, end-wd, y, paint.Plain, a.Theme.Ink, 8, paint.Action{Do: func(paint.Point) { d.active = !d.active }})
	return end - wd - 18*u
}
