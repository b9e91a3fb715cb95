package travel

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("weights", func(r *record.Run) scene.Scene { return &weights{scene.Base{Run: r}} })

// weights draws how guesses of log Z at each rung converge to the exact curve, for methods with adaptive weights, such
// as Wang-Landau, and for the initial iterations of a tempering run ([RTS] Figure 1). A second chart shows the
// distances of the guesses of every method from the exact curve, against cost.
type weights struct{ scene.Base }

// Draw implements Scene.
func (s *weights) Draw(a *paint.Area) []paint.Layer {
	u := a.Unit
	w, among, l := s.Run.PickLadder(hasGuesses)
	if l == nil || a.W < 160*u || a.H < 140*u {
		return []paint.Layer{paint.Note(a, "No guesses yet")}
	}
	var top paint.Layer
	pad, y := 24*u, 14*u
	if a.Compact() {
		pad = 16 * u
	}
	if w != nil {
		y += record.Header(a, s.Run, &top, pad, w, among)
	}
	all := paint.XYWH(pad, y, a.W-2*pad, a.H-y-6*u)

	// Both charts side by side, or one above the other if the canvas is narrow.
	left, right := all, all
	switch distances := s.distances(); {
	case len(distances) == 0 || a.Compact() && all.H < 220*u:
		right.W = 0
	case a.Compact():
		left.H = (all.H - 10*u) / 2
		right.Y, right.H = all.Y+left.H+10*u, left.H
	default:
		left.W = (all.W - 28*u) / 2
		right.X, right.W = all.X+left.W+28*u, left.W
	}
	out := s.guesses(a, left, l)
	if right.W > 0 {
		out = append(out, s.distanceChart(a, right, len(l.Exact) > 0)...)
	}
	return append(out, top)
}

// hasGuesses reports whether a ladder has guesses of log Z that can be drawn.
func hasGuesses(l *frame.Ladder) bool { return len(guesses(l)) > 0 }

// guesses returns the guesses of a ladder that can be drawn and have as many rungs as the newest.
func guesses(l *frame.Ladder) (list []frame.Guess) {
	for i := range l.Guesses {
		g, n := &l.Guesses[i], len(l.Guesses[len(l.Guesses)-1].LogZ)
		if len(g.LogZ) == n && n > 1 && num.Finite(g.LogZ[0]) {
			list = append(list, *g)
		}
	}
	return list
}

// rungOf returns the rung of entry i of n of a guess.
func rungOf(l *frame.Ladder, i, n int) int { return i * (len(l.Beta) - 1) / max(n-1, 1) }

// rise returns log Z at entry i minus log Z of the base, NaN if it cannot be drawn.
func rise(z []float64, i int) float64 {
	if d := z[i] - z[0]; math.Abs(d) <= record.MaxLogZ {
		return d
	}
	return math.NaN()
}

// guesses draws log Z by rung: a line for each guess, the newest strongest, and the exact curve. If guesses coincide
// at this scale, their differences from the exact curve, or from the newest guess, are drawn.
func (s *weights) guesses(a *paint.Area, box paint.Rect, l *frame.Ladder) []paint.Layer {
	t, list := a.Theme, guesses(l)
	n, newest := len(list[0].LogZ), list[len(list)-1].LogZ
	known := len(l.Exact) == len(l.Beta)
	xs, exact, minus := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		k := rungOf(l, i, n)
		xs[i], exact[i], minus[i] = float64(k), math.NaN(), rise(newest, i)
		if known {
			exact[i] = l.Exact[k] - l.Exact[0]
			minus[i] = exact[i]
		}
	}
	height, spread := 0.0, 0.0
	for _, g := range list {
		for i := range n {
			if z := rise(g.LogZ, i); num.Finite(z) && num.Finite(minus[i]) {
				height, spread = max(height, math.Abs(z), math.Abs(minus[i])), max(spread, math.Abs(z-minus[i]))
			}
		}
	}
	title := "Guess of log Z by rung, nats"
	switch {
	case spread == 0 || spread >= 0.1*height:
		clear(minus)
	case known:
		title = "Guess minus exact, nats"
	default:
		title = "Guess minus the last, nats"
	}

	c := chart.New(a, box, rungAxis(a, l.Beta, len(l.Beta), 0.8*box.W), chart.Axis{})
	c.Title, c.Key = a.Say(title), key(a, box)
	ink := t.Method(s.Run.MethodIndex(l.Method))
	for i, g := range list {
		ys := make([]float64, n)
		for k := range n {
			ys[k] = rise(g.LogZ, k) - minus[k]
		}
		age := float64(i+1) / float64(len(list))
		style := chart.Style{Width: 1 + 0.5*age, NoHalo: true,
			Color: paint.Mix(paint.Mix(t.Ground, t.Line2, 0.55), ink, age*age)}
		if i == len(list)-1 {
			if known {
				curve := make([]float64, n)
				for k := range n {
					curve[k] = exact[k] - minus[k]
				}
				c.Line(xs, curve, chart.Style{Name: a.Say("exact"), Color: t.Ink, Width: 1.5})
			}
			style = chart.Style{Name: a.Say("Guess") + " " + strconv.Itoa(i+1), Color: ink, Width: 2.5}
		}
		c.Line(xs, ys, style)
		c.Tooltips(n, func(k int) (x, y float64) { return xs[k], ys[k] }, func(k int) string {
			s := a.Say("Guess") + " " + strconv.Itoa(i+1)
			if g.Sweeps > 0 {
				s += ", " + format.SI(g.Sweeps, 3) + " " + a.Say("sweeps")
			}
			z := rise(g.LogZ, k)
			if !num.Finite(z) {
				return s
			}
			s += "\n" + a.Say("Rung") + " " + strconv.Itoa(rungOf(l, k, n)+1) + ": log Z " + format.Fixed(z, 2)
			if e := exact[k]; num.Finite(e) {
				s += "\n" + a.Say("exact") + " " + format.Fixed(e, 2) + ", " + a.Say("error") + " " + format.Signed(z-e, 2)
			}
			return s
		})
	}
	return c.Layers()
}

