package graph

import (
	"slices"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// measure says how ordered a particle was at an inverse temperature.
type measure struct {
	beta      float64
	common    float64 // fraction of its variables in their most common state
	satisfied float64 // fraction of its couplings that are satisfied
}

// measures are the measures of all snapshots of a method, computed once for each frame and flip.
type measures struct {
	particles *record.Particles
	version   int
	flips     string
	all       []measure
}

// measure computes the measures of a particle.
func (v *graphView) measure(beta float64, cells []byte) (m measure, ok bool) {
	if len(cells) < len(v.g.States) || !num.NotNaN(beta) {
		return m, false
	}
	var count [3]int
	for _, c := range cells[:len(v.g.States)] {
		count[min(c, 2)]++
	}
	return measure{beta, float64(slices.Max(count[:])) / float64(len(v.g.States)), v.satisfied(cells)}, true
}

// orderCharts draws how ordered the particles were at the temperatures of their snapshots and, in larger dots, how
// they are now.
func (v *graphView) orderCharts(live *record.Particles, b paint.Rect) []paint.Layer {
	old := &v.s.measures
	if old.particles != live || old.version != live.Version || old.flips != v.g.Flips {
		*old = measures{particles: live, version: live.Version, flips: v.g.Flips}
		for i := range live.Slots {
			for k := range live.Slots[i].Snapshots {
				q := &live.Slots[i].Snapshots[k]
				if m, ok := v.measure(q.Beta, q.Cells); ok && q.Valid {
					old.all = append(old.all, m)
				}
			}
		}
	}
	var now []measure
	for i := range v.w.Slots {
		if m, ok := v.measure(v.w.Slots[i].Beta, v.w.Slots[i].Cells); ok {
			now = append(now, m)
		}
	}
	upper, lower := b, b
	if len(v.g.J) > 0 {
		upper.H = (b.H - 14*v.a.Unit) / 2
		lower.Y, lower.H = b.Y+b.H-upper.H, upper.H
	}
	out := v.panel(upper, "In the most common state", now, func(m measure) float64 { return m.common })
	if len(v.g.J) > 0 {
		out = append(out, v.panel(lower, "Couplings satisfied", now, func(m measure) float64 { return m.satisfied })...)
	}
	return out
}

// panel draws a chart of a fraction against inverse temperature.
func (v *graphView) panel(b paint.Rect, name string, now []measure, of func(measure) float64) []paint.Layer {
	ticks := []float64{0, .5, 1}
	beta := chart.Axis{Hi: 1, Ticks: ticks, Label: func(q float64) string {
		if q == 1 {
			return "\u03b2 = 1"
		}
		return format.Trimmed(q, 1)
	}}
	c := chart.New(v.a, b, beta, chart.Axis{Hi: 1, Ticks: ticks, Label: func(q float64) string {
		return format.Trimmed(100*q, 0) + "\u00a0%"
	}})
	c.Title = v.a.Say(name)
	put := func(ms []measure, r, faint float64) {
		s := chart.Style{R: r}
		var beta, share []float64
		for _, m := range ms {
			beta, share = append(beta, m.beta), append(share, of(m))
			s.Colors = append(s.Colors, paint.Fade(v.a.Theme.BetaColor(m.beta), faint))
		}
		c.Dots(beta, share, s)
	}
	put(v.s.measures.all, 1.25, .5)
	put(now, 3, 1)
	return c.Layers()
}
