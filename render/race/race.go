// Package race is the scene of methods that race to within 0.1 nat of log Z, on one axis of work.
package race

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render/paint"
	"logzlab/render/record"
	"logzlab/render/scene"
)

var _ = scene.Register("race", func(r *record.Run) scene.Scene { return &race{Base: scene.Base{Run: r}} })

// racers is the most methods in a race, raceTime the seconds that it takes, and within the distance in nats to which
// the methods race.
const (
	racers   = 4
	raceTime = 5
	within   = 0.1
)

// lane is the course of one method.
type lane struct {
	order  int
	name   string
	course []frame.Course
	home   int // index of the first point from which on it is within 0.1 nat; -1: none
	place  int // in the order of the finish, from 1; 0: none
}

// race draws the courses of up to four methods below each other, a lane each, on one axis of equal work: the distance
// of their estimates to the exact value, or where that is not known to the last estimate. A runner stands where each
// method is at the work of the clock; where it has come into the target band, and stays there, is its finish, with a
// flag, and the order of these is that of the race.
type race struct {
	scene.Base
	began float64 // when the race on show began, in seconds; 0: not yet
}

// Draw lays the scene out.
func (s *race) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	lanes := lanesOf(p, a)
	u := a.Unit
	if len(lanes) == 0 || a.W < 160*u || a.H < 160*u {
		return []paint.Layer{paint.Note(a, "No race before the methods are done")}
	}
	if s.began == 0 && p.State == runstate.Done {
		s.began = p.Now
	}
	v := newRaceView(a, s, lanes)
	var back, front paint.Layer
	v.axis(&back)
	var clips []paint.Layer
	for i := range lanes {
		clips = append(clips, v.lane(&back, &front, i))
	}
	a.OnBackground(func() { s.began = p.Now }) // once more
	return append(append([]paint.Layer{back}, clips...), front)
}

// Play has the race begin at a time, for a film, and returns when it had begun.
func (s *race) Play(began float64) (before float64) {
	before, s.began = s.began, began
	return before
}

// Lasts returns how long a race takes, in seconds.
func (s *race) Lasts() float64 { return raceTime }

// Moves reports whether the race is under way.
func (s *race) Moves(still bool) bool { return !still && s.began > 0 && s.Run.Now < s.began+raceTime }

// Clear forgets the race.
func (s *race) Clear() { s.began = 0 }

// lanes are the methods that have a course.
func lanesOf(p *record.Run, a *paint.Area) (out []lane) {
	for _, c := range p.Curves {
		if len(c.Course) < 2 || len(out) == racers {
			continue
		}
		l := lane{order: p.Order(c.Method), name: a.MethodLabel(c.Method), course: c.Course, home: -1}
		for i := len(c.Course) - 1; i >= 0 && c.Course[i].Off <= within; i-- {
			l.home = i
		}
		out = append(out, l)
	}
	return out
}

// raceView is the geometry of a race.
type raceView struct {
	a        *paint.Area
	lanes    []lane
	pad, gap float64
	top      float64
	high     float64    // of a lane
	work     paint.Axis // log10 of the work of a run
	reach    float64    // nats from the middle of a lane to its edge
	zero     float64    // the value that they race to
	now      float64    // log10 of the work up to which the race has come
}

func newRaceView(a *paint.Area, s *race, lanes []lane) *raceView {
	p := s.Run
	u := a.Unit
	v := &raceView{a: a, lanes: lanes, pad: 24 * u, top: 14 * u, gap: 30 * u, zero: p.Truth}
	if a.Compact() {
		v.pad = 16 * u
	}

	// The range of work, the best method at the end, and the order of the finish.
	lo, hi := math.Inf(1), math.Inf(-1)
	var far []float64
	end := lanes[0].course[len(lanes[0].course)-1]
	for _, l := range lanes {
		lo = min(lo, l.course[0].Sweeps)
		last := l.course[len(l.course)-1]
		if hi = max(hi, last.Sweeps); last.Off < end.Off {
			end = last
		}
	}
	for i := range lanes {
		for k := range lanes {
			if lanes[i].home >= 0 && lanes[k].home >= 0 && lanes[k].finish() <= lanes[i].finish() {
				lanes[i].place++
			}
		}
	}
	if !p.HasTruth {
		v.zero = end.LogZ
	}

	// The reach of the error axis, from the last two thirds of all courses.
	for _, l := range lanes {
		for _, c := range l.course[len(l.course)/3:] {
			far = append(far, max(math.Abs(c.Lower-v.zero), math.Abs(c.Upper-v.zero)))
		}
	}
	for _, d := range far {
		v.reach = max(v.reach, d)
	}
	v.reach = min(max(1.15*v.reach, 3*within), 20*within)

	// Places.
	widest := 0.0
	for _, s := range []float64{-v.half(), v.half()} {
		widest = max(widest, a.Fonts.Width(v.signed(s), paint.Tick))
	}
	v.work = paint.NewAxis(math.Log10(lo), math.Log10(hi), math.Round(v.pad+widest+8*u), math.Round(a.W-v.pad-8*u))
	v.high = math.Floor((a.H-v.top-44*u)/float64(len(lanes)) - v.gap)
	v.now = v.work.D1
	if s.Moves(a.Still) {
		v.now = v.work.D0 + (v.work.D1-v.work.D0)*(p.Now-s.began)/raceTime
	}
	return v
}

