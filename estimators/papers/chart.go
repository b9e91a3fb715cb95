package papers

import (
	"bytes"
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"logzlab/core/num"
)

// axes say how far the chart of log Z reaches from the reference, in nats, and a tenth
// of how far that of the errors does; points beyond are left out and counted.
type axes struct {
	reach float64
	first string // the series that has the first colour
	x     string // label of the horizontal axis; "": processor seconds of one estimate
	ess   bool   // tables list effective sample sizes
	needs bool   // tables list seconds to given errors
	rmse  bool   // errors are root mean squares from what is known, not standard deviations
}

// error is what the right plot shows of a row.
func (a *axes) error(r *Row) float64 {
	if a.rmse {
		return r.RMS()
	}
	return r.SD
}

// mean is what the left plot shows of a row, with its standard error: beside root mean squares the mean of log Z.
func (a *axes) mean(r *Row) (z, se float64) {
	if a.rmse {
		return r.Mean, r.SD / math.Sqrt(float64(r.N))
	}
	return r.LogZ(), r.SE
}

// labels name the axes: horizontal, and vertical on the right.
func (a *axes) labels() (x, y string) {
	x, y = cmp.Or(a.x, "processor seconds of one estimate"), "sd of log Z"
	if a.rmse {
		y = "RMSE of log Z"
	}
	return x, y
}

// ink is the colour of everything that is neither white nor a line of its own; the
// chart turns it over in the dark.
var ink = color.RGBA{0x14, 0x18, 0x1d, 255}

// Lines keep colour and mark from panel to panel; both tell them apart.
var (
	palette = []color.RGBA{{0xc4, 0x68, 0x0c, 255}, {0x1f, 0x74, 0xd4, 255}, {0x1b, 0x8a, 0x63, 255},
		{0xb0, 0x3a, 0x8a, 255},
		{0xc7, 0x3b, 0x3b, 255}, {0x7a, 0x62, 0xd0, 255}, {0x7d, 0x83, 0x8a, 255}, {0x0b, 0x8f, 0xa3, 255},
		{0x8a, 0x6d, 0x1f, 255}}
	glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
		draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}}
)

const (
	chartWidth  = 9.2 * vg.Inch
	chartHeight = 3.3 * vg.Inch // of a panel
	legendRoom  = .36 * vg.Inch // of its first line
)

// blankPlot is a plot in the typeface of all charts.
func blankPlot() *plot.Plot {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	return plot.New()
}

// lines draws each panel as the paper does: on the left the estimate of log Z with
// its error, on the right the error of one estimate of log Z, both against time or what else its axes say.
func lines(rows []Row, e *Experiment) ([]byte, string, error) {
	all := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Reference })
	if len(all) == 0 {
		return nil, ".svg", nil
	}
	order := names(all, func(r *Row) string { return r.Series })
	if i := slices.Index(order, e.axes.first); i > 0 {
		order = slices.Insert(slices.Delete(order, i, i+1), 0, e.axes.first)
	}
	var grid [][]*plot.Plot
	x, y := e.axes.labels()
	for _, panel := range panels(all) {
		left, right := newPlot(panel, x, "log Z"), newPlot(panel, x, y)
		right.Y.Scale, right.Y.Tick.Marker = plot.LogScale{}, decades{}
		off, wide := 0, 0
		for _, s := range order {
			at := slices.Index(order, s)
			n, m, err := addLine(left, right, series(all, panel, s), &e.axes, at)
			if err != nil {
				return nil, ".svg", err
			}
			off, wide = off+n, wide+m
		}
		if ref := known(all, panel); ref != nil {
			addLevel(left, ref.Known, ink, nil)
			if ref.EP != 0 {
				addLevel(left, ref.EP, ink, []vg.Length{vg.Points(2), vg.Points(3)})
			}
		}
		leftOut(left, off, e.axes.reach)
		leftOut(right, wide, 10*e.axes.reach)
		settle(left)
		settle(right)
		left.X.Min, left.X.Max = min(left.X.Min, right.X.Min), max(left.X.Max, right.X.Max)
		right.X.Min, right.X.Max = left.X.Min, left.X.Max
		grid = append(grid, []*plot.Plot{left, right})
	}
	return render(grid, order)
}

// render draws rows of two plots under a legend, as an SVG.
func render(grid [][]*plot.Plot, order []string) ([]byte, string, error) {
	at := layOut(order)
	room := legendRoom + at[len(at)-1].Y
	canvas := vgsvg.New(chartWidth, chartHeight*vg.Length(len(grid))+room)
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
	return themed(b.Bytes()), ".svg", err
}

// known is a row of the panel with something to compare with.
func known(rows []Row, panel string) *Row {
	for i := range rows {
		if r := &rows[i]; r.Panel == panel && num.Finite(r.Known) {
			return r
		}
	}
	return nil
}

func newPlot(title, x, y string) *plot.Plot {
	p := blankPlot()
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, decades{}
	p.Y.Tick.Marker = even{}
	p.Title.TextStyle.Font.Size, p.Title.TextStyle.Color = vg.Points(11), ink
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Size, a.Tick.Label.Font.Size = vg.Points(10), vg.Points(9)
		a.Label.TextStyle.Color, a.Tick.Label.Color, a.LineStyle.Color, a.Tick.LineStyle.Color = ink, ink, ink, ink
	}
	return p
}

