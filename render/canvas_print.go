package render

import (
	"github.com/hajimehoshi/ebiten/v2"

	"logzlab/render/gpu"
)

// paintPrint paints the current scene at print size: at least 1,200 pixels wide, without tooltip and buttons.
func (s *Canvas) paintPrint() (w, h int, pixels []byte) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	a := s.PrintArea()
	w, h = int(a.W), int(a.H)
	img := ebiten.NewImage(w, h)
	defer img.Deallocate()
	gpu.NewPainter(a.Fonts).Paint(img, s.Theme, s.CurrentScene().Draw(a))
	pixels = make([]byte, 4*w*h)
	img.ReadPixels(pixels)
	return w, h, pixels
}
