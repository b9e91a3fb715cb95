package render

import (
	"fmt"
	"image"
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