// leftOut says how many points are not on the plot.
func leftOut(p *plot.Plot, n int, limit float64) {
	if n > 0 {
		p.Title.Text += fmt.Sprintf(" (%d beyond %g nats left out)", n, limit)
	}
}

// addLine draws the rows of a line and counts those that are too far off, and those
// whose estimates scatter too widely.
func addLine(left, right *plot.Plot, rows []Row, a *axes, at int) (off, wide int, err error) {
	style := draw.GlyphStyle{Color: palette[at%len(palette)], Radius: vg.Points(3.2), Shape: glyphs[at%len(glyphs)]}
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
		if e := a.error(r); e > 10*a.reach {
			wide++
		} else if e > 0 {
			spread = append(spread, plotter.XY{X: r.cost(), Y: e})
		}
		if math.Abs(z-r.Known) > a.reach {
			off++
			continue
		}
		mean = append(mean, plotter.XY{X: r.cost(), Y: z})
		if se < a.reach {
			bars.XYs = append(bars.XYs, plotter.XY{X: r.cost(), Y: z})
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{se, se})
		}
	}
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

// addLevel draws a horizontal line through the plot.
func addLevel(p *plot.Plot, y float64, c color.Color, dashes []vg.Length) {
	f := plotter.NewFunction(func(float64) float64 { return y })
	f.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(.8), Dashes: dashes}
	f.Samples = 2
	p.Add(f)
	p.Y.Min, p.Y.Max = min(p.Y.Min, y), max(p.Y.Max, y)
}

// settle gives an axis a range even where there is little to show, and some room.
func settle(p *plot.Plot) {
	if !(p.X.Min > 0 && p.X.Max < math.Inf(1)) {
		p.X.Min, p.X.Max = .1, 10
	}
	p.X.Min, p.X.Max = p.X.Min/1.4, p.X.Max*1.4
	if _, log := p.Y.Scale.(plot.LogScale); log {
		if !(p.Y.Min > 0 && p.Y.Max < math.Inf(1)) {
			p.Y.Min, p.Y.Max = .1, 1
		}
		p.Y.Min, p.Y.Max = p.Y.Min/1.3, p.Y.Max*1.3
		return
	}
	if !(p.Y.Min > math.Inf(-1) && p.Y.Max < math.Inf(1)) {
		p.Y.Min, p.Y.Max = 0, 1
	}
	room := max(.06*(p.Y.Max-p.Y.Min), .01)
	p.Y.Min, p.Y.Max = p.Y.Min-room, p.Y.Max+room
}

// even ticks have labels with as many digits as they need, and no exponents.
type even struct{}

func (even) Ticks(lo, hi float64) []plot.Tick {
	out := plot.DefaultTicks{}.Ticks(lo, hi)
	for i := range out {
		if out[i].Label != "" {
			out[i].Label = written(out[i].Value)
		}
	}
	return out
}

// written is x without an exponent and without the traces of rounding.
func written(x float64) string { return strconv.FormatFloat(math.Round(x*1e9)/1e9, 'f', -1, 64) }

// decades labels 1, 2 and 5 of each power of ten, more or fewer on a short or long axis.
type decades struct{}

func (decades) Ticks(lo, hi float64) (out []plot.Tick) {
	marks := []float64{1, 2, 5}
	switch {
	case hi/lo > 100:
		marks = marks[:1]
	case hi/lo < 6:
		marks = []float64{1, 2, 3, 4, 5, 7}
	}
	for k := math.Floor(math.Log10(lo)); k <= math.Log10(hi); k++ {
		for m := 1.0; m < 10; m++ {
			x := m * math.Pow(10, k)
			if x < lo || x > hi {
				continue
			}
			t := plot.Tick{Value: x}
			if slices.Contains(marks, m) {
				t.Label = written(x)
			}
			out = append(out, t)
		}
	}
	return out
}

// layOut places the names of a legend, from its left upper corner to the right and down.
func layOut(order []string) []vg.Point {
	const margin = 12
	at := make([]vg.Point, max(1, len(order)))
	var next vg.Point
	for i, s := range order {
		wide := legendStyle().Width(s) + vg.Points(30)
		if next.X+wide > chartWidth-margin {
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
		c.DrawGlyph(draw.GlyphStyle{Color: palette[i%len(palette)], Radius: vg.Points(3.6), Shape: glyphs[i%len(glyphs)]},
			vg.Point{X: x, Y: y})
		c.FillText(style, vg.Point{X: x + vg.Points(8), Y: y - vg.Points(3.5)}, s)
	}
}

func legendStyle() text.Style {
	style := blankPlot().Legend.TextStyle
	style.Font.Size, style.Color = vg.Points(10), ink
	return style
}

// themed makes the drawing follow the reader's light or dark, and takes the fonts at
// hand where Liberation is not.
func themed(svg []byte) []byte {
	svg = bytes.ReplaceAll(svg, []byte("font-family:Liberation Sans"),
		[]byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif"))
	head := bytes.Index(svg, []byte("<svg"))
	end := head + bytes.IndexByte(svg[head:], '>') + 1
	const dark = `<style>@media (prefers-color-scheme: dark) { [style*="fill:#14181D"] { fill: #eceff2 !important; } ` +
		`[style*="stroke:#14181D"] { stroke: #eceff2 !important; } }</style>`
	return slices.Concat(svg[:end], []byte("\n"+dark), svg[end:])
}