// key returns the position of the legend: at the right of wide plots only.
func key(a *paint.Area, box paint.Rect) chart.Key {
	if box.W < 440*a.Unit {
		return chart.KeyRow
	}
	return chart.KeyAuto
}

// distance contains the distances of the guesses of a method from the exact curve.
type distance struct {
	method            string
	sweeps, distances []float64
}

// distances returns the distances of each method that has any.
func (s *weights) distances() (all []distance) {
	for _, m := range s.Run.Methods {
		if l := s.Run.LastLadder(m, hasGuesses); l != nil {
			if f := distanceOf(l); len(f.sweeps) > 0 {
				all = append(all, f)
			}
		}
	}
	return all
}

// distanceOf returns the distances of the guesses of a ladder from its exact curve, or from its newest guess: the root
// mean square over rungs of the difference in log Z_k - log Z_0, by increasing number of sweeps.
func distanceOf(l *frame.Ladder) distance {
	f := distance{method: l.Method}
	list := guesses(l)
	for _, g := range list {
		n, sum, used := len(g.LogZ), 0.0, 0.0
		for i := 1; i < n; i++ {
			ref := rise(list[len(list)-1].LogZ, i)
			if k := rungOf(l, i, n); len(l.Exact) == len(l.Beta) {
				ref = l.Exact[k] - l.Exact[0]
			}
			if e := rise(g.LogZ, i) - ref; num.Finite(e) {
				sum, used = sum+e*e, used+1
			}
		}
		d, m := math.Sqrt(sum/used), len(f.sweeps)
		if d > 0 && d < record.MaxLogZ && g.Sweeps > 0 && num.Finite(g.Sweeps) && (m == 0 || g.Sweeps > f.sweeps[m-1]) {
			f.sweeps, f.distances = append(f.sweeps, g.Sweeps), append(f.distances, d)
		}
	}
	return f
}

// distanceChart draws the distances of all methods against cost, on log scales.
func (s *weights) distanceChart(a *paint.Area, box paint.Rect, known bool) []paint.Layer {
	c := chart.New(a, box, chart.Axis{Log: true, Title: a.Say("sweeps of each chain")}, chart.Axis{Log: true})
	c.Key = key(a, box)
	titles := [...]string{a.Say("Distance from the exact curve, nats"), a.Say("Distance, nats")}
	if !known {
		titles[0] = a.Say("Distance from the last guess, nats")
	}
	if c.Title = titles[0]; a.Fonts.Width(c.Title, paint.Strong) > box.W {
		c.Title = titles[1]
	}
	for _, f := range s.distances() {
		label := a.MethodLabel(f.method)
		c.Line(f.sweeps, f.distances, chart.Method(a.Theme, s.Run.MethodIndex(f.method), label))
		c.Tooltips(len(f.sweeps), func(i int) (x, y float64) { return f.sweeps[i], f.distances[i] }, func(i int) string {
			return label + "\n" + format.SI(f.sweeps[i], 3) + " " + a.Say("sweeps") + "\n" + format.SI(f.distances[i], 2) +
				" " + a.Say("nats")
		})
	}
	return c.Layers()
}
