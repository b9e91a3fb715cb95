package view

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/estimators/report"
	"logzlab/render/chart"
	"logzlab/render/html"
	"logzlab/render/paint"
	"logzlab/wasm/page/state"
)

// Heights in the unit of the drawing: of one method in the forest plot, of the margins of the forest plot together, and
// of the trace (log Z against work).
const (
	forestLineHeight = 46
	forestMargins    = 130
	traceHeight      = 460
)

// chart returns the experiment as a drawing: a forest plot of the methods with error bars, sandwiches and exact value,
// and, if there are several estimates over time, log Z against work.
func (p *page) chart() string {
	return p.svgDrawing("", func(d *drawing) {
		p.cardHead(d)
		p.cardResults(d)
		if a, ok := forestAxis(p.Reports); ok {
			p.forestChart(d, a)
		}
		p.traceChart(d)
		p.cardFoot(d)
	})
}

// panel returns a chart of the full width, below the content drawn so far.
func (d *drawing) panel(height float64, title string, x, y chart.Axis) *chart.Chart {
	d.y += 48
	c := chart.New(d.a, paint.XYWH(drawingMargin, d.y, drawingWidth-2*drawingMargin, height), x, y)
	c.Title, c.Key = title, chart.KeyNone
	d.y += height
	return c
}

// withTicks returns the axis a with ticks at the given values. Labels have this number of decimals.
func (p *page) withTicks(a chart.Axis, values []float64, digits int) chart.Axis {
	a.Ticks, a.Label = values, func(x float64) string { return p.Num(format.Fixed(x, digits)) }
	return a
}

// forestChart draws the forest plot: one line for each method.
func (p *page) forestChart(d *drawing, a html.Axis) {
	title, note := p.forestTitle()
	var names []string
	for _, r := range p.Reports {
		names = append(names, state.Label(r.Method))
	}
	x := p.withTicks(chart.Axis{Lo: a.Lo, Hi: a.Hi, Title: p.w.T("kept.axis")}, a.Ticks, a.Digits)
	c := d.panel(forestMargins+forestLineHeight*float64(len(names)), title, x, chart.Axis{Names: names})
	t, u := d.a.Theme, d.a.Unit
	if r := p.Reports[0].Truth; r != nil {
		c.LevelX(float64(r.LogZ), p.w.T("exact.is", p.Num(format.Fixed(float64(r.LogZ), 2))), chart.Style{})
	}

	// The methods: sandwich, error bar and mark. A value beyond the axis is an arrow at its end.
	for i, r := range p.Reports {
		if !report.IsNumber(r.LogZ) {
			continue
		}
		row, z, se := []float64{float64(i)}, float64(r.LogZ), float64(r.SE)
		if lo, hi := float64(r.Lower), float64(r.Upper); hi-lo >= 0 {
			c.Line([]float64{lo, hi}, []float64{float64(i), float64(i)}, chart.Style{Color: t.Line2, Width: .75,
				Dash: [2]float64{1.5, 2}})
			c.Draw(func(l *paint.Layer) {
				for _, x := range []float64{lo, hi} {
					q := c.At(x, float64(i))
					l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(q.X-1, q.Y-11, 2, 22), Color: t.Ink})
				}
			})
		}
		s := chart.Method(t, i, "")
		s.Width, s.R = 2, 4.5
		if z < a.Lo || z > a.Hi {
			c.Draw(func(l *paint.Layer) {
				q, arrowLength := c.At(min(max(z, a.Lo), a.Hi), float64(i)), 8*u
				if z < a.Lo {
					arrowLength = -arrowLength
				}
				l.Add(paint.Mark{Kind: paint.Band, Color: s.Color, Pts: []paint.Point{{X: q.X - arrowLength, Y: q.Y - 5*u}, q},
					Lower: []paint.Point{{X: q.X - arrowLength, Y: q.Y + 5*u}, q}})
			})
			continue
		}
		if se >= 0 {
			c.ErrorsX(row, []float64{z - se}, []float64{z + se}, s)
		}
		c.Dots([]float64{z}, row, s)
	}
	d.layers = append(d.layers, c.Layers()...)
	if note != "" {
		d.lines(paint.Tick, t.Ink3, note)
	}
}

// traceRange returns the ranges of work and log Z that the trace covers. The range of log Z covers the second half of
// the estimates with their error bars, and the exact value, because early estimates are far off. many is false if no
// method has more than one estimate.
func (p *page) traceRange() (work, lo, hi float64, hasTrace bool) {
	lo, hi = math.Inf(1), math.Inf(-1)
	cover := func(x float64) {
		if num.Finite(x) {
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	for _, r := range p.Reports {
		points := p.Points[r.Method]
		hasTrace = hasTrace || len(points) > 1
		for i, q := range points {
			work = max(work, q.Sweeps)
			if 2*i >= len(points)-1 {
				cover(q.LogZ)
				cover(q.LogZ - 2*q.SE)
				cover(q.LogZ + 2*q.SE)
			}
		}
		if r.Truth != nil {
			cover(float64(r.Truth.LogZ))
		}
	}
	pad := max(.06*(hi-lo), 1e-6)
	return work, lo - pad, hi + pad, hasTrace && hi >= lo
}

// traceChart draws log Z against work: for each method a line, and a band of one error bar.
func (p *page) traceChart(d *drawing) {
	work, lo, hi, ok := p.traceRange()
	if !ok {
		return
	}
	ticks, step := format.Ticks(lo, hi, 6)
	y := p.withTicks(chart.Axis{Lo: lo, Hi: hi, Title: p.w.T("kept.axis")}, ticks, format.StepDecimals(step))
	x := chart.Axis{Lo: 0, Hi: 1.02 * work, Title: p.w.T("kept.work"), Label: func(w float64) string {
		return p.Num(format.SI(w, 2))
	}}
	c := d.panel(traceHeight, p.w.T("kept.trace"), x, y)

	// The exact value and a curve for each method.
	t := d.a.Theme
	if r := p.Reports[0].Truth; r != nil {
		c.Level(float64(r.LogZ), "", chart.Style{})
	}
	for i, r := range p.Reports {
		var work, z, low, high []float64
		for _, q := range p.Points[r.Method] {
			work, z = append(work, q.Sweeps), append(z, q.LogZ)
			low, high = append(low, q.LogZ-q.SE), append(high, q.LogZ+q.SE)
		}
		if len(z) == 0 {
			continue
		}
		s := chart.Style{Color: t.Method(i), Width: 1.25, NoHalo: true}
		c.Band(work, low, high, s)
		c.Line(work, z, s)
		last := len(z) - 1
		c.Dots(work[last:], z[last:], chart.Method(t, i, ""))
	}
	d.layers = append(d.layers, c.Layers()...)
}
