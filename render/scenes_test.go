package render

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/internal/rendertest"
	"logzlab/render/paint"
	"logzlab/render/scene"
	"logzlab/render/stage"
	"logzlab/render/vocabulary"
)

// TestScenes lays out all shows at all sizes, and all frames in all scenes at small sizes.
func TestScenes(t *testing.T) {
	for name, show := range rendertest.Shows {
		of, fs := show.Scene, show.Frames()
		p := rendertest.StageWith(fs...)
		for _, size := range rendertest.Sizes {
			for _, theme := range size.Themes {
				th := paint.Themes[theme]
				a := rendertest.Area(size.W, size.H, size.Scale)
				a.Unit, a.Theme, a.Fonts = size.Scale*th.Zoom, th, paint.NewFonts(size.Scale*th.Zoom, false)
				rendertest.CheckMarks(t, name+" "+size.Name+" "+theme, a, rendertest.Draw(of, a, p))
			}
		}
		for _, size := range [][2]float64{{1, 1}, {100, 60}, {160, 160}, {250, 180}, {320, 240}, {480, 320}, {2000, 300},
			{300, 1500}} {
			a := rendertest.Area(size[0], size[1], 1)
			for other := range scene.Makers { // any frames in any scene
				for _, l := range rendertest.Draw(other, a, p) {
					for _, m := range l.Marks {
						if !num.Finite(m.At.X + m.At.Y + m.R + m.Box.X + m.Box.Y + m.Box.W + m.Box.H) {
							t.Fatalf("%s as %s at %v: %+v", name, other, size, m)
						}
					}
				}
			}
		}
	}
}

// TestOddLadders draws ladders with one rung, one row, or unknown values.
func TestOddLadders(t *testing.T) {
	nan := math.NaN()
	row := func(rung, rungs int, beta float32) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "rts", N: 1, Total: 1, Rungs: rungs, Rung: []int32{int32(rung)},
			Beta: []float32{beta}}
	}
	for name, fs := range map[string][]*frame.Frame{
		"one rung":        {row(0, 1, 1)},
		"one row":         {row(3, 8, 0.5)},
		"rung off ladder": {row(9, 8, 0.5)},
		"two rungs": {row(1, 2, 1), {Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 1},
			Occupancy: []float64{0, 1e9}, LogZ: []float64{0, 5}}}}},
		"all unknown": {row(1, 3, 1), {Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{nan, nan, nan},
			Occupancy: []float64{nan, nan, nan}, LogZ: []float64{nan, nan, nan}, SE: []float64{nan, nan, nan},
			Exact: []float64{nan, nan, nan}}}}},
		"infinite": {row(1, 3, 1), {Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 0.5, 1},
			Occupancy: []float64{1, math.Inf(1), 0}, LogZ: []float64{0, math.Inf(-1), 1e300},
			SE: []float64{0, math.Inf(1), 1}, Exact: []float64{0, 1, 2}}}}},
		"only a ladder": {{Ladders: []frame.Ladder{{Method: "ais", Beta: []float64{0, 1}, LogZ: []float64{0, 1},
			SE: []float64{0, 0.1}}}}},
		"of another shape": {row(1, 3, 1), {Ladders: []frame.Ladder{{Method: "rts", Beta: []float64{0, 1},
			LogZ: []float64{0, 1}}}}},
	} {
		p := rendertest.StageWith(fs...)
		for _, w := range []float64{704, 390} {
			a := rendertest.Area(w, 456, 1)
			rendertest.CheckMarks(t, name, a, rendertest.Draw("ladder", a, p))
		}
	}
	if s := rendertest.Texts(rendertest.Draw("ladder", rendertest.Area(704, 456, 1), stage.NewStage())); s != "No ladder yet|" {
		t.Errorf("an empty ladder reads %q", s)
	}
}

