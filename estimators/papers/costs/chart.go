package costs

import (
	"bytes"
	"cmp"
	"logzlab/estimators/papers"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"math"
)

// needs draws a row for each method of a panel, the fastest first: processor seconds to an error of 0.1 nat, with two
// standard errors, and to 0.05.
func needs(rows []papers.Row, _ *papers.Experiment) ([]byte, string, error) {
	const line, frame = 14, 62 // points of a row, and of the title and axis of a panel
	var grid [][]*plot.Plot
	high := vg.Points(4)
	var heights []vg.Length
	for _, panel := range papers.Panels(rows) {
		list := slices.DeleteFunc(slices.Clone(rows), func(r papers.Row) bool {
			return r.Panel != panel || r.Reference || !(r.Need(.1) > 0)
		})
		if len(list) == 0 {
			continue
		}
		slices.SortStableFunc(list, func(a, b papers.Row) int { return cmp.Compare(b.Need(.1), a.Need(.1)) })
		p, err := needPlot(panel, list)
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

func needPlot(panel string, list []papers.Row) (*plot.Plot, error) {
	p := papers.NewPlot(panel, "processor seconds to an error of 0.1 nat (dots), 0.05 nat (rings)", "")
	var names []string
	tenth, twentieth := make(plotter.XYs, len(list)), make(plotter.XYs, len(list))
	bars := struct {
		plotter.XYs
		plotter.XErrors
	}{tenth, make(plotter.XErrors, len(list))}
	for i := range list {
		r := &list[i]
		names = append(names, r.Series)
		x := r.Need(.1)
		tenth[i] = plotter.XY{X: x, Y: float64(i)}
		twentieth[i] = plotter.XY{X: r.Need(.05), Y: float64(i)}
		_, v := papers.ByRMS(r)
		wide := 2 * papers.Sigmas * math.Sqrt(v) // of the log of the time
		bars.XErrors[i].Low, bars.XErrors[i].High = x-x*math.Exp(-wide), x*math.Exp(wide)-x
	}
	e, err := plotter.NewXErrorBars(bars)
	if err != nil {
		return nil, err
	}
	e.LineStyle = draw.LineStyle{Color: papers.Palette[1], Width: vg.Points(1)}
	p.Add(e)
	for k, at := range []plotter.XYs{tenth, twentieth} {
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
	p.NominalY(names...)
	papers.Settle(p)
	p.Y.Min, p.Y.Max = -.7, float64(len(list))-.3
	p.Y.Tick.Label.Color, p.Y.Tick.LineStyle.Width, p.Y.LineStyle.Width = papers.Ink, 0, 0
	return p, nil
}
