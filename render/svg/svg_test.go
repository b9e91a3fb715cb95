package svg

import (
	"bytes"
	"encoding/xml"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"

	"logzlab/render/paint"
)

var (
	red  = color.RGBA{0xff, 0, 0, 0xff}
	blue = color.RGBA{0, 0, 0xff, 0xff}
)

// document returns a drawing of some marks.
func document(marks ...paint.Mark) Document {
	return Document{W: 100, H: 80, Theme: &paint.Light, Fonts: paint.NewFonts(1, false),
		Layers: []paint.Layer{{Marks: marks}}}
}

// written returns the document, and fails if it is not well formed.
func written(t *testing.T, d Document) string {
	t.Helper()
	b := d.Write()
	for r := xml.NewDecoder(bytes.NewReader(b)); ; {
		if _, err := r.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
	}
	return string(b)
}

// TestKinds checks the elements of each kind of mark.
func TestKinds(t *testing.T) {
	at := paint.Pt(10, 20)
	corner := []paint.Point{{X: 1, Y: 2}, {X: 3.456, Y: 2}, {X: 3.456, Y: 8}}
	relief := &paint.Relief{Lines: []paint.Point{{X: 1, Y: 1}, {X: 4, Y: 1}}}
	relief.Bands[5] = []paint.Point{{X: 0, Y: 0}, {X: 9, Y: 0}, {X: 0, Y: 9}, {X: 9, Y: 9}, {X: 0, Y: 9}, {X: 9, Y: 0}}
	for _, c := range []struct {
		name string
		mark paint.Mark
		want []string
	}{
		{"fill", paint.Mark{Kind: paint.Fill, Box: paint.XYWH(1, 2, 3, 4), Color: red},
			[]string{`<path fill="#ff0000" d="M1 2h3v4h-3z"/>`}},
		{"faint fill", paint.Mark{Kind: paint.Fill, Box: paint.XYWH(1, 2, 3, 4), Color: paint.Fade(red, .5)},
			[]string{`<path fill="#ff0000" fill-opacity=".5" d="M1 2h3v4h-3z"/>`}},
		{"stroke", paint.Mark{Kind: paint.Stroke, Pts: corner, Width: 2, Color: red},
			[]string{`<path stroke="#ff0000" fill="none" stroke-width="2" d="M1 2l2.46 0 0 6"/>`}},
		{"dashed stroke with a halo", paint.Mark{Kind: paint.Stroke, Pts: corner[:2], Width: 2, Color: red, Halo: true,
			Dash: [2]float64{4, 3}}, []string{
			`<path stroke="#ffffff" fill="none" stroke-width="4.5" stroke-dasharray="4 3" d="M1 2l2.46 0"/>` +
				`<path stroke="#ff0000" fill="none" stroke-width="2" stroke-dasharray="4 3" d="M1 2l2.46 0"/>`}},
		{"band", paint.Mark{Kind: paint.Band, Pts: []paint.Point{{X: 0, Y: 1}, {X: 5, Y: 1}},
			Lower: []paint.Point{{X: 0, Y: 3}, {X: 5, Y: 4}}, Color: red}, []string{`d="M0 1l5 0 0 3-5-1z"`}},
		{"sideways band", paint.Mark{Kind: paint.Band, Sideways: true, Pts: []paint.Point{{X: 1, Y: 0}, {X: 1, Y: 5}},
			Lower: []paint.Point{{X: 3, Y: 0}, {X: 4, Y: 5}}, Color: red}, []string{`d="M1 0l0 5 3 0-1-5z"`}},
		{"disc", paint.Mark{Kind: paint.Disc, At: at, R: 4, Color: red},
			[]string{`<circle fill="#ff0000" cx="10" cy="20" r="4"/>`}},
		{"hollow disc with a halo", paint.Mark{Kind: paint.Disc, At: at, R: 4, Hollow: 1.5, Halo: true, Color: red},
			[]string{`<circle fill="#ffffff" cx="10" cy="20" r="5.5"/><circle fill="#ff0000" cx="10" cy="20" r="4"/>` +
				`<circle fill="#ffffff" cx="10" cy="20" r="2.5"/>`}},
		{"square", paint.Mark{Kind: paint.Square, At: at, R: 5, Color: red}, []string{`d="M5.6 15.6l8.8 0 0 8.8-8.8 0z"`}},
		{"diamond", paint.Mark{Kind: paint.Diamond, At: at, R: 5, Color: red},
			[]string{`d="M10 13.8l6.2 6.2-6.2 6.2-6.2-6.2z"`}},
		{"emblem", paint.Mark{Kind: paint.Emblem, Slot: 2, At: at, R: 10, Color: red},
			[]string{`d="M-2 15.8l24 0 0 8.4-24 0zM5.8 8l8.4 0 0 24-8.4 0z"`}},
		{"triangle", paint.Mark{Kind: paint.Triangle, At: at, R: 10, Color: red},
			[]string{`d="M10 10l10.8 18.3-21.6 0z"`}},
		{"text", paint.Mark{Kind: paint.Text, At: at, Text: `a < "b" & c`, Style: paint.Strong, Align: paint.Right, Color: red},
			[]string{`<text fill="#ff0000" x="10" y="20" font-size="12" font-weight="700" text-anchor="end" ` +
				`textLength="61" lengthAdjust="spacingAndGlyphs">a &lt; &#34;b&#34; &amp; c</text>`}},
		{"text with a halo", paint.Mark{Kind: paint.Text, At: at, Text: "x", Halo: true, Align: paint.Centre, Color: red},
			[]string{`<text fill="#ff0000" x="10" y="20" font-size="11" text-anchor="middle" textLength="5.5" ` +
				`lengthAdjust="spacingAndGlyphs" stroke="#ffffff" stroke-width="4" stroke-linejoin="round" paint-order="stroke">x</text>`}},
		{"cells", paint.Mark{Kind: paint.Cells, Box: paint.XYWH(5, 6, 40, 20), Cols: 4, Rows: 2,
			Cells: []byte{1, 1, 0, 2, 0, 0, 1, 1}}, []string{
			`<g transform="translate(5 6) scale(10 10)" shape-rendering="crispEdges">`,
			`<path fill="#ffffff" d="M2 0h1v1h-1zM0 1h2v1h-2z"/><path fill="#14181d" d="M0 0h2v1h-2zM2 1h2v1h-2z"/>` +
				`<path fill="#cdd2d8" d="M3 0h1v1h-1z"/></g>`}},
		{"transparent grey cells", paint.Mark{Kind: paint.Cells, Grey: true, Box: paint.XYWH(0, 0, 2, 1), Cols: 2, Rows: 1,
			Cells: []byte{0, 255}, Color: paint.Fade(color.RGBA{255, 255, 255, 255}, .4)}, []string{`opacity=".4"`,
			`fill="#ffffff" d="M0 0h1v1h-1z"`, `fill="#14181d" d="M1 0h1v1h-1z"`}},
		{"signed cells", paint.Mark{Kind: paint.Cells, Signed: true, Box: paint.XYWH(0, 0, 2, 1), Cols: 2, Rows: 1,
			Cells: []byte{128, 204}}, []string{`fill="#ffffff" d="M0 0h1v1h-1z"`, `fill="#c4680d" d="M1 0h1v1h-1z"`}},
		{"relief", paint.Mark{Kind: paint.Ground, Box: paint.XYWH(10, 10, 20, 20), Relief: relief}, []string{
			`<svg x="10" y="10" width="20" height="20" viewBox="0 0 20 20">`, `d="M0 0l9 0 0 9-9 0z"`, `d="M1 1l3 0"`}},
		{"dots", paint.Mark{Kind: paint.Dots, Pts: []paint.Point{{X: 1, Y: 1}, {X: 2, Y: 2}, {X: 3, Y: 3}},
			Radii: []float64{1, 1, 1}, Colors: []color.RGBA{red, red, blue}}, []string{
			`<path stroke="#ff0000" fill="none" stroke-width="2" stroke-linecap="round" d="M1 1h0M2 2h0"/>`,
			`<path stroke="#0000ff" fill="none" stroke-width="2" stroke-linecap="round" d="M3 3h0"/>`}},
		{"dots with rings", paint.Mark{Kind: paint.Dots, Width: 1, Pts: []paint.Point{{X: 1, Y: 1}}, Radii: []float64{3},
			Colors: []color.RGBA{red}}, []string{
			`<circle fill="#ffffff" cx="1" cy="1" r="4"/><circle fill="#ff0000" cx="1" cy="1" r="3"/>`}},
		{"wires", paint.Mark{Kind: paint.Wires, Width: 2, Color: red, Pts: []paint.Point{{X: 5, Y: 1}, {X: 5, Y: 9},
			{X: 9, Y: 4}, {X: 1, Y: 4}}}, []string{`d="M4 0h2v10h-2zM0 3h10v2h-10z"`}},
		{"segments", paint.Mark{Kind: paint.Segments, Width: 2, Pts: []paint.Point{{X: 5, Y: 1}, {X: 6, Y: 9},
			{X: 9, Y: 4}, {X: 1, Y: 5}}, Colors: []color.RGBA{red, blue}}, []string{
			`stroke="#ff0000" fill="none" stroke-width="2" d="M5 1l1 8"`,
			`stroke="#0000ff" fill="none" stroke-width="2" d="M9 4l-8 1"`}},
		{"polylines", paint.Mark{Kind: paint.Polylines, Slot: 3, Color: red, Radii: []float64{2, 1},
			Pts: []paint.Point{{X: 0, Y: 0}, {X: 1, Y: 1}, {X: 2, Y: 0}, {X: 0, Y: 5}, {X: 1, Y: 6}, {X: 2, Y: 5}}}, []string{
			`stroke-width="2" d="M0 0l1 1 1-1"`, `stroke-width="1" d="M0 5l1 1 1-1"`}},
		{"mosaic", paint.Mark{Kind: paint.Mosaic, Cols: 2, Rows: 2,
			Pts:    []paint.Point{{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 0, Y: 8}, {X: 8, Y: 8}},
			Colors: []color.RGBA{red, red, blue, blue}}, []string{`fill="#800080"`, `d="M0 0l8 0 0 8-8 0z"`}},
	} {
		got := written(t, document(c.mark))
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s is missing in\n%s", c.name, want, got)
			}
		}
	}
}

