// Package race is the scene of methods that race to within 0.1 nat of log Z, on one axis of work.
package race

import (
	"image/color"
	"math"
	"strconv"

	"logzlab/core/format"
	"logzlab/core/frame"
	"logzlab/core/runstate"
	"logzlab/render/chart"
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

// race draws the courses of up to four methods below each other, a lane each, on one axis of equal work: the distance
// of their estimates to the exact value, or where that is not known to the last estimate. A runner stands where each
// method is at the work of the clock; where it has come into the target band, and stays there, is its finish, with a
// flag, and the order of these is that of the race.
type race struct {
	scene.Base
	began float64 // when the race on show began, in seconds; 0: not yet
}

// Play has the race begin at a time, for a film, and returns when it had begun.
func (s *race) SetStart(began float64) (before float64) {
	before, s.began = s.began, began
	return before
}

// Lasts returns how long a race takes, in seconds.
func (s *race) Duration() float64 { return raceTime }

// Moves reports whether the race is under way.
func (s *race) IsAnimating(still bool) bool {
	return !still && s.began > 0 && s.Run.Now < s.began+raceTime
}

// Clear forgets the race.
func (s *race) Clear() { s.began = 0 }

// Draw lays the scene out.
func (s *race) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	lanes := s.lanes(a)
	if len(lanes) == 0 || a.W < 160*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No race before the methods are done")}
	}
	if s.began == 0 && p.State == runstate.Done {
		s.began = p.Now
	}
	g := newGround(s, a, lanes)
	shares := []float64{1, 1, 1, 1}[:len(lanes)]
	charts := chart.Stack(a, chart.Inset(a), g.work, shares...)
	for i, c := range charts {
		g.draw(c, &lanes[i])
	}
	a.OnBackground(func() { s.began = p.Now }) // once more
	return chart.Layers(charts...)
}

// lane is the course of one method.
type lane struct {
	order  int // of the method
	name   string
	course []frame.Course
	home   int // index of the first point from which on it is within 0.1 nat; -1: none
	place  int // in the order of the finish, from 1; 0: none
}

// finish is the work at which a method is close and stays so.
func (l *lane) finish() float64 { return l.course[l.home].Sweeps }

// last is the end of the course.
func (l *lane) last() frame.Course { return l.course[len(l.course)-1] }

// lanes are the methods that have a course, with their places.
func (s *race) lanes(a *paint.Area) (out []lane) {
	for _, c := range s.Run.Curves {
		if len(c.Course) < 2 || len(out) == racers {
			continue
		}
		l := lane{order: s.Run.MethodIndex(c.Method), name: a.MethodLabel(c.Method), course: c.Course, home: -1}
		for i := len(c.Course) - 1; i >= 0 && c.Course[i].Off <= within; i-- {
			l.home = i
		}
		out = append(out, l)
	}
	for i := range out {
		for k := range out {
			if out[i].home >= 0 && out[k].home >= 0 && out[k].finish() <= out[i].finish() {
				out[i].place++
			}
		}
	}
	return out
}

// ground is what all lanes have in common.
type ground struct {
	a     *paint.Area
	work  chart.Axis // of a run
	zero  float64    // the value that they race to
	reach float64    // nats from the middle of a lane to its edge
	now   float64    // the work up to which the race has come
	runs  bool       // it is under way
}

func newGround(s *race, a *paint.Area, lanes []lane) *ground {
	g := &ground{a: a, zero: s.Run.Truth, runs: s.IsAnimating(a.Still)}

	// The range of work, and the best method at the end.
	lo, hi, end := math.Inf(1), 0.0, lanes[0].last()
	for _, l := range lanes {
		lo, hi = min(lo, l.course[0].Sweeps), max(hi, l.last().Sweeps)
		if l.last().Off < end.Off {
			end = l.last()
		}
	}
	if !s.Run.HasTruth {
		g.zero = end.LogZ
	}
	g.work = chart.Axis{Lo: lo, Hi: hi, Log: true, Title: a.Say("work of one run: updates of all chains, or draws")}
	g.now = hi
	if g.runs {
		g.now = lo * math.Pow(hi/lo, (s.Run.Now-s.began)/raceTime)
	}

	// The reach, from the last two thirds of all courses.
	for _, l := range lanes {
		for _, c := range l.course[len(l.course)/3:] {
			g.reach = max(g.reach, math.Abs(c.Lower-g.zero), math.Abs(c.Upper-g.zero))
		}
	}
	g.reach = min(max(1.15*g.reach, 3*within), 20*within)
	return g
}

// height is the vertical axis of a lane, with one tick between the middle and either edge.
func (g *ground) height() chart.Axis {
	half := within
	if g.reach >= 5*within {
		at, _ := format.Ticks(0, g.reach, 2)
		half = at[len(at)-1]
	}
	return chart.Axis{Lo: -g.reach, Hi: g.reach, Ticks: []float64{-half, 0, half}, Label: func(v float64) string {
		if v == 0 {
			return "0"
		}
		return format.Signed(v, format.StepDecimals(half))
	}}
}

