package render

import (
	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/gpu"
	"logzlab/render/paint"
	"logzlab/render/stage"
)

// Canvas is the Ebitengine game that draws one scene of a run. It paints only if something has changed, and it never
// simulates. Its methods may be called from any goroutine.
type Canvas struct {
	*stage.Stage

	// OnPaint, if set, is called after each painting. All frames taken by then are on the canvas.
	OnPaint func()
	// OnTooltip, if set, is called when the text at the pointer changes; "" means that there is none.
	OnTooltip    func(text string)
	painter      *gpu.Painter
	painterFonts *paint.Fonts // the fonts of painter

	tooltip  string // the last text passed to OnTooltip
	captures []func(w, h int, pixels []byte)
	reel     *reel // a film that is being made or played
}

// NewCanvas returns an empty canvas with the scene "units" and the light theme.
func NewCanvas() *Canvas {
	s := &Canvas{Stage: stage.NewStage()}
	s.OnClear = func() {
		if s.painter != nil {
			s.painter.Forget()
		}
	}
	return s
}

// Loop opens the window or canvas and returns when it closes. Its error says why nothing can be painted.
func (s *Canvas) Loop() error {
	ebiten.SetScreenClearedEveryFrame(false)
	ebiten.SetRunnableOnUnfocused(true)
	ebiten.SetWindowTitle("LogZ Lab")
	return ebiten.RunGame(s)
}

// Capture calls f with the next picture at print size: rows of RGBA bytes from the top.
func (s *Canvas) Capture(f func(w, h int, pixels []byte)) {
	s.Change(func() { s.captures = append(s.captures, f) })
}

// Update implements ebiten.Game. It does nothing: frames arrive through Take, independent of the frame rate.
func (s *Canvas) Update() error { return nil }

// Layout is required by ebiten.Game but never called, because LayoutF exists.
func (s *Canvas) Layout(w, h int) (int, int) { return w, h }

// LayoutF implements ebiten.LayoutFer: the canvas is measured in device pixels.
func (s *Canvas) LayoutF(w, h float64) (float64, float64) {
	return s.Fit(w, h, ebiten.Monitor().DeviceScaleFactor())
}

// Draw implements ebiten.Game. It paints if anything has changed since the last call.
func (s *Canvas) Draw(screen *ebiten.Image) {
	painted, clickable, text, captures := s.draw(screen)
	if !painted {
		return
	}
	if len(captures) > 0 {
		w, h, pixels := s.paintPrint()
		for _, f := range captures {
			f(w, h, pixels)
		}
	}
	s.paintNextFrame()
	shape := ebiten.CursorShapeDefault
	if clickable {
		shape = ebiten.CursorShapePointer
	}
	if ebiten.CursorShape() != shape {
		ebiten.SetCursorShape(shape)
	}
	if text != s.tooltip {
		s.tooltip = text
		if s.OnTooltip != nil {
			s.OnTooltip(text)
		}
	}
	if s.OnPaint != nil {
		s.OnPaint()
	}
}

// draw paints the scene under the lock. It returns whether it painted, whether the pointer is over something
// clickable, the text at the pointer, and the callbacks that wait for a capture.
func (s *Canvas) draw(screen *ebiten.Image) (painted, clickable bool, text string, captures []func(int, int, []byte)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	b := screen.Bounds()
	if !s.Dirty && b.Dx() == s.W && b.Dy() == s.H || s.Fonts == nil {
		return false, false, "", nil
	}
	s.W, s.H, s.Dirty = b.Dx(), b.Dy(), false
	if s.painterFonts != s.Fonts {
		s.painter, s.painterFonts = gpu.NewPainter(s.Fonts), s.Fonts
	}
	s.Run.Now = s.Seconds()
	layers, text := s.LayersOf(func(a *paint.Area) []paint.Layer {
		if layers, playing := s.playedFrame(a); playing {
			return layers
		}
		return s.CurrentScene().Draw(a)
	})
	s.painter.Paint(screen, s.Theme, layers)
	captures, s.captures = s.captures, nil
	s.Dirty = s.Dirty || s.CurrentScene().IsAnimating(s.Still)
	clickable = s.Pointer != nil && paint.Clickable(s.Taps, *s.Pointer)
	return true, clickable, text, captures
}
