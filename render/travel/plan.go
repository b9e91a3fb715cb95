package travel

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/schedule"
	"logzlab/render/chart"
	"logzlab/render/hand"
	"logzlab/render/paint"
)

// priorPen draws weights of rungs, in proportion to how often they are to be visited.
var priorPen = hand.Pen{Param: "prior", Text: schedule.DrawnPrior, Place: schedule.PlaceWeight, Step: stepWeight}

// stepWeight is some steps of a fifth from a weight.
func stepWeight(w float64, steps int) float64 { return w * math.Pow(1.2, float64(steps)) }

// evenPlan is the plan of the same visits for every rung.
func evenPlan() []float64 { return slices.Repeat([]float64{1}, schedule.Weights) }

// describePlan says at which rung the knot of the keys is, and how often that is to be visited.
func (v *view) describePlan() string {
	o := &v.s.hand
	k := int(math.Round(float64(o.At) * float64(len(v.plan.Beta)-1) / float64(len(o.Knots)-1)))
	return o.Name(v.a) + ": " + v.a.Say("weight") + " " + strconv.FormatFloat(o.Knots[o.At], 'g', -1, 64) + ", " +
		v.planned(k)
}

// byHand are the weights of all rungs by hand, and their mean.
func (v *view) byHand() (weights []float64, mean float64) {
	n := len(v.plan.Beta)
	for k := range n {
		w := schedule.WeightAt(v.s.hand.Knots, k, n-1)
		weights, mean = append(weights, w), mean+w/float64(n)
	}
	return weights, mean
}

// planned says how often a rung is to be visited.
func (v *view) planned(k int) string {
	weights, mean := v.byHand()
	share := weights[k] / mean / float64(len(weights))
	return v.rung(k) + ": " + format.SI(100*share, 2) + "\u00a0% " + v.a.Say("of the visits")
}

// drawPlan draws how often each rung is to be visited, as weights with knots to drag, on a log scale. A plan that has been
// changed stands beside that of the experiment, which is dashed.
func (v *view) drawPlan(c *chart.Chart) {
	a, t, o, n := v.a, v.a.Theme, &v.s.hand, len(v.plan.Beta)
	lo, hi := 0.1, 10.0
	for _, x := range [...][]float64{v.plan.Knots, v.plan.Weights} {
		for _, w := range x {
			if w >= 1e-3 && w <= 1e3 { // what lies beyond is cut
				lo, hi = min(lo, w), max(hi, w)
			}
		}
	}
	c.Y = chart.Axis{Lo: lo, Hi: hi, Log: true}
	if !a.Compact() {
		c.Y.Title = a.Say("Drag the knots: chains go more often where the line is high.")
	}
	byHand, even := v.byHand()

	// curve is the plan by hand, with so many points between knots; own that of the experiment.
	top := float64(n - 1)
	curve := func(between int) (xs, ys []float64) {
		m := (len(o.Knots) - 1) * between
		for i := range m + 1 {
			xs = append(xs, top*float64(i)/float64(m))
			ys = append(ys, min(max(schedule.WeightAt(o.Knots, i, m), lo), hi))
		}
		return xs, ys
	}
	var own []float64
	for k := range v.plan.Weights {
		own = append(own, float64(k))
	}
	ink := t.Method(v.s.Run.MethodIndex(v.plan.Methods[0]))
	xs, ys := own, v.plan.Weights
	if o.Bent(v.plan.Knots) {
		c.Line(xs, ys, chart.Style{Color: ink, Width: 1.75, Dash: [2]float64{4, 4}})
		xs, ys = curve(12)
	}
	c.Level(even, "", chart.Style{Color: t.Ink3, Width: 1, Dash: [2]float64{4, 3}})
	c.Area(xs, ys, chart.Style{Color: ink, Opacity: 0.12, Base: lo})
	c.Line(xs, ys, chart.Style{Color: ink, Width: 3})

	c.DrawOver(func(l *paint.Layer) {
		b := c.Plot()
		xs, ys := curve(1)
		pts := make([]paint.Point, len(xs))
		for i := range xs {
			pts[i] = c.At(xs[i], ys[i])
		}
		o.Grips(a, l, ink, pts, func(y float64) float64 {
			share := (b.Y + b.H - min(max(y, b.Y), b.Y+b.H)) / b.H
			return lo * math.Pow(hi/lo, share)
		})
	})

	// The links, and the longer title that leaves room for them.
	var links []link
	if !v.alone() {
		links = append(links, link{a.Say("Show the visits"), v.switchPlan})
	}
	if slices.Max(o.Knots) > slices.Min(o.Knots) {
		links = append(links, link{a.Say("Visit all evenly"), func() { o.Restart() }})
	}
	c.Title = a.Say("Planned visits of each rung, r")
	if end := v.links(c, links...); c.Box().X+a.Fonts.Width(c.Title, paint.Strong) > end {
		c.Title = a.Say("Planned visits, r")
	}
	if a.Dragging {
		return
	}
	c.Read(n, func(k int) (x, y float64) {
		return float64(k), min(max(byHand[k], lo), hi)
	}, v.planned)
}

// switchPlan changes between the visits and their plan.
func (v *view) switchPlan() {
	v.s.hand.Key("Escape")
	v.s.planning = !v.s.planning
}

// link is a word that does something when it is tapped.
type link struct {
	text string
	do   func()
}

// links writes links beside the title of a panel, from the right to the left, and returns where what is at their left
// must end.
func (v *view) links(c *chart.Chart, list ...link) (end float64) {
	a, u := v.a, v.a.Unit
	end = c.Box().X + c.Box().W
	if a.Print {
		return end
	}
	for _, k := range list {
		end -= a.Fonts.Width(k.text, paint.Plain)
		x := end
		c.DrawOver(func(l *paint.Layer) {
			a.Link(l, k.text, x, c.Box().Y+12*u, paint.Plain, a.Theme.Ink2, 8, paint.Action{Do: func(paint.Point) { k.do() }})
		})
		end -= 14 * u
	}
	return end
}
