package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// TestGuesses checks the lines of the guesses, the newest of which is strongest, the line of the exact curve, and the
// distances of the guesses.
func TestGuesses(t *testing.T) {
	for _, shares := range []bool{true, false} {
		p := rendertest.StageWith(rendertest.GuessFrames("rts", 24, 6, shares)...)
		ls := rendertest.Draw("weights", rendertest.Area(704, 420, 1), p)
		lines, widest := 0, 0.0
		for _, m := range rendertest.MarksOfKind(ls, paint.Stroke) {
			if len(m.Pts) == 24 {
				lines++
				widest = max(widest, m.Width)
			}
		}
		if lines != 7 || widest != 2.5 {
			t.Errorf("%d lines, the widest %v; want 6 guesses and the exact curve", lines, widest)
		}
		if s := rendertest.Texts(ls); !strings.Contains(s, "Guess 6|") || !strings.Contains(s, "exact|") ||
			!strings.Contains(s, "Distance from the exact curve, nats|") {
			t.Errorf("texts %q", s)
		}
	}
	p := rendertest.StageWith(rendertest.AdaptiveGuesses()...)
	s := rendertest.Texts(rendertest.Draw("weights", rendertest.Area(704, 420, 1), p))
	if !strings.Contains(s, "WL|") || !strings.Contains(s, "SAMS|") {
		t.Errorf("texts %q", s)
	}
	l := &frame.Ladder{Beta: []float64{0, 0.5, 1}, Exact: []float64{5, 6, 7}, Guesses: []frame.Guess{
		{Sweeps: 10, LogZ: []float64{0, 4, 5}}, {Sweeps: 20, LogZ: []float64{5, 6, 7}},
		{Sweeps: 30, LogZ: []float64{1, 3, 3}}, {Sweeps: 30, LogZ: []float64{1, 3, 3}}}}
	if f := distanceOf(l); len(f.distances) != 2 || f.distances[0] != 3 || f.distances[1] != math.Sqrt(0.5) || f.sweeps[1] != 30 {
		t.Errorf("distances = %+v, want 3 and the square root of 1/2", f)
	}
}

// TestGuessTooltip checks that the tooltip is that of the nearest guess at a rung, with its error.
func TestGuessTooltip(t *testing.T) {
	p := rendertest.StageWith(&frame.Frame{Curves: []frame.Curve{{Method: "wl"}}, Ladders: []frame.Ladder{{Method: "wl",
		Beta: []float64{0, 0.5, 1}, Exact: []float64{1, 11, 21}, Guesses: []frame.Guess{
			{Sweeps: 50, LogZ: []float64{0, 2, 3}}, {Sweeps: 90, LogZ: []float64{5, 14, 24}}}}}})
	a := rendertest.Area(390, 456, 1)
	var q paint.Point
	for _, m := range rendertest.MarksOfKind(rendertest.Draw("weights", a, p), paint.Stroke) {
		if len(m.Pts) == 3 && m.Width == 2.5 {
			q = m.Pts[1]
		}
	}
	a.Pointer = paint.NewPointer(paint.Pt(q.X+4, q.Y+2))
	rendertest.Draw("weights", a, p)
	if _, s := a.Tooltip(); s != "Guess 2, 90 sweeps, Rung 2: log Z 9.00, exact 10.00, error −1.00" {
		t.Errorf("tooltip = %q", s)
	}
}
