package chart

import (
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"logzlab/render/paint"
)

// area returns a canvas of a size.
func area(w, h float64) *paint.Area {
	return &paint.Area{W: w, H: h, Unit: 1, Theme: &paint.Light, Fonts: paint.NewFonts(1, false)}
}

// filled returns a chart that fills a canvas of a size.
func filled(w, h float64, x, y Axis) (*paint.Area, *Chart) {
	a := area(w, h)
	return a, New(a, paint.XYWH(0, 0, w, h), x, y)
}

// texts returns the texts of layers with their boxes.
func texts(a *paint.Area, layers []paint.Layer) (words []string, boxes []paint.Rect) {
	for _, l := range layers {
		for i := range l.Marks {
			m := &l.Marks[i]
			if m.Kind != paint.Text {
				continue
			}
			w := a.Fonts.Width(m.Text, m.Style)
			x := m.At.X
			switch m.Align {
			case paint.Centre:
				x -= w / 2
			case paint.Right:
				x -= w
			}
			words, boxes = append(words, m.Text), append(boxes, paint.XYWH(x, m.At.Y-8, w, 9))
		}
	}
	return words, boxes
}

// apart fails for texts that overlap or leave the canvas.
func apart(t *testing.T, a *paint.Area, layers []paint.Layer) {
	t.Helper()
	words, boxes := texts(a, layers)
	for i, b := range boxes {
		if b.X < -1 || b.X+b.W > a.W+1 || b.Y < -1 || b.Y+b.H > a.H+3 {
			t.Errorf("%q leaves the canvas: %v", words[i], b)
		}
		for k := range i {
			o := boxes[k]
			if b.X < o.X+o.W && o.X < b.X+b.W && b.Y < o.Y+o.H && o.Y < b.Y+b.H {
				t.Errorf("%q at %v overlaps %q at %v", words[i], b, words[k], o)
			}
		}
	}
}

// count returns the number of marks of a kind.
func count(layers []paint.Layer, kind paint.Kind) (n int) {
	for _, l := range layers {
		for i := range l.Marks {
			if l.Marks[i].Kind == kind {
				n++
			}
		}
	}
	return n
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		axis Axis
		n    int
		want string
	}{
		{Axis{Lo: 0, Hi: 1}, 6, "0 0.2 0.4 0.6 0.8 1.0"},
		{Axis{Lo: -3, Hi: 3}, 4, "−2 0 2"},
		{Axis{Lo: 0, Hi: 30000}, 4, "0 10 k 20 k 30 k"},
		{Axis{Lo: 0, Hi: 3, Whole: true}, 7, "0 1 2 3"},
		{Axis{Lo: 1, Hi: 1000, Log: true}, 4, "1 10 100 1 k"},
		{Axis{Lo: 0.02, Hi: 0.9, Log: true}, 4, "0.03 0.1 0.3"},
		{Axis{Lo: 0, Hi: 1, Ticks: []float64{0, .2, 5}}, 7, "0 0.2"},
		{Axis{Lo: 0, Hi: 2, Label: func(v float64) string { return strings.Repeat("x", int(v)+1) }}, 3, "x xx xxx"},
		{Axis{Lo: 0, Hi: -10}, 3, "0 −5 −10"},
		{Axis{Lo: -.5, Hi: 1.5, Names: []string{"AIS", "RTS"}}, 2, "AIS RTS"},
	} {
		var got []string
		for _, k := range c.axis.ticks(c.n, 8) {
			got = append(got, strings.ReplaceAll(k.label, "\u00a0", " "))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("ticks of %+v = %v, want %s", c.axis, got, c.want)
		}
	}
}

// TestTickLabels checks that labels do not overlap at any size, and that each axis has at least two ticks.
func TestTickLabels(t *testing.T) {
	for _, log := range []bool{false, true} {
		for w := 140.0; w < 900; w += 37 {
			a, c := filled(w, 220, Axis{Title: "work of one run", Log: log}, Axis{Title: "log Z, nats", Log: log})
			c.Line([]float64{1, 2345678}, []float64{1, 98765}, Style{})
			l := c.Layers()
			apart(t, a, l)
			if words, _ := texts(a, l); len(words) < 4 {
				t.Errorf("width %g, log %v: texts %q, want at least 4", w, log, words)
			}
		}
	}
}

