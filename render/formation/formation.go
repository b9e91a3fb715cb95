// Package formation is the scene of particles that are generated coordinate by coordinate, such as pictures pixel by
// pixel. It shows the particles, their genealogy, the ancestors of a selected particle, and log Z_n by stage. The
// viewer can clamp pixels.
package formation

import (
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("formation", func(r *record.Run) scene.Scene { return &formation{Base: scene.Base{Run: r}} })

// formation shows a gallery of the particles with siblings as neighbours, one of them in a large size, and below, over
// an axis of stages, their genealogy and log Z_n. A tap on a picture selects its line of ancestors: the gallery then
// shows these.
type formation struct {
	scene.Base
	clamps  clampEditor
	showAll bool // show all particles instead of a few large ones
}

// Draw implements Scene.
func (s *formation) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	w, among := p.Pick(record.HasStages)
	if w == nil || a.W < 200*a.Unit || a.H < 140*a.Unit {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}
	v := NewStageView(a, p, w)
	if v != nil {
		v.s = s
	}
	if v == nil {
		return []paint.Layer{paint.Note(a, "No particles yet")}
	}
	var top paint.Layer
	headerHeight := record.Header(a, p, &top, v.Pad, w, among)
	showsDetails := a.Shows("details")
	if a.W >= 560*a.Unit && !s.showAll && showsDetails { // otherwise it does not fit, and log Z is drawn in the strip
		a = record.DrawColumn(a, &top, v.level(), headerHeight)
		v.hasColumn = a != v.a
		v.a = a
	}
	a.OnBackground(p.Unmark)
	v.StateLine(&top, headerHeight)
	y := 32*a.Unit + headerHeight
	if v.Island.W == 0 || v.Moment.Rows == 0 {
		return append(v.Charts(y), top)
	}

	// The gallery, and the strips below.
	share := 0.5
	switch {
	case s.clamps.active && a.Compact():
		share = 0.85
	case !showsDetails:
		share = 1 - 20*a.Unit/a.H
	case s.showAll:
		share = 0.66
	}
	pictures, bottom := v.gallery(paint.XYWH(v.Pad, y, a.W-2*v.Pad, share*a.H-y+12*a.Unit))
	if showsDetails {
		pictures = append(pictures, v.Charts(bottom+18*a.Unit)...)
	}
	return append(pictures, top)
}

// Key implements Scene.
func (s *formation) Key(name string) bool { return s.clamps.key(name) || s.Run.HandleStageKey(name) }

// IsAnimating implements Scene.
func (s *formation) IsAnimating(still bool) bool { return s.Run.StageIsAnimating(still) }

// StateLine draws the current action at the left, and at the right whether the shown moment is the newest one.
func (v *stageView) StateLine(l *paint.Layer, down float64) {
	y := 16*v.a.Unit + down
	end := v.drawButton(l, y, v.statusOrBack(l, y))
	switch {
	case v.s.clamps.active: // the sequence of effects of a press on a pixel
		a := v.a
		s := a.Say("ink") + " \u2192 " + a.Say("paper") + " \u2192 " + a.Say("free")
		if v.Pad+a.Fonts.Width(s, paint.Strong) < end {
			l.Label(s, v.Pad, y, paint.Strong, a.Theme.Ink, paint.Left)
		}
	case v.Following():
		v.followedLine(l, y, end)
	case v.Island.Slow || v.Island.ShownID != 0:
		v.phaseLine(l, y, v.sizeSwitch(l, y, end))
	default:
		v.sizeLine(l, y, v.sizeSwitch(l, y, end), down > 0)
	}
}

// statusOrBack draws the status at the right or, if an earlier moment is shown, the link back to the newest. It
// returns the right end of the free space, which is the same in both cases.
func (v *stageView) statusOrBack(l *paint.Layer, y float64) (end float64) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	end = a.W - v.Pad
	status, back := v.status()
	room := max(a.Fonts.Width(a.Say(back), paint.Strong)+18*u, a.Fonts.Width(a.Say(status), paint.Plain)+30*u)
	if s := a.Say(back); v.Island.ShownID != 0 {
		is := v.Island
		a.Link(l, s, end-a.Fonts.Width(s, paint.Strong), y, paint.Strong, t.Ink, 16,
			paint.Action{Do: func(paint.Point) { is.ShownID = 0 }})
	} else {
		s := a.Say(status)
		wd := a.Fonts.Width(s, paint.Plain)
		l.Label(s, end-wd, y, paint.Plain, t.Ink2, paint.Left)
		dot := paint.Mark{Kind: paint.Disc, At: paint.Pt(end-wd-8*u, y-4*u), R: 3.5 * u, Color: v.highlight}
		switch status {
		case "paused":
			dot.Hollow = 1.5 * u
		case "done", "stopped":
			dot.Kind, dot.Color = paint.Square, t.Ink3
		}
		l.Add(dot)
	}
	return end - room
}

