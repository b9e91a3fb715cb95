package ladder

import (
	"image/color"
	"math"

	"logzlab/core/format"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// historySpan returns the number of sweeps over which the histories of the chains are shown, rounded down so that it
// changes rarely. If chains move far from frame to frame, fewer sweeps are shown, so that paths can be followed.
func historySpan(w *record.Particles) float64 {
	far, jumps := 0.0, 0.0
	for i := range w.Slots {
		hops := w.Slots[i].RungHistory
		for k := 1; k < len(hops); k++ {
			far += math.Abs(float64(hops[k].Rung - hops[k-1].Rung))
			jumps++
		}
	}
	show := record.MaxRungHistory
	if far > 0 {
		show = int(min(max(3*jumps*float64(max(w.Rungs-1, 1))/far, 24), record.MaxRungHistory))
	}
	longest := 0.0
	for i := range w.Slots {
		if s := &w.Slots[i]; len(s.RungHistory) > 0 {
			longest = max(longest, s.Lane.Now-s.RungHistory[max(len(s.RungHistory)-show, 0)].Clock)
		}
	}
	if longest < 8 {
		return 8
	}
	mag := math.Pow(10, math.Floor(math.Log10(longest)))
	for _, m := range [...]float64{8, 6, 5, 4, 3, 2, 1.5} {
		if m*mag <= longest {
			return m * mag
		}
	}
	return mag
}

// unfinished returns a row that has not reached the end of the ladder, or the first row if all have. All rows of a
// lane move together, so one is enough.
func unfinished(w *record.Particles) (list []int) {
	for i := range min(len(w.Slots), record.MaxChains) {
		s := &w.Slots[i]
		if len(s.RungHistory) == 0 {
			continue
		}
		if len(list) == 0 {
			list = []int{i}
		}
		if s.Lane.Step < w.Steps {
			return []int{i}
		}
	}
	return list
}

// drawChains draws every chain faintly and three of them in the colours of their temperatures. For annealing it draws
// the fan of log weights.
func (v *ladderView) drawChains(l *paint.Layer) {
	t, u, w := v.a.Theme, v.a.Unit, v.w
	if v.pickHighlighted(w.IsAnnealed()); w.IsAnnealed() {
		v.fan(l)
		return
	}
	b := v.chains
	span := historySpan(w)
	x := paint.NewAxis(-span, 0, b.X, math.Round(b.X+b.W-v.positionsWidth))
	when := func(s *record.Slot, c float64) float64 { return x.At(max(c-s.Lane.Now, -span)) }

	// All chains in the background, highlighted ones in front.
	v.drawAllChains(l, x)
	for _, i := range v.highlighted {
		s := &w.Slots[i]
		m := paint.Mark{Kind: paint.Wires, Width: 1.75 * u * t.Stroke, Halo: true}
		v.segments(s, when, func(p, q paint.Point, from, to int) {
			// A jump has the colours of the rungs that it passes.
			n := 1
			if from != to {
				n = min(6, max(2, int(math.Abs(q.Y-p.Y)/(3*u))))
			}
			for j := range n {
				f, g := float64(j)/float64(n), float64(j+1)/float64(n)
				m.Pts = append(m.Pts, paint.Pt(p.X+(q.X-p.X)*f, p.Y+(q.Y-p.Y)*f), paint.Pt(p.X+(q.X-p.X)*g, p.Y+(q.Y-p.Y)*g))
				beta := v.betaAt(from) + (v.betaAt(to)-v.betaAt(from))*(f+g)/2
				m.Colors = append(m.Colors, t.BetaColor(beta))
			}
		})
		l.Add(m)
	}
	v.sweepAxis(l, x)
}

// pickHighlighted selects the chains that are highlighted: in annealing one that is not finished, otherwise three.
func (v *ladderView) pickHighlighted(annealed bool) {
	live := 0
	for i := range min(len(v.w.Slots), record.MaxChains) {
		if len(v.w.Slots[i].RungHistory) > 0 {
			live++
		}
	}
	if annealed {
		v.highlighted = unfinished(v.w)
	} else {
		for _, i := range [...]int{0, live / 3, 2 * live / 3} {
			if i < len(v.w.Slots) && !v.isHighlighted(i) && len(v.w.Slots[i].RungHistory) > 0 {
				v.highlighted = append(v.highlighted, i)
			}
		}
	}
}

// sweepAxis draws the axis of sweeps below the chains.
func (v *ladderView) sweepAxis(l *paint.Layer, x paint.Axis) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	from, right := x.P0, x.P1
	l.VLine(a, right, v.top-4*u, v.bottom+4*u, t.Line2)
	l.Label(a.Say("now"), right, v.bottom+18*u, paint.Tick, t.Ink3, paint.Centre)
	at, step := format.Ticks(x.D0, 0, max(3, int((right-from)/(36*u))))
	for _, s := range at {
		if x.At(s) < right-26*u {
			l.Label(format.Tick(s, step), x.At(s), v.bottom+18*u, paint.Tick, t.Ink3, paint.Centre)
		}
	}
	s := a.Say("sweeps before now")
	if a.Fonts.Width(s, paint.Tick) > right-from+20*u {
		s = a.Say("sweeps")
	}
	l.Label(s, (from+right)/2, v.bottom+34*u, paint.Tick, t.Ink3, paint.Centre)
}

