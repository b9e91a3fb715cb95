package papers

import (
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ink is the colour of everything that is neither white nor a line of its own; the
// chart turns it over in the dark.
var Ink = color.RGBA{0x14, 0x18, 0x1d, 255}

// Lines keep colour and mark from panel to panel; both tell them apart.
var (
	Palette = []color.RGBA{{0xc4, 0x68, 0x0c, 255}, {0x1f, 0x74, 0xd4, 255}, {0x1b, 0x8a, 0x63, 255},
		{0xb0, 0x3a, 0x8a, 255},
		{0xc7, 0x3b, 0x3b, 255}, {0x7a, 0x62, 0xd0, 255}, {0x7d, 0x83, 0x8a, 255}, {0x0b, 0x8f, 0xa3, 255},
		{0x8a, 0x6d, 0x1f, 255}}
	Glyphs = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
		draw.SquareGlyph{}, draw.TriangleGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}}
)

// blankPlot is a plot in the typeface of all charts.
func blankPlot() *plot.Plot {
	plot.DefaultFont = font.Font{Typeface: "Liberation", Variant: "Sans"}
	plotter.DefaultFont = plot.DefaultFont
	return plot.New()
}

// NewPlot is an empty plot with a logarithmic horizontal axis.
func NewPlot(title, x, y string) *plot.Plot {
	p := blankPlot()
	p.BackgroundColor = nil
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, Decades{}
	p.Y.Tick.Marker = Even{}
	p.Title.TextStyle.Font.Size, p.Title.TextStyle.Color = vg.Points(11), Ink
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font.Size, a.Tick.Label.Font.Size = vg.Points(10), vg.Points(9)
		a.Label.TextStyle.Color, a.Tick.Label.Color, a.LineStyle.Color, a.Tick.LineStyle.Color = Ink, Ink, Ink, Ink
	}
	return p
}

// AddLevel draws a horizontal line through the plot.
func AddLevel(p *plot.Plot, y float64, c color.Color, dashes []vg.Length) {
	f := plotter.NewFunction(func(float64) float64 { return y })
	f.LineStyle = draw.LineStyle{Color: c, Width: vg.Points(.8), Dashes: dashes}
	f.Samples = 2
	p.Add(f)
	p.Y.Min, p.Y.Max = min(p.Y.Min, y), max(p.Y.Max, y)
}

// WidenAxes gives an axis a range even where there is little to show, and some room.
func WidenAxes(p *plot.Plot) {
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

// Mark draws a line with a glyph, and its error where it has one, at about ten places.
func Mark(p *plot.Plot, x, y, se []float64, at int) error {
	var all, some plotter.XYs
	bars := struct {
		plotter.XYs
		plotter.YErrors
	}{}
	stride := max(1, len(x)/10)
	for i := range x {
		all = append(all, plotter.XY{X: x[i], Y: y[i]})
		if i%stride == 0 {
			some = append(some, all[i])
			bars.YErrors = append(bars.YErrors, struct{ Low, High float64 }{se[i], se[i]})
		}
	}

	// The line, glyphs and error bars, in one colour.
	line, err := plotter.NewLine(all)
	if err != nil {
		return err
	}
	glyphsOf, err := plotter.NewScatter(some)
	if err != nil {
		return err
	}
	bars.XYs = some
	colour := Palette[at%len(Palette)]
	line.LineStyle = draw.LineStyle{Color: colour, Width: vg.Points(1.3)}
	glyphsOf.GlyphStyle = draw.GlyphStyle{Color: colour, Radius: vg.Points(3.2), Shape: Glyphs[at%len(Glyphs)]}
	p.Add(line, glyphsOf)
	errors, err := plotter.NewYErrorBars(bars)
	if err == nil {
		errors.LineStyle = draw.LineStyle{Color: colour, Width: vg.Points(.8)}
		p.Add(errors)
	}
	return err
}

// Even ticks have labels with as many digits as they need, and no exponents.
type Even struct{}

func (Even) Ticks(lo, hi float64) []plot.Tick {
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

// Decades labels 1, 2 and 5 of each power of ten, more or fewer on a short or long axis.
type Decades struct{}

func (Decades) Ticks(lo, hi float64) (out []plot.Tick) {
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
