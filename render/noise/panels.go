package noise

import (
	"image/color"
	"math"
	"strings"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
)

// curveParts is the number of pieces of a curve.
const curveParts = 120

// curve are points of a function of the variance.
func (v *noiseView) curve(of func(s float64) float64) []paint.Point {
	pts := v.a.Points(curveParts + 1)
	for i := range curveParts + 1 {
		d := v.x.D0 + (v.x.D1-v.x.D0)*float64(i)/curveParts
		pts = append(pts, paint.Pt(v.x.At(d), of(math.Pow(10, d))))
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
	return v.a.Theme.BetaColor(math.Log(float64(steps)) / math.Log(20))
}

// lines draws the theory's shares, each with its number of steps where it has come down halfway, or at its end.
func (v *noiseView) lines(l, front *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	for i, steps := range v.n.Steps {
		tau := v.tau(steps)
		pts := v.curve(func(s float64) float64 { return v.y.At(math.Exp(-tau * s)) })
		m := paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.5 * u * t.Stroke, Color: paint.Fade(v.shade(steps), 0.75)}
		name, st, ink := format.AtMost(float64(steps), 0), paint.Tick, t.Ink2
		if i == 0 {
			name = v.stepsName(steps)
		}
		level := 0.5
		if steps == 0 {
			m.Width, m.Color, m.Halo = 3*u*t.Stroke, v.ink, true
			name, st, ink, level = a.Say("this run"), paint.Strong, v.ink, 0.8
		}
		l.Add(m)
		d, wd := math.Log10(-math.Log(level)/tau), a.Fonts.Width(name, st)
		at := paint.Pt(v.x.At(d)-wd-5*u, v.y.At(level)+12*u)
		if d > v.x.D1-0.02 { // beside its end
			at = paint.Pt(v.x.P1-wd-4*u, v.y.At(math.Exp(-tau*math.Pow(10, v.x.D1)))+16*u)
		}
		if at.X > v.kept.X+2*u && at.Y < v.kept.Y+v.kept.H-2*u {
			front.Label(name, at.X, at.Y, st, ink, paint.Left)
		}
	}
}

// cost draws the time of the run's ladder by timed and by counted costs, each with its minimum.
func (v *noiseView) cost(l, front *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	price := v.price()
	on := func(c *frame.Price) []paint.Point {
		return v.curve(func(s float64) float64 { return v.t.At(math.Log10(v.takes(c, s))) })
	}
	if price != &v.n.Counted {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: on(&v.n.Counted), Width: 1.5 * u * t.Stroke, Color: t.Ink2,
			Dash: [2]float64{5 * u, 4 * u}})
	}
	l.Add(paint.Mark{Kind: paint.Stroke, Pts: on(price), Width: 3 * u * t.Stroke, Color: v.ink, Halo: true})
	if x := v.spot(price.Best); x > v.x.P0 && x < v.x.P1 {
		q := paint.Pt(x, v.t.At(0))
		l.Add(paint.Mark{Kind: paint.Disc, At: q, R: 5 * u, Color: v.ink, Hollow: 2 * u, Halo: true})
		s := a.Say("minimum")
		if half := a.Fonts.Width(s, paint.Tick) / 2; x+half < v.x.P1 && x-half > v.x.P0 {
			front.Label(s, x, q.Y-10*u, paint.Tick, t.Ink2, paint.Centre)
		}
	}
}

// marks draws where the run is, and the limit on the variance.
func (v *noiseView) marks(back, front *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	foot := v.times.Y + v.times.H
	if x := v.spot(v.n.Most); x > v.x.P0 && x < v.x.P1 {
		back.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x, v.kept.Y, v.x.P1-x, v.kept.H),
			Color: paint.Fade(t.Track, 0.6)},
			paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x, v.times.Y, v.x.P1-x, v.times.H), Color: paint.Fade(t.Track, 0.6)})
		s := a.Say("above the limit")
		if a.Fonts.Width(s, paint.Tick)+10*u < v.x.P1-x {
			y := v.times.Y + 14*u
			if v.t.At(math.Log10(v.time(math.Pow(10, v.x.D1)))) < v.times.Y+v.times.H/2 { // the curve goes there
				y = v.times.Y + v.times.H - 7*u
			}
			back.Label(s, v.x.P1-5*u, y, paint.Tick, t.Ink3, paint.Right)
		}
	}

	// The number of draws of the run.
	x := v.spot(v.at(float64(v.n.Draws)))
	if !(x >= v.x.P0 && x <= v.x.P1) {
		return
	}
	back.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: x, Y: v.kept.Y}, {X: x, Y: foot}},
		Width: 2 * u * t.Stroke, Color: paint.Fade(v.ink, 0.55)})
	s := "N = " + format.Grouped(float64(v.n.Draws), 0)
	half := a.Fonts.Width(s, paint.Strong)/2 + 4*u
	at := min(max(x, v.x.P0+half), v.x.P1-half)
	if math.Abs(v.spot(v.price().Best)-at) < half+40*u { // the minimum has words of its own
		foot = v.kept.Y + v.kept.H
	}
	front.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(at-half, foot-20*u, 2*half, 18*u)), Color: t.Ground})
	front.Label(s, at, foot-6*u, paint.Strong, v.ink, paint.Centre)
}

