package view

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/render/html"
	"logzlab/wasm/page/state"
)

// fieldColumns is the number of cells in a row of the field of replicates, maxFieldCells the largest number of cells.
const fieldColumns, maxFieldCells = 40, 800

// replicateField draws a field of cells, each for one replicate or for several if there are many. Cells of finished
// replicates are filled.
func (p *page) replicateField() html.HTML {
	total, done := p.Room.Run.Replicates, p.Room.Board.Got
	if p.Room.Hosting {
		done = p.Room.Counts.Got
	}
	if total == 0 { // this device joined after the run
		total = p.Room.Board.Replicates
	}
	perCell := max((total+maxFieldCells-1)/maxFieldCells, 1)
	cells, filled := (total+perCell-1)/perCell, done/perCell
	if done == total { // the last cell may stand for fewer replicates
		filled = cells
	}
	rows := max((cells+fieldColumns-1)/fieldColumns, 1)
	var whole, open strings.Builder
	for y := range rows {
		for x := range fieldColumns {
			switch k := y*fieldColumns + x; {
			case k < filled:
				fmt.Fprintf(&whole, "M%d %dh3v3h-3z", 4*x, 4*y)
			case k < cells:
				fmt.Fprintf(&open, "M%d.5 %d.5h2v2h-2z", 4*x, 4*y)
			}
		}
	}
	return html.Tag(`div class="units"`, html.TagText("p", p.w.T("room.done.of", p.Count(float64(done)),
		p.Count(float64(total)))),
		html.El(`svg aria-hidden="true"`, html.At("viewBox", fmt.Sprintf("-0.5 -0.5 %d %d", 4*fieldColumns, 4*rows)),
			html.El(`path class="open"`, html.At("d", open.String())), html.El("path", html.At("d", whole.String()))))
}

// Size of the funnel plot, in units of its view box.
const funnelWidth, funnelHeight = 320.0, 110.0

// convergencePlot draws the pooled estimate with its error bar against the number of finished replicates, and the exact
// value. Dotted lines show the last error bar scaled as 1/√n.
func (p *page) convergencePlot() html.HTML {
	course := slices.Clone(p.Room.Course)
	if len(course) < 2 {
		return html.Tag(`div class="funnel"`)
	}

	// The range, without the first estimates.
	last := course[len(course)-1]
	mid, exact := last.LogZ, math.NaN()
	if x := p.Room.Board.Exact; x != nil {
		mid, exact = *x, *x
	}
	half := 0.0
	for i, x := range course {
		if i >= len(course)/8 {
			half = max(half, math.Abs(x.LogZ-mid)+x.SE)
		}
	}
	half = max(half, 3*last.SE)

	// Lines through the points.
	x := func(n float64) float64 { return funnelWidth * n / last.Replicates }
	y := func(z float64) float64 {
		return min(max(funnelHeight/2*(1-(z-mid)/max(half, 1e-300)), -funnelHeight), 2*funnelHeight)
	}
	path := func(z func(c state.RoomPoint) float64) string {
		var d strings.Builder
		for i, c := range course {
			fmt.Fprintf(&d, "%c%.1f %.1f", "ML"[min(i, 1)], x(c.Replicates), y(z(c)))
		}
		return d.String()
	}
	line := func(class string, z func(c state.RoomPoint) float64) html.HTML {
		return html.El("path", html.At("class", class, "d", path(z)))
	}

	// The band of the error bar, and 1/√n.
	scaledSE := func(c state.RoomPoint) float64 { return last.SE * math.Sqrt(last.Replicates/c.Replicates) }
	upperEdge := path(func(c state.RoomPoint) float64 { return c.LogZ + c.SE })
	slices.Reverse(course)
	lowerEdge := path(func(c state.RoomPoint) float64 { return c.LogZ - c.SE })
	slices.Reverse(course)
	children := []html.HTML{html.El(`path class="band"`, html.At("d", upperEdge+"L"+lowerEdge[1:]+"z")),
		line("root", func(c state.RoomPoint) float64 { return mid + scaledSE(c) }),
		line("root", func(c state.RoomPoint) float64 { return mid - scaledSE(c) }),
		line("pooled", func(c state.RoomPoint) float64 { return c.LogZ })}
	if num.NotNaN(exact) {
		children = append(children, line("exact", func(state.RoomPoint) float64 { return exact }))
	}
	return html.Tag(`div class="funnel"`, html.El(`svg role="img" preserveAspectRatio="none"`,
		html.At("viewBox", fmt.Sprintf("0 0 %.0f %.0f", funnelWidth, funnelHeight), "aria-label",
			p.w.T("room.funnel")), children...),
		html.TagText(`p class="why"`, p.w.T("room.funnel")))
}

// Size of the dot histogram, in units of its view box, and its number of columns.
const (
	heapWide, heapHigh = 320.0, 92.0
	heapColumns        = 32
)

