// Package plane is the scene of particles in two dimensions over their density, with marginals.
package plane

import (
	"image/color"
	"math"
	"sort"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("plane", func(r *record.Run) scene.Scene { return &plane{Base: scene.Base{Run: r}} })

// plane shows particles over their density. The area of a dot is its weight, its colour the inverse temperature. Above
// and at the right are the marginals (histogram and exact), below is the bar of inverse temperatures. Both axes have
// the same scale, unless they are named parameters.
type plane struct {
	scene.Base
	background Background
	axes       axes
	editor     hillEditor
}

// Draw implements Scene.
func (s *plane) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	live, w, among := p.PickReplayed(a, func(w *record.Particles) bool { return w.W == 0 && !w.RungsOnly })
	if w == nil && s.background.Density() == nil && len(p.Particles) > 0 {
		return []paint.Layer{paint.Note(a, "No plane for this model")}
	}
	if w == nil && s.background.Density() == nil || a.W < 120*a.Unit || a.H < 120*a.Unit {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}

	free := s.free(w)
	if free {
		x, y := s.axes.pair(len(w.Parameters.Names))
		w = projected(w, x, y)
	}

	// The column of log Z, then the plane in the remaining area.
	var top paint.Layer
	fullArea := a
	if live != nil && live.HasBetas() && a.Shows("points") {
		a = record.DrawColumn(a, &top, p.Level(live, a), p.HeaderRoom(among)*a.Unit)
	}
	s.editor.refresh(&s.background)
	d := s.background.Density()
	v := NewPlane(a, p, d, w)
	if v != nil && s.editor.active { // hills may be moved anywhere in the field
		v.roi = d.whole()
		v.Sx, v.Sy = v.Window(v.Box)
	}
	if v == nil {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}

	// Density, particles, and labels.
	var back, front paint.Layer
	if s.background.Density() != nil {
		s.background.Density().ReliefPending = false
		back.Add(paint.Mark{Kind: paint.Ground, Box: v.Box, Dark: !a.Shows("points"),
			Relief: &s.background.Density().Relief(0, v.Box, v.Sx, v.Sy, v.Beta, 6*a.Unit, p.Now).Relief})
	}
	v.Frame(&front)
	if !v.Bare {
		v.titles(&front, &s.axes, free)
	}
	s.editor.draw(v, &top)
	if w == nil { // before the first frame: the target, faint
		back.Add(paint.Mark{Kind: paint.Fill, Box: v.Box, Color: paint.Fade(a.Theme.Ground, 0.35)})
		return []paint.Layer{back, front, top}
	}
	inside, dots := paint.Layer{Clip: v.Box}, paint.Layer{}
	v.trails(&inside)
	v.dropped(&inside)
	v.particles(&dots)
	if !v.Bare {
		v.marginals(&front)
		if !s.editor.active { // the handles have the masses
			v.masses(&front)
		}
	}

	out := []paint.Layer{back, inside, dots, front}
	if v.barHeight > 0 {
		out = append(out, v.drawBetaBar(p, live))
	}
	record.Header(fullArea, p, &top, v.pad, live, among)
	return append(out, top)
}

// Take implements Scene. It stores the density of the model.
func (s *plane) Take(f *frame.Frame) {
	if s.editor.take(f); !s.editor.dragging && !s.editor.changed {
		s.background.Take(f)
	}
}

// Clear implements Scene.
func (s *plane) Clear() { s.background, s.axes = Background{}, axes{} }

// TakeEdit returns the hills that the viewer has changed.
func (s *plane) TakeEdit() string { return s.editor.takeEdit() }

// Describe implements Scene.
func (s *plane) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// IsAnimating implements Scene.
func (s *plane) IsAnimating(still bool) bool {
	return !still && s.Run.IsGliding() || s.Run.IsPlaying(still) ||
		s.background.Density() != nil && s.background.Density().ReliefPending
}

// planeView is the layout of a plane with the weights of its particles.
type planeView struct {
	a              *paint.Area
	d              *density          // nil: no frame yet
	w              *record.Particles // nil: nothing yet
	Box            paint.Rect
	Sx, Sy         paint.Axis
	roi            paint.Rect
	pad            float64
	top            float64 // height of the upper marginal
	side           float64 // width of the right marginal
	barHeight      float64 // height of the bar of inverse temperatures
	hasSnapshots   bool
	noTopMarginal  bool    // no space for the upper marginal
	hasHeader      bool    // a header line is above the upper marginal
	Bare           bool    // no ticks: no space, or details are hidden
	Beta           float64 // inverse temperature of the density
	separateScales bool    // each axis has its own scale
	hasSharedBeta  bool    // all particles have the same inverse temperature
	hasBetas       bool    // particles have temperatures
	weightShare    []float64
	relativeWeight []float64 // weight over the mean weight
	now            float64
	names          [2]string // of the axes
}