// TestOrder checks that pictures come before other marks, as on the canvas, and that boxes of one colour share a path.
func TestOrder(t *testing.T) {
	box := func(x float64, c color.RGBA) paint.Mark {
		return paint.Mark{Kind: paint.Fill, Box: paint.XYWH(x, 0, 1, 1), Color: c}
	}
	got := written(t, document(box(0, red), box(2, red), box(4, blue),
		paint.Mark{Kind: paint.Cells, Box: paint.XYWH(0, 0, 1, 1), Cols: 1, Rows: 1, Cells: []byte{1}}))
	if strings.Index(got, "<g ") > strings.Index(got, "#ff0000") || !strings.Contains(got, `d="M0 0h1v1h-1zM2 0h1v1h-1z"`) {
		t.Errorf("got\n%s", got)
	}
}

func TestClip(t *testing.T) {
	d := document()
	d.Layers[0] = paint.Layer{Clip: paint.XYWH(5, 6, 7, 8), Marks: []paint.Mark{{Kind: paint.Disc, R: 50, Color: red}}}
	if got := written(t, d); !strings.Contains(got, `<svg x="5" y="6" width="7" height="8" viewBox="5 6 7 8"><circle`) {
		t.Errorf("got\n%s", got)
	}
}

// TestImage checks that a picture of many shades is an image, which is shorter than paths.
func TestImage(t *testing.T) {
	cells := make([]byte, 32*32)
	for i := range cells {
		cells[i] = byte(i * 37)
	}
	m := paint.Mark{Kind: paint.Cells, Grey: true, Box: paint.XYWH(0, 0, 64, 64), Cols: 32, Rows: 32, Cells: cells}
	d := document(m)
	d.Encode = png.Encode
	if got := written(t, d); strings.Count(got, "<image") != 1 || !strings.Contains(got, "data:image/png;base64,") {
		t.Errorf("got\n%.200s", got)
	}
	d.Dark = d.Layers
	if got := written(t, d); strings.Count(got, "<image") != 2 || !strings.Contains(got, ".light{display:none}") {
		t.Errorf("got\n%.200s", got)
	}
}