// followedLine draws the name of the selected particle, and the link back to all particles.
func (v *stageView) followedLine(l *paint.Layer, y, end float64) {
	a, u, t, x := v.a, v.a.Unit, v.a.Theme, v.Pad
	s := a.Say("All particles")
	wd := a.Fonts.Width(s, paint.Plain)
	is := v.Island
	a.Link(l, s, end-wd, y, paint.Plain, t.Ink2, 8, paint.Action{Do: func(paint.Point) { is.Marked = [2]int{} }})
	end -= wd + 18*u
	l.Label(a.Say("Particle")+" "+strconv.Itoa(v.Island.Marked[1]+1), x, y, paint.Strong, t.Ink, paint.Left)
	x += a.Fonts.Width(a.Say("Particle")+" "+strconv.Itoa(v.Island.Marked[1]+1), paint.Strong) + 12*u
	text, reason := a.Say("and its ancestors"), ""
	switch {
	case v.Island.W > 0 && v.hasMissing():
		reason = "empty: not among the first"
	case v.Island.W == 0 && v.HighlightedRow() >= v.Moment.Rows:
		reason = "no picture: not among the first"
	}
	if more := text + " (" + a.Say(reason) + " " + strconv.Itoa(record.MaxSlots) + ")"; reason != "" &&
		x+a.Fonts.Width(more, paint.Plain) < end {
		text = more
	}
	if x+a.Fonts.Width(text, paint.Plain) < end {
		l.Label(text, x, y, paint.Plain, t.Ink2, paint.Left)
	}
}

// phaseLine draws the phases of a stage, the current one in bold.
func (v *stageView) phaseLine(l *paint.Layer, y, end float64) {
	a, u, t, x := v.a, v.a.Unit, v.a.Theme, v.Pad
	var wide float64
	var phases []int
	for k := 1; k < len(frame.FormingPhases); k++ {
		if v.Island.PhasesSeen>>k&1 != 0 {
			phases = append(phases, k)
			wide += a.Fonts.Width(a.Say(frame.FormingPhases[k]), paint.Strong) + 14*u
		}
	}

	// If they do not all fit, only the current one.
	if wide > end-x {
		phases = nil
		if v.Moment.Phase >= 0 {
			phases = []int{v.Moment.Phase}
		}
	}

	for _, k := range phases {
		s := a.Say(frame.FormingPhases[k])
		wd := a.Fonts.Width(s, paint.Strong)
		if x+wd > end {
			break
		}
		st, c := paint.Plain, t.Ink3
		if k == v.Moment.Phase {
			st, c = paint.Strong, t.Ink
			l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(x, y+4*u, wd, 2*u)), Color: v.highlight})
		}
		l.Label(s, x+(wd-a.Fonts.Width(s, st))/2, y, st, c, paint.Left)
		x += wd + 14*u
	}
}

// sizeLine draws the method, unless the header line has named it, and the number of particles.
func (v *stageView) sizeLine(l *paint.Layer, y, end float64, named bool) {
	a, u, t, x := v.a, v.a.Unit, v.a.Theme, v.Pad
	text := []string{a.MethodLabel(v.w.Method), format.Grouped(float64(v.Island.Growth.R), 0) + " " + a.Say("particles")}
	if r := v.Island.Growth.R; r > 0 && v.islands() > 1 {
		text = append(text, a.Say("group")+" 1 "+a.Say("of")+" "+format.Grouped(float64(v.islands()), 0))
	}
	if named {
		text = text[1:]
	}
	for i, s := range text {
		st, c := paint.Plain, t.Ink2
		if i == 0 && !named {
			st, c = paint.Strong, t.Ink
		}
		wd := a.Fonts.Width(s, st)
		if x+wd > end {
			break
		}
		l.Label(s, x, y, st, c, paint.Left)
		x += wd + 14*u
	}
}

// status returns whether the newest moment is the last one, and the text of the link back to it.
func (v *stageView) status() (status, back string) {
	p, ended := v.p, v.p.State == runstate.Done || v.p.State == runstate.Failed
	switch isComplete := v.Island.Growth.Stage == v.Island.Growth.Stages; {
	case isComplete && (ended || p.Active != v.w.Method && p.Active != ""): // or another method is running
		return "done", "Back to the end"
	case ended:
		return "stopped", "Back to the end"
	case p.State == runstate.Paused:
		return "paused", "Back to the newest"
	}
	return "live", "Back to live"
}

// islands returns the number of islands of the run, or the number that have sent frames if that is larger.
func (v *stageView) islands() int {
	if r := int(v.Island.Growth.R); r > 0 {
		return max(len(v.allIslands), (v.w.Total+r-1)/r)
	}
	return len(v.allIslands)
}

// sizeSwitch draws the button between large pictures and all pictures. It returns the right end of the free space.
func (v *stageView) sizeSwitch(l *paint.Layer, y, end float64) float64 {
	a, u := v.a, v.a.Unit
	if v.Island.W == 0 || v.Following() || v.maxTiles() <= v.large() {
		return end
	}
	s := a.Say("More pictures")
	if v.s.showAll {
		s = a.Say("Larger pictures")
	}
	wd := a.Fonts.Width(s, paint.Plain)
	if end-wd < v.Pad+a.Fonts.Width(a.Say("resample"), paint.Strong)+14*u {
		return end
	}
	a.Link(l, s, end-wd, y, paint.Plain, a.Theme.Ink2, 8, paint.Action{Do: func(paint.Point) { v.s.showAll = !v.s.showAll }})
	return end - wd - 18*u
}
