package units

import (
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
	"logzlab/render/record"
)

// filmSwitch draws the button at the right of the first line that switches between film and tiles. It returns its
// width.
func (s *units) filmSwitch(a *paint.Area, l *paint.Layer, pad, down float64, words string) float64 {
	u := a.Unit
	wd := a.Fonts.Width(words, paint.Plain)
	a.Link(l, words, a.W-pad-wd, 17*u+down, paint.Plain, a.Theme.Ink2, 8, paint.Action{Do: func(paint.Point) {
		s.showTiles = !s.showTiles && !s.Run.Scrubber.Active
		s.Run.Scrubber.Active, s.Run.Scrubber.PlayStart = false, 0
	}})
	return wd + 16*u
}

// layFilm lays out the film of a method's particles. It returns false if there is no space.
func layFilm(a *paint.Area, w *record.Particles, pad, down float64) (l paint.Layer, ok bool) {
	t, u := a.Theme, a.Unit
	beta, shared, _ := w.SharedBeta()
	start, end, top, foot := 56*u, a.W-24*u, 28*u+down, 44*u
	if a.Compact() {
		end, foot = a.W-16*u, 38*u
	}
	gap := 8 * u
	if a.Compact() {
		gap = 6 * u
	}
	at := frame.FilmBetas(w.W, w.H)

	// As many columns as fit.
	n, cell := filmLines(a, w, len(at), a.H-top-foot, end-start, gap)
	tw, th := cell*float64(w.W), cell*float64(w.H)
	if n == 0 || tw < 14*u || th < 14*u {
		return l, false
	}
	cols := min(int((end-start+gap)/(tw+gap)), 16, len(w.Slots))
	if cols < 1 {
		return l, false
	}
	px := tw + gap
	if cols > 1 {
		px = min((end-start-tw)/float64(cols-1), 1.7*tw)
	}
	py := (a.H - top - foot - th) / float64(n-1)
	lines, betas := make([]int, n), make([]float64, n)
	for r := range lines {
		lines[r] = (2*r*(len(at)-1) + n - 1) / (2 * (n - 1))
		betas[r] = at[lines[r]]
	}

	// The lines from hot to cold. The current position of a chain is underlined.
	l.Label("\u03b2", start-24*u, top-12*u, paint.Plain, t.Ink2, paint.Right)
	for r, f := range lines {
		y := math.Round(top + float64(r)*py)
		l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(start-16*u, y, 4*u, th)), Color: t.BetaColor(at[f])})
		st := paint.Plain
		if shared && schedule.Nearest(betas, beta) == r {
			st = paint.Strong
		}
		l.Label(format.Trimmed(at[f], 2), start-24*u, y+th/2+4*u, st, t.Ink, paint.Right)
		for c := range cols {
			s := &w.Slots[c]
			box := paint.XYWH(math.Round(start+float64(c)*px), y, tw, th)
			show := record.Snapshot{}
			if q := s.NearestSnapshot(f*w.FilmStride, w.FilmStride/2); q != nil {
				show = *q
			}
			if s.Filled && num.NotNaN(s.Beta) && schedule.Nearest(betas, s.Beta) == r { // its current position
				show = record.Snapshot{Valid: true, Beta: s.Beta, Cells: s.Cells, Shades: s.Shades}
				l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(box.X, y+th+2*u, tw, 2*u*t.Stroke)),
					Color: t.Methods[0]})
			}
			if !show.Valid {
				l.Add(paint.Mark{Kind: paint.Fill, Box: box, Color: paint.Mix(t.Ground, t.Track, 0.55)})
				continue
			}
			l.Add(w.Picture(box, show.Cells, show.Shades, c))
			if a.Pointed(box) {
				a.Pointer.Offer(0, 1, a.Pointer.At, 0, box, func() string { return describe(w, a, c, &show) })
			}
		}
	}

	filmFoot(w, a, &l, cols, start, px, tw, a.H-foot/2+8*u)
	return l, true
}

// filmLines returns the number of lines, from 3 to limit, that gives the largest legible pictures, and the size of
// their cells.
func filmLines(a *paint.Area, w *record.Particles, most int, high, across, gap float64) (n int, cell float64) {
	side, covered := float64(max(w.W, w.H)), 0.0
	for k := most; k >= 3; k-- {
		c := min((high-gap*float64(k))/float64(k)/float64(w.H), across/5/float64(w.W))
		if c >= 1 {
			c = math.Floor(c)
		}
		if n == 0 || cell*side < legible(a)*a.Unit || c*float64(w.H*k) > covered*1.12 {
			n, cell, covered = k, c, c*float64(w.H*k)
		}
	}
	return n, cell
}

// filmFoot draws below each column of a film the weight of its chain as an area, or its inverse temperature. Columns
// begin at start, are px apart, and tw wide.
func filmFoot(w *record.Particles, a *paint.Area, l *paint.Layer, cols int, start, px, tw, cy float64) {
	t, u := a.Theme, a.Unit
	rel, weighted := w.Weights()
	name := a.Say("now")
	if weighted {
		name = a.Say("weight")
	}
	l.Label(name, start-16*u, cy+4*u, paint.Tick, t.Ink3, paint.Right)
	mean, k := 0.0, 0.0
	for i := range w.Slots {
		if w.Slots[i].Filled {
			mean, k = mean+rel[i], k+1
		}
	}
	mean /= max(k, 1)
	for c := range cols {
		s := &w.Slots[c]
		x := math.Round(start+float64(c)*px) + tw/2
		switch {
		case !s.Filled:
		case weighted && rel[c] > 0:
			l.Add(paint.Mark{Kind: paint.Disc, At: paint.Pt(x, cy), R: max(6.5*u*math.Sqrt(min(3, rel[c]/mean)), 0.7*u),
				Color: t.BetaColor(s.Beta)})
		case !weighted && num.NotNaN(s.Beta):
			l.Label(format.Trimmed(s.Beta, 2), x, cy+4*u, paint.Tick, t.Ink2, paint.Centre)
		}
	}
}

// describe returns the tooltip of row i, or of a snapshot of it.
func describe(w *record.Particles, a *paint.Area, i int, f *record.Snapshot) string {
	s := &w.Slots[i]
	beta, on := s.Beta, s.Cells
	if f != nil {
		beta, on = f.Beta, f.Cells
	}
	text := a.Say("Particle") + " " + strconv.Itoa(i+1)
	if num.NotNaN(beta) {
		text += "\n\u03b2 = " + strconv.FormatFloat(beta, 'g', 3, 64)
	}
	n := 0
	for _, c := range on {
		if c == 1 {
			n++
		}
	}
	text += "\n" + format.Grouped(float64(n), 0) + " " + a.Say("of") + " " + format.Grouped(float64(len(on)), 0) +
		" " + a.Say("units on")
	if num.NotNaN(s.LogW) && beta == s.Beta { // the weight belongs to the newest state
		text += "\n" + a.Say("log weight") + " " + format.Grouped(s.LogW, 1)
	}
	return text
}
