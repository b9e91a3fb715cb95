// Package units is the scene of particles as pictures of their units: a film over the temperatures, or tiles.
package units

import (
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("units", func(r *record.Run) scene.Scene { return &units{Base: scene.Base{Run: r}} })

// units shows the rows of one method as pictures. Rows that pass through temperatures are shown as a film: a column is
// a chain, a line a temperature, so that structure appears from top to bottom. Otherwise, or after a tap, all rows are
// tiles; also while the history is played or scrubbed.
type units struct {
	scene.Base
	showTiles bool // show all particles instead of the film
}

// Draw implements Scene.
func (s *units) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	u, pad := a.Unit, 24*a.Unit
	if a.Compact() {
		pad = 16 * u
	}
	live, w, among := p.PickReplayed(a, func(w *record.Particles) bool { return !w.RungsOnly })
	if w == nil || a.W-2*pad < 32*u || a.H < 88*u {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}

	// Around the rows: header, bar of temperatures, column of log Z.
	var top paint.Layer
	down := record.Header(a, p, &top, pad, live, among)
	if live.HasHistory() && a.H >= 200*u {
		a = p.BarBelow(a, &top, live)
	}
	if live.HasBetas() {
		a = record.DrawColumn(a, &top, p.Level(live, a), down)
	}
	if w.W == 0 {
		b := paint.XYWH(pad, 36*u+down, a.W-2*pad, a.H-52*u-down)
		return append(scatter(a, w, b), record.Status(a, w, paint.XYWH(pad, 8*u+down, b.W, 20*u), len(w.Slots), 0), top)
	}

	// The film, or all rows as tiles.
	known := w.HasBetas() && w.Rungs > 2 // between base and target alone there is no path to show
	if known && !s.showTiles && !p.Scrubber.Active {
		if film, ok := layFilm(a, w, pad, down); ok {
			s.filmSwitch(a, &film, pad, down, a.Say("Side by side"))
			return []paint.Layer{film, top}
		}
	}
	room := 0.0
	if known {
		room = s.filmSwitch(a, &top, pad, down, a.Say("By temperature"))
	}
	b := paint.XYWH(pad, 29*u+down, a.W-2*pad, a.H-45*u-down)
	pictures, shown := tiles(a, w, b, legible(a))
	return []paint.Layer{pictures, record.Status(a, w, paint.XYWH(pad, u+down, b.W, 20*u), shown, room), top}
}

// Key implements Scene.
func (s *units) Key(name string) bool { return s.Run.HandleScrubKey(name) }

// Describe implements Scene.
func (s *units) Describe(a *paint.Area) string { return record.DescribeScrubber(a, s.Run) }

// IsAnimating implements Scene.
func (s *units) IsAnimating(still bool) bool {
	return s.Run.IsPlaying(still) || !still && s.Run.IsGliding()
}
