// Package hand has curves that the viewer draws by hand: knots that are dragged, or moved by keys, as a parameter of the
// experiment.
package hand

import (
	"image/color"
	"strconv"

	"logzlab/render/paint"
)

// Hand is a curve that the viewer draws, by knots at even steps. The zero value is no curve.
type Hand struct {
	pen    *Pen
	begin  func() []float64 // knots to begin from at the key o; nil: none are known
	Knots  []float64
	held   []float64 // those when one was taken; nil: none is held
	At     int       // the knot that was taken last, and that keys move
	on     bool      // keys move it
	drew   bool      // it has changed, which nobody has been told yet
	Told   string    // the text that the page was told, until it comes back
	toldAt float64
}

// Pen is what a curve is for: a parameter of a method.
type Pen struct {
	Param string
	Text  func(knots []float64) string                          // its value
	Place func(knots []float64, i int, value float64) []float64 // with a knot at a value, or as near as can be
	Step  func(value float64, steps int) float64                // so many steps of the keys from a value
}

// unheard is how long, in seconds, a curve that the page was told of stays although the page shows another one.
const unheard = 2

// Take follows the page, unless it does not know the newest curve yet.
func (o *Hand) Take(pen *Pen, begin func() []float64, text string, knots []float64, now float64) {
	if o.held != nil || o.Told != "" && o.Told != text && now-o.toldAt < unheard {
		return
	}
	o.pen, o.begin, o.Told, o.Knots = pen, begin, "", knots
	o.At = min(o.At, max(len(knots)-1, 0))
}

// put moves the knot of the keys to a value.
func (o *Hand) put(from []float64, value float64) { o.Knots = o.pen.Place(from, o.At, value) }

// drop ends a drag; it is news if it has moved something.
func (o *Hand) drop() {
	o.drew = o.drew || o.held != nil && o.pen.Text(o.held) != o.pen.Text(o.Knots)
	o.held = nil
}

// TakeEdit returns the curve as a parameter of a method and its value if it has changed since the last call, else "".
func (o *Hand) TakeEdit(method string, now float64) string {
	if !o.drew {
		return ""
	}
	o.drew, o.Told, o.toldAt = false, o.pen.Text(o.Knots), now
	return method + "." + o.pen.Param + "=" + o.Told
}

// Bent reports whether the curve is another one than that of the page.
func (o *Hand) Bent(knots []float64) bool { return o.pen.Text(o.Knots) != o.pen.Text(knots) }

// Restart draws what the pen begins with.
func (o *Hand) Restart() bool {
	knots := o.begin()
	if knots != nil {
		o.Knots, o.drew = knots, true
	}
	return knots != nil
}

// Key takes a key: arrows choose a knot and move it, o begins from the pen's own curve, d and Escape let go.
func (o *Hand) Key(key string) bool {
	if len(o.Knots) == 0 {
		return false
	}
	steps := map[string]int{"ArrowUp": 1, "ArrowDown": -1, "PageUp": 10, "PageDown": -10}[key]
	switch {
	case steps != 0:
		o.on = true
		o.put(o.Knots, o.pen.Step(o.Knots[o.At], steps))
		o.drew = true
	case key == "o":
		return o.Restart()
	case key == "d":
		o.on = !o.on
	case !o.on:
		return false

	// From knot to knot.
	case key == "ArrowLeft":
		o.At = max(o.At-1, 0)
	case key == "ArrowRight":
		o.At = min(o.At+1, len(o.Knots)-1)
	case key == "Home":
		o.At = 0
	case key == "End":
		o.At = len(o.Knots) - 1
	case key == "Escape":
		o.on = false
	default:
		return false
	}
	return true
}

// Name says which knot keys move.
func (o *Hand) Name(a *paint.Area) string {
	return a.Say("knot") + " " + strconv.Itoa(o.At+1) + " " + a.Say("of") + " " + strconv.Itoa(len(o.Knots))
}

// Grips draws the knots, which stand at pts, and lets them be dragged up and down: value is that of a height. It
// returns where they are.
func (o *Hand) Grips(a *paint.Area, l *paint.Layer, ink color.RGBA, pts []paint.Point,
	value func(y float64) float64) (taken []paint.Rect) {
	u, t := a.Unit, a.Theme
	if a.Print || len(pts) < 2 {
		return nil
	}
	pitch := (pts[len(pts)-1].X - pts[0].X) / float64(len(pts)-1)
	for i, q := range pts {
		r := 5 * u * min(t.Stroke, 1.3)
		if o.At == i && (o.on || o.held != nil) {
			r *= 1.5
			l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r + 4*u, Color: paint.Fade(ink, 0.25)})
		}
		l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r, Color: ink, Hollow: 2 * u, Halo: true})
		taken = append(taken, paint.XYWH(q.X-r, q.Y-r, 2*r, 2*r))
		wide := max(pitch, 24*u)
		a.OnTap(paint.XYWH(q.X-wide/2, q.Y-24*u, wide, 48*u), paint.Action{Drag: true, Grab: true, End: o.drop, Do: func(at paint.Point) {
			if o.held == nil {
				o.held, o.At = o.Knots, i
			}
			o.put(o.held, value(at.Y))
		}})
	}
	return taken
}
