package render

import (
	"image/color"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
)

// curveParts is the number of pieces of a curve.
const curveParts = 120

// curve are points of a function of the variance.
func (v *noiseView) curve(of func(s float64) float64) []point {
	pts := v.a.points(curveParts + 1)
	for i := range curveParts + 1 {
		d := v.x.d0 + (v.x.d1-v.x.d0)*float64(i)/curveParts
		pts = append(pts, point{v.x.at(d), of(math.Pow(10, d))})
	}
	return pts
}

// tau is that of a number of equal steps, or of the run's ladder.
func (v *noiseView) tau(steps int) float64 {
	if steps == 0 {
		return v.n.Tau
	}
	return 1 / float64(steps)
}

// shade is the colour of a number of steps: the more, the colder; the run's ladder has that of its method.
func (v *noiseView) shade(steps int) color.RGBA {
	if steps == 0 {
		return v.ink
	}
	return v.a.theme.BetaColor(math.Log(float64(steps)) / math.Log(20))
}

// lines draws the theory's shares, each with its number of steps where it has come down halfway, or at its end.
func (v *noiseView) lines(l, front *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	for i, steps := range v.n.Steps {
		tau := v.tau(steps)
		pts := v.curve(func(s float64) float64 { return v.y.at(math.Exp(-tau * s)) })
		m := mark{kind: stroke, pts: pts, width: 1.5 * u * t.Stroke, color: fade(v.shade(steps), 0.75)}
		name, st, ink := format.AtMost(float64(steps), 0), tick, t.Ink2
		if i == 0 {
			name = v.stepsName(steps)
		}
		level := 0.5
		if steps == 0 {
			m.width, m.color, m.halo = 3*u*t.Stroke, v.ink, true
			name, st, ink, level = a.say("this run"), strong, v.ink, 0.8
		}
		l.add(m)
		d, wd := math.Log10(-math.Log(level)/tau), a.fonts.width(name, st)
		at := point{v.x.at(d) - wd - 5*u, v.y.at(level) + 12*u}
		if d > v.x.d1-0.02 { // beside its end
			at = point{v.x.p1 - wd - 4*u, v.y.at(math.Exp(-tau*math.Pow(10, v.x.d1))) + 16*u}
		}
		if at.x > v.kept.x+2*u && at.y < v.kept.y+v.kept.h-2*u {
			front.label(name, at.x, at.y, st, ink, left)
		}
	}
}

// cost draws the time of the run's ladder by timed and by counted costs, each with its minimum.
func (v *noiseView) cost(l, front *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	price := v.price()
	on := func(c *frame.Price) []point {
		return v.curve(func(s float64) float64 { return v.t.at(math.Log10(v.takes(c, s))) })
	}
	if price != &v.n.Counted {
		l.add(mark{kind: stroke, pts: on(&v.n.Counted), width: 1.5 * u * t.Stroke, color: t.Ink2,
			dash: [2]float64{5 * u, 4 * u}})
	}
	l.add(mark{kind: stroke, pts: on(price), width: 3 * u * t.Stroke, color: v.ink, halo: true})
	if x := v.spot(price.Best); x > v.x.p0 && x < v.x.p1 {
		q := point{x, v.t.at(0)}
		l.add(mark{kind: disc, at: q, r: 5 * u, color: v.ink, hollow: 2 * u, halo: true})
		s := a.say("minimum")
		if half := a.fonts.width(s, tick) / 2; x+half < v.x.p1 && x-half > v.x.p0 {
			front.label(s, x, q.y-10*u, tick, t.Ink2, centre)
		}
	}
}

// marks draws where the run is, and the limit on the variance.
func (v *noiseView) marks(back, front *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	foot := v.times.y + v.times.h
	if x := v.spot(v.n.Most); x > v.x.p0 && x < v.x.p1 {
		back.add(mark{kind: fill, box: rect{x, v.kept.y, v.x.p1 - x, v.kept.h}, color: fade(t.Track, 0.6)},
			mark{kind: fill, box: rect{x, v.times.y, v.x.p1 - x, v.times.h}, color: fade(t.Track, 0.6)})
		s := a.say("above the limit")
		if a.fonts.width(s, tick)+10*u < v.x.p1-x {
			y := v.times.y + 14*u
			if v.t.at(math.Log10(v.time(math.Pow(10, v.x.d1)))) < v.times.y+v.times.h/2 { // the curve goes there
				y = v.times.y + v.times.h - 7*u
			}
			back.label(s, v.x.p1-5*u, y, tick, t.Ink3, right)
		}
	}
	x := v.spot(v.at(float64(v.n.Draws)))
	if !(x >= v.x.p0 && x <= v.x.p1) {
		return
	}
	back.add(mark{kind: stroke, pts: []point{{x, v.kept.y}, {x, foot}}, width: 2 * u * t.Stroke, color: fade(v.ink, 0.55)})
	s := "N = " + format.Grouped(float64(v.n.Draws), 0)
	half := a.fonts.width(s, strong)/2 + 4*u
	at := min(max(x, v.x.p0+half), v.x.p1-half)
	if math.Abs(v.spot(v.price().Best)-at) < half+40*u { // the minimum has words of its own
		foot = v.kept.y + v.kept.h
	}
	front.add(mark{kind: fill, box: snap(rect{at - half, foot - 20*u, 2 * half, 18 * u}), color: t.Ground})
	front.label(s, at, foot-6*u, strong, v.ink, centre)
}