// NewPlane lays a plane out, over a density if d is not nil. It returns nil if there is no space, or nothing to show.
func NewPlane(a *paint.Area, p *record.Run, d *density, w *record.Particles) *planeView {
	u := a.Unit
	v := &planeView{a: a, d: d, w: w, Beta: 1, now: p.Now, pad: 24 * u, top: 52 * u, side: 64 * u}
	left, bottom := 44*u, 30*u
	if a.Compact() {
		v.pad, v.top, v.side, left = 16*u, 36*u, 44*u, 32*u
	}
	if v.Bare = !a.Shows("details"); v.Bare {
		v.top, v.side, left, bottom = 14*u, v.pad, v.pad, 14*u
	}
	if _, among := p.Pick(func(w *record.Particles) bool { return w.W == 0 && !w.RungsOnly }); p.HasHeader(among) {
		v.top, v.hasHeader = v.top+16*u, true
	}
	if w != nil {
		v.computeWeights()
		if v.hasBetas {
			switch {
			case !a.Compact() && a.H >= 380*u && v.d != nil && !v.Bare:
				v.barHeight, v.hasSnapshots = min(131, 63+a.H/u*0.12)*u, true
			case a.H >= 260*u && w.Rungs > 2: // otherwise there are no temperatures to choose from
				v.barHeight = 50 * u
			case a.H >= 180*u && w.Rungs > 2: // the bar is more important than the upper marginal
				v.barHeight, v.noTopMarginal = 48*u, true
				if v.top = 20 * u; v.hasHeader {
					v.top += 16 * u
				}
			}
		}
	}
	v.Box = paint.Snap(paint.XYWH(left, v.top, a.W-left-v.side, a.H-v.top-bottom-v.barHeight))
	if v.Box.H < 40*u || v.Box.W < 40*u {
		return nil
	}
	if v.d != nil {
		v.roi = v.d.Roi
	} else if lo, hi, found := record.Extent(w, axesSelectable(w, d)); found {
		v.roi = paint.XYWH(lo.X, lo.Y, hi.X-lo.X, hi.Y-lo.Y)
	} else {
		return nil
	}
	v.separateScales = axesSelectable(w, d)
	v.Sx, v.Sy = v.Window(v.Box)

	// Long tick labels need a wider margin.
	widest := 0.0
	at, step := format.Ticks(v.Sy.D0, v.Sy.D1, v.yTicks())
	for _, y := range at {
		widest = max(widest, a.Fonts.Width(format.Tick(y, step), paint.Tick))
	}
	if extraMargin := widest + 10*u - v.Box.X; extraMargin > 0 && !v.Bare {
		v.Box = paint.Snap(paint.XYWH(v.Box.X+extraMargin, v.Box.Y, v.Box.W-extraMargin, v.Box.H))
		v.Sx, v.Sy = v.Window(v.Box)
	}
	return v
}

func (v *planeView) yTicks() int { return min(7, max(2, int(v.Box.H/(36*v.a.Unit)))) }

// Window fits the region of interest into a box, with the same scale for both axes if they are comparable, and moves
// it into the field if possible.
func (v *planeView) Window(b paint.Rect) (sx, sy paint.Axis) {
	if r := v.roi; v.separateScales {
		return paint.NewAxis(r.X, r.X+r.W, b.X, b.X+b.W), paint.NewAxis(r.Y, r.Y+r.H, b.Y+b.H, b.Y)
	}
	unit := max(v.roi.W/b.W, v.roi.H/b.H)
	x, y := v.roi.X+v.roi.W/2-unit*b.W/2, v.roi.Y+v.roi.H/2-unit*b.H/2
	if v.d != nil {
		f := v.d.f
		x = record.MoveInto(x, unit*b.W, float64(f.X0), float64(f.X1))
		y = record.MoveInto(y, unit*b.H, float64(f.Y0), float64(f.Y1))
	}
	return paint.NewAxis(x, x+unit*b.W, b.X, b.X+b.W), paint.NewAxis(y, y+unit*b.H, b.Y+b.H, b.Y)
}

