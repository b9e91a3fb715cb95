package render

import (
	"math"

	"logzlab/core/format"
	"logzlab/core/frame"
)

var _ = register(scene{name: "race", draw: race, moves: (*Picture).racing, miss: (*Picture).raceAgain})

// racers is the most methods in a race, raceTime the seconds that it takes, and within the distance in nats to which
// the methods race.
const (
	racers   = 4
	raceTime = 5
	within   = 0.1
)

// racing tells whether the race is under way.
func (p *Picture) racing(still bool) bool {
	return !still && p.race > 0 && p.now < p.race+raceTime
}

// raceAgain starts it once more.
func (p *Picture) raceAgain() { p.race = p.now }

// lane is the course of one method.
type lane struct {
	order  int
	name   string
	course []frame.Course
	home   int // index of the first point from which on it is within 0.1 nat; -1: none
}

// race draws the courses of up to four methods below each other, a lane each, on one axis of equal work: the distance
// of their estimates to the exact value, or where that is not known to the last estimate. The first that is close, and
// stays so, has won.
func race(a *area, p *Picture) []layer {
	lanes := p.lanes(a)
	u := a.u
	if len(lanes) == 0 || a.w < 160*u || a.h < 160*u {
		return []layer{note(a, "No race before the methods are done")}
	}
	if p.race == 0 && p.run == "done" {
		p.race = p.now
	}
	v := newRaceView(a, p, lanes)
	var back, front layer
	v.axis(&back)
	var clips []layer
	for i := range lanes {
		clips = append(clips, v.lane(&back, &front, i))
	}
	return append(append([]layer{back}, clips...), front)
}

// lanes are the methods that have a course.
func (p *Picture) lanes(a *area) (out []lane) {
	for _, c := range p.curves {
		if len(c.Course) < 2 || len(out) == racers {
			continue
		}
		l := lane{order: p.order(c.Method), name: a.methodLabel(c.Method), course: c.Course, home: -1}
		for i := len(c.Course) - 1; i >= 0 && c.Course[i].Off <= within; i-- {
			l.home = i
		}
		out = append(out, l)
	}
	return out
}

// raceView is the geometry of a race.
type raceView struct {
	a        *area
	lanes    []lane
	pad, gap float64
	top      float64
	high     float64 // of a lane
	work     axis    // log10 of the work of a run
	reach    float64 // nats from the middle of a lane to its edge
	zero     float64 // the value that they race to
	now      float64 // log10 of the work up to which the race has come
	first    int     // the lane that wins, -1: none
}

