package papers

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"logzlab/core/num"
)

// Axes say how far the chart of log Z reaches from the reference, in nats, and a tenth
// of how far that of the errors does; points beyond are left out and counted.
type Axes struct {
	Reach float64
	First string // the series that has the first colour
	X     string // label of the horizontal axis; "": processor seconds of one estimate
	ESS   bool   // tables list effective sample sizes
	Needs bool   // tables list seconds to given errors
	RMSE  bool   // errors are root mean squares from what is known, not standard deviations
}

// error is what the right plot shows of a row.
func (a *Axes) error(r *Row) float64 {
	if a.RMSE {
		return r.RMS()
	}
	return r.SD
}

// mean is what the left plot shows of a row, with its standard error: beside root mean squares the mean of log Z.
func (a *Axes) mean(r *Row) (z, se float64) {
	if a.RMSE {
		return r.Mean, r.SD / math.Sqrt(float64(r.N))
	}
	return r.LogZ(), r.SE
}

// labels name the axes: horizontal, and vertical on the right.
func (a *Axes) labels() (x, y string) {
	x, y = cmp.Or(a.X, "processor seconds of one estimate"), "sd of log Z"
	if a.RMSE {
		y = "RMSE of log Z"
	}
	return x, y
}

const (
	ChartWidth  = 9.2 * vg.Inch
	chartHeight = 3.3 * vg.Inch // of a panel
	legendRoom  = .36 * vg.Inch // of its first line
)

// Lines draws each panel as the paper does: on the left the estimate of log Z with
// its error, on the right the error of one estimate of log Z, both against time or what else its axes say.
func Lines(rows []Row, e *Experiment) ([]byte, string, error) {
	all := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Reference })
	if len(all) == 0 {
		return nil, ".svg", nil
	}
	order := Distinct(all, func(r *Row) string { return r.Series })
	if i := slices.Index(order, e.Axes.First); i > 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, e.Axes.First)
	}
	var grid [][]*plot.Plot
	x, y := e.Axes.labels()
	for _, panel := range Panels(all) {
		left, right := NewPlot(panel, x, "log Z"), NewPlot(panel, x, y)
		right.Y.Scale, right.Y.Tick.Marker = plot.LogScale{}, Decades{}

		// The lines of a panel.
		off, wide := 0, 0
		for _, s := range order {
			at := slices.Index(order, s)
			n, m, err := addLine(left, right, Series(all, panel, s), &e.Axes, at)
			if err != nil {
				return nil, ".svg", err
			}
			off, wide = off+n, wide+m
		}

		// Levels: the known log Z, and log Z by EP.
		if ref := KnownRow(all, panel); ref != nil {
			var dashes []vg.Length
			if ref.EP != 0 {
				AddLevel(left, ref.EP, Ink, []vg.Length{vg.Points(2), vg.Points(3)})
			}
			if ref.Corrected != 0 { // solid, as the ARM paper draws it
				AddLevel(left, ref.Corrected, Ink, nil)
				dashes = []vg.Length{vg.Points(7), vg.Points(4)}
			}
			AddLevel(left, ref.Known, Ink, dashes)
		}

		// Rows left out, and one axis of time for both plots.
		leftOut(left, off, e.Axes.Reach)
		leftOut(right, wide, 10*e.Axes.Reach)
		WidenAxes(left)
		WidenAxes(right)
		left.X.Min, left.X.Max = min(left.X.Min, right.X.Min), max(left.X.Max, right.X.Max)
		right.X.Min, right.X.Max = left.X.Min, left.X.Max
		grid = append(grid, []*plot.Plot{left, right})
	}
	return Render(grid, order)
}

// Pairs draws panels two in a row, with a line for each series; draw adds that of some rows.
func Pairs(rows []Row, name func() *plot.Plot, add func(p *plot.Plot, rows []Row, at int) error) ([]byte, string,
	error) {
	order := Distinct(rows, func(r *Row) string { return r.Series })
	var grid [][]*plot.Plot
	for i, panel := range Panels(rows) {
		p := name()
		p.Title.Text = panel
		for k, s := range order {
			if line := Series(rows, panel, s); len(line) > 0 {
				if err := add(p, line, k); err != nil {
					return nil, ".svg", err
				}
			}
		}
		if i%2 == 0 {
			grid = append(grid, nil)
		}
		grid[len(grid)-1] = append(grid[len(grid)-1], p)
	}
	if len(grid) == 0 {
		return nil, ".svg", nil
	}
	if last := len(grid) - 1; len(grid[last]) == 1 {
		blank := blankPlot()
		blank.BackgroundColor = nil
		blank.HideAxes()
		grid[last] = append(grid[last], blank)
	}
	return Render(grid, order)
}

