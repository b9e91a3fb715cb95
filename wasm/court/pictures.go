package main

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/problem"
	"logzlab/estimators/verdict"
	"logzlab/wasm/page/html"
)

// figures are the pictures that these samples have.
func (p *paper) figures() (out []html.HTML) {
	add := func(h html.HTML) {
		if h != "" {
			out = append(out, h)
		}
	}
	for _, h := range append(p.climbs(), p.stones()...) {
		add(h)
	}
	add(p.shares())
	add(p.overlap())
	add(p.schedule())
	add(p.drift())
	if out != nil {
		out = []html.HTML{html.Tag(`section class="figures"`, out...)}
	}
	if t := p.traces(); t != "" {
		out = append(out, t)
	}
	return out
}

// ladder lists the labels of the rungs.
func (p *paper) ladder() (labels []string) {
	for _, k := range p.r.Ladder {
		labels = append(labels, k.Label)
	}
	return labels
}

// shares is the part of each rung in the variance of log Z.
func (p *paper) shares() html.HTML {
	worst, at := 0.0, -1
	var ys []float64
	for i, k := range p.r.Ladder {
		if s := 100 * float64(k.Share); num.Finite(s) {
			if s > worst {
				worst, at = s, i
			}
			ys = append(ys, s)
		}
	}
	if at < 0 {
		return ""
	}

	// A bar for each rung.
	plot := newPlot(0, float64(len(p.r.Ladder)), p.w.Number, append(ys, 0, worst*1.05)...)
	plot.yAxis(5)
	for i, k := range p.r.Ladder {
		s := 100 * float64(k.Share)
		if !num.Finite(s) {
			continue
		}
		class := "b0"
		if i == at {
			class = "b1"
		}
		plot.bar(class, float64(i)+.12, 0, float64(i)+.88, s)
	}
	plot.line("base", 0, 0, float64(len(p.r.Ladder)), 0)
	plot.names(p.ladder())

	// The picture in words.
	says := p.w.Number(p.w.Sentence(problem.New("rung %s carries %s of the error of log Z", p.r.Ladder[at].Label,
		format.Fixed(worst, 0)+" %")))
	return p.figure("Error by rung, in percent of its square",
		"The rung that carries most stands out. More rungs or samples help there first.", plot.draw("", says),
		html.TagText("p", says))
}

// mostCells is the widest matrix that is drawn.
const mostCells = 40

// overlap is the matrix of mbar, or what neighbours have in common.
func (p *paper) overlap() html.HTML {
	n := len(p.r.Ladder)
	if len(p.r.Overlaps) == n && n > 1 && n <= mostCells {
		return p.matrix()
	}

	// The least overlap of neighbours.
	var ys []float64
	least, at := math.Inf(1), -1
	for i, k := range p.r.Ladder {
		o := 100 * float64(k.Overlap)
		if ys = append(ys, o); o < least {
			least, at = o, i
		}
	}
	if at < 0 {
		return ""
	}

	// Bars, and the line below which rungs are too far apart.
	plot := newPlot(0, float64(n-1), p.w.Number, append(ys, 0, 20)...)
	plot.yAxis(5)
	for i, o := range ys[:n-1] {
		class := "b0"
		if o < 5 {
			class = "b1"
		}
		if num.Finite(o) {
			plot.bar(class, float64(i)+.12, 0, float64(i)+.88, o)
		}
	}
	plot.line("limit", 0, 5, float64(n-1), 5)
	plot.line("base", 0, 0, float64(n-1), 0)
	plot.names(p.ladder()[:n-1])

	// The picture in words.
	says := p.w.Number(p.w.Sentence(problem.New("the least overlap is %s, from rung %s to the next",
		format.Fixed(least, 1)+" %", p.r.Ladder[at].Label)))
	return p.figure("Overlap of each rung with the next, %", "Below the dashed line, 5 %, neighbours share too few "+
		"samples.", plot.draw("", says), html.TagText("p", says))
}

// matrix is the overlap matrix as a heat map.
func (p *paper) matrix() html.HTML {
	n := len(p.r.Overlaps)
	plot := newPlot(0, float64(n), p.w.Number, 0, float64(n))

	// A cell for each pair of rungs, with its number where there is space.
	least, at := math.Inf(1), 0
	for i, row := range p.r.Overlaps {
		for j, o := range row {
			if !num.Finite(o) {
				continue
			}
			if j == i+1 && o < least {
				least, at = o, i
			}
			step := int(min(math.Ceil(math.Sqrt(max(o, 0))*10-.5), 10))
			y := float64(n - i)
			plot.bar("h"+strconv.Itoa(step), float64(j), y-1, float64(j+1), y)
			if n <= 8 {
				class := "mid cell"
				if step > 5 {
					class += " light"
				}
				plot.add(html.El(`text dy=".35em"`, html.At("class", class, "x", html.Percent(plot.left(float64(j)+.5)),
					"y", html.Percent(plot.down(y-.5))), html.Text(p.w.Number(format.Fixed(o, 2)))))
			}
		}
	}

	// Names of the rungs, at both sides.
	labels := p.ladder()
	plot.names(labels)
	for i := 0; i < n; i += (n + 11) / 12 {
		plot.add(html.El(`text class="end" dx="-.5em" dy=".35em" x="0"`,
			html.At("y", html.Percent(plot.down(float64(n-i)-.5))), html.Text(p.w.Number(short(labels[i])))))
	}

	// The picture in words.
	says := p.w.Number(p.w.Sentence(problem.New("the least overlap is %s, from rung %s to the next",
		format.Fixed(100*least, 1)+" %", labels[at])))
	return p.figure("Overlap matrix", "Of the weight of a column's rung, how much lies on samples of the row's. Strong "+
		"cells beside the diagonal tie the ladder together.", plot.draw("square", says), html.TagText("p", says))
}

