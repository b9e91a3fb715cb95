package render

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/render/paint"
)

// travelling are the frames of a tempered run whose chains walk over the ladder, slowly past one rung, with everything
// that is told of their way.
func travelling(rungs, bad int) []*frame.Frame {
	fs := overlapping(rungs, bad)
	r := rand.New(rand.NewPCG(8, 9))
	last := fs[len(fs)-1]
	t := frame.Travel{Methods: []string{"rts", "ts"}, Chains: 100, Steps: 1200, Every: 5}
	visits, up := make([]float64, rungs), make([]float64, rungs)
	for range 32 {
		k, ends, trips := r.IntN(rungs), 0, int32(0)
		var path, turns []int32
		for s := 1; s <= 1080; s++ {
			to := k + r.IntN(5) - 2
			if to >= 0 && to < rungs && !(k <= bad && to > bad || k > bad && to <= bad) || r.Float64() < 0.3 {
				k = min(max(to, 0), rungs-1)
			}
			switch {
			case k == 0 && ends != 1:
				if ends == 2 {
					trips++
				}
				ends, turns = 1, append(turns, int32(s))
			case k == rungs-1 && ends == 1:
				ends, turns = 2, append(turns, int32(s))
			}
			if s%5 == 0 {
				path = append(path, int32(k))
			}
			if ends > 0 {
				visits[k]++
			}
			if ends == 1 {
				up[k]++
			}
		}
		t.Paths, t.Turns, t.Trips = append(t.Paths, path), append(t.Turns, turns), append(t.Trips, trips)
		t.Total += 3 * int(trips)
	}
	for k := range visits {
		t.Up = append(t.Up, up[k]/visits[k])
		t.Visits = append(t.Visits, last.Ladders[len(last.Ladders)-1].Occupancy[k]*math.Exp(0.12*r.NormFloat64()))
	}
	t.Matrix = banded(min(rungs, frame.MaxOverlap), bad*min(rungs, frame.MaxOverlap)/rungs)
	last.Travels = []frame.Travel{t}
	return fs
}

// banded is an overlap matrix of n rows that falls off from the diagonal, with a gap above one row.
func banded(n, gap int) (m []float64) {
	for i := range n {
		row, sum := make([]float64, n), 0.0
		for j := range n {
			d := float64(i-j) / (1.2 + 2*float64(max(n-1-i, 0))/float64(n))
			row[j] = math.Exp(-0.5 * d * d)
			if (i <= gap) != (j <= gap) {
				row[j] *= 0.02
			}
			sum += row[j]
		}
		for _, x := range row {
			m = append(m, x/sum)
		}
	}
	return m
}

// guessing are the frames of a run whose guesses of log Z come closer to the exact curve.
func guessing(method string, rungs, rounds int, shares bool) []*frame.Frame {
	fs := climbing(rungs, rungs/2)
	r := rand.New(rand.NewPCG(12, 9))
	for _, f := range fs {
		if f.Method == "rts" {
			f.Method = method
		}
	}
	last := fs[len(fs)-1]
	for i := range last.Curves {
		last.Curves[i].Method = method
	}
	for i := range last.Ladders {
		last.Ladders[i].Method = method
	}
	l := &last.Ladders[len(last.Ladders)-1]
	for g := range rounds {
		done := 1 - math.Exp(-3.2*float64(g)/float64(max(rounds-1, 1)))
		guess := frame.Guess{Sweeps: 50 * float64(g+1)}
		sum := 0.0
		for k, z := range l.Exact {
			guess.LogZ = append(guess.LogZ, l.Exact[0]+(z-l.Exact[0])*done+
				0.02*(1.1-done)*r.NormFloat64()*math.Abs(z-l.Exact[0]))
			c := -12 * (1 - done) * math.Pow(float64(k)/float64(rungs-1), 0.7)
			guess.LogC, sum = append(guess.LogC, c+0.03*r.NormFloat64()), sum+math.Exp(c)
		}
		for k := range guess.LogC {
			guess.LogC[k] -= math.Log(sum)
			guess.Counts = append(guess.Counts, guess.LogC[k]+0.3*r.NormFloat64())
		}
		if !shares {
			guess.LogC, guess.Counts = nil, nil
		}
		l.Guesses = append(l.Guesses, guess)
	}
	return fs
}

