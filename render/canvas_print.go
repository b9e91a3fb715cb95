package render

import (
	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/gpu"
)

// kept paints the scene for keeping: as it is on the canvas, but large enough to be printed, without what the pointer
// reads and without what can be pressed.
func (s *Canvas) kept() (w, h int, pixels []byte) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	a := s.Keeping()
	w, h = int(a.W), int(a.H)
	img := ebiten.NewImage(w, h)
	defer img.Deallocate()
	gpu.NewPainter(a.Fonts).Paint(img, s.Theme, s.Shown().Draw(a))
	pixels = make([]byte, 4*w*h)
	img.ReadPixels(pixels)
	return w, h, pixels
}