// TestRange checks that ranges follow the data with some room, but not beyond an end at 0, and include the base of
// bars.
func TestRange(t *testing.T) {
	_, c := filled(400, 300, Axis{}, Axis{})
	c.Bars([]float64{1, 2, 3}, []float64{2, 4, math.NaN()}, Style{})
	c.Layers()
	if c.Y.Lo != 0 || !(c.Y.Hi > 4 && c.Y.Hi < 4.5) || !(c.X.Lo < .6 && c.X.Hi > 3.4) {
		t.Errorf("axes %+v %+v", c.X, c.Y)
	}
	_, c = filled(400, 300, Axis{Log: true}, Axis{})
	c.Line([]float64{0, 10, 1000}, []float64{-1e9, 5, 7}, Style{}) // the first point has no position
	c.Layers()
	if !(c.X.Lo > 5 && c.X.Lo < 10) || !(c.Y.Lo > 4.8 && c.Y.Hi < 7.2) {
		t.Errorf("axes %+v %+v", c.X, c.Y)
	}
	_, c = filled(400, 300, Axis{}, Axis{})
	c.Layers()
	if c.X.Lo != 0 || c.X.Hi != 1 {
		t.Errorf("the axis of an empty chart = %+v", c.X)
	}
}

// TestNames checks that the first and the last of many names are drawn.
func TestNames(t *testing.T) {
	var names []string
	for n := 1; n < 60; n++ {
		names = append(names, strconv.Itoa(n))
		a, c := filled(400, 200, Axis{Names: names}, Axis{Bare: true})
		l := c.Layers()
		apart(t, a, l)
		if words, _ := texts(a, l); words[0] != "1" || words[len(words)-1] != strconv.Itoa(n) {
			t.Errorf("of %d names %q are drawn", n, words)
		}
	}
}

// TestLine checks the position of a line, and that it is interrupted at a missing value.
func TestLine(t *testing.T) {
	_, c := filled(400, 300, Axis{Lo: 0, Hi: 4}, Axis{Lo: 0, Hi: 10})
	c.Line([]float64{0, 1, 2, 3, 4}, []float64{0, 5, math.Inf(1), 5, 10}, Style{Color: color.RGBA{1, 2, 3, 255}})
	l := c.Layers()
	b := c.Plot()
	if n := count(l, paint.Stroke); n != 2 {
		t.Fatalf("%d strokes, want 2", n)
	}
	if q := l[1].Marks[0].Pts; q[0] != paint.Pt(b.X, b.Y+b.H) || q[1] != paint.Pt(b.X+b.W/4, b.Y+b.H/2) {
		t.Errorf("the line starts with %v in %v", q, b)
	}
}

// TestBarsAndIntervals checks that bars of negative values go down, and that intervals are clipped to the plot.
func TestBarsAndIntervals(t *testing.T) {
	_, c := filled(400, 300, Axis{Lo: -1, Hi: 2}, Axis{Lo: -2, Hi: 2})
	c.Bars([]float64{0, 1}, []float64{1, -2}, Style{BarWidth: .5})
	c.Errors([]float64{0, 9}, []float64{0.5, 0}, []float64{99, 1}, Style{}) // the second is outside
	l := c.Layers()
	zero := c.At(0, 0).Y
	up, down, bar := l[1].Marks[0].Box, l[1].Marks[1].Box, l[1].Marks[2]
	if math.Abs(up.Y+up.H-zero) > 1 || math.Abs(down.Y-zero) > 1 || math.Abs(down.H-2*up.H) > 1 {
		t.Errorf("bars %v and %v around %g", up, down, zero)
	}
	if bar.Kind != paint.Wires || bar.Pts[1].Y != c.Plot().Y || len(bar.Pts) != 2 {
		t.Errorf("the interval is %+v in %v", bar, c.Plot())
	}
}

// TestShade checks that a shaded rectangle is clipped to the plot.
func TestShade(t *testing.T) {
	_, c := filled(400, 300, Axis{Lo: 0, Hi: -10}, Axis{Lo: 0, Hi: 10})
	c.Shade(-5, -99, math.Inf(-1), math.Inf(1), Style{})
	l, b := c.Layers(), c.Plot()
	if got := l[1].Marks[0].Box; got != paint.XYWH(b.X+b.W/2, b.Y, b.W/2, b.H) {
		t.Errorf("Shade filled %v in %v", got, b)
	}
}

