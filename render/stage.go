// Package render draws what a running estimator shows. Each scene is a pure
// layout from a Picture (the newest frames) to marks, which tests can read; one
// painter turns marks into triangles. The only input is core/frame.
package render

import (
	"sync"

	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/core/frame"
)

// scenes are the layouts by the name the page uses.
var scenes = map[string]func(*area, *Picture) []layer{"units": units, "trace": trace}

// Stage is the Ebitengine game: it shows one scene of the newest frames and
// paints only when something changed. Its methods may be called from any
// goroutine. It never simulates.
type Stage struct {
	// Drawn, if set, is called after each painting; all frames taken by then are
	// on the canvas.
	Drawn func()

	mu      sync.Mutex
	picture Picture
	scene   string
	theme   *Theme
	dirty   bool // the canvas does not show the state
	w, h    int
	scale   float64
	fonts   *fonts
	painter *painter
}

// NewStage is an empty stage with the scene units and the light theme.
func NewStage() *Stage { return &Stage{scene: "units", theme: &Light, dirty: true} }

// Run opens the window or canvas and returns when it closes, or with the reason
// why there can be no picture.
func (s *Stage) Run() error {
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetWindowTitle("LogZ Lab")
	return ebiten.RunGame(s)
}

// Take adds a frame to the picture. f is kept and must not change any more.
func (s *Stage) Take(f *frame.Frame) {
	s.change(func() { s.picture.Take(f) })
}

// Reset forgets all frames.
func (s *Stage) Reset() {
	s.change(func() {
		s.picture = Picture{}
		if s.painter != nil {
			s.painter.forget()
		}
	})
}

// SetScene shows another scene; it reports false for a name it does not know.
func (s *Stage) SetScene(name string) bool {
	if scenes[name] == nil {
		return false
	}
	s.change(func() { s.scene = name })
	return true
}

// SetTheme switches to the dark theme, or for any other name to the light one.
func (s *Stage) SetTheme(name string) {
	s.change(func() {
		s.theme = &Light
		if name == "dark" {
			s.theme = &Dark
		}
	})
}

func (s *Stage) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	s.dirty = true
}

// Update does nothing: frames arrive by Take, whatever the frame rate.
func (s *Stage) Update() error { return nil }

// Layout is required by ebiten.Game and never called, because LayoutF exists.
func (s *Stage) Layout(w, h int) (int, int) { return w, h }

// LayoutF asks for a canvas of device pixels.
func (s *Stage) LayoutF(w, h float64) (float64, float64) {
	return s.fit(w, h, ebiten.Monitor().DeviceScaleFactor())
}

func (s *Stage) fit(w, h, scale float64) (float64, float64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if scale != s.scale {
		s.scale, s.fonts, s.painter, s.dirty = scale, newFonts(scale), nil, true
	}
	return max(w*scale, 1), max(h*scale, 1)
}

// Draw paints if anything changed and otherwise leaves the canvas as it is.
func (s *Stage) Draw(screen *ebiten.Image) {
	if s.draw(screen) && s.Drawn != nil {
		s.Drawn()
	}
}

// draw reports whether it painted.
func (s *Stage) draw(screen *ebiten.Image) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := screen.Bounds()
	if !s.dirty && b.Dx() == s.w && b.Dy() == s.h || s.fonts == nil {
		return false
	}
	s.w, s.h, s.dirty = b.Dx(), b.Dy(), false
	if s.painter == nil {
		s.painter = newPainter(s.fonts)
	}
	s.painter.paint(screen, s.theme, s.layers())
	return true
}

// layers lays the current scene out.
func (s *Stage) layers() []layer {
	a := &area{w: float64(s.w), h: float64(s.h), u: s.scale, theme: s.theme, fonts: s.fonts}
	return scenes[s.scene](a, &s.picture)
}
