package render

import (
	"math"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/render/vocabulary"
)

// textBox is where a text stands, for tests of overlaps.
func textBox(a *area, m mark) rect {
	w := a.fonts.width(m.text, m.style)
	x := m.at.x
	switch m.align {
	case centre:
		x -= w / 2
	case right:
		x -= w
	}
	return rect{x, m.at.y - 9*a.u, w, 11 * a.u}
}

// check fails for marks that are not finite, texts that leave the canvas and texts
// that overlap.
func check(t *testing.T, name string, a *area, ls []layer) {
	t.Helper()
	var texts []mark
	for _, l := range ls {
		for _, m := range l.marks {
			v := m.at.x + m.at.y + m.r + m.box.x + m.box.y + m.box.w + m.box.h + m.width
			for _, q := range m.pts {
				v += q.x + q.y
			}
			for _, q := range m.more {
				v += q.x + q.y
			}
			for _, r := range m.radii {
				v += r
			}
			if !num.Finite(v) {
				t.Errorf("%s has a mark that cannot be drawn: %+v", name, m)
				return
			}
			if m.kind == dots && (len(m.pts) != len(m.radii) || len(m.pts) != len(m.colors)) ||
				m.kind == wires && m.colors != nil && 2*len(m.colors) != len(m.pts) ||
				m.kind == band && len(m.pts) != len(m.more) {
				t.Errorf("%s has a mark with %d points, %d radii, %d colours, %d more", name, len(m.pts), len(m.radii),
					len(m.colors), len(m.more))
			}
			if m.kind == words {
				texts = append(texts, m)
			}
		}
	}
	for i, m := range texts {
		b := textBox(a, m)
		if b.x < -1 || b.x+b.w > a.w+1 || b.y < -1 || b.y+b.h > a.h+1 {
			t.Errorf("%s: %q leaves the canvas of %v x %v: %v", name, m.text, a.w, a.h, b)
		}
		for _, o := range texts[:i] {
			c := textBox(a, o)
			if b.x < c.x+c.w && c.x < b.x+b.w && b.y+a.u < c.y+c.h && c.y+a.u < b.y+b.h {
				t.Errorf("%s: %q overlaps %q", name, m.text, o.text)
			}
		}
	}
}

// TestScenes lays all shows out at all sizes.
func TestScenes(t *testing.T) {
	for name, show := range shows {
		scene, fs := show()
		p := picturing(fs...)
		for _, size := range sizes {
			for _, theme := range size.themes {
				th := themes[theme]
				a := testArea(size.w, size.h, size.scale)
				a.u, a.theme, a.fonts = size.scale*th.Zoom, th, newFonts(size.scale*th.Zoom, false)
				check(t, name+" "+size.name+" "+theme, a, sceneNamed(scene).draw(a, p))
			}
		}
		for _, size := range [][2]float64{{1, 1}, {100, 60}, {160, 160}, {250, 180}, {320, 240}, {480, 320}, {2000, 300},
			{300, 1500}} {
			a := testArea(size[0], size[1], 1)
			for _, other := range scenes { // any frames in any scene
				for _, l := range other.draw(a, p) {
					for _, m := range l.marks {
						if !num.Finite(m.at.x + m.at.y + m.r + m.box.x + m.box.y + m.box.w + m.box.h) {
							t.Fatalf("%s as %s at %v: %+v", name, other.name, size, m)
						}
					}
				}
			}
		}
	}
}

// TestOddLadders: one rung, one row, unknown values.
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
		p := picturing(fs...)
		for _, w := range []float64{704, 390} {
			a := testArea(w, 456, 1)
			check(t, name, a, ladder(a, p))
		}
	}
	if s := reads(ladder(testArea(704, 456, 1), &Picture{})); s != "No ladder yet|" {
		t.Errorf("an empty ladder says %q", s)
	}
}

func TestOddPlanes(t *testing.T) {
	nan := float32(math.NaN())
	flat := &frame.Field{X0: -1, X1: 1, Y0: -1, Y1: 1, W: 2, H: 2, Log0: make([]float32, 4),
		Log1: []float32{nan, nan, nan, nan}}
	steep := threeHills()
	for i := range steep.Log1 {
		if i != 40 {
			steep.Log1[i] = float32(math.Inf(-1))
		}
	}
	one := &frame.Frame{Model: "m", Method: "ais", N: 1, Total: 5000, Points: []float32{0, 0}, Beta: []float32{nan},
		LogW: []float32{nan}}
	lost := &frame.Frame{Model: "m", Method: "ais", N: 2, Points: []float32{nan, 0, 1e30, float32(math.Inf(1))},
		Beta: []float32{0, 2}, LogW: []float32{nan, float32(math.Inf(-1))}}
	for name, fs := range map[string][]*frame.Frame{
		"one point": {one}, "one point on flat": {{Field: flat}, one}, "steep": {{Field: steep}, one},
		"lost":       {{Field: threeHills()}, lost},
		"lost alone": {lost}, "field alone": {{Field: threeHills()}}, "flat alone": {{Field: flat}},
	} {
		p := picturing(fs...)
		for _, w := range []float64{704, 390} {
			a := testArea(w, 456, 1)
			check(t, name, a, plane(a, p))
		}
	}
}

