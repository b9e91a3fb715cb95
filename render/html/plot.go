package html

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"logzlab/core/format"
)

// Axis is the range and the ticks of the forest plot, in nats.
type Axis struct {
	Lo, Hi float64
	Ticks  []float64
	Digits int
}

// Place returns the position of x in percent of the width of the plot, within margins for marks.
func (a Axis) Place(x float64) float64 { return 4 + 92*(x-a.Lo)/(a.Hi-a.Lo) }

// Draw returns the axis below a plot of a height in em.
func (a Axis) Draw(height float64, num func(string) string) []HTML {
	plot := []HTML{Line("base", "0", Em(height), "100%", Em(height))}
	for _, t := range a.Ticks {
		x, label := Percent(a.Place(t)), num(format.Fixed(t, a.Digits))
		half := Letters(label) / 2 // labels at the ends are not cut
		plot = append(plot, Line("base", x, Em(height), x, Em(height+.25)),
			El(`text class="mid"`, At("x", Inside(a.Place(t), half), "y", Em(height+1.05)),
				TagText(`tspan class="t"`, label)))
	}
	return plot
}

// Percent formats a percentage, clamped to [0, 100].
func Percent(x float64) string { return fmt.Sprintf("%.2f%%", min(max(x, 0), 100)) }

// axisLetters is the number of letters that fit along the narrowest axis.
const axisLetters = 27

// Em formats a length in em.
func Em(x float64) string { return fmt.Sprintf("%.3fem", x) }

// Line returns a line of a plot.
func Line(class, x1, y1, x2, y2 string) HTML {
	return El("line", At("class", class, "x1", x1, "y1", y1, "x2", x2, "y2", y2))
}

// Inside returns the centre of a label of half-width half, as near to x as possible within the axis.
func Inside(x, half float64) string { return Percent(min(max(x, half), 100-half)) }

// Letters returns the maximum width of a label, in percent of the axis.
func Letters(s string) float64 { return 100 * float64(utf8.RuneCountInString(s)) / axisLetters }

// Blocks appends the cells of a grid that are on to an SVG path, with one rectangle per horizontal run.
func Blocks(path *strings.Builder, x0, y0, w, h int, on func(x, y int) bool) {
	for y := range h {
		for x := 0; x < w; x++ {
			run := x
			for run < w && on(run, y) {
				run++
			}
			if run > x {
				fmt.Fprintf(path, "M%d %dh%dv1h-%dz", x0+x, y0+y, run-x, run-x)
				x = run
			}
		}
	}
}

// Pen returns the command that starts a path, or continues it.
func Pen(b *strings.Builder) rune {
	if b.Len() == 0 {
		return 'M'
	}
	return 'L'
}
