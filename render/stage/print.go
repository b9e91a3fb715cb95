package stage

import (
	"math"

	"logzlab/render/paint"
	"logzlab/render/svg"
)

// printWidth is the minimum width of a picture for printing, in pixels.
const printWidth = 1200

// PrintArea returns the area of a picture for printing: it has the shape of the canvas, is at least 1,200 pixels wide,
// and has no buttons.
func (s *Stage) PrintArea() *paint.Area {
	f := max(1, printWidth/float64(s.W))
	u := f * s.Scale * s.Zoom
	return &paint.Area{W: math.Ceil(f * float64(s.W)), H: math.Ceil(f * float64(s.H)), Unit: u, Theme: s.Theme,
		Fonts: paint.NewFonts(u, s.Fonts.Comma), Still: s.Still, Print: true, Words: s.Words, Hidden: s.Hidden}
}

// SVG returns the current scene as an SVG document of the size of PrintArea, or nil before Fit has been called.
func (s *Stage) SVG() []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Fonts == nil || s.W < 1 || s.H < 1 {
		return nil
	}
	a := s.PrintArea()
	d := svg.Document{W: a.W, H: a.H, Theme: a.Theme, Fonts: a.Fonts, Layers: s.CurrentScene().Draw(a), Ground: true,
		Desc: s.CurrentScene().Describe(a)}
	return d.Write()
}