// finish is the work at which a method is close and stays so.
func (l *lane) finish() float64 { return l.course[l.home].Sweeps }

// half is the tick halfway between the middle of a lane and its edge.
func (v *raceView) half() float64 {
	if v.reach < 5*within {
		return within
	}
	at, _ := format.Ticks(0, v.reach, 2)
	return at[len(at)-1]
}

// signed is a tick of the distance.
func (v *raceView) signed(x float64) string { return format.Signed(x, format.StepDecimals(v.half())) }

// axis draws the ticks of the work below the last lane.
func (v *raceView) axis(l *paint.Layer) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	y := v.top + float64(len(v.lanes))*(v.high+v.gap)
	n := int(min(7, max(3, (v.work.P1-v.work.P0)/(56*u))))
	for _, w := range format.LogTicks(math.Pow(10, v.work.D0), math.Pow(10, v.work.D1), n) {
		x := v.work.At(math.Log10(w))
		l.VLine(a, x, y, y+4*u, t.Line2)
		l.Label(format.Short(w, 3), x, y+16*u, paint.Tick, t.Ink3, paint.Centre)
	}
	l.HLine(a, v.work.P0, v.work.P1, y, t.Line2)
	s := a.Say("work of one run: updates of all chains, or draws")
	l.Label(s, (v.work.P0+v.work.P1)/2, y+33*u, paint.Tick, t.Ink3, paint.Centre)
}

// lane draws the lane at place i; what may leave it is in the layer that is returned.
func (v *raceView) lane(back, front *paint.Layer, i int) paint.Layer {
	a, u, t, l := v.a, v.a.Unit, v.a.Theme, &v.lanes[i]
	top := v.top + float64(i)*(v.high+v.gap) + 20*u
	box := paint.Snap(paint.XYWH(v.work.P0, top, v.work.P1-v.work.P0, v.high))
	off := paint.NewAxis(-v.reach, v.reach, box.Y+box.H, box.Y)
	near := paint.XYWH(box.X, off.At(within), box.W, off.At(-within)-off.At(within))
	ink := t.Method(l.order)
	back.Add(paint.Mark{Kind: paint.Fill, Box: box, Color: t.Track},
		paint.Mark{Kind: paint.Fill, Box: paint.Snap(near), Color: t.Ground},
		paint.Mark{Kind: paint.Fill, Box: paint.Snap(near), Color: paint.Fade(ink, 0.3)})
	for _, s := range []float64{-v.half(), v.half()} {
		back.HLine(a, box.X, box.X+box.W, off.At(s), t.Line)
		back.Label(v.signed(s), box.X-8*u, off.At(s)+4*u, paint.Tick, t.Ink3, paint.Right)
	}

	// The course as far as the race has come.
	inside := paint.Layer{Clip: paint.XYWH(box.X-5*u, box.Y, box.W+10*u, box.H)}
	var up, lo, mid []paint.Point
	add := func(c frame.Course) {
		x := v.work.At(math.Log10(c.Sweeps))
		clip := func(z float64) float64 { return off.At(min(max(z-v.zero, -2*v.reach), 2*v.reach)) }
		up, lo = append(up, paint.Pt(x, clip(c.Upper))), append(lo, paint.Pt(x, clip(c.Lower)))
		mid = append(mid, paint.Pt(x, clip(c.LogZ)))
	}
	for k, c := range l.course {
		if at := math.Log10(c.Sweeps); at > v.now {
			if k > 0 {
				add(between(l.course[k-1], c, v.now))
			}
			break
		}
		add(c)
	}
	if len(mid) > 1 {
		inside.Add(paint.Mark{Kind: paint.Band, Pts: up, Lower: lo, Color: paint.Fade(ink, max(t.BandAlpha, 0.25))},
			paint.Mark{Kind: paint.Stroke, Pts: mid, Width: 2 * u * t.Stroke, Color: ink, Halo: true})
	}

	// The exact value, the mark of the method, and its caption.
	y := off.At(0)
	inside.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: box.X, Y: y}, {X: box.X + box.W, Y: y}},
		Width: 1.25 * u * t.Stroke, Color: t.Ink})
	if x := v.work.At(v.now); v.now < v.work.D1 {
		front.VLine(a, x, box.Y, box.Y+box.H, t.Ink3) // the clock
	}
	if n := len(mid); n > 0 {
		v.runner(front, l, box, paint.Pt(mid[n-1].X, min(max(mid[n-1].Y, box.Y), box.Y+box.H)), off)
	}
	v.caption(front, l, box)
	if a.Pointed(box) && len(mid) > 0 {
		v.offer(l, box, off)
	}
	return inside
}

