package chain

import (
	"math"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// drawRelief draws the density at the temperature of the chain, and a frame.
func (v *view) drawRelief(l *paint.Layer) {
	if d := v.background.Density(); d != nil {
		d.ReliefPending = false
		l.Add(paint.Mark{Kind: paint.Ground, Box: v.box,
			Relief: &d.Relief(0, v.box, v.sx, v.sy, v.beta, 6*v.a.Unit, v.Run.Now).Relief})
	}
	l.Add(paint.FrameAround(v.box, 0, v.a.Hairline(), v.a.Theme.Line))
}

// at returns the pixel of a state.
func (v *view) at(x, y float32) paint.Point {
	return paint.Pt(v.sx.At(float64(x)), v.sy.At(float64(y)))
}

// states returns the positions of the chain before and after each move: position i is that before move i. The first is
// unknown (NaN) until a proposal was accepted.
func states(moves []frame.Move) (x, y []float32) {
	nan := float32(math.NaN())
	nowX, nowY := nan, nan
	for _, m := range moves {
		x, y = append(x, nowX), append(y, nowY)
		if m.Accepted {
			nowX, nowY = m.X, m.Y
		}
	}
	return append(x, nowX), append(y, nowY)
}

// drawPath draws the last moves of the chain: a line through accepted states, a hollow circle with a thin line for each
// rejected proposal, both fading with age, and the chain itself.
func (v *view) drawPath(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	all := v.path.moves
	x, y := states(all)
	from := max(len(all)-pathMoves, 0)
	line := paint.Mark{Kind: paint.Segments, Width: 3 * u * t.Stroke, Pts: a.Points(2 * pathMoves), Colors: a.Colors(pathMoves)}
	stop := paint.Mark{Kind: paint.Dots, Pts: a.Points(pathMoves), Radii: a.Numbers(pathMoves), Colors: a.Colors(pathMoves)}
	ghost := paint.Mark{Kind: paint.Segments, Width: u * t.Stroke, Pts: a.Points(2 * pathMoves), Colors: a.Colors(pathMoves)}
	for i := from; i < len(all); i++ {
		if !num.Finite(float64(x[i]) + float64(y[i])) {
			continue
		}
		m := all[i]
		fresh := float64(i-from+1) / float64(len(all)-from) // 1 for the newest move
		old, proposed := v.at(x[i], y[i]), v.at(m.X, m.Y)
		if m.Accepted {
			c := paint.Fade(t.Followed, 0.15+0.85*fresh)
			line.Pts, line.Colors = append(line.Pts, old, proposed), append(line.Colors, c)
			stop.Pts, stop.Radii, stop.Colors = append(stop.Pts, proposed), append(stop.Radii, 2.5*u), append(stop.Colors, c)
			continue
		}
		c := paint.Fade(t.Ink2, 0.1+0.8*fresh*fresh)
		ghost.Pts, ghost.Colors = append(ghost.Pts, old, proposed), append(ghost.Colors, paint.Fade(c, 0.6))
		l.Add(paint.Mark{Kind: paint.Disc, At: proposed, R: 4.5 * u, Hollow: 1.5 * u, Color: c})
	}
	l.Add(ghost, line, stop)

	// The chain: a disc with a rim, larger than all others.
	q := v.w.Slots[0].Place(v.Run.Now, a.Still)
	head := paint.Pt(v.sx.At(q.X), v.sy.At(q.Y))
	l.Add(paint.Mark{Kind: paint.Disc, At: head, R: 9.5 * u, Color: t.Ground},
		paint.Mark{Kind: paint.Disc, At: head, R: 7.5 * u, Color: t.Followed})
}

// drawAllChains draws every chain as a dot in the colour of its temperature, and the followed chain above them.
func (v *view) drawAllChains(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	dots := paint.Mark{Kind: paint.Dots, Width: 0.75 * u, Pts: a.Points(len(v.w.Slots)), Radii: a.Numbers(len(v.w.Slots)),
		Colors: a.Colors(len(v.w.Slots))}
	for i := range v.w.Slots {
		s := &v.w.Slots[i]
		if q := s.Place(v.Run.Now, a.Still); s.Filled && num.Finite(q.X+q.Y) {
			dots.Pts = append(dots.Pts, paint.Pt(v.sx.At(q.X), v.sy.At(q.Y)))
			dots.Radii, dots.Colors = append(dots.Radii, 3.5*u), append(dots.Colors, t.BetaColor(s.Beta))
		}
	}
	l.Add(dots)
	q := v.w.Slots[0].Place(v.Run.Now, a.Still)
	head := paint.Pt(v.sx.At(q.X), v.sy.At(q.Y))
	l.Add(paint.Mark{Kind: paint.Disc, At: head, R: 8 * u, Color: t.Ground},
		paint.Mark{Kind: paint.Disc, At: head, R: 6 * u, Color: t.Followed})
}
