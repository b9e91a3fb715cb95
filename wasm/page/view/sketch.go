package view

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/frame"
	"logzlab/render/html"
	"logzlab/wasm/page/scene"
)

// A sketch has sketchRows pictures, sketchCols in a line.
const (
	sketchRows = 18
	sketchCols = 6
)

// sketch draws some particles as SVG while the canvas is loading or cannot be shown. It is "" for particles that are
// neither pictures nor points.
func (p *page) sketch() html.HTML {
	var path strings.Builder
	box, class := "", "sketch"
	for k, r := range sampleRows(p.Frames, sketchRows) {
		if f := r.f; f.W > 0 && len(f.Pixels) >= (r.row+1)*f.W*f.H {
			cells := f.Pixels[r.row*f.W*f.H:]
			html.Blocks(&path, k%sketchCols*(f.W+4), k/sketchCols*(f.H+4), f.W, f.H, func(x, y int) bool {
				return cells[y*f.W+x] == 1
			})
			box = fmt.Sprintf("0 0 %d %d", sketchCols*(f.W+4)-4, sketchRows/sketchCols*(f.H+4)-4)
		}
	}
	if box == "" {
		for _, r := range sampleRows(p.Frames, scene.MaxTable) {
			if q := r.f.Points; len(q) > 2*r.row+1 {
				unit := 400 / max(p.MaxCoordinate, 1e-9)
				x, y := unit*float64(q[2*r.row]), -unit*float64(q[2*r.row+1])
				if math.Abs(x+y) <= 800 { // and finite
					fmt.Fprintf(&path, "M%.0f %.0fh0", x, y)
				}
				box, class = "-400 -240 800 480", "sketch dots"
			}
		}
	}
	if box == "" {
		return ""
	}
	return html.El(`svg aria-hidden="true"`, html.At("class", class, "viewBox", box),
		html.El("path", html.At("d", path.String())))
}

// frameRow is a row of a frame, which has one particle.
type frameRow struct {
	f   *frame.Frame
	row int
}

// someRows returns at most n rows of the frames, evenly spaced.
func sampleRows(frames []*frame.Frame, n int) (out []frameRow) {
	var all []frameRow
	for _, f := range frames {
		for i := range f.N {
			all = append(all, frameRow{f, i})
		}
	}
	for k := range min(n, len(all)) {
		out = append(out, all[k*len(all)/min(n, len(all))])
	}
	return out
}
