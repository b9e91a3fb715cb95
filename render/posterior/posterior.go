// Package posterior is the scene of each parameter alone: prior, weighted particles, and the exact distribution where it
// is known.
package posterior

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("posterior", func(r *record.Run) scene.Scene { return &posterior{Base: scene.Base{Run: r}} })

// sheets are the parameters on show, where there are more than fit.
type sheets struct{ on, of int }

// Key takes the keys of the record, and Page Down and Page Up for other parameters.
func (s *posterior) Key(key string) bool {
	switch at := &s.sheets; {
	case key == "PageDown" && at.on+1 < at.of:
		at.on++
	case key == "PageUp" && at.on > 0:
		at.on--
	default:
		return s.Run.ScrubKey(key)
	}
	return true
}

// posterior shows each parameter alone: the prior behind, the distribution found by weights, the exact distribution
// where it is known, and below them the particles, with areas in proportion to their weights.
type posterior struct {
	scene.Base
	sheets sheets
}

// Draw lays the scene out.
func (s *posterior) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	live, w, among := p.PickHeld(a, record.Named)
	if w == nil || a.W < 120*a.Unit || a.H < 120*a.Unit {
		return []paint.Layer{paint.Note(a, "No parameters yet")}
	}
	var top paint.Layer
	whole := a
	v := &posteriorView{p: p, sheets: &s.sheets, w: w, own: live.Parameters.Names, pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	down := record.Header(whole, p, &top, v.pad, live, among)
	if live.Tempered() {
		a = record.ColumnBeside(a, &top, p.Level(live, a), down)
		if a.H >= 260*a.Unit {
			a = p.BarBelow(a, &top, live)
		}
	}
	v.a = a
	v.choose()
	return append(v.panels(down), top)
}

// Clear shows the first parameters again.
func (s *posterior) Clear() { s.sheets = sheets{} }

// Describe says in words what is on show after a key.
func (s *posterior) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// Moves reports whether the picture is on its way to another one.
func (s *posterior) Moves(still bool) bool { return !still && s.Run.Gliding() || s.Run.Playing(still) }

// posteriorView is a layout of parameters.
type posteriorView struct {
	a      *paint.Area
	p      *record.Run
	sheets *sheets
	w      *record.Particles
	own    []string // names
	pad    float64
	rows   []record.Slot
	place  []int     // of each row on the wall
	share  []float64 // weights of rows, in sum 1
	dots   int       // the first rows are drawn one by one
	beta   float64
}

// choose takes the rows at one temperature: that of the hand, of the lane that leads, or, of chains that hop, the
// target. Other lanes are shown as they were there.
func (v *posteriorView) choose() {
	w, l := v.w, v.w.Leader
	add := func(i int, s record.Slot) {
		if len(s.Values) == len(v.own) {
			v.rows, v.place = append(v.rows, s), append(v.place, i)
		}
	}
	leads := func(i int) bool { return i >= l.First && i < l.First+l.Rows }
	v.beta = 1
	descends := l.First < len(w.Slots) && num.Known(w.Slots[l.First].LogW)

	// The temperature, and the rows of the lane that leads.
	if v.p.Scrubber.On {
		v.beta = v.p.Scrubber.Beta
	} else if descends {
		v.beta = w.Slots[l.First].Beta
		for i := l.First; i < min(l.First+l.Rows, len(w.Slots)); i++ {
			add(i, w.Slots[i])
		}
		if v.beta < 1 {
			v.dots = len(v.rows)
		}
	}

	// The other rows, as they were nearest to that temperature.
	k := schedule.Nearest(w.Moments, v.beta)
	for i := range w.Slots {
		s := &w.Slots[i]
		switch {
		case !s.Filled || descends && !v.p.Scrubber.On && leads(i):
		case v.p.Scrubber.On || s.Beta == v.beta || !num.Known(s.Beta):
			add(i, *s)
		default:
			if q := s.Near(k, 1); q != nil {
				add(i, record.Slot{Filled: true, Values: q.Values, Beta: q.Beta, LogW: q.LogW, ParentSlot: -1})
			}
		}
	}
	if v.dots == 0 {
		v.dots = len(v.rows)
	}
	v.weigh()
}

