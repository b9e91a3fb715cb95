package resampling

import (
	"image/color"
	"math"
	"slices"
	"sort"
	"strconv"

	"logzlab/render/paint"
	"logzlab/render/plane"
	"logzlab/render/record"
)

// particles draws the particles in a box: as dots, as pictures, or as functions.
func (v *changeView) particles(b paint.Rect) []paint.Layer {
	switch {
	case v.is.Filter != nil:
		return v.states(b)
	case v.is.W > 0 && len(v.m.Bits) > 0:
		return []paint.Layer{v.pictures(b)}
	case len(v.m.Points) > 0:
		return v.dots(b)
	case len(v.m.Values) > 0:
		return []paint.Layer{v.functions(b)}
	}
	var l paint.Layer
	l.Label(v.a.Say("These particles have no picture; below are their weights."), b.X, b.Y+b.H/2, paint.Plain,
		v.a.Theme.Ink2, paint.Left)
	return []paint.Layer{l}
}

// copyOffsets returns an offset in pixels for each row: copies of the same parent are placed on a spiral of step pixels,
// so that they can be counted; the other offsets are 0. It returns nil if the moment is not a resampling.
func copyOffsets(s *record.Moment, step float64) []paint.Point {
	if s.Phase != record.Resampling || s.Parents == nil {
		return nil
	}
	out, copiesSoFar, childCounts := make([]paint.Point, s.Rows), map[int32]int{}, map[int32]int{}
	for row := range s.Rows {
		childCounts[s.Parents[row]]++
	}
	for row := range s.Rows {
		p := s.Parents[row]
		k := copiesSoFar[p]
		if copiesSoFar[p]++; p < 0 || childCounts[p] < 2 {
			continue
		}
		// A spiral: the radius of copy k is proportional to the square root of k.
		angle, r := 2.39996*float64(k), step*math.Sqrt(float64(k)+0.5)
		out[row] = paint.Pt(r*math.Cos(angle), r*math.Sin(angle))
	}
	return out
}

// dots draws particles in the plane over the density. Their areas are their weights.
func (v *changeView) dots(b paint.Rect) []paint.Layer {
	a, u := v.a, v.a.Unit

	// The layout is the same as in the scene plane, without marginals.
	area, particles := *a, &record.Particles{Model: v.w.Model, Method: v.w.Method}
	area.W, area.H, area.Pointer = b.X+b.W, b.Y+b.H, nil
	for row := range v.m.Rows {
		s := record.EmptySlot
		s.Filled, s.At = true, paint.Pt(float64(v.m.Points[2*row]), float64(v.m.Points[2*row+1]))
		particles.Slots = append(particles.Slots, s)
	}
	g := plane.NewPlane(&area, v.p, v.scene.background.Density(), particles)
	if g == nil {
		return nil
	}
	left := max(g.Box.X, b.X)
	g.Box = paint.XYWH(left, b.Y+14*u, b.X+b.W-left-12*u, b.H-36*u)
	if g.Bare = g.Bare || b.H < 200*u; g.Bare {
		g.Box = paint.XYWH(b.X, b.Y+8*u, b.W-12*u, b.H-12*u)
	}
	g.Box = paint.Snap(g.Box)
	g.Sx, g.Sy = g.Window(g.Box)
	if g.Beta = v.m.Beta; math.IsNaN(g.Beta) {
		g.Beta = 1
	} else if v.q != nil && !math.IsNaN(v.q.Beta) {
		g.Beta = v.q.Beta + (g.Beta-v.q.Beta)*ease(v.progress, 0, 1)
	}
	var back, front paint.Layer
	if v.scene.background.Density() != nil {
		v.scene.background.Density().ReliefPending = false
		back.Add(paint.Mark{Kind: paint.Ground, Box: g.Box,
			Relief: &v.scene.background.Density().Relief(0, g.Box, g.Sx, g.Sy, g.Beta, 6*u, v.p.Now).Relief})
	}
	g.Frame(&front)

	// Copies are around the position of their parent.
	r0 := 4.4 * u
	if n := float64(v.m.Rows); n > 120 {
		r0 *= math.Sqrt(120 / n)
	}
	var inside paint.Layer
	positionBefore := v.drawDots(&inside, g.Box, g.Sx, g.Sy, r0, g.DotColour(g.Beta), func(s *record.Moment) []paint.Point {
		return copyOffsets(s, 1.6*r0)
	})
	v.copyCounts(&front, func(p int) paint.Point {
		at := positionBefore(p)
		return paint.Pt(at.X+1.6*r0*math.Sqrt(float64(v.children[p]))+4*u, at.Y-6*u)
	}, paint.Left, 16)
	return []paint.Layer{back, inside, front}
}

