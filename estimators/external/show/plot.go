package show

import (
	"image/color"
	"strconv"

	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/render/chart"
	"logzlab/render/html"
	"logzlab/render/paint"
	"logzlab/render/svg"
)

// Sizes of charts in CSS pixels, for a phone or one of several columns. The page scales them a little.
const (
	plotWidth  = 380
	plotHeight = 230
	// Sizes of the trace of a rung.
	traceWidth  = 300
	traceHeight = 90
)

// pageColors maps the colours of the light theme to the CSS variables of the page, so that the charts follow the theme
// of the page.
var pageColors = func() map[color.RGBA]string {
	t := &paint.Light
	names := map[color.RGBA]string{t.Ground: "--ground", t.Ink: "--ink", t.Ink2: "--ink-2", t.Ink3: "--ink-3",
		t.Line: "--line", t.Line2: "--line-2", t.Track: "--ground-3"}
	for i, c := range t.Methods {
		names[c] = "--m-" + strconv.Itoa(i)
	}
	return names
}()

// plot returns an empty chart of the given size in CSS pixels.
func (p *reportPage) plot(width, height float64, x, y chart.Axis) *chart.Chart {
	if p.fonts == nil {
		p.fonts = paint.NewFonts(1, p.w.Number("0.5") == "0,5")
	}
	a := &paint.Area{W: width, H: height, Unit: 1, Theme: &paint.Light, Fonts: p.fonts}
	return chart.New(a, paint.XYWH(0, 0, a.W, a.H), x, y)
}

// chartHTML returns the chart as HTML with an inline SVG; description describes the chart for screen readers.
func (p *reportPage) chartHTML(c *chart.Chart, description string) html.HTML {
	box := c.Box()
	d := svg.Document{W: box.W, H: box.H, Theme: &paint.Light, Fonts: p.fonts, Layers: c.Layers(), Names: pageColors,
		Title: description}
	return html.Tag(`div class="chart"`, html.HTML(d.Write()))
}

// runStyle returns the line style of the i-th of n runs, with its name if there are several. Styles repeat if there are
// more runs than styles.
func (p *reportPage) runStyle(i, n int) chart.Style {
	dashes := [...][2]float64{{}, {6, 3}, {2, 3}, {9, 4}}
	s := chart.Style{Color: paint.Light.Method(i % len(dashes)), Dash: dashes[i%len(dashes)], Width: 1.5, NoHalo: true}
	if n > 1 {
		s.Name = p.w.Explain(problem.New("run %d", i+1))
	}
	return s
}

// indices returns 0, 1, ..., n-1.
func indices(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}

// rungNames returns the labels of rungs for an axis: numbers are rounded to three digits.
func rungNames(labels []string) []string {
	var out []string
	for _, l := range labels {
		if x, err := num.Parse(l); err == nil {
			l = strconv.FormatFloat(x, 'g', 3, 64)
		}
		out = append(out, l)
	}
	return out
}

// figure returns a figure with a title, a chart (picture), an explanation and further elements.
func (p *reportPage) figure(title, explanation string, picture html.HTML, extra ...html.HTML) html.HTML {
	children := []html.HTML{html.TagText("figcaption", p.w.Phrase(title)), picture, html.TagText(`p class="why"`,
		p.w.Phrase(explanation))}
	return html.Tag(`figure`, append(children, extra...)...)
}