// estimateHistogram draws a histogram of the estimates, one dot each, with the device's own estimate in colour.
func (p *page) estimateHistogram() html.HTML {
	w, b := p.w, p.Room.Board
	points := p.Room.Estimates()
	if len(points) < 2 {
		return html.Tag(`div class="strip"`)
	}
	own, _ := p.Room.OwnEstimate()

	// The range.
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, z := range points {
		lo, hi = min(lo, z), max(hi, z)
	}
	for _, z := range []*float64{b.Exact, b.LogZ} {
		if z != nil {
			lo, hi = min(lo, *z), max(hi, *z)
		}
	}

	// The dots in columns, the own dot on top of its column.
	column := func(z float64) int {
		return min(int(heapColumns*(z-lo)/max(hi-lo, 1e-300)), heapColumns-1)
	}
	x := func(z float64) string { return fmt.Sprintf("%.1f", 8+(heapWide-16)*(z-lo)/max(hi-lo, 1e-300)) }
	columnX := func(c int) string { return fmt.Sprintf("%.1f", 8+(heapWide-16)*(float64(c)+.5)/heapColumns) }
	count := make([]int, heapColumns)
	for _, z := range points {
		count[column(z)]++
	}
	step := min(8.5, (heapHigh-10)/float64(slices.Max(count)))
	y := func(n int) string { return fmt.Sprintf("%.1f", heapHigh-6-step*(float64(n)+.5)) }
	radius := fmt.Sprintf("%.1f", min(3.75, step*.55+.5))
	line := func(class string, z *float64) html.HTML {
		if z == nil {
			return ""
		}
		return html.El("path", html.At("class", class, "d", fmt.Sprintf("M%s 2V%.0f", x(*z), heapHigh-5)))
	}
	children := []html.HTML{html.HTML(fmt.Sprintf(`<path class="axis" d="M4 %.0fH316"/>`, heapHigh-5)), line("exact", b.Exact),
		line("pooled", b.LogZ)}
	ownColumn, ownIsDrawn := 0, num.NotNaN(own)
	if ownIsDrawn {
		count[column(own)]--
		children = append(children, html.El(`circle class="own"`, html.At("data-key", fmt.Sprint("own", column(own)), "cx",
			columnX(column(own)), "cy", y(count[column(own)]), "r", fmt.Sprintf("%.1f", min(3.75, step*.55+.5)+1))))
	}
	for c, n := range count {
		for k := range n {
			children = append(children, html.El("circle", html.At("cx", columnX(c), "cy", y(k), "r", radius)))
		}
	}
	for _, z := range points {
		if z < own {
			ownColumn++
		}
	}

	altText := w.T("room.strip", len(points))
	if ownIsDrawn {
		altText = w.T("room.strip.own", ownColumn, len(points)-1)
	}
	dotMeaning := w.T("room.dots")
	rangeLabel := func(z float64) html.HTML {
		return html.TagText("span", p.Num(format.Fixed(z, format.Decimals((hi-lo)/10))))
	}
	return html.Tag(`div class="strip"`, html.El(`svg role="img"`, html.At("viewBox",
		fmt.Sprintf("0 0 %.0f %.0f", heapWide, heapHigh), "aria-label", dotMeaning), children...),
		html.Tag(`p class="ends"`, rangeLabel(lo), rangeLabel(hi)),
		html.TagText(`p class="why"`, dotMeaning+" "+altText+" "+w.T("room.strip.lines")))
}

// endCard summarises a finished run of the class in large type: number of devices, log Z, and the exact value.
func (p *page) endCard() html.HTML {
	w, b := p.w, p.Room.Board
	if b.LogZ == nil || p.Room.CardClosed {
		return ""
	}
	se := math.NaN()
	if b.SE != nil {
		se = *b.SE
	}
	children := []html.HTML{html.TagText("p", w.T("room.card", b.Devices)),
		html.Tag(`p class="card-z"`, html.LogZ, html.Text(" = "), html.TagText("b", nonBreaking.Replace(p.FormatEstimate(*b.LogZ, se))))}
	if b.Exact != nil {
		children = append(children, html.Tag("p", html.Text(w.T("exact")+" "), html.TagText("b",
			p.Num(format.Fixed(*b.Exact, max(format.Decimals(se), 2))))))
	}
	if b.Marked() {
		children = append(children, html.Tag("p", html.Icon("v-caution", "i caution"), html.Text(" "+w.T("room.marked.short"))))
	}
	return html.Tag(`div class="endcard"`, append(children, html.El(`button type="button" class="quiet" data-event="card"`,
		html.At("title", w.T("room.card.away")), html.Icon("i-close", "i"),
		html.TagText(`span class="vh"`, w.T("room.card.away"))))...)
}