// drawAllChains draws the stays and jumps of all chains as faint lines. Coinciding segments are merged into one that
// is as opaque as all of them together.
func (v *ladderView) drawAllChains(l *paint.Layer, x paint.Axis) {
	a, w := v.a, v.w
	cols := max(min(record.MaxRungHistory, int((x.P1-x.P0)/(3*a.Unit))), 2)
	levels := min(v.rungs, 96)
	level := func(rung int) int { return (2*rung*(levels-1) + v.rungs - 1) / (2 * max(v.rungs-1, 1)) }
	y := func(i int) float64 {
		return v.y.At(float64(i) * float64(max(v.rungs-1, 1)) / float64(max(levels-1, 1)))
	}

	// Numbers of chains that stay on each level and jump across it, by column of time.
	stay, jump := make([]uint16, cols*levels), make([]uint16, cols*levels)
	for i := range min(len(w.Slots), record.MaxChains) {
		s := &w.Slots[i]
		if len(s.RungHistory) == 0 {
			continue
		}
		next, at := 0, -1
		for c := range cols {
			t := s.Lane.Now + x.D0*(1-float64(c)/float64(cols))
			for next < len(s.RungHistory) && s.RungHistory[next].Clock <= t {
				next++
			}
			if next == 0 {
				continue
			}
			now := level(s.RungHistory[next-1].Rung)
			stay[c*levels+now]++
			if at >= 0 {
				for j := min(at, now); j < max(at, now); j++ {
					jump[c*levels+j]++
				}
			}
			at = now
		}
	}

	// The opacity of n faint lines on top of each other.
	m := paint.Mark{Kind: paint.Wires, Width: a.Hairline(), Pts: a.Points(4 * cols * levels),
		Colors: a.Colors(2 * cols * levels)}
	var shade [record.MaxChains + 1]color.RGBA
	for n := range shade {
		shade[n] = paint.Fade(a.Theme.Ink3, 1-math.Pow(1-a.Theme.CrowdAlpha, float64(n)))
	}
	for c := range cols {
		x0, x1 := x.P0+(x.P1-x.P0)*float64(c)/float64(cols), x.P0+(x.P1-x.P0)*float64(c+1)/float64(cols)
		for j := range levels {
			if n := stay[c*levels+j]; n > 0 {
				m.Pts, m.Colors = append(m.Pts, paint.Pt(x0+a.Hairline(), y(j)), paint.Pt(x1, y(j))), append(m.Colors, shade[n])
			}
			if n := jump[c*levels+j]; n > 0 {
				m.Pts, m.Colors = append(m.Pts, paint.Pt(x0, y(j)), paint.Pt(x0, y(j+1))), append(m.Colors, shade[n])
			}
		}
	}
	l.Add(m)
}

// isHighlighted reports whether slot i is highlighted.
func (v *ladderView) isHighlighted(i int) bool {
	for _, f := range v.highlighted {
		if f == i {
			return true
		}
	}
	return false
}

// segments calls draw for the segments of a chain's history: a stay on a rung (from and to are equal), or a jump.
func (v *ladderView) segments(s *record.Slot, when func(*record.Slot, float64) float64,
	draw func(p, q paint.Point, from, to int)) {
	n := len(s.RungHistory)
	if n == 0 {
		return
	}
	x0 := when(s, s.RungHistory[0].Clock)
	stay := s.RungHistory[0].Rung
	for i := 1; i <= n; i++ {
		at, rung := s.Lane.Now, stay
		if i < n {
			at, rung = s.RungHistory[i].Clock, s.RungHistory[i].Rung
			if rung == stay {
				continue
			}
		}
		x1 := when(s, at)
		y := v.y.At(float64(stay))
		if x1 > x0 {
			draw(paint.Pt(x0, y), paint.Pt(x1, y), stay, stay)
		}
		if rung != stay && (x1 > x0 || i > 1 && x1 > v.chains.X) {
			draw(paint.Pt(x1, y), paint.Pt(x1, v.y.At(float64(rung))), stay, rung)
		}
		x0, stay = x1, rung
	}
}

// drawPositions draws a dot for each chain at its current rung.
func (v *ladderView) drawPositions(l *paint.Layer) {
	a, t, u := v.a, v.a.Theme, v.a.Unit
	count, ringed := make([]int, len(v.rows)), make([]int, len(v.rows))
	for i := range v.replayed.Slots {
		if g := v.replayed.Slots[i].Rung; v.replayed.Slots[i].Filled && g >= 0 && g < v.rungs {
			count[v.rowOf(g)]++
			if v.isHighlighted(i) {
				ringed[v.rowOf(g)]++
			}
		}
	}

	// A row of dots for each rung; the number of dots that do not fit is written.
	step := min(6.4*u, (v.positionsWidth-12*u)/11)
	fits := max(int((v.positionsWidth-8*u)/step), 1)
	m := paint.Mark{Kind: paint.Dots, Pts: a.Points(256), Radii: a.Numbers(256), Colors: a.Colors(256)}
	x0 := v.chains.X + v.chains.W - v.positionsWidth + 7*u
	r := min(2.5*u, v.pitch*0.4)
	for row, n := range count {
		y := v.rowY(row)
		shown := n
		if n > fits {
			shown = max(fits-int(math.Ceil(26*u/step)), 1)
			l.Label("+"+format.Grouped(float64(n-shown), 0), x0+float64(shown)*step, y+4*u, paint.Tick, t.Ink2, paint.Left)
		}
		for i := range shown {
			m.Pts, m.Radii = append(m.Pts, paint.Pt(x0+float64(i)*step, y)), append(m.Radii, r)
			m.Colors = append(m.Colors, v.colour(v.rows[row]))
		}
	}
	l.Add(m)

	for row, n := range ringed { // highlighted chains are first
		for i := n - 1; i >= 0; i-- {
			at := paint.Pt(x0+float64(i)*step, v.rowY(row))
			l.Add(paint.Mark{Kind: paint.Disc, At: at, R: r + 2.2*u, Color: t.Ink, Halo: true},
				paint.Mark{Kind: paint.Disc, At: at, R: r + 0.9*u, Color: v.colour(v.rows[row])})
		}
	}
}
