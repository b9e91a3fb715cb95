package plane

import (
	"math"
	"strconv"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// hillEditor lets the viewer move, widen, weigh, add and remove the hills of a mixture in the plane. The density follows
// at once; the edit is the parameter hills of the experiment, which the page runs again when a drag ends.
type hillEditor struct {
	hills    []frame.Hill // nil: the model's hills cannot be changed
	active   bool
	selected int
	dragging bool
	changed  bool // an edit has not been taken yet
	stale    bool // the density does not show the hills
}

// take stores the hills of a new density, unless the viewer is changing them.
func (e *hillEditor) take(f *frame.Frame) {
	if f.Field == nil || e.dragging || e.changed {
		return
	}
	e.hills, _ = frame.ReadHills(f.Field.Hills) // checked when the frame was decoded
	e.selected = min(e.selected, max(len(e.hills)-1, 0))
	e.active = e.active && e.hills != nil
}

// takeEdit returns the changed hills as a parameter and its value, "" if there is no change.
func (e *hillEditor) takeEdit() string {
	if !e.changed || e.dragging {
		return ""
	}
	e.changed = false
	return "hills=" + frame.HillsText(e.hills)
}

// set changes hill i within the limits of the parameter.
func (e *hillEditor) set(i int, h frame.Hill) {
	within := func(x, low, high float64) float64 { return math.Round(1000*min(max(x, low), high)) / 1000 }
	h.X, h.Y = within(h.X, -frame.MaxHillDistance, frame.MaxHillDistance), within(h.Y, -frame.MaxHillDistance, frame.MaxHillDistance)
	h.SD, h.Mass = within(h.SD, frame.MinHillSD, frame.MaxHillSD), within(h.Mass, frame.MinHillMass, frame.MaxMass)
	e.hills[i], e.selected, e.changed, e.stale = h, i, true, true
}

// add adds a hill of average mass beside the selected one.
func (e *hillEditor) add() {
	if len(e.hills) == frame.MaxHills {
		return
	}
	total := 0.
	for _, h := range e.hills {
		total += h.Mass
	}
	from := e.hills[e.selected]
	e.hills = append(e.hills, frame.Hill{})
	e.set(len(e.hills)-1, frame.Hill{X: from.X / 2, Y: from.Y/2 + 2, SD: .6, Mass: total / float64(len(e.hills)-1)})
}

// remove removes the selected hill, unless it is the only one.
func (e *hillEditor) remove() {
	if len(e.hills) < 2 {
		return
	}
	e.hills = append(e.hills[:e.selected:e.selected], e.hills[e.selected+1:]...)
	e.selected, e.changed, e.stale = max(e.selected-1, 0), true, true
}

// key handles a key: e starts and ends editing; then n selects the next hill, arrows move it, + and - change its mass,
// w and s its width, a adds a hill and Delete removes one.
func (e *hillEditor) key(name string) bool {
	if e.hills == nil || !e.active && name != "e" {
		return false
	}
	h := e.hills[e.selected]
	const step, factor = .25, 1.25
	switch name {
	case "e", "Escape":
		e.active = !e.active
		return true
	case "n":
		e.selected = (e.selected + 1) % len(e.hills)
		return true
	case "a":
		e.add()
		return true
	case "Delete", "x":
		e.remove()
		return true
	case "ArrowLeft":
		h.X -= step
	case "ArrowRight":
		h.X += step
	case "ArrowUp":
		h.Y += step
	case "ArrowDown":
		h.Y -= step
	case "w":
		h.SD *= factor
	case "s":
		h.SD /= factor
	case "+":
		h.Mass *= factor
	case "-":
		h.Mass /= factor
	default:
		return false
	}
	e.set(e.selected, h)
	return true
}

// refresh computes the density of changed hills on the grid of the old one. The masses of its components are exact.
func (e *hillEditor) refresh(g *Background) {
	if !e.stale || g.field == nil {
		return
	}
	e.stale = false
	f := *g.field
	f.Log1, f.Components = make([]float32, len(f.Log1)), nil
	total := 0.
	for _, h := range e.hills {
		total += h.Mass
	}
	for _, h := range e.hills {
		f.Components = append(f.Components, frame.Component{X: float32(h.X), Y: float32(h.Y), Mass: float32(h.Mass / total)})
	}
	for k := range f.Log1 {
		x := float64(f.X0) + (float64(k%f.W)+.5)*float64(f.X1-f.X0)/float64(f.W)
		y := float64(f.Y1) - (float64(k/f.W)+.5)*float64(f.Y1-f.Y0)/float64(f.H)
		top, terms := math.Inf(-1), make([]float64, len(e.hills))
		for j, h := range e.hills {
			distance := ((x-h.X)*(x-h.X) + (y-h.Y)*(y-h.Y)) / (h.SD * h.SD)
			terms[j] = math.Log(h.Mass/(h.SD*h.SD)) - distance/2
			top = max(top, terms[j])
		}
		sum := 0.
		for _, t := range terms {
			sum += math.Exp(t - top)
		}
		f.Log1[k] = float32(top + math.Log(sum) - num.Log2Pi)
	}
	g.field, g.derived = &f, nil
}

// draw draws the handles of the hills, and the links that start and end editing.
func (e *hillEditor) draw(v *planeView, l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	if e.hills == nil || v.Bare || a.Print {
		return
	}
	x, y := v.Box.X+10*u, v.Box.Y+20*u
	link := func(text string, do func()) {
		a.Link(l, text, x, y, paint.Plain, t.Ink2, 6, paint.Action{Do: func(paint.Point) { do() }})
		x += a.Fonts.Width(text, paint.Plain) + 20*u
	}
	if !e.active {
		link(a.Say("Change the hills"), func() { e.active = true })
		return
	}
	link(a.Say("Done"), func() { e.active = false })
	if len(e.hills) < frame.MaxHills {
		link(a.Say("Add a hill"), e.add)
	}
	if len(e.hills) > 1 {
		link(a.Say("Remove this hill"), e.remove)
	}
	for i := range e.hills {
		e.handles(v, l, i)
	}
}

// handles draws the three handles of a hill: a disc in its middle that moves it, a disc at one standard deviation that
// widens it, and a square above it that weighs it. Its mass is written beside the square.
func (e *hillEditor) handles(v *planeView, l *paint.Layer, i int) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	h := e.hills[i]
	color := t.Ink
	if i == e.selected {
		color = t.Followed
	}
	middle := paint.Pt(v.Sx.At(h.X), v.Sy.At(h.Y))
	edge := paint.Pt(v.Sx.At(h.X+h.SD), middle.Y)
	const ringSides = 48
	ring := a.Points(ringSides + 1)
	for k := range ringSides + 1 {
		angle := 2 * math.Pi * float64(k) / ringSides
		ring = append(ring, paint.Pt(v.Sx.At(h.X+h.SD*math.Cos(angle)), v.Sy.At(h.Y+h.SD*math.Sin(angle))))
	}
	weight := paint.Pt(middle.X, middle.Y-max(math.Abs(edge.X-middle.X), 14*u)-14*u)
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: ring, Width: 1.5 * u, Color: color},
		paint.Mark{Kind: paint.Disc, At: middle, R: 8 * u, Color: t.Ground},
		paint.Mark{Kind: paint.Disc, At: middle, R: 6 * u, Color: color},
		paint.Mark{Kind: paint.Disc, At: edge, R: 6 * u, Color: t.Ground},
		paint.Mark{Kind: paint.Disc, At: edge, R: 4.5 * u, Color: color},
		paint.Mark{Kind: paint.Fill, Box: paint.XYWH(weight.X-6*u, weight.Y-6*u, 12*u, 12*u), Color: color})
	l.Label(a.Say("mass")+" "+strconv.FormatFloat(h.Mass, 'g', 3, 64), weight.X+12*u, weight.Y+4*u, paint.Tick, t.Ink, paint.Left)

	// Boxes for fingers are large, but neighbouring ones do not overlap much.
	drag := func(at paint.Point, size float64, do func(at paint.Point)) {
		a.OnTap(paint.XYWH(at.X-size/2, at.Y-size/2, size, size), paint.Action{Drag: true, Grab: true,
			Do: func(at paint.Point) {
				if i < len(e.hills) {
					e.dragging = true
					do(at)
				}
			}, End: func() { e.dragging = false }})
	}
	size := min(44*u, max(20*u, math.Abs(edge.X-middle.X)))
	drag(edge, size, func(at paint.Point) {
		h := e.hills[i]
		h.SD = math.Hypot(v.Sx.Value(at.X)-h.X, v.Sy.Value(at.Y)-h.Y)
		e.set(i, h)
	})
	drag(middle, size, func(at paint.Point) {
		h := e.hills[i]
		h.X, h.Y = v.Sx.Value(at.X), v.Sy.Value(at.Y)
		e.set(i, h)
	})
	last := weight.Y
	drag(weight, 28*u, func(at paint.Point) {
		h := e.hills[i]
		h.Mass *= math.Exp((last - at.Y) / (50 * u))
		last = at.Y
		e.set(i, h)
	})
}
