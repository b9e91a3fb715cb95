package record

import (
	"logzlab/core/format"
	"logzlab/render/paint"
)

// HeaderHeight is the height of the header line in CSS pixels.
const HeaderHeight = 24

// HasHeader reports whether a scene has a line with the names of its methods. An experiment with several runs has one
// from the start, so that nothing moves when the second run begins.
func (p *Run) HasHeader(among []*Particles) bool {
	for _, c := range p.Curves {
		if len(among) == 1 && c.Run != p.Curves[0].Run {
			return true
		}
	}
	return len(among) > 1
}

// HeaderRoom returns the height of the header line in CSS pixels, 0 if there is none.
func (p *Run) HeaderRoom(among []*Particles) float64 {
	if p.HasHeader(among) {
		return HeaderHeight
	}
	return 0
}

// Header draws the names of the methods, the name of w in bold, and returns the height used. A tap on a name selects
// the method. It draws nothing if HasHeader is false.
func Header(a *paint.Area, p *Run, l *paint.Layer, pad float64, w *Particles, among []*Particles) (height float64) {
	if !p.HasHeader(among) {
		return 0
	}
	t, u := a.Theme, a.Unit
	x, y := pad, 17*u
	for _, v := range among {
		st, c := paint.Plain, t.Ink3
		if v == w {
			st, c = paint.Strong, t.Ink
		}
		name := a.MethodLabel(v.Method)
		wd := a.Fonts.Width(name, st)
		if x+14*u+wd > a.W-pad {
			break
		}
		l.MethodMark(a, p.MethodIndex(v.Method), x+4*u, y-4*u, 4*u, v != w)
		l.Label(name, x+14*u, y, st, c, paint.Left)
		if v == w {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink, Box: paint.Snap(paint.XYWH(x+14*u, y+4*u, wd, 2*u))})
		}
		a.OnTap(paint.XYWH(x-8*u, 0, wd+28*u, HeaderHeight*u), paint.Action{Method: v.Method})
		x += 14*u + wd + 18*u
	}

	// The progress is written if it fits. Scenes of stages and of functions write it below.
	s := w.progress(a)
	if !HasStages(w) && w.Latent() == nil && a.Fonts.Width(s, paint.Plain) < a.W-pad-x {
		l.Label(s, a.W-pad, y, paint.Plain, t.Ink2, paint.Right)
	}
	return HeaderHeight * u
}

// progress returns phase and sweep of a method, "" when the run is over.
func (w *Particles) progress(a *paint.Area) string {
	if w.runIsOver {
		return ""
	}
	s := a.Say(w.phase)
	if w.Steps > 0 {
		if s != "" {
			s += ", "
		}
		s += w.sweepCount(a)
	}
	return s
}

// sweepCount returns the sweep number and the total of a lane.
func (w *Particles) sweepCount(a *paint.Area) string {
	return a.Say("update") + " " + format.Grouped(float64(w.step), 0) + " " + a.Say("of") + " " +
		format.Grouped(float64(w.Steps), 0)
}

// Status writes one line: method, phase, sweep, the colour scale, and the number of particles. Items that do not fit
// are omitted, the last ones first. room pixels at the right stay free.
func Status(a *paint.Area, w *Particles, b paint.Rect, shown int, rightMargin float64) (l paint.Layer) {
	t, u := a.Theme, a.Unit
	x, y := b.X, b.Y+16*u
	end := b.X + b.W - rightMargin
	beta, shared, known := w.SharedBeta()

	type item struct {
		s  string
		st paint.Style
	}
	items := []item{{a.MethodLabel(w.Method), paint.Strong}}
	if w.phase != "" && !w.runIsOver {
		items = append(items, item{a.Say(w.phase), paint.Plain})
	}
	if w.Steps > 0 && !w.runIsOver {
		items = append(items, item{w.sweepCount(a), paint.Plain})
	}
	if known && shared {
		items = append(items, item{FormatBeta(beta), paint.Plain})
	}
	items = append(items, item{particleCount(a, w, shown), paint.Plain})

	for i, it := range items {
		wd := a.Fonts.Width(it.s, it.st)
		if known && !shared && i+1 == len(items) {
			end = betaScale(a, &l, x, y, end) // drawn before the count
		}
		if i > 0 && x+wd > end {
			break
		}
		if known && shared && i+2 == len(items) {
			if x+10*u+wd > end {
				break
			}
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x, y-9*u, 4*u, 10*u)), Color: t.BetaColor(beta)})
			x += 10 * u
		}
		c := t.Ink2
		if it.st == paint.Strong {
			c = t.Ink
		}
		l.Label(it.s, x, y, it.st, c, paint.Left)
		x += wd + 12*u
	}
	return l
}

// particleCount returns the number of particles, and how many of them are shown.
func particleCount(a *paint.Area, w *Particles, shown int) string {
	n := w.CountFilled()
	switch {
	case shown < len(w.Slots) && w.W > 0:
		return format.Grouped(float64(shown), 0) + " " + a.Say("of") + " " + format.Grouped(float64(len(w.Slots)), 0)
	case n == 1:
		return "1 " + a.Say("particle")
	}
	return format.Grouped(float64(n), 0) + " " + a.Say("particles")
}

// betaScale draws the colour scale of inverse temperatures.
func betaScale(a *paint.Area, l *paint.Layer, x, y, end float64) float64 {
	return a.ColorScale(l, x, y, end, "\u03b2 = 0", "1", a.Theme.BetaColor)
}
