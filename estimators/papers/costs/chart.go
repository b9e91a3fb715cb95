package costs

import (
	"cmp"
	"math"
	"slices"

	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// dotChart is a chart with a row for each series: a dot at size, which is proportional to the error of log Z raised to
// power, and a circle at ring, if set.
type dotChart struct {
	axis  string
	size  func(*papers.Row) float64
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

// chart draws a row for each series of a panel, the smallest value on top, with error bars of two standard errors.
func (d dotChart) chart(rows []papers.Row) ([]byte, string, error) {
	const line, frame = 20, 68 // pixels of a row, and of the title and axis of a panel
	var panels []papers.Panel
	for _, panel := range papers.Panels(rows) {
		list := slices.DeleteFunc(slices.Clone(rows), func(r papers.Row) bool {
			return r.Panel != panel || r.Reference || !(d.size(&r) > 0)
		})
		if len(list) == 0 {
			continue
		}
		slices.SortStableFunc(list, func(a, b papers.Row) int { return cmp.Compare(d.size(&a), d.size(&b)) })
		var names []string
		for _, r := range list {
			names = append(names, r.Series)
		}
		panels = append(panels, papers.Panel{Title: panel, High: float64(frame + line*len(list)),
			X: chart.Axis{Log: true, Title: d.axis}, Y: chart.Axis{Names: names},
			Draw: func(c *chart.Chart, t *paint.Theme) { d.draw(c, t, list) }})
	}
	return papers.Figure(panels, 1, nil)
}

// draw adds dots with error bars, and circles.
func (d dotChart) draw(c *chart.Chart, t *paint.Theme, list []papers.Row) {
	var sizes, rings, at, lo, hi []float64
	for i := range list {
		r := &list[i]
		x := d.size(r)
		_, v := papers.ByRMS(r)
		wide := d.power * papers.Sigmas * math.Sqrt(v) // half width, of the log of the size
		at, sizes = append(at, float64(i)), append(sizes, x)
		lo, hi = append(lo, x*math.Exp(-wide)), append(hi, x*math.Exp(wide))
		if d.ring != nil {
			rings = append(rings, d.ring(r))
		}
	}
	s := chart.Style{Color: t.Methods[0], R: 4}
	c.ErrorsX(at, lo, hi, s)
	c.Dots(sizes, at, s)
	s.Hollow = true
	c.Dots(rings, at[:len(rings)], s)
}
