package render

import (
	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/gpu"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// Canvas is the Ebitengine game: it shows one scene of the newest frames and
// paints only when something changed. Its methods may be called from any
// goroutine. It never simulates.
type Canvas struct {
	*stage.Stage

	// Drawn, if set, is called after each painting; all frames taken by then are
	// on the canvas.
	Drawn func()
	// Read, if set, is called when the words at the pointer change; "" is nothing.
	Read    func(text string)
	painter *gpu.Painter
	painted *paint.Fonts // with which the painter was made

	said  string // what Read was told last
	shots []func(w, h int, pixels []byte)
	reel  *reel // a film in the making
}

// NewCanvas is an empty canvas with the scene units and the light theme.
func NewCanvas() *Canvas {
	s := &Canvas{Stage: stage.NewStage()}
	s.Cleared = func() {
		if s.painter != nil {
			s.painter.Forget()
		}
	}
	return s
}

// Loop opens the window or canvas and returns when it closes, or with the reason
// why there can be no picture.
func (s *Canvas) Loop() error {
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetWindowTitle("LogZ Lab")
	return ebiten.RunGame(s)
}

// Shoot calls f with the picture for keeping: rows of red, green, blue and opacity from the top.
func (s *Canvas) Shoot(f func(w, h int, pixels []byte)) {
	s.Change(func() { s.shots = append(s.shots, f) })
}

// Update does nothing: frames arrive by Take, whatever the frame rate.
func (s *Canvas) Update() error { return nil }

// Layout is required by ebiten.Game and never called, because LayoutF exists.
func (s *Canvas) Layout(w, h int) (int, int) { return w, h }

// LayoutF asks for a canvas of device pixels.
func (s *Canvas) LayoutF(w, h float64) (float64, float64) {
	return s.Fit(w, h, ebiten.Monitor().DeviceScaleFactor())
}

// Draw paints if anything changed and otherwise leaves the canvas as it is.
func (s *Canvas) Draw(screen *ebiten.Image) {
	drawn, hand, text, shots := s.draw(screen)
	if !drawn {
		return
	}
	if len(shots) > 0 {
		w, h, pixels := s.kept()
		for _, f := range shots {
			f(w, h, pixels)
		}
	}
	s.shootFilm()
	shape := ebiten.CursorShapeDefault
	if hand {
		shape = ebiten.CursorShapePointer
	}
	if ebiten.CursorShape() != shape {
		ebiten.SetCursorShape(shape)
	}
	if text != s.said {
		s.said = text
		if s.Read != nil {
			s.Read(text)
		}
	}
	if s.Drawn != nil {
		s.Drawn()
	}
}

// draw reports whether it painted, whether the pointer is on something to tap, what
// it reads, and who waits for the pixels.
func (s *Canvas) draw(screen *ebiten.Image) (drawn, hand bool, text string, shots []func(int, int, []byte)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := screen.Bounds()
	if !s.Dirty && b.Dx() == s.W && b.Dy() == s.H || s.Fonts == nil {
		return false, false, "", nil
	}
	s.W, s.H, s.Dirty = b.Dx(), b.Dy(), false
	if s.painted != s.Fonts {
		s.painter, s.painted = gpu.NewPainter(s.Fonts), s.Fonts
	}
	s.Run.Now = s.Seconds()
	layers, text := s.LayersOf(func(a *paint.Area) []paint.Layer {
		if layers, plays := s.played(a); plays {
			return layers
		}
		return s.Shown().Draw(a)
	})
	s.painter.Paint(screen, s.Theme, layers)
	shots, s.shots = s.shots, nil
	s.Dirty = s.Dirty || s.Shown().Moves(s.Still)
	hand = s.Pointer != nil && paint.Clickable(s.Taps, *s.Pointer)
	return true, hand, text, shots
}