// TestDark checks that a document of two themes has a class for each pair of colours.
func TestDark(t *testing.T) {
	draw := func(t *paint.Theme) []paint.Layer {
		var l paint.Layer
		l.Label("x", 1, 2, paint.Plain, t.Ink, paint.Left)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(0, 0, 1, 1), Color: paint.Fade(t.Ink, 0.5)})
		return []paint.Layer{l}
	}
	d := document()
	d.Layers, d.Dark, d.Ground = draw(&paint.Light), draw(&paint.Dark), true
	got := written(t, d)
	for _, want := range []string{".c0{fill:#ffffff}", "@media(prefers-color-scheme:dark){.c0{fill:#111417}",
		`<path class="c0" d="M0 0h100v80h-100z"/>`, `<g class="c1"`, ".c1{stroke:#ffffff}", `<text class="c2"`,
		".c2{fill:#14181d}", ".c2{fill:#eceff2}", ";fill-opacity:.5}"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

// TestNames checks that a document in a page uses the CSS variables of the page, also for transparent colours.
func TestNames(t *testing.T) {
	d := document(paint.Mark{Kind: paint.Fill, Box: paint.XYWH(0, 0, 1, 1), Color: paint.Fade(paint.Light.Methods[3], 0.13)},
		paint.Mark{Kind: paint.Disc, R: 1, Color: red})
	d.Names = map[color.RGBA]string{paint.Light.Ink: "--ink", paint.Light.Methods[3]: "--m-3"}
	got := written(t, d)
	for _, want := range []string{`fill="var(--m-3)" fill-opacity=".13"`, `<circle fill="#ff0000"`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in\n%s", want, got)
		}
	}
}

