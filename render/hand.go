package render

import (
	"image/color"
	"strconv"

	"logzlab/render/paint"
)

// hand is a curve that the viewer draws, by knots at even steps. The zero value is no curve.
type hand struct {
	pen    *pen
	begin  func() []float64 // knots to begin from at the key o; nil: none are known
	knots  []float64
	held   []float64 // those when one was taken; nil: none is held
	at     int       // the knot that was taken last, and that keys move
	on     bool      // keys move it
	drew   bool      // it has changed, which nobody has been told yet
	told   string    // the text that the page was told, until it comes back
	toldAt float64
}

// pen is what a curve is for: a parameter of a method.
type pen struct {
	param string
	text  func(knots []float64) string                          // its value
	place func(knots []float64, i int, value float64) []float64 // with a knot at a value, or as near as can be
	step  func(value float64, steps int) float64                // so many steps of the keys from a value
}

// unheard is how long, in seconds, a curve that the page was told of stays although the page shows another one.
const unheard = 2

// take follows the page, unless it does not know the newest curve yet.
func (o *hand) take(pen *pen, begin func() []float64, text string, knots []float64, now float64) {
	if o.held != nil || o.told != "" && o.told != text && now-o.toldAt < unheard {
		return
	}
	o.pen, o.begin, o.told, o.knots = pen, begin, "", knots
	o.at = min(o.at, max(len(knots)-1, 0))
}

// put moves the knot of the keys to a value.
func (o *hand) put(from []float64, value float64) { o.knots = o.pen.place(from, o.at, value) }

// drop ends a drag; it is news if it has moved something.
func (o *hand) drop() {
	o.drew = o.drew || o.held != nil && o.pen.text(o.held) != o.pen.text(o.knots)
	o.held = nil
}

// news returns the curve as a parameter of a method and its value if it has changed since the last call, else "".
func (o *hand) news(method string, now float64) string {
	if !o.drew {
		return ""
	}
	o.drew, o.told, o.toldAt = false, o.pen.text(o.knots), now
	return method + "." + o.pen.param + "=" + o.told
}

// bent reports whether the curve is another one than that of the page.
func (o *hand) bent(knots []float64) bool { return o.pen.text(o.knots) != o.pen.text(knots) }

// restart draws what the pen begins with.
func (o *hand) restart() bool {
	knots := o.begin()
	if knots != nil {
		o.knots, o.drew = knots, true
	}
	return knots != nil
}

// key takes a key: arrows choose a knot and move it, o begins from the pen's own curve, d and Escape let go.
func (o *hand) key(key string) bool {
	if len(o.knots) == 0 {
		return false
	}
	steps := map[string]int{"ArrowUp": 1, "ArrowDown": -1, "PageUp": 10, "PageDown": -10}[key]
	switch {
	case steps != 0:
		o.on = true
		o.put(o.knots, o.pen.step(o.knots[o.at], steps))
		o.drew = true
	case key == "o":
		return o.restart()
	case key == "d":
		o.on = !o.on
	case !o.on:
		return false

	// From knot to knot.
	case key == "ArrowLeft":
		o.at = max(o.at-1, 0)
	case key == "ArrowRight":
		o.at = min(o.at+1, len(o.knots)-1)
	case key == "Home":
		o.at = 0
	case key == "End":
		o.at = len(o.knots) - 1
	case key == "Escape":
		o.on = false
	default:
		return false
	}
	return true
}

// name says which knot keys move.
func (o *hand) name(a *paint.Area) string {
	return a.Say("knot") + " " + strconv.Itoa(o.at+1) + " " + a.Say("of") + " " + strconv.Itoa(len(o.knots))
}

// grips draws the knots, which stand at pts, and lets them be dragged up and down: value is that of a height. It
// returns where they are.
func (o *hand) grips(a *paint.Area, l *paint.Layer, ink color.RGBA, pts []paint.Point,
	value func(y float64) float64) (taken []paint.Rect) {
	u, t := a.Unit, a.Theme
	if a.Print || len(pts) < 2 {
		return nil
	}
	pitch := (pts[len(pts)-1].X - pts[0].X) / float64(len(pts)-1)
	for i, q := range pts {
		r := 5 * u * min(t.Stroke, 1.3)
		if o.at == i && (o.on || o.held != nil) {
			r *= 1.5
			l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r + 4*u, Color: paint.Fade(ink, 0.25)})
		}
		l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r, Color: ink, Hollow: 2 * u, Halo: true})
		taken = append(taken, paint.XYWH(q.X-r, q.Y-r, 2*r, 2*r))
		wide := max(pitch, 24*u)
		a.OnTap(paint.XYWH(q.X-wide/2, q.Y-24*u, wide, 48*u), paint.Action{Drag: true, Grab: true, End: o.drop, Do: func(at paint.Point) {
			if o.held == nil {
				o.held, o.at = o.knots, i
			}
			o.put(o.held, value(at.Y))
		}})
	}
	return taken
}
