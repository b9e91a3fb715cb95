package formation

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// across compares the islands at a stage: mean of what they are off the base,
// standard error of that mean, and how many of them have been there.
type across struct{ mean, se, n float64 }

// pooled compares the islands at each stage that at least two of them have done.
func (v *forming) pooled(base []float64) []across {
	out := make([]across, len(base))
	for _, is := range v.among {
		for i := range is.Growth.Record {
			r := &is.Growth.Record[i]
			if r.N >= len(base) || !(math.Abs(r.LogZ-base[r.N]) <= record.Largest) {
				continue
			}
			c := &out[r.N]
			d := r.LogZ - base[r.N]
			c.mean, c.se, c.n = c.mean+d, c.se+d*d, c.n+1
		}
	}
	for i := range out {
		c := &out[i]
		c.mean /= max(c.n, 1)
		c.se = math.Sqrt(max(c.se/max(c.n, 1)-c.mean*c.mean, 0) / max(c.n-1, 1))
	}
	return out
}

// exact tells whether the exact value is known at half of the stages, or more.
func (v *forming) exact() bool {
	n, all := 0, v.Is.Growth.Exact
	for _, z := range all {
		if math.Abs(z) <= record.Largest {
			n++
		}
	}
	return n > 0 && 2*n >= len(all)
}

// errors is the strip that magnifies log Z: against the exact curve, or the
// islands against their mean. There may be nothing to compare.
func (v *forming) errors() strip {
	s := strip{name: "Error", sub: "nats, with band", share: 0.17, least: 28, rank: 4}
	known := v.exact()
	if !known {
		s.name, s.sub = "Spread", "islands, from their mean"
	}
	if known || len(v.among) > 1 {
		s.draw = func(s *strip, l *paint.Layer) { v.deviations(s, l, known) }
	}
	return s
}

// deviations draws how far log Z of the islands is from the exact value, or from their mean.
func (v *forming) deviations(s *strip, l *paint.Layer, known bool) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	rec := v.Is.Growth.Record
	base, margin, far := v.compared(known)
	step := format.Step(max(far, 1e-6)*1.02, 3)
	reach := math.Ceil(max(far, 1e-6)*1.02/step*2) * step / 2
	ax := paint.NewAxis(-reach, reach, s.y1, s.y0)
	zero := math.Round(ax.At(0))

	// The scale: zero in the middle, the reach above and below it.
	name := a.Say("exact")
	if !known {
		name = "0"
	}
	v.scale(l, zero, name, known)
	for _, x := range [...]float64{reach, -reach} {
		sign := ""
		if x > 0 {
			sign = "+"
		}
		inward := min(4*u, max((s.y1-s.y0)/2-12*u, 0))
		v.scale(l, ax.At(x)+math.Copysign(inward, x), sign+format.Tick(x, step/2), false)
	}

	// The error bars of the islands' mean.
	if len(margin) > 1 {
		up, lo := make([]paint.Point, len(margin)), make([]paint.Point, len(margin))
		for i, m := range margin {
			up[i], lo[i] = paint.Pt(m.x, ax.At(m.high)), paint.Pt(m.x, ax.At(m.low))
		}
		l.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: lo,
			Color: paint.Fade(t.Method(v.p.Order(v.w.Method)), 1.4*t.BandAlpha)})
	}

	// The islands, the one on show in front.
	off := func(rec []frame.StageRecord) [][]paint.Point {
		return v.polyline(ax, len(rec), func(i int) (int, float64) {
			if n := rec[i].N; n < len(base) {
				return n + 1, rec[i].LogZ - base[n]
			}
			return 0, math.NaN()
		})
	}
	for _, is := range v.among {
		if is == v.Is {
			continue
		}
		for _, pts := range off(is.Growth.Record) {
			l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 0.75 * u * t.Stroke, Color: t.Line2})
		}
	}

	if known {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: v.X.P0, Y: zero}, {X: v.X.P1, Y: zero}},
			Width: 1.25 * u * t.Stroke, Color: t.Ink})
	} else {
		l.HLine(a, v.X.P0, v.X.P1, zero, t.Line2)
	}
	for _, pts := range off(rec) {
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: pts, Width: 1.75 * u * t.Stroke, Color: t.Method(v.p.Order(v.w.Method)),
			Halo: true})
	}
}

// errorBar is the range of one standard error about the mean of the islands.
type errorBar struct{ x, low, high float64 }

// compared is what log Z is compared with at each stage, the exact value or the mean of the
// islands (NaN where there is none), the error bars of the islands' mean off it, and the
// largest distance of any of them.
func (v *forming) compared(known bool) (base []float64, margin []errorBar, far float64) {
	rec := v.Is.Growth.Record
	base = make([]float64, v.Is.Growth.Stages+1)
	for n := range base {
		base[n] = math.NaN()
	}
	for i := range rec {
		if base[rec[i].N] = v.Is.Growth.ExactAt(rec[i].N + 1); !known {
			base[rec[i].N] = rec[i].LogZ
		}
	}

	// Error bars, around the exact values or around the mean of the islands.
	pool := v.pooled(base)
	for i := range rec {
		n := rec[i].N
		c := pool[n]
		if !known { // from one island alone there is no distance
			base[n], c.mean = base[n]+c.mean, 0
			if c.n < 2 {
				base[n] = math.NaN()
			}
		}
		if c.n > 1 && num.Finite(c.se) {
			far = max(far, math.Abs(c.mean)+c.se)
			margin = append(margin, errorBar{v.X.At(float64(n + 1)), c.mean - c.se, c.mean + c.se})
		}
	}

	// How far the farthest island is off.
	for _, is := range v.among {
		for i := range is.Growth.Record {
			if r := &is.Growth.Record[i]; r.N < len(base) && math.Abs(r.LogZ-base[r.N]) <= record.Largest {
				far = max(far, math.Abs(r.LogZ-base[r.N]))
			}
		}
	}
	return base, margin, far
}
