// Package posterior is the scene of the marginal distribution of each parameter: prior, weighted particles, and the
// exact distribution if it is known.
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

// pages says which parameters are shown if they do not all fit.
type pages struct{ page, count int }

// Key handles the keys of the history, and Page Down and Page Up for other parameters.
func (s *posterior) Key(key string) bool {
	switch at := &s.pages; {
	case key == "PageDown" && at.page+1 < at.count:
		at.page++
	case key == "PageUp" && at.page > 0:
		at.page--
	default:
		return s.Run.HandleScrubKey(key)
	}
	return true
}

// posterior shows the marginal distribution of each parameter: the prior, the distribution of the weighted particles,
// the exact distribution if it is known, and below them the particles, with areas proportional to their weights.
type posterior struct {
	scene.Base
	pages pages
}

// Draw implements Scene.
func (s *posterior) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	live, w, among := p.PickReplayed(a, record.HasParameters)
	if w == nil || a.W < 120*a.Unit || a.H < 120*a.Unit {
		return []paint.Layer{paint.Note(a, "No parameters yet")}
	}
	var top paint.Layer
	whole := a
	v := &posteriorView{p: p, pages: &s.pages, w: w, names: live.Parameters.Names, pad: 24 * a.Unit}
	if a.Compact() {
		v.pad = 16 * a.Unit
	}
	headerBottom := record.Header(whole, p, &top, v.pad, live, among)
	if live.HasBetas() {
		a = record.DrawColumn(a, &top, p.Level(live, a), headerBottom)
		if a.H >= 260*a.Unit {
			a = p.BarBelow(a, &top, live)
		}
	}
	v.a = a
	v.chooseRows()
	return append(v.panels(headerBottom), top)
}

// Clear implements Scene.
func (s *posterior) Clear() { s.pages = pages{} }

// Describe implements Scene.
func (s *posterior) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// IsAnimating implements Scene.
func (s *posterior) IsAnimating(still bool) bool {
	return !still && s.Run.IsGliding() || s.Run.IsPlaying(still)
}

// posteriorView is a layout of parameters.
type posteriorView struct {
	a     *paint.Area
	p     *record.Run
	pages *pages
	w     *record.Particles
	names []string // of the parameters
	pad   float64
	rows  []record.Slot
	place []int     // slot of each row
	share []float64 // weights of rows; the sum is 1
	dots  int       // the first dots rows are drawn as dots
	beta  float64
}

// chooseRows selects the rows at one inverse temperature: the scrubber's if it is active, the leading lane's in
// annealing, otherwise 1. Rows of other lanes are shown as they were near this temperature.
func (v *posteriorView) chooseRows() {
	w, l := v.w, v.w.Leader
	add := func(i int, s record.Slot) {
		if len(s.Values) == len(v.names) {
			v.rows, v.place = append(v.rows, s), append(v.place, i)
		}
	}
	inLeadingLane := func(i int) bool { return i >= l.First && i < l.First+l.Rows }
	v.beta = 1
	isAnnealed := l.First < len(w.Slots) && num.NotNaN(w.Slots[l.First].LogW)

	// The temperature, and the rows of the leading lane.
	if v.p.Scrubber.Active {
		v.beta = v.p.Scrubber.Beta
	} else if isAnnealed {
		v.beta = w.Slots[l.First].Beta
		for i := l.First; i < min(l.First+l.Rows, len(w.Slots)); i++ {
			add(i, w.Slots[i])
		}
		if v.beta < 1 {
			v.dots = len(v.rows)
		}
	}

	// The other rows, by their snapshots near this temperature.
	k := schedule.Nearest(w.Moments, v.beta)
	for i := range w.Slots {
		s := &w.Slots[i]
		switch {
		case !s.Filled || isAnnealed && !v.p.Scrubber.Active && inLeadingLane(i):
		case v.p.Scrubber.Active || s.Beta == v.beta || !num.NotNaN(s.Beta):
			add(i, *s)
		default:
			if q := s.NearestSnapshot(k, 1); q != nil {
				add(i, record.Slot{Filled: true, Values: q.Values, Beta: q.Beta, LogW: q.LogW, ParentSlot: -1})
			}
		}
	}
	if v.dots == 0 {
		v.dots = len(v.rows)
	}
	v.computeWeights()
}