// schedule is the mean slope over the path: log Z is the area below it.
func (p *paper) schedule() html.HTML {
	s := p.pictures.Slopes
	if len(s) < 2 {
		return ""
	}
	var ys []float64
	for _, x := range s {
		ys = append(ys, x.Mean)
	}
	plot := newPlot(s[0].At, s[len(s)-1].At, p.w.Number, ys...).space()
	plot.yAxis(5)
	plot.xAxis(6, "")
	plot.path("l0", len(s), func(i int) (float64, float64) { return s[i].At, s[i].Mean })
	for _, x := range s {
		plot.mark("d0", x.At, x.Mean, false)
	}
	title := "Mean log likelihood along the powers"
	if p.r.FreeEnergy != nil {
		title = "Mean slope along the path, in kT"
	}
	says := p.w.Number(p.w.Sentence(problem.New("from %s at %v to %s at %v", format.Fixed(s[0].Mean, 1), s[0].At,
		format.Fixed(s[len(s)-1].Mean, 1), s[len(s)-1].At)))
	return p.figure(title, "The area below the curve is log Z. Where it bends sharply, rungs must stand close.",
		plot.draw("", says), html.TagText("p", says))
}

// drift is the estimate from more and more of the samples.
func (p *paper) drift() html.HTML {
	g := p.pictures.Grown
	if len(g) == 0 {
		return ""
	}

	// The scale: estimates from few samples may lie outside, the final error bar may not.
	f := p.factor()
	var ys []float64
	for _, x := range g[len(g)/5:] {
		ys = append(ys, f*x.First, f*x.Last)
	}
	end := g[len(g)-1]
	band := math.Abs(f) * end.FirstSE
	ys = append(ys, f*end.First-2*band, f*end.First+2*band)
	plot := newPlot(0, 100, p.w.Number, ys...).space()
	if num.Finite(band) {
		plot.bar("band", 0, f*end.First-band, 100, f*end.First+band)
	}
	plot.yAxis(5)
	plot.xAxis(6, " %")

	// Two curves, from either end of the samples.
	for _, last := range []bool{false, true} {
		class := "0"
		if last {
			class = "1"
		}
		at := func(i int) (float64, float64) {
			y := f * g[i].First
			if last {
				y = f * g[i].Last
			}
			if y < plot.y0 || y > plot.y1 {
				y = math.NaN()
			}
			return 100 * g[i].Share, y
		}
		plot.path("l"+class, len(g), at)
		for i := range g {
			x, y := at(i)
			plot.mark("d"+class, x, y, last)
		}
	}

	// The curves as a table.
	var rows [][]html.HTML
	for _, x := range g {
		rows = append(rows, []html.HTML{html.Text(p.w.Number(format.Fixed(100*x.Share, 0) + " %")),
			html.Text(p.value(verdict.Number(x.First), verdict.Number(x.FirstSE))),
			html.Text(p.value(verdict.Number(x.Last), verdict.Number(x.LastSE)))})
	}

	// The key, the title and the picture in words.
	key := html.Tag(`p class="key"`, html.Tag(`svg viewBox="0 0 12 12" aria-hidden="true"`,
		`<circle class="d0" cx="6" cy="6" r="4"></circle>`), html.TagText("span", p.w.Phrase("the first samples")),
		html.Tag(`svg viewBox="0 0 12 12" aria-hidden="true"`,
			`<rect class="d1" x="2.5" y="2.5" width="7" height="7"></rect>`),
		html.TagText("span", p.w.Phrase("the last samples")))
	by := p.pictures.Method
	if n := p.pictures.Every; n > 1 {
		by = p.w.Explain(problem.New("%s on one of %d samples", by, n))
	}
	title := p.w.Phrase("Estimate from a growing part of the samples") + " (" + by + ", " + p.w.Phrase(p.units) + ")"
	says := p.w.Number(p.w.Sentence(problem.New("half of the samples: the first find %s, the last %s",
		p.value(verdict.Number(g[len(g)/2-1].First), verdict.Number(g[len(g)/2-1].FirstSE)),
		p.value(verdict.Number(g[len(g)/2-1].Last), verdict.Number(g[len(g)/2-1].LastSE)))))
	return html.Tag("figure", html.TagText("figcaption", title), plot.draw("", says), key,
		html.TagText(`p class="why"`, p.w.Phrase("Both should come into the band, one error bar of all samples, long before "+
			"the end. Where first and last samples part, chains have not come to rest.")),
		html.Tag("details", html.TagText("summary", p.w.Phrase("As a table")), p.table(title,
			[]string{"Part", "First samples", "Last samples"}, rows)))
}
