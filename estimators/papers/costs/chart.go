package costs

import (
	"bytes"
	"cmp"
	"slices"

	"logzlab/estimators/papers"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"math"
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
	const line, frame = 14, 62 // points of a row, and of the title and axis of a panel

	// A plot for each panel, as high as its rows need.
	var grid [][]*plot.Plot
	high := vg.Points(4)
	var heights []vg.Length
	for _, panel := range papers.Panels(rows) {
		list := slices.DeleteFunc(slices.Clone(rows), func(r papers.Row) bool {
			return r.Panel != panel || r.Reference || !(d.size(&r) > 0)
		})
		if len(list) == 0 {
			continue
		}
		slices.SortStableFunc(list, func(a, b papers.Row) int { return cmp.Compare(d.size(&b), d.size(&a)) })
		p, err := d.plot(panel, list)
		if err != nil {
			return nil, ".svg", err
		}
		grid = append(grid, []*plot.Plot{p})
		heights = append(heights, vg.Points(float64(frame+line*len(list))))
		high += heights[len(heights)-1]
	}
	if len(grid) == 0 {
		return nil, ".svg", nil
	}

	// The plots below each other.
	canvas := vgsvg.New(papers.ChartWidth, high)
	whole := draw.New(canvas)
	tiles := draw.Tiles{Rows: len(grid), Cols: 1, PadLeft: vg.Points(4), PadRight: vg.Points(10)}
	top := whole.Max.Y
	for i, row := range plot.Align(grid, tiles, whole) {
		c := row[0] // aligned left and right; each panel is as high as its methods need
		c.Max.Y, c.Min.Y = top, top-heights[i]
		top -= heights[i]
		grid[i][0].Draw(c)
	}
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return papers.Themed(b.Bytes()), ".svg", err
}

func (d dots) plot(panel string, list []papers.Row) (*plot.Plot, error) {
	p := papers.NewPlot(panel, d.axis, "")
	var names []string
	sizes, rings := make(plotter.XYs, len(list)), make(plotter.XYs, 0, len(list))
	bars := struct {
		plotter.XYs
		plotter.XErrors
	}{sizes, make(plotter.XErrors, len(list))}

	// Sizes with bars, and rings for second numbers.
	for i := range list {
		r := &list[i]
		names = append(names, r.Series)
		x := d.size(r)
		sizes[i] = plotter.XY{X: x, Y: float64(i)}
		if d.ring != nil {
			rings = append(rings, plotter.XY{X: d.ring(r), Y: float64(i)})
		}
		_, v := papers.ByRMS(r)
		wide := d.power * papers.Sigmas * math.Sqrt(v) // of the log of the size
		bars.XErrors[i].Low, bars.XErrors[i].High = x-x*math.Exp(-wide), x*math.Exp(wide)-x
	}

	// Bars, then dots and rings.
	e, err := plotter.NewXErrorBars(bars)
	if err != nil {
		return nil, err
	}
	e.LineStyle = draw.LineStyle{Color: papers.Palette[1], Width: vg.Points(1)}
	p.Add(e)
	for k, at := range []plotter.XYs{sizes, rings} {
		if len(at) == 0 {
			continue
		}
		s, err := plotter.NewScatter(at)
		if err != nil {
			return nil, err
		}
		s.GlyphStyle = draw.GlyphStyle{Color: papers.Palette[1], Radius: vg.Points(3.4), Shape: draw.CircleGlyph{}}
		if k == 1 {
			s.Shape = draw.RingGlyph{}
		}
		p.Add(s)
	}

	// Names in place of the vertical axis.
	p.NominalY(names...)
	papers.WidenAxes(p)
	p.Y.Min, p.Y.Max = -.7, float64(len(list))-.3
	p.Y.Tick.Label.Color, p.Y.Tick.LineStyle.Width, p.Y.LineStyle.Width = papers.Ink, 0, 0
	return p, nil
}
