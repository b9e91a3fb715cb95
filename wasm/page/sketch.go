package page

import (
	"fmt"
	"math"
	"strings"

	"logzlab/core/frame"
)

// sketchRows is how many pictures a sketch has, sketchCols how many in a line, and sketchTime the seconds between two
// sketches of a run.
const (
	sketchRows = 18
	sketchCols = 6
	sketchTime = .4
)

// sketches reports whether the page draws particles itself and has not drawn the present ones. The first number comes
// before them.
func (b *Brain) sketches(now float64) bool {
	return b.job != nil && (b.views.numbers || now > b.shell) && b.stage.state != "ready" &&
		now-b.looked.asked > sketchTime && (b.state == "running" || b.looked.state != b.state)
}

// sketch is some of the particles on show, drawn by the page itself: they move before the picture has come, and where
// there is none. Empty for particles that are neither pictures nor points.
func (p *pane) sketch() HTML {
	var path strings.Builder
	box, class := "", "sketch"
	for k, r := range p.looked.some(sketchRows) {
		if f := r.f; f.W > 0 && len(f.Pixels) >= (r.row+1)*f.W*f.H {
			cells := f.Pixels[r.row*f.W*f.H:]
			blocks(&path, k%sketchCols*(f.W+4), k/sketchCols*(f.H+4), f.W, f.H, func(x, y int) bool {
				return cells[y*f.W+x] == 1
			})
			box = fmt.Sprintf("0 0 %d %d", sketchCols*(f.W+4)-4, sketchRows/sketchCols*(f.H+4)-4)
		}
	}
	if box == "" {
		for _, r := range p.looked.some(maxTable) {
			if q := r.f.Points; len(q) > 2*r.row+1 {
				unit := 400 / max(p.looked.reach, 1e-9)
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
	return el(`svg aria-hidden="true"`, at("class", class, "viewBox", box), el("path", at("d", path.String())))
}

// rowOf is a row of a frame.
type rowOf struct {
	f   *frame.Frame
	row int
}

// some are at most n rows of the frames, evenly chosen.
func (l *looked) some(n int) (out []rowOf) {
	var all []rowOf
	for _, f := range l.frames {
		for i := range f.N {
			all = append(all, rowOf{f, i})
		}
	}
	for k := range min(n, len(all)) {
		out = append(out, all[k*len(all)/min(n, len(all))])
	}
	return out
}

// widen makes the reach of points the largest so far, so that a sketch keeps its scale as particles come together.
func (l *looked) widen() {
	for _, f := range l.frames {
		for _, x := range f.Points {
			if a := math.Abs(float64(x)); a < math.Inf(1) {
				l.reach = max(l.reach, a)
			}
		}
	}
}

// blocks adds the cells of a grid that are on to an SVG path, runs of them as one.
func blocks(path *strings.Builder, x0, y0, w, h int, on func(x, y int) bool) {
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
