// Package race is the scene of methods that race to within 0.1 nat of log Z, over one axis of work.
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

// maxRacers is the maximum number of methods in a race, raceTime its duration in seconds, and within the distance from
// log Z to reach, in nats.
const (
	maxRacers = 4
	raceTime  = 5
	within    = 0.1
)

// race draws the courses of up to four methods below each other, a lane each, over one axis of work: the difference of
// their estimates from the exact value or, if it is unknown, from the final estimate of the best method. A mark is at
// the position of each method at the current work. The finish of a method, with a flag, is where its error falls below
// 0.1 nat for good; methods are ranked by their finish.
type race struct {
	scene.Base
	start float64 // when the race started, in seconds; 0: not yet
}

// SetStart sets the time at which the race starts, for a film, and returns the previous one.
func (s *race) SetStart(start float64) (previous float64) {
	previous, s.start = s.start, start
	return previous
}

// Duration returns the duration of a race in seconds.
func (s *race) Duration() float64 { return raceTime }

// IsAnimating implements Scene.
func (s *race) IsAnimating(still bool) bool {
	return !still && s.start > 0 && s.Run.Now < s.start+raceTime
}

// Clear implements Scene.
func (s *race) Clear() { s.start = 0 }

// Draw implements Scene.
func (s *race) Draw(a *paint.Area) []paint.Layer {
	p := s.Run
	lanes := s.lanes(a)
	if len(lanes) == 0 || a.W < 160*a.Unit || a.H < 160*a.Unit {
		return []paint.Layer{paint.Note(a, "No race before the methods are done")}
	}
	if s.start == 0 && p.State == runstate.Done {
		s.start = p.Now
	}
	g := newGround(s, a, lanes)
	shares := []float64{1, 1, 1, 1}[:len(lanes)]
	charts := chart.Stack(a, chart.Inset(a), g.work, shares...)
	for i, c := range charts {
		g.draw(c, &lanes[i])
	}
	a.OnBackground(func() { s.start = p.Now }) // run the race again
	return chart.Layers(charts...)
}

// lane is the course of one method.
type lane struct {
	order       int // index of the method
	name        string
	course      []frame.Course
	finishIndex int // index of the first point after which the error stays within 0.1 nat; -1: none
	rank        int // rank by finish, from 1; 0: none
}

// finish returns the work from which on the error stays within 0.1 nat.
func (l *lane) finish() float64 { return l.course[l.finishIndex].Sweeps }

// last returns the end of the course.
func (l *lane) last() frame.Course { return l.course[len(l.course)-1] }

// lanes returns the methods that have a course, with their ranks.
func (s *race) lanes(a *paint.Area) (out []lane) {
	for _, c := range s.Run.Curves {
		if len(c.Course) < 2 || len(out) == maxRacers {
			continue
		}
		l := lane{order: s.Run.MethodIndex(c.Method), name: a.MethodLabel(c.Method), course: c.Course, finishIndex: -1}
		for i := len(c.Course) - 1; i >= 0 && c.Course[i].Error <= within; i-- {
			l.finishIndex = i
		}
		out = append(out, l)
	}
	for i := range out {
		for k := range out {
			if out[i].finishIndex >= 0 && out[k].finishIndex >= 0 && out[k].finish() <= out[i].finish() {
				out[i].rank++
			}
		}
	}
	return out
}

// ground is the layout that all lanes share.
type ground struct {
	a       *paint.Area
	work    chart.Axis // axis of the work of one run
	zero    float64    // the reference value of log Z
	reach   float64    // nats from the middle of a lane to its edge
	now     float64    // the current work of the race
	running bool       // the race is under way
}

