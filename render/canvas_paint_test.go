package render

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/internal/rendertest"
	"logzlab/render/paint"
)

// Pixels can be read only while a game runs, so all tests run inside the first Update of a small game. Without a
// display only the layout tests run.
var display bool

type runner struct {
	m    *testing.M
	code int
}

func (r *runner) Update() error {
	r.code = r.m.Run()
	return ebiten.Termination
}
func (*runner) Draw(*ebiten.Image)         {}
func (*runner) Layout(w, h int) (int, int) { return w, h }

func TestMain(m *testing.M) {
	if os.Getenv("DISPLAY") == "" {
		os.Exit(m.Run())
	}
	display = true
	r := &runner{m: m, code: 1}
	ebiten.SetWindowSize(320, 240)
	if err := ebiten.RunGame(r); err != nil {
		fmt.Fprintln(os.Stderr, "render tests need a display with OpenGL:", err)
	}
	os.Exit(r.code)
}

// needDisplay skips a test that paints if there is no display.
func needDisplay(t *testing.T) {
	t.Helper()
	if !display {
		t.Skip("no DISPLAY: run with xvfb-run -a -s '-screen 0 1024x768x24' to paint for real")
	}
}

// shoot paints a canvas offscreen at a CSS size and pixel ratio.
func shoot(s *Canvas, w, h, scale float64) *image.RGBA {
	dw, dh := s.Fit(w, h, scale)
	screen := ebiten.NewImage(int(dw), int(dh))
	defer screen.Deallocate()
	s.Draw(screen)
	out := image.NewRGBA(screen.Bounds())
	screen.ReadPixels(out.Pix)
	return out
}

func TestPaintPictures(t *testing.T) {
	needDisplay(t)
	for _, theme := range []string{"light", "dark"} {
		s := NewCanvas()
		s.SetTheme(theme, 0)
		f := rendertest.Rings("ais", 0, 6, 5, 4, false)
		f.Pixels[1] = 2
		f.Rungs = 2 // tiles, not the film
		s.Take(f)
		img := shoot(s, 320, 240, 2)
		a := &paint.Area{W: 640, H: 480, Unit: 2, Theme: s.Theme, Fonts: s.Fonts}
		for _, m := range rendertest.MarksOfKind(rendertest.Draw("units", a, s.Stage), paint.Cells) {
			for j, v := range f.Pixels[m.Slot*20 : (m.Slot+1)*20] {
				cell := m.Box.W / 5
				x, y := int(m.Box.X+(float64(j%5)+0.5)*cell), int(m.Box.Y+(float64(j/5)+0.5)*cell)
				want := []color.RGBA{s.Theme.Ground, s.Theme.Ink, s.Theme.Absent}[v]
				if got := img.RGBAAt(x, y); !alike(got, want) {
					t.Fatalf("%s: cell %d of picture %d is %v, want %v", theme, j, m.Slot, got, want)
				}
			}
		}
	}
}

// alike allows for small differences between drivers.
func alike(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 3 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
}

func TestPaintTrace(t *testing.T) {
	needDisplay(t)
	s := NewCanvas()
	s.SetScene("trace")
	s.Take(rendertest.Histories(true, "ais", "rts"))
	img := shoot(s, 704, 456, 1)
	count := map[color.RGBA]int{}
	for y := range 456 {
		for x := range 704 {
			count[img.RGBAAt(x, y)]++
		}
	}
	for name, c := range map[string]color.RGBA{"ground": paint.Light.Ground, "ais": paint.Light.Methods[0],
		"rts":   paint.Light.Methods[1],
		"truth": paint.Light.Ink, "grid": paint.Light.Line, "axis": paint.Light.Line2} {
		if count[c] < 40 {
			t.Errorf("%d pixels of %s %v", count[c], name, c)
		}
	}
}

func TestPaintsOnlyChanges(t *testing.T) {
	needDisplay(t)
	s := NewCanvas()
	drawn := 0
	s.OnPaint = func() { drawn++ }
	s.Fit(200, 150, 1)
	screen := ebiten.NewImage(200, 150)
	for range 3 {
		s.Draw(screen)
	}
	if drawn != 1 {
		t.Errorf("painted %d times without a change, want 1", drawn)
	}
	s.Take(rendertest.Rings("ais", 0, 2, 4, 4, false))
	s.Draw(screen)
	if s.SetScene("nonsense") || !s.SetScene("trace") {
		t.Error("SetScene accepts an unknown scene, or not a known one")
	}
	s.Draw(screen)
	s.Reset()
	s.Draw(screen)
	s.Draw(screen)
	if drawn != 4 {
		t.Errorf("painted %d times for four states, want 4", drawn)
	}
}

