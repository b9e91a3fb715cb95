package costs

import (
	"cmp"
	"math"
	"slices"

	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// dotChart is a chart with a line for each series: a dot at size and, if ring is set, a circle at ring.
type dotChart struct {
	axis  string                    // title of the horizontal axis
	size  func(*papers.Row) float64 // proportional to the error of log Z raised to power
	ring  func(*papers.Row) float64
	power float64
}

// timeChart plots the processor seconds to errors of 0.1 and 0.05 nats.
func timeChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	return dotChart{axis: "processor seconds to an error of 0.1 nat (dots), 0.05 nat (rings)", power: 2,
		size: func(r *papers.Row) float64 { return r.SecondsTo(.1) },
		ring: func(r *papers.Row) float64 { return r.SecondsTo(.05) }}.chart(rows)
}

// errorChart plots the errors of log Z.
func errorChart(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	return dotChart{axis: "root mean squared error of log Z, nats", size: (*papers.Row).RMS, power: 1}.chart(rows)
}

// chart draws the panels, with the series sorted by size, the smallest on top, and error bars of two standard errors.
func (d dotChart) chart(rows []papers.Row) ([]byte, string, error) {
	const line, frame = 20, 68 // pixels of a row, and of the title and axis of a panel
	var panels []papers.Panel
	for _, panel := range papers.Panels(rows) {
		shown := slices.DeleteFunc(slices.Clone(rows), func(r papers.Row) bool {
			return r.Panel != panel || r.Reference || !(d.size(&r) > 0)
		})
		if len(shown) == 0 {
			continue
		}
		slices.SortStableFunc(shown, func(a, b papers.Row) int { return cmp.Compare(d.size(&a), d.size(&b)) })
		var names []string
		for _, r := range shown {
			names = append(names, r.Series)
		}
		panels = append(panels, papers.Panel{Title: panel, Height: float64(frame + line*len(shown)),
			X: chart.Axis{Log: true, Title: d.axis}, Y: chart.Axis{Names: names},
			Draw: func(c *chart.Chart, t *paint.Theme) { d.draw(c, t, shown) }})
	}
	return papers.Figure(panels, 1, nil)
}

// draw adds the dots with error bars and the circles to a chart.
func (d dotChart) draw(c *chart.Chart, t *paint.Theme, shown []papers.Row) {
	var sizes, rings, positions, lo, hi []float64
	for i := range shown {
		r := &shown[i]
		x := d.size(r)
		_, v := papers.ByRMS(r)
		halfWidth := d.power * papers.Sigmas * math.Sqrt(v) // half the length of the error bar, in the log of the size
		positions, sizes = append(positions, float64(i)), append(sizes, x)
		lo, hi = append(lo, x*math.Exp(-halfWidth)), append(hi, x*math.Exp(halfWidth))
		if d.ring != nil {
			rings = append(rings, d.ring(r))
		}
	}
	s := chart.Style{Color: t.Methods[0], R: 4}
	c.ErrorsX(positions, lo, hi, s)
	c.Dots(sizes, positions, s)
	s.Hollow = true
	c.Dots(rings, positions[:len(rings)], s)
}
