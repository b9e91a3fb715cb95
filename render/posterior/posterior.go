// Package posterior is the scene of each parameter alone: prior, weighted particles, and the exact distribution where it
// is known.
package posterior

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/chart"
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
		return s.Run.HandleScrubKey(key)
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
	live, w, among := p.PickReplayed(a, record.HasParameters)
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
	if live.HasBetas() {
		a = record.DrawColumn(a, &top, p.Level(live, a), down)
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
func (s *posterior) IsAnimating(still bool) bool {
	return !still && s.Run.IsGliding() || s.Run.IsPlaying(still)
}

// posteriorView is a layout of parameters.
type posteriorView struct {
	a      *paint.Area
	p      *record.Run
	sheets *sheets
	w      *record.Particles
	own    []string // names
	pad    float64
	rows   []record.Slot
	place  []int     // of each row among the particles
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
	if v.p.Scrubber.Active {
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
		case !s.Filled || descends && !v.p.Scrubber.Active && leads(i):
		case v.p.Scrubber.Active || s.Beta == v.beta || !num.Known(s.Beta):
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
			if x = math.Exp(s.GlidingLogW(v.w.Now, v.w.Still) - top); !(x >= 0 && x <= math.MaxFloat64) {
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
		s.x = append(s.x, v.rows[i].GlidingValue(k, v.w.Now, v.w.Still))
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
			lo = record.MoveInto(mean-width/2, width, lo, hi)
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

// stripShare is the height of the strip of particles below the curves, in heights of the curves.
const stripShare = 0.37

// panel draws parameter k; the first one names its lines.
func (v *posteriorView) panel(k int, b paint.Rect, first bool) []paint.Layer {
	a, t := v.a, v.a.Theme
	now, base, exact := v.column(k), v.known(v.w.Parameters.Base, k), v.known(v.w.Parameters.Target, k)
	lo, hi := window(now, base)
	c := chart.New(a, b, chart.Axis{Lo: lo, Hi: hi}, chart.Axis{Bare: true})
	c.Title = v.own[k]
	if mean, sd := now.moments(); num.Finite(mean) {
		c.More = record.WithError(mean, sd)
	}

	// The prior behind, then what the weights have found, then the exact posterior.
	const places = 160
	at := make([]float64, places)
	for i := range at {
		at[i] = lo + (hi-lo)*float64(i)/(places-1)
	}
	top := 1e-300
	curve := func(s sample, factor float64) []float64 {
		if len(s.x) == 0 {
			return nil
		}
		d := s.smooth(lo, hi, places, factor)
		top = max(top, slices.Max(d))
		return d
	}
	prior, found, target := curve(base, 0.8), curve(now, 1), curve(exact, 0.8)
	if prior != nil {
		c.Area(at, prior, chart.Style{Color: t.Track, Opacity: 1})
		c.Line(at, prior, chart.Style{Color: t.Line2, Width: 1, Rimless: true})
	}
	hue, opacity := v.hue(v.beta), 0.26
	if t.Dark {
		opacity = 0.34
	}
	c.Area(at, found, chart.Style{Color: hue, Opacity: opacity})
	c.Line(at, found, chart.Style{Color: hue})
	if target != nil {
		c.Line(at, target, chart.Style{Color: t.Ink, Width: 1.25, Rimless: true})
	}
	c.Level(0, "", chart.Style{Color: t.Line, Width: 1})
	c.Y.Lo, c.Y.Hi = -stripShare*top, 1.04*top

	c.Draw(func(l *paint.Layer) { v.crowd(l, c, k) })
	if first && b.W >= 150*a.Unit {
		c.DrawOver(func(l *paint.Layer) { v.names(l, c, prior, target, lo, hi) })
	}
	if a.Pointed(b) {
		a.Pointer.Offer(0.99, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.read(k, now, base, exact) })
	}
	return c.Layers()
}

// hue is the colour of a temperature, without one that of the target.
func (v *posteriorView) hue(beta float64) color.RGBA {
	if !num.Known(beta) {
		beta = 1
	}
	return v.a.Theme.BetaColor(beta)
}

// names labels the lines that are the same in all panels: the prior at the left, and the exact posterior at its right
// side.
func (v *posteriorView) names(l *paint.Layer, c *chart.Chart, prior, exact []float64, lo, hi float64) {
	a, u, b := v.a, v.a.Unit, c.Plot()
	at := func(curve []float64, i int) paint.Point {
		return c.At(lo+(hi-lo)*float64(i)/float64(len(curve)-1), curve[i])
	}
	if prior != nil {
		l.Label(a.Say("prior"), b.X+2*u, max(at(prior, len(prior)/24).Y-6*u, b.Y+12*u), paint.Tick, a.Theme.Ink3, paint.Left)
	}
	if exact == nil {
		return
	}
	i := len(exact) - 1
	for i > 0 && exact[i] < 0.7*slices.Max(exact) {
		i--
	}
	q, s := at(exact, i), a.Say("exact")
	if x := q.X + 7*u; x > b.X+70*u && x+a.Fonts.Width(s, paint.Tick) < b.X+b.W {
		l.Label(s, x, q.Y, paint.Tick, a.Theme.Ink, paint.Left)
	}
}

// read says what is known of parameter k.
func (v *posteriorView) read(k int, now, base, exact sample) string {
	text := v.own[k] + ", " + record.FormatBeta(v.beta)
	for _, r := range [...]struct {
		name string
		s    sample
	}{{v.a.Say("particles"), now}, {v.a.Say("prior"), base}, {v.a.Say("exact"), exact}} {
		if len(r.s.x) > 0 {
			text += "\n" + r.name + " " + record.WithError(r.s.moments())
		}
	}
	return text
}