// TestNamesAtEnds checks that names at the ends of lines do not overlap, and that leaders connect them with their
// lines.
func TestNamesAtEnds(t *testing.T) {
	a, c := filled(704, 300, Axis{}, Axis{})
	for i, name := range []string{"AIS", "RTS", "SMC", "ARM", "MBAR"} {
		s := Method(a.Theme, i, name)
		s.Value = "212.71"
		c.Line([]float64{0, 1, 2}, []float64{float64(i), -float64(i), 1 + float64(i)/1000}, s)
	}
	c.Level(1, "exact", Style{})
	l := c.Layers()
	apart(t, a, l)
	words, _ := texts(a, l)
	for _, want := range []string{"AIS", "MBAR", "exact", "212.71"} {
		if !slices.Contains(words, want) {
			t.Errorf("%q is missing in %q", want, words)
		}
	}
	if c.keyHeight() != 0 || count(l[2:], paint.Stroke) < 6 {
		t.Errorf("keyHeight = %g, want 0; %d samples and leaders", c.keyHeight(), count(l[2:], paint.Stroke))
	}
}

// TestCompact checks the layout on a phone: names are in a row above the plot, the vertical title is in the line of
// the chart title, the horizontal one in the line of the ticks, and the plot is larger.
func TestCompact(t *testing.T) {
	draw := func(w float64) (*paint.Area, *Chart, []paint.Layer) {
		a, c := filled(w, 300, Axis{Title: "temperatures"}, Axis{Title: "log Z"})
		c.Title = "PCD"
		c.Line([]float64{0, 1}, []float64{3, 4}, Method(a.Theme, 0, "AIS"))
		c.Line([]float64{0, 1}, []float64{3, 5}, Method(a.Theme, 1, "RTS"))
		return a, c, c.Layers()
	}
	a, c, l := draw(360)
	apart(t, a, l)
	words, _ := texts(a, l)
	for _, want := range []string{"PCD", "AIS", "RTS", "log Z", "temperatures"} {
		if !slices.Contains(words, want) {
			t.Errorf("%q is missing in %q", want, words)
		}
	}
	_, wide, _ := draw(704)
	if b := c.Plot(); b.W < 310 || b.X+b.W < 350 || b.Y+b.H < wide.Plot().Y+wide.Plot().H+15 {
		t.Errorf("the plot is %v, on a wide canvas %v", b, wide.Plot())
	}
}

// TestLongTitle checks that a long title of the horizontal axis has a row of its own, even on a phone, but not on a
// low canvas.
func TestLongTitle(t *testing.T) {
	const title = "work of one run: updates of all chains, or draws"
	for _, high := range []float64{300, 190} {
		a := area(360, high)
		charts := Stack(a, Inset(a), Axis{Title: title}, 1, 1)
		for i, c := range charts {
			c.Title, c.Mark = "AIS", i+1
			c.Line([]float64{0, 1}, []float64{3, 4}, Style{})
		}
		l := Layers(charts...)
		apart(t, a, l)
		if words, _ := texts(a, l); slices.Contains(words, title) != (high == 300) {
			t.Errorf("height %g: texts %q", high, words)
		}
		if p, q := charts[0].Plot(), charts[1].Plot(); math.Abs(p.H-q.H) > 1 {
			t.Errorf("height %g: plots of height %g and %g", high, p.H, q.H)
		}
		if count(l, paint.Disc) != 1 || count(l, paint.Square) != 1 {
			t.Errorf("%d discs and %d squares before titles", count(l, paint.Disc), count(l, paint.Square))
		}
	}
}

// TestLongNames checks that titles and names wider than the chart end in an ellipsis.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("long name ", 20)
	for _, key := range []Key{KeyRow, KeyEnds} {
		a, c := filled(300, 260, Axis{Hi: 1}, Axis{Hi: 1, Title: long})
		c.Title, c.Key = long, key
		c.Line([]float64{0, 1}, []float64{0, 1}, Style{Name: long})
		c.Level(0.5, long, Style{})
		apart(t, a, c.Layers())
	}
}