func TestLadderMarks(t *testing.T) {
	a := rendertest.Area(704, 456, 1)
	p := rendertest.StageWith(rendertest.LadderRun(24, 14)...)
	s := rendertest.Texts(rendertest.Draw("ladder", a, p))
	for _, want := range []string{"100 chains, last 60 sweeps|", "Occupancy|", "log Z by rung|", "Its error|", "now|",
		"c / r|", "0.059|", "\u03b2 = 0|", "\u03b2 = 1|"} {
		if !strings.Contains(s, want) {
			t.Errorf("the ladder %q lacks %q", s, want)
		}
	}
	var title, unit paint.Point // of the panel of errors
	ticks := 0
	labels := rendertest.MarksOfKind(rendertest.Draw("ladder", a, p), paint.Text)
	for _, m := range labels {
		switch m.Text {
		case "Its error":
			title = m.At
		case "nats":
			unit = m.At
		}
	}
	for _, m := range labels {
		if m.At.Y == unit.Y-16*a.Unit && m.At.X > title.X {
			ticks++
		}
	}
	if ticks < 2 {
		t.Errorf("%d ticks of the errors, want at least 2", ticks)
	}
	if n := len(rendertest.MarksOfKind(rendertest.Draw("ladder", a, p), paint.Triangle)); n != 1 {
		t.Errorf("%d caution signs for one failing rung, want 1", n)
	}
	p = rendertest.StageWith(rendertest.LadderRun(300, 180)...)
	if s := rendertest.Texts(rendertest.Draw("ladder", a, p)); !strings.Contains(s, "300 rungs|") {
		t.Errorf("the number of rungs, 300, is missing in %q", s)
	}
	s = rendertest.Texts(rendertest.Draw("ladder", rendertest.Area(390, 456, 1), p))
	if strings.Contains(s, "log Z") || !strings.Contains(s, "Occupancy|") {
		t.Errorf("on a phone the ladder reads %q", s)
	}
}

// TestTooltips moves the pointer over the canvas; tooltips must be on the canvas and contain the expected text.
func TestTooltips(t *testing.T) {
	for name, want := range map[string]string{"plane": "weight", "ladder": "c / r", "film": "units on",
		"wall": "log weight", "live": "work"} {
		scene, fs := rendertest.Shows[name].Scene, rendertest.Shows[name].Frames()
		p := rendertest.StageWith(fs...)
		hits := 0
		for y := 5.0; y < 456; y += 10 {
			for x := 5.0; x < 704; x += 10 {
				a := rendertest.Area(704, 456, 1)
				a.Pointer = paint.NewPointer(paint.Pt(x, y))
				rendertest.Draw(scene, a, p)
				l, text := a.Tooltip()
				if strings.Contains(text, want) {
					hits++
				}
				if (text == "") != (len(l.Marks) == 0) || strings.Contains(text, "NaN") || strings.Contains(text, "\n") {
					t.Fatalf("%s at %v, %v: tooltip %q with %d marks", name, x, y, text, len(l.Marks))
				}
				for _, m := range l.Marks {
					if b := m.Box; m.Kind == paint.Fill && (b.X < 0 || b.Y < 0 || b.X+b.W > 704 || b.Y+b.H > 456) {
						t.Fatalf("%s: the tooltip at %v leaves the canvas", name, b)
					}
				}
			}
		}
		if hits < 100 {
			t.Errorf("%s: %d positions with %q in the tooltip, want at least 100", name, hits, want)
		}
	}
}

// TestWords encloses each word of the vocabulary in quotation marks and looks for words without.
func TestWords(t *testing.T) {
	marked := map[string]string{}
	for _, w := range vocabulary.Words {
		marked[w] = "\u00ab" + w + "\u00bb"
	}
	inside := regexp.MustCompile("\u00ab[^\u00ab\u00bb]*\u00bb")
	for name, show := range rendertest.Shows {
		scene, fs := show.Scene, show.Frames()
		p := rendertest.StageWith(fs...)
		a := rendertest.Area(704, 600, 1)
		a.Words = marked
		a.Pointer = paint.NewPointer(paint.Pt(300, 250))
		ls := rendertest.Draw(scene, a, p)
		tip, _ := a.Tooltip()
		var texts []string // joined: a sentence can have several lines, and contain another word
		for _, m := range rendertest.MarksOfKind(append(ls, tip), paint.Text) {
			texts = append(texts, m.Text)
		}
		rest := strings.Join(texts, " ")
		for inside.MatchString(rest) {
			rest = inside.ReplaceAllString(rest, "")
		}
		for _, known := range []string{"STATIONARY", "MBAR", "BAR", "SAMS", "WL", "TI", "RB", "log c", "log Z",
			"AIS", "RTS", "TS", "ARM", "RM", "IS", "n =", "J =",
			"artanh \u03c6", "log \u03c3\u00b2", "log q", "log r", "\u03bc", "\u03b8", "c / r", "x =", "y =", "sm08",
			"\u00a0k", "\u00a0M", "e\u2212", "e-", "\u03c3\u00b2", "N", "\u00b5s",
			"\u221ag", "rates", "smoothed", "clipped", "biases", "uniform", "fitted"} {
			rest = strings.ReplaceAll(rest, known, "")
		}
		for _, word := range strings.Fields(rest) {
			if word != "x" && word != "y" && word != "t" && // axes
				strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) && r != '\u03b2' }) {
				t.Errorf("%s: %q is not in vocabulary.Words", name, word)
			}
		}
	}
}