// adapting are guesses of two methods that adapt, one faster than the other.
func adapting() []*frame.Frame {
	fs, other := guessing("wl", 24, 30, false), guessing("sams", 24, 18, false)
	last, from := fs[len(fs)-1], other[len(other)-1]
	last.Ladders, last.Curves = append(last.Ladders, from.Ladders...), append(last.Curves, from.Curves...)
	return append(other[:len(other)-1], fs...)
}

// crowd are histories of nine methods, seven of them readers of one run.
func crowd(final bool) []*frame.Frame {
	names := []string{"ais", "rts", "ts", "ti", "ti-rb", "bar", "mbar", "rts-stationary", "sams"}
	f := histories(final, names...)
	for i := range f.Curves {
		c := &f.Curves[i]
		if i > 0 && i < 8 { // readers of one run err together
			c.Run = 1
			for j := range c.Points {
				q, to := &c.Points[j], f.Curves[1].Points[j]
				q.LogZ, q.SE = to.LogZ+0.03*float64(i-4)+0.1*(q.LogZ-to.LogZ)*0.1, to.SE*(1+0.05*float64(i))
			}
		} else if i == 8 {
			c.Run = 8
		}
	}
	return []*frame.Frame{f}
}

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
		"whole": travelling(24, 14), "many": travelling(300, 180), "two": travelling(2, 0), "empty": nil,
		"guesses": guessing("rts", 24, 8, true), "many guesses": guessing("rts", 200, 40, true), "adapting": adapting(),
		"one guess": guessing("rts", 2, 1, false),
		"bare":      odd(frame.Travel{}),
		"unknown": odd(frame.Travel{Methods: []string{"rts"}, Chains: 1, Every: 1, Steps: -4,
			Paths: [][]int32{{0, -7, 1 << 30}},
			Trips: []int32{-1}, Turns: [][]int32{{5, 2, 1 << 30, 4}}, Up: []float64{nan, 7, math.Inf(1)},
			Visits: []float64{nan, 0, math.Inf(1)}, Matrix: []float64{nan, 0, 1, math.Inf(1), -3, nan, 0, 0, 1}}),
		"no turns": odd(frame.Travel{Chains: 2, Every: 9, Paths: [][]int32{{}, {1}}, Trips: []int32{0, 0}}),
	}
	for name, fs := range all {
		p := picturing(fs...)
		for _, scene := range []string{"trips", "visits", "heat", "rounds", "weights"} {
			for _, size := range temperingSizes {
				a := testArea(size[0], size[1], 1)
				check(t, name+" as "+scene, a, sceneNamed(scene).draw(a, p))
				for _, at := range []paint.Point{{X: size[0] * 0.3, Y: size[1] * 0.5}, {X: size[0] * 0.8, Y: size[1] * 0.7}} {
					a.Pointer = paint.NewPointer(at)
					sceneNamed(scene).draw(a, p)
					if _, text := a.Tooltip(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
						t.Errorf("%s as %s reads %q", name, scene, text)
					}
				}
			}
		}
	}
}

// at is what a scene reads at a place.
func at(scene string, p *Picture, w, h float64, q paint.Point) string {
	a := testArea(w, h, 1)
	a.Pointer = paint.NewPointer(q)
	sceneNamed(scene).draw(a, p)
	_, text := a.Tooltip()
	return text
}

