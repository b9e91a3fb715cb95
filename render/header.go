package render

import (
	"logzlab/core/format"
	"logzlab/render/paint"
)

// headerHeight is the room of the head line in CSS pixels.
const headerHeight = 24

// hasHeader tells whether a scene has a line that names its methods: from the start of an experiment with several runs,
// so that nothing moves when the second one begins.
func (p *Run) hasHeader(among []*wall) bool {
	for _, c := range p.curves {
		if len(among) == 1 && c.Run != p.curves[0].Run {
			return true
		}
	}
	return len(among) > 1
}

// headerRoom is the room of the line, in CSS pixels.
func (p *Run) headerRoom(among []*wall) float64 {
	if p.hasHeader(among) {
		return headerHeight
	}
	return 0
}

// header names the methods that could be shown, the current one bold; a tap on a
// name shows it. It needs no line where there is only one.
func header(a *paint.Area, p *Run, l *paint.Layer, pad float64, w *wall, among []*wall) (height float64) {
	if !p.hasHeader(among) {
		return 0
	}
	t, u := a.Theme, a.Unit
	x, y := pad, 17*u
	for _, v := range among {
		st, c := paint.Plain, t.Ink3
		if v == w {
			st, c = paint.Strong, t.Ink
		}
		name := a.MethodLabel(v.method)
		wd := a.Fonts.Width(name, st)
		if x+14*u+wd > a.W-pad {
			break
		}
		l.MethodMark(a, p.order(v.method), x+4*u, y-4*u, 4*u, v != w)
		l.Label(name, x+14*u, y, st, c, paint.Left)
		if v == w {
			l.Add(paint.Mark{Kind: paint.Fill, Color: t.Ink, Box: paint.Snap(paint.XYWH(x+14*u, y+4*u, wd, 2*u))})
		}
		a.OnTap(paint.XYWH(x-8*u, 0, wd+28*u, headerHeight*u), paint.Action{Method: v.method})
		x += 14*u + wd + 18*u
	}

	// What it does now, where there is room; of a run that has stages, or functions,
	// it is told below.
	s := w.progress(a)
	if !forms(w) && w.latent() == nil && a.Fonts.Width(s, paint.Plain) < a.W-pad-x {
		l.Label(s, a.W-pad, y, paint.Plain, t.Ink2, paint.Right)
	}
	return headerHeight * u
}

// progress says which phase and sweep a method is in; nothing when the run is over.
func (w *wall) progress(a *paint.Area) string {
	if w.over {
		return ""
	}
	s := a.Say(w.phase)
	if w.steps > 0 {
		if s != "" {
			s += ", "
		}
		s += w.updates(a)
	}
	return s
}

// updates says how far a lane is, in sweeps of its chains.
func (w *wall) updates(a *paint.Area) string {
	return a.Say("update") + " " + format.Grouped(float64(w.step), 0) + " " + a.Say("of") + " " +
		format.Grouped(float64(w.steps), 0)
}
