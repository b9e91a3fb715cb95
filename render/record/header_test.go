package record_test

import (
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// TestHeader checks that the header exists from the start of an experiment with two runs, but not for one run with
// several readers.
func TestHeader(t *testing.T) {
	for _, c := range []struct {
		runs []int
		want float64
	}{{[]int{0, 1}, record.HeaderHeight}, {[]int{0, 0}, 0}, {[]int{0}, 0}} {
		f := &frame.Frame{}
		for i, run := range c.runs {
			f.Curves = append(f.Curves, frame.Curve{Method: [...]string{"ais", "rts"}[i], Run: run})
		}
		p := rendertest.StageWith(f, rendertest.Rings("ais", 0, 10, 16, 16, false))
		w, among := p.Run.Pick(func(*record.Particles) bool { return true })
		var l paint.Layer
		if got := record.Header(rendertest.Area(704, 456, 1), &p.Run, &l, 24, w, among); got != c.want {
			t.Errorf("runs %v: Header = %g, want %g", c.runs, got, c.want)
		}
	}
}