func (v *posteriorView) weigh() {
	top, sum := math.Inf(-1), 0.0
	for i := range v.rows {
		if x := v.rows[i].LogW; num.Known(x) {
			top = max(top, x)
		}
	}
	v.share = v.a.Numbers(len(v.rows))
	for i := range v.rows {
		s, x := &v.rows[i], 1.0
		if num.Finite(top) {
			if x = math.Exp(s.Weight(v.w.Now, v.w.Still) - top); !(x >= 0 && x <= math.MaxFloat64) {
				x = 0
			}
		}
		v.share = append(v.share, x)
		sum += x
	}
	for i := range v.share {
		v.share[i] /= max(sum, 1e-300)
	}
}

// mostPanels is the largest number of parameters at once.
const mostPanels = 6

// panels lays the parameters out in a grid whose cells are as large as can be.
func (v *posteriorView) panels(down float64) []paint.Layer {
	a, u := v.a, v.a.Unit
	gap := paint.Rect{W: 28 * u, H: 20 * u}
	if a.Compact() {
		gap.W = 20 * u
	}
	b := paint.XYWH(v.pad, down+8*u, a.W-2*v.pad, a.H-down-14*u)

	// As many panels on a sheet as can be read, in as many columns as make them largest.
	d, n, cols := len(v.own), 0, 1
	for n = min(d, mostPanels); n >= 1; n-- {
		best := 0.0
		for c := 1; c <= n; c++ {
			w, h := cell(b, gap, c, (n+c-1)/c)
			filled := float64(n) / float64(c*((n+c-1)/c))
			if fit := min(w/1.1, h) * filled; w >= 104*u && h >= 84*u && fit > best {
				best, cols = fit, c
			}
		}
		if best > 0 {
			break
		}
	}
	n = max(n, 1)

	// Several sheets are turned.
	var l paint.Layer
	s := v.sheets
	if s.of = (d + n - 1) / n; s.on >= s.of {
		s.on = 0
	}
	if s.of > 1 {
		v.turner(&l, b.Y+12*u, s.on*n, min(s.on*n+n, d))
		b.Y, b.H = b.Y+24*u, b.H-24*u
	}

	out := []paint.Layer{l}
	w, h := cell(b, gap, cols, (n+cols-1)/cols)
	if w < 40*u || h < 50*u {
		return out
	}
	for i := range min(n, d-s.on*n) {
		x, y := b.X+float64(i%cols)*(w+gap.W), b.Y+float64(i/cols)*(h+gap.H)
		out = append(out, v.panel(s.on*n+i, paint.Snap(paint.XYWH(x, y, w, h)), i == 0)...)
	}
	return out
}

// cell is the size of one of cols x rows cells.
func cell(b, gap paint.Rect, cols, rows int) (w, h float64) {
	return (b.W - gap.W*float64(cols-1)) / float64(cols), (b.H - gap.H*float64(rows-1)) / float64(rows)
}

// turner tells which parameters are on show, and shows the next ones.
func (v *posteriorView) turner(l *paint.Layer, y float64, from, to int) {
	a, u := v.a, v.a.Unit
	text := strconv.Itoa(from+1) + "\u2013" + strconv.Itoa(to) + " " + a.Say("of") + " " + strconv.Itoa(len(v.own))
	l.Label(text, v.pad, y, paint.Tick, a.Theme.Ink3, paint.Left)
	s := v.sheets
	a.Link(l, a.Say("More parameters"), v.pad+a.Fonts.Width(text, paint.Tick)+14*u, y, paint.Plain, a.Theme.Ink2, 6,
		paint.Action{Do: func(paint.Point) { s.on = (s.on + 1) % s.of }})
}