func TestTitle(t *testing.T) {
	d := document()
	d.Title, d.Desc = "a & b", "what <it> shows"
	if got := written(t, d); !strings.Contains(got, ` role="img"><title>a &amp; b</title><desc>what &lt;it&gt; shows</desc>`) {
		t.Errorf("got\n%s", got)
	}
	d.Names = map[color.RGBA]string{}
	if got := written(t, d); !strings.Contains(got, ` role="img" aria-label="a &amp; b">`) {
		t.Errorf("got\n%s", got)
	}
}

// TestComma checks that numbers in texts have the decimal separator of the language.
func TestComma(t *testing.T) {
	d := document(paint.Mark{Kind: paint.Text, Text: "0.5"})
	d.Fonts = paint.NewFonts(1, true)
	if got := written(t, d); !strings.Contains(got, ">0,5<") {
		t.Errorf("got\n%s", got)
	}
}

// TestHostileText checks that control characters and invalid UTF-8 are removed from texts.
func TestHostileText(t *testing.T) {
	d := Document{W: 100, H: 100, Theme: &paint.Light, Fonts: paint.NewFonts(1, false), Title: "a\x01<b>", Desc: "\xff\ufffe&",
		Layers: []paint.Layer{{Marks: []paint.Mark{{Kind: paint.Text, Text: "\x00\"]]>\u202e<script>"}}}}}
	doc := d.Write()
	for x := xml.NewDecoder(bytes.NewReader(doc)); ; {
		if _, err := x.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %q", err, doc)
		}
	}
}
