package render

import (
	"math"

	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/gpu"
	"logzlab/render/paint"
)

// keptWidth is the least width of a picture for keeping, in pixels.
const keptWidth = 1200

// kept paints the scene for keeping: as it is on the canvas, but large enough to be printed, without what the pointer
// reads and without what can be pressed.
func (s *Canvas) kept() (w, h int, pixels []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.keeping()
	w, h = int(a.W), int(a.H)
	img := ebiten.NewImage(w, h)
	defer img.Deallocate()
	gpu.NewPainter(a.Fonts).Paint(img, s.theme, s.shown().Draw(a))
	pixels = make([]byte, 4*w*h)
	img.ReadPixels(pixels)
	return w, h, pixels
}

// keeping is the area of a picture for keeping.
func (s *Canvas) keeping() *paint.Area {
	f := max(1, keptWidth/float64(s.w))
	u := f * s.scale * s.zoom
	return &paint.Area{W: math.Ceil(f * float64(s.w)), H: math.Ceil(f * float64(s.h)), Unit: u, Theme: s.theme,
		Fonts: paint.NewFonts(u, s.fonts.Comma), Still: s.still, Print: true, Words: s.words, Hidden: s.hidden}
}