// TestUnit checks that a unit is at the end of the ticks and does not overlap them.
func TestUnit(t *testing.T) {
	a, c := filled(400, 200, Axis{Lo: 0, Hi: 100, Unit: "update", Whole: true}, Axis{})
	c.Line([]float64{0, 100}, []float64{0, 1}, Style{})
	l := c.Layers()
	apart(t, a, l)
	words, boxes := texts(a, l)
	b := boxes[slices.Index(words, "update")]
	if zero := boxes[slices.Index(words, "0")]; b.Y != boxes[slices.Index(words, "20")].Y || zero.X > b.X || b.X+b.W > 400 {
		t.Errorf("the unit is at %v", b)
	}
	if slices.Contains(words, "100") {
		t.Error("a tick label is at the position of the unit")
	}
}

// TestLegend checks that a legend of many series has several rows, and one entry per name.
func TestLegend(t *testing.T) {
	a := area(300, 200)
	var l paint.Layer
	var series []Style
	for i := range 9 {
		series = append(series, Method(a.Theme, i, strings.Repeat("name ", 1+i%3)), Method(a.Theme, i, "again"))
	}
	h := Legend(a, &l, 10, 10, 280, series)
	apart(t, a, []paint.Layer{l})
	if words, _ := texts(a, []paint.Layer{l}); len(words) != 4 || h != Legend(a, nil, 10, 10, 280, series) || h < 30 {
		t.Errorf("legend %q of height %g", words, h)
	}
}

// TestNamedRows checks that names of rows are truncated to the gutter, and that the first row is on top.
func TestNamedRows(t *testing.T) {
	a, c := filled(300, 200, Axis{}, Axis{Names: []string{"short", strings.Repeat("very ", 20) + "long"}})
	c.Dots([]float64{1, 2}, []float64{0, 1}, Style{})
	l := c.Layers()
	apart(t, a, l)
	words, _ := texts(a, l)
	if !(c.At(1, 0).Y < c.At(1, 1).Y) || !strings.Contains(strings.Join(words, ""), "…") {
		t.Errorf("names %q, rows at %v and %v", words, c.At(1, 0), c.At(1, 1))
	}
}

// TestHeatMap checks that cells fill the plot without gaps, except for unknown values.
func TestHeatMap(t *testing.T) {
	a, c := filled(500, 300, Axis{}, Axis{})
	value := func(i, j int) float64 {
		if i == 0 && j == 0 {
			return math.NaN()
		}
		return float64(i + j)
	}
	scale := Scale{Lo: 0, Hi: 4, Color: func(f float64) color.RGBA { return paint.Mix(a.Theme.Ground, a.Theme.Ink, f) }}
	c.HeatMap([]float64{0, 1, 2}, []float64{0, 1, 2}, value, scale)
	l := c.Layers()
	sum, b := 0.0, c.Plot()
	for _, m := range l[1].Marks {
		sum += m.Box.W * m.Box.H
	}
	if len(l[1].Marks) != 8 || math.Abs(sum-b.W*b.H*8/9) > b.W+b.H {
		t.Errorf("%d cells with total area %g in %v", len(l[1].Marks), sum, b)
	}
	if m := l[1].Marks[7]; m.Color != a.Theme.Ink || m.Box.X+m.Box.W != b.X+b.W || m.Box.Y != b.Y {
		t.Errorf("the last cell is %+v", m)
	}
	apart(t, a, l)
}