// drawDots draws particles as dots whose centres are in the box. Their areas are their weights, r0 is the radius of
// the mean weight, and offsets returns the offset of each row of a moment. It returns the positions of the rows of the
// previous moment.
func (v *changeView) drawDots(l *paint.Layer, b paint.Rect, sx, sy paint.Axis, r0 float64, ink color.RGBA,
	offsets func(*record.Moment) []paint.Point) (before func(row int) paint.Point) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	place := func(s *record.Moment, offsets []paint.Point) func(row int) paint.Point {
		return func(row int) paint.Point {
			at := paint.Pt(sx.At(float64(s.Points[2*row])), sy.At(float64(s.Points[2*row+1])))
			if offsets != nil {
				at.X, at.Y = at.X+offsets[row].X, at.Y+offsets[row].Y
			}
			return at
		}
	}
	after := place(v.m, offsets(v.m))
	if v.q != nil {
		before = place(v.q, offsets(v.q))
	}

	// Large particles first, so that small ones are on top. Particles without offspring fade and fall.
	moving := slices.Clone(v.animated)
	sort.SliceStable(moving, func(i, j int) bool { return moving[i].size > moving[j].size })
	m := paint.Mark{Kind: paint.Dots, Pts: a.Points(len(moving)), Radii: a.Numbers(len(moving)),
		Colors: a.Colors(len(moving)), Width: 0.9 * u * t.Stroke}
	for _, x := range moving {
		c, at, fall := ink, paint.Point{}, 0.0
		switch {
		case x.row == record.NoRow:
			at = before(x.from)
			c, fall = paint.Fade(paint.Mix(c, t.Line2, ease(v.progress, 0, 0.2)), 1-x.faded), 46*u*x.faded*x.faded
		case x.from == record.NoRow:
			at, c = after(x.row), paint.Fade(c, 1-x.faded)
		default:
			from, to := before(x.from), after(x.row)
			at = paint.Pt(from.X+(to.X-from.X)*x.moved, from.Y+(to.Y-from.Y)*x.moved)
		}
		if !b.Contains(at) {
			continue
		}
		m.Pts, m.Colors = append(m.Pts, paint.Pt(at.X, at.Y+fall)), append(m.Colors, c)
		m.Radii = append(m.Radii, max(r0*min(math.Sqrt(x.size), 7), 0.7*u))
	}
	l.Add(m)
	return before
}

// copyCounts draws the numbers of copies of the most copied particles, at most maxLabels of them, during the animation
// of a resampling. at returns the position of the label of a row of the previous moment.
func (v *changeView) copyCounts(l *paint.Layer, at func(p int) paint.Point, align paint.Align, maxLabels int) {
	if v.m.Phase != record.Resampling || v.q == nil || v.progress < 0.1 {
		return
	}
	var split []int
	for p := range v.q.Rows {
		if v.children[p] > 1 {
			split = append(split, p)
		}
	}
	sort.SliceStable(split, func(i, j int) bool { return v.children[split[i]] > v.children[split[j]] })
	var labelPlaces []paint.Point
	for _, p := range split[:min(len(split), maxLabels)] {
		q, tries := at(p), 0
		for ; tries < 3 && slices.ContainsFunc(labelPlaces, func(t paint.Point) bool {
			return math.Abs(q.X-t.X) < 24*v.a.Unit && math.Abs(q.Y-t.Y) < 14*v.a.Unit
		}); tries++ {
			q.Y += 14 * v.a.Unit
		}
		if tries == 3 {
			continue // no space
		}
		labelPlaces = append(labelPlaces, q)
		l.Label("\u00d7"+strconv.Itoa(int(v.children[p])), q.X, q.Y, paint.Strong, v.a.Theme.Ink, align)
	}
}

