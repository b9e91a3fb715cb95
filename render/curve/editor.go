// Package curve is an editor of curves with knots, which the viewer drags or moves by keys. A curve is a parameter of
// the experiment.
package curve

import (
	"image/color"
	"strconv"

	"logzlab/render/paint"
)

// Editor is a curve with knots at equal steps, which the viewer can change. The zero value has no curve.
type Editor struct {
	pen        *Pen
	initial    func() []float64 // knots of the key o; nil: unknown
	Knots      []float64
	dragStart  []float64 // knots at the start of a drag; nil: no drag
	Selected   int       // the selected knot
	keysActive bool      // keys move the selected knot
	edited     bool      // the viewer has changed the curve, and TakeEdit has not reported it
	Reported   string    // the value reported by TakeEdit, until the page sends it back
	reportedAt float64
}

// Pen says what a curve is for: a parameter of a method.
type Pen struct {
	Param string
	Text  func(knots []float64) string // formats the value of the parameter
	// Place returns knots with knot i at a value, or as near as possible.
	Place func(knots []float64, i int, value float64) []float64
	Step  func(value float64, steps int) float64 // changes a value by a number of steps of the keys
}

// confirmTime is the time in seconds during which an edited curve stays although the page sends another one.
const confirmTime = 2

// Take sets the curve of the page, unless the page has not received the newest edit yet.
func (o *Editor) Take(pen *Pen, begin func() []float64, text string, knots []float64, now float64) {
	if o.dragStart != nil || o.Reported != "" && o.Reported != text && now-o.reportedAt < confirmTime {
		return
	}
	o.pen, o.initial, o.Reported, o.Knots = pen, begin, "", knots
	o.Selected = min(o.Selected, max(len(knots)-1, 0))
}

// put moves the selected knot to a value.
func (o *Editor) put(from []float64, value float64) { o.Knots = o.pen.Place(from, o.Selected, value) }

// endDrag ends a drag. It counts as an edit if the value has changed.
func (o *Editor) endDrag() {
	o.edited = o.edited || o.dragStart != nil && o.pen.Text(o.dragStart) != o.pen.Text(o.Knots)
	o.dragStart = nil
}

// TakeEdit returns the curve as a parameter of a method and its value.
// It returns "" if the curve has not changed since the last call.
func (o *Editor) TakeEdit(method string, now float64) string {
	if !o.edited {
		return ""
	}
	o.edited, o.Reported, o.reportedAt = false, o.pen.Text(o.Knots), now
	return method + "." + o.pen.Param + "=" + o.Reported
}

// Differs reports whether the curve differs from the one on the page.
func (o *Editor) Differs(knots []float64) bool { return o.pen.Text(o.Knots) != o.pen.Text(knots) }

// Restart sets the initial curve, if there is one.
func (o *Editor) Restart() bool {
	knots := o.initial()
	if knots != nil {
		o.Knots, o.edited = knots, true
	}
	return knots != nil
}

// Key handles a key: arrows select a knot and move it, o sets the initial curve, d and Escape stop editing.
func (o *Editor) Key(key string) bool {
	if len(o.Knots) == 0 {
		return false
	}
	steps := map[string]int{"ArrowUp": 1, "ArrowDown": -1, "PageUp": 10, "PageDown": -10}[key]
	switch {
	case steps != 0:
		o.keysActive = true
		o.put(o.Knots, o.pen.Step(o.Knots[o.Selected], steps))
		o.edited = true
	case key == "o":
		return o.Restart()
	case key == "d":
		o.keysActive = !o.keysActive
	case !o.keysActive:
		return false

	case key == "ArrowLeft":
		o.Selected = max(o.Selected-1, 0)
	case key == "ArrowRight":
		o.Selected = min(o.Selected+1, len(o.Knots)-1)
	case key == "Home":
		o.Selected = 0
	case key == "End":
		o.Selected = len(o.Knots) - 1
	case key == "Escape":
		o.keysActive = false
	default:
		return false
	}
	return true
}

// Name returns the number of the selected knot.
func (o *Editor) Name(a *paint.Area) string {
	return a.Say("knot") + " " + strconv.Itoa(o.Selected+1) + " " + a.Say("of") + " " + strconv.Itoa(len(o.Knots))
}

// Grips draws the knots at pts, and lets them be dragged vertically. value converts a y coordinate to a value. It
// returns the boxes of the knots.
func (o *Editor) Grips(a *paint.Area, l *paint.Layer, ink color.RGBA, pts []paint.Point,
	value func(y float64) float64) (taken []paint.Rect) {
	u, t := a.Unit, a.Theme
	if a.Print || len(pts) < 2 {
		return nil
	}
	pitch := (pts[len(pts)-1].X - pts[0].X) / float64(len(pts)-1)
	for i, q := range pts {
		r := 5 * u * min(t.Stroke, 1.3)
		if o.Selected == i && (o.keysActive || o.dragStart != nil) {
			r *= 1.5
			l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r + 4*u, Color: paint.Fade(ink, 0.25)})
		}
		l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r, Color: ink, Hollow: 2 * u, Halo: true})
		taken = append(taken, paint.XYWH(q.X-r, q.Y-r, 2*r, 2*r))
		wide := max(pitch, 24*u)
		move := func(at paint.Point) {
			if o.dragStart == nil {
				o.dragStart, o.Selected = o.Knots, i
			}
			o.put(o.dragStart, value(at.Y))
		}
		a.OnTap(paint.XYWH(q.X-wide/2, q.Y-24*u, wide, 48*u),
			paint.Action{Drag: true, Grab: true, End: o.endDrag, Do: move})
	}
	return taken
}
