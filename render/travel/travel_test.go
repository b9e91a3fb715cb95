package travel

import (
	"math"
	"strings"
	"testing"

	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// measured returns a stage with a run on an equidistant ladder with given overlaps, visits and travels.
func measured(overlap []float64, occupancy []float64, travels ...frame.Travel) *stage.Stage {
	n := max(len(overlap)+1, len(occupancy))
	l := frame.Ladder{Method: "rts", Overlap: overlap, Occupancy: occupancy}
	for k := range n {
		l.Beta = append(l.Beta, float64(k)/float64(n-1))
	}
	return rendertest.StageWith(&frame.Frame{Curves: []frame.Curve{{Method: "rts"}}, Ladders: []frame.Ladder{l},
		Travels: travels})
}

// barsOf returns the bars of a picture: boxes wider than ticks and narrower than the plot.
func barsOf(ls []paint.Layer, least float64) (out []paint.Mark) {
	for _, m := range rendertest.MarksOfKind(ls, paint.Fill) {
		if m.Box.W >= least && m.Box.W < 70 {
			out = append(out, m)
		}
	}
	return out
}

// TestOverlapBars checks that heights are overlaps, that an unknown overlap has no bar, and that above a low one the
// missing part is drawn.
func TestOverlapBars(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	ls := rendertest.Draw("travel", a, measured([]float64{0.5, 0.25, 0.1, math.NaN(), 1}, nil))
	var tall []float64
	missing := 0.0
	for _, m := range barsOf(ls, 20) {
		if m.Color == paint.Mix(paint.Light.Ground, paint.Light.Caution, 0.28) {
			missing = m.Box.H
		} else {
			tall = append(tall, m.Box.H)
		}
	}
	if len(tall) != 4 {
		t.Fatalf("%d bars, want 4", len(tall))
	}
	for i, o := range []float64{0.5, 0.25, 0.1} {
		if math.Abs(tall[i]/tall[3]-o) > 0.01 {
			t.Errorf("bar %d has relative height %v, want %v", i, tall[i]/tall[3], o)
		}
	}
	if math.Abs(missing/tall[3]-lowOverlap) > 0.01 {
		t.Errorf("the missing part ends at %v, want %v", missing/tall[3], lowOverlap)
	}
	if s := rendertest.Texts(ls); !strings.Contains(s, "below the line: add a rung|") || !strings.Contains(s, "6 rungs|") {
		t.Errorf("texts %q", s)
	}
}

// TestHeadline checks that both questions are answered, with a sign for good or bad, and that a run that is not over
// is not judged by its trips.
func TestHeadline(t *testing.T) {
	for _, c := range []struct {
		overlap []float64
		total   int
		state   string
		want    string
		bad     int
	}{
		{[]float64{0.5, 0.12, 0.4}, 1234, "done", "Neighbours overlap by 0.12 at least, at β = 0.33: too little|" +
			"1,234 round trips by 40 chains: they travel|", 1},
		{[]float64{0.5, 0.3, 0.4}, 0, "done", "Neighbours overlap by 0.30 at least, at β = 0.33: enough|" +
			"No round trip by 40 chains: they do not travel|", 1},
		{[]float64{1e-4, 0.3, 0.4}, 1, "done", "Neighbours overlap by < 0.01 at least, at β = 0: too little|" +
			"1 round trip by 40 chains: too few|", 2},
		{[]float64{0.5}, 9, "done", "Neighbours overlap by 0.50 at least, at β = 0: enough|" +
			"9 round trips by 40 chains: too few|", 1},
		{nil, 0, "running", "No round trip so far by 40 chains|", 0},
		{nil, 1, "running", "1 round trip so far by 40 chains|", 0},
		{nil, 2, "running", "2 round trips so far by 40 chains|", 0},
		{nil, 10, "running", "10 round trips by 40 chains: they travel|", 0},
	} {
		p := measured(c.overlap, []float64{1, 1, 1, 1}[:max(len(c.overlap)+1, 2)],
			frame.Travel{Methods: []string{"rts"}, Chains: 40, Total: c.total})
		p.Run.State = runstate.Run(c.state)
		a := rendertest.Area(704, 456, 1)
		ls := rendertest.Draw("travel", a, p)
		top := ls[len(ls)-1:]
		if s := rendertest.Texts(top); s != c.want {
			t.Errorf("headline = %q, want %q", s, c.want)
		}
		if n := len(rendertest.MarksOfKind(top, paint.Triangle)); n != c.bad {
			t.Errorf("%q has %d caution signs, want %d", c.want, n, c.bad)
		}
		if s, want := rendertest.SceneOf[*travel](p).Describe(a), strings.ReplaceAll(strings.Trim(c.want, "|"), "|", ". "); s != want {
			t.Errorf("Describe = %q, want %q", s, want)
		}
	}
	s := rendertest.Texts(rendertest.Draw("travel", rendertest.Area(330, 300, 1), measured([]float64{0.5, 0.1234}, nil)))
	if !strings.Contains(s, "Least overlap 0.12, at β = 0.50: too little|") {
		t.Errorf("the short headline is missing in %q", s)
	}
}

// TestVisitBars checks that bars go up from 1 for too many visits and down for too few, on a log scale, that rings are
// counts, and that the worst bar has a caution sign.
func TestVisitBars(t *testing.T) {
	p := measured(nil, []float64{2, 0.5, 0.05}, frame.Travel{Methods: []string{"rts"}, Visits: []float64{1, 2, 1}})
	ls := rendertest.Draw("travel", rendertest.Area(704, 420, 1), p)
	bars := barsOf(ls, 40)
	if len(bars) != 3 || math.Abs(bars[0].Box.H-bars[1].Box.H) > 1.5 || bars[0].Box.Y >= bars[1].Box.Y ||
		math.Abs(bars[2].Box.H/bars[1].Box.H-math.Log(20)/math.Log(2)) > 0.05 {
		t.Fatalf("bars %+v", bars)
	}
	rings := rendertest.MarksOfKind(ls[:2], paint.Disc)
	if len(rings) != 3 || rings[0].At.Y != rings[2].At.Y || rings[0].Hollow == 0 ||
		math.Abs(rings[0].At.Y-rings[1].At.Y-bars[0].Box.H) > 1.5 {
		t.Errorf("rings %+v", rings)
	}
	if s := rendertest.Texts(ls); !strings.Contains(s, "|0.05|") || !strings.Contains(s, "counted|") ||
		len(rendertest.MarksOfKind(ls, paint.Triangle)) != 1 {
		t.Errorf("texts %q", s)
	}
}

// TestWayUp checks the dots of the shares of visits on the way up, and that panels without data are omitted.
func TestWayUp(t *testing.T) {
	p := rendertest.StageWith(&frame.Frame{Travels: []frame.Travel{{Methods: []string{"rts"}, Chains: 40, Total: 7,
		FractionUp: []float64{1, 0.75, math.NaN(), 0}}}})
	ls := rendertest.Draw("travel", rendertest.Area(704, 420, 1), p)
	dots := rendertest.MarksOfKind(ls, paint.Dots)
	if len(dots) != 1 || len(dots[0].Pts) != 3 {
		t.Fatalf("dots %+v", dots)
	}
	q := dots[0].Pts
	if math.Abs((q[2].Y-q[1].Y)/(q[2].Y-q[0].Y)-0.75) > 0.01 || math.Abs((q[1].X-q[0].X)*3-(q[2].X-q[0].X)) > 0.1 {
		t.Errorf("dots at %v", q)
	}
	if s := rendertest.Texts(ls); strings.Contains(s, "Overlap") || strings.Contains(s, "Visits") ||
		!strings.Contains(s, "Share of the visits on the way up|") || !strings.Contains(s, "4 rungs|") {
		t.Errorf("texts %q", s)
	}
}

// TestGroups checks that if there are too many rungs, the worst of each group is drawn.
func TestGroups(t *testing.T) {
	overlap, visits := make([]float64, 999), make([]float64, 1000)
	for k := range overlap {
		overlap[k] = 0.5
	}
	for k := range visits {
		visits[k] = 1.5
	}
	overlap[500], visits[700] = 0.05, 1.0/64
	p := measured(overlap, visits)
	ls := rendertest.Draw("travel", rendertest.Area(704, 456, 1), p)
	if s := rendertest.Texts(ls); !strings.Contains(s, "1,000 rungs, each bar the worst of ") ||
		!strings.Contains(s, "by 0.05 at least, at β = 0.50: too little|") || !strings.Contains(s, "|0.05|") ||
		!strings.Contains(s, "0.016|") {
		t.Errorf("texts %q", s)
	}
	if n := len(barsOf(ls, 2)); n > 2*150 {
		t.Errorf("%d bars, want at most 300", n)
	}
	s := rendertest.Texts(rendertest.Draw("travel", rendertest.Area(390, 456, 1), p))
	if !strings.Contains(s, "each bar the worst of ") {
		t.Errorf("texts on a phone: %q", s)
	}
	score := []float64{1, 3, math.NaN(), 2, math.NaN()}
	xs, worst := bars(5, 2, 0.5, func(k int) float64 { return score[k] })
	if len(xs) != 3 || xs[0] != 1 || xs[2] != 4.5 || worst[0] != 1 || worst[1] != 3 || worst[2] != 4 {
		t.Errorf("groups at %v with worst values %v", xs, worst)
	}
}

// TestTooltips checks the tooltips of bars and dots.
func TestTooltips(t *testing.T) {
	p := measured([]float64{0.5, 0.25, 0.1, 0.3}, []float64{1, 1.5, 2, 0.5, 1}, frame.Travel{Methods: []string{"rts"},
		Chains: 9, Total: 12, Visits: []float64{1, 1, 1, 0.4, 1}, FractionUp: []float64{1, 0.8, 0.5, 0.3, 0}})
	for want, at := range map[string]paint.Point{
		"Rungs 4 – 5, β = 0.75 – 1, overlap 0.30":                                      {X: 560, Y: 120},
		"Rung 4, β = 0.75, c / r = 0.5, counted 0.4":                                   {X: 500, Y: 240},
		"Rung 2, β = 0.25, 80 % of the visits here are on the way up, round trips: 12": {X: 240, Y: 360},
	} {
		a := rendertest.Area(704, 456, 1)
		a.Pointer = paint.NewPointer(at)
		rendertest.Draw("travel", a, p)
		if _, text := a.Tooltip(); text != strings.ReplaceAll(want, "80 %", "80\u00a0%") && text != want {
			t.Errorf("tooltip at %v = %q, want %q", at, text, want)
		}
	}
}

// TestPanels checks which panels are omitted on small canvases.
func TestPanels(t *testing.T) {
	p := rendertest.StageWith(rendertest.TravelFrames(24, 14)...)
	for size, want := range map[[2]float64]string{{704, 456}: "Overlap Visits Share", {390, 456}: "Overlap Visits Share",
		{390, 300}: "Overlap Share", {341, 300}: "Overlap Share", {390, 200}: "Overlap"} {
		s := rendertest.Texts(rendertest.Draw("travel", rendertest.Area(size[0], size[1], 1), p))
		var got []string
		for _, title := range []string{"Overlap of", "Visits against", "Share of"} {
			if strings.Contains(s, title) {
				got = append(got, strings.Fields(title)[0])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v shows %v, want %s", size, got, want)
		}
	}
}

// TestLayouts lays out both scenes with complete, missing, few and damaged data: marks are finite, words neither leave
// the canvas nor overlap, and tooltips contain no NaN.
func TestLayouts(t *testing.T) {
	nan := math.NaN()
	odd := func(x frame.Travel) []*frame.Frame {
		return []*frame.Frame{{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, nan, 1},
			Occupancy: []float64{nan, 0, 1e9}, Overlap: []float64{nan, math.Inf(1)}, LogZ: []float64{0, 1, nan},
			Guesses: []frame.Guess{{LogZ: []float64{0, nan, math.Inf(1)}}, {Sweeps: nan, LogZ: []float64{0, 1e300, 2}},
				{Sweeps: 3, LogZ: []float64{1, 2}}}}},
			Curves: []frame.Curve{{Method: "rts"}}, Travels: []frame.Travel{x}}}
	}
	all := map[string][]*frame.Frame{
		"whole": rendertest.TravelFrames(24, 14), "good": rendertest.TravelFrames(24, -9), "two": rendertest.TravelFrames(2, 0),
		"many": rendertest.TravelFrames(300, 180), "few": rendertest.LadderRunOverlaps(8, 4), "empty": nil,
		"guesses": rendertest.GuessFrames("rts", 24, 8, true), "many guesses": rendertest.GuessFrames("rts", 200, 40, true),
		"adapting": rendertest.AdaptiveGuesses(), "one guess": rendertest.GuessFrames("rts", 2, 1, false),
		"planned": append(rendertest.TravelFrames(24, 14), rendertest.PlanFrame("exp:2", 24)),
		"plan":    {rendertest.PlanFrame("exp:2", 24)},
		"bare":    odd(frame.Travel{}),
		"unknown": odd(frame.Travel{Methods: []string{"rts"}, Chains: 1, Total: -1, FractionUp: []float64{nan, 7, math.Inf(1)},
			Visits: []float64{nan, 0, math.Inf(1)}}),
		"another size": odd(frame.Travel{Methods: []string{"rts"}, Chains: 2, FractionUp: []float64{1, 0}, Visits: []float64{1}}),
	}
	for name, fs := range all {
		p := rendertest.StageWith(fs...)
		rendertest.SceneOf[*travel](p).showPlan = name == "planned"
		for _, scene := range []string{"travel", "weights"} {
			for _, size := range [][2]float64{{341, 300}, {390, 300}, {390, 456}, {390, 500}, {536, 536}, {704, 420},
				{820, 520}, {1280, 720}} {
				a := rendertest.Area(size[0], size[1], 1)
				rendertest.CheckMarks(t, name+" as "+scene, a, rendertest.Draw(scene, a, p))
				for _, at := range []paint.Point{{X: size[0] * 0.3, Y: size[1] * 0.3}, {X: size[0] * 0.5, Y: size[1] * 0.5},
					{X: size[0] * 0.8, Y: size[1] * 0.8}} {
					a.Pointer = paint.NewPointer(at)
					rendertest.Draw(scene, a, p)
					if _, text := a.Tooltip(); strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
						t.Errorf("%s as %s: tooltip %q", name, scene, text)
					}
				}
			}
		}
	}
}

// TestGlide checks that bars move gradually to the values of the next frame, and at once if animations are turned off.
func TestGlide(t *testing.T) {
	for _, still := range []bool{false, true} {
		a := rendertest.Area(704, 456, 1)
		a.Still = still
		s := measured([]float64{0.2, 1}, nil)
		height := func(now float64) float64 {
			s.Run.Now = now
			bars := barsOf(rendertest.Draw("travel", a, s), 20)
			return bars[0].Box.H / bars[1].Box.H
		}
		height(1)
		s.Take(&frame.Frame{Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 0.5, 1}, Overlap: []float64{0.6, 1}}}})
		begin, halfway, end := height(2), height(2.15), height(3)
		want := []float64{0.2, 0.4, 0.6}
		if still {
			want = []float64{0.6, 0.6, 0.6}
		}
		for i, got := range []float64{begin, halfway, end} {
			if math.Abs(got-want[i]) > 0.02 {
				t.Errorf("still %v: relative height %v, want %v", still, got, want[i])
			}
		}
	}
}