// column is coordinate k of the rows.
func (v *posteriorView) column(k int) sample {
	s := sample{v.a.Numbers(len(v.rows)), v.share}
	for i := range v.rows {
		s.x = append(s.x, v.rows[i].Value(k, v.w.Now, v.w.Still))
	}
	return s
}

// known are quantiles of parameter k, as numbers of the same weight; empty if they are not known.
func (v *posteriorView) known(of []float32, k int) sample {
	n := len(of) / len(v.own)
	return equal(of[k*n : (k+1)*n])
}

// window is what a panel shows: the prior, and once the particles lie in a small part of it, that part.
func window(now, base sample) (lo, hi float64) {
	const narrow = 12 // standard deviations
	mean, sd := now.moments()
	if len(base.x) > 0 {
		lo, hi = base.x[0], base.x[len(base.x)-1]
	} else {
		lo, hi = mean-4*sd, mean+4*sd
	}
	room := 0.06 * (hi - lo)
	lo, hi = lo-room, hi+room
	if width := narrow * sd; width > 0 && (width < hi-lo || mean < lo || mean > hi) {
		width = min(width, hi-lo)
		if mean > lo && mean < hi {
			lo = record.Slide(mean-width/2, width, lo, hi)
		} else {
			lo = mean - width/2
		}
		hi = lo + width
	}
	if !(hi-lo > 1e-9*max(math.Abs(lo), math.Abs(hi), 1e-9)) || !num.Finite(hi-lo) {
		if !num.Finite(mean) {
			mean = 0
		}
		lo, hi = mean-1, mean+1
	}
	return lo, hi
}

// panel draws parameter k; the first one names its lines.
func (v *posteriorView) panel(k int, b paint.Rect, first bool) []paint.Layer {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	now, base, exact := v.column(k), v.known(v.w.Parameters.Base, k), v.known(v.w.Parameters.Target, k)
	lo, hi := window(now, base)
	x := paint.NewAxis(lo, hi, b.X, b.X+b.W)
	strip := max(math.Round(0.27*(b.H-36*u)), 12*u)
	foot := b.Y + b.H - 16*u
	floor, ceiling := foot-strip, b.Y+20*u

	// The curves: prior, exact posterior, and what the weights have found.
	const places = 160
	cs := [...][]float64{nil, nil, now.smooth(lo, hi, places, 1)}
	top := peak(cs[2])
	for i, s := range [...]sample{base, exact} {
		if len(s.x) > 0 {
			cs[i] = s.smooth(lo, hi, places, 0.8)
			top = max(top, peak(cs[i]))
		}
	}
	y := paint.NewAxis(0, max(top, 1e-300)*1.04, floor, ceiling)
	line := func(c []float64) (pts, ground []paint.Point) {
		pts, ground = a.Points(len(c)), a.Points(len(c))
		for i, d := range c {
			q := paint.Pt(b.X+b.W*float64(i)/float64(len(c)-1), y.At(d))
			pts, ground = append(pts, q), append(ground, paint.Pt(q.X, floor))
		}
		return pts, ground
	}

	// The prior behind, then the weighted one, then the exact one.
	var back paint.Layer
	inside := paint.Layer{Clip: paint.XYWH(b.X, b.Y, b.W, b.H)}
	if pts, ground := line(cs[0]); len(pts) > 0 {
		back.Add(paint.Mark{Kind: paint.Band, Pts: pts, Lower: ground, Color: t.Track},
			paint.Mark{Kind: paint.Stroke, Pts: pts, Width: u * t.Stroke, Color: t.Line2})
	}
	hue, opacity := v.hue(v.beta), 0.26
	if t.Dark {
		opacity = 0.34
	}
	pts, ground := line(cs[2])
	back.Add(paint.Mark{Kind: paint.Band, Pts: pts, Lower: ground, Color: paint.Fade(hue, opacity)},
		paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 2 * u * t.Stroke, Color: hue, Halo: true})
	if pts, _ := line(cs[1]); len(pts) > 0 {
		back.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.25 * u * t.Stroke, Color: t.Ink})
	}
	back.HLine(a, b.X, b.X+b.W, floor, t.Line)
	v.ticks(&back, x, foot)

	// Names, and the particles below.
	front := paint.Layer{}
	v.titles(&front, k, b, now)
	if first && b.W >= 150*u {
		v.names(&front, cs[0], cs[1], b, y)
	}
	var dots paint.Layer
	v.crowd(&inside, &dots, k, x, floor, foot)
	if a.Pointed(b) {
		a.Pointer.Offer(0.99, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.read(k, now, base, exact) })
	}
	return []paint.Layer{back, inside, dots, front}
}