// TestTooltips checks that the pointer selects the nearest point along the axis, of several lines the nearest, and
// nothing outside the plot.
func TestTooltips(t *testing.T) {
	at := func(x, y float64, use func(c *Chart)) string {
		a, c := filled(500, 300, Axis{Lo: 0, Hi: 10}, Axis{Lo: 0, Hi: 10})
		a.Pointer = paint.NewPointer(c.At(x, y))
		_, c = New(a, c.box, c.X, c.Y), New(a, c.box, c.X, c.Y)
		use(c)
		c.Layers()
		_, text := a.Tooltip()
		return text
	}
	lines := func(c *Chart) {
		for _, name := range []string{"low", "high"} {
			y := map[string]float64{"low": 2, "high": 8}[name]
			c.Tooltips(11, func(i int) (float64, float64) { return float64(i), y },
				func(i int) string { return name + " " + string(rune('0'+i)) })
		}
	}
	for _, q := range []struct {
		x, y float64
		want string
	}{{3.2, 1, "low 3"}, {3.4, 7, "high 3"}, {8.6, 4, "low 9"}, {12, 4, ""}} {
		if got := at(q.x, q.y, lines); got != q.want {
			t.Errorf("tooltip at %g, %g = %q, want %q", q.x, q.y, got, q.want)
		}
	}
	points := func(c *Chart) {
		c.PointTooltips(2, func(i int) (float64, float64) { return 5, float64(5 * i) }, func(i int) string { return "point" })
	}
	if got, far := at(5.1, 5, points), at(5, 2.5, points); got != "point" || far != "" {
		t.Errorf("PointTooltips: at a point %q, away from it %q", got, far)
	}
}

// TestValuesBelow checks that on a narrow chart values are below the names at the ends of lines, and that EndMark
// lines have one mark at the end.
func TestValuesBelow(t *testing.T) {
	for _, wide := range []float64{300, 600} {
		a, c := filled(wide, 300, Axis{}, Axis{})
		c.Key = KeyEnds
		for i, name := range []string{"training", "validation"} {
			s := Method(a.Theme, i, name)
			s.Value, s.EndMark = []string{"−11.029", "−12"}[i], true
			c.Line([]float64{0, 1, 2}, []float64{0, 1, float64(i) / 9}, s)
		}
		l := c.Layers()
		apart(t, a, l)
		words, boxes := texts(a, l)
		name, value := boxes[slices.Index(words, "training")], boxes[slices.Index(words, "−11.029")]
		if below := value.Y > name.Y+8; below != (wide == 300) {
			t.Errorf("width %g: name at %v, value at %v", wide, name, value)
		}
		if n := count(l, paint.Disc) + count(l, paint.Square); n != 4 {
			t.Errorf("%d marks, want 4: of both ends and names", n)
		}
	}
}

// TestMarksApart checks that a long line has marks at some points and at its end, that those of another method are at
// other points, and that a point between gaps is drawn.
func TestMarksApart(t *testing.T) {
	var before []float64
	for i := range 2 {
		a, c := filled(600, 300, Axis{}, Axis{})
		c.RightGutter = 200
		var xs, ys []float64
		for k := range 200 {
			xs, ys = append(xs, float64(k)), append(ys, float64(k%7))
		}
		ys[48], ys[50] = math.NaN(), math.NaN()
		c.Line(xs, ys, Method(a.Theme, i, ""))
		var at []float64
		alone := 0
		for _, m := range c.Layers()[1].Marks {
			if m.Kind == []paint.Kind{paint.Disc, paint.Square}[i] && m.R > 3 {
				at = append(at, m.At.X)
			} else if m.Kind == paint.Disc && m.At == c.At(49, 0) {
				alone++
			}
		}
		if n := len(at); n < 4 || at[n-1] != c.At(199, 0).X || alone != 1 || c.Plot().X+c.Plot().W > 401 {
			t.Errorf("marks at %v, %d points between gaps, the plot is %v", at, alone, c.Plot())
		}
		for k := 1; k < len(at); k++ {
			if at[k]-at[k-1] < 24 {
				t.Errorf("marks at %g and %g", at[k-1], at[k])
			}
		}
		for _, x := range at[:len(at)-1] {
			if slices.ContainsFunc(before, func(y float64) bool { return math.Abs(x-y) < 8 }) {
				t.Errorf("both methods have marks at %g of %v", x, before)
			}
		}
		before = at
	}
}