// runner stands at the front of a course, an arrow where that is beyond the lane, with its distance while it runs.
func (v *raceView) runner(l *paint.Layer, of *lane, box paint.Rect, at paint.Point, off paint.Axis) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	l.Add(paint.Mark{Kind: paint.Disc, At: at, R: 9 * u, Color: t.Ground, Halo: true},
		paint.Mark{Kind: paint.Disc, At: at, R: 9 * u, Color: t.Method(of.order), Hollow: 2 * u})
	l.MethodMark(a, of.order, at.X, at.Y, 4.5*u, false)
	if v.now >= v.work.D1 || of.home >= 0 && math.Log10(of.finish()) <= v.now {
		return
	}
	s := format.AtMost(math.Abs(v.at(of, v.now).LogZ-v.zero), 2) + " " + a.Say("nats")
	x, al := at.X+14*u, paint.Left
	if x+a.Fonts.Width(s, paint.Strong) > box.X+box.W {
		x, al = at.X-14*u, paint.Right
	}
	l.Label(s, x, min(max(at.Y+4*u, box.Y+12*u), box.Y+box.H-4*u), paint.Strong, t.Ink, al)
}

// at is the course of a method at some work, at its ends before and after.
func (v *raceView) at(l *lane, work float64) frame.Course {
	for k, c := range l.course {
		if math.Log10(c.Sweeps) >= work {
			if k == 0 {
				return c
			}
			return between(l.course[k-1], c, work)
		}
	}
	return l.course[len(l.course)-1]
}

// flag is a chequered one on a pole whose foot is at a place.
func flag(l *paint.Layer, u float64, foot paint.Point, ink, ground color.RGBA) {
	l.Add(paint.Mark{Kind: paint.Fill, Box: paint.Snap(paint.XYWH(foot.X-u, foot.Y-22*u, 2*u, 22*u)), Color: ink})
	for i := range 3 {
		for k := range 4 {
			c := ink
			if (i+k)%2 == 1 {
				c = ground
			}
			l.Add(paint.Mark{Kind: paint.Fill, Color: c,
				Box: paint.Snap(paint.XYWH(foot.X+(1+4*float64(k))*u, foot.Y+(-22+4*float64(i))*u, 4*u, 4*u))})
		}
	}
}

// between is the course at some work between two of its points.
func between(b, c frame.Course, at float64) frame.Course {
	from, to := math.Log10(b.Sweeps), math.Log10(c.Sweeps)
	f := (at - from) / (to - from)
	mix := func(x, y float64) float64 { return x + f*(y-x) }
	return frame.Course{Sweeps: math.Pow(10, at), LogZ: mix(b.LogZ, c.LogZ), Lower: mix(b.Lower, c.Lower),
		Upper: mix(b.Upper, c.Upper)}
}

// caption names the lane, and says when its method came to the finish, and in which place.
func (v *raceView) caption(l *paint.Layer, of *lane, box paint.Rect) {
	a, u, t := v.a, v.a.Unit, v.a.Theme
	x, y := box.X, box.Y-7*u
	l.MethodMark(a, of.order, x+4*u, y-4*u, 4*u, false)
	l.Label(of.name, x+14*u, y, paint.Strong, t.Ink, paint.Left)
	says, st, ink := a.Say("not within 0.1 nat yet"), paint.Plain, t.Ink3
	if of.home >= 0 {
		c := of.course[of.home]
		if math.Log10(c.Sweeps) > v.now {
			return
		}
		says, ink = strconv.Itoa(of.place)+". "+a.Say("within 0.1 nat after")+" "+format.Short(c.Sweeps, 2), t.Ink2
		at := v.work.At(math.Log10(c.Sweeps))
		l.Add(paint.Mark{Kind: paint.Stroke, Pts: []paint.Point{{X: at, Y: box.Y}, {X: at, Y: box.Y + box.H}},
			Width: 1.5 * u * t.Stroke, Dash: [2]float64{4 * u, 3 * u}, Color: t.Method(of.order)})
		flag(l, u, paint.Pt(at, box.Y+box.H/2), t.Ink, t.Ground)
		if of.place == 1 {
			says, st, ink = "1. "+a.Say("first to 0.1 nat")+": "+format.Short(c.Sweeps, 2), paint.Strong, t.Ink
		}
	} else if v.now < v.work.D1 {
		return
	}
	if end := x + 14*u + a.Fonts.Width(of.name, paint.Strong) + 12*u; box.X+box.W-a.Fonts.Width(says, st) > end {
		l.Label(says, box.X+box.W, y, st, ink, paint.Right)
	}
}

// offer lets the pointer read the nearest point of a course.
func (v *raceView) offer(l *lane, box paint.Rect, off paint.Axis) {
	a := v.a
	for _, c := range l.course {
		at := paint.Pt(v.work.At(math.Log10(c.Sweeps)), min(max(off.At(c.LogZ-v.zero), box.Y), box.Y+box.H))
		a.Pointer.Offer(math.Abs(a.Pointer.At.X-at.X), box.W, at, 5*a.Unit, paint.Rect{}, func() string {
			return l.name + "\n" + a.Say("work") + " " + format.Short(c.Sweeps, 3) + "\nlog Z " +
				format.Value(c.LogZ, c.Off) + "\n" + a.Say("off by about") + " " + format.AtMost(c.Off, 3)
		})
	}
}
