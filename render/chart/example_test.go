package chart_test

import (
	"fmt"
	"os"
	"path/filepath"

	"logzlab/core/format"
	"logzlab/render/chart"
	"logzlab/render/paint"
	"logzlab/render/svg"
)

// A bar chart of overlaps with a threshold, as an SVG document.
func Example() {
	overlaps := []float64{0.52, 0.61, 0.14, 0.48, 0.55}
	pairs := []float64{0, 1, 2, 3, 4}

	t, fonts := &paint.Light, paint.NewFonts(1, false)
	a := &paint.Area{W: 480, H: 260, Unit: 1, Theme: t, Fonts: fonts}
	c := chart.New(a, paint.XYWH(16, 8, 448, 244),
		chart.Axis{Title: "pair of rungs", Names: []string{"1", "2", "3", "4", "5"}},
		chart.Axis{Lo: 0, Hi: 1, Title: "overlap"})
	c.Title = "Overlap of neighbouring rungs"
	c.Bars(pairs, overlaps, chart.Style{Color: t.Methods[0]})
	c.Level(0.2, "below the line: add a rung", chart.Style{})
	c.Tooltips(len(pairs), func(i int) (x, y float64) { return pairs[i], overlaps[i] }, func(i int) string {
		return fmt.Sprintf("Rungs %d and %d\noverlap %s", i+1, i+2, format.Fixed(overlaps[i], 2))
	})

	doc := svg.Document{W: a.W, H: a.H, Theme: t, Fonts: fonts, Layers: c.Layers(), Ground: true, Title: c.Title}
	dir, err := os.MkdirTemp("", "chart")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "overlaps.svg"), doc.Write(), 0o666); err != nil {
		panic(err)
	}
	b := c.Plot()
	fmt.Printf("the level is at %.1f of the height\n", (c.At(2, 0.2).Y-b.Y)/b.H)
	// Output: the level is at 0.8 of the height
}