// TestGroups checks that charts of a stack share gutters and range, and that aligned charts have plots of the same
// width.
func TestGroups(t *testing.T) {
	a := area(600, 400)
	stack := Stack(a, paint.XYWH(0, 0, 600, 400), Axis{Title: "update"}, 2, 1)
	stack[0].Line([]float64{0, 5}, []float64{0, 1}, Style{})
	stack[1].Line([]float64{3, 9}, []float64{0, 123456}, Style{})
	p, q := stack[0].Plot(), stack[1].Plot()
	if p.X != q.X || p.W != q.W || stack[0].X.Hi != stack[1].X.Hi || !(p.H > 1.5*q.H) || p.Y+p.H > q.Y {
		t.Errorf("plots %v and %v", p, q)
	}
	apart(t, a, append(stack[0].Layers(), stack[1].Layers()...))

	left, right := New(a, paint.XYWH(0, 0, 290, 400), Axis{}, Axis{}), New(a, paint.XYWH(310, 0, 290, 400), Axis{}, Axis{})
	left.Line([]float64{0, 1}, []float64{0, 1}, Style{})
	right.Line([]float64{0, 1}, []float64{0, 123456}, Style{})
	Align(left, right)
	if p, q := left.Plot(), right.Plot(); p.W != q.W || q.X-p.X != 310 || left.X.Hi == stack[0].X.Hi {
		t.Errorf("plots %v and %v", p, q)
	}
	apart(t, a, append(left.Layers(), right.Layers()...))
}

// TestMotion checks that values reach new ones within the animation time, also if these change during the animation,
// and at once if animations are turned off.
func TestMotion(t *testing.T) {
	var m Motion
	a := area(100, 100)
	nan := math.NaN()
	if got := m.Animate(a, "x", 10, 1, nan); got[0] != 1 || m.IsAnimating(10) {
		t.Errorf("first %v, animating %v", got, m.IsAnimating(10))
	}
	m.Animate(a, "x", 20, 2, 5, 7)
	mid := m.Animate(a, "x", 20.15, 2, 5, 7)
	if math.Abs(mid[0]-1.5) > 1e-9 || mid[1] != 5 || mid[2] != 7 || !m.IsAnimating(20.15) {
		t.Errorf("halfway %v, animating %v", mid, m.IsAnimating(20.15))
	}
	if turned := m.Animate(a, "x", 20.15, 0, 5, 7); math.Abs(turned[0]-mid[0]) > 1e-9 {
		t.Errorf("the new animation starts at %v, want %v", turned, mid)
	}
	if end := m.Animate(a, "x", 20.46, 0, 5, 7); end[0] != 0 || m.IsAnimating(20.46) {
		t.Errorf("at the end %v, animating %v", end, m.IsAnimating(20.46))
	}
	a.Still = true
	if got := m.Animate(a, "x", 30, 9); got[0] != 9 || m.IsAnimating(30) {
		t.Errorf("without animation %v, animating %v", got, m.IsAnimating(30))
	}
}

// TestImpossiblePositions checks that values and ranges that no axis can show neither hang nor give marks without a
// position.
func TestImpossiblePositions(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, draw := range map[string]func(c *Chart){
		"a huge point, log": func(c *Chart) { c.X.Log = true; c.Line([]float64{1e308, 1}, []float64{1, 2}, Style{}) },
		"huge points":       func(c *Chart) { c.Line([]float64{1, 2}, []float64{1e308, -1e308}, Style{}) },
		"an infinite range": func(c *Chart) { c.X.Log, c.X.Lo, c.X.Hi = true, 1, inf },
		"heat map without position": func(c *Chart) {
			c.HeatMap([]float64{0, 1}, []float64{nan, 1}, func(i, j int) float64 { return 1 }, Scale{Hi: 1})
		},
		"heat map below a log axis": func(c *Chart) {
			c.X.Log = true
			c.HeatMap([]float64{0, 1, 2}, []float64{0, 1}, func(i, j int) float64 { return 1 }, Scale{Hi: 1})
		},
	} {
		for _, square := range []bool{false, true} {
			a := &paint.Area{W: 400, H: 300, Unit: 1, Theme: &paint.Light, Fonts: paint.NewFonts(1, false)}
			c := New(a, paint.XYWH(0, 0, 400, 300), Axis{}, Axis{})
			c.Square = square
			draw(c)
			for _, l := range c.Layers() {
				for _, m := range l.Marks {
					if v := m.At.X + m.At.Y + m.Box.X + m.Box.Y + m.Box.W + m.Box.H; math.IsNaN(v) || math.IsInf(v, 0) {
						t.Errorf("%s, square %v: %+v", name, square, m)
					}
				}
			}
		}
	}
}