// computeWeights sets share.
func (v *posteriorView) computeWeights() {
	top, sum := math.Inf(-1), 0.0
	for i := range v.rows {
		if x := v.rows[i].LogW; num.NotNaN(x) {
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

// maxPanels is the maximum number of parameters on a page.
const maxPanels = 6

// panels lays the parameters out in a grid of cells that are as large as possible.
func (v *posteriorView) panels(top float64) []paint.Layer {
	a, u := v.a, v.a.Unit
	gap := paint.Rect{W: 28 * u, H: 20 * u}
	if a.Compact() {
		gap.W = 20 * u
	}
	b := paint.XYWH(v.pad, top+8*u, a.W-2*v.pad, a.H-top-14*u)

	// As many panels on a page as are legible, in the number of columns that makes them largest.
	d, n, cols := len(v.names), 0, 1
	for n = min(d, maxPanels); n >= 1; n-- {
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

	// Several pages have a link to the next one.
	var l paint.Layer
	s := v.pages
	if s.count = (d + n - 1) / n; s.page >= s.count {
		s.page = 0
	}
	if s.count > 1 {
		v.pageLink(&l, b.Y+12*u, s.page*n, min(s.page*n+n, d))
		b.Y, b.H = b.Y+24*u, b.H-24*u
	}

	out := []paint.Layer{l}
	w, h := cell(b, gap, cols, (n+cols-1)/cols)
	if w < 40*u || h < 50*u {
		return out
	}
	for i := range min(n, d-s.page*n) {
		x, y := b.X+float64(i%cols)*(w+gap.W), b.Y+float64(i/cols)*(h+gap.H)
		out = append(out, v.panel(s.page*n+i, paint.Snap(paint.XYWH(x, y, w, h)), i == 0)...)
	}
	return out
}

// cell returns the size of one of cols x rows cells.
func cell(b, gap paint.Rect, cols, rows int) (w, h float64) {
	return (b.W - gap.W*float64(cols-1)) / float64(cols), (b.H - gap.H*float64(rows-1)) / float64(rows)
}

// pageLink writes which parameters are shown, and the link to the next page.
func (v *posteriorView) pageLink(l *paint.Layer, y float64, from, to int) {
	a, u := v.a, v.a.Unit
	text := strconv.Itoa(from+1) + "\u2013" + strconv.Itoa(to) + " " + a.Say("of") + " " + strconv.Itoa(len(v.names))
	l.Label(text, v.pad, y, paint.Tick, a.Theme.Ink3, paint.Left)
	s := v.pages
	a.Link(l, a.Say("More parameters"), v.pad+a.Fonts.Width(text, paint.Tick)+14*u, y, paint.Plain, a.Theme.Ink2, 6,
		paint.Action{Do: func(paint.Point) { s.page = (s.page + 1) % s.count }})
}

// column returns coordinate k of the rows.
func (v *posteriorView) column(k int) sample {
	s := sample{v.a.Numbers(len(v.rows)), v.share}
	for i := range v.rows {
		s.x = append(s.x, v.rows[i].GlidingValue(k, v.w.Now, v.w.Still))
	}
	return s
}

// quantiles returns quantiles of parameter k as a sample with equal weights; it is empty if they are unknown.
func (v *posteriorView) quantiles(values []float32, k int) sample {
	n := len(values) / len(v.names)
	return equal(values[k*n : (k+1)*n])
}

// window returns the range of a panel: the range of the prior or, once the particles are in a small part of it, this
// part.
func window(particles, prior sample) (lo, hi float64) {
	const narrow = 12 // standard deviations
	mean, sd := particles.moments()
	if len(prior.x) > 0 {
		lo, hi = prior.x[0], prior.x[len(prior.x)-1]
	} else {
		lo, hi = mean-4*sd, mean+4*sd
	}
	margin := 0.06 * (hi - lo)
	lo, hi = lo-margin, hi+margin
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

// stripShare is the height of the strip of particles below the curves, over the height of the curves.
const stripShare = 0.37

// panel draws parameter k. The first panel has the names of the lines.
func (v *posteriorView) panel(k int, b paint.Rect, first bool) []paint.Layer {
	a, t := v.a, v.a.Theme
	particles, priorSample, exact := v.column(k), v.quantiles(v.w.Parameters.Base, k), v.quantiles(v.w.Parameters.Target, k)
	lo, hi := window(particles, priorSample)
	c := chart.New(a, b, chart.Axis{Lo: lo, Hi: hi}, chart.Axis{Bare: true})
	c.Title = v.names[k]
	if mean, sd := particles.moments(); num.Finite(mean) {
		c.TopRight = record.WithError(mean, sd)
	}

	// The prior, then the weighted particles, then the exact posterior.
	const gridSize = 160
	grid := make([]float64, gridSize)
	for i := range grid {
		grid[i] = lo + (hi-lo)*float64(i)/(gridSize-1)
	}
	maxDensity := 1e-300
	curve := func(s sample, factor float64) []float64 {
		if len(s.x) == 0 {
			return nil
		}
		d := s.smooth(lo, hi, gridSize, factor)
		maxDensity = max(maxDensity, slices.Max(d))
		return d
	}
	prior, density, target := curve(priorSample, 0.8), curve(particles, 1), curve(exact, 0.8)
	if prior != nil {
		c.Area(grid, prior, chart.Style{Color: t.Track, Opacity: 1})
		c.Line(grid, prior, chart.Style{Color: t.Line2, Width: 1, NoHalo: true})
	}
	hue, opacity := v.hue(v.beta), 0.26
	if t.Dark {
		opacity = 0.34
	}
	c.Area(grid, density, chart.Style{Color: hue, Opacity: opacity})
	c.Line(grid, density, chart.Style{Color: hue})
	if target != nil {
		c.Line(grid, target, chart.Style{Color: t.Ink, Width: 1.25, NoHalo: true})
	}
	c.Level(0, "", chart.Style{Color: t.Line, Width: 1})
	c.Y.Lo, c.Y.Hi = -stripShare*maxDensity, 1.04*maxDensity

	c.Draw(func(l *paint.Layer) { v.dotStrip(l, c, k) })
	if first && b.W >= 150*a.Unit {
		c.DrawOver(func(l *paint.Layer) { v.lineNames(l, c, prior, target, lo, hi) })
	}
	if a.Pointed(b) {
		a.Pointer.Offer(0.99, 1, a.Pointer.At, 0, paint.Rect{}, func() string { return v.describe(k, particles, priorSample, exact) })
	}
	return c.Layers()
}

// hue returns the colour of an inverse temperature, of 1 if it is unknown.
func (v *posteriorView) hue(beta float64) color.RGBA {
	if !num.NotNaN(beta) {
		beta = 1
	}
	return v.a.Theme.BetaColor(beta)
}

// lineNames labels the lines: the prior at the left, and the exact posterior at its right side.
func (v *posteriorView) lineNames(l *paint.Layer, c *chart.Chart, prior, exact []float64, lo, hi float64) {
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

// describe returns the tooltip of parameter k.
func (v *posteriorView) describe(k int, particles, prior, exact sample) string {
	text := v.names[k] + ", " + record.FormatBeta(v.beta)
	for _, r := range [...]struct {
		name string
		s    sample
	}{{v.a.Say("particles"), particles}, {v.a.Say("prior"), prior}, {v.a.Say("exact"), exact}} {
		if len(r.s.x) > 0 {
			text += "\n" + r.name + " " + record.WithError(r.s.moments())
		}
	}
	return text
}
