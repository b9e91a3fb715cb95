package travel

import (
	"math"
	"slices"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/schedule"
	"logzlab/render/chart"
	"logzlab/render/curve"
	"logzlab/render/paint"
)

// priorPen edits weights of rungs, proportional to the planned visits.
var priorPen = curve.Pen{Param: "prior", Text: schedule.PriorText, Place: schedule.SetWeight, Step: stepWeight}

// stepWeight is some steps of a fifth from a weight.
func stepWeight(w float64, steps int) float64 { return w * math.Pow(1.2, float64(steps)) }

// evenPlan returns equal weights for all rungs.
func evenPlan() []float64 { return slices.Repeat([]float64{1}, schedule.WeightCount) }

// describePlan describes the selected knot: its weight, and the planned visits of its rung.
func (v *view) describePlan() string {
	o := &v.s.editor
	k := int(math.Round(float64(o.Selected) * float64(len(v.plan.Beta)-1) / float64(len(o.Knots)-1)))
	return o.Name(v.a) + ": " + v.a.Say("weight") + " " + strconv.FormatFloat(o.Knots[o.Selected], 'g', -1, 64) + ", " +
		v.planned(k)
}

// edited returns the weights of all rungs by the editor, and their mean.
func (v *view) edited() (weights []float64, mean float64) {
	n := len(v.plan.Beta)
	for k := range n {
		w := schedule.WeightAt(v.s.editor.Knots, k, n-1)
		weights, mean = append(weights, w), mean+w/float64(n)
	}
	return weights, mean
}

// planned returns the share of the visits that is planned for a rung.
func (v *view) planned(k int) string {
	weights, mean := v.edited()
	share := weights[k] / mean / float64(len(weights))
	return v.rung(k) + ": " + format.SI(100*share, 2) + "\u00a0% " + v.a.Say("of the visits")
}

// drawPlan draws the planned visits of each rung as weights with knots to drag, on a log scale. If the plan has been
// changed, the plan of the experiment is dashed.
func (v *view) drawPlan(c *chart.Chart) {
	a, t, o, n := v.a, v.a.Theme, &v.s.editor, len(v.plan.Beta)
	lo, hi := 0.1, 10.0
	for _, x := range [...][]float64{v.plan.Knots, v.plan.Weights} {
		for _, w := range x {
			if w >= 1e-3 && w <= 1e3 { // values outside are clipped
				lo, hi = min(lo, w), max(hi, w)
			}
		}
	}
	c.Y = chart.Axis{Lo: lo, Hi: hi, Log: true}
	if !a.Compact() {
		c.Y.Title = a.Say("Drag the knots: chains go more often where the line is high.")
	}
	byHand, even := v.edited()

	// curve returns the edited plan with between points per knot. own is the plan of the experiment.
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
	if o.Differs(v.plan.Knots) {
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

	// The links, and a title that leaves space for them.
	var links []link
	if !v.planOnly() {
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
	c.Tooltips(n, func(k int) (x, y float64) {
		return float64(k), min(max(byHand[k], lo), hi)
	}, v.planned)
}

// switchPlan switches between the visits and their plan.
func (v *view) switchPlan() {
	v.s.editor.Key("Escape")
	v.s.showPlan = !v.s.showPlan
}

// link is a text with an action.
type link struct {
	text string
	do   func()
}

// links draws links in the title line of a panel, from right to left, and returns the right end of the free space.
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