func TestPlaneMarks(t *testing.T) {
	p := picturing(annealed(400, 1)...)
	a := testArea(704, 456, 1)
	ls := plane(a, p)
	d := all(ls, dots)[0]
	if len(d.pts) != 400 {
		t.Fatalf("%d dots for 400 particles", len(d.pts))
	}
	for i := 1; i < len(d.radii); i++ {
		if d.radii[i] > d.radii[i-1] {
			t.Fatal("a light particle is under a heavier one")
		}
	}
	// Shares found add up; the exact ones are those of the components.
	found, exact := 0.0, regexp.MustCompile(`exact (0\.\d\d)\|`).FindAllStringSubmatch(reads(ls), -1)
	for _, m := range regexp.MustCompile(`(0\.\d\d) of the mass`).FindAllStringSubmatch(reads(ls), -1) {
		found += float64(m[1][2]-'0')/10 + float64(m[1][3]-'0')/100
	}
	if math.Abs(found-1) > 0.015 || len(exact) != 3 || exact[0][1] != "0.52" || exact[1][1] != "0.33" ||
		exact[2][1] != "0.15" {
		t.Errorf("masses found %v, exact %v", found, exact)
	}
	// The relief is kept while beta stands still, and made anew when it moves.
	g := all(ls, ground)[0].relief
	if all(plane(a, p), ground)[0].relief != g {
		t.Error("the same density was made twice")
	}
	next := annealed(400, 0.5)
	p.Take(next[len(next)-1])
	p.Take(next[len(next)-2])
	if all(plane(a, p), ground)[0].relief != g || !p.density.pending {
		t.Error("the density was made twice at one time")
	}
	p.now++
	if all(plane(a, p), ground)[0].relief == g {
		t.Error("the density stood still while beta moved")
	}
}

// TestReliefAreas compares the area inside a contour of one round hill with its
// formula: log density falls by L at r^2 = 2 L s^2.
func TestReliefAreas(t *testing.T) {
	f := &frame.Field{X0: -5, X1: 5, Y0: -5, Y1: 5, W: 40, H: 40}
	for k := range 1600 {
		x, y := -5+(float64(k%40)+0.5)/4, 5-(float64(k/40)+0.5)/4
		f.Log0 = append(f.Log0, 0)
		f.Log1 = append(f.Log1, float32(-(x*x+y*y)/2))
	}
	d := newDensity(f)
	b := rect{0, 0, 400, 400}
	r := d.relief(0, b, axis{-5, 5, 0, 400}, axis{-5, 5, 400, 0}, 1, 5, 1)
	for k, l := range levels {
		area := 0.0
		for i := 0; i+2 < len(r.bands[k]); i += 3 {
			p, q, s := r.bands[k][i], r.bands[k][i+1], r.bands[k][i+2]
			area += math.Abs((q.x-p.x)*(s.y-p.y)-(q.y-p.y)*(s.x-p.x)) / 2
		}
		if want := math.Pi * 2 * l * 1600; math.Abs(area-want) > 0.02*want+20 {
			t.Errorf("inside %v nats: %v square pixels, want %v", l, area, want)
		}
	}
	s := d.at(knots)
	if math.Abs(s.x[20]-0.25*0.396) > 0.002 {
		t.Errorf("marginal density in a middle cell %v", s.x[20])
	}
}

func TestLadderMarks(t *testing.T) {
	a := testArea(704, 456, 1)
	p := picturing(climbing(24, 14)...)
	s := reads(ladder(a, p))
	for _, want := range []string{"100 chains, last 60 sweeps|", "Occupancy|", "log Z by rung|", "Its error|", "now|",
		"c / r|", "0.059|", "\u03b2 = 0|", "\u03b2 = 1|"} {
		if !strings.Contains(s, want) {
			t.Errorf("the ladder %q lacks %q", s, want)
		}
	}
	var title, unit point // of the panel of errors
	ticks := 0
	labels := all(ladder(a, p), words)
	for _, m := range labels {
		switch m.text {
		case "Its error":
			title = m.at
		case "nats":
			unit = m.at
		}
	}
	for _, m := range labels {
		if m.at.y == unit.y-16*a.u && m.at.x > title.x {
			ticks++
		}
	}
	if ticks < 2 {
		t.Errorf("the errors have %d ticks", ticks)
	}
	if n := len(all(ladder(a, p), triangle)); n != 1 {
		t.Errorf("%d signs for one failing rung", n)
	}
	p = picturing(climbing(300, 180)...)
	if s := reads(ladder(a, p)); !strings.Contains(s, "300 rungs|") {
		t.Errorf("300 rungs are drawn in fewer rows without saying so: %q", s)
	}
	s = reads(ladder(testArea(390, 456, 1), p))
	if strings.Contains(s, "log Z") || !strings.Contains(s, "Occupancy|") {
		t.Errorf("on a phone the ladder shows %q", s)
	}
}