// TestTripMarks: a strip for each chain with the count of its trips, and the latest one of them in colour.
func TestTripMarks(t *testing.T) {
	travel := frame.Travel{Methods: []string{"rts"}, Chains: 40, Steps: 12, Total: 7, Every: 1,
		Paths: [][]int32{{0, 1, 2, 1, 0, 1, 2, 2, 1, 0, 1}, {1, 1, 1, 1, 0, 0, 1, 1}}, Trips: []int32{2, 0},
		Turns: [][]int32{{1, 3, 5, 7, 10}, {5}}, Up: []float64{1, 0.5, 0}}
	p := picturing(&frame.Frame{Travels: []frame.Travel{travel}})
	a := testArea(704, 420, 1)
	ls := trips(a, p)
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
	if s := reads(ls); !strings.Contains(s, "7|") || !strings.Contains(s, "On the way up|") ||
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
	p := picturing(&frame.Frame{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 0.5, 1}}},
		Travels: []frame.Travel{{Methods: []string{"rts"}, Matrix: m}}})
	a := testArea(704, 420, 1)
	ls := heat(a, p)
	v := &heatView{a: a}
	for i, o := range m {
		if c := ls[0].Marks[i].Color; c != v.shadeOf(o) {
			t.Errorf("cell %d is %v, want %v", i, c, v.shadeOf(o))
		}
	}
	if n := len(all(ls, paint.Triangle)); n != 1 {
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
	p := picturing(&frame.Frame{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 0.5, 1},
		Occupancy: []float64{2, 0.5, 0.05}}}, Curves: []frame.Curve{{Method: "rts"}},
		Travels: []frame.Travel{{Methods: []string{"rts"}, Visits: []float64{1, 1, 1}}}})
	ls := visits(testArea(704, 420, 1), p)
	bars := all(ls[1:2], paint.Fill)
	if len(bars) != 3 || math.Abs(bars[0].Box.H-bars[1].Box.H) > 1.5 || bars[0].Box.Y >= bars[1].Box.Y ||
		math.Abs(bars[2].Box.H/bars[1].Box.H-math.Log(20)/math.Log(2)) > 0.05 {
		t.Errorf("bars %+v", bars)
	}
	if n := len(all(ls, paint.Triangle)); n != 1 {
		t.Errorf("%d signs, want 1", n)
	}
	if n := len(all(ls[2:3], paint.Disc)); n != 3 {
		t.Errorf("%d counts, want 3", n)
	}
}

// TestGuessMarks: one line for each guess and one for the exact curve, the newest strongest, and how far guesses were.
func TestGuessMarks(t *testing.T) {
	p := picturing(guessing("rts", 24, 6, true)...)
	ls := rounds(testArea(704, 420, 1), p)
	lines, widest := 0, 0.0
	for _, m := range all(ls[1:2], paint.Stroke) {
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
	s := reads(weights(testArea(704, 420, 1), picturing(adapting()...)))
	if !strings.Contains(s, "WL|") || !strings.Contains(s, "SAMS|") {
		t.Errorf("words %q", s)
	}
}

// TestTraceMany: of nine methods all are named, readers of one run stand together under its cost, one stands out, and
// a tap or the arrow keys choose which.
func TestTraceMany(t *testing.T) {
	for _, size := range temperingSizes {
		for _, final := range []bool{true, false} {
			a := testArea(size[0], size[1], 1)
			p := picturing(crowd(final)...)
			ls := trace(a, p)
			check(t, "nine methods", a, ls)
			s := reads(ls)
			for _, want := range []string{"AIS|", "RTS|", "TS|", "TI|", "TI-RB|", "BAR|", "MBAR|", "RTS-STATIONARY|", "SAMS|",
				"exact|", "one run|"} {
				if !strings.Contains("|"+s, "|"+want) {
					t.Errorf("at %v the names %q lack %q", size, s, want)
				}
			}
		}
	}
	spike := crowd(true)
	spike[0].Curves[3].Points[70].LogZ = -500
	q := picturing(spike...)
	if lo, hi := valueRange(q, q.drawable(testArea(704, 456, 1))); lo < 205 || hi > 235 {
		t.Errorf("one late value of one of many stretches the axis to [%v, %v]", lo, hi)
	}
	p := picturing(crowd(true)...)
	bright := func() (out int) {
		a := testArea(704, 456, 1)
		cs := p.drawable(a)
		d := newChart(a, p, cs)
		d.light(a, p, cs)
		return d.bright
	}
	p.focus = "mbar"
	if bright() != 6 {
		t.Errorf("%d stands out, want mbar", bright())
	}
	p.lightNext("ArrowDown")
	if bright() != 7 {
		t.Errorf("after the arrow %d stands out, want the next one", bright())
	}
	if !p.lightNext("Escape") || bright() != 6 || p.lightNext("Escape") {
		t.Error("Escape does not give up the choice")
	}
	s := NewStage()
	s.SetScene("trace")
	s.fit(704, 456, 1)
	s.w, s.h = 704, 456
	for _, f := range crowd(true) {
		s.Take(f)
	}
	s.layers()
	for _, tap := range s.taps {
		s.Tap(tap.Box.X+tap.Box.W/2, tap.Box.Y+tap.Box.H/2)
		break
	}
	if s.picture.lit == "" {
		t.Error("a tap on a name chooses nothing")
	}
}
