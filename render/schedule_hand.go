package render

import (
	"strconv"

	"logzlab/core/format"
	"logzlab/core/num"
	"logzlab/core/schedule"
	"logzlab/render/paint"
)

// handSchedule is the curve that the viewer draws, by knots at even shares of the run.
type handSchedule struct {
	beta   []float64 // of the knots
	held   []float64 // those when one was taken; nil: none is held
	at     int       // the knot that was taken last, and that keys move
	on     bool      // keys move it
	drew   bool      // it has changed, which nobody has been told yet
	told   string    // the schedule that the page was told, until it comes back
	toldAt float64
}

// unheard is how long, in seconds, a curve that the page was told of stays although the page shows another one.
const unheard = 2

// take follows the page, unless it does not know the newest curve yet.
func (o *handSchedule) take(schedule string, knots []float64, now float64) {
	if o.held != nil || o.told != "" && o.told != schedule && now-o.toldAt < unheard {
		return
	}
	o.told, o.beta = "", knots
	o.at = min(o.at, max(len(knots)-1, 0))
}

// put moves the knot of the keys to an inverse temperature.
func (o *handSchedule) put(from []float64, beta float64) { o.beta = schedule.Place(from, o.at, beta) }

// drop ends a drag; it is news if it has moved something.
func (o *handSchedule) drop() {
	o.drew = o.drew || o.held != nil && schedule.Drawn(o.held) != schedule.Drawn(o.beta)
	o.held = nil
}

// newSchedule is the schedule by hand as the parameter of a method, if it has changed and nobody has been told.
func (p *Picture) newSchedule() (text string, drew bool) {
	o := &p.handSchedule
	if !o.drew || p.path == nil {
		return "", false
	}
	o.drew, o.told, o.toldAt = false, schedule.Drawn(o.beta), p.now
	return p.path.Method + ".schedule=" + o.told, true
}

// fromOptimum makes the optimum the curve by hand.
func (p *Picture) fromOptimum() bool {
	i := p.path.Index("varopt")
	if i < 0 || len(p.path.Lines[i].Beta) != schedule.Points {
		return false
	}
	p.handSchedule.beta, p.handSchedule.drew = schedule.Hand(p.path.Lines[i].Beta), true
	return true
}

// bend takes a key: arrows choose a knot and move it, o begins from the optimum, d and Escape let go.
func (p *Picture) bend(key string) bool {
	o := &p.handSchedule
	if p.path == nil || len(o.beta) == 0 {
		return false
	}

	steps := map[string]float64{"ArrowUp": 1, "ArrowDown": -1, "PageUp": 10, "PageDown": -10}[key]
	switch {
	case steps != 0:
		o.on = true
		b := o.beta[o.at]
		for ; steps >= 1; steps-- {
			b += schedule.Digit(b)
		}
		for ; steps <= -1; steps++ {
			b -= schedule.Digit(b)
		}
		o.put(o.beta, b)
		o.drew = true
	case key == "o":
		return p.fromOptimum()
	case key == "d":
		o.on = !o.on
	case !o.on:
		return false
	case key == "ArrowLeft":
		o.at = max(o.at-1, 0)
	case key == "ArrowRight":
		o.at = min(o.at+1, len(o.beta)-1)
	case key == "Home":
		o.at = 0
	case key == "End":
		o.at = len(o.beta) - 1
	case key == "Escape":
		o.on = false
	default:
		return false
	}
	return true
}

// tellKnot says where the knot of the keys is, and what the curve costs.
func tellKnot(a *paint.Area, p *Picture) string {
	if p.path == nil || len(p.handSchedule.beta) == 0 {
		return ""
	}
	v := scheduleView{a: a, p: p, path: p.path, bent: true, best: p.path.Best()}
	n := len(p.handSchedule.beta)
	s := a.Say("knot") + " " + strconv.Itoa(p.handSchedule.at+1) + " " + a.Say("of") + " " + strconv.Itoa(n) + ", " +
		format.AtMost(100*float64(p.handSchedule.at+1)/float64(n+1), 0) + " %: \u03b2 = " +
		strconv.FormatFloat(p.handSchedule.beta[p.handSchedule.at], 'g', -1, 64)
	if x := v.cost(-1); num.Finite(x) {
		s += ", " + a.Say("predicted variance") + " " + format.Ratio(x) + ", " + v.verdict()
	}
	return s
}

// knots draws the knots, and lets them be dragged up and down.
func (v *scheduleView) knots(l *paint.Layer) {
	a, u, t, o := v.a, v.a.Unit, v.a.Theme, &v.p.handSchedule
	if a.Print || len(v.own) < 3 {
		return
	}
	inner := v.own[1 : len(v.own)-1]
	for i, q := range inner {
		r := 5 * u * min(t.Stroke, 1.3)
		if o.at == i && (o.on || o.held != nil) {
			r *= 1.5
			l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r + 4*u, Color: paint.Fade(v.ink, 0.25)})
		}
		l.Add(paint.Mark{Kind: paint.Disc, At: q, R: r, Color: v.ink, Hollow: 2 * u, Halo: true})
		v.taken = append(v.taken, paint.XYWH(q.X-r, q.Y-r, 2*r, 2*r))
		wide := max(v.plot.W/float64(len(inner)+1), 24*u)
		a.OnTap(paint.XYWH(q.X-wide/2, q.Y-24*u, wide, 48*u), paint.Action{Drag: true, Grab: true, Do: func(at paint.Point) {
			if o.held == nil {
				o.held, o.at = o.beta, i
			}
			o.put(o.held, v.y.D0+(at.Y-v.y.P0)/(v.y.P1-v.y.P0))
		}})
	}
}