// hue is the colour of a temperature, without one that of the target.
func (v *posteriorView) hue(beta float64) color.RGBA {
	if !num.Known(beta) {
		beta = 1
	}
	return v.a.Theme.BetaColor(beta)
}

func peak(c []float64) (top float64) {
	for _, d := range c {
		top = max(top, d)
	}
	return top
}

// ticks draws the axis of a panel.
func (v *posteriorView) ticks(l *paint.Layer, x paint.Axis, y float64) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	l.HLine(a, x.P0, x.P1, y, t.Line2)
	at, step := format.Ticks(x.D0, x.D1, min(max(int((x.P1-x.P0)/(52*u)), 2), 5))
	end := math.Inf(-1)
	for _, value := range at {
		s, px := format.Tick(value, step), x.At(value)
		half := a.Fonts.Width(s, paint.Tick) / 2
		l.VLine(a, px, y, y+4*u, t.Line2)
		if px-half < end+6*u || px-half < 1 || px+half > a.W-1 {
			continue
		}
		l.Label(s, px, y+16*u, paint.Tick, t.Ink3, paint.Centre)
		end = px + half
	}
}

// titles names a parameter, with its mean and standard deviation where there is room.
func (v *posteriorView) titles(l *paint.Layer, k int, b paint.Rect, now sample) {
	a, u := v.a, v.a.Unit
	l.Label(v.own[k], b.X, b.Y+12*u, paint.Strong, a.Theme.Ink, paint.Left)
	mean, sd := now.moments()
	s := record.Barred(mean, sd)
	if num.Finite(mean) && a.Fonts.Width(s, paint.Plain)+a.Fonts.Width(v.own[k], paint.Strong)+10*u < b.W {
		l.Label(s, b.X+b.W, b.Y+12*u, paint.Plain, a.Theme.Ink2, paint.Right)
	}
}

// names labels the lines that are the same in all panels.
func (v *posteriorView) names(l *paint.Layer, base, exact []float64, b paint.Rect, y paint.Axis) {
	a, u := v.a, v.a.Unit
	if len(base) > 0 {
		at := len(base) / 24
		l.Label(a.Say("prior"), b.X+2*u, max(y.At(base[at])-6*u, b.Y+34*u), paint.Tick, a.Theme.Ink3, paint.Left)
	}
	if len(exact) == 0 {
		return
	}
	top, i := peak(exact), len(exact)-1
	for i > 0 && exact[i] < 0.7*top {
		i--
	}
	s := a.Say("exact")
	if x := b.X + b.W*float64(i)/float64(len(exact)-1) + 7*u; x > b.X+70*u && x+a.Fonts.Width(s, paint.Tick) < b.X+b.W {
		l.Label(s, x, y.At(exact[i]), paint.Tick, a.Theme.Ink, paint.Left)
	}
}

// read says what is known of parameter k.
func (v *posteriorView) read(k int, now, base, exact sample) string {
	text := v.own[k] + ", " + record.BetaIs(v.beta)
	for _, r := range [...]struct {
		name string
		s    sample
	}{{v.a.Say("particles"), now}, {v.a.Say("prior"), base}, {v.a.Say("exact"), exact}} {
		if len(r.s.x) > 0 {
			text += "\n" + r.name + " " + record.Barred(r.s.moments())
		}
	}
	return text
}
