package render

import (
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
)

var _ = register(scene{name: "formation", draw: formation,
	moves: (*Picture).changing, key: (*Picture).form, tell: tellForming, miss: (*Picture).unmark})

// formation shows particles that form coordinate by coordinate: a wall of
// pictures with kin side by side, one of them large, and below them, on one axis
// of stages, who begot whom, the evidence, and what it took. A tap on a picture
// follows its line of ancestors: the wall becomes their film.
func formation(a *area, p *Picture) []layer {
	w, among := p.pick(forms)
	if w == nil || a.w < 200*a.u || a.h < 140*a.u {
		return []layer{note(a, "No particles yet")}
	}
	v := newForming(a, p, w)
	if v == nil {
		return []layer{note(a, "No particles yet")}
	}
	var top layer
	down := head(a, p, &top, v.pad, w, among)
	if a.w >= 560*a.u && !p.crowd { // else there is no room, and the evidence is below
		a = columnBeside(a, &top, v.level(), down)
		v.a = a
	}
	v.stateLine(&top, down)
	y := 32*a.u + down
	if v.is.w == 0 || v.m.rows == 0 {
		return append(v.charts(y), top)
	}
	share := 0.5
	switch {
	case p.board.on && a.compact():
		share = 0.85
	case p.crowd:
		share = 0.66
	}
	wall, bottom := v.gallery(rect{v.pad, y, a.w - 2*v.pad, share*a.h - y + 12*a.u})
	return append(append(wall, v.charts(bottom+18*a.u)...), top)
}

// stateLine says what happens now, at the left, and at the right whether the
// picture is live.
func (v *forming) stateLine(l *layer, down float64) {
	y := 16*v.a.u + down
	end := v.drawSwitch(l, y, v.moodOrBack(l, y))
	switch {
	case v.following():
		v.followedLine(l, y, end)
	case v.is.slow || v.is.back != 0:
		v.phaseLine(l, y, v.crowdSwitch(l, y, end))
	default:
		v.sizeLine(l, y, v.crowdSwitch(l, y, end), down > 0)
	}
}

// moodOrBack writes at the right whether the picture is live, or the way back to the
// newest frame; it returns where what stands to the left of it must end.
func (v *forming) moodOrBack(l *layer, y float64) (end float64) {
	a, u, t := v.a, v.a.u, v.a.theme
	end = a.w - v.pad
	mood, back := v.mood()
	if s := a.say(back); v.is.back != 0 {
		wd := a.fonts.width(s, strong)
		is := v.is
		a.link(l, s, end-wd, y, strong, t.Ink, 16, action{do: func(point) { is.back = 0 }})
		end -= wd + 18*u
	} else {
		s := a.say(mood)
		wd := a.fonts.width(s, plain)
		l.label(s, end-wd, y, plain, t.Ink2, left)
		dot := mark{kind: disc, at: point{end - wd - 8*u, y - 4*u}, r: 3.5 * u, color: v.eye}
		switch mood {
		case "paused":
			dot.hollow = 1.5 * u
		case "done", "stopped":
			dot.kind, dot.color = square, t.Ink3
		}
		l.add(dot)
		end -= wd + 30*u
	}
	return end
}

// followedLine names the particle that is followed, and the way back to all of them.
func (v *forming) followedLine(l *layer, y, end float64) {
	a, u, t, x := v.a, v.a.u, v.a.theme, v.pad
	s := a.say("All particles")
	wd := a.fonts.width(s, plain)
	is := v.is
	a.link(l, s, end-wd, y, plain, t.Ink2, 8, action{do: func(point) { is.marked = [2]int{} }})
	end -= wd + 18*u
	l.label(a.say("Particle")+" "+strconv.Itoa(v.is.marked[1]+1), x, y, strong, t.Ink, left)
	x += a.fonts.width(a.say("Particle")+" "+strconv.Itoa(v.is.marked[1]+1), strong) + 12*u
	says, why := a.say("and its ancestors"), ""
	switch {
	case v.is.w > 0 && v.unseen():
		why = "empty: not among the first"
	case v.is.w == 0 && v.eyed() >= v.m.rows:
		why = "no picture: not among the first"
	}
	if more := says + " (" + a.say(why) + " " + strconv.Itoa(maxSlots) + ")"; why != "" &&
		x+a.fonts.width(more, plain) < end {
		says = more
	}
	if x+a.fonts.width(says, plain) < end {
		l.label(says, x, y, plain, t.Ink2, left)
	}
}