func newRaceView(a *area, p *Picture, lanes []lane) *raceView {
	u := a.u
	v := &raceView{a: a, lanes: lanes, pad: 24 * u, top: 14 * u, gap: 30 * u, first: -1, zero: p.truth}
	if a.compact() {
		v.pad = 16 * u
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	var far []float64
	end := lanes[0].course[len(lanes[0].course)-1]
	for i, l := range lanes {
		lo = min(lo, l.course[0].Sweeps)
		last := l.course[len(l.course)-1]
		if hi = max(hi, last.Sweeps); last.Off < end.Off {
			end = last
		}
		if l.home >= 0 && (v.first < 0 || l.course[l.home].Sweeps < lanes[v.first].course[lanes[v.first].home].Sweeps) {
			v.first = i
		}
	}
	if !p.hasTruth {
		v.zero = end.LogZ
	}
	for _, l := range lanes {
		for _, c := range l.course[len(l.course)/3:] {
			far = append(far, max(math.Abs(c.Lower-v.zero), math.Abs(c.Upper-v.zero)))
		}
	}
	for _, d := range far {
		v.reach = max(v.reach, d)
	}
	v.reach = min(max(1.15*v.reach, 3*within), 20*within)
	widest := 0.0
	for _, s := range []float64{-v.half(), v.half()} {
		widest = max(widest, a.fonts.width(v.signed(s), tick))
	}
	v.work = axis{math.Log10(lo), math.Log10(hi), math.Round(v.pad + widest + 8*u), math.Round(a.w - v.pad - 8*u)}
	v.high = math.Floor((a.h-v.top-44*u)/float64(len(lanes)) - v.gap)
	v.now = v.work.d1
	if p.racing(a.still) {
		v.now = v.work.d0 + (v.work.d1-v.work.d0)*(p.now-p.race)/raceTime
	}
	return v
}

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
func (v *raceView) axis(l *layer) {
	a, u, t := v.a, v.a.u, v.a.theme
	y := v.top + float64(len(v.lanes))*(v.high+v.gap)
	n := int(min(7, max(3, (v.work.p1-v.work.p0)/(56*u))))
	for _, w := range format.LogTicks(math.Pow(10, v.work.d0), math.Pow(10, v.work.d1), n) {
		x := v.work.at(math.Log10(w))
		l.vline(a, x, y, y+4*u, t.Line2)
		l.label(format.Short(w, 3), x, y+16*u, tick, t.Ink3, centre)
	}
	l.hline(a, v.work.p0, v.work.p1, y, t.Line2)
	s := a.say("work of one run: updates of all chains, or draws")
	l.label(s, (v.work.p0+v.work.p1)/2, y+33*u, tick, t.Ink3, centre)
}

// lane draws the lane at place i; what may leave it is in the layer that is returned.
func (v *raceView) lane(back, front *layer, i int) layer {
	a, u, t, l := v.a, v.a.u, v.a.theme, &v.lanes[i]
	top := v.top + float64(i)*(v.high+v.gap) + 20*u
	box := snap(rect{v.work.p0, top, v.work.p1 - v.work.p0, v.high})
	off := axis{-v.reach, v.reach, box.y + box.h, box.y}
	near := rect{box.x, off.at(within), box.w, off.at(-within) - off.at(within)}
	back.add(mark{kind: fill, box: snap(near), color: t.Track})
	for _, s := range []float64{-v.half(), v.half()} {
		back.hline(a, box.x, box.x+box.w, off.at(s), t.Line)
		back.label(v.signed(s), box.x-8*u, off.at(s)+4*u, tick, t.Ink3, right)
	}
	inside := layer{clip: rect{box.x - 5*u, box.y, box.w + 10*u, box.h}}
	ink := t.method(l.order)
	var up, lo, mid []point
	add := func(c frame.Course) {
		x := v.work.at(math.Log10(c.Sweeps))
		clip := func(z float64) float64 { return off.at(min(max(z-v.zero, -2*v.reach), 2*v.reach)) }
		up, lo = append(up, point{x, clip(c.Upper)}), append(lo, point{x, clip(c.Lower)})
		mid = append(mid, point{x, clip(c.LogZ)})
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
		inside.add(mark{kind: band, pts: up, more: lo, color: fade(ink, max(t.BandAlpha, 0.25))},
			mark{kind: stroke, pts: mid, width: 2 * u * t.Stroke, color: ink, halo: true})
	}
	y := off.at(0)
	inside.add(mark{kind: stroke, pts: []point{{box.x, y}, {box.x + box.w, y}}, width: 1.25 * u * t.Stroke, color: t.Ink})
	if n := len(mid); n > 0 && mid[n-1].y > box.y && mid[n-1].y < box.y+box.h {
		front.glyph(a, l.order, mid[n-1].x, mid[n-1].y, 4.5*u, false)
	}
	v.caption(front, l, box, i == v.first)
	if a.asks(box) && len(mid) > 0 {
		v.offer(l, box, off)
	}
	return inside
}

// between is the course at some work between two of its points.
func between(b, c frame.Course, at float64) frame.Course {
	from, to := math.Log10(b.Sweeps), math.Log10(c.Sweeps)
	f := (at - from) / (to - from)
	mix := func(x, y float64) float64 { return x + f*(y-x) }
	return frame.Course{Sweeps: math.Pow(10, at), LogZ: mix(b.LogZ, c.LogZ), Lower: mix(b.Lower, c.Lower),
		Upper: mix(b.Upper, c.Upper)}
}

// caption names the lane, and says when its method was close.
func (v *raceView) caption(l *layer, of *lane, box rect, won bool) {
	a, u, t := v.a, v.a.u, v.a.theme
	x, y := box.x, box.y-7*u
	l.glyph(a, of.order, x+4*u, y-4*u, 4*u, false)
	l.label(of.name, x+14*u, y, strong, t.Ink, left)
	says, st, ink := a.say("not within 0.1 nat yet"), plain, t.Ink3
	if of.home >= 0 {
		c := of.course[of.home]
		if math.Log10(c.Sweeps) > v.now {
			return
		}
		says, ink = a.say("within 0.1 nat after")+" "+format.Short(c.Sweeps, 2), t.Ink2
		at := v.work.at(math.Log10(c.Sweeps))
		l.add(mark{kind: stroke, pts: []point{{at, box.y}, {at, box.y + box.h}}, width: 1.5 * u * t.Stroke,
			dash: [2]float64{4 * u, 3 * u}, color: t.method(of.order)})
		if won {
			says, st, ink = a.say("first to 0.1 nat")+": "+format.Short(c.Sweeps, 2), strong, t.Ink
			l.add(mark{kind: triangle, at: point{at, box.y - 1*u}, r: 4 * u, color: t.Ink})
		}
	} else if v.now < v.work.d1 {
		return
	}
	if end := x + 14*u + a.fonts.width(of.name, strong) + 12*u; box.x+box.w-a.fonts.width(says, st) > end {
		l.label(says, box.x+box.w, y, st, ink, right)
	}
}

// offer lets the pointer read the nearest point of a course.
func (v *raceView) offer(l *lane, box rect, off axis) {
	a := v.a
	for _, c := range l.course {
		at := point{v.work.at(math.Log10(c.Sweeps)), min(max(off.at(c.LogZ-v.zero), box.y), box.y+box.h)}
		a.probe.offer(math.Abs(a.probe.at.x-at.x), box.w, at, 5*a.u, rect{}, func() string {
			return l.name + "\n" + a.say("work") + " " + format.Short(c.Sweeps, 3) + "\nlog Z " +
				format.Value(c.LogZ, c.Off) + "\n" + a.say("off by about") + " " + format.AtMost(c.Off, 3)
		})
	}
}
