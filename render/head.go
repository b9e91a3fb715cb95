package render

import "logzlab/core/format"

// headHeight is the room of the head line in CSS pixels.
const headHeight = 24

// headed tells whether a scene has a line that names its methods: from the start of an experiment with several runs, so
// that nothing moves when the second one begins.
func (p *Picture) headed(among []*wall) bool {
	for _, c := range p.curves {
		if len(among) == 1 && c.Run != p.curves[0].Run {
			return true
		}
	}
	return len(among) > 1
}

// headRoom is the room of the line, in CSS pixels.
func (p *Picture) headRoom(among []*wall) float64 {
	if p.headed(among) {
		return headHeight
	}
	return 0
}

// head names the methods that could be shown, the current one bold; a tap on a
// name shows it. It needs no line where there is only one.
func head(a *area, p *Picture, l *layer, pad float64, w *wall, among []*wall) (height float64) {
	if !p.headed(among) {
		return 0
	}
	t, u := a.theme, a.u
	x, y := pad, 17*u
	for _, v := range among {
		st, c := plain, t.Ink3
		if v == w {
			st, c = strong, t.Ink
		}
		name := a.methodLabel(v.method)
		wd := a.fonts.width(name, st)
		if x+14*u+wd > a.w-pad {
			break
		}
		l.glyph(a, p.order(v.method), x+4*u, y-4*u, 4*u, v != w)
		l.label(name, x+14*u, y, st, c, left)
		if v == w {
			l.add(mark{kind: fill, color: t.Ink, box: snap(rect{x + 14*u, y + 4*u, wd, 2 * u})})
		}
		a.on(rect{x - 8*u, 0, wd + 28*u, headHeight * u}, action{method: v.method})
		x += 14*u + wd + 18*u
	}
	// What it does now, where there is room; of a run that has stages, or functions,
	// it is told below.
	s := w.progress(a)
	if !forms(w) && w.latent() == nil && a.fonts.width(s, plain) < a.w-pad-x {
		l.label(s, a.w-pad, y, plain, t.Ink2, right)
	}
	return headHeight * u
}

// progress says which phase and sweep a method is in.
func (w *wall) progress(a *area) string {
	s := a.say(w.phase)
	if w.steps > 0 {
		if s != "" {
			s += ", "
		}
		s += w.updates(a)
	}
	return s
}

// updates says how far a lane is, in sweeps of its chains.
func (w *wall) updates(a *area) string {
	return a.say("update") + " " + format.Grouped(float64(w.step), 0) + " " + a.say("of") + " " +
		format.Grouped(float64(w.steps), 0)
}
