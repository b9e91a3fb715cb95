package papers

import (
	"slices"

	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/svg"
)

// Panel is a plot in a figure.
type Panel struct {
	Title, More string // text above the plot, at the left and at the right
	X, Y        chart.Axis
	Height      float64 // height in CSS pixels; 0: the default
	// Draw adds the series to the chart. It is called for the light and for the dark theme; both calls must draw the same
	// marks, in the colours of the theme.
	Draw func(c *chart.Chart, t *paint.Theme)
}

// Sizes of figures, in CSS pixels.
const (
	figureWidth = 880
	panelHeight = 290 // height of a panel with its titles
	panelGap    = 22
	margin      = 4
	figureUnit  = 1.1 // scale of text and lines
)

// Figure draws panels row by row, with a number of columns, below a legend that lists the series in the given order.
// The image is an SVG with a light and a dark theme. It is nil if there are no panels.
func Figure(panels []Panel, columns int, order []string) (image []byte, extension string, err error) {
	if len(panels) == 0 {
		return nil, ".svg", nil
	}
	doc := svg.Document{W: figureWidth, Theme: &paint.Light, Fonts: paint.NewFonts(figureUnit, false)}
	doc.Layers, doc.H = layOut(&doc, &paint.Light, panels, columns, order)
	doc.Dark, _ = layOut(&doc, &paint.Dark, panels, columns, order)
	return doc.Write(), ".svg", nil
}

// layOut draws the panels in a theme, and returns the height of the figure.
func layOut(doc *svg.Document, t *paint.Theme, panels []Panel, columns int, order []string) (layers []paint.Layer,
	height float64) {
	a := &paint.Area{W: figureWidth, H: 1, Unit: figureUnit, Theme: t, Fonts: doc.Fonts, Still: true, Print: true}

	// Place the charts, and add up the heights of rows.
	panelWidth := (a.W - 2*margin - panelGap*float64(columns-1)) / float64(columns)
	var charts []*chart.Chart
	placeCharts := func(top float64) float64 {
		charts = nil
		row := 0.0
		for i := range panels {
			p := &panels[i]
			if i%columns == 0 && i > 0 {
				top += row + panelGap
				row = 0
			}
			box := paint.XYWH(margin+float64(i%columns)*(panelWidth+panelGap), top, panelWidth, panelHeight)
			if p.Height > 0 {
				box.H = p.Height
			}
			row = max(row, box.H)
			c := chart.New(a, box, p.X, p.Y)
			c.Title, c.TopRight, c.Key = p.Title, p.More, chart.KeyNone
			p.Draw(c, t)
			charts = append(charts, c)
		}
		chart.Align(charts...)
		return top + row
	}

	// The legend has one entry for each name. Its height depends on the series, so charts are placed twice.
	placeCharts(0)
	var entries []chart.Style
	for _, name := range order {
		for _, c := range charts {
			if i := slices.IndexFunc(c.Series(), func(s chart.Style) bool { return s.Name == name }); i >= 0 {
				entries = append(entries, c.Series()[i])
				break
			}
		}
	}
	var legendLayer paint.Layer
	legend := chart.Legend(a, &legendLayer, margin, margin/2, a.W-2*margin, entries)
	height = placeCharts(legend + panelGap/2)
	layers = append(layers, legendLayer)
	for _, c := range charts {
		layers = append(layers, c.Layers()...)
	}
	return layers, height + margin
}

// Style returns the style of the i-th series. Marks of later series are smaller, so that coinciding marks remain
// visible.
func Style(t *paint.Theme, i int, name string) chart.Style {
	s := chart.Method(t, i, name)
	s.NoHalo, s.R, s.Width = true, max(4.4-.3*float64(i), 2.5), max(1.9-.1*float64(i), 1.2)
	return s
}

// Curve draws the i-th series: a line through all points, and marks with error bars of one standard error at about ten
// points.
func Curve(c *chart.Chart, t *paint.Theme, i int, name string, x, y, se []float64) {
	s := Style(t, i, name)
	var xs, ys, lo, hi []float64
	stride := max(1, len(x)/10)
	for k := 0; k < len(x); k += stride {
		xs, ys, lo, hi = append(xs, x[k]), append(ys, y[k]), append(lo, y[k]-se[k]), append(hi, y[k]+se[k])
	}
	line := s
	line.Mark, line.Name = 0, "" // the marks carry the name
	c.Line(x, y, line)
	c.Errors(xs, lo, hi, s)
	c.Dots(xs, ys, s)
}
