package render

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"testing"

	"github.com/hajimehoshi/ebiten/v2"
)

// Pixels can be read only while a game runs, so all tests run inside the first
// Update of a tiny one. Without a display the layout tests still run.
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

// needDisplay skips a test that paints when there is nothing to paint on.
func needDisplay(t *testing.T) {
	t.Helper()
	if !display {
		t.Skip("no DISPLAY: run with xvfb-run -a -s '-screen 0 1024x768x24' to paint for real")
	}
}

// shoot paints a stage offscreen at the given CSS size and pixel ratio.
func shoot(s *Stage, w, h, scale float64) *image.RGBA {
	dw, dh := s.fit(w, h, scale)
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
		s := NewStage()
		s.SetTheme(theme, 0)
		f := rings("ais", 0, 6, 5, 4, false)
		f.Pixels[1] = 2
		s.Take(f)
		s.picture.tiled = true
		img := shoot(s, 320, 240, 2)
		for _, m := range all(units(&area{w: 640, h: 480, u: 2, theme: s.theme, fonts: s.fonts}, &s.picture), picture) {
			for j, v := range f.Pixels[m.slot*20 : (m.slot+1)*20] {
				cell := m.box.w / 5
				x, y := int(m.box.x+(float64(j%5)+0.5)*cell), int(m.box.y+(float64(j/5)+0.5)*cell)
				want := []color.RGBA{s.theme.Ground, s.theme.Ink, s.theme.Absent}[v]
				if got := img.RGBAAt(x, y); !alike(got, want) {
					t.Fatalf("%s: cell %d of picture %d is %v, want %v", theme, j, m.slot, got, want)
				}
			}
		}
	}
}

// alike allows for the small differences between drivers.
func alike(a, b color.RGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 3 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B) && d(a.A, b.A)
}

func TestPaintTrace(t *testing.T) {
	needDisplay(t)
	s := NewStage()
	s.SetScene("trace")
	s.Take(histories(true, "ais", "rts"))
	img := shoot(s, 704, 456, 1)
	count := map[color.RGBA]int{}
	for y := range 456 {
		for x := range 704 {
			count[img.RGBAAt(x, y)]++
		}
	}
	for name, c := range map[string]color.RGBA{"ground": Light.Ground, "ais": Light.Methods[0], "rts": Light.Methods[1],
		"truth": Light.Ink, "grid": Light.Line, "axis": Light.Line2} {
		if count[c] < 40 {
			t.Errorf("%d pixels of %s %v", count[c], name, c)
		}
	}
}

func TestStillWhenNothingChanged(t *testing.T) {
	needDisplay(t)
	s := NewStage()
	drawn := 0
	s.Drawn = func() { drawn++ }
	s.fit(200, 150, 1)
	screen := ebiten.NewImage(200, 150)
	for range 3 {
		s.Draw(screen)
	}
	if drawn != 1 {
		t.Errorf("painted %d times for one state", drawn)
	}
	s.Take(rings("ais", 0, 2, 4, 4, false))
	s.Draw(screen)
	if s.SetScene("nonsense") || !s.SetScene("trace") {
		t.Error("scenes are not known by their names")
	}
	s.Draw(screen)
	s.Reset()
	s.Draw(screen)
	s.Draw(screen)
	if drawn != 4 {
		t.Errorf("painted %d times for four states", drawn)
	}
}
