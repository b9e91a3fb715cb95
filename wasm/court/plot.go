package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/wasm/page/html"
)

// plot is a picture with axes, that below from x0 at the left to x1, which may be less. Places are shares of its width
// and height, so that it fits any width, and type keeps its size.
type plot struct {
	x0, x1, y0, y1 float64
	kids           []html.HTML
	number         func(string) string
}

// newPlot spans some values with a margin above and below; those that are not finite are passed over.
func newPlot(x0, x1 float64, number func(string) string, ys ...float64) *plot {
	p := &plot{x0: x0, x1: x1, y0: math.Inf(1), y1: math.Inf(-1), number: number}
	for _, y := range ys {
		if num.Finite(y) {
			p.y0, p.y1 = min(p.y0, y), max(p.y1, y)
		}
	}
	if !(p.y0 <= p.y1) {
		p.y0, p.y1 = 0, 1
	}
	if p.y0 == p.y1 {
		p.y0, p.y1 = p.y0-.5, p.y1+.5
	}
	if x0 == x1 {
		p.x1 = x0 + 1
	}
	return p
}

// space leaves room above and below.
func (p *plot) space() *plot {
	room := (p.y1 - p.y0) / 20
	p.y0, p.y1 = p.y0-room, p.y1+room
	return p
}

func (p *plot) left(x float64) float64 { return 100 * (x - p.x0) / (p.x1 - p.x0) }
func (p *plot) down(y float64) float64 { return 100 * (p.y1 - y) / (p.y1 - p.y0) }

func (p *plot) add(kids ...html.HTML) { p.kids = append(p.kids, kids...) }

// line is a straight one from place to place.
func (p *plot) line(class string, x1, y1, x2, y2 float64) {
	p.add(html.Line(class, html.Percent(p.left(x1)), html.Percent(p.down(y1)), html.Percent(p.left(x2)),
		html.Percent(p.down(y2))))
}

// bar is a rectangle between two corners.
func (p *plot) bar(class string, x1, y1, x2, y2 float64) {
	l, r := min(p.left(x1), p.left(x2)), max(p.left(x1), p.left(x2))
	t, b := p.down(max(y1, y2)), p.down(min(y1, y2))
	p.add(html.El("rect", html.At("class", class, "x", html.Percent(l), "y", html.Percent(t), "width", html.Percent(r-l),
		"height", html.Percent(b-t))))
}

// path joins points; where one is not finite it breaks.
func (p *plot) path(class string, n int, at func(i int) (x, y float64)) {
	var d strings.Builder
	pen := "M"
	for i := range n {
		x, y := at(i)
		if !num.Finite(x) || !num.Finite(y) {
			pen = "M"
			continue
		}
		fmt.Fprintf(&d, "%s%.1f %.1f", pen, 10*p.left(x), 10*p.down(y))
		pen = "L"
	}
	p.add(html.Tag(`svg class="inner" viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="100%"`,
		html.El("path", html.At("class", class, "d", d.String()))))
}

// mark is a dot, or a square.
func (p *plot) mark(class string, x, y float64, square bool) {
	if !num.Finite(x) || !num.Finite(y) {
		return
	}
	l, t := html.Percent(p.left(x)), html.Percent(p.down(y))
	if square {
		p.add(html.El("svg", html.At("class", "inner", "x", l, "y", t, "width", "1", "height", "1"),
			html.El("rect", html.At("class", class, "x", "-3.5", "y", "-3.5", "width", "7", "height", "7"))))
		return
	}
	p.add(html.El("circle", html.At("class", class, "cx", l, "cy", t, "r", "4")))
}

// yAxis has ticks at the left with lines across.
func (p *plot) yAxis(n int) {
	at, step := format.Ticks(p.y0, p.y1, n)
	for _, y := range at {
		p.line("grid", p.x0, y, p.x1, y)
		p.add(html.El(`text class="end" dx="-.5em" dy=".35em" x="0"`, html.At("y", html.Percent(p.down(y))),
			html.Text(p.number(label(y, step)))))
	}
}

// label is that of a tick, also where steps are fine.
func label(v, step float64) string {
	if step < 1 {
		return format.Fixed(v, format.StepDecimals(step))
	}
	return format.Tick(v, step)
}

// xAxis has ticks at the foot.
func (p *plot) xAxis(n int, suffix string) {
	at, step := format.Ticks(min(p.x0, p.x1), max(p.x0, p.x1), n)
	for _, x := range at {
		p.below(p.left(x), p.number(label(x, step))+suffix)
	}
	p.line("base", p.x0, p.y0, p.x1, p.y0)
}

// below writes at the foot, within the ends.
func (p *plot) below(left float64, text string) {
	class := "mid"
	if left < 2 {
		class = "begin"
	} else if left > 98 {
		class = "end"
	}
	p.add(html.El(`text y="100%" dy="1.4em"`, html.At("class", class, "x", html.Percent(left)), html.Text(text)))
}

// letters is how many fit below the narrowest picture.
const letters = 36

// names writes labels of columns at the foot, as many as have room.
func (p *plot) names(labels []string) {
	longest := 1
	for _, l := range labels {
		longest = max(longest, len(short(l))+2)
	}
	every := (len(labels)*longest + letters - 1) / letters
	for i := 0; i < len(labels); i += every {
		p.below(p.left(float64(i)+.5), p.number(short(labels[i])))
	}
}

// short is a label of a rung in three digits.
func short(label string) string {
	if x, err := num.Parse(label); err == nil {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return label
}

// draw is the picture; label says what the picture shows, for readers who cannot see.
func (p *plot) draw(class, label string) html.HTML {
	return html.El(`svg role="img"`, html.At("class", "plot "+class, "aria-label", label), p.kids...)
}

// figure is a picture with a title and what it means; more stands below.
func (p *paper) figure(title, means string, picture html.HTML, more ...html.HTML) html.HTML {
	kids := []html.HTML{html.TagText("figcaption", p.w.Phrase(title)), picture, html.TagText(`p class="why"`,
		p.w.Phrase(means))}
	return html.Tag(`figure`, append(kids, more...)...)
}