// TestReading puts the pointer everywhere; what it reads is drawn and said.
func TestReading(t *testing.T) {
	for name, want := range map[string]string{"plane": "weight", "ladder": "c / r", "film": "units on",
		"wall": "log weight", "live": "work"} {
		scene, fs := shows[name]()
		p := picturing(fs...)
		hits := 0
		for y := 5.0; y < 456; y += 10 {
			for x := 5.0; x < 704; x += 10 {
				a := testArea(704, 456, 1)
				a.probe = &probe{at: point{x, y}, best: math.Inf(1)}
				sceneNamed(scene).draw(a, p)
				l, text := a.tooltip()
				if strings.Contains(text, want) {
					hits++
				}
				if (text == "") != (len(l.marks) == 0) || strings.Contains(text, "NaN") || strings.Contains(text, "\n") {
					t.Fatalf("%s at %v, %v reads %q with %d marks", name, x, y, text, len(l.marks))
				}
				for _, m := range l.marks {
					if b := m.box; m.kind == fill && (b.x < 0 || b.y < 0 || b.x+b.w > 704 || b.y+b.h > 456) {
						t.Fatalf("%s: a tooltip at %v leaves the canvas", name, b)
					}
				}
			}
		}
		if hits < 100 {
			t.Errorf("%s: %d places read %q", name, hits, want)
		}
	}
}

// TestWords gives every word a mark and looks for words without one.
func TestWords(t *testing.T) {
	marked := map[string]string{}
	for _, w := range vocabulary.Words {
		marked[w] = "\u00ab" + w + "\u00bb"
	}
	inside := regexp.MustCompile("\u00ab[^\u00ab\u00bb]*\u00bb")
	for name, show := range shows {
		scene, fs := show()
		p := picturing(fs...)
		a := testArea(704, 600, 1)
		a.words = marked
		a.probe = &probe{at: point{300, 250}, best: math.Inf(1)}
		ls := sceneNamed(scene).draw(a, p)
		tip, _ := a.tooltip()
		var texts []string // together: a sentence may go over several lines, and have a word of its own in it
		for _, m := range all(append(ls, tip), words) {
			texts = append(texts, m.text)
		}
		rest := strings.Join(texts, " ")
		for inside.MatchString(rest) {
			rest = inside.ReplaceAllString(rest, "")
		}
		for _, known := range []string{"STATIONARY", "MBAR", "BAR", "SAMS", "WL", "TI", "RB", "log c", "log Z",
			"AIS", "RTS", "TS", "ARM", "RM", "IS", "n =",
			"artanh \u03c6", "log \u03c3\u00b2", "log q", "log r", "\u03bc", "\u03b8", "c / r", "x =", "y =", "sm08",
			"\u00a0k", "\u00a0M", "e\u2212", "e-", "\u03c3\u00b2", "N", "\u00b5s"} {
			rest = strings.ReplaceAll(rest, known, "")
		}
		for _, word := range strings.Fields(rest) {
			if word != "x" && word != "y" && word != "t" && // axes
				strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) && r != '\u03b2' }) {
				t.Errorf("%s: %q is not in the table of words", name, word)
			}
		}
	}
}

// TestGlide: slow frames let points move straight to their new places, fast ones
// and viewers who want less motion see the newest frame at once.
func TestGlide(t *testing.T) {
	at := func(x float32, step int) *frame.Frame {
		return &frame.Frame{Model: "m", Method: "rts", Phase: "final", Step: step, N: 1, Points: []float32{x, 0},
			Beta: []float32{1}}
	}
	p := &Picture{now: 10}
	p.Take(at(0, 1))
	p.now = 10.02
	p.Take(at(1, 2))
	if p.gliding() {
		t.Error("points glide at full speed")
	}
	p.now = 11
	p.Take(at(3, 3))
	p.now = 11 + longestGlide/2
	s := &p.walls[0].slots[0]
	if got := s.place(p.now, false).x; !p.gliding() || math.Abs(got-2) > 1e-9 {
		t.Errorf("half way from 1 to 3 a point is at %v", got)
	}
	if got := s.place(p.now, true).x; got != 3 {
		t.Errorf("without motion a point is at %v, want 3", got)
	}
	p.now = 12
	if p.gliding() || s.place(p.now, false).x != 3 {
		t.Error("the way never ends")
	}
}

// TestSharesByTemperature: weights compare only with those at the same temperature.
func TestSharesByTemperature(t *testing.T) {
	f := &frame.Frame{Model: "m", Method: "ais", N: 4, Points: make([]float32, 8),
		Beta: []float32{1, 1, 0.5, 0.5}, LogW: []float32{0, 0, 50, float32(50 + math.Log(3))}}
	for i := range f.Points {
		f.Points[i] = float32(i)
	}
	p := picturing(f)
	v := newPlane(testArea(704, 456, 1), p, p.walls[0])
	for i, want := range []float64{0.25, 0.25, 0.125, 0.375} {
		if math.Abs(v.share[i]-want) > 1e-6 {
			t.Errorf("share of particle %d is %v, want %v", i, v.share[i], want)
		}
	}
}