// Render draws rows of two plots under a legend, as an SVG.
func Render(grid [][]*plot.Plot, order []string) ([]byte, string, error) {
	at := layOut(order)
	room := legendRoom + at[len(at)-1].Y
	canvas := vgsvg.New(ChartWidth, chartHeight*vg.Length(len(grid))+room)
	whole := draw.New(canvas)
	legend(whole, order, at)
	tiles := draw.Tiles{Rows: len(grid), Cols: 2, PadX: vg.Points(18), PadY: vg.Points(14), PadTop: vg.Points(4),
		PadBottom: vg.Points(4), PadLeft: vg.Points(4), PadRight: vg.Points(10)}
	for i, row := range plot.Align(grid, tiles, draw.Crop(whole, 0, 0, 0, -room)) {
		for k, c := range row {
			grid[i][k].Draw(c)
		}
	}
	var b bytes.Buffer
	_, err := canvas.WriteTo(&b)
	return Themed(b.Bytes()), ".svg", err
}

// KnownRow is a row of the panel with something to compare with.
func KnownRow(rows []Row, panel string) *Row {
	for i := range rows {
		if r := &rows[i]; r.Panel == panel && num.Finite(r.Known) {
			return r
		}
	}
	return nil
}

// leftOut says how many points are not on the plot.
func leftOut(p *plot.Plot, n int, limit float64) {
	if n > 0 {
		p.Title.Text += fmt.Sprintf(" (%d beyond %g nats left out)", n, limit)
	}
}

// addLine draws the rows of a line and counts those that are too far off, and those
// whose estimates scatter too widely.
func addLine(left, right *plot.Plot, rows []Row, a *Axes, at int) (off, wide int, err error) {
	style := draw.GlyphStyle{Color: Palette[at%len(Palette)], Radius: vg.Points(3.2), Shape: Glyphs[at%len(Glyphs)]}
	put := func(p *plot.Plot, xy plotter.XYs) error {
		if len(xy) == 0 {
			return nil
		}
		l, s, err := plotter.NewLinePoints(xy)
		if err != nil {
			return err
		}
		l.LineStyle = draw.LineStyle{Color: style.Color, Width: vg.Points(1.3)}
		s.GlyphStyle = style
		p.Add(l, s)
		return nil
	}

	// The points of the line; rows too far off are only counted.
	var mean, spread plotter.XYs
	bars := struct {
		plotter.XYs
		plotter.YErrors
	}{}
	for i := range rows {
		r := &rows[i]
		z, se := a.mean(r)
		if !(r.cost() > 0) || !num.Finite(z) {
			continue
		}
		if e := a.error(r); e > 10*a.Reach {
			wide++
		} else if e > 0 {
			spread = append(spread, plotter.XY{X: r.cost(), Y: e})
		}
		if math.Abs(z-r.Known) > a.Reach {
			off++
			continue
		}
		mean = append(mean, plotter.XY{X: r.cost(), Y: z})
		if se < a.Reach {
			bars.XYs = append(bars.XYs, plotter.XY{X: r.cost(), Y: z})
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{se, se})
		}
	}

	// Error bars on the left, then lines on both sides.
	if len(bars.XYs) > 0 {
		e, err := plotter.NewYErrorBars(bars)
		if err != nil {
			return off, wide, err
		}
		e.LineStyle = draw.LineStyle{Color: style.Color, Width: vg.Points(.8)}
		left.Add(e)
	}
	if err := put(left, mean); err != nil {
		return off, wide, err
	}
	return off, wide, put(right, spread)
}

// layOut places the names of a legend, from its left upper corner to the right and down.
func layOut(order []string) []vg.Point {
	const margin = 12
	at := make([]vg.Point, max(1, len(order)))
	var next vg.Point
	for i, s := range order {
		wide := legendStyle().Width(s) + vg.Points(30)
		if next.X+wide > ChartWidth-margin {
			next = vg.Point{Y: next.Y + vg.Points(16)}
		}
		at[i] = vg.Point{X: next.X + margin, Y: next.Y}
		next.X += wide
	}
	return at
}

// legend names the lines across the top.
func legend(c draw.Canvas, order []string, at []vg.Point) {
	style := legendStyle()
	for i, s := range order {
		x, y := c.Min.X+at[i].X, c.Max.Y-vg.Points(14)-at[i].Y
		c.DrawGlyph(draw.GlyphStyle{Color: Palette[i%len(Palette)], Radius: vg.Points(3.6), Shape: Glyphs[i%len(Glyphs)]},
			vg.Point{X: x, Y: y})
		c.FillText(style, vg.Point{X: x + vg.Points(8), Y: y - vg.Points(3.5)}, s)
	}
}

func legendStyle() text.Style {
	style := blankPlot().Legend.TextStyle
	style.Font.Size, style.Color = vg.Points(10), Ink
	return style
}

// Themed makes the drawing follow the reader's light or dark, and takes the fonts at
// hand where Liberation is not.
func Themed(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	head := bytes.Index(svg, []byte("<svg"))
	end := head + bytes.IndexByte(svg[head:], '>') + 1
	const dark = `<style>@media (prefers-color-scheme: dark) { [style*="fill:#14181D"] { fill: #eceff2 !important; } ` +
		`[style*="stroke:#14181D"] { stroke: #eceff2 !important; } }</style>`
	return slices.Concat(svg[:end], []byte("\n"+dark), svg[end:])
}
