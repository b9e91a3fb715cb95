package chain

import (
	"math"
	"slices"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// rungY returns the pixel of rung k of n, the middle of its share of the height: the base, which is hot, is at the top.
func (v *view) rungY(k float64, n int) float64 {
	return v.ladder.Y + v.ladder.H*(k+0.5)/float64(n)
}

// drawRungs draws the rungs of the ladder and names its ends.
func (v *view) drawRungs(l *paint.Layer, n int) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	b := v.ladder
	l.VLine(a, b.X, b.Y, b.Y+b.H, t.Line2)
	l.VLine(a, b.X+b.W, b.Y, b.Y+b.H, t.Line2)
	step := max(int(math.Ceil(5*u*float64(n)/b.H)), 1) // rungs closer than 5 pixels would make a grey area
	for k := 0; k < n; k += step {
		l.HLine(a, b.X, b.X+b.W, v.rungY(float64(k), n), t.Line)
	}
	l.HLine(a, b.X, b.X+b.W, b.Y+b.H, t.Line2)
	l.HLine(a, b.X, b.X+b.W, b.Y, t.Line2)
	l.Label(a.Say("hot: flat"), b.X+b.W, b.Y-7*u, paint.Tick, t.Ink2, paint.Right)
	if !v.allChains { // the names of the bars are there
		l.Label(a.Say("cold: the target"), b.X+b.W, b.Y+b.H+16*u, paint.Tick, t.Ink2, paint.Right)
	}
}

// drawLadder draws the path of the chain on the ladder: time runs to the right, the newest move is at the right edge.
func (v *view) drawLadder(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	n := max(v.path.rungs, 2)
	v.drawRungs(l, n)
	moves := v.path.moves
	now := float64(v.w.Slots[0].Rung)
	x := func(i int) float64 { // of move i; len(moves) is now
		return v.ladder.X + v.ladder.W - 14*u - (v.ladder.W-20*u)*float64(len(moves)-i)/ladderMoves
	}
	segments := paint.Mark{Kind: paint.Segments, Width: 2.25 * u * t.Stroke, Pts: a.Points(2 * len(moves)),
		Colors: a.Colors(len(moves))}
	for i := range moves {
		next := now
		if i+1 < len(moves) {
			next = float64(moves[i+1].Rung)
		}
		fresh := 0.25 + 0.75*float64(i+1)/float64(len(moves))
		segments.Pts = append(segments.Pts, paint.Pt(x(i), v.rungY(float64(moves[i].Rung), n)), paint.Pt(x(i+1), v.rungY(next, n)))
		segments.Colors = append(segments.Colors, paint.Fade(t.Followed, fresh))
	}
	l.Add(segments)
	head := paint.Pt(x(len(moves)), v.rungY(now, n))
	l.Add(paint.Mark{Kind: paint.Disc, At: head, R: 9.5 * u, Color: t.Ground},
		paint.Mark{Kind: paint.Disc, At: head, R: 7.5 * u, Color: t.Followed})
}

// drawVisits draws, for each rung, a bar of the visits of all chains over the planned visits, with a line at 1, and the
// curve of the estimates of log Z that make the visits even.
func (v *view) drawVisits(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	ladder := v.Run.LastLadder(v.w.Method, func(x *frame.Ladder) bool { return len(x.Occupancy) > 1 })
	if ladder == nil {
		n := max(v.path.rungs, 2)
		v.drawRungs(l, n)
		count := make([]float64, n)
		for i := range v.w.Slots {
			if k := v.w.Slots[i].Rung; v.w.Slots[i].Filled && k >= 0 && k < n {
				count[k]++
			}
		}
		v.drawBars(l, v.ladder, count, math.NaN(), a.Say("chains here now"))
		return
	}
	n := len(ladder.Occupancy)
	v.drawRungs(l, n)
	left, right := v.ladder, v.ladder
	left.W = v.ladder.W/2 - 4*u
	right.X, right.W = v.ladder.X+v.ladder.W/2+4*u, left.W
	v.drawBars(l, left, ladder.Occupancy, 1, a.Say("visits"))
	if len(ladder.LogZ) != n {
		return
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, z := range ladder.LogZ {
		if num.Finite(z) {
			lo, hi = min(lo, z), max(hi, z)
		}
	}
	if !(hi > lo) {
		return
	}
	pts := a.Points(n)
	for k, z := range ladder.LogZ {
		if num.Finite(z) {
			pts = append(pts, paint.Pt(right.X+right.W*(z-lo)/(hi-lo), v.rungY(float64(k), n)))
		}
	}
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 2.25 * u * t.Stroke, Color: t.Ink})
	l.Label("log Z", right.X+right.W/2, v.ladder.Y+v.ladder.H+16*u, paint.Tick, t.Ink2, paint.Centre)
}

// drawBars draws horizontal bars, one for each rung, and a line at the even value, unless that is NaN.
func (v *view) drawBars(l *paint.Layer, b paint.Rect, values []float64, even float64, title string) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	top := slices.Max(values)
	if num.NotNaN(even) {
		top = min(max(top, 1.25*even), 3*even)
	}
	if !(top > 0) {
		return
	}
	n := len(values)
	height := max(v.ladder.H/float64(n)-a.Hairline(), a.Hairline())
	for k, x := range values {
		if x > 0 {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.BetaColor(float64(k) / float64(max(n-1, 1))),
				Box: paint.XYWH(b.X, v.rungY(float64(k), n)-height/2, b.W*min(x/top, 1), height)})
		}
	}
	if num.NotNaN(even) {
		l.VLine(a, b.X+b.W*even/top, b.Y, b.Y+b.H, t.Ink)
	}
	l.Label(title, b.X, b.Y+b.H+16*u, paint.Tick, t.Ink2, paint.Left)
}