// computeWeights computes the weights of the particles and the inverse temperature of the density.
func (v *planeView) computeWeights() {
	w := v.w
	v.Beta, v.hasSharedBeta, v.hasBetas = w.SharedBeta()
	if !v.hasBetas {
		v.Beta = 1
	} else if !v.hasSharedBeta {
		sum, n := 0.0, 0.0
		for i := range w.Slots {
			if s := &w.Slots[i]; s.Filled && num.NotNaN(s.Beta) {
				sum, n = sum+s.Beta, n+1
			}
		}
		v.Beta = sum / n
	}

	// Weights are comparable only at the same temperature: the total of each group is proportional to its size.
	rel, weighted := w.Weights()
	type group struct{ sum, n float64 }
	groups, n := map[float64]group{}, 0.0
	key := func(s *record.Slot) float64 {
		if num.NotNaN(s.Beta) {
			return s.Beta
		}
		return -1
	}
	for i := range w.Slots {
		if s := &w.Slots[i]; s.Filled && num.Finite(s.At.X+s.At.Y) {
			if !weighted {
				rel[i] = 1
			}
			g := groups[key(s)]
			groups[key(s)] = group{g.sum + rel[i], g.n + 1}
			n++
		} else {
			rel[i] = 0
		}
	}
	v.weightShare, v.relativeWeight = v.a.Numbers(len(w.Slots)), v.a.Numbers(len(w.Slots))
	for i := range w.Slots {
		g := groups[key(&w.Slots[i])]
		r := rel[i] * g.n / max(g.sum, 1e-300)
		v.relativeWeight, v.weightShare = append(v.relativeWeight, r), append(v.weightShare, r/max(n, 1))
	}
}

