package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
	"logzlab/render/rendertest"
	"logzlab/render/stage"
)

// temperingSizes are canvases from a phone to a wide screen.
var temperingSizes = [][2]float64{{390, 300}, {390, 456}, {390, 500}, {536, 536}, {704, 420}, {820, 520}, {1280, 720}}

// TestTemperingScenes lays the views of the ladder out whole, empty, small and damaged: marks are finite, and no word
// leaves the canvas or lies on another one.
func TestTemperingScenes(t *testing.T) {
	nan := math.NaN()
	odd := func(x frame.Travel) []*frame.Frame {
		return []*frame.Frame{{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, nan, 1},
			Occupancy: []float64{nan, 0, 1e9},
			LogZ:      []float64{0, 1, nan}, Guesses: []frame.Guess{{LogZ: []float64{0, nan, math.Inf(1)}},
				{Sweeps: nan, LogZ: []float64{0, 1e300, 2}, LogC: []float64{nan, math.Inf(-1), 0}},
				{Sweeps: 3, LogZ: []float64{1, 2}}}}},
			Curves: []frame.Curve{{Method: "rts"}}, Travels: []frame.Travel{x}}}
	}
	all := map[string][]*frame.Frame{
		"whole": rendertest.Travelling(24, 14), "many": rendertest.Travelling(300, 180), "two": rendertest.Travelling(2, 0), "empty": nil,
		"guesses": rendertest.Guessing("rts", 24, 8, true), "many guesses": rendertest.Guessing("rts", 200, 40, true), "adapting": rendertest.Adapting(),
		"one guess": rendertest.Guessing("rts", 2, 1, false),
		"bare":      odd(frame.Travel{}),
		"unknown": odd(frame.Travel{Methods: []string{"rts"}, Chains: 1, Every: 1, Steps: -4,
			Paths: [][]int32{{0, -7, 1 << 30}},
			Trips: []int32{-1}, Turns: [][]int32{{5, 2, 1 << 30, 4}}, Up: []float64{nan, 7, math.Inf(1)},
			Visits: []float64{nan, 0, math.Inf(1)}, Matrix: []float64{nan, 0, 1, math.Inf(1), -3, nan, 0, 0, 1}}),
		"no turns": odd(frame.Travel{Chains: 2, Every: 9, Paths: [][]int32{{}, {1}}, Trips: []int32{0, 0}}),
	}
	for name, fs := range all {
		p := rendertest.Stage(fs...)
		for _, scene := range []string{"trips", "visits", "heat", "rounds", "weights"} {
			for _, size := range temperingSizes {
				a := rendertest.Area(size[0], size[1], 1)
				rendertest.Check(t, name+" as "+scene, a, rendertest.Draw(scene, a, p))
				for _, at := range []paint.Point{{X: size[0] * 0.3, Y: size[1] * 0.5}, {X: size[0] * 0.8, Y: size[1] * 0.7}} {
					a.Pointer = paint.NewPointer(at)
					rendertest.Draw(scene, a, p)
					if _, text := a.Tooltip(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
						t.Errorf("%s as %s reads %q", name, scene, text)
					}
				}
			}
		}
	}
}

// at is what a scene reads at a place.
func at(scene string, p *stage.Stage, w, h float64, q paint.Point) string {
	a := rendertest.Area(w, h, 1)
	a.Pointer = paint.NewPointer(q)
	rendertest.Draw(scene, a, p)
	_, text := a.Tooltip()
	return text
}

// TestTripMarks: a strip for each chain with the count of its trips, and the latest one of them in colour.
func TestTripMarks(t *testing.T) {
	travel := frame.Travel{Methods: []string{"rts"}, Chains: 40, Steps: 12, Total: 7, Every: 1,
		Paths: [][]int32{{0, 1, 2, 1, 0, 1, 2, 2, 1, 0, 1}, {1, 1, 1, 1, 0, 0, 1, 1}}, Trips: []int32{2, 0},
		Turns: [][]int32{{1, 3, 5, 7, 10}, {5}}, Up: []float64{1, 0.5, 0}}
	p := rendertest.Stage(&frame.Frame{Travels: []frame.Travel{travel}})
	a := rendertest.Area(704, 420, 1)
	ls := rendertest.Draw("trips", a, p)
	coloured, turns := 0, 0
	for _, m := range ls[1].Marks {
		if m.Kind == paint.Wires && m.Colors != nil {
			coloured++
		}
		if m.Kind == paint.Disc {
			turns++
		}
	}
	if coloured != 1 || turns != 3 {
		t.Errorf("%d latest trips with %d turning points, want 1 with 3", coloured, turns)
	}
	if s := rendertest.Reads(ls); !strings.Contains(s, "7|") || !strings.Contains(s, "On the way up|") ||
		!strings.Contains(s, "2 of 40 chains") {
		t.Errorf("words %q", s)
	}
	if s := at("trips", p, 704, 420, paint.Pt(200, 70)); s != "Chain 1, round trips: 2, the latest took 5 sweeps" {
		t.Errorf("the first strip reads %q", s)
	}
	if s := at("trips", p, 704, 420, paint.Pt(640, 215)); s != "Rung 2, 50 % of the visits here are on the way up" {
		t.Errorf("the middle rung reads %q", s)
	}
}