// pictures draws particles as pictures, with siblings as neighbours. The area of a picture is proportional to the weight
// of its particle; the heaviest has the size that all have when the weights are equal.
func (v *changeView) pictures(b paint.Rect) (l paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	n := v.m.Rows
	if v.q != nil {
		n = max(n, v.q.Rows)
	}

	cols, pitch := 1, paint.Point{}
	w, h := float64(v.is.W), float64(v.is.H)
	scale := 0.0
	for c := 1; c <= n; c++ {
		rows := float64((n + c - 1) / c)
		if s := min(b.W/float64(c)/w, b.H/rows/h); s > scale {
			scale, cols, pitch = s, c, paint.Pt(b.W/float64(c), b.H/rows)
		}
	}

	// Positions before and after the change.
	place := func(s *record.Moment) []paint.Point {
		out := make([]paint.Point, s.Rows)
		for k, row := range s.Ranked() {
			out[row] = paint.Pt(b.X+pitch.X*(float64(k%cols)+0.5), b.Y+pitch.Y*(float64(k/cols)+0.5))
		}
		return out
	}
	positionsAfter, positionsBefore := place(v.m), []paint.Point(nil)
	if v.q != nil {
		positionsBefore = place(v.q)
	}

	top := 0.0
	for _, x := range v.animated {
		if x.faded < 0.5 {
			top = max(top, x.size)
		}
	}

	// Particles disappear, appear, or move away from their parent.
	cells := v.is.W * v.is.H
	for _, x := range v.animated {
		side := 0.86 * scale * math.Sqrt(min(x.size/max(top, 1e-300), 1))
		if x.faded >= 1 || side*w < 0.8*u {
			continue
		}
		m := paint.Mark{Kind: paint.Cells, Cols: v.is.W, Rows: v.is.H, Slot: max(x.row, 0)}
		at := paint.Point{}
		switch {
		case x.row == record.NoRow:
			at = positionsBefore[x.from]
			at.Y += 0.7 * pitch.Y * x.faded * x.faded
			m.Cells = v.q.Cells(x.from, a.Bytes(cells))
			m.Color = paint.Fade(color.RGBA{255, 255, 255, 255}, max((1-x.faded)*(1-0.65*ease(v.progress, 0, 0.2)), 0.02))
		case x.from == record.NoRow:
			at, m.Cells = positionsAfter[x.row], v.m.Cells(x.row, a.Bytes(cells))
			m.Color = paint.Fade(color.RGBA{255, 255, 255, 255}, max(1-x.faded, 0.02))
		default:
			from, to := positionsBefore[x.from], positionsAfter[x.row]
			at = paint.Pt(from.X+(to.X-from.X)*x.moved, from.Y+(to.Y-from.Y)*x.moved)
			m.Cells, m.Grey = v.interpolated(x)
		}
		m.Box = paint.XYWH(math.Round(at.X-side*w/2), math.Round(at.Y-side*h/2), math.Round(side*w), math.Round(side*h))
		l.Add(m, paint.FrameAround(m.Box, 0, a.Hairline(), paint.Fade(t.Line, 1-x.faded)))
	}
	v.copyCounts(&l, func(p int) paint.Point {
		return paint.Pt(positionsBefore[p].X, positionsBefore[p].Y-0.43*scale*h+11*u)
	}, paint.Centre, 40)
	return l
}

// interpolated returns the picture of a particle during the animation: shades between the previous and its own
// picture, if both have the same cells.
func (v *changeView) interpolated(x movingParticle) (cells []byte, grey bool) {
	n := v.is.W * v.is.H
	to := v.m.Cells(x.row, v.a.Bytes(n))
	if x.moved >= 1 {
		return to, false
	}
	from := v.q.Cells(x.from, v.a.Bytes(n))
	for j := range to {
		if to[j] > 1 || from[j] > 1 { // cells that are not generated yet
			if x.moved < 0.5 {
				return from, false
			}
			return to, false
		}
	}
	for j := range to {
		to[j] = byte(255 * (float64(from[j])*(1-x.moved) + float64(to[j])*x.moved))
	}
	return to, true
}

// functions draws particles that are functions of one input as lines, with widths by weight.
func (v *changeView) functions(b paint.Rect) paint.Layer {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	n := v.is.Latent.GW * v.is.Latent.GH
	l := paint.Layer{Clip: b}
	halfRange := max(v.is.HalfRange, 1)
	l.HLine(a, b.X, b.X+b.W, b.Y+b.H/2, t.Line2)
	line := func(s *record.Moment, row, k int) float64 {
		if (row+1)*n > len(s.Values) {
			return 0
		}
		return float64(s.Values[row*n+k])
	}

	for _, x := range v.animated {
		m := paint.Mark{Kind: paint.Stroke, Width: u * t.Stroke * min(0.4+math.Sqrt(x.size), 7),
			Color: paint.Fade(t.BetaColor(1), 0.75*(1-x.faded))}
		if x.row == record.NoRow {
			m.Color = paint.Fade(t.Line2, 1-x.faded)
		}

		for k := range n {
			y := 0.0
			switch {
			case x.row == record.NoRow:
				y = line(v.q, x.from, k)
			case x.from == record.NoRow:
				y = line(v.m, x.row, k)
			default:
				y = line(v.q, x.from, k)*(1-x.moved) + line(v.m, x.row, k)*x.moved
			}
			drop := 0.0
			if x.row == record.NoRow {
				drop = 46 * u * x.faded * x.faded
			}
			m.Pts = append(m.Pts, paint.Pt(b.X+b.W*float64(k)/float64(max(n-1, 1)), b.Y+b.H/2-y/halfRange*b.H/2+drop))
		}
		l.Add(m)
	}

	v.copyCounts(&l, func(p int) paint.Point {
		return paint.Pt(b.X+b.W-4*u, b.Y+b.H/2-line(v.q, p, n-1)/halfRange*b.H/2)
	}, paint.Right, 12)
	return l
}