// draw draws a lane.
func (g *ground) draw(c *chart.Chart, of *lane) {
	a, t, inf := g.a, g.a.Theme, math.Inf(1)
	ink := t.Method(of.order)
	c.Y, c.Title, c.Mark = g.height(), of.name, of.order+1
	c.Shade(-inf, inf, -inf, inf, chart.Style{Color: t.Track})
	c.Shade(-inf, inf, -within, within, chart.Style{Color: t.Ground})
	c.Shade(-inf, inf, -within, within, chart.Style{Color: ink, Opacity: 0.3})

	// The course as far as the race has come.
	var work, low, mid, high []float64
	for _, q := range of.until(g.now) {
		work, mid = append(work, q.Sweeps), append(mid, q.LogZ-g.zero)
		low, high = append(low, q.Lower-g.zero), append(high, q.Upper-g.zero)
	}
	c.Band(work, low, high, chart.Style{Color: ink, Opacity: max(t.BandAlpha, 0.25)})
	c.Line(work, mid, chart.Style{Color: ink})
	c.Level(0, "", chart.Style{})
	if g.runs {
		c.LevelX(g.now, "", chart.Style{Color: t.Ink3, Width: 1}) // the clock
	}
	home := of.home >= 0 && of.finish() <= g.now
	if home {
		c.LevelX(of.finish(), "", chart.Style{Color: ink, Width: 1.5, Dash: [2]float64{4, 3}})
	}
	c.DrawOver(func(l *paint.Layer) {
		if home {
			flag(l, a.Unit, c.At(of.finish(), 0), t.Ink, t.Ground)
		}
		if n := len(work); n > 0 {
			g.runner(l, c, of, c.At(work[n-1], mid[n-1]), mid[n-1], home)
		}
		g.result(l, c, of, home)
	})
	c.Read(len(of.course), func(i int) (x, y float64) { return of.course[i].Sweeps, of.course[i].LogZ - g.zero },
		func(i int) string {
			q := of.course[i]
			return of.name + "\n" + a.Say("work") + " " + format.SI(q.Sweeps, 3) + "\nlog Z " +
				format.Value(q.LogZ, q.Off) + "\n" + a.Say("off by about") + " " + format.Trimmed(q.Off, 3)
		})
}

// until is the course as far as some work.
func (l *lane) until(work float64) (out []frame.Course) {
	for i, c := range l.course {
		if c.Sweeps <= work {
			out = append(out, c)
			continue
		}
		if i > 0 { // part of the way
			b := l.course[i-1]
			f := math.Log(work/b.Sweeps) / math.Log(c.Sweeps/b.Sweeps)
			mix := func(x, y float64) float64 { return x + f*(y-x) }
			out = append(out, frame.Course{Sweeps: work, LogZ: mix(b.LogZ, c.LogZ), Lower: mix(b.Lower, c.Lower),
				Upper: mix(b.Upper, c.Upper)})
		}
		break
	}
	return out
}

// runner is the mark of a method at the front of its course, or at the edge of the lane if that is beyond, with the
// distance while it runs.
func (g *ground) runner(l *paint.Layer, c *chart.Chart, of *lane, at paint.Point, off float64, home bool) {
	a, u, t, b := g.a, g.a.Unit, g.a.Theme, c.Plot()
	at.Y = min(max(at.Y, b.Y), b.Y+b.H)
	l.Add(paint.Mark{Kind: paint.Disc, At: at, R: 9 * u, Color: t.Ground, Halo: true},
		paint.Mark{Kind: paint.Disc, At: at, R: 9 * u, Color: t.Method(of.order), Hollow: 2 * u})
	l.MethodMark(a, of.order, at.X, at.Y, 4.5*u, false)
	if !g.runs || home {
		return
	}
	s := format.Trimmed(math.Abs(off), 2) + " " + a.Say("nats")
	x, al := at.X+14*u, paint.Left
	if x+a.Fonts.Width(s, paint.Strong) > b.X+b.W {
		x, al = at.X-14*u, paint.Right
	}
	l.Label(s, x, min(max(at.Y+4*u, b.Y+12*u), b.Y+b.H-4*u), paint.Strong, t.Ink, al)
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

// result says above the lane when its method came to the finish, and in which place, as soon as that is known.
func (g *ground) result(l *paint.Layer, c *chart.Chart, of *lane, home bool) {
	a, t, b := g.a, g.a.Theme, c.Box()
	says, st, ink := a.Say("not within 0.1 nat yet"), paint.Plain, t.Ink3
	switch {
	case home && of.place == 1:
		says, st, ink = "1. "+a.Say("first to 0.1 nat")+": "+format.SI(of.finish(), 2), paint.Strong, t.Ink
	case home:
		says, ink = strconv.Itoa(of.place)+". "+a.Say("within 0.1 nat after")+" "+format.SI(of.finish(), 2), t.Ink2
	case g.runs:
		return
	}
	if a.Fonts.Width(of.name, paint.Strong)+a.Fonts.Width(says, st)+26*a.Unit < b.W {
		l.Label(says, b.X+b.W, b.Y+12*a.Unit, st, ink, paint.Right)
	}
}