// TestHeatMarks: the shades are those of the matrix, a gap between neighbours carries a sign, and a cell says in a
// sentence what it means.
func TestHeatMarks(t *testing.T) {
	m := []float64{0.7, 0.3, 0, 0.3, 0.69, 0.01, 0, 0.01, 0.99}
	p := rendertest.Stage(&frame.Frame{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 0.5, 1}}},
		Travels: []frame.Travel{{Methods: []string{"rts"}, Matrix: m}}})
	a := rendertest.Area(704, 420, 1)
	ls := rendertest.Draw("heat", a, p)
	v := &heatView{a: a}
	for i, o := range m {
		if c := ls[0].Marks[i].Color; c != v.shadeOf(o) {
			t.Errorf("cell %d is %v, want %v", i, c, v.shadeOf(o))
		}
	}
	if n := len(rendertest.All(ls, paint.Triangle)); n != 1 {
		t.Errorf("%d signs, want 1", n)
	}
	box := ls[0].Marks[0].Box // of the first row and column: below, at the left
	for want, q := range map[string]paint.Point{
		"Rung 1 → Rung 2, β = 0 → 0.5, overlap 0.30, 30 of 100 draws of the first would do for the second": {
			X: box.X + 1.5*box.W, Y: box.Y + box.H/2},
		"Rung 3 → Rung 1, β = 1 → 0, overlap 0.00, fewer than 1 of 100 draws would do there too": {X: box.X + box.W/2,
			Y: box.Y - 1.5*box.H},
	} {
		if s := at("heat", p, 704, 420, q); s != want {
			t.Errorf("%v reads %q, want %q", q, s, want)
		}
	}
}

// TestVisitMarks: bars go up from the plan where visits are too many and down where they are too few, by the log.
func TestVisitMarks(t *testing.T) {
	p := rendertest.Stage(&frame.Frame{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 0.5, 1},
		Occupancy: []float64{2, 0.5, 0.05}}}, Curves: []frame.Curve{{Method: "rts"}},
		Travels: []frame.Travel{{Methods: []string{"rts"}, Visits: []float64{1, 1, 1}}}})
	ls := rendertest.Draw("visits", rendertest.Area(704, 420, 1), p)
	bars := rendertest.All(ls[1:2], paint.Fill)
	if len(bars) != 3 || math.Abs(bars[0].Box.H-bars[1].Box.H) > 1.5 || bars[0].Box.Y >= bars[1].Box.Y ||
		math.Abs(bars[2].Box.H/bars[1].Box.H-math.Log(20)/math.Log(2)) > 0.05 {
		t.Errorf("bars %+v", bars)
	}
	if n := len(rendertest.All(ls, paint.Triangle)); n != 1 {
		t.Errorf("%d signs, want 1", n)
	}
	if n := len(rendertest.All(ls[2:3], paint.Disc)); n != 3 {
		t.Errorf("%d counts, want 3", n)
	}
}

// TestGuessMarks: one line for each guess and one for the exact curve, the newest strongest, and how far guesses were.
func TestGuessMarks(t *testing.T) {
	p := rendertest.Stage(rendertest.Guessing("rts", 24, 6, true)...)
	ls := rendertest.Draw("rounds", rendertest.Area(704, 420, 1), p)
	lines, widest := 0, 0.0
	for _, m := range rendertest.All(ls[1:2], paint.Stroke) {
		lines++
		widest = max(widest, m.Width)
	}
	if lines != 13 || widest != 2.25 {
		t.Errorf("%d lines, the widest %v; want 6 guesses, the exact curve and 6 shares", lines, widest)
	}
	l := &frame.Ladder{Beta: []float64{0, 0.5, 1}, Exact: []float64{5, 6, 7}, Guesses: []frame.Guess{
		{Sweeps: 10, LogZ: []float64{0, 4, 5}}, {Sweeps: 20, LogZ: []float64{5, 6, 7}},
		{Sweeps: 30, LogZ: []float64{1, 3, 3}}}}
	if pts := farness(l); len(pts) != 2 || pts[0].SE != 3 || pts[1].SE != math.Sqrt(0.5) {
		t.Errorf("guesses are off by %+v, want 3 and the root of 1/2", pts)
	}
	s := rendertest.Reads(rendertest.Draw("weights", rendertest.Area(704, 420, 1), rendertest.Stage(rendertest.Adapting()...)))
	if !strings.Contains(s, "WL|") || !strings.Contains(s, "SAMS|") {
		t.Errorf("words %q", s)
	}
}