// TestPaintPlane checks that the colours of bands, particles and text are on the canvas in each theme.
func TestPaintPlane(t *testing.T) {
	needDisplay(t)
	s := NewCanvas()
	s.SetScene("plane")
	for _, f := range rendertest.AnnealedRun(400, 1) {
		s.Take(f)
	}
	for _, name := range []string{"light", "dark", "projector"} {
		s.SetTheme(name, 1)
		img := shoot(s, 704, 456, 1)
		th := paint.Themes[name]
		for what, c := range map[string]color.RGBA{"the peak": th.Shade(0, false), "the foot": th.Shade(5, false),
			"particles": th.BetaColor(1), "text": th.Ink} {
			n := 0
			for i := 0; i < len(img.Pix); i += 4 {
				if alike(color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 255}, c) {
					n++
				}
			}
			if n < 60 {
				t.Errorf("%s: %d pixels of %s", name, n, what)
			}
		}
	}
}

// TestCanvasEvents checks tooltips, taps and captures, and that nothing is painted without a change.
func TestCanvasEvents(t *testing.T) {
	needDisplay(t)
	s := NewCanvas()
	s.SetScene("plane")
	var heard []string
	drawn := 0
	s.OnTooltip = func(text string) { heard = append(heard, text) }
	s.OnPaint = func() { drawn++ }
	for _, f := range append(rendertest.AnnealedRun(100, 1), rendertest.TemperingRun(100)[1:]...) {
		s.Take(f)
	}
	s.Fit(704, 456, 1)
	screen := ebiten.NewImage(704, 456)
	s.Draw(screen)
	d := rendertest.MarksOfKind(rendertest.Draw("plane", rendertest.Area(704, 456, 1), s.Stage), paint.Dots)[0]
	s.Point(d.Pts[50].X, d.Pts[50].Y)
	s.Draw(screen)
	s.Draw(screen)
	if len(heard) != 1 || drawn != 2 {
		t.Fatalf("a pointer at rest gave %d tooltips in %d paintings, want 1 in 2: %q", len(heard), drawn, heard)
	}
	var got []byte
	s.Capture(func(w, h int, pixels []byte) {
		if w == 1200 && h == 778 {
			got = pixels
		}
	})
	s.Draw(screen)
	s.Draw(screen)
	if len(got) != 4*1200*778 || got[3] != 255 {
		t.Fatalf("Capture gave %d bytes, want %d", len(got), 4*1200*778)
	}
	if drawn != 3 {
		t.Errorf("%d paintings, want 3", drawn)
	}
	s.Leave()
	s.Draw(screen)
	if len(heard) != 2 || heard[1] != "" {
		t.Errorf("tooltips after Leave: %q, want the last one empty", heard)
	}
	if s.Run.Chosen != "" {
		t.Error("a method was selected without a tap")
	}
	s.Tap(40, 12) // the first name of the header
	if s.Run.Chosen != "ais" {
		t.Errorf("a tap on a name selected %q, want ais; taps: %v", s.Run.Chosen, s.Taps)
	}
	s.SetMethod("rts")
	s.Leave()
	s.Draw(screen)
	before := drawn
	for range 5 {
		s.Draw(screen)
		s.Leave()
	}
	if drawn != before {
		t.Errorf("%d paintings without a change", drawn-before)
	}
}

// TestPaintFormation checks that the colours of the scenes are on the canvas, and that nothing is painted without a
// change.
func TestPaintFormation(t *testing.T) {
	needDisplay(t)
	for _, name := range []string{"form", "funcplane", "funcalbum"} {
		forms, _ := rendertest.ShowStage(name, 704, 620)
		s := &Canvas{Stage: forms}
		for _, theme := range []string{"light", "dark", "projector"} {
			s.SetTheme(theme, 1)
			img := shoot(s, 704, 620, 1)
			th := paint.Themes[theme]
			for what, c := range map[string]color.RGBA{"ink": th.Ink, "highlight": th.Methods[0],
				"lines": th.Ink2} {
				n := 0
				for i := 0; i < len(img.Pix); i += 4 {
					if alike(color.RGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 255}, c) {
						n++
					}
				}
				if n < 40 {
					t.Errorf("%s %s: %d pixels of %s", name, theme, n, what)
				}
			}
		}
		drawn := 0
		s.OnPaint = func() { drawn++ }
		screen := ebiten.NewImage(704, 620)
		for range 5 {
			s.Draw(screen)
		}
		if drawn > 1 {
			t.Errorf("%s was painted %d times without a change", name, drawn)
		}
	}
}
