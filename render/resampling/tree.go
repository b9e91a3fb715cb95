package resampling

import (
	"image/color"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/render/paint"
	"logzlab/render/plane"
	"logzlab/render/record"
)

// bars draws the weights of all particles side by side, and below them the weights of a run without resampling.
func (v *changeView) bars(l *paint.Layer, b paint.Rect) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	names := []string{a.Say("Weights")}
	if v.unresampled() != nil && b.H >= 40*u {
		names = append(names, a.Say("Without resampling"))
	}
	left := 0.0
	for _, s := range names {
		left = max(left, a.Fonts.Width(s, paint.Plain)+12*u)
	}

	// In the order of the family tree: copies have the position of their parent.
	moving := slices.Clone(v.animated)
	key := func(x movingParticle) int32 {
		if x.from != record.NoRow && v.progress < 1 {
			return 2 * v.q.Rank[x.from]
		}
		return 2*v.m.Rank[max(x.row, 0)] + 1
	}
	sort.SliceStable(moving, func(i, j int) bool { return key(moving[i]) < key(moving[j]) })
	shares := make([]float64, len(moving))
	for i, x := range moving {
		shares[i] = x.size * (1 - x.faded)
	}
	row := paint.XYWH(b.X+left, b.Y, b.W-left, 18*u)
	l.Label(names[0], b.X, b.Y+13*u, paint.Plain, t.Ink, paint.Left)
	v.shares(l, row, shares, t.Methods[0])
	x := v.unresampled()
	if x == nil || b.H < 40*u {
		return
	}
	k := sort.Search(len(x.Beta), func(k int) bool { return float64(x.Beta[k]) >= v.m.Beta-1e-6 })
	k = min(k, len(x.Beta)-1)
	shares = shares[:0]
	for _, s := range x.Shares[k*x.N : (k+1)*x.N] {
		shares = append(shares, float64(s))
	}
	row.Y += 26 * u
	l.Label(names[1], b.X, row.Y+13*u, paint.Plain, t.Ink, paint.Left)
	v.shares(l, row, shares, t.Caution)
}

// shares draws shares of a whole side by side. The largest is written if it fits.
func (v *changeView) shares(l *paint.Layer, b paint.Rect, shares []float64, ink color.RGBA) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	sum := 0.0
	for _, s := range shares {
		sum += s
	}
	if !(sum > 0) || b.W < 40*u {
		return
	}
	tones := [...]color.RGBA{paint.Mix(t.Ground, ink, 0.85), paint.Mix(t.Ground, ink, 0.55)}
	l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(b), Color: tones[1]})
	x, best, at := b.X, 0.0, 0.0
	for i, s := range shares {
		w := b.W * s / sum
		if i%2 == 0 && w > 0 {
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x, math.Round(b.Y), w, math.Round(b.H)), Color: tones[0]})
		}
		if s > best {
			best, at = s, x+w/2
		}
		x += w
	}
	text := plane.Percent(best / sum)
	if wd := a.Fonts.Width(text, paint.Strong); b.W*best/sum > wd+8*u {
		l.Label(text, at-wd/2, b.Y+13*u, paint.Strong, t.Ink, paint.Left)
	}
}

// family draws the family tree up to the shown moment: lines of rows with current descendants are dark, lines that
// died out faint.
func (v *changeView) family(b paint.Rect) (l paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	l.Label(a.Say("Family tree"), b.X, b.Y+12*u, paint.Strong, t.Ink, paint.Left)
	ms := v.is.Moments
	box := paint.XYWH(b.X, b.Y+20*u, b.W, b.H-30*u)
	x := paint.NewAxis(0, float64(max(len(ms)-1, 24)), box.X, box.X+box.W)
	now := x.At(max(float64(v.i)-1+v.progress, 0))

	maxLines := max(int(box.H/(3*u)), 2)
	ns := v.is.Genealogy(v.i, record.TreeLayout{X: x, ByMoment: true, Limits: [2]int{maxLines, maxLines}})
	y := func(at, row int) float64 {
		return box.Y + (float64(ms[at].Rank[row])+0.5)/float64(ms[at].AllRows)*box.H
	}
	m := paint.Mark{Kind: paint.Segments, Width: 1.1 * u * t.Stroke}
	for pass, ink := range []color.RGBA{paint.Mix(t.Ground, t.Line2, 0.45), t.Ink2} {
		for e := 1; e < len(ns); e++ {
			from, to := &ns[e-1], &ns[e]
			x0, x1 := from.X, to.X
			if e == len(ns)-1 {
				x1 = now
			}
			turn := x1 - min(0.8*(x1-x0), 9*u)
			for row, p := range to.From {
				if p < 0 || to.LineStates[row] == record.Hidden || (to.LineStates[row] == record.Alive) != (pass == 1) {
					continue
				}
				bend := paint.Pt(turn, y(from.Moment, int(p)))
				m.Pts = append(m.Pts, paint.Pt(x0, bend.Y), bend, bend, paint.Pt(x1, y(to.Moment, row)))
				m.Colors = append(m.Colors, ink, ink)
			}
		}
	}
	l.Add(m)
	l.VLine(a, now, box.Y-4*u, box.Y+box.H+4*u, t.Ink)
	l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(now, box.Y+box.H+4*u), R: 5 * u, Color: t.Ink, Hollow: 2 * u,
		Halo: true})
	resampled := v.markResamplings(&l, x, box, now)
	n := 0 // rows of the first moment with descendants
	for _, descendants := range ns[0].Descendants {
		if descendants > 0 {
			n++
		}
	}
	if n > 0 {
		s := strings.NewReplacer("#", strconv.Itoa(n), "@", format.Grouped(float64(ms[0].AllRows), 0)).Replace(
			a.Say("All descend from # of the first @."))
		if !resampled && v.is.PhasesSeen>>record.Resampling&1 == 0 {
			s = a.Say("Not resampled so far: the ESS is above the threshold.")
		}
		if a.Fonts.Width(s, paint.Plain) < b.W-110*u {
			l.Label(s, b.X+b.W-a.Fonts.Width(s, paint.Plain), b.Y+12*u, paint.Plain, t.Ink2, paint.Left)
		}
	}

	is, p := v.is, v.p
	a.OnTap(paint.XYWH(box.X-8*u, box.Y-8*u, box.W+16*u, box.H+16*u), paint.Action{Drag: true, Do: func(at paint.Point) {
		is.SeekTo(int(math.Round((at.X-x.P0)/(x.P1-x.P0)*(x.D1-x.D0))), p.Now, false)
	}})
	return l
}

// markResamplings draws a mark above the tree at each resampling up to the shown moment, and reports whether there is
// one.
func (v *changeView) markResamplings(l *paint.Layer, x paint.Axis, box paint.Rect, now float64) (found bool) {
	u, t := v.a.Unit, v.a.Theme
	for k := 1; k <= v.i; k++ {
		if v.is.Moments[k].Phase != record.Resampling {
			continue
		}
		found = true
		at := min(x.At(float64(k)), now)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(at-u, box.Y-6*u, 2*u, 6*u), Color: t.Methods[0]})
	}
	return found
}