// points draws what was measured: the share that each number of steps keeps, and the time that follows from it.
func (v *noiseView) points(l *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	bars := mark{kind: wires, width: 1.25 * u * t.Stroke}
	least := v.n.Spread*v.n.Timed.One/v.n.Timed.Best + v.n.Timed.Base
	least *= math.Exp(v.n.Tau * v.n.Timed.Best)
	for i, q := range v.tests {
		x := v.spot(q.Var)
		for k, steps := range v.n.Steps {
			kept, se := q.Kept[k], q.KeptSE[k]
			if !num.Finite(kept) || !num.Finite(se) {
				continue
			}
			r, hue := 3.2*u, v.shade(steps)
			if steps == 0 {
				r = 5 * u
			}
			bars.pts = append(bars.pts, point{x, v.y.at(max(kept-se, 0))}, point{x, v.y.at(min(kept+se, 1.03))})
			bars.colors = append(bars.colors, hue)
			at := point{x, v.y.at(kept)}
			l.add(mark{kind: disc, at: at, r: r, color: hue, halo: true})
			v.offer(i, k, at, r)
			if cost := math.Log10(q.Seconds / kept / least); steps == 0 && cost <= v.t.d1 {
				at := point{x, v.t.at(cost)}
				l.add(mark{kind: disc, at: at, r: r, color: hue, halo: true})
				v.offer(i, k, at, r)
			}
		}
		if i+1 == v.p.trial {
			l.add(mark{kind: stroke, pts: []point{{x, v.kept.y}, {x, v.times.y + v.times.h}}, width: a.hair(), color: t.Ink})
		}
	}
	l.marks = append([]mark{bars}, l.marks...)
}

func (v *noiseView) offer(i, k int, at point, r float64) {
	if a := v.a; a.asks(v.clip()) {
		a.probe.offer(max(a.probe.near(at)-r, 0), 12*a.u, at, r, rect{}, func() string { return v.read(i, k) })
	}
}

// stepsName is a number of steps in words.
func (v *noiseView) stepsName(steps int) string {
	switch steps {
	case 0:
		return v.a.say("this run")
	case 1:
		return v.a.say("1 step")
	}
	return format.AtMost(float64(steps), 0) + " " + v.a.say("steps")
}

// read says what the trials with a number of draws found.
func (v *noiseView) read(i, k int) string {
	a, q, steps := v.a, v.tests[i], v.n.Steps[k]
	percent := func(x float64) string { return format.AtMost(100*x, 1) + " %" }
	text := "N = " + format.Grouped(float64(q.Draws), 0) + ", \u03c3\u00b2 = " + format.Short(q.Var, 2) + "\n" +
		v.stepsName(steps) + ": " + percent(q.Kept[k]) + " \u00b1 " + percent(q.KeptSE[k]) + ", " + a.say("in theory") + " " +
		percent(math.Exp(-v.tau(steps)*q.Var))
	if q.Seconds > 0 {
		text += "\n" + a.say("time of an estimate") + " " + brief(q.Seconds)
	}
	return text + "\n" + format.Grouped(float64(q.N), 0) + " " + a.say("estimates")
}

// brief is a short time.
func brief(s float64) string {
	if s < 1e-3 {
		return format.Short(1e6*s, 2) + " \u00b5s"
	}
	return format.Short(1e3*s, 2) + " ms"
}

// offerCurve lets the pointer read the theory at a variance.
func (v *noiseView) offerCurve() {
	a, b := v.a, v.clip()
	if !a.asks(b) {
		return
	}
	x := a.probe.at.x
	s := math.Pow(10, v.x.d0+(x-v.x.p0)/(v.x.p1-v.x.p0)*(v.x.d1-v.x.d0))
	a.probe.offer(0.99, 1, a.probe.at, 0, rect{x, v.kept.y, 0, v.times.y + v.times.h - v.kept.y}, func() string {
		text := "\u03c3\u00b2 = " + format.Short(s, 2) + ", N = " + format.Short(v.n.Spread/s, 2)
		for _, steps := range v.n.Steps {
			text += "\n" + v.stepsName(steps) + ": " + format.AtMost(100*math.Exp(-v.tau(steps)*s), 1) + " %"
		}
		if c := v.time(s); num.Finite(c) {
			text += "\n" + a.say("time") + " " + format.Ratio(c) + " \u00d7"
		}
		return text
	})
}

// turnTrials takes the keys of the scene: arrows go through the trials.
func (p *Picture) turnTrials(key string) bool {
	if p.noise == nil {
		return false
	}
	n := len(p.measured())
	switch {
	case key == "ArrowRight" && p.trial < n:
		p.trial++
	case key == "ArrowLeft" && p.trial > 1:
		p.trial--
	case key == "Home" && n > 0:
		p.trial = 1
	case key == "End":
		p.trial = n
	case key == "Escape" && p.trial > 0:
		p.trial = 0
	default:
		return false
	}
	return true
}

// tellTrial reads the trial that keys have come to, for the run's ladder.
func tellTrial(a *area, p *Picture) string {
	if p.noise == nil || p.trial < 1 || p.trial > len(p.measured()) {
		return ""
	}
	v := &noiseView{a: a, p: p, n: p.noise, tests: p.measured()}
	return strings.ReplaceAll(v.read(p.trial-1, len(v.n.Steps)-1), "\n", ", ")
}
