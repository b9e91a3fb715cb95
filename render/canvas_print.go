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
	s.Mu.Lock()
	defer s.Mu.Unlock()
	a := s.keeping()
	w, h = int(a.W), int(a.H)
	img := ebiten.NewImage(w, h)
	defer img.Deallocate()
	gpu.NewPainter(a.Fonts).Paint(img, s.Theme, s.Shown().Draw(a))
	pixels = make([]byte, 4*w*h)
	img.ReadPixels(pixels)
	return w, h, pixels
}

// keeping is the area of a picture for keeping.
func (s *Canvas) keeping() *paint.Area {
	f := max(1, keptWidth/float64(s.W))
	u := f * s.Scale * s.Zoom
	return &paint.Area{W: math.Ceil(f * float64(s.W)), H: math.Ceil(f * float64(s.H)), Unit: u, Theme: s.Theme,
		Fonts: paint.NewFonts(u, s.Fonts.Comma), Still: s.Still, Print: true, Words: s.Words, Hidden: s.Hidden}
}