// phaseLine writes the phases of a stage, which can be followed one by one, the one on
// show in bold.
func (v *forming) phaseLine(l *layer, y, end float64) {
	a, u, t, x := v.a, v.a.u, v.a.theme, v.pad
	var wide float64
	var seen []int
	for k := 1; k < len(frame.FormingPhases); k++ {
		if v.is.phases>>k&1 != 0 {
			seen = append(seen, k)
			wide += a.fonts.width(a.say(frame.FormingPhases[k]), strong) + 14*u
		}
	}
	if wide > end-x {
		seen = nil
		if v.m.phase >= 0 {
			seen = []int{v.m.phase}
		}
	}
	for _, k := range seen {
		s := a.say(frame.FormingPhases[k])
		wd := a.fonts.width(s, strong)
		if x+wd > end {
			break
		}
		st, c := plain, t.Ink3
		if k == v.m.phase {
			st, c = strong, t.Ink
			l.add(mark{kind: fill, box: snap(rect{x, y + 4*u, wd, 2 * u}), color: v.eye})
		}
		l.label(s, x+(wd-a.fonts.width(s, st))/2, y, st, c, left)
		x += wd + 14*u
	}
}

// sizeLine says, at full speed, which method it is, unless the line above has named it,
// and how many particles there are.
func (v *forming) sizeLine(l *layer, y, end float64, named bool) {
	a, u, t, x := v.a, v.a.u, v.a.theme, v.pad
	text := []string{a.methodLabel(v.w.method), format.Grouped(float64(v.is.growth.R), 0) + " " + a.say("particles")}
	if r := v.is.growth.R; r > 0 && v.islands() > 1 {
		text = append(text, a.say("island")+" 1 "+a.say("of")+" "+format.Grouped(float64(v.islands()), 0))
	}
	if named {
		text = text[1:]
	}
	for i, s := range text {
		st, c := plain, t.Ink2
		if i == 0 && !named {
			st, c = strong, t.Ink
		}
		wd := a.fonts.width(s, st)
		if x+wd > end {
			break
		}
		l.label(s, x, y, st, c, left)
		x += wd + 14*u
	}
}

// mood says whether the newest picture is the last one, and what the way back to it is called.
func (v *forming) mood() (mood, back string) {
	p, ended := v.p, v.p.run == "done" || v.p.run == "failed"
	switch all := v.is.growth.Stage == v.is.growth.Stages; {
	case all && (ended || p.active != v.w.method && p.active != ""): // or another method is under way
		return "done", "Back to the end"
	case ended:
		return "stopped", "Back to the end"
	case p.run == "paused":
		return "paused", "Back to the newest"
	}
	return "live", "Back to live"
}

// islands is how many there are: those of the run, or at least those that were seen.
func (v *forming) islands() int {
	n := len(v.among)
	if last := v.among[n-1]; last.first > 0 && n > 1 {
		if gap := v.among[1].first - v.among[0].first; gap > 0 {
			n = max(n, (v.w.total+gap-1)/gap)
		}
	}
	return n
}

// crowdSwitch changes between large pictures and all of them.
func (v *forming) crowdSwitch(l *layer, y, end float64) float64 {
	a, u := v.a, v.a.u
	if v.is.w == 0 || v.following() || v.crew() <= v.large() {
		return end
	}
	s := a.say("More pictures")
	if v.p.crowd {
		s = a.say("Larger pictures")
	}
	wd := a.fonts.width(s, plain)
	if end-wd < v.pad+a.fonts.width(a.say("resample"), strong)+14*u {
		return end
	}
	a.link(l, s, end-wd, y, plain, a.theme.Ink2, 8, action{turn: "crowd"})
	return end - wd - 18*u
}