// Frame draws the border, ticks and labels.
func (v *planeView) Frame(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	b := v.Box
	l.HLine(a, b.X, b.X+b.W, b.Y, t.Line)
	l.HLine(a, b.X, b.X+b.W, b.Y+b.H, t.Line)
	l.VLine(a, b.X, b.Y, b.Y+b.H, t.Line)
	l.VLine(a, b.X+b.W, b.Y, b.Y+b.H, t.Line)
	if v.Bare {
		return
	}
	n := 7
	if a.Compact() {
		n = 5
	}
	at, step := format.Ticks(v.Sx.D0, v.Sx.D1, n)
	for _, x := range at {
		l.VLine(a, v.Sx.At(x), b.Y+b.H, b.Y+b.H+4*u, t.Line2)
		l.Label(format.Tick(x, step), v.Sx.At(x), b.Y+b.H+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	at, step = format.Ticks(v.Sy.D0, v.Sy.D1, v.yTicks())
	for _, y := range at {
		l.HLine(a, b.X-4*u, b.X, v.Sy.At(y), t.Line2)
		l.Label(format.Tick(y, step), b.X-8*u, v.Sy.At(y)+4*u, paint.Tick, t.Ink3, paint.Right)
	}
}

// dotAt returns the pixel of a particle.
func (v *planeView) dotAt(s *record.Slot) paint.Point {
	q := s.Place(v.now, v.a.Still)
	return paint.Pt(v.Sx.At(q.X), v.Sy.At(q.Y))
}

// DotColour returns the colour of a particle. Without a temperature it is the colour of inverse temperature 1.
func (v *planeView) DotColour(beta float64) color.RGBA {
	if !num.NotNaN(beta) {
		return v.a.Theme.BetaColor(1)
	}
	return v.a.Theme.BetaColor(beta)
}

// particles draws the dots whose centres are in the box, and adds tooltips.
func (v *planeView) particles(l *paint.Layer) {
	a, w := v.a, v.w
	u := a.Unit
	if !a.Shows("points") {
		return
	}
	r0 := 3.1 * u
	if a.Compact() {
		r0 = 2.5 * u
	}
	maxRadius := 6 * r0
	if n := float64(len(w.Slots)); n > 500 {
		r0 *= math.Sqrt(max(500/n, 0.3)) // many dots must not cover the density
	}

	// Large dots first, so that small ones are on top.
	order := make([]int, 0, len(w.Slots))
	for i := range w.Slots {
		if v.relativeWeight[i] > 0 && v.Box.Contains(v.dotAt(&w.Slots[i])) {
			order = append(order, i)
		}
	}
	sort.Slice(order, func(i, j int) bool {
		if x, y := v.relativeWeight[order[i]], v.relativeWeight[order[j]]; x != y {
			return x > y
		}
		return order[i] < order[j]
	})

	m := paint.Mark{Kind: paint.Dots, Pts: a.Points(len(order)), Radii: a.Numbers(len(order)),
		Colors: a.Colors(len(order)),
		Width:  0.75 * u * a.Theme.Stroke}
	pointed := a.Pointed(v.Box)
	if len(order) > 0 { // if a few points have nearly all the weight, the others shrink
		r0 = min(r0, maxRadius/math.Sqrt(v.relativeWeight[order[0]]))
	}
	for _, i := range order {
		s := &w.Slots[i]
		at := v.dotAt(s)
		r := max(r0*math.Sqrt(v.relativeWeight[i]), 0.5*u)
		m.Pts, m.Radii, m.Colors = append(m.Pts, at), append(m.Radii, r), append(m.Colors, v.DotColour(s.Beta))
		if pointed {
			a.Pointer.Offer(max(a.Pointer.Distance(at)-r, 0), 14*u, at, r, paint.Rect{}, func() string { return v.describe(i) })
		}
	}
	l.Add(m)
}

// dropped draws the particles without offspring: they fade and fall.
func (v *planeView) dropped(l *paint.Layer) {
	u := v.a.Unit
	m := paint.Mark{Kind: paint.Dots, Pts: v.a.Points(len(v.w.Dropped)), Radii: v.a.Numbers(len(v.w.Dropped)),
		Colors: v.a.Colors(len(v.w.Dropped))}
	for i := range v.w.Dropped {
		d := &v.w.Dropped[i]
		if g := d.DropProgress(v.now, v.a.Still); g < 1 {
			m.Pts = append(m.Pts, paint.Pt(v.Sx.At(d.At.X), v.Sy.At(d.At.Y)+40*u*g*g))
			m.Radii, m.Colors = append(m.Radii, 2.5*u), append(m.Colors, paint.Fade(v.a.Theme.Ink3, 1-g))
		}
	}
	if len(m.Pts) > 0 {
		l.Add(m)
	}
}

// describe returns the tooltip of a particle.
func (v *planeView) describe(i int) string {
	s := &v.w.Slots[i]
	x, y := v.names[0], v.names[1]
	text := v.a.Say("Particle") + " " + strconv.Itoa(i+1) + "\n" + x + " = " + format.Grouped(s.At.X, 2)
	if y != "" {
		text += ", " + y + " = " + format.Grouped(s.At.Y, 2)
	}
	if num.NotNaN(s.Beta) {
		text += "\n" + record.FormatBeta(s.Beta)
	}
	if num.NotNaN(s.LogW) {
		text += "\n" + v.a.Say("weight") + " " + format.Grouped(v.relativeWeight[i], 2) + " " + v.a.Say("of the mean")
	}
	return text
}

// trails draws the previous positions of points, fading with age. Long jumps have no trail.
func (v *planeView) trails(l *paint.Layer) {
	a := v.a
	if a.Still || v.hasSharedBeta || v.w.IsAnnealed() {
		return
	}
	m := paint.Mark{Kind: paint.Segments, Width: 1.25 * a.Unit * a.Theme.Stroke, Pts: a.Points(2 * 200 * record.MaxTrail),
		Colors: a.Colors(200 * record.MaxTrail)}
	maxJump := 0.14 * min(v.Box.W, v.Box.H)
	trailCount := 0
	for i := range v.w.Slots {
		s := &v.w.Slots[i]
		if len(s.Trail) == 0 || trailCount >= 200 {
			continue
		}
		trailCount++
		to := v.dotAt(s)
		for k := len(s.Trail) - 1; k >= 0; k-- {
			q := s.Trail[k]
			from := paint.Pt(v.Sx.At(q.At.X), v.Sy.At(q.At.Y))
			d := math.Hypot(from.X-to.X, from.Y-to.Y)
			if !(d > 0.5) || d > maxJump {
				break
			}
			age := float64(len(s.Trail)-k) / (record.MaxTrail + 1)
			m.Pts, m.Colors = append(m.Pts, from, to), append(m.Colors, paint.Fade(v.DotColour(q.Beta), 0.75*(1-age)))
			to = from
		}
	}
	l.Add(m)
}
