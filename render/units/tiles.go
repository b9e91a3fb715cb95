package units

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// legible returns the minimum side of a picture of units: 56 CSS pixels, 96 on a projector.
func legible(a *paint.Area) float64 {
	if a.Theme.Zoom > 1 {
		return 96 / a.Theme.Zoom
	}
	return 56
}

// tiles lays particles out as rows of pictures. If temperatures differ, a bar at the left of each has the colour of
// its inverse temperature; below it are the number, if it fits, and the weight as a dot. Copies move away from their
// parents, and rows without offspring fall. tiles returns the number of slots that fit with pictures of
// at least minSide CSS pixels.
func tiles(a *paint.Area, w *record.Particles, b paint.Rect, minSide float64) (l paint.Layer, shown int) {
	t, u := a.Theme, a.Unit
	gap := 8 * u
	if a.Compact() {
		gap = 6 * u
	}
	rel, weighted := w.Weights()
	_, shared, known := w.SharedBeta()
	bar, side := max(2, math.Round(3*u)), 0.0
	if known && !shared { // a shared temperature is written above
		side = bar + math.Round(3*u)
	}

	// Space below for weights and numbers.
	const dot = 4.5
	foot := 0.0
	if weighted {
		foot = (2*dot + 2) * u
	}
	g, n := paint.ArrangeLegible(len(w.Slots), w.W, w.H, b, gap, side, foot, 40*u, minSide*u)
	numbers := false
	if known && !shared {
		roomy := paint.Arrange(n, w.W, w.H, b, gap, side, 16*u, 40*u)
		if roomy.TileW >= 40*u {
			g, foot, numbers = roomy, 16*u, true
		}
	}
	if g.Cols == 0 {
		return l, 0
	}

	// Rows without offspring fall behind the others.
	for k := range w.Dropped {
		if d := &w.Dropped[k]; d.Index < n && w.W > 0 {
			x, y := g.Origin(d.Index)
			if progress := d.DropProgress(w.Now, a.Still); progress < 1 {
				m := w.Picture(paint.XYWH(x, y+g.TileH*progress*progress, g.TileW, g.TileH), d.Cells, d.Shades, d.Index)
				m.Color = paint.Fade(color.RGBA{255, 255, 255, 255}, max(0.5*(1-progress), 0.02))
				l.Add(m)
			}
		}
	}

	for i := range n {
		s := &w.Slots[i]
		x, y := g.Origin(i)
		if f := s.CopyProgress(w.Now, a.Still); f < 1 && s.ParentSlot < n {
			fx, fy := g.Origin(s.ParentSlot)
			x, y = math.Round(fx+(x-fx)*f), math.Round(fy+(y-fy)*f)
		}
		box := paint.XYWH(x, y, g.TileW, g.TileH)
		if !s.Filled {
			l.Add(paint.Mark{Kind: paint.Fill, Box: box, Color: t.Absent})
			continue
		}
		l.Add(w.Picture(box, s.Cells, s.Shades, i))
		if a.Pointed(box) {
			a.Pointer.Offer(0, 1, paint.Pt(a.Pointer.At.X, a.Pointer.At.Y), 0, box, func() string { return describe(w, a, i, nil) })
		}
		if side > 0 {
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x-side, y, bar, g.TileH), Color: t.BetaColor(s.Beta)})
		}
		cy := y + g.TileH + foot/2 + 1*u
		if numbers && !math.IsNaN(s.Beta) {
			l.Label(format.Trimmed(s.Beta, 2), x-side, cy+4*u, paint.Tick, t.Ink2, paint.Left)
		}
		if rel[i] > 0 {
			cx := x + (g.TileW-side)/2
			if numbers {
				cx = x + g.TileW - dot*u
			}
			l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(cx, cy), R: dot * u * math.Sqrt(rel[i]), Color: t.BetaColor(s.Beta)})
		}
	}
	return l, n
}
