package costs

import (
	"cmp"
	"math"
	"slices"

	"logzlab/estimators/papers"
	"logzlab/render/chart"
	"logzlab/render/paint"
)

// dots are what a chart shows of each row: a size, which goes with the error of log Z to the power of power, and
// another one as a ring, if ring is set.
type dots struct {
	axis  string
	size  func(*papers.Row) float64
	ring  func(*papers.Row) float64
	power float64
}

// needs are processor seconds to an error of 0.1 nat, and to 0.05.
func needs(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	return dots{axis: "processor seconds to an error of 0.1 nat (dots), 0.05 nat (rings)", power: 2,
		size: func(r *papers.Row) float64 { return r.Need(.1) },
		ring: func(r *papers.Row) float64 { return r.Need(.05) }}.chart(rows)
}

// errors are those of log Z.
func errors(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	return dots{axis: "root mean squared error of log Z, nats", size: (*papers.Row).RMS, power: 1}.chart(rows)
}

// chart draws a row for each line of a panel, the smallest on top, with two standard errors.
func (d dots) chart(rows []papers.Row) ([]byte, string, error) {
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

// draw adds sizes with their intervals, and rings for second numbers.
func (d dots) draw(c *chart.Chart, t *paint.Theme, list []papers.Row) {
	var sizes, rings, at, lo, hi []float64
	for i := range list {
		r := &list[i]
		x := d.size(r)
		_, v := papers.ByRMS(r)
		wide := d.power * papers.Sigmas * math.Sqrt(v) // of the log of the size
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