// points draws the measured share of accepted moves for each number of steps, and the time computed from the share.
func (v *noiseView) points(l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	bars := paint.Mark{Kind: paint.Wires, Width: 1.25 * u * t.Stroke}
	least := v.n.Spread*v.n.Timed.One/v.n.Timed.Best + v.n.Timed.Base
	least *= math.Exp(v.n.Tau * v.n.Timed.Best)

	// Points for each test and number of steps, with error bars.
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
			bars.Pts = append(bars.Pts, paint.Pt(x, v.y.At(max(kept-se, 0))), paint.Pt(x, v.y.At(min(kept+se, 1.03))))
			bars.Colors = append(bars.Colors, hue)
			at := paint.Pt(x, v.y.At(kept))
			l.Add(paint.Mark{Kind: paint.Disc, At: at, R: r, Color: hue, Halo: true})
			v.offer(i, k, at, r)
			if cost := math.Log10(q.Seconds / kept / least); steps == 0 && cost <= v.t.D1 {
				at := paint.Pt(x, v.t.At(cost))
				l.Add(paint.Mark{Kind: paint.Disc, At: at, R: r, Color: hue, Halo: true})
				v.offer(i, k, at, r)
			}
		}

		// A line through the test picked by the user.
		if i+1 == v.s.test {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: x, Y: v.kept.Y}, {X: x, Y: v.times.Y + v.times.H}},
				Width: a.Hairline(), Color: t.Ink})
		}
	}
	l.Marks = append([]paint.Mark{bars}, l.Marks...)
}

func (v *noiseView) offer(i, k int, at paint.Point, r float64) {
	if a := v.a; a.Pointed(v.clip()) {
		a.Pointer.Offer(max(a.Pointer.Distance(at)-r, 0), 12*a.Unit, at, r, paint.Rect{},
			func() string { return v.read(i, k) })
	}
}

// stepsName is a number of steps in words.
func (v *noiseView) stepsName(steps int) string {
	switch steps {
	case 0:
		return v.a.Say("this run")
	case 1:
		return v.a.Say("1 step")
	}
	return format.AtMost(float64(steps), 0) + " " + v.a.Say("steps")
}

// read says what the test with a number of draws found.
func (v *noiseView) read(i, k int) string {
	a, q, steps := v.a, v.tests[i], v.n.Steps[k]
	percent := func(x float64) string { return format.AtMost(100*x, 1) + " %" }
	text := "N = " + format.Grouped(float64(q.Draws), 0) + ", \u03c3\u00b2 = " + format.Short(q.Var, 2) + "\n" +
		v.stepsName(steps) + ": " + percent(q.Kept[k]) + " \u00b1 " + percent(q.KeptSE[k]) + ", " + a.Say("in theory") + " " +
		percent(math.Exp(-v.tau(steps)*q.Var))
	if q.Seconds > 0 {
		text += "\n" + a.Say("time of an estimate") + " " + brief(q.Seconds)
	}
	return text + "\n" + format.Grouped(float64(q.N), 0) + " " + a.Say("estimates")
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
	if !a.Pointed(b) {
		return
	}
	x := a.Pointer.At.X
	s := math.Pow(10, v.x.D0+(x-v.x.P0)/(v.x.P1-v.x.P0)*(v.x.D1-v.x.D0))
	a.Pointer.Offer(0.99, 1, a.Pointer.At, 0, paint.XYWH(x, v.kept.Y, 0, v.times.Y+v.times.H-v.kept.Y), func() string {
		text := "\u03c3\u00b2 = " + format.Short(s, 2) + ", N = " + format.Short(v.n.Spread/s, 2)
		for _, steps := range v.n.Steps {
			text += "\n" + v.stepsName(steps) + ": " + format.AtMost(100*math.Exp(-v.tau(steps)*s), 1) + " %"
		}
		if c := v.time(s); num.Finite(c) {
			text += "\n" + a.Say("time") + " " + format.Ratio(c) + " \u00d7"
		}
		return text
	})
}

// Key takes the keys of the scene: arrows go through the tests.
func (s *noises) Key(key string) bool {
	if s.noise == nil {
		return false
	}
	n := len(s.measured())
	switch {
	case key == "ArrowRight" && s.test < n:
		s.test++
	case key == "ArrowLeft" && s.test > 1:
		s.test--
	case key == "Home" && n > 0:
		s.test = 1
	case key == "End":
		s.test = n
	case key == "Escape" && s.test > 0:
		s.test = 0
	default:
		return false
	}
	return true
}

// Describe reads the test that keys have come to, for the run's ladder.
func (s *noises) Describe(a *paint.Area) string {
	if s.noise == nil || s.test < 1 || s.test > len(s.measured()) {
		return ""
	}
	v := &noiseView{a: a, s: s, n: s.noise, tests: s.measured()}
	return strings.ReplaceAll(v.read(s.test-1, len(v.n.Steps)-1), "\n", ", ")
}