func newGround(s *race, a *paint.Area, lanes []lane) *ground {
	g := &ground{a: a, zero: s.Run.Truth, running: s.IsAnimating(a.Still)}

	// The range of work, and the end of the best method.
	lo, hi, end := math.Inf(1), 0.0, lanes[0].last()
	for _, l := range lanes {
		lo, hi = min(lo, l.course[0].Sweeps), max(hi, l.last().Sweeps)
		if l.last().Error < end.Error {
			end = l.last()
		}
	}
	if !s.Run.HasTruth {
		g.zero = end.LogZ
	}
	g.work = chart.Axis{Lo: lo, Hi: hi, Log: true, Title: a.Say("work of one run: updates of all chains, or draws")}
	g.now = hi
	if g.running {
		g.now = lo * math.Pow(hi/lo, (s.Run.Now-s.start)/raceTime)
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

// height returns the vertical axis of a lane, with one tick on each side of 0.
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

	// The course up to the current work.
	var work, low, mid, high []float64
	for _, q := range of.until(g.now) {
		work, mid = append(work, q.Sweeps), append(mid, q.LogZ-g.zero)
		low, high = append(low, q.Lower-g.zero), append(high, q.Upper-g.zero)
	}
	c.Band(work, low, high, chart.Style{Color: ink, Opacity: max(t.BandAlpha, 0.25)})
	c.Line(work, mid, chart.Style{Color: ink})
	c.Level(0, "", chart.Style{})
	if g.running {
		c.LevelX(g.now, "", chart.Style{Color: t.Ink3, Width: 1}) // the current work
	}
	finished := of.finishIndex >= 0 && of.finish() <= g.now
	if finished {
		c.LevelX(of.finish(), "", chart.Style{Color: ink, Width: 1.5, Dash: [2]float64{4, 3}})
	}
	c.DrawOver(func(l *paint.Layer) {
		if finished {
			flag(l, a.Unit, c.At(of.finish(), 0), t.Ink, t.Ground)
		}
		if n := len(work); n > 0 {
			g.runner(l, c, of, c.At(work[n-1], mid[n-1]), mid[n-1], finished)
		}
		g.result(l, c, of, finished)
	})
	c.Tooltips(len(of.course), func(i int) (x, y float64) { return of.course[i].Sweeps, of.course[i].LogZ - g.zero },
		func(i int) string {
			q := of.course[i]
			return of.name + "\n" + a.Say("work") + " " + format.SI(q.Sweeps, 3) + "\nlog Z " +
				format.Value(q.LogZ, q.Error) + "\n" + a.Say("off by about") + " " + format.Trimmed(q.Error, 3)
		})
}

// until returns the course up to some work.
func (l *lane) until(work float64) (out []frame.Course) {
	for i, c := range l.course {
		if c.Sweeps <= work {
			out = append(out, c)
			continue
		}
		if i > 0 { // interpolate the last point
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

// runner draws the mark of a method at the current end of its course, or at the edge of the lane if it is outside,
// with the error during the race.
func (g *ground) runner(l *paint.Layer, c *chart.Chart, of *lane, at paint.Point, off float64, finished bool) {
	a, u, t, b := g.a, g.a.Unit, g.a.Theme, c.Plot()
	at.Y = min(max(at.Y, b.Y), b.Y+b.H)
	l.Add(paint.Mark{Kind: paint.Disc, At: at, R: 9 * u, Color: t.Ground, Halo: true},
		paint.Mark{Kind: paint.Disc, At: at, R: 9 * u, Color: t.Method(of.order), Hollow: 2 * u})
	l.MethodMark(a, of.order, at.X, at.Y, 4.5*u, false)
	if !g.running || finished {
		return
	}
	s := format.Trimmed(math.Abs(off), 2) + " " + a.Say("nats")
	x, al := at.X+14*u, paint.Left
	if x+a.Fonts.Width(s, paint.Strong) > b.X+b.W {
		x, al = at.X-14*u, paint.Right
	}
	l.Label(s, x, min(max(at.Y+4*u, b.Y+12*u), b.Y+b.H-4*u), paint.Strong, t.Ink, al)
}

// flag draws a chequered flag on a pole.
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

// result writes above the lane the work at which its method finished, and its rank, as soon as they are known.
func (g *ground) result(l *paint.Layer, c *chart.Chart, of *lane, finished bool) {
	a, t, b := g.a, g.a.Theme, c.Box()
	says, st, ink := a.Say("not within 0.1 nat yet"), paint.Plain, t.Ink3
	switch {
	case finished && of.rank == 1:
		says, st, ink = "1. "+a.Say("first to 0.1 nat")+": "+format.SI(of.finish(), 2), paint.Strong, t.Ink
	case finished:
		says, ink = strconv.Itoa(of.rank)+". "+a.Say("within 0.1 nat after")+" "+format.SI(of.finish(), 2), t.Ink2
	case g.running:
		return
	}
	if a.Fonts.Width(of.name, paint.Strong)+a.Fonts.Width(says, st)+26*a.Unit < b.W {
		l.Label(says, b.X+b.W, b.Y+12*a.Unit, st, ink, paint.Right)
	}
}
