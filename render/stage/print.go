package stage

import (
	"math"

	"logzlab/render/paint"
	"logzlab/render/svg"
)

// keptWidth is the least width of a picture for keeping, in pixels.
const keptWidth = 1200

// Keeping returns an area for a picture to be kept: of the shape of the canvas, but at least 1,200 pixels wide, and
// without what can be pressed.
func (s *Stage) Keeping() *paint.Area {
	f := max(1, keptWidth/float64(s.W))
	u := f * s.Scale * s.Zoom
	return &paint.Area{W: math.Ceil(f * float64(s.W)), H: math.Ceil(f * float64(s.H)), Unit: u, Theme: s.Theme,
		Fonts: paint.NewFonts(u, s.Fonts.Comma), Still: s.Still, Print: true, Words: s.Words, Hidden: s.Hidden}
}

// SVG returns the scene on show as an SVG document, as large as a picture for keeping. It is empty before the stage has
// a size.
func (s *Stage) SVG() []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Fonts == nil || s.W < 1 || s.H < 1 {
		return nil
	}
	a := s.Keeping()
	d := svg.Document{W: a.W, H: a.H, Theme: a.Theme, Fonts: a.Fonts, Layers: s.Shown().Draw(a), Ground: true,
		Desc: s.Shown().Describe(a)}
	return d.Write()
}
